import * as z from 'zod';
import { answerFactsSchema } from './answerFacts.ts';
import { answerReasonSchema } from './answerReason.ts';
import { diagnosisSchema } from './diagnosis.ts';
import { interferenceSchema } from './interference.ts';
import { failureSchema } from './failure.ts';
import { findingSchema } from './findingKinds.ts';
import { freshFindingSchema } from './freshFinding.ts';
import { latencySchema } from './latency.ts';
import { loadProfileSchema } from './loadProfile.ts';
import { defaultDelta } from './margin.ts';
import { recordingRecordSchema, recordingSummarySchema } from './recording.ts';
import { runNoteSchema } from './runNoteKinds.ts';
import { planSchema } from './runPlan.ts';
import { runFlagFields } from './runFlags.ts';
import { requestFields } from './runOptions.ts';
import { runResultSchema } from './runResult.ts';
import { askedModeSchema, comparingFields, connectionsSchema, valuesSchema } from './requestFields.ts';
import { stepMetricsSchema } from './scenario.ts';
import { lookedUpNameSchema, settingValueSchema, settingValuesSchema, watchedPartSchema } from './setting.ts';
import { rawRecordSchema } from './rawSample.ts';
import { sloResultSchema } from './slo.ts';
import { runtimeSchema } from './target.ts';
import { bouncerUseSchema, distanceUseSchema, instanceUseSchema, proxyUseSchema } from './topologyUse.ts';
import { openLoopMetricSchema, verdictSchema } from './tuning.ts';
import { statementUseSchema } from './statement.ts';
import { evidenceItemSchema } from './answerEvidence.ts';

/** The schema version that this code writes. A record with a higher one was made by a newer Benchside. */
export const runSchemaVersion = 7;

/** Time in base 36 and 96 random bits: sorts by time, never collides, and is safe as a folder name. */
export const runIdSchema = z.string().regex(/^[a-z0-9]{6,12}-[a-f0-9]{24}$/);

/** What the user asks for. Everything left out comes from the load profile and the targets' defaults. */
export const runRequestSchema = z.strictObject({
  ...comparingFields,
  settings: valuesSchema.default({}),
  connections: z.array(connectionsSchema).min(1).optional(),
  ...requestFields,
  ...runFlagFields,
  mode: askedModeSchema
    .optional()
    .describe('how settings are brought about; auto, the default, changes a running process where the app lets itself be changed'),
});
export type RunRequest = z.infer<typeof runRequestSchema>;

function inEachField<S extends z.ZodRawShape, V>({ shape }: z.ZodObject<S>, value: V): Record<keyof S, V> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, value])) as Record<keyof S, V>;
}

/** Errors by kind. `unanswered` are requests still without an answer at the end of a block although they had ample time. */
export const errorCountsSchema = z.object({
  total: z.number(),
  refused: z.number(),
  reset: z.number(),
  timeout: z.number(),
  status4xx: z.number().describe('but for 429'),
  status5xx: z.number(),
  unanswered: z.number(),
  other: z.number(),
  // Files of raw samples refer to these keys by their place: add new keys at the end.
  limited: z.number().default(0).describe('status 429: a rate limit'),
  unexpected: z.number().default(0).describe('answered otherwise than the route’s "expect" says'),
});
export type ErrorCounts = z.infer<typeof errorCountsSchema>;
export const noErrors: ErrorCounts = inEachField(errorCountsSchema, 0);

/** The load generator's view of itself in one block. */
export const generatorHealthSchema = z.object({
  cpuPercent: z.number().describe('of one core'),
  eventLoopUtilisation: z.number().min(0).max(1).nullable().describe('null of a generator that has none, or does not tell'),
  littleRatio: z
    .number()
    .nullable()
    .describe(
      'mean requests in flight over connections, as seen in slices, else by Little’s law (X·R/C); about 1 when the generator keeps up',
    ),
});
export type GeneratorHealth = z.infer<typeof generatorHealthSchema>;

/** Sums and means of one block's or trial's observations. */
export const resourceUseSchema = z.object({
  cpuPercent: z.number().nullable(),
  rssBytes: z.number().nullable(),
  cpuUsPerRequest: z.number().nullable(),
  contextSwitchesPerSecond: z.number().nullable(),
  threads: z.number().nullable(),
  wantedCpuPercent: z
    .number()
    .nullable()
    .default(null)
    .describe('of one core: CPU that was used or for which threads that were ready waited; what would have been used, had nobody taken it'),
});
export type ResourceUse = z.infer<typeof resourceUseSchema>;
export const noUse: ResourceUse = inEachField(resourceUseSchema, null);

export const trialResourcesSchema = z.object({
  app: resourceUseSchema,
  postgres: resourceUseSchema,
  generator: resourceUseSchema.extend({ eventLoopUtilisation: z.number().nullable(), littleRatio: z.number().nullable() }),
  host: z.object({ stealPercent: z.number().nullable(), otherPercent: z.number().nullable() }),
  sessions: z.record(z.string(), z.number()).describe('mean number of PostgreSQL sessions by state or wait'),
});
export type TrialResources = z.infer<typeof trialResourcesSchema>;

/** Percent of one core that app, database and load generator used or waited for together; null where it was not seen of the app. */
export function wantedByAllPercent({ app, postgres, generator }: TrialResources): number | null {
  if (app.wantedCpuPercent === null) return null;
  return [app, postgres, generator].reduce((sum, one) => sum + (one.wantedCpuPercent ?? one.cpuPercent ?? 0), 0);
}

/**
 * The slices of a block, as columns: one entry for each pass over the sides that were measured together. CPU times are µs for each request; null where they are
 * not known.
 */
export const slicesSchema = z.object({
  pass: z.array(z.number().int()).describe('which pass of its round, from 1: the other sides of a round have a slice in the same pass'),
  atMs: z.array(z.number()).describe('when it began, since the first slice of the round'),
  wholeMs: z.array(z.number()).describe('from its first request to its last answer'),
  throughput: z.array(z.number()).describe('requests/s'),
  appUs: z.array(z.number().nullable()).describe('without the compilers of its runtime, which end one day'),
  compilerUs: z.array(z.number().nullable()).optional().describe('of the app beside that; absent in records of before'),
  busiestUs: z.array(z.number().nullable()).describe('of the app, the thread that used most'),
  busiestShare: z.array(z.number().nullable()).describe('of the slice, what that thread ran or waited for a core, 0 … 1'),
  servingUs: z.array(z.number().nullable()).describe('app, PostgreSQL, proxy and PgBouncer together'),
  allUs: z.array(z.number().nullable()).describe('the same and the load generator'),
  used: z.array(z.number().nullable()).describe('of the machine’s cores, what all these ran, 0 … 1'),
  demand: z
    .array(z.number().nullable())
    .describe('of the machine’s cores, what all these ran or waited for, 0 … : from 1 on there was more to run than there are cores'),
});
export type Slices = z.infer<typeof slicesSchema>;

/** One measured block: the load was on one process for `windowMs`, after settling. */
export const blockSchema = z.object({
  round: z.number().int().describe('from 1'),
  start: z
    .number()
    .int()
    .optional()
    .describe('which start of its processes it was measured in, from 1; absent where they were started once'),
  startMs: z.number().describe('start of the measured window on the run’s time axis'),
  windowMs: z.number(),
  requests: z.number(),
  throughput: z.number().describe('requests/s'),
  bytesPerSecond: z.number(),
  latencyMs: latencySchema.nullable(),
  errors: errorCountsSchema,
  generator: generatorHealthSchema,
  appCpuUsPerRequest: z.number().nullable(),
  allocatedBytesPerRequest: z.number().optional().describe('absent where the runtime does not tell it'),
  slices: slicesSchema.optional().describe('absent where the load did not turn from side to side'),
  valid: z
    .boolean()
    .describe('false: something else than the setting was measured, see reasons; such a block is discarded and counts nowhere'),
  reasons: z.array(findingSchema),
  interference: interferenceSchema.nullable().default(null).describe('CPU that was taken away meanwhile; the block counts all the same'),
  open: z
    .object({
      intended: z.number(),
      sent: z.number(),
      late: z.number().describe('sent more than 10 ms after their time'),
      dropped: z.number().describe('not sent, because too many were under way'),
    })
    .optional()
    .describe('requests of a block at a fixed rate'),
  waits: z
    .object({
      pool: z.number().min(0).max(1).nullable().describe('for a connection of the pool'),
      threads: z.number().min(0).max(1).nullable().describe('for a request thread'),
      client: z.number().min(0).max(1).nullable().optional().describe('for a connection of an HTTP client to another service'),
      bouncer: z.number().min(0).max(1).nullable().optional().describe('for a connection of PgBouncer’s to PostgreSQL'),
    })
    .nullable()
    .default(null)
    .describe('the share of a request’s time that was spent waiting; null where it is not seen'),
});
export type Block = z.infer<typeof blockSchema>;

/** Mean and 95 % interval in requests/s; the interval is null where there are too few blocks for one. */
export const throughputSchema = z.object({
  mean: z.number(),
  ciLow: z.number().nullable(),
  ciHigh: z.number().nullable(),
  blocks: z.array(z.number()),
});
export type Throughput = z.infer<typeof throughputSchema>;

export const warmUpSchema = z.object({
  durationMs: z.number(),
  steady: z.boolean(),
  throughput: z.array(z.number()).describe('requests/s per tick; of processes that were warmed at once, their mean'),
  tickMs: z.number(),
});
export type WarmUp = z.infer<typeof warmUpSchema>;

/** Where a request's time goes, in ms of its mean latency; the parts add up to `totalMs`. */
export const timeBudgetSchema = z.object({
  totalMs: z.number(),
  cpuMs: z.number().describe('CPU of the app, outside of the time in which a connection was held'),
  poolWaitMs: z.number(),
  databaseMs: z.number().describe('a connection was held, and the database was or may have been at work on it'),
  heldIdleMs: z
    .number()
    .default(0)
    .describe('a connection was held and nothing was asked of the database, by what its sessions show: the app did something else'),
  otherMs: z.number(),
});
export type TimeBudget = z.infer<typeof timeBudgetSchema>;

/** What a probe saw of the connection pool and the request threads within a trial's valid blocks; means over time. */
export const poolUseSchema = z.object({
  kind: z.string(),
  name: z.string(),
  max: z.number().nullable(),
  busy: z.number(),
  busyMost: z.number().optional().describe('at any reading; absent where none was taken'),
  pending: z.number(),
  waitMs: z.number().nullable().describe('mean wait for a connection'),
  waitP99Ms: z.number().nullable(),
  holdMs: z.number().nullable().describe('mean time a connection is held'),
  perRequest: z.number().nullable().describe('connections taken per request'),
  processes: z.number().int().optional().describe('that have such a pool each: the other figures are of all of them together'),
});
export type PoolUse = z.infer<typeof poolUseSchema>;
export const threadUseSchema = z.object({
  kind: z.string(),
  name: z.string(),
  max: z.number().nullable(),
  busy: z.number(),
  queue: z.number(),
});
export type ThreadUse = z.infer<typeof threadUseSchema>;

/**
 * A failure of the program under test, rather than of its measurement: more requests than allowed were answered with errors, it ended unasked, it could
 * not be started with these settings, or its database was restarted.
 */
export const trialFailureSchema = z.enum(['errors', 'ended', 'not-started', 'database-restarted']);
export type TrialFailure = z.infer<typeof trialFailureSchema>;

/** One target with one set of settings under one load. A trial that breaks a rule says so and is compared with none. */
export const trialSchema = z.object({
  key: z.string(),
  target: z.string(),
  targetLabel: z.string(),
  runtime: runtimeSchema,
  settings: settingValuesSchema,
  sizes: z
    .record(lookedUpNameSchema, watchedPartSchema)
    .optional()
    .describe('of what requests can be seen to wait for, which setting is the size; absent where none is'),
  connections: z.number(),
  valid: z.boolean(),
  reasons: z.array(findingSchema),
  notes: z.array(findingSchema).describe('what is worth knowing and does not make it invalid'),
  failed: trialFailureSchema.optional().describe('absent where the program under test did what it should'),
  throughput: throughputSchema,
  bytesPerSecond: z.number(),
  latencyMs: latencySchema.nullable(),
  requests: z.number(),
  errors: errorCountsSchema,
  resources: trialResourcesSchema,
  warmUp: warmUpSchema.nullable(),
  blocks: z.array(blockSchema),
  histogram: z.string().nullable().describe('file in the run’s folder with the merged µs histogram (HdrHistogram V2, base64)'),
  pool: poolUseSchema.nullable().default(null),
  threadPool: threadUseSchema.nullable().default(null),
  eventLoopUtilisation: z.number().nullable().default(null).describe('0 … 1, of the busiest event loop of a Node app'),
  timeBudget: timeBudgetSchema.nullable().default(null),
  openLoop: openLoopMetricSchema.nullable().default(null).describe('p99 at a fixed open rate'),
  slo: sloResultSchema.nullable().default(null),
  diagnosis: diagnosisSchema.nullable().default(null).describe('what limits it'),
  steps: z.array(stepMetricsSchema).default([]).describe('of each step of each role, where the load has roles'),
  interference: interferenceSchema.nullable().default(null).describe('mean over the blocks that count'),
  noiseAdjusted: z
    .object({ throughput: z.number().describe('requests/s') })
    .nullable()
    .default(null)
    .describe('an estimate of the machine left alone: cores ÷ CPU per request, where the CPU is what limits it'),
  instances: z.array(instanceUseSchema).optional().describe('each process by itself, in the order of their start; absent of one alone'),
  proxy: proxyUseSchema.optional().describe('what stands before the instances'),
  distance: distanceUseSchema.optional().describe('to PostgreSQL; absent where none was varied'),
  bouncer: bouncerUseSchema.optional().describe('the PgBouncer between the instances and PostgreSQL'),
  memory: z
    .object({
      gcUsPerRequest: z.number().nullable().describe('in which the app stood still for its garbage collector'),
      afterFullBytes: z.number().nullable().describe('in use after a collection of the whole heap that was asked for at the end'),
    })
    .optional()
    .describe('what a probe saw of it'),
  startUpMs: z.array(z.number()).optional().describe('from the start of its process until it was ready, for each start of a version'),
  startRssBytes: z
    .array(z.number())
    .optional()
    .describe('memory of its processes while it was measured, a mean for each start; absent where they were started once'),
  statements: z
    .array(statementUseSchema)
    .optional()
    .describe('PostgreSQL’s, the longest in all first; absent where it does not count them'),
});
export type Trial = z.infer<typeof trialSchema>;

/** The smallest setting proven within δ of the best, for one target; see `engine/strategies/answer/recommend`. */
export const recommendationSchema = z.object({
  target: z.string(),
  targetLabel: z.string(),
  setting: z.string(),
  settingLabel: z.string(),
  status: z.enum(['confirmed', 'plausible', 'undecided']),
  value: settingValueSchema.nullable(),
  plausible: z.tuple([settingValueSchema, settingValueSchema]).nullable(),
  best: z.object({ value: settingValueSchema, throughput: z.number() }).nullable(),
  facts: answerFactsSchema,
  why: z.array(answerReasonSchema),
  confirmation: freshFindingSchema.optional().describe('what fresh processes said; absent where none were asked'),
  trialKey: z.string().nullable(),
  evidence: z.array(evidenceItemSchema).default([]),
  moreSeconds: z.number().nullable().default(null).describe('about how much longer would decide'),
});
export type Recommendation = z.infer<typeof recommendationSchema>;

export const environmentSchema = z.object({
  benchside: z.string(),
  platform: z.string(),
  kernel: z.string(),
  cpuModel: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  node: z.string().describe('the Node that runs Node targets'),
  java: z.string().nullable(),
  postgres: z.string().nullable(),
  postgresSettings: z.record(z.string(), z.string()),
  samples: z.string().describe('version of the bundled samples'),
  git: z.object({ commit: z.string(), dirty: z.boolean() }).nullable(),
  loadAverageBefore: z.array(z.number()),
  loadAverageAfter: z.array(z.number()).nullable(),
  virtualised: z.string().nullable(),
  generator: z.string().optional().describe('what put the load on, where it was not Benchside’s own'),
});
export type Environment = z.infer<typeof environmentSchema>;

/** A file as it lies on the disk: its size in bytes and the sha256 of its contents in hex. */
const storedFileSchema = z.object({ name: z.string(), bytes: z.number(), sha256: z.string() });
export type StoredFile = z.infer<typeof storedFileSchema>;

/** `run.json`. */
export const runRecordSchema = z.object({
  schemaVersion: z.literal(runSchemaVersion),
  id: runIdSchema,
  title: z.string(),
  state: z.enum(['complete', 'cancelled', 'failed']),
  failure: failureSchema.nullable(),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  valid: z.boolean(),
  reasons: z.array(findingSchema),
  notes: z.array(runNoteSchema).describe('what is worth knowing of it, and discards nothing'),
  request: runRequestSchema,
  load: loadProfileSchema,
  routes: z.record(lookedUpNameSchema, z.array(z.string())).describe('what was asked for, by target, as `METHOD /path` with its share'),
  environment: environmentSchema,
  plan: planSchema,
  trials: z.array(trialSchema),
  recommendations: z.array(recommendationSchema),
  delta: z.number().default(defaultDelta).describe('δ: what may be given up for a smaller setting, a share'),
  noiseFloorPercent: z.number().nullable().describe('smallest difference between two settings of a target that this run could show'),
  recordings: z.array(recordingRecordSchema).default([]).describe('made after everything was measured'),
  result: runResultSchema.describe('what it found beside its trials, by what was measured'),
  raw: rawRecordSchema.optional().describe('raw samples that it kept'),
  files: z.array(storedFileSchema),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

/** What a person wrote of a run; kept separate from its record, which never changes. */
export const runMarksSchema = z.object({
  name: z.string().max(80).nullable().default(null),
  tags: z.array(z.string().max(30)).max(10).default([]),
  baseline: z.boolean().default(false),
});
export type RunMarks = z.infer<typeof runMarksSchema>;

const knownRatioSchema = z.object({ mean: z.number(), ciLow: z.number(), ciHigh: z.number() });

/** A run against the baseline of the same targets: the worst of its trials that both have. */
export const againstBaselineSchema = z.object({
  baselineId: z.string(),
  verdict: verdictSchema,
  basis: z.discriminatedUnion('code', [
    z.object({ code: z.enum(['other-machine', 'no-common-setting', 'few-blocks']) }),
    z.object({ code: z.literal('setting'), target: z.string(), values: settingValuesSchema, ratio: knownRatioSchema, delta: z.number() }),
  ]),
});
export type AgainstBaseline = z.infer<typeof againstBaselineSchema>;

/** One row of the list of runs. A folder that cannot be read is listed too, with the reason. */
export const runSummarySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run'),
    id: z.string(),
    title: z.string(),
    startedAt: z.string(),
    state: runRecordSchema.shape.state,
    valid: z.boolean(),
    reasons: z.array(findingSchema),
    headline: z.string().describe('e.g. "Java · pool 8 · 7,940 req/s"'),
    targets: z.array(z.string()),
    recordings: z.array(recordingSummarySchema).default([]),
    marks: runMarksSchema.default({ name: null, tags: [], baseline: false }),
    againstBaseline: againstBaselineSchema.nullable().default(null),
    tuned: z.boolean().default(false),
    experimentId: z.string().nullable().default(null),
    takenPercent: z
      .number()
      .nullable()
      .default(null)
      .describe('CPU that was taken away while it was measured; null where nothing is known'),
  }),
  z.object({ kind: z.literal('unreadable'), id: z.string(), problem: z.enum(['damaged', 'newer']), reason: z.string() }),
]);
export type RunSummary = z.infer<typeof runSummarySchema>;
