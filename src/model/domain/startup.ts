import * as z from 'zod';
import { settingValuesSchema } from './setting.ts';
import { runtimeSchema } from './target.ts';
import { ratioSchema, verdictSchema } from './tuning.ts';

/** How often a target is started, where nothing else is asked for. */
export const startupStarts = 8;
export const startsRange = { min: 3, max: 50 } as const;
/** How long it is watched under load, in seconds, where nothing else is asked for. */
export const startupSteadyS = 30;
export const steadyRangeS = { min: 0, max: 300 } as const;

export const startupRequestSchema = z.strictObject({
  target: z.string(),
  settings: settingValuesSchema.default({}),
  starts: z.number().int().min(startsRange.min).max(startsRange.max).default(startupStarts).describe('that count, of each way to start'),
  steadyS: z
    .number()
    .min(steadyRangeS.min)
    .max(steadyRangeS.max)
    .default(startupSteadyS)
    .describe('at most so long each way is put under its load, until a request takes no less CPU any more; 0: not at all'),
});
export type StartupRequest = z.infer<typeof startupRequestSchema>;

/** One start, in ms. */
export const startSchema = z.object({
  readyMs: z.number().describe('from its process until it answered its readiness request well'),
  firstAnswerMs: z.number().nullable().describe('until the first answer to a route; null where it has none that can be asked'),
  firstTookMs: z.number().nullable().describe('that this first answer took'),
  laterTookMs: z.number().nullable().describe('that a later one took: the median of some, one after the other'),
});
export type Start = z.infer<typeof startSchema>;

/** A geometric mean of the starts, with its 95 % interval; ms. */
export const startTimeSchema = z.object({ mean: z.number(), low: z.number(), high: z.number() });
export type StartTime = z.infer<typeof startTimeSchema>;

/** How it was started: as declared, or with an archive of classes made by a start before. */
export const startWaySchema = z.enum(['as-is', 'class-archive', 'aot-cache']);
export type StartWay = z.infer<typeof startWaySchema>;

/** What a target that was put under its load as soon as it was ready took until it was warm. */
export const steadyLoadSchema = z.object({
  connections: z.number().int(),
  afterMs: z.number().nullable().describe('of load, until the CPU time of a request had levelled off; null: it had not by the end'),
  watchedMs: z.number(),
  firstUs: z.number().describe('CPU time of a request in the first second'),
  settledUs: z.number().describe('and when it had levelled off, or in the end'),
});
export type SteadyLoad = z.infer<typeof steadyLoadSchema>;

export const startVariantSchema = z.object({
  way: startWaySchema,
  starts: z.array(startSchema),
  ready: startTimeSchema.nullable(),
  firstAnswer: startTimeSchema.nullable(),
  firstTook: startTimeSchema.nullable(),
  laterTook: startTimeSchema.nullable(),
  steady: steadyLoadSchema.nullable().describe('of one more start; null where it was not looked for, or CPU times are not known'),
});
export type StartVariant = z.infer<typeof startVariantSchema>;

/** An archive of classes against none. */
export const archiveSchema = z.object({
  way: startWaySchema,
  ratio: ratioSchema.describe('time until ready with it over that without, by pairs of starts'),
  verdict: verdictSchema.describe('better: it is ready sooner'),
  bytes: z.number().describe('of the archive'),
  madeS: z.number().describe('that the start took which made it, with its end'),
  options: z.object({ make: z.array(z.string()), use: z.array(z.string()) }).describe('of java, with FILE for the archive'),
});
export type Archive = z.infer<typeof archiveSchema>;

export const startPartSchema = z.object({
  name: z.string().describe('a package, a jar, or what the runtime itself does'),
  ms: z.number(),
  share: z.number(),
  classes: z.number().int().nullable().describe('loaded from there; of a JVM'),
});
export type StartPart = z.infer<typeof startPartSchema>;

/** Why something of the answer is not there. */
export const startupNoteSchema = z.enum(['no-answer', 'no-parts', 'no-archive', 'not-java', 'archive-declared', 'old-jdk']);
export type StartupNote = z.infer<typeof startupNoteSchema>;

export const startupReportSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  runtime: runtimeSchema,
  route: z.string().nullable().describe('that was asked for first'),
  variants: z.array(startVariantSchema).min(1),
  archive: archiveSchema.nullable(),
  parts: z.array(startPartSchema).describe('of one more start, which does not count; those that take most first'),
  partsBy: z.enum(['cpu-profile', 'class-loading']).nullable(),
  notes: z.array(startupNoteSchema),
  spentS: z.number(),
});
export type StartupReport = z.infer<typeof startupReportSchema>;
