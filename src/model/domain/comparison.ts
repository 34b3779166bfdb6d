import * as z from 'zod';
import { defaultDelta } from './margin.ts';
import { recordingSummarySchema } from './recording.ts';
import type { Trial } from './run.ts';
import { runRequestSchema, trialSchema } from './run.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';

/** One figure of the second side against that of the first. `method` says in a sentence what the interval rests on. */
export const comparedMetricSchema = z.object({
  ratio: ratioSchema,
  verdict: verdictSchema,
  sentence: z.string().describe('e.g. “pool 8 is 12 % faster than pool 4 (8 – 16 %)”'),
  cure: z.string().optional().describe('what would decide, where that is open, e.g. “about 5 more rounds would decide”'),
  moreRounds: z.number().int().nullable(),
  chance: z.number().optional().describe('how often two that are equal differ at least as much (p); absent where there is no interval'),
  method: z.string(),
  byMechanism: z
    .string()
    .optional()
    .describe(
      'why both must be the same whatever the figures scatter, e.g. “nobody waits for a connection with either”; absent where only figures speak',
    ),
});
export type ComparedMetric = z.infer<typeof comparedMetricSchema>;

/** What a figure says, and what would decide it where that is open; without the full stop. */
export function sentenceWithCure({ sentence, cure }: ComparedMetric): string {
  return cure === undefined ? sentence : `${sentence}; ${cure}`;
}

/** Latency by quantile: points for a curve over log 1/(1 − q). */
export const latencyCurveSchema = z.array(z.object({ quantile: z.number(), ms: z.number() })).max(200);
export type LatencyCurve = z.infer<typeof latencyCurveSchema>;

/** One trial of the first side with the trial of the second that has the same target, settings and connections, or that was asked for. */
export const comparisonRowSchema = z.object({
  label: z.string(),
  a: trialSchema.nullable(),
  b: trialSchema.nullable(),
  throughputRatio: z.number().nullable().describe('b over a'),
  p99Ratio: z.number().nullable(),
  cpuPerRequestRatio: z.number().nullable(),
  throughput: comparedMetricSchema.nullable().default(null),
  p99: comparedMetricSchema.nullable().default(null),
  cpuPerRequest: comparedMetricSchema.nullable().default(null),
  curves: z.object({ a: latencyCurveSchema, b: latencyCurveSchema }).nullable().default(null),
});
export type ComparisonRow = z.infer<typeof comparisonRowSchema>;

const comparedSideSchema = z.object({
  id: z.string(),
  title: z.string(),
  name: z.string().describe('what sentences call it, e.g. “pool 8” or “the run of 14:02”'),
  short: z.string().describe('what columns call it, e.g. “pool 8” or “14:02”'),
  startedAt: z.string(),
  trialKey: z.string().nullable().default(null),
  recordings: z.array(recordingSummarySchema).default([]),
  request: runRequestSchema.nullable().default(null).describe('what was asked for, to run it again'),
  trials: z
    .array(z.object({ key: z.string(), label: z.string() }))
    .default([])
    .describe('all settings of the run, to choose one from'),
});

const comparisonSaidSchema = z.object({
  verdict: z.string(),
  withoutCure: z.string().describe('the same without what would decide, for who offers to do it'),
  caution: z.string().describe('what stands against trusting it; empty where nothing does'),
});
export type ComparisonSaid = z.infer<typeof comparisonSaidSchema>;

export const comparisonSchema = z.object({
  a: comparedSideSchema,
  b: comparedSideSchema,
  headline: z.string().default('').describe('the verdict as a sentence a person would say'),
  said: comparisonSaidSchema.describe('the headline in its parts'),
  delta: z.number().default(defaultDelta).describe('δ: within which both sides count as the same, a share; the smaller of theirs'),
  sameRun: z.boolean().default(false).describe('measured in the same rounds'),
  differences: z
    .array(z.object({ what: z.string(), a: z.string(), b: z.string(), severity: z.enum(['info', 'warning']) }))
    .describe('of environment and load'),
  rows: z.array(comparisonRowSchema),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** Open rates this near to each other count as the same. */
const sameRateWithin = 0.02;

/** Whether both trials have a p99 at the same fixed rate, which then is what is compared. */
export function haveSameRate(a: Trial | null, b: Trial | null): boolean {
  const [one, other] = [a?.openLoop, b?.openLoop];
  return one != null && other != null && Math.abs(one.rate / other.rate - 1) <= sameRateWithin;
}
