import * as z from 'zod';
import { recordingCostSchema } from './recording.ts';

/** Never more than this of one run, whatever is asked for: it is what the workbench’s database holds in all. */
export const mostRawRows = 10_000_000;
export const defaultRawRows = 2_000_000;

/** Every request of a run, or a share of them, as a row of its own. */
export const rawRequestSchema = z.object({
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe('of the requests that are kept; chosen by their id, so that it can be told beforehand which'),
  maxRows: z
    .number()
    .int()
    .min(1)
    .max(mostRawRows)
    .default(defaultRawRows)
    .describe('of the run; beyond it nothing more is kept and the load goes on'),
  timing: z.boolean().default(true).describe('ask the app for its own times (header X-Server-Timing, answered by Server-Timing)'),
});
export type RawRequest = z.infer<typeof rawRequestSchema>;

/** What keeping them cost, in CPU time per request: the geometric mean ratio of interleaved windows with and without, and its 95 % interval. */
const rawCostSchema = z.object({ process: z.enum(['app', 'generator']), ...recordingCostSchema.shape, pairs: z.number() });
export type RawCost = z.infer<typeof rawCostSchema>;

/** What a run kept of its requests. */
export const rawRecordSchema = rawRequestSchema.extend({
  file: z.string().describe('in the run’s folder'),
  rows: z.number(),
  droppedRows: z.number().describe('not kept, because the disk was slower than the load'),
  unfinished: z.number().describe('still under way when their block ended; they have no row'),
  full: z.boolean().describe('`maxRows` was reached'),
  problem: z.string().nullable().describe('why keeping them ended early, in a sentence'),
  costs: z.array(rawCostSchema).describe('empty where it was not measured'),
  proxyLogs: z.array(z.string()).default([]).describe('access logs of a proxy in the run’s folder, JSON lines'),
});
export type RawRecord = z.infer<typeof rawRecordSchema>;

export const rawRunSchema = z.object({
  runId: z.string(),
  title: z.string(),
  startedAt: z.string(),
  bytes: z.number(),
  record: rawRecordSchema,
});
export type RawRun = z.infer<typeof rawRunSchema>;

export const rawViewSchema = z.enum(['by_second', 'by_route', 'latency_percentiles', 'where_time_goes', 'slowest', 'errors', 'requests']);
export type RawView = z.infer<typeof rawViewSchema>;

/** What each view of the schema `raw` answers. The database has the same words as comments. */
export const rawViews: Readonly<Record<RawView, { label: string; description: string }>> = {
  by_second: { label: 'By second', description: 'Requests, errors and latency of each second of each block' },
  by_route: { label: 'By route', description: 'Requests, errors, bytes and latency of each route of each trial' },
  latency_percentiles: { label: 'Latency percentiles', description: 'Exact percentiles of each trial, from the single latencies' },
  where_time_goes: {
    label: 'Where time goes',
    description: 'Mean time and share in the proxy, the app, waiting for a connection, and the database',
  },
  slowest: { label: 'Slowest requests', description: 'Single requests, the slowest first, with their ids' },
  errors: { label: 'Errors', description: 'What failed: by route, status and kind, with the first and the last time' },
  requests: { label: 'Every request', description: 'The rows themselves, in the order in which they were sent' },
};

/** The rows of a view as text, with the statement that gave them. */
export const rawResultSchema = z.object({
  sql: z.string(),
  columns: z.array(z.object({ name: z.string(), numeric: z.boolean() })),
  rows: z.array(z.array(z.string().nullable())),
  more: z.boolean().describe('there are more rows than the limit'),
});
export type RawResult = z.infer<typeof rawResultSchema>;

export const rawLoadedSchema = z.object({
  run: z.number().int().describe('its number in the column `run`'),
  rows: z.number(),
  joined: z.number().describe('rows that were found in the proxy’s log'),
  already: z.boolean().describe('it was there before'),
  removed: z.array(z.string()).describe('ids of runs that had to go, so that the database stays within its bounds'),
  messages: z.array(z.string()).describe('what the user should know, one sentence each'),
  connection: z.string().describe('URL of the database, with its password'),
});
export type RawLoaded = z.infer<typeof rawLoadedSchema>;

export const rawFormatSchema = z.enum(['csv', 'parquet']);
export type RawFormat = z.infer<typeof rawFormatSchema>;

export const rawBlockSchema = rawRecordSchema.pick({ rows: true, droppedRows: true, unfinished: true, full: true, problem: true });
export type RawBlockResult = z.infer<typeof rawBlockSchema>;

/** “1.4 µs of CPU per request (+0.9 %; between −0.2 and +2.1 %)”: what keeping every request cost, as a sentence per process. */
export function rawCostSentence({ process, withUs, withoutUs, ratio, low, high, pairs }: RawCost): string {
  const subject = process === 'app' ? 'the app' : 'the load generator';
  const range = low === null || high === null ? '' : `; the 95 % interval is ${percent(low)} to ${percent(high)}`;
  const sure = low === null || high === null || (low <= 1 && high >= 1) ? ' That is within the noise.' : '';
  const used = `Keeping raw samples changed the CPU time of ${subject} from ${withoutUs.toFixed(1)} to ${withUs.toFixed(1)} µs per request`;
  return `${used} (${percent(ratio)}${range}; ${pairs} pairs of windows).${sure}`;
}

function percent(ratio: number): string {
  const value = (ratio - 1) * 100;
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)} %`;
}
