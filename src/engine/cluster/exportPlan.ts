import { randomBytes } from 'node:crypto';
import packageManifest from '../../../package.json' with { type: 'json' };
import { defined } from '../../model/domain/defined.ts';
import { failure } from '../../model/domain/failure.ts';
import { type K6ExportNote, k6ExportNoteSchema } from '../../model/domain/k6ExportNotes.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { RunRecord, RunRequest } from '../../model/domain/run.ts';
import { optionsOfTune } from '../../model/presentation/runOptionText.ts';
import { type TuneRequest, tunedTopology } from '../../model/domain/tuning.ts';
import { warmUpTime } from '../../model/domain/warmUpTime.ts';
import { k6Traffic } from '../k6/k6Traffic.ts';
import type { WrittenK6Plan } from '../k6/k6Plan.ts';
import type { BlockPlan } from '../load/loadPlans.ts';
import { planByProfile, profileBlock } from '../load/profileBlock.ts';
import { loadProfileNamed } from '../run/loadProfileNamed.ts';
import { planRun } from '../run/plan.ts';
import { blockSeed } from '../statistics/seededRandom.ts';
import { type Declarations, findTarget } from '../targets/catalog.ts';

/** What is exported: what a run was asked to do, with the load that it had, or what an experiment asks for. */
export interface Exported {
  request: RunRequest;
  /** The load that was measured; null: the profile that the request names. */
  load: LoadProfile | null;
}

/** What a stored run was asked for. Fails with `k6-cannot` for more than settings under a load. */
export function exportedRun(record: RunRecord): Exported {
  const { result, request, load } = record;
  switch (result.kind) {
    case 'experiment':
      throw cannot('The repeat of a published experiment has a plan of its own, which is not one of settings in rounds.');
    case 'diff':
      throw cannot('Two versions of the code are compared beside each other on this machine.');
    case 'tune':
      return exportedExperiment(result.request, load);
    case 'run':
    case 'live':
      return { request, load };
  }
}

/** The values of an experiment, all of them in every round: there is no search in a test of k6. */
export function exportedExperiment(tune: TuneRequest, load: LoadProfile | null = null): Exported {
  const { targets, settings, route, leaveOut, connections, slo } = tune;
  const topology = tunedTopology(tune);
  return {
    load,
    request: {
      targets,
      settings,
      load: tune.load,
      ...optionsOfTune(tune),
      ...defined({ route, leaveOut, connections: connections === undefined ? undefined : [connections], slo, topology }),
    },
  };
}

/** The plan of the same measurement for k6, and what it leaves out. Fails as a run’s plan does, and with `k6-cannot`. */
export function exportPlan(
  { request, load: measured }: Exported,
  declarations: Declarations,
  { url, parallelism }: { url: string; parallelism: number },
): { plan: WrittenK6Plan; notes: K6ExportNote[] } {
  const ids = [...new Set(request.targets)];
  const [id] = ids;
  if (id === undefined || ids.length > 1)
    throw cannot(`This measures ${ids.join(' and ')}, and a test of k6 asks one service.`, 'Export a run or an experiment of one target.');
  const declared = findTarget(declarations, id);
  const { confirm: _confirm, record: _record, raw: _raw, generator: _generator, ...plain } = request;
  const run = planRun([declared], measured ?? loadProfileNamed(declarations, request.load), plain, request.topology);
  const { load } = run;
  const { target } = declared;
  const mix = run.mixes.get(target.id);
  const connections = Math.max(...run.trials.map((trial) => trial.connections));
  const fewest = Math.min(...run.trials.map((trial) => trial.connections));
  if (load.ratePerS === undefined && load.stages === undefined && parallelism > fewest)
    throw cannot(`${parallelism} runners cannot share ${fewest} connections.`, 'Choose fewer runners, or more connections.');
  const block: BlockPlan = planByProfile(load, {
    host: '127.0.0.1',
    port: 80,
    connections,
    ...profileBlock(load, 1),
    mix: mix?.mix ?? [],
  });
  // Each test meets processes that were started for it.
  const settleS = load.stages === undefined ? load.settleS + warmUpTime(load, target.runtime).maxS : load.settleS;
  const slo = request.slo ?? load.slo;
  const plan: WrittenK6Plan = {
    benchsideK6: 1,
    id: randomBytes(4).toString('hex'),
    benchside: packageManifest.version,
    title: run.title,
    url,
    request: plain,
    load,
    target: { id: target.id, label: target.label ?? target.id, runtime: target.runtime, settings: target.settings },
    routes: mix?.phrases ?? [],
    settleS,
    durationS: load.durationS,
    trials: run.trials.map(({ key, name, connections: own, process }) => ({
      key,
      name,
      connections: own,
      instances: process.instances,
      settings: process.settings,
      asked: process.asked,
    })),
    tests: run.order.flatMap((round, index) =>
      round.map((trial) => ({ round: index + 1, trial: run.trials.indexOf(trial), seed: blockSeed(load.seed, index + 1) })),
    ),
    traffic: k6Traffic(block, slo),
  };
  return { plan, notes: leftOut(request) };
}

function leftOut({ confirm, record, raw, topology, mode, rounds }: RunRequest): K6ExportNote[] {
  const asked: Record<K6ExportNote, boolean> = {
    fresh: confirm === true,
    recording: record !== undefined,
    raw: raw !== undefined,
    topology: topology !== undefined,
    mode: mode !== undefined && mode !== 'auto',
    'fewest-rounds': rounds === undefined,
  };
  return k6ExportNoteSchema.options.filter((note) => asked[note]);
}

function cannot(sentence: string, cure = 'Export a run of settings, or an experiment.'): Error {
  return failure('k6-cannot', sentence, cure);
}
