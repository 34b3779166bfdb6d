import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import { type Condition, conditions } from './condition.ts';
import type { Planting } from './plantings.ts';

/** What was named in one measurement of one planting. */
export interface Verdict {
  planting: Planting;
  /** Null: it could not be measured. */
  kind: DiagnosisKind | null;
  confident: boolean;
  /** What went on meanwhile. */
  condition: Condition;
  /** Whether the verdict named the cause that the planting wants named; absent where it wants none. */
  told?: boolean | undefined;
}

/** By planting: the category that clinic doctor gave. */
export type DoctorCategories = ReadonlyMap<Planting, string>;

/**
 * The category that would be right of clinic doctor, by what was planted. It knows no more of what lies outside of the process than that it waits
 * (`io`). Kinds that none of its categories could mean are missing.
 */
const rightCategory: Readonly<Partial<Record<DiagnosisKind, string>>> = {
  'client-limited': 'none',
  healthy: 'none',
  'event-loop': 'event-loop',
  cpu: 'event-loop',
  gc: 'gc',
  'pool-limited': 'io',
  'pool-exhausted': 'io',
  'connection-leak': 'io',
  'held-connection': 'io',
  'database-lock': 'io',
  'database-cpu': 'io',
  'database-io': 'io',
  'outbound-pool': 'io',
  'outbound-service': 'io',
  'unknown-wait': 'io',
};

/** Of how many plantings doctor's category is the right one, as a sentence. */
export function doctorSummary(doctor: DoctorCategories): string {
  const judged = [...doctor].filter(([{ kind }]) => rightCategory[kind] !== undefined);
  const right = judged.filter(([{ kind }, category]) => rightCategory[kind] === category);
  return `clinic doctor’s category is the right one for ${right.length} of ${judged.length} plantings.`;
}

export function isRight({ planting, kind, told }: Pick<Verdict, 'planting' | 'kind' | 'told'>): boolean {
  return kind !== null && told !== false && (kind === planting.kind || (planting.alsoRight ?? []).includes(kind));
}

/**
 * A Markdown table: a row for each kind that was planted and runtime, a column for each kind that was named.
 */
export function confusionMatrix(verdicts: readonly Verdict[], doctor: DoctorCategories | null = null): string {
  const name = (kind: DiagnosisKind | null): string => kind ?? 'not measured';
  const planted = [...new Set(verdicts.map(({ planting }) => `${planting.kind}|${planting.target}`))];
  const named = [...new Set([...verdicts.map(({ planting }) => planting.kind), ...verdicts.map(({ kind }) => kind)])];
  const rows = planted.map((key) => {
    const [kind = '', target = ''] = key.split('|');
    const all = verdicts.filter(({ planting }) => planting.kind === kind && planting.target === target);
    const cells = named.map((one) => {
      const count = all.filter((verdict) => verdict.kind === one).length;
      return count === 0 ? '' : one === kind ? `**${count}**` : String(count);
    });
    const right = all.filter(isRight);
    return [
      ...[kind, target, ...cells, `${right.length} of ${all.length}`, String(right.filter(({ confident }) => confident).length)],
      ...(doctor === null ? [] : [doctorSays(all, doctor)]),
    ];
  });
  const head = ['planted', 'runtime', ...named.map(name), 'right', 'confident', ...(doctor === null ? [] : ['clinic doctor says'])];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The categories of the plantings of a row, e.g. “io (2), event-loop”. */
function doctorSays(of: readonly Verdict[], doctor: DoctorCategories): string {
  const categories = [...new Set(of.map(({ planting }) => planting))].flatMap((planting) => doctor.get(planting) ?? []);
  if (categories.length === 0) return '–';
  const times = (category: string): number => categories.filter((one) => one === category).length;
  return [...new Set(categories)].map((category) => (times(category) > 1 ? `${category} (${times(category)})` : category)).join(', ');
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

/** All that is printed: a matrix for each condition that was measured under. */
export function report(verdicts: readonly Verdict[], doctor: DoctorCategories | null = null): string {
  const measured = conditions.filter((condition) => verdicts.some((verdict) => verdict.condition === condition));
  const parts = measured.flatMap((condition, index) => {
    const of = verdicts.filter((verdict) => verdict.condition === condition);
    return [`Condition: ${condition}`, confusionMatrix(of, index === 0 ? doctor : null), summary(of)];
  });
  return `${[...parts, ...(doctor === null ? [] : [doctorSummary(doctor)])].join('\n\n')}\n`;
}
