import { isDeepStrictEqual } from 'node:util';
import type { PlanChange, ScanKind, TableScans } from '../../model/domain/planChangeKinds.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { StatementUse } from '../../model/domain/statement.ts';
import type { VersionDiff } from '../../model/domain/versionDiff.ts';

/** A statement whose plan is another in head. */
type ChangedPlan = NonNullable<VersionDiff['plans']>[number];

const scan =
  /^(?:Parallel )?(Seq Scan|Index Only Scan|Index Scan|Bitmap Heap Scan|Tid Scan)(?: Backward)?(?: using ("(?:[^"]|"")+"|\S+))? on ("(?:[^"]|"")+"|\S+)/;
const join = /^(?:Parallel )?(?:Nested Loop|Hash .*Join|Merge .*Join)/;

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
    return change.length === 0 ? [] : [{ sql, change }];
  });
}

/** None where both do the same. */
export function planChange(base: string, head: string): PlanChange[] {
  const [before, after] = [stepsOf(base), stepsOf(head)];
  const tables = [...new Set([...before.scans.keys(), ...after.scans.keys()])].flatMap((table): PlanChange[] => {
    const [one, other] = [before.scans.get(table) ?? [], after.scans.get(table) ?? []];
    const [from, to] = [kindsOf(one), kindsOf(other)];
    if (!isDeepStrictEqual(from, to)) return [{ code: 'scans', table, from, to }];
    const [index, otherIndex] = [indexesOf(one), indexesOf(other)];
    return isDeepStrictEqual(index, otherIndex) ? [] : [{ code: 'indexes', table, scans: from, from: index, to: otherIndex }];
  });
  return [
    ...tables,
    ...(isDeepStrictEqual(before.joins, after.joins) ? [] : [{ code: 'joins' as const, from: before.joins, to: after.joins }]),
    ...(before.sorts === after.sorts ? [] : [{ code: 'sorts' as const, more: after.sorts > before.sorts }]),
  ];
}

/** How a plan reads each of its tables. */
export function scansOf(plan: string): TableScans[] {
  return [...stepsOf(plan).scans].map(([table, scans]) => ({ table, scans: kindsOf(scans) }));
}

/** Whether a plan looks for its rows in an index. */
export function usesIndex(plan: string): boolean {
  return [...stepsOf(plan).scans.values()].flat().some(({ kind }) => kind !== 'Seq Scan' && kind !== 'Tid Scan');
}

interface Scan {
  kind: ScanKind;
  index: string | undefined;
}

function kindsOf(scans: readonly Scan[]): ScanKind[] {
  return [...new Set(scans.map(({ kind }) => kind))];
}

function indexesOf(scans: readonly Scan[]): string[] {
  return scans.map(({ index }) => index ?? '');
}

interface Steps {
  scans: ReadonlyMap<string, readonly Scan[]>;
  joins: string[];
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
    if (kind !== undefined && table !== undefined) remembered(scans, table, () => []).push({ kind: kind as ScanKind, index });
    else if (/^(?:Incremental )?Sort$/.test(step)) sorts += 1;
    else if (join.test(step)) joins.push(step.replace('Parallel ', ''));
  }
  return { scans, joins: joins.sort(), sorts };
}
