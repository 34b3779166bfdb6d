import type { StepFigures } from '../../model/scenario.ts';
import type { Trial } from '../../model/run.ts';
import type { StudyFile, StudyPoint, StudyRecord, StudySeries } from '../../model/study.ts';
import { readLadder } from '../diagnose/ladder.ts';
import { pointOf } from './points.ts';
import { allAgree, judgeShape } from './shape.ts';
import { successTable } from './success.ts';

/** What is known of an arm beside its trials. */
export interface ArmFacts {
  name: string;
  label: string;
  /** Keys of its trials by level. */
  trials: readonly { key: string; level: number }[];
  coresAvailable: number | null;
}

export interface StudyFindings {
  study: StudyFile;
  form: StudyRecord['form'];
  arms: readonly ArmFacts[];
  trials: readonly Trial[];
  /** By trial key: figures that the trial itself does not have. */
  extra: ReadonlyMap<string, StudyPoint['figures']>;
  series: readonly StudySeries[];
  steps: readonly StepFigures[];
  /** Of this machine. */
  cores: number;
}

/** Sentences that void a block because requests failed, and for nothing else. */
const ofErrors = /where errors together may be/;

/** Figures of one kind, to compare what was published with what was measured. */
export function composeStudy(findings: StudyFindings): StudyRecord {
  const { study, form, arms, trials, extra } = findings;
  const byKey = new Map(trials.map((trial) => [trial.key, trial]));
  const plan = study[form];
  const points = arms.flatMap((arm) =>
    arm.trials.flatMap(({ key, level }): StudyPoint[] => {
      const trial = byKey.get(key);
      if (trial === undefined) return [];
      const point = pointOf(trial, { arm: arm.name, level, coresAvailable: arm.coresAvailable });
      const figures = { ...point.figures, ...extra.get(key) };
      // Errors are what an outage is about, or a load beyond what is borne: they do not make it void. All else does.
      const errorsCount = study.errorsCount || plan.kind === 'outage' || plan.kind === 'roles' || plan.kind === 'breaking-point';
      const onlyErrors = trial.requests > 0 && point.reasons.every((reason) => ofErrors.test(reason));
      return [{ ...point, figures, valid: point.valid || (errorsCount && onlyErrors) }];
    }),
  );
  const present = new Set(arms.map(({ name }) => name));
  // A rule about an arm that this machine cannot run is not judged: that the arm is missing is said elsewhere.
  const shape = judgeShape({ ...study, shape: study.shape.filter((rule) => armsOf(rule).every((arm) => present.has(arm))) }, points);
  const agrees = allAgree(shape);
  return {
    study,
    form,
    points,
    series: [...findings.series],
    steps: [...findings.steps],
    success: arms.length === 2 && plan.kind === 'ladder' ? successRows(arms, byKey) : [],
    ladders:
      plan.kind === 'ladder' && plan.levels.length >= 3
        ? arms.map((arm) => ({ arm: arm.name, sign: ladderSign(arm, points, findings.cores) }))
        : [],
    shape,
    agrees,
    summary: summary(study, shape, agrees),
  };
}

function armsOf(rule: StudyFile['shape'][number]): string[] {
  if ('arms' in rule) return rule.arms;
  return 'of' in rule ? [rule.of, rule.to] : [rule.arm];
}

function ladderSign(arm: ArmFacts, points: readonly StudyPoint[], cores: number): StudyRecord['ladders'][number]['sign'] {
  const available = arm.coresAvailable ?? cores;
  return readLadder(
    points
      .filter((point) => point.arm === arm.name && point.valid)
      .map((point) => ({
        connections: point.level,
        throughput: point.figures.throughput ?? 0,
        meanMs: point.figures.meanMs ?? null,
        cpuPercentOfCores: point.figures.cpuPercent == null ? null : point.figures.cpuPercent / available,
        limit: point.limit,
      })),
  );
}

/** The first arm is what was before, the second what came after; at the highest level that both have valid blocks of. */
function successRows(arms: readonly ArmFacts[], trials: ReadonlyMap<string, Trial>): StudyRecord['success'] {
  const [before, after] = arms;
  if (before === undefined || after === undefined) return [];
  const blocks = (arm: ArmFacts, level: number): { throughput: number[]; meanMs: number[] } => {
    const valid = (trials.get(arm.trials.find((one) => one.level === level)?.key ?? '')?.blocks ?? []).filter((block) => block.valid);
    return { throughput: valid.map(({ throughput }) => throughput), meanMs: valid.flatMap(({ latencyMs }) => latencyMs?.mean ?? []) };
  };
  const levels = before.trials.map(({ level }) => level).sort((a, b) => b - a);
  const level = levels.find((one) => blocks(before, one).throughput.length > 0 && blocks(after, one).throughput.length > 0);
  if (level === undefined) return [];
  return successTable({ label: `${before.label} at ${level}`, ...blocks(before, level) }, { label: after.label, ...blocks(after, level) });
}

function summary(study: StudyFile, shape: StudyRecord['shape'], agrees: boolean | null): string {
  const held = shape.filter((one) => one.agrees === true).length;
  const failed = shape.filter((one) => one.agrees === false);
  const of = `${held} of ${shape.length} ${shape.length === 1 ? 'rule' : 'rules'}`;
  if (agrees === true) return `The shape agrees with what was published: ${of} held.`;
  if (agrees === false)
    return `The shape does not agree with what was published: ${of} held. ${failed[0]?.sentence ?? ''} Why it may not: ${study.notToday}`;
  return `It cannot be told yet whether the shape agrees: ${of} held, the others lack valid measurements or narrower intervals. Run it again when the machine is quieter, or run the full form.`;
}
