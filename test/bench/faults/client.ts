// An engine's client that faults are injected around: starts an engine, says line by line what it hears, and does what its standard
// input says, activities one after the other. It ends when that does, as a window whose editor is gone.
import { createInterface } from 'node:readline';
import {
  CancellationToken,
  CancellationTokenSource,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  createMessageConnection,
} from 'vscode-jsonrpc/node';
import type * as z from 'zod';
import { engineGraceMs } from '../../../src/engine/supervise/engineGrace.ts';
import { launchEngine } from '../../../src/engine/supervise/launchEngine.ts';
import {
  type NotificationName,
  type ParamsInput,
  type RequestName,
  type ResultOf,
  notifications,
  requests,
} from '../../../src/model/protocol/protocol.ts';
import { type Failure, failureSchema } from '../../../src/model/domain/failure.ts';
import { type Activity, activityRequest } from './activities.ts';
import type { Act, ClientOrder, ClientSays, ClientTask } from './clientTalk.ts';

const task = JSON.parse(process.argv[2] ?? '') as ClientTask;
const liveValues = [2, 6];

function say(line: ClientSays): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

class Client {
  #acting: CancellationTokenSource | null = null;

  private constructor(
    private readonly engine: Awaited<ReturnType<typeof launchEngine>>,
    private readonly connection: ReturnType<typeof createMessageConnection>,
  ) {}

  static async start(): Promise<Client> {
    const engine = await launchEngine(task.nodePath, task.enginePath, task.env);
    const connection = createMessageConnection(new StreamMessageReader(engine.stdout), new StreamMessageWriter(engine.stdin));
    connection.onError(() => undefined);
    connection.listen();
    const client = new Client(engine, connection);
    say({ type: 'engine', pid: engine.pid });
    void engine.exited.then(({ code, signal }) => say({ type: 'engine-ended', pid: engine.pid, how: signal ?? `code ${code ?? '?'}` }));
    client.on('run/event', (event) => {
      if (event.type === 'phase') say({ type: 'phase', phase: event.phase });
    });
    client.on('live/event', (event) => {
      if (event.type === 'starting') say({ type: 'phase', phase: 'targets' });
      if (event.type === 'running') say({ type: 'phase', phase: 'measure' });
      if (event.type === 'ended') say({ type: 'phase', phase: 'stop' });
    });
    const { reaped } = await client.request('engine/initialize', task.initialize);
    say({ type: 'greeted', pid: engine.pid, reaped });
    return client;
  }

  on<N extends NotificationName>(name: N, listener: (value: z.infer<(typeof notifications)[N]>) => void): void {
    this.connection.onNotification(name, (value: unknown) => {
      const parsed = notifications[name].safeParse(value);
      if (parsed.success) listener(parsed.data as never);
    });
  }

  /** Rejects also when the engine ends. */
  async request<N extends RequestName>(
    name: N,
    params: ParamsInput<N>,
    token: CancellationToken = CancellationToken.None,
  ): Promise<ResultOf<N>> {
    const ended = this.engine.exited.then(() => Promise.reject(new Error('the engine has ended')));
    ended.catch(() => undefined);
    return requests[name].result.parse(await Promise.race([this.connection.sendRequest(name, params, token), ended])) as never;
  }

  async act(act: Act): Promise<void> {
    const request = activityRequest(act);
    this.#acting = new CancellationTokenSource();
    const answer = this.request(request.name, request.params as never, this.#acting.token);
    if (act.activity === 'live') void this.move(answer);
    try {
      const result = await answer;
      const stored = 'stored' in result && result.stored ? result.runId : null;
      say({ type: 'ended', outcome: 'outcome' in result ? result.outcome : 'complete', stored, code: null });
    } catch (error) {
      const failure = failureOf(error);
      say({
        type: 'ended',
        outcome: 'failed',
        stored: null,
        code: failure?.code ?? 'none',
        said: failure?.code === 'internal' ? `${failure.message} ${failure.detail ?? ''}`.slice(0, 300) : null,
      });
    }
  }

  /** Moves a live setting to and fro until the session ends. */
  async move(session: Promise<unknown>): Promise<void> {
    let open = true;
    session.catch(() => undefined).finally(() => (open = false));
    for (let turn = 0; open; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      say({ type: 'phase', phase: 'resize' });
      await this.request('live/set', { setting: 'pool', value: liveValues[turn % 2] ?? 2 }).catch(() => undefined);
    }
  }

  /** Asks for the end of the activity as a window does; what has not begun yet is given up. */
  async breakOff(activity: Activity | undefined): Promise<void> {
    const acting = this.#acting;
    const isStopping = await (
      activity === 'live'
        ? this.request('live/stop', {}).then(({ stopped }) => stopped)
        : this.request('run/cancel', {}).then(({ cancelled }) => cancelled)
    ).catch(() => true);
    if (!isStopping) acting?.cancel();
  }

  closeOutput(): void {
    this.engine.stdout.destroy();
  }

  async leave(): Promise<void> {
    this.engine.stdin.end();
    // As every client does.
    const late = setTimeout(() => this.engine.kill(), engineGraceMs);
    await this.engine.exited;
    clearTimeout(late);
  }
}

/** What the engine says went wrong; undefined when it could not say any more. */
function failureOf(error: unknown): Failure | undefined {
  return error instanceof ResponseError ? failureSchema.safeParse(error.data).data : undefined;
}

let client = await Client.start();
let act: Act | null = null;
let acting = Promise.resolve();

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as ClientOrder;
  if (order === 'close-output') client.closeOutput();
  else if (order === 'break-off') void client.breakOff(act?.activity);
  else if (order === 'reload') {
    void client.leave();
    client = await Client.start();
    if (act !== null) acting = client.act(act);
  } else if (order === 'leave') break;
  else {
    act = order;
    acting = client.act(act);
  }
}
await client.leave();
await acting;
// The other end of our input may stay open.
process.exit(0);
