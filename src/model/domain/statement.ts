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
  walBytes: z.number().describe('written ahead for what it changed'),
  plan: z.string().nullable().describe('for any value (EXPLAIN GENERIC_PLAN); null where there is none'),
  bypassed: bypassedIndexSchema.nullable().default(null).describe('null: none, or not known'),
});
export type StatementUse = z.infer<typeof statementUseSchema>;

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
