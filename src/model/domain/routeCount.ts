import * as z from 'zod';
import { type RouteCosts, counted, countText } from './routeBudget.ts';
import { isOncePerRow, statementUseSchema } from './statement.ts';

/** Why the statements of a request are not known: Benchside manages no database for the target, or the server counts no statements. */
export const uncountedSchema = z.enum(['no-database', 'no-counters']);

/** What one request to a route took, by PostgreSQL's own counters. */
export const routeCountSchema = z.object({
  route: z.string().describe('as `METHOD /path`'),
  path: z.string().describe('that was asked for, its parameters as they were drawn'),
  status: z.number().int().nullable().describe('null: no answer'),
  tookMs: z.number(),
  problem: z.string().nullable().describe('why it does not count, after its name: “was answered with 500”; null: it counts'),
  statements: z
    .array(statementUseSchema.pick({ sql: true, calls: true, rows: true, plan: true }))
    .nullable()
    .describe('each with how often it was sent, the most first; null: they are not known'),
  uncounted: uncountedSchema.nullable().describe('why they are not known'),
});
export type RouteCount = z.infer<typeof routeCountSchema>;
type CountedStatement = NonNullable<RouteCount['statements']>[number];

/** Statements and rows of one request; null where they are not known. */
export function costsOf({ statements }: Pick<RouteCount, 'statements'>): Required<Omit<RouteCosts, 'p99Ms'>> {
  const sum = (of: 'calls' | 'rows'): number | null => statements?.reduce((total, one) => total + one[of], 0) ?? null;
  return { statements: sum('calls'), rows: sum('rows') };
}

/** The statement that a request sent most often, where it looks as if it went through the rows of another one (N+1). */
export function oncePerRow({ statements }: Pick<RouteCount, 'statements'>): CountedStatement | null {
  const found = (statements ?? []).filter(({ sql, calls }) => isOncePerRow(sql, calls));
  return found.reduce<CountedStatement | null>((most, one) => (most === null || one.calls > most.calls ? one : most), null);
}

/** "3 statements, 8 rows", or "11 statements, 10 of them the same, 20 rows"; empty where they are not known. */
export function countPhrase(count: Pick<RouteCount, 'statements'>): string {
  const { statements, rows } = costsOf(count);
  if (statements === null || rows === null) return '';
  const repeated = oncePerRow(count);
  return [
    counted(statements, 'statement'),
    ...(repeated === null ? [] : [`${countText(repeated.calls)} of them the same`]),
    ...(statements === 0 ? [] : [counted(rows, 'row')]),
  ].join(', ');
}

export const uncountedPhrases: Readonly<Record<z.infer<typeof uncountedSchema>, string>> = {
  'no-database': 'its database is none that Benchside gave it',
  'no-counters': 'its PostgreSQL counts no statements (pg_stat_statements)',
};
