import { loadFigures } from '../../model/domain/latency.ts';
import { plainFindingSchema } from '../../model/domain/findingKinds.ts';
import * as z from 'zod';
import { expectationSchema } from '../../model/domain/expectation.ts';
import { failureSchema } from '../../model/domain/failure.ts';
import { rawBlockSchema } from '../../model/domain/rawSample.ts';
import { errorCountsSchema, generatorHealthSchema } from '../../model/domain/run.ts';
import { roleSchema, stageSchema } from '../../model/domain/scenario.ts';
import { routeParameterSchema, routeSchema } from '../../model/domain/target.ts';
import { rawCommandSchema } from './raw/rawCommand.ts';
import { entranceSchema, sliceCommandFields, sliceSchema } from './slices/sliceProtocol.ts';

/** One entry of a request mix, ready to be sent: `:name` of each declared parameter in path and body is filled in per request. */
export const mixRequestSchema = z.object({
  method: routeSchema.shape.method.unwrap(),
  path: z.string().regex(/^\/[\x21-\x7e]*$/, 'a path is printable ASCII and starts with /'),
  headers: z.record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'a header name is a token'),
    z.string().regex(/^[\t\x20-\x7e]*$/, 'a header value is one line of ASCII'),
  ),
  body: z.string().optional(),
  weight: z.number().positive(),
  parameters: z.record(z.string(), routeParameterSchema),
  expect: expectationSchema.optional().describe('what a good answer is, where that is more than 2xx or 3xx'),
});
export type MixRequest = z.infer<typeof mixRequestSchema>;

const portSchema = z.number().int().min(1).max(65535);

/** Open loop: requests are sent at evenly spaced times, whatever the target does. A block takes up to a second longer than its window when answers are slow to come. */
export const openLoopPlanSchema = z.object({
  ratePerS: z.number().positive().max(1_000_000).describe('requests/s, over all ports'),
  maxInFlight: z.number().int().min(1).max(10_000).describe('under way at once, over all ports; a request that would exceed it is dropped'),
});
export type OpenLoopPlan = z.infer<typeof openLoopPlanSchema>;

/** Users whose number follows stages. Each walks its role again and again; without roles each sends requests drawn from the block's mix. */
export const scenarioPlanSchema = z.object({
  roles: z.array(roleSchema).max(20),
  stages: z.array(stageSchema).min(1).max(50),
});
export type ScenarioPlan = z.infer<typeof scenarioPlanSchema>;

/** What the worker is asked to do in one block. Times in ms. */
export const blockCommandSchema = z.object({
  type: z.literal('block'),
  id: z.number().int(),
  mode: z.enum(['measure', 'warmUp']),
  host: z.string(),
  port: portSchema,
  morePorts: z.array(portSchema).max(255).default([]).describe('share the connections, or the rate, evenly with `port`'),
  socketPath: z.string().optional().describe('a Unix socket in place of host and port; {port} in it stands for each of the ports'),
  connections: z.number().int().min(1).max(10_000).describe('in the closed loop; not used in the open loop'),
  open: openLoopPlanSchema.optional(),
  settleMs: z.number().min(0).describe('under load, but not counted'),
  windowMs: z.number().positive().describe('measured; in a warm-up the longest it may last'),
  timeoutMs: z.number().min(10),
  thinkTimeMs: z.number().min(0).default(0).describe('mean pause of a connection, or of a user without a role, after an answer'),
  tickMs: z.number().min(50).default(500),
  seed: z.number().int().nonnegative(),
  mix: z.array(mixRequestSchema).describe('at least one request, unless a scenario has roles'),
  tls: z.boolean().default(false).describe('HTTPS, with whatever certificate the target has'),
  keepAlive: z.boolean().default(true).describe('false: each request has a connection of its own'),
  requests: z.number().int().min(1).optional().describe('the window closes when so many were answered in it, or after windowMs'),
  openAtMs: z.number().optional().describe('the window opens at this time of the machine’s monotonic clock instead of after settleMs'),
  scenario: scenarioPlanSchema.optional().describe('instead of the closed loop'),
  raw: rawCommandSchema.optional().describe('keep the requests as raw samples'),
});
export type BlockCommand = z.infer<typeof blockCommandSchema>;

export const sliceCommandSchema = z.object({ ...sliceCommandFields, entrances: z.array(entranceSchema(mixRequestSchema)).min(1).max(200) });
export type SliceCommand = z.infer<typeof sliceCommandSchema>;

/**
 * From the engine to the worker, one JSON document a line. `turned` answers a `slice`: the app serves its side now. `stop` ends the current block at once;
 * `lap` asks what it measured since its window opened, or since the last lap, and lets it run on.
 */
export const toWorkerSchema = z.discriminatedUnion('type', [
  blockCommandSchema.refine(({ mix, scenario }) => mix.length > 0 || (scenario?.roles.length ?? 0) > 0, 'there is no request to send'),
  sliceCommandSchema,
  z.object({ type: z.literal('turned'), id: z.number().int() }),
  z.object({ type: z.literal('lap'), id: z.number().int() }),
  z.object({ type: z.literal('stop'), id: z.number().int() }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** The load within one tick: only what happened in it. Throughput counts answers of 2xx and 3xx. */
export const loadTickSchema = z.object({
  stage: z.enum(['warmUp', 'settle', 'measure']),
  elapsedMs: z.number().describe('end of the tick since the stage began'),
  windowMs: z.number().describe('how long the tick really was'),
  ...loadFigures,
  users: z.number().optional().describe('at the end of the tick, in a scenario'),
  answeredBy: z.array(z.number()).optional().describe('requests answered by each port since the load began, where several are warmed up'),
});
export type LoadTick = z.infer<typeof loadTickSchema>;

/** Exact sums of latencies in µs, from which mean and σ are computed; the histogram is only asked for percentiles. */
export const latencySumsSchema = z.object({
  count: z.number(),
  sumUs: z.number(),
  sumSquaresUs: z.number(),
  minUs: z.number().nullable(),
  maxUs: z.number().nullable(),
});
export type LatencySums = z.infer<typeof latencySumsSchema>;

/** What an open loop did in its window. `intended` = `sent` + `dropped`; the late ones were sent. */
export const openLoopCountsSchema = z.object({
  intended: z.number().describe('requests whose time to be sent was in the window'),
  sent: z.number(),
  late: z.number().describe('sent more than 10 ms after their time'),
  dropped: z.number().describe('not sent, because as many as allowed were under way'),
});
export type OpenLoopCounts = z.infer<typeof openLoopCountsSchema>;

/** What was recorded of one step of a role within the window: enough to be put together with that of other blocks. */
export const stepSamplesSchema = z.object({
  role: z.string(),
  step: z.string(),
  requests: z.number().describe('answered as the step expects'),
  errors: z.number(),
  latencySums: latencySumsSchema,
  histogram: z.string().describe('latency of those requests in µs: HdrHistogram V2, compressed, base64'),
  problems: z.record(z.string(), z.number()).describe('how often each thing went wrong, as sentences'),
});
export type StepSamples = z.infer<typeof stepSamplesSchema>;

/** What a scenario reports besides the block's own figures. */
export const scenarioMetricsSchema = z.object({
  steps: z.array(stepSamplesSchema),
  users: z.array(z.tuple([z.number(), z.number()])).describe('[s since the load began, users active then]; at most a few hundred points'),
  meanUsers: z.number().describe('active on average in the window'),
  firstErrors: z.array(z.string()).describe('the first things that went wrong in the block, each once'),
});
export type ScenarioMetrics = z.infer<typeof scenarioMetricsSchema>;

export const slowestSchema = z
  .object({
    endMs: z.array(z.number()).max(300).describe('when each was answered, by the machine’s monotonic clock'),
    tookMs: z.array(z.number()).max(300),
  })
  .describe('the slowest hundredth of what was answered, 300 at the most, as columns: the slowest first');
export type Slowest = z.infer<typeof slowestSchema>;

/**
 * What one block measured. Only what was completed inside the measured window counts, by the worker's monotonic clock. One thing differs in the open
 * loop: latency is that of the requests whose time to be sent was in the window. Their answers are waited for, for a second at the most, after
 * it has closed; what has no answer by then counts with the time that it has waited, as a lower bound. So `latencySums.count` is not `requests` there.
 */
export const loadMeasurementSchema = z.object({
  cancelled: z.boolean(),
  windowMs: z.number().describe('the real length of the measured window'),
  requests: z.number().describe('answers of 2xx and 3xx'),
  bytes: z.number().describe('bytes of those answers, headers included'),
  throughput: z.number().describe('requests/s'),
  bytesPerSecond: z.number(),
  latencySums: latencySumsSchema,
  histogram: z
    .string()
    .describe('latency of answers of 2xx and 3xx in µs (open loop: from the intended time on): HdrHistogram V2, compressed, base64'),
  slowest: slowestSchema.optional(),
  latencyReasons: z.array(plainFindingSchema).describe('why the latency figures are not to be trusted'),
  errors: errorCountsSchema,
  inFlightAtEnd: z.number().describe('requests without an answer when the window closed, whatever their age'),
  sentInAll: z
    .number()
    .nullable()
    .describe('requests that were sent since the block began, also while it settled; null where only those of the window are known'),
  closedByServer: z
    .number()
    .describe('answers in the window after which the server closed the connection; the next request includes connecting'),
  open: openLoopCountsSchema.nullable().describe('null in the closed loop'),
  thoughtMs: z.number().optional().describe('think time within the window, all connections together; absent of a load without any'),
  scenario: scenarioMetricsSchema.optional(),
  generator: generatorHealthSchema,
  raw: rawBlockSchema.optional().describe('what was kept as raw samples, where it was asked for'),
});
export type LoadMeasurement = z.infer<typeof loadMeasurementSchema>;

/**
 * From the worker to the engine, one JSON document a line. `window` reports the moment at which the measured window opened or closed; at a `lap` one closes and
 * the next opens. What it measured follows in a message of its own.
 */
export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('window'),
    id: z.number().int(),
    edge: z.enum(['open', 'lap', 'close']),
    atMs: z.number().describe('when that was, by the machine’s monotonic clock'),
  }),
  z.object({ type: z.literal('tick'), id: z.number().int(), tick: loadTickSchema }),
  z.object({ type: z.literal('slice'), id: z.number().int(), side: z.number().int() }).describe('a slice of this side begins'),
  z.object({ type: z.literal('sideTick'), id: z.number().int(), side: z.number().int(), tick: loadTickSchema }),
  z.object({ type: z.literal('slices'), id: z.number().int(), sides: z.array(loadMeasurementSchema), slices: z.array(sliceSchema) }),
  z.object({ type: z.literal('lap'), id: z.number().int(), result: loadMeasurementSchema }),
  z.object({ type: z.literal('result'), id: z.number().int(), result: loadMeasurementSchema }),
  z.object({ type: z.literal('failed'), id: z.number().int().nullable(), failure: failureSchema }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
