import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readJfr } from '../../src/engine/calltree/jfr/readJfr.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { FinishedRecording, RecordingOptions } from '../../src/engine/record/recorder.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { functionTable, nodeTotals } from '../../src/calltree/totals.ts';
import type { CallTree } from '../../src/model/domain/callTree.ts';
import type { RecordedEvent } from '../../src/model/domain/recording.ts';
import { startLoadBench } from './loadBench.ts';
import { type SampleApp, SampleStack, repositoryDir, requireSamples } from './samples.ts';

export const everyEvent: RecordedEvent[] = ['cpu', 'wall', 'poolWait', 'alloc', 'lock'];
const exactLines = '-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints';
/** How many ask at once under `JvmBench.load`. */
export const connections = 24;

/** The `java` of this machine. */
export const ownJava = realpathSync(execFileSync('sh', ['-c', 'command -v java'], { encoding: 'utf8' }).trim());

/** The Java sample, started as often as a test wants, with load for it and folders for what is recorded. */
export class JvmBench {
  readonly #stack = new SampleStack();
  readonly #folders: string[] = [];
  readonly #apps: SampleApp[] = [];
  readonly #pids: number[] = [];
  #load: { supervisor: Supervisor; generator: LoadGenerator; end(): Promise<void> } | null = null;

  get supervisor(): Supervisor {
    return this.#running().supervisor;
  }

  async begin(): Promise<void> {
    requireSamples();
    execFileSync(process.execPath, [join(repositoryDir, 'scripts/fetchAsyncProfiler.mjs')]);
    await this.#stack.start();
    this.#load = await startLoadBench();
  }

  /** Stops the apps of a test, which may have left nothing of Benchside in the temporary folder. */
  async clear(): Promise<void> {
    for (const app of this.#apps.splice(0)) await app.stop();
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    expect(this.leftovers()).toEqual([]);
  }

  async end(): Promise<void> {
    await this.#load?.end();
    await this.#stack.stop();
  }

  /** Starts the Java sample with a pool of 2. */
  async start(environment: Record<string, string> = {}, java = ownJava): Promise<SampleApp> {
    const app = await this.#stack.app('java', {
      PATH: `${dirname(java)}${delimiter}${process.env['PATH'] ?? ''}`,
      DB_POOL_SIZE: '2',
      JAVA_TOOL_OPTIONS: exactLines,
      ...environment,
    });
    this.#apps.push(app);
    this.watch(app.child.pid);
    return app;
  }

  /** Counts this JVM too among those of which nothing may be left. */
  watch(pid: number): void {
    this.#pids.push(pid);
  }

  /** Half of the requests hold a connection for 5 ms, so that two connections are far too few. */
  load(app: SampleApp, windowMs: number): Promise<{ requests: number; throughput: number; windowMs: number }> {
    const get = { method: 'GET' as const, headers: {}, weight: 1 };
    return this.#running().generator.runBlock({
      host: '127.0.0.1',
      port: app.port,
      connections,
      settleMs: 200,
      windowMs,
      timeoutMs: 10_000,
      seed: 7,
      mix: [
        { ...get, path: '/wait?ms=5', parameters: {} },
        { ...get, path: '/ads/:id', parameters: { id: { min: 1, max: 100_000 } } },
      ],
    });
  }

  /** A folder of its own for each recording, removed after the test. */
  options(more: Partial<RecordingOptions> = {}): RecordingOptions {
    const outputDir = mkdtempSync(join(tmpdir(), 'benchside-recording-'));
    this.#folders.push(outputDir);
    return { events: everyEvent, maxMs: 30_000, outputDir, signal: new AbortController().signal, ...more };
  }

  /** Folders of Benchside in the temporary folder, and files by which a JVM is asked to listen. */
  leftovers(): string[] {
    if (this.#pids.length === 0) return [];
    const pids = this.#pids.join('|');
    const own = new RegExp(`^(benchside-jvm-(${pids})-|\\.attach_pid(${pids})$)`);
    return readdirSync('/tmp').filter((name) => own.test(name));
  }

  #running(): { supervisor: Supervisor; generator: LoadGenerator } {
    if (this.#load === null) throw new Error('the bench was not started');
    return this.#load;
  }
}

/** One bench for all tests of a file, by hooks. */
export function useJvmBench(): JvmBench {
  const harness = new JvmBench();
  beforeAll(() => harness.begin());
  afterEach(() => harness.clear());
  afterAll(() => harness.end());
  return harness;
}

export function readTree(options: RecordingOptions, finished: FinishedRecording): CallTree {
  expect(finished.files).toEqual([{ name: 'recording.jfr', format: 'jfr' }]);
  return readJfr(readFileSync(join(options.outputDir, 'recording.jfr')));
}

export function totalOf(tree: CallTree, name: string): number {
  const column = tree.events.find((event) => event.name === name);
  return column === undefined ? 0 : (nodeTotals(tree, column)[0] ?? 0);
}

export function totalBelow(tree: CallTree, name: string, method: string): number {
  const column = tree.events.find((event) => event.name === name);
  return column === undefined ? 0 : (functionTable(tree, column).find((row) => row.name === method)?.total ?? 0);
}
