import * as z from 'zod';
import { type AskedColumn, askedColumns, sortKey } from '../observe/planExpression.ts';

const text = z.string().max(100_000).optional();
/** A node of EXPLAIN (VERBOSE, FORMAT JSON), as far as it is read. */
const nodeSchema = z.object({
  'Node Type': z.string(),
  'Relation Name': text,
  Schema: text,
  Alias: text,
  'Index Name': text,
  'Index Cond': text,
  'Recheck Cond': text,
  Filter: text,
  'Join Filter': text,
  'Hash Cond': text,
  'Merge Cond': text,
  'Sort Key': z.array(z.string()).optional(),
  'Plan Rows': z.number(),
  'Total Cost': z.number(),
  get Plans() {
    return z.array(nodeSchema).optional();
  },
});
export type PlanNode = z.infer<typeof nodeSchema>;
/** What EXPLAIN answers with: one column of one row. */
export const explainedSchema = z.array(z.object({ Plan: nodeSchema })).length(1);

/** Columns of a table of which an index may help. */
export interface IndexIdea {
  schema: string;
  table: string;
  columns: { name: string; falls: boolean }[];
}

/** A scan that keeps more than this share of a table is as well off without an index. */
const mostKept = 0.2;
const mostColumns = 3;

/** Facts about tables that no plan has. */
export interface KnownTables {
  /** As the planner has it: a small table needs no index. */
  rowsOf: (schema: string, table: string) => number;
  /** The columns of an index, in their order; none of one on expressions. */
  columnsOf: (schema: string, index: string) => IndexIdea['columns'];
}

export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/**
 * Which indexes a plan looks as if it lacked: of columns by which a scan discards most of what it reads, also one that goes by an index for the sake of its order; by which it is joined; and by
 * which what it gives is sorted.
 */
export function indexIdeas(plan: PlanNode, known: KnownTables): IndexIdea[] {
  const found = ideasBelow(plan, [], known).filter(({ columns }) => columns.length > 0);
  return [...new Map(found.map((idea) => [JSON.stringify(idea), idea])).values()];
}

const fewRows = 500;

function ideasBelow(node: PlanNode, above: readonly PlanNode[], known: KnownTables): IndexIdea[] {
  const { 'Relation Name': table, Schema: schema, Alias: alias } = node;
  const below = (node.Plans ?? []).flatMap((child) => ideasBelow(child, [node, ...above], known));
  const isSequential = node['Node Type'].includes('Seq Scan');
  const isScan = isSequential || (node.Filter !== undefined && /Index(?: Only)? Scan|Bitmap Heap Scan/.test(node['Node Type']));
  if (!isScan || table === undefined || schema === undefined || alias === undefined) return below;
  const rows = known.rowsOf(schema, table);
  if (rows < fewRows) return below;
  const own = (conditions: readonly (string | undefined)[]): AskedColumn[] =>
    conditions.flatMap((one) => (one === undefined ? [] : askedColumns(one))).filter((one) => one.alias === alias);
  // A column of another table in the scan’s own filter is given to it from outside, as a parameter is.
  const filtered = own([node['Index Cond'], node['Recheck Cond'], node.Filter]).filter(({ to }) => to?.alias !== alias);
  const equal = names(filtered.filter(({ how }) => how === 'equal'));
  const ranges = names(filtered.filter(({ how }) => how === 'range'));
  const isSelective = node['Plan Rows'] <= mostKept * rows;
  const joined = names(
    own(above.flatMap((one) => [one['Join Filter'], one['Hash Cond'], one['Merge Cond']])).filter(
      ({ how, to }) => how === 'equal' && to !== null,
    ),
  );
  // Without a condition of its own an index is gone by for its order alone.
  const order = node['Index Name'] === undefined || node['Index Cond'] !== undefined ? [] : known.columnsOf(schema, node['Index Name']);
  const sorted = isSequential ? sortedBy(above, alias) : equal.length === 0 ? [] : order;
  const idea = (columns: IndexIdea['columns']): IndexIdea => ({ schema, table, columns: distinct(columns).slice(0, mostColumns) });
  const rising = (list: readonly string[]): IndexIdea['columns'] => list.map((name) => ({ name, falls: false }));
  return [
    ...below,
    ...(isSelective ? [idea(rising([...equal, ...ranges.slice(0, 1)]))] : []),
    ...(sorted.length > 0 ? [idea([...rising(equal), ...sorted])] : []),
    ...(isSequential ? joined : []).slice(0, 2).map((name) => idea(rising([name, ...(isSelective ? equal : [])]))),
  ];
}

function names(asked: readonly AskedColumn[]): string[] {
  return [...new Set(asked.map(({ column }) => column))];
}

function distinct(columns: IndexIdea['columns']): IndexIdea['columns'] {
  return columns.filter(({ name }, index) => columns.findIndex((one) => one.name === name) === index);
}

/** The keys of the nearest sort above a scan, where all of them are plain columns of its table. */
function sortedBy(above: readonly PlanNode[], alias: string): IndexIdea['columns'] {
  const keys = above.find((node) => node['Sort Key'] !== undefined)?.['Sort Key'] ?? [];
  const found = keys.map(sortKey);
  if (found.some((key) => key === null || key.alias !== alias)) return [];
  return found.flatMap((key) => (key === null ? [] : [{ name: key.column, falls: key.falls }]));
}
