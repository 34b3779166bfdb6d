import { remembered } from '../../model/domain/remembered.ts';
import type { StatementUse } from '../../model/domain/statement.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';

/** A statement whose plan is another in head. */
type ChangedPlan = NonNullable<VersionDiff['plans']>[number];

const scan =
  /^(?:Parallel )?(Seq Scan|Index Only Scan|Index Scan|Bitmap Heap Scan|Tid Scan)(?: Backward)?(?: using ("(?:[^"]|"")+"|\S+))? on ("(?:[^"]|"")+"|\S+)/;
const join = /^(?:Parallel )?(?:Nested Loop|Hash .*Join|Merge .*Join)/;
const words: Readonly<Record<string, string>> = {
  'Seq Scan': 'sequential scan',
  'Bitmap Heap Scan': 'bitmap scan',
  'Tid Scan': 'scan by row’s place',
};

/**
 * Of the statements that both versions send, those that PostgreSQL plans otherwise: how a table is read, how tables are joined, whether it sorts. Costs are no
 * change.
 */
export function changedPlans(base: readonly StatementUse[], head: readonly StatementUse[]): ChangedPlan[] {
  const before = new Map(base.map(({ sql, plan }) => [sql, plan]));
  return head.flatMap(({ sql, plan }): ChangedPlan[] => {
    const earlier = before.get(sql);
    if (earlier == null || plan === null || earlier === plan) return [];
    const change = planChange(earlier, plan);
    return change === null ? [] : [{ sql, change }];
  });
}

/** Null where both do the same. */
export function planChange(base: string, head: string): string | null {
  const [before, after] = [stepsOf(base), stepsOf(head)];
  const tables = [...new Set([...before.scans.keys(), ...after.scans.keys()])].flatMap((table): string[] => {
    const [one, other] = [before.scans.get(table) ?? [], after.scans.get(table) ?? []];
    const kinds = [one, other].map(kindsOf);
    if (kinds[0] !== kinds[1]) return [`${kinds[0] || 'not read'} → ${kinds[1] || 'not read'} on ${table}`];
    const indexes = [one, other].map((all) => all.map(({ index }) => index ?? '').join(' and '));
    return indexes[0] === indexes[1] ? [] : [`${kinds[0] ?? ''} by ${indexes[0] ?? ''} → by ${indexes[1] ?? ''} on ${table}`];
  });
  const [joins, joined] = [before.joins.join(' and '), after.joins.join(' and ')];
  const changes = [
    ...tables,
    ...(joins === joined ? [] : [`${joins || 'no join'} → ${joined || 'no join'}`]),
    ...(before.sorts === after.sorts ? [] : [after.sorts > before.sorts ? 'a sort more' : 'a sort less']),
  ];
  return changes.length === 0 ? null : changes.join(', ');
}

/** How a plan reads each of its tables, such as “sequential scan on items”. */
export function scansOf(plan: string): string[] {
  return [...stepsOf(plan).scans].map(([table, scans]) => `${kindsOf(scans)} on ${table}`);
}

/** Whether a plan looks for its rows in an index. */
export function usesIndex(plan: string): boolean {
  return [...stepsOf(plan).scans.values()].flat().some(({ kind }) => kind !== words['Seq Scan'] && kind !== words['Tid Scan']);
}

interface Scan {
  kind: string;
  index: string | undefined;
}

function kindsOf(scans: readonly Scan[]): string {
  return [...new Set(scans.map(({ kind }) => kind))].join(' and ');
}

interface Steps {
  scans: ReadonlyMap<string, readonly Scan[]>;
  joins: readonly string[];
  sorts: number;
}

/** By table what of it is read and how, as `EXPLAIN` writes it: a step a line, indented below the one that asks for it. */
function stepsOf(plan: string): Steps {
  const scans = new Map<string, Scan[]>();
  const joins: string[] = [];
  let sorts = 0;
  for (const line of plan.split('\n')) {
    const step = /^\s*(?:->\s+)?(.*?)\s+\(cost=/.exec(line)?.[1];
    if (step === undefined) continue;
    const [, kind, index, table] = scan.exec(step) ?? [];
    if (kind !== undefined && table !== undefined)
      remembered(scans, table, () => []).push({ kind: words[kind] ?? kind.toLowerCase(), index });
    else if (/^(?:Incremental )?Sort$/.test(step)) sorts += 1;
    else if (join.test(step)) joins.push(step.toLowerCase().replace('parallel ', ''));
  }
  return { scans, joins: joins.sort(), sorts };
}
