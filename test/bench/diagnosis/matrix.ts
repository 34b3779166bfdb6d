import type { DiagnosisKind } from '../../../src/model/diagnosis.ts';
import type { Planting } from './plantings.ts';

/** What was named for one measurement of one planting; null: it could not be measured. */
export interface Verdict {
  planting: Planting;
  kind: DiagnosisKind | null;
  confident: boolean;
}

export function isRight({ planting, kind }: Verdict): boolean {
  return kind !== null && (kind === planting.kind || (planting.alsoRight ?? []).includes(kind));
}

/** A Markdown table: a row for each kind that was planted and runtime, a column for each kind that was named. */
export function confusionMatrix(verdicts: readonly Verdict[]): string {
  const name = (kind: DiagnosisKind | null): string => kind ?? 'not measured';
  const planted = [...new Set(verdicts.map(({ planting }) => `${planting.kind}|${planting.target}`))];
  const named = [...new Set([...verdicts.map(({ planting }) => planting.kind), ...verdicts.map(({ kind }) => kind)])];
  const rows = planted.map((key) => {
    const [kind = '', target = ''] = key.split('|');
    const of = verdicts.filter(({ planting }) => planting.kind === kind && planting.target === target);
    const cells = named.map((one) => {
      const count = of.filter((verdict) => verdict.kind === one).length;
      return count === 0 ? '' : one === kind ? `**${count}**` : String(count);
    });
    const right = of.filter(isRight);
    return [kind, target, ...cells, `${right.length} of ${of.length}`, String(right.filter(({ confident }) => confident).length)];
  });
  const head = ['planted', 'runtime', ...named.map(name), 'right', 'confident'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The share that is right, and how many were wrong although the verdict was confident. To call a run invalid claims nothing of the app. */
export function counts(verdicts: readonly Verdict[]): {
  all: number;
  right: number;
  confidentlyWrong: number;
  confidentlyWrongOfHealthy: number;
} {
  const sure = verdicts.filter((verdict) => !isRight(verdict) && verdict.confident && verdict.kind !== 'invalid');
  const healthy = sure.filter(({ planting }) => planting.kind === 'healthy' || planting.kind === 'client-limited');
  return {
    all: verdicts.length,
    right: verdicts.filter(isRight).length,
    confidentlyWrong: sure.length,
    confidentlyWrongOfHealthy: healthy.length,
  };
}

export function summary(verdicts: readonly Verdict[]): string {
  const { all, right, confidentlyWrong, confidentlyWrongOfHealthy } = counts(verdicts);
  return `${right} of ${all} right (${((100 * right) / Math.max(1, all)).toFixed(1)} %); confident and wrong: ${confidentlyWrong}, of runs in which nothing was full: ${confidentlyWrongOfHealthy}.`;
}
