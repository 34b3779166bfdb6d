import * as z from 'zod';
import { comparedMethodSchema } from './comparedMethod.ts';
import { defaultDelta } from './margin.ts';
import { recordingSummarySchema } from './recording.ts';
import { type Trial, runRequestSchema, trialSchema } from './run.ts';
import { watchedPartSchema } from './setting.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';

/** What sides are compared by. `cpu` stands for whatever a request costs. */
const comparedFigureSchema = z.enum(['throughput', 'p99', 'cpu']);
export type ComparedFigure = z.infer<typeof comparedFigureSchema>;

/** What would decide. `rounds`: so many more; without a number, no affordable one would. */
const comparedCureSchema = z.enum(['rounds', 'side-by-side', 'in-turn', 'fresh-processes', 'larger-budget']);
export type ComparedCure = z.infer<typeof comparedCureSchema>;

/** One figure of the second side against that of the first; `comparedWords.ts` has its sentences. */
export const comparedMetricSchema = z.object({
  of: comparedFigureSchema,
  ratio: ratioSchema,
  verdict: verdictSchema,
  delta: z.number().describe('within which both count as the same, a share'),
  cure: comparedCureSchema.optional().describe('where it is open'),
  moreRounds: z.number().int().nullable(),
  chance: z.number().optional().describe('how often two that are equal differ at least as much (p); absent where there is no interval'),
  method: z.array(comparedMethodSchema).describe('what the interval rests on'),
  byMechanism: watchedPartSchema
    .optional()
    .describe(
      'what nobody waits for with either, so that both must be the same whatever the figures scatter; absent where only figures speak',
    ),
  unanswered: z
    .object({ ratePerS: z.number(), a: z.boolean(), b: z.boolean() })
    .optional()
    .describe('which of both could not answer the fixed rate'),
});
export type ComparedMetric = z.infer<typeof comparedMetricSchema>;

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

/** The figures that rows compare: the field of each, and what it is called. */
const comparedNames = { throughput: 'throughput', p99: 'p99', cpuPerRequest: 'CPU per request' } as const;
export type ComparedField = keyof typeof comparedNames;
export type ComparedMetrics = Record<ComparedField, ComparedMetric | null>;
export const comparedFields = Object.keys(comparedNames) as readonly ComparedField[];

/** The figures of a row that were compared. */
export function comparedIn(row: ComparedMetrics): { name: string; compared: ComparedMetric }[] {
  return comparedFields.flatMap((field) => (row[field] === null ? [] : [{ name: comparedNames[field], compared: row[field] }]));
}

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

export const comparisonSchema = z.object({
  a: comparedSideSchema,
  b: comparedSideSchema,
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
