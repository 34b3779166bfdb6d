import * as z from 'zod';
import { isObject } from './isObject.ts';
import { mixEntrySchema } from './loadProfile.ts';
import { ladderSignSchema } from './diagnosis.ts';
import { diagnosisKindSchema } from './diagnosisKind.ts';
import { findingSchema } from './findingKinds.ts';
import { keptFields } from './requestFields.ts';
import { roleSchema, stageSchema, stepMetricsSchema } from './scenario.ts';
import { settingValuesSchema } from './setting.ts';
import { sloSchema } from './slo.ts';
import { topologySchema } from './topology.ts';
import { ratioSchema } from './tuning.ts';
import { verdictPartSchema } from './verdict/verdictKinds.ts';

export const requirementSchema = z.enum([
  'java',
  'virtual-threads',
  'unpinned-monitors',
  'postgres',
  'documents',
  'nginx',
  'pgbouncer',
  'php',
  'openssl',
]);
export type Requirement = z.infer<typeof requirementSchema>;

const nameSchema = z.string().regex(/^[a-z][a-z0-9-]*$/, 'a name is lower-case letters, digits and dashes');
const levelsSchema = z.array(z.number().int().min(1).max(10_000)).min(1).max(64);

/** One configuration of an experiment: a target with its settings and topology, e.g. “Java · pool 30”. */
export const experimentVariantSchema = z.strictObject({
  name: nameSchema,
  label: z.string(),
  target: z.string(),
  settings: settingValuesSchema.default({}),
  topology: topologySchema.default({ instances: 1, proxy: null, cpuShare: null, schedule: [] }),
  route: z.string().optional().describe('`METHOD /path` instead of the target’s mix'),
  mix: z.array(mixEntrySchema).min(1).optional().describe('weighted routes instead of the target’s mix'),
  needs: z.array(requirementSchema).default([]).describe('without these the variant is left out and the rest is measured'),
});
export type ExperimentVariant = z.infer<typeof experimentVariantSchema>;

/** The name under which a trial’s settings distinguish variants that differ only in the proxy or pooler around the app; no target has such a setting. */
export const variantSetting = 'variant';

/** What is done with the variants. Seconds and rounds are those of one form (short or full). */
const amount = {
  rounds: z.number().int().min(1).max(50).default(2),
  blockS: z.number().min(0.5).max(3600).default(3),
  settleS: z.number().min(0).max(60).default(0.7),
};
export const experimentPlanSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ladder'), levels: levelsSchema.describe('connections in the closed loop'), ...amount }),
  z.strictObject({ kind: z.literal('memory'), connections: z.number().int().min(1), maxS: z.number().min(5).max(3600) }),
  z.strictObject({ kind: z.literal('outage'), connections: z.number().int().min(1), durationS: z.number().min(5).max(3600) }),
  z.strictObject({
    kind: z.literal('together'),
    loads: z
      .array(
        z.strictObject({ name: nameSchema, route: z.string(), connections: z.number().int().min(1), main: z.boolean().default(false) }),
      )
      .min(2)
      .max(6),
    ...amount,
  }),
  z.strictObject({
    kind: z.literal('roles'),
    roles: z.array(roleSchema).min(1),
    stages: z.array(stageSchema).min(1),
    soak: z.boolean().default(false).describe('watch memory, descriptors, disk, latency and errors for growth'),
    rounds: amount.rounds.default(1).describe('how often all variants walk them, in turns; a soak is walked once'),
  }),
  z.strictObject({
    kind: z.literal('breaking-point'),
    slo: sloSchema,
    lowest: z.number().int().min(1),
    highest: z.number().int().min(2).max(10_000),
    blockS: amount.blockS,
    settleS: amount.settleS,
  }),
]);
export type ExperimentPlan = z.infer<typeof experimentPlanSchema>;

/** A table or curve of the publication: rows of a label and values by column. */
export const publishedTableSchema = z.strictObject({
  caption: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
});
export type PublishedTable = z.infer<typeof publishedTableSchema>;

/** One figure of a point by which shapes are compared. */
export const metricNameSchema = z.enum([
  'throughput',
  'meanMs',
  'p99Ms',
  'errorShare',
  'cpuPercent',
  'requestsPerCpuSecond',
  'rssMb',
  'databaseMs',
  'poolWaitMs',
  'switchesPerS',
  'utilisationPercent',
  'users',
  'lossPercent',
  'recoveryS',
]);
export type MetricName = z.infer<typeof metricNameSchema>;

const [figure, variant] = [metricNameSchema, z.string()];
/** A level; `best`: that with the most of the figure. */
const at = z.union([z.number(), z.literal('last'), z.literal('best')]).default('last');
const atLevel = z.union([z.number(), z.literal('last')]).default('last');
const range = { min: z.number().optional(), max: z.number().optional() };
const withinPercent = z.number().positive();

function shape<R extends string, S extends z.ZodRawShape>(rule: R, fields: S) {
  return z.strictObject({ rule: z.literal(rule), ...fields, because: z.string() });
}

/** When our result has the shape of the published one. Each rule is judged separately; all must hold. */
export const shapeRuleSchema = z
  .discriminatedUnion('rule', [
    shape('flat', { figure, variant, from: z.number().optional(), withinPercent }),
    shape('rises', { figure, variant, atLeast: z.number().describe('last level over first level'), atMost: z.number().optional() }),
    shape('order', {
      figure,
      variants: z.array(z.string()).min(2).describe('from the smallest to the largest'),
      at,
      slackPercent: z.number().min(0).default(0),
    }),
    shape('ratio', { figure, of: z.string(), to: z.string(), at, ...range }),
    shape('plateau', {
      figure,
      variant,
      by: z.number().describe('from this level on it does not rise by more than withinPercent'),
      withinPercent,
    }),
    shape('limit', { variant, kinds: z.array(diagnosisKindSchema).min(1), at: atLevel }),
    shape('value', { figure, variant, at: atLevel, ...range }),
  ])
  .meta({ id: 'shapeRule' });
export type ShapeRule = z.infer<typeof shapeRuleSchema>;

/** Where the expected figures come from: a publication, or a law from which they follow on any machine. */
export const experimentBasisSchema = z.enum(['publication', 'law']);

/** A published experiment that can be repeated: `profiles/experiments/published/*.json`. */
export const experimentFileSchema = z.strictObject({
  $schema: z.string().optional(),
  id: z.string().regex(/^[A-Z][0-9]$/, 'an id is a letter and a digit, such as C1'),
  title: z.string(),
  asks: z.string().describe('the question, one sentence'),
  source: z.string().describe('the study it comes from'),
  basis: experimentBasisSchema.default('publication'),
  needs: z.array(requirementSchema).default([]),
  variants: z.array(experimentVariantSchema).min(1).max(12),
  interleaved: z
    .boolean()
    .default(true)
    .describe('variants take turns within a round; false: one after the other, for those that cannot run at once'),
  errorsCount: z
    .boolean()
    .default(false)
    .describe(
      'errors are a metric of the experiment, such as those of a ladder that goes beyond what a server bears: they do not discard a point',
    ),
  short: experimentPlanSchema,
  full: experimentPlanSchema,
  figure: metricNameSchema.default('throughput').describe('what is drawn over the levels'),
  published: z
    .array(publishedTableSchema)
    .min(1)
    .describe('the figures that its rules come from, as they were published or as they follow from the law'),
  shape: z.array(shapeRuleSchema).min(1),
  notToday: z.string().describe('in plain words, why the result may not agree on today’s versions'),
  then: z.string().optional().describe('id of the study that takes the next step'),
});
export type ExperimentFile = z.infer<typeof experimentFileSchema>;

/** What was measured of one variant at one level. `trialKey` leads to the trial of the same run. */
export const experimentPointSchema = z.object({
  variant: z.string(),
  level: z.number(),
  trialKey: z.string().nullable(),
  valid: z.boolean(),
  reasons: z.array(findingSchema),
  figures: z.partialRecord(metricNameSchema, z.number().nullable()),
  throughput: ratioSchema.nullable().describe('requests/s with its 95 % interval'),
  limit: diagnosisKindSchema.nullable(),
  limitSaid: verdictPartSchema.nullable().describe('what its verdict says'),
});
export type ExperimentPoint = z.infer<typeof experimentPointSchema>;

/** A series over time (seconds since the window opened), e.g. throughput while an instance is killed, or memory until it no longer grows. */
export const experimentSeriesSchema = z.object({
  label: z.string(),
  unit: z.string(),
  variant: z.string(),
  points: z.array(z.tuple([z.number(), z.number()])),
  marks: z.array(z.object({ atS: z.number(), label: z.string() })).default([]),
});
export type ExperimentSeries = z.infer<typeof experimentSeriesSchema>;

/** What was seen of a rule, with its figures. */
const shapeFoundSchema = z.discriminatedUnion('code', [
  z.object({
    code: z.literal('unmeasured'),
    variant: z.string(),
    reason: findingSchema.nullable().describe('why the first of its points is discarded'),
  }),
  z.object({
    code: z.literal('flat'),
    least: z.number(),
    most: z.number(),
    levels: z.tuple([z.number(), z.number()]).describe('the first and the last'),
  }),
  z.object({
    code: z.literal('rises'),
    ends: z.tuple([z.object({ level: z.number(), value: z.number() }), z.object({ level: z.number(), value: z.number() })]),
    isWhole: z.boolean().describe('false: an end of the ladder was discarded'),
  }),
  z.object({ code: z.literal('plateau'), from: z.number().describe('level'), growth: z.number().describe('a share') }),
  z.object({ code: z.literal('order'), values: z.array(z.number()).describe('in the order of the variants of the rule') }),
  z.object({ code: z.literal('ratio'), values: z.tuple([z.number(), z.number()]) }),
  z.object({
    code: z.literal('limit'),
    level: z.number(),
    kind: diagnosisKindSchema,
    isLikely: z.boolean().describe('it is only likely'),
    said: verdictPartSchema.nullable().describe('what its verdict says'),
  }),
  z.object({ code: z.literal('value'), value: z.number() }),
  z.object({ code: z.literal('recorded'), sentence: z.string(), seen: z.string().optional() }).describe('of a record of before'),
]);

const judgedShapeSchema = z.object({
  agrees: z.boolean().nullable().describe('null: it could not be told'),
  rule: shapeRuleSchema.nullable().describe('null in a record of before'),
  found: shapeFoundSchema,
  because: z.string(),
  interval: z
    .object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() })
    .nullable()
    .default(null)
    .describe('what the rule was judged by: a ratio (the figure itself of “value”) with its interval; null on a side without end'),
  moreSeconds: z.number().nullable().default(null).describe('of a rule that is open: about how much longer would decide it'),
  stuck: z
    .discriminatedUnion('code', [
      z.object({ code: z.literal('left-alone'), value: z.number().describe('without what others took of the CPU') }),
      z.object({ code: z.enum(['edge', 'rare']) }),
    ])
    .nullable()
    .default(null)
    .describe('of a rule that is open: why no time would decide it'),
});

/** How a rule was judged. Stored before, it was sentences. */
export const shapeResultSchema = z.preprocess((stored) => {
  if (!isObject(stored) || typeof stored['sentence'] !== 'string') return stored;
  const { sentence, seen, ...judged } = stored;
  return { ...judged, rule: null, found: { code: 'recorded', sentence, ...(seen === undefined ? {} : { seen }) } };
}, judgedShapeSchema);
export type ShapeResult = z.infer<typeof shapeResultSchema>;

/** Before against after by the words of the study D: < 10 % failure, 10–50 % improvement, > 50 % success. */
export const successRowSchema = z.object({
  what: z.string(),
  before: z.string(),
  after: z.string(),
  change: z.string(),
  word: z.enum(['failure', 'improvement', 'success']),
  welchP: z.number().nullable().describe('two-sided p of Welch’s t-test over the blocks'),
  interval: z.string().nullable().describe('our 95 % interval of the ratio'),
});
export type SuccessRow = z.infer<typeof successRowSchema>;

export const experimentRecordSchema = z.object({
  kind: z.literal('experiment'),
  experiment: experimentFileSchema,
  form: z.enum(['short', 'full']),
  points: z.array(experimentPointSchema),
  series: z.array(experimentSeriesSchema),
  steps: z.array(stepMetricsSchema).default([]),
  success: z.array(successRowSchema).default([]),
  ladders: z.array(z.object({ variant: z.string(), sign: ladderSignSchema })).default([]),
  shape: z.array(shapeResultSchema),
  agrees: z.boolean().nullable().describe('whether every rule of shape holds; null: at least one is open, and none failed'),
  summary: z.string().optional().describe('of a record of before'),
});
export type ExperimentRecord = z.infer<typeof experimentRecordSchema>;

/** An experiment as a list shows it: what it asks, how long it takes, and what is missing on this machine. */
export const listedExperimentSchema = z.object({
  id: z.string(),
  title: z.string(),
  asks: z.string(),
  source: z.string(),
  needs: z.array(requirementSchema),
  missing: z.array(z.object({ need: requirementSchema, message: z.string(), cure: z.string() })),
  shortS: z.number().describe('about how long the short form takes'),
  fullS: z.number(),
  lastRunId: z.string().nullable(),
  lastAgrees: z.boolean().nullable(),
  then: z.string().nullable(),
});
export type ListedExperiment = z.infer<typeof listedExperimentSchema>;

/** How long a soak may last instead of as long as its experiment says: seconds. */
export const soakRangeS = { min: 10, max: 86_400 } as const;

export const experimentRequestSchema = z.strictObject({
  id: z.string(),
  form: z.enum(['short', 'full']).default('short'),
  soakS: z
    .number()
    .min(soakRangeS.min)
    .max(soakRangeS.max)
    .optional()
    .describe('how long the soak of a study that has one lasts instead, s'),
  ...keptFields,
});
export type ExperimentRequest = z.infer<typeof experimentRequestSchema>;
