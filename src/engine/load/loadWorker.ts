import { createInterface } from 'node:readline';
import { failure, toFailure } from '../../model/domain/failure.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { parsedJson } from '../files/parsedJson.ts';
import { LoadBlock } from './loadBlock.ts';
import { type BlockCommand, type FromWorker, type SliceCommand, type ToWorker, toWorkerSchema } from './loadProtocol.ts';
import { machineMs } from './machineClock.ts';
import { SliceSession } from './slices/sliceSession.ts';

// The load generator's process: commands on stdin, messages on stdout, one JSON document a line. It runs one block at a time and ends with its stdin,
// so it never outlives the engine that started it.

interface Running {
  id: number;
  work: LoadBlock | SliceSession;
  /** The app serves the side of the slice that begins. */
  turned: () => void;
}

let running: Running | undefined;
/** Blocks that run, and blocks that were asked to stop: the next may be requested before these have closed their connections. */
let [underWay, stopping]: Promise<unknown>[] = [];
/** Commands that wait for it. A command that is stopped before it begins is removed. */
const waiting = new Set<number>();

async function begin(id: number, run: () => Promise<void>): Promise<void> {
  if (stopping !== undefined) {
    waiting.add(id);
    await stopping;
    stopping = undefined;
    if (!waiting.delete(id)) return;
  }
  underWay = run();
  await underWay;
}

function stop(what: { stop: () => void }): void {
  what.stop();
  stopping = underWay?.catch(() => undefined);
}

function send(message: FromWorker): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function requireIdle(): void {
  if (running !== undefined)
    throw failure('load-busy', 'The load generator is already running a block.', 'Wait for its result, or stop it.');
}

async function execute<Result>(one: Running, run: () => Promise<Result>): Promise<Result> {
  running = one;
  try {
    return await run();
  } finally {
    running = undefined;
  }
}

async function runBlock(command: BlockCommand): Promise<void> {
  const { id } = command;
  requireIdle();
  const work = new LoadBlock(command, {
    onTick: (tick) => send({ type: 'tick', id, tick }),
    onWindow: (edge) => send({ type: 'window', id, edge, atMs: machineMs() }),
  });
  send({ type: 'result', id, result: await execute({ id, work, turned: () => undefined }, () => work.run()) });
}

async function runSlices(command: SliceCommand): Promise<void> {
  const { id } = command;
  requireIdle();
  const work = new SliceSession(command, {
    onTick: (side, tick) => send({ type: 'sideTick', id, side, tick }),
    onSlice: (side) => {
      const turned = new Promise<void>((resolve) => (one.turned = resolve));
      send({ type: 'slice', id, side });
      return command.turned ? turned : undefined;
    },
  });
  const one: Running = { id, work, turned: () => undefined };
  send({ type: 'slices', id, ...(await execute(one, () => work.run())) });
}

async function takeLap(block: LoadBlock, id: number): Promise<void> {
  const result = await block.lap().catch(() => null);
  // When the block was over first, its own result says so.
  if (result !== null) send({ type: 'lap', id, result });
}

function parse(line: string): ToWorker {
  const document = parsedJson(line);
  if (document === undefined)
    throw failure(
      'load-protocol',
      'The load generator was sent a line that is not JSON.',
      'This is a defect of Benchside: please report it.',
      shortened(line, 500),
    );
  const command = toWorkerSchema.safeParse(document);
  if (command.success) return command.data;
  const where = command.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n');
  throw failure(
    'load-protocol',
    'The load generator was sent a command that it does not understand.',
    'Check the routes of the target and the load profile.',
    where,
  );
}

async function handle(line: string): Promise<void> {
  let id: number | null = null;
  try {
    const command = parse(line);
    id = command.id;
    if (command.type === 'block') await begin(id, () => runBlock(command));
    else if (command.type === 'slices') await begin(id, () => runSlices(command));
    else if (waiting.has(id)) {
      if (command.type === 'stop') waiting.delete(id);
    } else if (running?.id === id) {
      if (command.type === 'stop') stop(running.work);
      running.turned();
      if (command.type === 'lap' && running.work instanceof LoadBlock) await takeLap(running.work, id);
    }
  } catch (error) {
    send({ type: 'failed', id, failure: toFailure(error) });
  }
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on('line', (line) => void handle(line));
lines.on('close', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));
send({ type: 'ready' });
