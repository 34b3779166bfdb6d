import { mkdirSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../../model/domain/defined.ts';
import { type Failure, failure, FailureError } from '../../model/domain/failure.ts';
import type { Generator } from '../../model/domain/generator.ts';
import { shortened } from '../../model/domain/plainText.ts';
import type { BlockOptions, BlockPlan } from '../load/loadPlans.ts';
import { smallAnswer } from '../load/smallAnswer.ts';
import { freePort } from '../services/freePort.ts';
import { pause, poll } from '../supervise/pause.ts';
import { findProgram } from '../supervise/program.ts';
import { runTool } from '../supervise/runTool.ts';
import { exitPhrase } from '../../model/domain/exitWords.ts';
import type { Child, Supervisor } from '../supervise/supervisor.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { type BlockGenerator, blockDocument, blockUrls, blockVariables, readBlock } from './k6Block.ts';
import type { K6Measured } from './k6Measurement.ts';
import { planFileName, scriptFileName } from './k6Plan.ts';

/** It only decides what hangs: k6 is ready in half a second, on a machine that has nothing else to do. */
const readyMs = 60_000;
/** What k6 may take beyond its test: the end of its last requests, its summary, its files. */
const endMs = 30_000;
const pollMs = 25;
/** The load continues for so long after the window, so that meters are read under it. */
const tailS = 0.3;
/** Each process waits for the order to begin, and prints nothing. */
const runArguments = ['run', '--quiet', '--paused', '--no-usage-report', '--summary-mode', 'disabled'];
/** k6’s “paused before run”: its virtual users are there. */
const statusPaused = 4;

export interface K6Options {
  supervisor: Supervisor;
  choice: Generator;
  assetsDir: string;
  /** Where k6 is; null: as the environment says. */
  program: string | null;
  env: Readonly<Record<string, string>>;
}

/** Why k6 cannot be run on this machine; null where it can. */
export function k6Missing(program: string | null): Failure | null {
  return findK6(program) === null ? notFound(program) : null;
}

function notFound(program: string | null): Failure {
  const named = program ?? process.env['BENCHSIDE_K6'];
  const message = named === undefined ? 'There is no k6 on the PATH.' : `${named} is no program that may be executed.`;
  return { code: 'k6-missing', message, cure: k6Cure };
}

export const k6Cure =
  'Benchside does not come with k6. Install it (https://grafana.com/docs/k6/latest/set-up/install-k6/), or build it with Go in two minutes (module go.k6.io/k6/v2, version v2.2.0: “go build -o k6 .” in its folder); then put it on the PATH, or name it by the setting benchside.k6.path, by --k6 or by BENCHSIDE_K6.';

/** The version of the k6 of this machine, as `v2.2.0`; null where there is none. */
export async function k6VersionHere(supervisor: Supervisor, program: string | null): Promise<string | null> {
  const found = findK6(program);
  if (found === null) return null;
  return /k6 (v\S+)/.exec((await runTool(supervisor, [found, 'version'], { cwd: '/' })) ?? '')?.[1] ?? null;
}

/** The k6 of this machine: the one that the user named, else by BENCHSIDE_K6, else on the PATH. */
function findK6(program: string | null): string | null {
  return findProgram(program ?? process.env['BENCHSIDE_K6'] ?? 'k6', process.cwd(), process.env['PATH']);
}

/** Processes of k6 that share each block: execution segments of one test, which begin together when all are ready, and whose files are merged. */
export class K6Generator implements BlockGenerator {
  readonly elsewhere = false;
  readonly #children: Child[] = [];

  private constructor(
    private readonly program: string,
    private readonly options: K6Options,
    /** For a record: what put the load on. */
    readonly phrase: string,
  ) {}

  /** Fails with `k6-missing`. */
  static async find(options: K6Options): Promise<K6Generator> {
    const program = findK6(options.program);
    if (program === null) throw new FailureError(notFound(options.program));
    const { processes } = options.choice;
    const version = (await k6VersionHere(options.supervisor, program)) ?? 'of an unknown version';
    return new K6Generator(program, options, `k6 ${version}, ${processes} ${processes === 1 ? 'process' : 'processes'} on this machine`);
  }

  /** The processes of the block that runs. */
  get pids(): number[] {
    return this.#children.map(({ pid }) => pid);
  }

  /**
   * Puts the load of `plan` on its target and resolves with what was measured. Rejects with the signal’s reason, and with `k6-failed` when a k6
   * ends otherwise than it should. None of them is left running.
   */
  async runBlock(plan: BlockPlan, { onWindow, signal = new AbortController().signal }: BlockOptions): Promise<K6Measured> {
    signal.throwIfAborted();
    const folder = makeTemporaryFolder('ksix');
    try {
      await this.#write(folder, plan);
      const addresses = await this.#start(folder, plan);
      await this.#untilReady(addresses, signal);
      // All at once: what lies between their beginnings is no window of all.
      await Promise.all(addresses.map((port) => status(port, { paused: false })));
      await this.#window(plan, onWindow, signal);
      await this.#untilEnded(signal);
      const files = this.#children.map((_child, index) => ({
        path: path.join(folder, 'results', `${index}.csv.gz`),
        name: `${index}.csv.gz`,
      }));
      const workerPath = path.join(this.options.assetsDir, 'dist', 'k6Worker.cjs');
      return await readBlock(plan, { files, settleMs: plan.settleMs, workerPath, signal });
    } finally {
      await Promise.all(this.#children.splice(0).map((child) => child.stop()));
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #write(folder: string, plan: BlockPlan): Promise<void> {
    mkdirSync(path.join(folder, 'results'));
    await copyFile(path.join(this.options.assetsDir, 'profiles', 'k6', scriptFileName), path.join(folder, scriptFileName));
    await writeFile(path.join(folder, planFileName), JSON.stringify(blockDocument(plan, tailS)));
  }

  /** Returns the ports at which each can be started. */
  async #start(folder: string, plan: BlockPlan): Promise<number[]> {
    const { processes } = this.options.choice;
    const cuts = ['0', ...Array.from({ length: processes - 1 }, (_, index) => `${index + 1}/${processes}`), '1'];
    const ports: number[] = [];
    for (let index = 0; index < processes; index++) {
      const control = await freePort();
      const segment = ['--execution-segment', `${cuts[index]}:${cuts[index + 1]}`, '--execution-segment-sequence', cuts.join(',')];
      const child = await this.options.supervisor.start({
        name: `k6 ${index + 1} of ${processes}`,
        kind: 'load',
        argv: [
          ...[this.program, ...runArguments, '--address', `127.0.0.1:${control}`, '--out', `csv=results/${index}.csv.gz`],
          ...[...(processes === 1 ? [] : segment), scriptFileName],
        ],
        cwd: folder,
        env: { ...this.options.env, ...blockVariables(plan, blockUrls(plan)) },
      });
      this.#children.push(child);
      ports.push(control);
    }
    return ports;
  }

  async #untilReady(ports: readonly number[], signal: AbortSignal): Promise<void> {
    const waiting = new Set(ports);
    const allReady = async (): Promise<boolean> => {
      signal.throwIfAborted();
      await this.#requireRunning();
      for (const port of waiting) if ((await status(port).catch(() => -1)) >= statusPaused) waiting.delete(port);
      return waiting.size === 0;
    };
    if ((await poll(allReady, { timeoutMs: readyMs, everyMs: pollMs, signal })) === null)
      throw failure('k6-failed', `k6 was not ready after ${readyMs / 1000} s.`, 'Run it again when the machine is less busy.');
  }

  /** Waits through settling and the window, and reports its edges. */
  async #window({ settleMs, windowMs }: BlockPlan, onWindow: BlockOptions['onWindow'], signal: AbortSignal): Promise<void> {
    // A k6 that has ended is examined when the window is over: its log says more than its end.
    const ended = Promise.race(this.#children.map(({ exited }) => exited));
    await within(settleMs, signal, ended);
    onWindow?.('open', 0);
    await within(windowMs, signal, ended);
    onWindow?.('close', 0);
  }

  async #untilEnded(signal: AbortSignal): Promise<void> {
    const exits = await within(endMs, signal, Promise.all(this.#children.map(({ exited }) => exited)));
    if (exits === null)
      throw failure('k6-failed', `k6 had not ended ${endMs / 1000} s after its test.`, 'Look whether requests hang, and run it again.');
    for (const [index, exit] of exits.entries()) if (exit.code !== 0) throw this.#failed(index, exitPhrase(exit));
  }

  async #requireRunning(): Promise<void> {
    for (const [index, child] of this.#children.entries()) if (!child.running) throw this.#failed(index, exitPhrase(await child.exited));
  }

  #failed(index: number, phrase: string): Error {
    return failure('k6-failed', `k6 ${phrase}.`, 'Look at what it printed.', this.#children[index]?.log.tail(10) ?? '');
  }
}

/** What comes first: `what`, or null after so long. Rejects with the signal’s reason. */
async function within<T>(ms: number, signal: AbortSignal, what: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([what, pause(ms, AbortSignal.any([signal, over.signal])).then(() => null)]);
  } finally {
    over.abort();
  }
}

/** Asks a k6 for its status, or changes it; returns the number that k6 has for it. */
async function status(port: number, change?: { paused: boolean }): Promise<number> {
  const patch = change && JSON.stringify({ data: { type: 'status', id: 'default', attributes: change } });
  const said = await smallAnswer(port, '/v1/status', { withinMs: 5_000, longest: 100_000, ...defined({ patch }) });
  if (said === null) throw new Error('k6 did not answer');
  const number = /"status":\s*(\d+)/.exec(said)?.[1];
  if (number === undefined) throw new Error(`k6 answered with ${shortened(said, 200)}`);
  return Number(number);
}
