import type { StepMetrics } from '../../../model/domain/scenario.ts';
import type { Trial } from '../../../model/domain/run.ts';
import type { ExperimentFile, ExperimentRecord, ExperimentSeries } from '../../../model/domain/experiment.ts';
import { readLadder } from '../../diagnose/ladder.ts';
import { type BlockMetrics, type MeasuredPoint, type ExtraMetrics, countsDespiteErrors, measuredPoint } from './measuredPoint.ts';
import { type JudgedRule, allAgree, judgeShape } from './shape.ts';
import { trialSeconds } from './experimentTime.ts';
import { type Compared, successTable } from './success.ts';

/** What is known of a variant apart from its trials. */
export interface VariantFacts {
  name: string;
  label: string;
  /** Keys of its trials by level. */
  trials: readonly { key: string; level: number }[];
  coresAvailable: number | null;
}

export interface ExperimentFindings {
  experiment: ExperimentFile;
  form: ExperimentRecord['form'];
  variants: readonly VariantFacts[];
  trials: readonly Trial[];
  /** By trial key: the figures of each of its blocks. */
  blocks: ReadonlyMap<string, readonly BlockMetrics[]>;
  /** By trial key: figures that the trial itself does not have. */
  extra: ReadonlyMap<string, ExtraMetrics>;
  series: readonly ExperimentSeries[];
  steps: readonly StepMetrics[];
  /** The cores of this machine. */
  cores: number;
}

/** Whether errors are what the experiment is about (an outage, or a load beyond what is borne): then they do not discard a block. All else does. */
export function errorsCountIn(experiment: ExperimentFile, form: ExperimentRecord['form']): boolean {
  const { kind } = experiment[form];
  return experiment.errorsCount || kind === 'outage' || kind === 'roles' || kind === 'breaking-point';
}

/** The points of an experiment with what they are judged by, and its rules by what is known so far. */
export function judgeFindings(findings: ExperimentFindings): { points: MeasuredPoint[]; rules: JudgedRule[] } {
  const { experiment, form, variants, trials, extra, cores } = findings;
  const byKey = new Map(trials.map((trial) => [trial.key, trial]));
  const errorsCount = errorsCountIn(experiment, form);
  const points = variants.flatMap((variant) =>
    variant.trials.flatMap(({ key, level }): MeasuredPoint[] => {
      const trial = byKey.get(key);
      if (trial === undefined) return [];
      const { name, coresAvailable } = variant;
      const blocks = findings.blocks.get(key) ?? [];
      return [measuredPoint(trial, { variant: name, level, coresAvailable, cores, blocks, own: extra.get(key), errorsCount })];
    }),
  );
  const present = new Set(variants.map(({ name }) => name));
  // A rule about a variant that this machine cannot run is not judged: another note reports the missing variant.
  const shape = experiment.shape.filter((rule) => variantsOf(rule).every((variant) => present.has(variant)));
  return { points, rules: judgeShape(shape, { points, blockMs: 1000 * trialSeconds(experiment[form]) }) };
}

/** Figures of one kind, to compare what was published with what was measured. */
export function composeExperiment(findings: ExperimentFindings): ExperimentRecord {
  const { experiment, form, variants } = findings;
  const plan = experiment[form];
  const { points, rules } = judgeFindings(findings);
  const shape = rules.map(({ openKeys: _keys, soonestSeconds: _soonest, ...rule }) => rule);
  return {
    kind: 'experiment',
    experiment,
    form,
    points: points.map(({ point }) => point),
    series: [...findings.series],
    steps: [...findings.steps],
    success: variants.length === 2 && plan.kind === 'ladder' ? successRows(findings) : [],
    ladders:
      plan.kind === 'ladder' && plan.levels.length >= 3
        ? variants.map((variant) => ({ variant: variant.name, sign: ladderSign(variant, points, findings.cores) }))
        : [],
    shape,
    agrees: allAgree(shape),
  };
}

/** The variants that a rule is about. */
export function variantsOf(rule: ExperimentFile['shape'][number]): string[] {
  if ('variants' in rule) return rule.variants;
  return 'of' in rule ? [rule.of, rule.to] : [rule.variant];
}

function ladderSign(variant: VariantFacts, points: readonly MeasuredPoint[], cores: number): ExperimentRecord['ladders'][number]['sign'] {
  const available = variant.coresAvailable ?? cores;
  return readLadder(
    points
      .map(({ point }) => point)
      .filter((point) => point.variant === variant.name && point.valid)
      .map((point) => ({
        connections: point.level,
        throughput: point.figures.throughput ?? 0,
        meanMs: point.figures.meanMs ?? null,
        cpuPercentOfCores: point.figures.cpuPercent == null ? null : point.figures.cpuPercent / available,
        limit: point.limit,
      })),
  );
}

/** The first variant is what was before, the second what came after; at the highest level that both have blocks of that count. */
function successRows({ experiment, form, variants, blocks }: ExperimentFindings): ExperimentRecord['success'] {
  const [before, after] = variants;
  if (before === undefined || after === undefined) return [];
  const errorsCount = errorsCountIn(experiment, form);
  const counted = (variant: VariantFacts, level: number): Compared['blocks'] =>
    (blocks.get(variant.trials.find((one) => one.level === level)?.key ?? '') ?? [])
      .filter((block) => countsDespiteErrors(block, errorsCount))
      .map(({ round, figures }) => ({ round, throughput: figures.throughput ?? 0, meanMs: figures.meanMs ?? null }));
  const levels = before.trials.map(({ level }) => level).sort((a, b) => b - a);
  const level = levels.find((one) => counted(before, one).length > 0 && counted(after, one).length > 0);
  if (level === undefined) return [];
  return successTable(
    { label: `${before.label} at ${level}`, blocks: counted(before, level) },
    { label: after.label, blocks: counted(after, level) },
  );
}
