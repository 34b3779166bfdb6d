import type { Observation } from '../../../model/domain/observation.ts';
import type { StepMetrics } from '../../../model/domain/scenario.ts';
import type { ExperimentPlan, ExperimentSeries } from '../../../model/domain/experiment.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunUnderWay } from '../runLife.ts';
import type { BlockMeasurement, TrialMeasurement } from '../trialRecord.ts';
import type { BlockMetrics, ExtraMetrics, MetricSample } from '../../strategies/experiment/measuredPoint.ts';
import type { RuleFacts } from '../../strategies/experiment/untilDecided.ts';
import type { RunningVariant } from './runningVariant.ts';
import type { PlannedExperiment } from './experimentPlan.ts';

/** What a way of measuring needs of the run, and where it puts what it found. */
export interface MeasureTools<Kind extends ExperimentPlan['kind'] = ExperimentPlan['kind']>
  extends
    Pick<RunUnderWay, 'context' | 'harness' | 'progress' | 'note' | 'beforeRound' | 'assertWorthwhile'>,
    Pick<RuleFacts<PlannedTrial>, 'rules' | 'about'> {
  plan: Extract<ExperimentPlan, { kind: Kind }>;
  experiment: PlannedExperiment;
  measurement: (planned: PlannedTrial) => TrialMeasurement;
  /** Figures of a point in addition to those of its trial, by trial key. */
  extra: Map<string, ExtraMetrics>;
  series: ExperimentSeries[];
  steps: StepMetrics[];
  /** Until when additional rounds may be measured, ms since the run began. */
  deadlineMs: number;
  /** The blocks of a trial so far, by its key. */
  blocks: (key: string) => readonly BlockMetrics[];
  /** Errors are what is measured: they do not discard a block. */
  errorsCount: boolean;
  /** A round begins, it may be one beyond the planned ones. */
  roundBegins: (round: number) => void;
  told: (planned: PlannedTrial) => void;
}

/** Throughput and p99 of a block as it went, for the record of a trial. */
export function addBlock(tools: Pick<MeasureTools, 'measurement' | 'told'>, planned: PlannedTrial, block: BlockMeasurement): void {
  tools.measurement(planned).blocks.push(block);
  tools.told(planned);
}

/** What was seen of a variant over time. */
export function seriesOf(
  { planned }: RunningVariant,
  label: string,
  unit: string,
  points: ExperimentSeries['points'],
  marks: ExperimentSeries['marks'] = [],
): ExperimentSeries {
  return { label, unit, variant: planned.variant.name, points, marks };
}

/** The memory of the app in MB, by seconds since `startMs`. */
export function memoryReadings(observations: readonly Observation[], startMs: number): [number, number][] {
  return observations.flatMap(({ timeMs, app }): [number, number][] =>
    app?.rssBytes == null ? [] : [[(timeMs - startMs) / 1000, app.rssBytes / 1_048_576]],
  );
}

/** Adds what a round says of figures besides those of its trial to what the rounds before said: each is their mean. */
export function keepFigures(
  { extra }: Pick<MeasureTools, 'extra'>,
  { key }: PlannedTrial,
  found: ExtraMetrics['figures'],
  { round, taken }: Pick<MetricSample, 'round' | 'taken'>,
): void {
  const samples: NonNullable<ExtraMetrics['samples']> = {};
  const figures: ExtraMetrics['figures'] = {};
  for (const [name, value] of Object.entries(found) as [keyof typeof samples, number | null][]) {
    const before = extra.get(key)?.samples?.[name] ?? [];
    const all = value === null ? before : [...before, { round, value, taken }];
    if (all.length === 0) continue;
    samples[name] = all;
    figures[name] = all.reduce((sum, one) => sum + one.value, 0) / all.length;
  }
  if (Object.keys(figures).length > 0) extra.set(key, { figures, samples });
}

/** Adds steps to those of other roles; of the same roles only those of the last round are kept. */
export function keepSteps({ steps }: Pick<MeasureTools, 'steps'>, found: readonly StepMetrics[]): void {
  const others = steps.filter(({ role }) => found.every((step) => step.role !== role));
  steps.splice(0, steps.length, ...others, ...found);
}

/** The variant that a trial belongs to; it runs. */
export function variantOf(variants: readonly RunningVariant[], planned: PlannedTrial): RunningVariant {
  const variant = variants.find((one) => one.planned.process === planned.process);
  if (variant === undefined) throw new Error(`${planned.key} belongs to no variant that runs`);
  return variant;
}
