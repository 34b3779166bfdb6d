import * as z from 'zod';
import { diffNoteSchema } from './diffNoteKinds.ts';
import { findingSchema } from './findingKinds.ts';
import { keysOf } from './keysOf.ts';
import { planChangesSchema } from './planChangeKinds.ts';
import { comparedAnswersSchema } from './routeCheck.ts';
import { sloResultSchema } from './slo.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';

const versionSchema = z.object({ label: z.string(), commit: z.string().nullable(), trialKey: z.string().nullable() });

/**
 * What of two versions is compared. Statements, rows and what is written ahead are PostgreSQL's counts, allocations, collections and the heap a probe's; they are there
 * where they are known.
 */
export const versionMetrics = {
  throughput: { name: 'throughput', unit: 'req/s' },
  cpu: { name: 'CPU per request', unit: 'µs' },
  p99: { name: 'p99', unit: 'ms' },
  statements: { name: 'statements per request', unit: '' },
  rows: { name: 'rows per request', unit: '' },
  answer: { name: 'bytes per answer', unit: 'bytes' },
  wal: { name: 'WAL per request', unit: 'bytes' },
  allocations: { name: 'allocations per request', unit: 'kB' },
  gc: { name: 'GC per request', unit: 'µs' },
  heap: { name: 'heap after a full collection', unit: 'MB' },
  memory: { name: 'memory (RSS)', unit: 'MB' },
  'start-up': { name: 'start-up time', unit: 'ms' },
} as const;
export type VersionMetricId = keyof typeof versionMetrics;
export const versionMetricIds = keysOf(versionMetrics);
/** What the verdict is made of, where nothing else is asked for. */
export const usualMetrics: VersionMetricId[] = ['throughput', 'cpu', 'statements'];

/** What p99 is compared of at a fixed rate. */
export const p99Kinds = ['mix', 'routes', 'none'] as const;
export type P99Kind = (typeof p99Kinds)[number];

/** One figure of both versions. `exact`: a count, which no interference touches and which has no interval. */
export const versionMetricSchema = z.object({
  id: z.enum(versionMetricIds).optional().describe('absent in older runs'),
  name: z.string(),
  unit: z.string(),
  base: z.number().nullable(),
  head: z.number().nullable(),
  ratio: ratioSchema.nullable(),
  verdict: verdictSchema.nullable().describe('null: it is shown and judges nothing'),
  exact: z.boolean(),
  counts: z.boolean().optional().describe('false: it is no part of the verdict on the whole'),
  unanswered: z
    .object({ base: z.boolean(), head: z.boolean() })
    .optional()
    .describe('of p99 at a fixed rate: which could not answer at it and has no figure; absent where both could'),
  again: z
    .object({ base: z.number().nullable(), head: z.number().nullable() })
    .optional()
    .describe('A/A: by how much two starts of the same version differ at most, a share; absent where processes were started once'),
});
export type VersionMetric = z.infer<typeof versionMetricSchema>;

/** A statement that one version sends more often than the other, in calls per request. */
export const changedStatementSchema = z.object({
  sql: z.string(),
  kind: z.enum(['new', 'gone', 'more often', 'less often']),
  base: z.number(),
  head: z.number(),
  /** Sent once for each of many rows that another statement gave. */
  nPlusOne: z.boolean(),
});
export type ChangedStatement = z.infer<typeof changedStatementSchema>;

/** A file that the two differ in, and by how many lines. `path` is relative to the workspace, with slashes. */
export const changedFileSchema = z.object({ path: z.string(), added: z.number().int(), removed: z.number().int() });
export type ChangedFile = z.infer<typeof changedFileSchema>;

const placeShape = {
  name: z.string(),
  file: z.string().nullable().describe('relative to the workspace, with slashes; null: none of its own'),
  line: z
    .number()
    .int()
    .nullable()
    .describe('of head, from 1; of a function that the change touched, the first line that it touched there'),
  touched: z.boolean().describe('it stands on lines that the change touched'),
};

/**
 * A function that takes more or less in head, by a recording of each. All figures are per request in `unit`. `change` is what the function answers for: of every
 * stack, the innermost function that the change touched does, or without one the function in which the stack ends.
 */
export const changedFunctionSchema = z.object({
  ...placeShape,
  event: z.string().describe('cpu, wall, database …'),
  unit: z.enum(['ns', 'bytes', 'count']),
  base: z.number().describe('with all that it calls'),
  head: z.number(),
  change: z.number(),
});
export type ChangedFunction = z.infer<typeof changedFunctionSchema>;

/** A box of a differential flame graph: of the app's and its dependencies' functions, the narrow ones left out. `start` and `width` are shares of the picture. */
export const diffBoxSchema = z.object({
  ...placeShape,
  depth: z.number().int(),
  start: z.number(),
  width: z.number(),
  base: z.number().describe('per request'),
  head: z.number(),
});
export type DiffBox = z.infer<typeof diffBoxSchema>;

/** Lines of head around what the change touched, with those that are gone. */
export const diffExcerptSchema = z.object({
  file: z.string(),
  lines: z.array(z.object({ line: z.number().int().nullable(), kind: z.enum(['same', 'gone', 'new']), text: z.string() })),
});
export type DiffExcerpt = z.infer<typeof diffExcerptSchema>;

/** What recordings of both say. */
export const versionWhySchema = z.object({
  functions: z.array(changedFunctionSchema).describe('those that the change touched first, then by how much they changed'),
  ran: z
    .array(z.object({ name: z.string(), file: z.string().nullable(), line: z.number().int().nullable() }))
    .optional()
    .describe('of head: functions that the change touched and that were recorded, whether or not they changed'),
  flame: z
    .object({
      event: z.string(),
      unit: z.enum(['ns', 'bytes', 'count']),
      base: z.number(),
      head: z.number(),
      boxes: z.array(diffBoxSchema),
    })
    .nullable(),
  lines: z
    .array(z.object({ file: z.string(), line: z.number().int(), base: z.number(), head: z.number() }))
    .optional()
    .describe(
      'of head, that take more or less than chance would have it, per request in the unit of the flame graph; the largest change first',
    ),
  excerpt: diffExcerptSchema.nullable(),
  recordings: z.object({ base: z.string(), head: z.string() }).nullable().describe('ids, to be compared as flame graphs'),
});
export type VersionWhy = z.infer<typeof versionWhySchema>;

/** The difference of two versions on one route of a mix, requested alone. Without figures where that could not be measured. */
export const routeDiffSchema = z.object({
  route: z.string().describe('METHOD /path'),
  share: z.number().min(0).max(1).describe('of the requests of the mix'),
  verdict: verdictSchema,
  metrics: z.array(versionMetricSchema),
  statements: z.array(changedStatementSchema),
  unknown: diffNoteSchema.nullable().describe('why nothing is known of it by itself'),
});
export type RouteDiff = z.infer<typeof routeDiffSchema>;

const sideSchema = z.enum(['base', 'head']);

/**
 * What the words of a comparison are made from in addition to its figures. `recorded`: the sentences of a record that was written when records held them, its
 * notes among them.
 */
export const diffFactsSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('same-code'), documents: z.array(z.string()).describe('files that they differ in all the same') }),
  z.object({
    code: z.literal('measured'),
    headName: z.string().describe('of the trial of head, as the run calls it'),
    moreS: z.number().nullable().describe('seconds that would decide what is open; null where no affordable time would'),
    invalid: z
      .object({
        side: sideSchema,
        because: z.array(findingSchema),
        failedShare: z.number().nullable().describe('of the requests, where head fails what base answers; null where that is not so'),
      })
      .nullable()
      .describe('the first that was not measured as asked'),
    unmeasured: z.array(sideSchema).describe('without a block that counts'),
    objective: z.object({ base: sloResultSchema, head: sloResultSchema }).nullable(),
  }),
  z.object({ code: z.literal('recorded'), headline: z.string(), reasons: z.array(z.string()) }),
]);
export type DiffFacts = z.infer<typeof diffFactsSchema>;
export type MeasuredFacts = Extract<DiffFacts, { code: 'measured' }>;

export const versionDiffSchema = z.object({
  kind: z.literal('diff'),
  base: versionSchema,
  head: versionSchema,
  /** Both are the same code: there was nothing to measure. */
  sameCode: z.boolean(),
  verdict: verdictSchema.describe('of head against base'),
  facts: diffFactsSchema,
  metrics: z.array(versionMetricSchema),
  statements: z.array(changedStatementSchema),
  plans: z
    .array(z.object({ sql: z.string(), change: planChangesSchema }))
    .optional()
    .describe('of statements that both send and PostgreSQL plans otherwise'),
  routes: z.array(routeDiffSchema).optional().describe('of a mix, each asked for by itself after the mix was measured; the worst first'),
  notes: z.array(diffNoteSchema).default([]).describe('what was not compared, and why'),
  answers: comparedAnswersSchema.optional().describe('of the same first requests, one for each route; absent in older runs'),
  delta: z.number(),
  files: z.array(changedFileSchema).default([]).describe('the first of those that the two differ in'),
  why: versionWhySchema.nullable().default(null),
  asked: z
    .object({
      base: z.string(),
      head: z.string().nullable(),
      mergeBase: z.boolean(),
      target: z.string(),
      p99: z.enum(p99Kinds).optional(),
    })
    .optional()
    .describe('to compare them again'),
});
export type VersionDiff = z.infer<typeof versionDiffSchema>;

/** It is part of the verdict, and says that something differs. */
export function decides({ counts, verdict }: VersionMetric): boolean {
  return counts === true && (verdict === 'worse' || verdict === 'better');
}

/** The route that makes the whole worse, where no figure of the mix decides. */
export function decidingRoute({ metrics, routes = [] }: Pick<VersionDiff, 'metrics' | 'routes'>): RouteDiff | null {
  return metrics.some(decides) ? null : (routes.find(({ verdict }) => verdict === 'worse') ?? null);
}

/** Whether head misses an objective that base keeps. */
export function missesObjective({ objective }: Pick<MeasuredFacts, 'objective'>): boolean {
  return objective?.base.passed === true && objective.head.passed === false;
}
