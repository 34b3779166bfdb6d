import * as z from 'zod';

/** An index that a statement cannot use since its condition does not compare the column itself. */
export const bypassedIndexSchema = z.object({
  table: z.string(),
  index: z.string(),
  column: z.string().describe('the first of the index'),
  condition: z.string().describe('as PostgreSQL writes it in the plan'),
  how: z.enum(['cast', 'pattern', 'expression']).describe('the column is converted, matched with LIKE, or an expression of it is compared'),
});
export type BypassedIndex = z.infer<typeof bypassedIndexSchema>;

/** A foreign key whose column no index begins with, so that PostgreSQL reads that table as a whole for each row that is deleted of the other. */
export const unindexedReferenceSchema = z.object({
  constraint: z.string(),
  table: z.string().describe('that has the foreign key'),
  column: z.string(),
  of: z.string().describe('the table that it refers to'),
});
export type UnindexedReference = z.infer<typeof unindexedReferenceSchema>;

/** Looks that found a session running a statement: computing, or waiting for a lock, for a disk or an inner lock of PostgreSQL, or for something else. */
export const statementLooksSchema = z.object({ cpu: z.number(), lock: z.number(), io: z.number(), other: z.number() });
export type StatementLooks = z.infer<typeof statementLooksSchema>;

/** One statement of the app's, as many as the requests of a trial's valid blocks sent: by PostgreSQL's counts over whole blocks. */
export const statementUseSchema = z.object({
  sql: z.string().describe('with $1, $2 … in place of values'),
  database: z.string(),
  calls: z.number(),
  totalMs: z.number().describe('in the server, over all calls'),
  meanMs: z.number().describe('per call'),
  share: z.number().describe('of the time that all statements took, 0 … 1'),
  rows: z.number().describe('that all calls gave or changed'),
  blocksRead: z.number().describe('8 KiB blocks that were not in PostgreSQL’s own cache'),
  blocksUsed: z.number().optional().describe('8 KiB blocks in all, of the cache or not; absent in records of earlier versions'),
  tempBlocks: z
    .number()
    .optional()
    .describe('8 KiB blocks written to temporary files, of what did not fit into work_mem; absent in records of earlier versions'),
  walBytes: z.number().describe('written ahead for what it changed'),
  plan: z.string().nullable().describe('for any value (EXPLAIN GENERIC_PLAN); null where there is none'),
  bypassed: bypassedIndexSchema.nullable().default(null).describe('null: none, or not known'),
  unindexed: unindexedReferenceSchema.optional().describe('of a DELETE; absent of none, or where it is not known'),
  looks: statementLooksSchema
    .nullable()
    .default(null)
    .describe('of once a second; null: none found it running, or records of earlier versions'),
});
export type StatementUse = z.infer<typeof statementUseSchema>;

/** What statements are compared by: their time, or the part of it in which they compute, or wait for a lock or a disk. */
export const statementMeasures = ['time', 'cpu', 'lock', 'io'] as const;
export type StatementMeasure = (typeof statementMeasures)[number];

/** By how often looks found it so. One more look counts as computing, so that a few are no certainty, and a statement that none found may compute. */
function msOf({ totalMs, looks }: StatementUse, by: StatementMeasure): number {
  if (by === 'time') return totalMs;
  const { cpu, lock, io, other } = looks ?? { cpu: 0, lock: 0, io: 0, other: 0 };
  const found = { cpu: cpu + 1, lock, io };
  return (totalMs * found[by]) / (cpu + lock + io + other + 1);
}

/** What of the statements is seen: what limits, or their time where no look found any so. */
function seenMeasure(statements: readonly StatementUse[], wanted: StatementMeasure): StatementMeasure {
  return statements.some(({ looks }) => looks !== null) && statements.some((one) => msOf(one, wanted) > 0) ? wanted : 'time';
}

/** The share that some of all statements have of this, 0 … 1. */
export function shareOfStatements(statements: readonly StatementUse[], some: readonly StatementUse[], wanted: StatementMeasure): number {
  const by = seenMeasure(statements, wanted);
  const sum = (of: readonly StatementUse[]): number => of.reduce((total, one) => total + (by === 'time' ? one.share : msOf(one, by)), 0);
  return sum(some) / (by === 'time' ? 1 : sum(statements));
}

/** The statement that has most of what all of them have, with its share of that, 0 … 1; by time where no look found any so. Null of none. */
export function heaviestStatement(
  statements: readonly StatementUse[],
  wanted: StatementMeasure,
): { statement: StatementUse; share: number; by: StatementMeasure } | null {
  const by = seenMeasure(statements, wanted);
  const [most] = statements.toSorted((a, b) => msOf(b, by) - msOf(a, by));
  return most === undefined ? null : { statement: most, share: shareOfStatements(statements, [most], wanted), by };
}

/** A statement that is sent so many times for each request goes through what another one gave. */
const oncePerRowCalls = 3;

export function isQuery(sql: string): boolean {
  return /^\s*(select|with|table)\b/i.test(sql);
}

/** Whether a statement looks like one that is sent once for each row of another (N+1). */
export function isOncePerRow(sql: string, callsPerRequest: number): boolean {
  return callsPerRequest >= oncePerRowCalls && /^\s*select\b/i.test(sql);
}

/** Requests that were answered in the blocks that count: what its statements are divided by. */
export function answeredRequests({ blocks }: { blocks: readonly { valid: boolean; requests: number }[] }): number {
  return blocks.reduce((sum, block) => sum + (block.valid ? block.requests : 0), 0);
}

/** How a statement grows with the rows of the tables. */
export const growthKinds = ['constant', 'logarithmic', 'less than linear', 'linear', 'worse than linear'] as const;
export type GrowthKind = (typeof growthKinds)[number];

/** Longer texts of SQL are cut in a sentence. */
const longestInSentence = 80;

export function statementPhrase(sql: string): string {
  const line = sql.trim().replace(/\s+/g, ' ');
  return `“${line.length <= longestInSentence ? line : `${line.slice(0, longestInSentence - 1)}…`}”`;
}
