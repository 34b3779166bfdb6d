import * as z from 'zod';
import { adviceIdSchema, adviceProgressSchema, adviceRecordSchema, adviceSummarySchema } from '../domain/adviceRecord.ts';
import { comparisonSchema } from '../domain/comparison.ts';
import { failureSchema } from '../domain/failure.ts';
import { type FailureAction, failureButtons } from '../domain/failureCodes.ts';
import { liveEventSchema, liveRequestSchema } from './live.ts';
import { k6Choices } from '../domain/generator.ts';
import { keysOf } from '../domain/keysOf.ts';
import { measureKinds } from './measureKinds.ts';
import { measureRequestSchema } from './measureRequest.ts';
import { adviceFormatSchema, catalogSchema, reportFormatSchema } from './protocol.ts';
import { runRecordSchema, runSummarySchema } from '../domain/run.ts';
import { runEventSchema } from './runEvent.ts';
import { setFlagFields } from '../domain/runFlags.ts';
import { formFields } from '../domain/runOptions.ts';
import { lookedUpNameSchema, settingValueSchema, settingValuesSchema } from '../domain/setting.ts';
import { listedExperimentSchema } from '../domain/experiment.ts';

/** What the settings form holds, as typed; it is checked when the run starts. Remembered between sessions. */
export const formSchema = z.object({
  targets: z.array(z.string()),
  values: z.record(lookedUpNameSchema, z.string()).describe('by setting name, as typed, e.g. "2, 4, 8"'),
  connections: z.string(),
  ...formFields,
  load: z.string(),
  route: z.string().describe('empty: the mix'),
  record: z.boolean().default(false).describe('record a flame graph of each trial after everything was measured'),
  budget: z.string().default('').describe('seconds or e.g. "2 min"; empty: fixed rounds instead of a search'),
  slo: z.string().default('').describe('e.g. "p99 <= 50 ms, errors < 0.1 %"'),
  ...setFlagFields,
  totalConnections: z.string().default('').describe('database connections of all instances together'),
  raw: z.boolean().default(false).describe('keep raw samples'),
  rawShare: z.enum(['1', '0.1', '0.01']).default('1').describe('share of the requests that are kept'),
  bouncer: z
    .enum(['none', 'transaction', 'session'])
    .default('none')
    .describe('how a PgBouncer between the instances and PostgreSQL pools'),
  proxy: z.enum(['none', 'round-robin', 'least-conn']).default('none').describe('how nginx before the instances chooses among them'),
  upstreamKeepAlive: z.boolean().default(true).describe('connections from nginx to the instances are kept open'),
  staticFiles: z.boolean().default(false).describe('nginx answers /static/ itself'),
  k6: z
    .enum(['', ...k6Choices])
    .default('')
    .describe('processes of k6 that put the load on; empty: Benchside’s own generator'),
  cpuShare: z.string().default('').describe('cores that each process may use; empty: no limit'),
});
export type Form = z.infer<typeof formSchema>;

/** From the extension to the Workbench panel. Ids and data only. */
export const toPanelSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('catalog'), catalog: catalogSchema, trusted: z.boolean(), hasWorkspace: z.boolean() }),
  z.object({
    type: z.literal('form'),
    form: formSchema.nullable().describe('as it was chosen; null: nothing was chosen yet'),
    revision: z.number().int().positive().describe('counts the forms that came from elsewhere than the panel'),
  }),
  z.object({ type: z.literal('runs'), runs: z.array(runSummarySchema) }),
  z.object({ type: z.literal('run'), run: runRecordSchema }),
  z.object({
    type: z.literal('runEvents'),
    events: z.array(runEventSchema),
    replay: z.boolean().describe('true: what happened before the panel was there'),
  }),
  z.object({ type: z.literal('comparison'), comparison: comparisonSchema }),
  z.object({ type: z.literal('failure'), failure: failureSchema }),
  z
    .object({ type: z.literal('starting'), kind: z.enum(keysOf(measureKinds)).nullable() })
    .describe('a measurement begins, of which nothing else is known yet; null: it is over'),
  z
    .object({ type: z.literal('answered'), ask: z.number().int() })
    .describe('what the page asked for by that number was refused, or is over'),
  z.object({
    type: z.literal('show'),
    view: z.enum(['runs', 'compare', 'tune', 'live', 'advise', 'experiments']),
    target: z.string().optional().describe('live: the target to choose beforehand'),
  }),
  z.object({ type: z.literal('experiments'), experiments: z.array(listedExperimentSchema), problems: z.array(failureSchema) }),
  z.object({
    type: z.literal('advice'),
    list: z.array(adviceSummarySchema).describe('what is stored, newest first'),
    record: adviceRecordSchema.nullable().describe('the one to show'),
  }),
  z.object({
    type: z.literal('adviceProgress'),
    progress: adviceProgressSchema.nullable().describe('null: nothing is looked for (any more)'),
    replay: z.boolean().describe('true: it began before the panel was there'),
  }),
  z.object({ type: z.literal('liveEvents'), events: z.array(liveEventSchema), replay: z.boolean() }),
  z.object({ type: z.literal('applied'), target: z.string(), values: settingValuesSchema }),
  z.object({
    type: z.literal('flame'),
    recordingId: z.string(),
    message: z.unknown().describe('for the flame graph of that recording, which checks it itself (`toFlameSchema`)'),
  }),
]);
export type ToPanel = z.infer<typeof toPanelSchema>;

/** Of a message that asks for a measurement: the page waits for `answered` with the same number. */
const ask = z.number().int().positive().optional();

/** From the Workbench panel to the extension. */
export const fromPanelSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), shownRunId: z.string().nullable() }),
  z.object({
    type: z.literal('formChanged'),
    form: formSchema,
    revision: z.number().int().nonnegative().describe('of the form that was edited'),
  }),
  z.object({ type: z.literal('measure'), request: measureRequestSchema, ask }),
  z
    .object({
      type: z.literal('measureAgain'),
      leaveOut: z.array(z.string()).optional().describe('routes that are left out besides those that were'),
      askRoutes: z.boolean().optional(),
      ask,
    })
    .describe('what was asked for last, after it failed'),
  z
    .object({
      type: z.literal('whatWouldHelp'),
      runId: z.string().optional().describe('the verdict of this run is followed'),
      trialKey: z.string().optional().describe('on this trial of it'),
      adviceId: z.string().optional().describe('as it was asked for by this advice'),
      budgetS: z.number().positive().max(3600).optional().describe('but for so long'),
      ask,
    })
    .describe('looks for what helps; a target is asked for where none follows'),
  z.object({ type: z.literal('showAdvice'), id: adviceIdSchema.nullable().describe('null: the newest') }),
  z.object({
    type: z.literal('haveAdvice'),
    id: adviceIdSchema,
    changes: z.array(z.string()).min(1).max(20).describe('ids of changes that help'),
    how: z
      .enum(['apply', 'file', 'sql', 'copy'])
      .describe(
        'apply: values of settings; file: variables into benchside.json, after a question; sql: as an untitled document; copy: as text',
      ),
  }),
  z.object({ type: z.literal('exportAdvice'), id: adviceIdSchema, format: adviceFormatSchema }),
  z.object({ type: z.literal('deleteAdvice'), id: adviceIdSchema }),
  z.object({ type: z.literal('listExperiments') }),
  z.object({ type: z.literal('cancelRun') }),
  z.object({ type: z.literal('applySettings'), target: z.string(), values: settingValuesSchema, runId: z.string() }),
  z.object({ type: z.literal('showWhereSet'), target: z.string(), setting: z.string(), value: settingValueSchema }),
  z.object({ type: z.literal('startLive'), request: liveRequestSchema, ask }),
  z.object({ type: z.literal('setLive'), setting: z.string(), value: settingValueSchema }),
  z.object({ type: z.literal('keepLive') }),
  z.object({ type: z.literal('stopLive') }),
  z.object({ type: z.literal('compareRecordings'), a: z.string(), b: z.string() }),
  z.object({
    type: z.literal('compareCode'),
    runId: z.string().optional().describe('as it was asked for by this run'),
    budgetS: z.number().positive().max(3600).optional().describe('but for so long'),
  }),
  z.object({
    type: z.literal('openChange'),
    runId: z.string(),
    file: z.number().int().nonnegative().describe('index in the changed files of the run'),
    line: z.number().int().positive().nullable().describe('of the newer version'),
  }),
  z.object({ type: z.literal('openRun'), id: z.string() }),
  z.object({ type: z.literal('compare'), a: z.string(), b: z.string(), trialA: z.string().optional(), trialB: z.string().optional() }),
  z.object({ type: z.literal('exportReport'), id: z.string(), format: reportFormatSchema }),
  z.object({ type: z.literal('deleteRun'), id: z.string() }),
  z.object({ type: z.literal('openRecording'), id: z.string() }),
  z.object({ type: z.literal('recordFlameGraph'), runId: z.string() }),
  z.object({
    type: z.literal('flame'),
    recordingId: z.string(),
    message: z.unknown().describe('from the flame graph of that recording, checked on receipt (`fromFlameSchema`)'),
  }),
  z.object({ type: z.literal('queryRawSamples'), runId: z.string() }),
  z.object({
    type: z.literal('takeAction'),
    runId: z.string(),
    trialKey: z.string(),
    action: z.number().int().nonnegative().describe('index in the actions of the trial’s diagnosis'),
    ask,
  }),
  z.object({ type: z.literal('showStatements'), runId: z.string(), trialKey: z.string() }),
  z.object({
    type: z.literal('actOnFailure'),
    action: z.enum(Object.keys(failureButtons) as [FailureAction, ...FailureAction[]]),
    target: z.string().optional().describe('whose output is to be shown'),
  }),
  z.object({
    type: z.literal('addVariable'),
    target: z.string(),
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .describe('of the environment that benchside.json gives the target'),
  }),
  z.object({ type: z.literal('showLog') }),
  z.object({ type: z.literal('checkMachine') }),
  z.object({ type: z.literal('policyViolation'), directive: z.string(), blocked: z.string() }),
]);
export type FromPanel = z.infer<typeof fromPanelSchema>;
