import { recordingNoteSchema } from './recordingNoteKinds.ts';
import * as z from 'zod';
import { failureSchema } from './failure.ts';
import { settingValuesSchema } from './setting.ts';
import { runtimeSchema } from './target.ts';

/** The recorders. `bubbleprof` is listed only to say why it cannot be used. */
export const recorderIdSchema = z.enum([
  'async-profiler',
  'jfr',
  'v8',
  'clinic-doctor',
  'clinic-flame',
  'clinic-heap',
  'clinic-bubbleprof',
]);
export type RecorderId = z.infer<typeof recorderIdSchema>;

/** What can be recorded; the name of the column it becomes in the call tree. */
export const recordedEventSchema = z.enum(['cpu', 'wall', 'poolWait', 'database', 'alloc', 'lock', 'heap']);
export type RecordedEvent = z.infer<typeof recordedEventSchema>;

/** Recordings that a measurement makes of its own accord, after everything was measured; no events: all that cost little. */
export const trialRecordingSchema = z.strictObject({
  events: z.array(recordedEventSchema).default([]),
  seconds: z.number().min(1).max(120).default(10),
});

/** What a recorder can do: the user sees these. */
export const recorderAbilitiesSchema = z.object({
  attach: z.boolean().describe('to a process that runs already'),
  relaunch: z.boolean().describe('starts the process itself, under its control'),
  lines: z.boolean().describe('tells the lines that were executing'),
  heap: z.boolean().describe('tells what was allocated'),
  waits: z.boolean().describe('tells what was waited for'),
});
export type RecorderAbilities = z.infer<typeof recorderAbilitiesSchema>;

/** A recorder on this machine, and the reason when it cannot be used. */
export const recorderStateSchema = z.object({
  id: recorderIdSchema,
  label: z.string(),
  description: z.string(),
  runtime: runtimeSchema,
  abilities: recorderAbilitiesSchema,
  events: z.array(recordedEventSchema),
  installed: z.boolean().describe('false: it is fetched when the user agrees'),
  installBytes: z.number().nullable().describe('what fetching it takes on the disk, about'),
  problem: failureSchema.nullable(),
});
export type RecorderState = z.infer<typeof recorderStateSchema>;

/** A process of this machine that can be recorded, or the reason why not. */
export const localProcessSchema = z.object({
  pid: z.number().int(),
  runtime: z.enum(['node', 'jvm']),
  title: z.string().describe('main class, jar or script, for people'),
  command: z.string().describe('the command line, cut, without secrets'),
  version: z.string().nullable(),
  targetId: z.string().nullable().describe('the target it is, when we started it'),
  problem: failureSchema.nullable(),
});
export type LocalProcess = z.infer<typeof localProcessSchema>;

export const maxRecordingS = 600;

export const recordingRequestSchema = z.strictObject({
  subject: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('target'),
      id: z.string(),
      settings: settingValuesSchema.default({}),
      load: z.string().nullable().default('steady').describe('load profile under which it is recorded; null: no load of ours'),
      connections: z.number().int().min(1).max(10_000).optional(),
      route: z.string().optional(),
    }),
    z.strictObject({ kind: z.literal('process'), pid: z.number().int().min(2) }),
  ]),
  recorder: recorderIdSchema.optional().describe('left out: the best one for the runtime'),
  events: z.array(recordedEventSchema).default([]).describe('empty: all that the recorder can tell at little cost'),
  seconds: z.number().min(1).max(maxRecordingS).default(10),
});
export type RecordingRequest = z.infer<typeof recordingRequestSchema>;

/** CPU time per request with and without the recorder, from interleaved windows; the interval is of the ratio. */
export const recordingCostSchema = z.object({
  withUs: z.number(),
  withoutUs: z.number(),
  ratio: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  pairs: z.number().int(),
});
export type RecordingCost = z.infer<typeof recordingCostSchema>;

/** The load while it was recorded: what turns weights into weights per request. */
export const recordingLoadSchema = z.object({
  requests: z.number(),
  errors: z.number(),
  windowMs: z.number(),
  throughput: z.number().describe('requests/s'),
  connections: z.number(),
  cpuUsPerRequest: z.number().nullable(),
});
export type RecordingLoad = z.infer<typeof recordingLoadSchema>;

/** Time in base 36 and 96 random bits, as of a run. */
export const recordingIdSchema = z.string().regex(/^[a-z0-9]{6,12}-[a-f0-9]{24}$/);

export const recordingFileSchema = z.object({
  name: z.string().describe('file beside the record'),
  format: z.enum(['jfr', 'cpuprofile', 'heapprofile', 'pprof', 'clinic']),
  process: z.number().int().optional().describe('pid, where several processes were recorded'),
  thread: z.string().optional().describe('the worker thread that it is of; left out: the whole process, or its main thread'),
  threadNumber: z.number().int().optional().describe('the number that this thread has in the system'),
});
export type RecordingFile = z.infer<typeof recordingFileSchema>;

/** A thread that computed while it was recorded, and was still there at the end; ns. */
const recordedThreadSchema = z.object({ number: z.number().int().describe('in the system'), name: z.string(), kernelNs: z.number() });
export type RecordedThread = z.infer<typeof recordedThreadSchema>;

/** CPU time by the kernel during the recording, in ns: the difference to the recorded CPU time is what the recording missed. */
export const recordedCpuSchema = z.object({
  kernelNs: z.number().describe('of all processes below, and of those that ended meanwhile'),
  endedNs: z.number().describe('of processes that ended meanwhile'),
  processes: z.array(
    z.object({
      pid: z.number().int(),
      title: z.string().describe('its script, main class or program, for people'),
      kernelNs: z.number(),
      recorded: z.boolean(),
      threads: z
        .array(recordedThreadSchema)
        .optional()
        .describe('of one that was recorded: its threads that computed and were still there at the end'),
    }),
  ),
});
export type RecordedCpu = z.infer<typeof recordedCpuSchema>;

/** What a profiler wrote, and under which circumstances: `recording.json`, and an entry of `run.json`. */
export const recordingRecordSchema = z.object({
  schemaVersion: z.literal(1),
  id: recordingIdSchema,
  title: z.string().describe('e.g. "java · pool 2 · 40 connections"'),
  recorder: recorderIdSchema,
  recorderVersion: z.string(),
  runtime: runtimeSchema,
  runtimeVersion: z.string().nullable(),
  pid: z.number().int(),
  command: z.string(),
  target: z.string().nullable(),
  trialKey: z.string().nullable().describe('the trial of the run under whose load it was made'),
  settings: settingValuesSchema,
  events: z.array(recordedEventSchema),
  startedAt: z.iso.datetime(),
  durationMs: z.number(),
  load: recordingLoadSchema.nullable(),
  cost: recordingCostSchema.nullable(),
  cpu: recordedCpuSchema.nullable().optional().describe('left out or null: the platform does not tell'),
  notes: z.array(recordingNoteSchema),
  sourceRoots: z.array(z.string()).describe('folders in which its sources are looked for, absolute'),
  classPath: z.array(z.string()).optional().describe('of a JVM: folders and archives that its classes were loaded from, absolute'),
  ranIn: z
    .object({ copy: z.string(), of: z.string() })
    .optional()
    .describe('absolute: it ran in a copy of another folder, whose paths stand for those of the copy'),
  files: z.array(recordingFileSchema),
});
export type RecordingRecord = z.infer<typeof recordingRecordSchema>;

export const recordingSummarySchema = z.object({
  id: recordingIdSchema,
  runId: z.string().nullable().describe('the run it belongs to; null: made on demand'),
  title: z.string(),
  startedAt: z.string(),
  recorder: recorderIdSchema,
  runtime: runtimeSchema,
  target: z.string().nullable(),
  trialKey: z.string().nullable(),
  events: z.array(recordedEventSchema),
  durationMs: z.number(),
});
export type RecordingSummary = z.infer<typeof recordingSummarySchema>;

export function summarizeRecording(record: RecordingRecord, runId: string | null): RecordingSummary {
  const { id, title, startedAt, recorder, runtime, target, trialKey, events, durationMs } = record;
  return { id, runId, title, startedAt, recorder, runtime, target, trialKey, events, durationMs };
}

/** Requests that were served while the profiler was on: what weights are divided by; null where the load was not ours. */
export function recordedRequests(load: RecordingLoad | null, durationMs: number): number | null {
  return load === null || load.requests === 0 ? null : (load.throughput * durationMs) / 1000;
}

/** What clinic's doctor thinks it saw: a hint, never a verdict. Times in ms since the start. */
export const doctorHintSchema = z.object({
  tool: z.string(),
  category: z.string().describe('as doctor says it: event-loop, io, memory, performance, data, none …'),
  issues: z.record(z.string(), z.string()),
  samples: z.number().int().describe('on how many samples it rests'),
  enough: z.boolean(),
  series: z.array(z.object({ name: z.string(), unit: z.string(), timeMs: z.array(z.number()), values: z.array(z.number().nullable()) })),
});
export type DoctorHint = z.infer<typeof doctorHintSchema>;
