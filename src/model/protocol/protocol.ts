import * as z from 'zod';
import { adviceProgressSchema, adviceRecordSchema, adviceSummarySchema } from '../domain/adviceRecord.ts';
import { diffCommitsSchema, versionNamesSchema } from './versionDiffRequest.ts';
import { detectionSchema, foundServiceSchema, introspectionSchema } from '../domain/detection.ts';
import { comparisonSchema } from '../domain/comparison.ts';
import { failureSchema } from '../domain/failure.ts';
import { k6ParamsSchema, noK6Params } from '../domain/generator.ts';
import { k6ExportNoteSchema } from '../domain/k6ExportNotes.ts';
import { lineTableSchema, profileExportSchema, profileHeadSchema, profilePartSchema, profileSourceSchema } from '../domain/flame.ts';
import { managedDatabaseSchema, serverModeSchema } from '../domain/userServer.ts';
import { versionDiffSchema } from '../domain/versionDiff.ts';
import { measureRequestSchema } from './measureRequest.ts';
import { liveChangeSchema, liveEventSchema, liveRequestSchema } from './live.ts';
import { leakReportSchema, leakRequestSchema } from '../domain/leak.ts';
import { loadProfileSchema } from '../domain/loadProfile.ts';
import { machineFactsSchema, machineResolutionSchema } from '../domain/machineFacts.ts';
import {
  localProcessSchema,
  recorderIdSchema,
  recorderStateSchema,
  recordingRecordSchema,
  recordingRequestSchema,
  recordingSummarySchema,
} from '../domain/recording.ts';
import { rawFormatSchema, rawLoadedSchema, rawResultSchema, rawRunSchema, rawViewSchema } from '../domain/rawSample.ts';
import { runMarksSchema, runRecordSchema, runSummarySchema } from '../domain/run.ts';
import { progressSchema } from './progress.ts';
import { runEventSchema } from './runEvent.ts';
import { settingSpecsSchema, settingValueSchema, settingValuesSchema } from '../domain/setting.ts';
import { listedExperimentSchema } from '../domain/experiment.ts';
import { startupReportSchema, startupRequestSchema } from '../domain/startup.ts';
import { routeCountSchema } from '../domain/routeCount.ts';
import { routeSchema, runtimeSchema } from '../domain/target.ts';
import { trafficSchema } from '../domain/traffic.ts';
import { savedRequestSchema, tuneRequestSchema, whereToSetSchema } from '../domain/tuning.ts';

/** What the engine needs to know of the window or terminal it works for. Paths are absolute. */
export const initializeParamsSchema = z.strictObject({
  client: z.enum(['extension', 'cli', 'test']),
  workspaceDir: z.string().nullable(),
  storageDir: z.string().describe('per user: database folder, journals, unpacked binaries'),
  assetsDir: z.string().describe('where samples/, profiles/ and the binaries are'),
  trusted: z.boolean().describe('false: nothing that the workspace declares is started'),
  nodePath: z.string().nullable(),
  javaPath: z.string().nullable(),
  postgresUrl: z.string().nullable().describe('an external server instead of the embedded one'),
  postgresMode: serverModeSchema.default('own'),
  postgresHosts: z.array(z.string()).default([]).describe('hosts besides this machine on which an external server may be'),
  k6: k6ParamsSchema.default(noK6Params),
  probes: z.boolean().default(true).describe('load a probe into the apps, which sees their pools and can resize them'),
});
export type InitializeParams = z.infer<typeof initializeParamsSchema>;

export const processStateSchema = z.enum(['stopped', 'starting', 'running', 'stopping', 'failed']);

/** A target or PostgreSQL, as a list shows it. */
export const targetStateSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string(),
  runtime: runtimeSchema,
  origin: z.enum(['sample', 'lab', 'workspace']).describe('lab: planted for studies and tests; shown to who names it'),
  state: processStateSchema,
  port: z.number().nullable(),
  pid: z.number().nullable(),
  settings: settingSpecsSchema,
  variants: z
    .array(
      z.object({
        key: z.string().describe('such as jvm.gc; with <…> in it a key of any name'),
        meaning: z.string(),
        takes: z.string(),
        example: z.string().describe('of what --vary takes'),
      }),
    )
    .optional()
    .describe('what can be varied of it without a declaration'),
  routes: z.array(routeSchema),
  command: z.array(z.string()).optional().describe('program and arguments as declared'),
  problem: failureSchema.nullable().describe('why it cannot be started, or why it failed'),
});
export type TargetState = z.infer<typeof targetStateSchema>;

export const serviceStateSchema = z.object({
  id: z.literal('postgres'),
  label: z.string(),
  state: processStateSchema,
  port: z.number().nullable(),
  pid: z.number().nullable(),
  external: z.boolean(),
  version: z.string().nullable(),
  problem: failureSchema.nullable(),
});
export type ServiceState = z.infer<typeof serviceStateSchema>;

export const catalogSchema = z.object({
  targets: z.array(targetStateSchema),
  services: z.array(serviceStateSchema),
  loadProfiles: z.array(loadProfileSchema.extend({ origin: z.enum(['bundled', 'lab', 'workspace']) })),
  problems: z.array(failureSchema).describe('what is wrong with the workspace’s files, each with file and line'),
  bouncerProblem: failureSchema.nullable().optional().describe('why no PgBouncer can stand before PostgreSQL'),
  k6Problem: failureSchema.nullable().optional().describe('why k6 cannot put the load on in place of Benchside’s own generator'),
  proxyProblem: failureSchema.nullable().optional().describe('why no proxy can stand before the instances of a target'),
});
export type Catalog = z.infer<typeof catalogSchema>;

export const reportFormatSchema = z.enum(['html', 'markdown', 'csv']);
export type ReportFormat = z.infer<typeof reportFormatSchema>;
/** An advice has no figures for a spreadsheet; its runs have. */
export const adviceFormatSchema = reportFormatSchema.exclude(['csv']);

const nothing = z.object({});
const agreedStarts = z.string().max(64).optional().describe('refused unless benchside.json starts exactly what this digest is of');
const portSchema = z.number().int().min(1).max(65_535);
const trafficWishes = {
  name: loadProfileSchema.shape.name,
  writes: z.union([z.literal('all'), z.array(z.string()).max(1_000)]).default([]),
  target: z.string().nullable().default(null),
  asRecorded: z.boolean().default(false),
};
const runRef = z.object({ id: z.string() });

const measuredSchema = z.object({
  runId: z.string(),
  outcome: z.enum(['complete', 'cancelled']),
  stored: z.boolean(),
  run: runRecordSchema.nullable().describe('as it was stored; null when it was not'),
  compared: z
    .object({ diff: versionDiffSchema, markdown: z.string().describe('the same for a pull request') })
    .optional()
    .describe('of two versions of the code, also where they are the same and nothing was measured'),
  advised: adviceRecordSchema
    .optional()
    .describe('what would help, as it was stored; absent where it was cancelled before anything was known'),
});
export type Measured = z.infer<typeof measuredSchema>;

const asSaved = z.boolean().describe('false: of a process that was started before, which may have older code');

/** Requests from a client to the engine: name → schemas of parameters and result. Every one can be cancelled. */
export const requests = {
  'engine/initialize': {
    params: initializeParamsSchema,
    result: z.object({
      version: z.string(),
      reaped: z.number(),
      warnings: z.array(z.string()).describe('what a person should know of this start, one sentence each'),
    }),
  },
  'engine/configure': {
    params: initializeParamsSchema.omit({ client: true, workspaceDir: true, storageDir: true, assetsDir: true }),
    result: nothing,
  },
  'consent/give': {
    params: z.object({ id: z.string(), remember: z.boolean().describe('beyond the end of this engine') }),
    result: nothing,
  },
  'databases/list': {
    params: nothing,
    result: z.object({ server: z.string().describe('host:port'), databases: z.array(managedDatabaseSchema) }),
  },
  'databases/remove': { params: z.object({ names: z.array(z.string()) }), result: z.object({ removed: z.array(z.string()) }) },
  'catalog/get': { params: nothing, result: catalogSchema },
  'target/start': {
    params: z.object({ id: z.string(), settings: settingValuesSchema.default({}) }),
    result: z.object({ port: z.number() }),
  },
  'target/stop': { params: z.object({ id: z.string() }), result: nothing },
  'target/log': { params: z.object({ id: z.string() }), result: z.object({ text: z.string(), droppedBytes: z.number() }) },
  'measure/start': {
    params: z.object({
      request: measureRequestSchema,
      starts: agreedStarts,
      ancestorsOnly: z.boolean().default(false).describe('of two versions of the code, one that HEAD does not descend from is refused'),
    }),
    result: measuredSchema,
  },
  'live/start': { params: liveRequestSchema, result: z.object({ runId: z.string().nullable().describe('where it was kept, if it was') }) },
  'live/set': { params: z.object({ setting: z.string(), value: settingValueSchema }), result: liveChangeSchema },
  'live/keep': { params: nothing, result: z.object({ runId: z.string() }) },
  'live/stop': { params: nothing, result: z.object({ stopped: z.boolean() }) },
  'savedRequests/list': {
    params: nothing,
    result: z.object({
      savedRequests: z.array(savedRequestSchema.extend({ origin: z.enum(['bundled', 'workspace']) })),
      problems: z.array(failureSchema),
    }),
  },
  'savedRequests/save': { params: z.object({ savedRequest: savedRequestSchema }), result: z.object({ file: z.string() }) },
  'experiments/list': {
    params: nothing,
    result: z.object({ experiments: z.array(listedExperimentSchema), problems: z.array(failureSchema) }),
  },
  'diff/names': { params: z.object({}), result: versionNamesSchema },
  'diff/commits': { params: z.object({ good: z.string().min(1).max(400), bad: z.string().min(1).max(400) }), result: diffCommitsSchema },
  'raw/list': { params: nothing, result: z.object({ runs: z.array(rawRunSchema) }) },
  'raw/load': { params: z.object({ runId: z.string() }), result: rawLoadedSchema },
  'raw/query': {
    params: z.object({ runId: z.string(), view: rawViewSchema, limit: z.number().int().min(1).max(10_000) }),
    result: rawResultSchema,
  },
  'raw/export': {
    params: z.object({ runId: z.string(), format: rawFormatSchema, file: z.string() }),
    result: z.object({ rows: z.number(), bytes: z.number() }),
  },
  'k6/export': {
    params: z.object({
      of: z.union([z.strictObject({ run: z.string() }), z.strictObject({ request: tuneRequestSchema })]),
      folder: z.string(),
      url: z.string(),
      parallelism: z.number().int().min(1).max(1000),
    }),
    result: z.object({ files: z.array(z.string()), notes: z.array(k6ExportNoteSchema), tests: z.number() }),
  },
  'k6/import': {
    params: z.object({ files: z.array(z.string()).min(1).max(10_000), as: z.string().nullable() }),
    result: z.object({ run: runRecordSchema }),
  },
  'runs/mark': { params: z.object({ id: z.string(), marks: runMarksSchema }), result: nothing },
  /** With a command the service that it starts, else the services of the folder and the ways to start something in it. */
  'workspace/discover': { params: z.object({ command: z.array(z.string()).min(1).max(500).optional() }), result: detectionSchema },
  /** Starts a service once and introspects it. */
  'workspace/look': { params: z.object({ service: foundServiceSchema }), result: introspectionSchema },
  /** A load profile from traffic; the keys in it are those of a target’s database where one is named. */
  'traffic/read': {
    params: z.object({ files: z.array(z.string()).min(1).max(200), ...trafficWishes }),
    result: trafficSchema,
  },
  /** Starts a proxy on 127.0.0.1 in front of a service that runs on this machine, and records the traffic through it. One at a time. */
  'traffic/record': {
    params: z.object({
      port: portSchema.describe('of the service'),
      listen: portSchema.nullable().default(null).describe('of the proxy; null: any that is free'),
    }),
    result: z.object({ port: portSchema.describe('of the proxy') }),
  },
  /** Ends the proxy, and makes a load profile of what it recorded. The recording itself is not kept. */
  'traffic/stop': {
    params: z.object(trafficWishes),
    result: trafficSchema,
  },
  /**
   * What one request to each route takes, all that are declared or those of these names: of a process of its own, or of the target that was started by hand,
   * which is sent nothing that writes.
   */
  'routes/count': {
    params: z.object({
      target: z.string(),
      routes: z.array(z.string()).min(1).max(1_000).optional(),
      of: z.enum(['fresh', 'running']).default('fresh'),
    }),
    result: z.object({ counts: z.array(routeCountSchema), asSaved }),
  },
  /** Whether a target keeps memory of requests that are over, by cycles of load, rest and full collection in a process of its own. Nothing is stored. */
  'service/leak': { params: z.object({ request: leakRequestSchema, starts: agreedStarts }), result: z.object({ leak: leakReportSchema }) },
  /** What the start of a target takes, by some starts in turn. Nothing is stored. */
  'service/startup': {
    params: z.object({ request: startupRequestSchema, starts: agreedStarts }),
    result: z.object({ startup: startupReportSchema }),
  },
  'settings/where': { params: z.object({ target: z.string(), setting: z.string(), value: settingValueSchema }), result: whereToSetSchema },
  'run/cancel': { params: nothing, result: z.object({ cancelled: z.boolean() }) },
  'runs/list': { params: nothing, result: z.object({ runs: z.array(runSummarySchema) }) },
  'runs/get': { params: runRef, result: z.object({ run: runRecordSchema }) },
  'runs/delete': { params: runRef, result: nothing },
  'runs/restore': { params: runRef, result: nothing },
  'runs/compare': {
    params: z.object({ a: z.string(), b: z.string(), trialA: z.string().optional(), trialB: z.string().optional() }),
    result: comparisonSchema,
  },
  'runs/report': {
    params: z.object({ id: z.string(), format: reportFormatSchema }),
    result: z.object({ text: z.string(), suggestedName: z.string() }),
  },
  'advice/list': { params: nothing, result: z.object({ advice: z.array(adviceSummarySchema) }) },
  'advice/get': { params: runRef, result: z.object({ record: adviceRecordSchema }) },
  'advice/delete': { params: runRef, result: nothing },
  'advice/restore': { params: runRef, result: nothing },
  'advice/report': {
    params: z.object({ id: z.string(), format: adviceFormatSchema }),
    result: z.object({ text: z.string(), suggestedName: z.string() }),
  },
  'recorders/list': { params: nothing, result: z.object({ recorders: z.array(recorderStateSchema) }) },
  'recorders/install': { params: z.object({ id: recorderIdSchema }), result: nothing },
  'processes/list': { params: nothing, result: z.object({ processes: z.array(localProcessSchema) }) },
  /** Where a process listens for requests. */
  'processes/ports': { params: z.object({ pid: z.number().int().min(2) }), result: z.object({ ports: z.array(z.number().int()) }) },
  'recording/start': { params: recordingRequestSchema, result: z.object({ recording: recordingRecordSchema }) },
  'recordings/list': { params: nothing, result: z.object({ recordings: z.array(recordingSummarySchema) }) },
  'recordings/delete': { params: z.object({ id: z.string() }), result: nothing },
  'recordings/restore': { params: z.object({ id: z.string() }), result: nothing },
  'profile/open': { params: z.object({ source: profileSourceSchema }), result: profileHeadSchema },
  'profile/piece': {
    params: z.object({
      profileId: z.string(),
      part: profilePartSchema,
      event: z.string().nullable(),
      index: z.number().int().nonnegative(),
    }),
    result: z.object({ data: z.string().describe('base64'), last: z.boolean() }),
  },
  'profile/frame': {
    params: z.object({ profileId: z.string(), func: z.number().int().nonnegative() }),
    result: z.object({ name: z.string(), file: z.string(), line: z.number(), kind: z.string() }),
  },
  'profile/lines': { params: z.object({ profileId: z.string() }), result: lineTableSchema },
  'profile/export': {
    params: z.object({ profileId: z.string(), format: profileExportSchema, event: z.string() }),
    result: z.object({ data: z.string().describe('base64'), suggestedName: z.string() }),
  },
  'profile/close': { params: z.object({ profileId: z.string() }), result: nothing },
  'check/run': {
    params: nothing,
    result: z.object({
      machine: machineFactsSchema,
      resolution: machineResolutionSchema.nullable(),
      unmeasured: failureSchema.nullable().describe('why there is no resolution'),
    }),
  },
  'engine/stopEverything': { params: nothing, result: z.object({ stopped: z.number(), reaped: z.number() }) },
} as const;
export type Requests = typeof requests;
export type RequestName = keyof Requests;
/** What a caller writes (defaults may be left out), and what the engine works with after parsing. */
export type ParamsInput<N extends RequestName> = z.input<Requests[N]['params']>;
export type Params<N extends RequestName> = z.output<Requests[N]['params']>;
export type ResultOf<N extends RequestName> = z.output<Requests[N]['result']>;

/** Notifications from the engine to its client. */
export const notifications = {
  'run/event': runEventSchema,
  'live/event': liveEventSchema,
  'advise/progress': adviceProgressSchema,
  'catalog/changed': nothing,
  'runs/changed': nothing,
  'recordings/changed': nothing,
  progress: progressSchema,
  /** One route of the target that was started by hand, as soon as it is counted. */
  'routes/counted': z.object({ target: z.string(), count: routeCountSchema, asSaved }),
  'engine/log': z.object({ level: z.enum(['trace', 'info', 'warning', 'error']), source: z.string(), message: z.string() }),
} as const;
export type Notifications = typeof notifications;
export type NotificationName = keyof Notifications;
export type NotificationOf<N extends NotificationName> = z.output<Notifications[N]>;

/** A failed request carries this as the `data` of its JSON-RPC error. */
export const failureErrorCode = -32_001;
