import * as z from 'zod';
import { connectionsSchema, loadFields } from './requestFields.ts';
import { budgetRangeS } from './runOptions.ts';
import { settingValuesSchema } from './setting.ts';

/** As long as all cycles take together, where nothing else is asked for: seconds. */
export const leakBudgetS = 60;

export const leakRequestSchema = z.strictObject({
  target: z.string(),
  ...loadFields,
  connections: connectionsSchema.optional(),
  settings: settingValuesSchema.default({}),
  budgetS: z.number().min(20).max(budgetRangeS.max).default(leakBudgetS).describe('for all cycles, from the first load on: seconds'),
});
export type LeakRequest = z.infer<typeof leakRequestSchema>;

/** The heap after a load, a rest and a full collection. */
export const leakCycleSchema = z.object({
  requests: z.number().int().describe('sent since the process started, this cycle’s included: counted'),
  errors: z.number().int().describe('of this cycle that were answered with an error, or not at all'),
  keptBytes: z.number().describe('in use after the collection: objects, and for Node also what buffers hold outside of the heap'),
});
export type LeakCycle = z.infer<typeof leakCycleSchema>;

/** Bytes per request, with an interval. */
export const keptPerRequestSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });
export type KeptPerRequest = z.infer<typeof keptPerRequestSchema>;

export const leakVerdictSchema = z.enum(['leaks', 'does-not-leak', 'undecided']);

/** Why nothing can be said yet. */
export const leakDoubtSchema = z.enum(['levels-off', 'interval', 'few-cycles']);
export type LeakDoubt = z.infer<typeof leakDoubtSchema>;

/** A class, or what a constructor of JavaScript made, whose objects of every cycle stay. */
export const growingClassSchema = z.object({
  name: z.string(),
  perCycle: z.array(z.number().int()).describe('how many more there are after each of the cycles that were looked at'),
  bytes: z.number().describe('that these take themselves'),
});
export type GrowingClass = z.infer<typeof growingClassSchema>;

/** An older object that new ones hang on. */
export const leakHolderSchema = z.object({
  kind: z.string().describe('its class or constructor, such as Map'),
  name: z.string().nullable().describe('the variable or property that it is in'),
  objects: z.number().int().describe('new ones that are reached through it'),
  bytes: z.number(),
});
export type LeakHolder = z.infer<typeof leakHolderSchema>;

/** Where objects were allocated that are still there, the innermost frame first. */
export const leakStackSchema = z.object({
  bytes: z.number().describe('an estimate, from samples'),
  frames: z.array(z.object({ name: z.string(), file: z.string(), line: z.number().int().describe('0: not known') })),
});
export type LeakStack = z.infer<typeof leakStackSchema>;

/** Why something of the answer is not there. */
export const leakNoteSchema = z.enum(['errors', 'heap-too-large', 'no-stacks', 'no-census', 'time']);
export type LeakNote = z.infer<typeof leakNoteSchema>;

export const leakReportSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  runtime: z.enum(['node', 'jvm']),
  load: z.object({ name: z.string(), connections: z.number().int(), route: z.string().nullable() }),
  verdict: leakVerdictSchema,
  doubt: leakDoubtSchema.nullable().describe('null where there is an answer'),
  kept: keptPerRequestSchema.nullable().describe('bytes per request over the cycles that count'),
  confidence: z.number().describe('of the interval'),
  smallest: z.number().describe('bytes per request below which nothing is called a leak'),
  settling: z.number().int().describe('so many of the first cycles do not count: caches, pools and compiled code fill in them'),
  cycles: z.array(leakCycleSchema),
  classes: z.array(growingClassSchema).describe('those that grow most first'),
  holders: z.array(leakHolderSchema),
  stacks: z.array(leakStackSchema),
  notes: z.array(leakNoteSchema),
  spentS: z.number(),
  budgetS: z.number(),
});
export type LeakReport = z.infer<typeof leakReportSchema>;
