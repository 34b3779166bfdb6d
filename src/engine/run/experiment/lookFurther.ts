import type { RecordingRecord } from '../../../model/domain/recording.ts';
import type { ExperimentPlan, ExperimentRequest } from '../../../model/domain/experiment.ts';
import type { ExtraMetrics } from '../../strategies/experiment/measuredPoint.ts';
import type { PlannedTrial } from '../plan.ts';
import { priceRaw } from '../priceRaw.ts';
import { lookAtWaits } from '../recording/lookAtWaits.ts';
import { nameHottest } from '../recording/nameHottest.ts';
import { recordTrials } from '../recording/recordTrials.ts';
import type { RunUnderWay } from '../runLife.ts';
import { type RunningVariant, warmVariants } from './runningVariant.ts';
import type { PlannedExperiment } from './experimentPlan.ts';

interface Introspection {
  plan: ExperimentPlan;
  planned: PlannedExperiment;
  request: Pick<ExperimentRequest, 'raw' | 'record'>;
  extra: ReadonlyMap<string, ExtraMetrics>;
  /** Recordings of variants that were examined before. */
  before: readonly RecordingRecord[];
}

/** Raw samples are of requests that come one after the other; users in roles are counted by their steps. */
export function keepsRaw({ kind }: ExperimentPlan): boolean {
  return kind !== 'roles';
}

/** Whether the load of a plan can be repeated: users who come and go, and parallel loads, are not the same in another window. */
function isSteady({ kind }: ExperimentPlan): boolean {
  return kind !== 'roles' && kind !== 'together';
}

/** After variants were measured, while they still run: what waits are, what raw samples cost; returns all recordings, with one of each at its largest load. */
export async function lookFurther(
  run: RunUnderWay,
  variants: readonly RunningVariant[],
  { plan, planned, request, extra, before }: Introspection,
): Promise<RecordingRecord[]> {
  const warm = warmVariants(variants);
  const first = variants[0]?.planned.trials[0];
  if (run.raw !== null && !run.raw.isPriced) await priceRaw(run, warm, first, request.raw, planned.run.load);
  if (!isSteady(plan)) {
    if (request.record !== undefined) run.note({ code: 'variants-unrecorded' });
    return [...before];
  }
  const trials = variants.flatMap((variant) => variant.planned.trials.map((trial) => underItsLoad(trial, extra)));
  await lookAtWaits(run, warm, planned.run.trials, trials);
  const largest = variants.flatMap((variant) => largestOf(trials.filter(({ process }) => process === variant.planned.process)));
  const recordings = await recordTrials(run, warm, largest, request.record, { before });
  await nameHottest(run, recordings);
  return [...before, ...recordings];
}

/** For a breaking point: at the load that was found to hold. */
function underItsLoad(trial: PlannedTrial, extra: Introspection['extra']): PlannedTrial {
  const connections = extra.get(trial.key)?.figures.users;
  return connections == null ? trial : { ...trial, connections };
}

function largestOf(trials: readonly PlannedTrial[]): PlannedTrial[] {
  const most = Math.max(...trials.map(({ connections }) => connections));
  return trials.filter(({ connections }) => connections === most).slice(0, 1);
}
