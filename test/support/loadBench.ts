import path from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { decodeLatencyHistogram, latencyMetrics } from '../../src/engine/load/latencyHistogram.ts';
import { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { BlockPlan } from '../../src/engine/load/loadPlans.ts';
import type { LoadMeasurement, MixRequest } from '../../src/engine/load/loadProtocol.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import type { Latency } from '../../src/model/domain/latency.ts';
import type { MisbehavingServer } from './misbehavingServers.ts';

export const fetchRoot: MixRequest = { method: 'GET', path: '/', headers: {}, weight: 1, parameters: {} };

/** The worker, as it was built before the tests. */
export const workerPath = path.resolve(import.meta.dirname, '../../dist/loadWorker.cjs');

export function startGenerator(supervisor: Supervisor, program = { nodePath: process.execPath, workerPath }): Promise<LoadGenerator> {
  return LoadGenerator.start(supervisor, { ...program, env: childEnvironment() });
}

/** A load generator with the supervisor that owns it. */
export async function startLoadBench(): Promise<{ supervisor: Supervisor; generator: LoadGenerator; end(): Promise<void> }> {
  const supervisor = new Supervisor();
  const generator = await startGenerator(supervisor);
  return { supervisor, generator, end: async () => void (await supervisor.stopAll()) };
}

/** A load generator for the tests of a file, and servers that are closed after each of them. */
export class LoadBench {
  readonly #opened: MisbehavingServer[] = [];
  #started: Awaited<ReturnType<typeof startLoadBench>> | undefined;

  /** To be called while the file is read. */
  static forThisFile(): LoadBench {
    const bench = new LoadBench();
    beforeAll(async () => {
      bench.#started = await startLoadBench();
    });
    afterEach(async () => {
      for (const server of bench.#opened.splice(0)) await server.close();
    });
    afterAll(() => bench.#started?.end());
    return bench;
  }

  get generator(): LoadGenerator {
    return this.#get().generator;
  }

  get supervisor(): Supervisor {
    return this.#get().supervisor;
  }

  async open<T extends MisbehavingServer>(server: Promise<T>): Promise<T> {
    const started = await server;
    this.#opened.push(started);
    return started;
  }

  #get(): Awaited<ReturnType<typeof startLoadBench>> {
    if (this.#started === undefined) throw new Error('the load generator was not started');
    return this.#started;
  }
}

/** A short block on `port`. */
export function blockPlan(port: number, changes: Partial<BlockPlan> = {}): BlockPlan {
  return { host: '127.0.0.1', port, connections: 4, settleMs: 100, windowMs: 500, timeoutMs: 5000, seed: 1, mix: [fetchRoot], ...changes };
}

/** The latency of a measurement in ms; fails when it has none. */
export function latencyOf(result: LoadMeasurement): Latency {
  const figures = latencyMetrics(decodeLatencyHistogram(result.histogram), result.latencySums);
  if (figures === null) throw new Error('nothing was measured');
  return figures;
}
