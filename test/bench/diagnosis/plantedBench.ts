import { type Diagnosis, explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { verdictText } from '../../../src/model/domain/verdict/verdictKinds.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { TestEngine } from '../../support/engine.ts';
import { doctorStorage } from './doctor.ts';
import { type DurableServer, startDurableServer } from './durableServer.ts';
import type { Planting } from './plantings.ts';
import { writeProxyExperiments } from './proxyExperiments.ts';
import { type SlowStore, startSlowStore } from './slowStore.ts';
import { plantedTargets, targetId } from './targets.ts';

/** As short as confident verdicts allow (a warm-up is judged by eight ticks): about 14 s for a Node app and 16 s for a JVM, with its start and its end. */
export const plantedLoad = {
  name: 'planted',
  connections: 16,
  durationS: 2.5,
  settleS: 0.5,
  rounds: 2,
  warmUp: { minS: 4.5, maxS: 7, jvmMinS: 5, jvmMaxS: 9 },
};

const atRate = (ratePerS: number): string => `${plantedLoad.name}-at-${ratePerS}`;

/** Engines with the samples in all forms that the plantings ask for, and what surrounds them. */
export class PlantedBench {
  readonly #stores = new Map<number, SlowStore>();
  #experiments: ReadonlyMap<Planting, string> = new Map();
  #engine: TestEngine | null = null;
  #durable: { server: DurableServer; engine: TestEngine | null } | null = null;

  static async start(plantings: readonly Planting[], { doctor }: { doctor: boolean }): Promise<PlantedBench> {
    const bench = new PlantedBench();
    try {
      for (const delayMs of new Set(plantings.flatMap(({ storeDelayMs }) => storeDelayMs ?? [])))
        bench.#stores.set(delayMs, await startSlowStore(delayMs));
      const options = {
        file: {
          targets: plantedTargets(plantings, new Map([...bench.#stores].map(([delayMs, { url }]) => [delayMs, url]))),
          loadProfiles: [
            plantedLoad,
            ...[...new Set(plantings.flatMap(({ ratePerS }) => ratePerS ?? []))].map((ratePerS) => ({
              ...plantedLoad,
              name: atRate(ratePerS),
              ratePerS,
            })),
          ],
        },
        ...(doctor ? { storageDir: doctorStorage } : {}),
      };
      bench.#engine = await TestEngine.start(options);
      bench.#experiments = writeProxyExperiments(bench.#engine.workspaceDir, plantings, plantedLoad);
      if (plantings.some(({ durable }) => durable === true)) {
        bench.#durable = { server: await startDurableServer(), engine: null };
        bench.#durable.engine = await TestEngine.start({ ...options, postgresUrl: bench.#durable.server.url });
      }
      return bench;
    } catch (error) {
      await bench.close();
      throw error;
    }
  }

  /** The engine whose PostgreSQL is the one that a planting wants. */
  engineFor({ durable }: Planting): TestEngine {
    const engine = durable === true ? this.#durable?.engine : this.#engine;
    if (engine == null) throw new Error('the bench has not been started for this planting');
    return engine;
  }

  /** Measures a planting once, in a fresh process. */
  async measure(planting: Planting): Promise<Trial> {
    const trials = await this.#trials(planting);
    const trial = trials.find(({ settings }) => planting.otherPools === undefined || settings['pool'] === planting.settings?.['pool']);
    if (trial === undefined) throw new Error('the run has no trial');
    return trial;
  }

  async #trials(planting: Planting): Promise<Trial[]> {
    const engine = this.engineFor(planting);
    const id = this.#experiments.get(planting);
    if (id === undefined) {
      const { trials } = await engine.run({
        targets: [targetId(planting)],
        settings: Object.fromEntries(
          Object.entries(planting.settings ?? {}).map(([name, value]) => [
            name,
            name === 'pool' ? [value, ...(planting.otherPools ?? [])] : [value],
          ]),
        ),
        load: planting.ratePerS === undefined ? plantedLoad.name : atRate(planting.ratePerS),
        route: planting.route,
        connections: [planting.connections],
      });
      return trials;
    }
    const { runId } = await engine.measure({ kind: 'experiment', id });
    return (await engine.request('runs/get', { id: runId })).run.trials;
  }

  async close(): Promise<void> {
    await Promise.all([this.#engine?.dispose(), this.#durable?.engine?.dispose()]);
    await Promise.all([this.#durable?.server.stop(), ...[...this.#stores.values()].map((store) => store.close())]);
  }
}

/** A verdict with all that speaks for and against it, for people. */
export function verdictLines(diagnosis: Diagnosis): string[] {
  return [
    headlineOf(diagnosis),
    explanationOf(diagnosis),
    ...wordedVerdict(diagnosis).evidence.map(
      ({ what, value, threshold, met }) => `${met ? '+' : '−'} ${what}: ${value} (${threshold ?? '–'})`,
    ),
    ...diagnosis.ruledOut.map(({ kind, because }) => `not ${kind}: ${verdictText(because)}`),
    ...(diagnosis.threadDumps.length === 0 ? [] : [`thread dumps: ${diagnosis.threadDumps.join(', ')}`]),
  ];
}
