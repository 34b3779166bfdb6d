import * as z from 'zod';
import { failureSchema } from '../../model/failure.ts';
import { errorCountsSchema, generatorHealthSchema } from '../../model/run.ts';
import { routeSchema } from '../../model/target.ts';

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
  parameters: z.record(z.string(), z.object({ min: z.number().int(), max: z.number().int() })),
});
export type MixRequest = z.infer<typeof mixRequestSchema>;

/** What the worker is asked to do in one block. Times in ms. */
export const blockCommandSchema = z.object({
  type: z.literal('block'),
  id: z.number().int(),
  mode: z.enum(['measure', 'warmUp']),
  host: z.string(),
  port: z.number().int().min(1).max(65535),
  connections: z.number().int().min(1).max(10_000),
  settleMs: z.number().min(0).describe('under load, but not counted'),
  windowMs: z.number().positive().describe('measured; in a warm-up the longest it may last'),
  timeoutMs: z.number().min(10),
  tickMs: z.number().min(50).default(500),
  seed: z.number().int().nonnegative(),
  mix: z.array(mixRequestSchema).min(1),
});
export type BlockCommand = z.infer<typeof blockCommandSchema>;

/** From the engine to the worker, one JSON document a line. `stop` ends the current block at once. */
export const toWorkerSchema = z.discriminatedUnion('type', [
  blockCommandSchema,
  z.object({ type: z.literal('stop'), id: z.number().int() }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** The load within one tick: only what happened in it. Throughput counts answers of 2xx and 3xx. */
export const loadTickSchema = z.object({
  stage: z.enum(['warmUp', 'settle', 'measure']),
  elapsedMs: z.number().describe('end of the tick since the stage began'),
  windowMs: z.number().describe('how long the tick really was'),
  throughput: z.number().describe('requests/s'),
  p50Ms: z.number().nullable(),
  p99Ms: z.number().nullable(),
  errors: z.number(),
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

/** What one block measured. Only what was completed inside the measured window counts, by the worker's monotonic clock. */
export const blockMeasurementSchema = z.object({
  cancelled: z.boolean(),
  windowMs: z.number().describe('the real length of the measured window'),
  requests: z.number().describe('answers of 2xx and 3xx'),
  bytes: z.number().describe('bytes of those answers, headers included'),
  throughput: z.number().describe('requests/s'),
  bytesPerSecond: z.number(),
  latencySums: latencySumsSchema,
  histogram: z.string().describe('latency of answers of 2xx and 3xx in µs: HdrHistogram V2, compressed, base64'),
  latencyTrusted: z.boolean(),
  latencyReasons: z.array(z.string()).describe('why the latency figures are not to be trusted'),
  errors: errorCountsSchema,
  inFlightAtEnd: z.number().describe('requests without an answer when the window closed, whatever their age'),
  closedByServer: z
    .number()
    .describe('answers in the window after which the server closed the connection; the next request includes connecting'),
  generator: generatorHealthSchema,
  generatorSaturated: z.array(z.string()).describe('reasons, one sentence each; empty: the generator kept up'),
});
export type BlockMeasurement = z.infer<typeof blockMeasurementSchema>;

/** From the worker to the engine, one JSON document a line. `window` tells the moment at which the measured window opened or closed. */
export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('window'), id: z.number().int(), edge: z.enum(['open', 'close']) }),
  z.object({ type: z.literal('tick'), id: z.number().int(), tick: loadTickSchema }),
  z.object({ type: z.literal('result'), id: z.number().int(), result: blockMeasurementSchema }),
  z.object({ type: z.literal('failed'), id: z.number().int().nullable(), failure: failureSchema }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
