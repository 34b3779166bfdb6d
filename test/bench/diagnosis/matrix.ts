import type { DiagnosisKind } from '../../../src/model/diagnosis.ts';
import type { Planting } from './plantings.ts';

/** What was named in one measurement of one planting. */
export interface Verdict {
  planting: Planting;
  /** Null: it could not be measured. */
  kind: DiagnosisKind | null;
  confident: boolean;
  /** Why it says nothing, where the reason is the machine and not what was planted; null: it counts. */
  voidBecause: string | null;
  /** Of one that is void: what its verdict would have been. */
  aside: DiagnosisKind | null;
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

export function isRight({ planting, kind }: Pick<Verdict, 'planting' | 'kind'>): boolean {
  return kind !== null && (kind === planting.kind || (planting.alsoRight ?? []).includes(kind));
}

export function counted(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ voidBecause }) => voidBecause === null);
}

/** The same measurements as if the machine had not been taken away from any: those that are void count with what they would have been. */
export function leavingVoidAside(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.map((verdict) =>
    verdict.voidBecause === null ? verdict : { ...verdict, kind: verdict.aside ?? verdict.kind, confident: false, voidBecause: null },
  );
}

/**
 * A Markdown table: a row for each kind that was planted and runtime, a column for each kind that was named. Measurements that the machine voided
 * have a column of their own and are in no other.
 */
export function confusionMatrix(verdicts: readonly Verdict[], doctor: DoctorCategories | null = null): string {
  const name = (kind: DiagnosisKind | null): string => kind ?? 'not measured';
  const planted = [...new Set(verdicts.map(({ planting }) => `${planting.kind}|${planting.target}`))];
  const named = [...new Set([...verdicts.map(({ planting }) => planting.kind), ...counted(verdicts).map(({ kind }) => kind)])];
  const rows = planted.map((key) => {
    const [kind = '', target = ''] = key.split('|');
    const all = verdicts.filter(({ planting }) => planting.kind === kind && planting.target === target);
    const of = counted(all);
    const cells = named.map((one) => {
      const count = of.filter((verdict) => verdict.kind === one).length;
      return count === 0 ? '' : one === kind ? `**${count}**` : String(count);
    });
    const right = of.filter(isRight);
    return [
      ...[kind, target, ...cells, `${right.length} of ${of.length}`, String(right.filter(({ confident }) => confident).length)],
      String(all.length - of.length),
      ...(doctor === null ? [] : [doctorSays(all, doctor)]),
    ];
  });
  const head = ['planted', 'runtime', ...named.map(name), 'right', 'confident', 'void', ...(doctor === null ? [] : ['clinic doctor says'])];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The categories of the plantings of a row, e.g. “io (2), event-loop”. */
function doctorSays(of: readonly Verdict[], doctor: DoctorCategories): string {
  const categories = [...new Set(of.map(({ planting }) => planting))].flatMap((planting) => doctor.get(planting) ?? []);
  if (categories.length === 0) return '–';
  const times = (category: string): number => categories.filter((one) => one === category).length;
  return [...new Set(categories)].map((category) => (times(category) > 1 ? `${category} (${times(category)})` : category)).join(', ');
}

/** Of those that count: the share that is right, and how many were wrong although the verdict was confident. To call a run invalid claims nothing of the app. */
export function counts(verdicts: readonly Verdict[]): {
  all: number;
  void: number;
  right: number;
  confidentlyWrong: number;
  confidentlyWrongOfHealthy: number;
} {
  const of = counted(verdicts);
  const sure = of.filter((verdict) => !isRight(verdict) && verdict.confident && verdict.kind !== 'invalid');
  const healthy = sure.filter(({ planting }) => planting.kind === 'healthy' || planting.kind === 'client-limited');
  return {
    all: of.length,
    void: verdicts.length - of.length,
    right: of.filter(isRight).length,
    confidentlyWrong: sure.length,
    confidentlyWrongOfHealthy: healthy.length,
  };
}

export function summary(verdicts: readonly Verdict[]): string {
  const { all, right, confidentlyWrong, confidentlyWrongOfHealthy, void: taken } = counts(verdicts);
  const left = taken === 0 ? '' : ` Void, and in none of these figures: ${taken}.`;
  return `${right} of ${all} right (${((100 * right) / Math.max(1, all)).toFixed(1)} %); confident and wrong: ${confidentlyWrong}, of runs in which nothing was full: ${confidentlyWrongOfHealthy}.${left}`;
}

/** All that is printed: the matrix, and where anything was void, a second one that leaves that aside. */
export function report(verdicts: readonly Verdict[], doctor: DoctorCategories | null = null): string {
  const parts = [confusionMatrix(verdicts, doctor), summary(verdicts), ...(doctor === null ? [] : [doctorSummary(doctor)])];
  if (counts(verdicts).void > 0) {
    const aside = leavingVoidAside(verdicts);
    parts.push('Every measurement, those that are void with what they would have been:', confusionMatrix(aside), summary(aside));
  }
  return `${parts.join('\n\n')}\n`;
}
