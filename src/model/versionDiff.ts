import * as z from 'zod';
import { defaultDelta } from './margin.ts';
import { runRequestSchema, runRecordSchema } from './run.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';

const asked = runRequestSchema.shape;

/** Two versions of the code to be measured in one run. */
export const diffRequestSchema = z.strictObject({
  base: z.string().min(1).max(400).default('HEAD').describe('commit, branch or tag'),
  head: z.string().min(1).max(400).nullable().default(null).describe('commit, branch or tag; null: the working tree'),
  mergeBase: z.boolean().default(false).describe('against the commit in which base and head parted'),
  target: z.string().optional().describe('of benchside.json; may be left out where it declares only one'),
  load: asked.load,
  route: asked.route,
  connections: z.number().int().min(1).max(10_000).optional(),
  budgetS: asked.budgetS,
  seed: asked.seed,
  delta: z.number().min(0.005).max(0.5).default(defaultDelta).describe('within which both count as the same, a share'),
});
export type DiffRequest = z.infer<typeof diffRequestSchema>;

const versionSchema = z.object({ label: z.string(), commit: z.string().nullable(), trialKey: z.string().nullable() });

/** One figure of both versions. `exact`: a count, which no disturbance touches and which has no interval. */
export const versionMetricSchema = z.object({
  name: z.string(),
  unit: z.string(),
  base: z.number().nullable(),
  head: z.number().nullable(),
  ratio: ratioSchema.nullable(),
  verdict: verdictSchema.nullable().describe('null: it is shown and judges nothing'),
  exact: z.boolean(),
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

export const versionDiffSchema = z.object({
  base: versionSchema,
  head: versionSchema,
  /** Both are the same code: there was nothing to measure. */
  sameCode: z.boolean(),
  verdict: verdictSchema.describe('of head against base'),
  headline: z.string(),
  /** What explains it, each a sentence. */
  reasons: z.array(z.string()),
  metrics: z.array(versionMetricSchema),
  statements: z.array(changedStatementSchema),
  delta: z.number(),
});
export type VersionDiff = z.infer<typeof versionDiffSchema>;

export const diffResultSchema = z.object({
  diff: versionDiffSchema.nullable().describe('null when it was cancelled before a whole round'),
  run: runRecordSchema.nullable(),
  markdown: z.string().describe('the same for a pull request; empty without a comparison'),
  outcome: z.enum(['complete', 'cancelled']),
});
export type DiffResult = z.infer<typeof diffResultSchema>;
