import type pg from 'pg';
import { ownStatement } from './postgresSessions.ts';

/** A function of the database, with the time that was spent in it and not in another one that it calls. */
export interface FunctionUse {
  database: string;
  name: string;
  /** The first of the triggers that call it; null where none does. */
  trigger: { name: string; table: string } | null;
  calls: number;
  selfMs: number;
}

/** What PostgreSQL has counted of each function since its counters began, by database and number. */
export type FunctionCounts = ReadonlyMap<string, FunctionUse>;

/** Functions of PL languages alone are counted (track_functions = pl); a trigger is always one of them, or is written in C. */
const countsQuery = `
  ${ownStatement} p.oid::text AS key, proname AS name, coalesce(calls, 0)::float8 AS calls, coalesce(self_time, 0) AS "selfMs", trigger
    FROM pg_proc p JOIN pg_language l ON l.oid = prolang
    LEFT JOIN pg_stat_user_functions s ON funcid = p.oid
    LEFT JOIN LATERAL (
      SELECT json_build_object('name', tgname, 'table', relname) AS trigger
        FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid WHERE tgfoid = p.oid AND NOT tgisinternal ORDER BY tgname LIMIT 1
    ) AS called ON true
   WHERE lanispl`;

/** The counters of the database that a client is connected to; empty where it has no such function. */
export async function functionCounts(client: pg.Client, database: string): Promise<[string, FunctionUse][]> {
  const { rows } = await client.query<Omit<FunctionUse, 'database'> & { key: string }>(countsQuery);
  return rows.map(({ key, ...use }) => [`${database}/${key}`, { ...use, database }]);
}

/** What came between two readings, the longest first. A counter that was reset in between counts from its beginning. */
export function functionsBetween(before: FunctionCounts, after: FunctionCounts): FunctionUse[] {
  return mergeFunctions(
    [...after].map(([key, now]) => {
      const earlier = before.get(key);
      const then = earlier === undefined || earlier.calls > now.calls ? null : earlier;
      return { ...now, calls: now.calls - (then?.calls ?? 0), selfMs: Math.max(0, now.selfMs - (then?.selfMs ?? 0)) };
    }),
  );
}

/** The functions of several windows together that were called, the longest first. */
export function mergeFunctions(uses: readonly FunctionUse[]): FunctionUse[] {
  const merged = new Map<string, FunctionUse>();
  for (const one of uses) {
    const key = JSON.stringify([one.database, one.name, one.trigger]);
    const sum = merged.get(key);
    merged.set(key, { ...one, calls: one.calls + (sum?.calls ?? 0), selfMs: one.selfMs + (sum?.selfMs ?? 0) });
  }
  return [...merged.values()].filter(({ calls }) => calls > 0).sort((a, b) => b.selfMs - a.selfMs);
}
