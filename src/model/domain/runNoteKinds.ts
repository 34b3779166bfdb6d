import * as z from 'zod';
import { bouncerPhrase, bouncerSchema } from './bouncer.ts';
import { bouncerTrapCure, bouncerTrapSchema, bouncerTrapSeen } from './bouncerTrap.ts';
import { cpuLimitFailure, cpuLimitProblemSchema } from './cpuLimitProblem.ts';
import { durationText } from './durationText.ts';
import { failureCodeSchema } from './failure.ts';
import { type Besides, type OneOf, always, recorded, storedSchemaOf, worded } from './findingTable.ts';
import { durationPhrase, listPhrase, orDash, wholeNumber } from './format.ts';
import { probeCostKinds } from './freshFinding.ts';
import { liveRefusalSchema, refusalText } from './liveRefusal.ts';
import { machineLimitKinds } from './machineLimitKinds.ts';
import { modeReasonSchema, modeText } from './modeReason.ts';
import { serverModeSchema } from './userServer.ts';
import { sqlRemarkFields, sqlRemarkText } from './sqlRemark.ts';
import { experimentNoteKinds } from './experimentNoteKinds.ts';
import { runTopologySchema } from './topology.ts';
import { topologyPhrase } from './topologyText.ts';
import { variantNoteKinds } from './variantNoteKinds.ts';
import { warmUpFindingSchema, warmUpWords } from './warmUpFinding.ts';

const name = z.string().describe('of a process, as the run calls it');
const rows = z.number().describe('requests that were kept');
/** Words of another room, with what can be done about it: shown, and asked for nothing. */
const told = { message: z.string(), remedy: z.string() };

const partWords = {
  p99: 'p99 at a fixed rate is',
  routes: 'The routes by themselves are',
  recording: 'The recordings that say why are',
} as const;

const meansWords: Readonly<Record<string, string>> = {
  'cgroup-v2': 'a control group',
  'cgroup-v1': 'a control group',
  affinity: 'the cores they may run on',
};

/**
 * What is worth knowing of a run and discards nothing: how it was done, what was left out of it, what the machine or the database did not give. A code with its
 * figures, and the words of each.
 */
export const runNoteKinds = {
  ...probeCostKinds,
  ...experimentNoteKinds,
  ...variantNoteKinds,

  // How it was done
  cancelled: worded({ rounds: z.number(), of: z.number().nullable().describe('null where their number was not known beforehand') }).says(
    ({ rounds, of }) => `Cancelled after ${rounds}${of === null ? '' : ` of ${of}`} ${rounds === 1 && of === null ? 'round' : 'rounds'}.`,
  ),
  mode: worded({ why: z.array(modeReasonSchema) }).says(({ why }) => modeText(why)),
  topology: worded({ topology: runTopologySchema }).says(({ topology }) => `Topology: ${topologyPhrase(topology)}.`),
  'cores-limited': worded({ cores: z.number(), means: z.string() }).says(
    ({ cores, means }) => `each process had at most ${cores} ${cores === 1 ? 'core' : 'cores'}, by ${meansWords[means] ?? means}.`,
  ),
  'k6-load': worded({ of: z.enum(['run', 'tuning']) }).says(({ of }) =>
    of === 'run'
      ? 'k6 put the load of the blocks on; warm-ups are of Benchside’s own generator.'
      : 'k6 put the load of the rounds on; warm-ups and p99 at a fixed rate are of Benchside’s own generator.',
  ),
  'k6-cluster': worded({ url: z.string() }).says(
    ({ url }) =>
      `The service was asked at ${url}, in a cluster: its CPU and its waits are not known, and the target’s command activates each value there.`,
  ),
  'k6-imported': worded({ generator: z.string() }).says(
    ({ generator }) => `Measured by ${generator}. The machine that this record names is the one that imported the files.`,
  ),
  'k6-latency': always('Latency is k6’s http_req_duration: from the sending of a request to the end of its answer, without connecting.'),
  'k6-tests-missing': worded({ count: z.number(), of: z.number() }).says(
    ({ count, of }) => `Of ${of} tests of the plan ${count} ${count === 1 ? 'has' : 'have'} no files.`,
  ),
  'live-session': worded({ durationMs: z.number() }).says(
    ({ durationMs }) =>
      `A live session of ${durationPhrase(durationMs)}: the load went on while settings were moved by hand. It is not a comparison.`,
  ),
  'live-unsteady': worded({ why: warmUpFindingSchema }).says(({ why }) => `Not steady when the session began: ${warmUpWords(why)}.`),
  'setting-deviates': worded({ setting: z.string(), message: liveRefusalSchema }).says(({ message }) => refusalText(message)),
  'few-connections': worded({ setting: z.string().describe('its label'), connections: z.number() }).says(
    ({ setting, connections }) =>
      `The load has ${connections} connections, so that ${setting.toLowerCase()} above ${connections} changes nothing.`,
  ),
  stuck: worded({ target: z.string(), name }).says(
    ({ target, name: after }) =>
      `${target} was stuck after ${after} and was started again, so that nothing of it spills into the next block.`,
  ),

  // The database and its data
  'data-place': worded({
    database: z.string(),
    server: z.string(),
    mode: serverModeSchema,
    files: z.array(z.string()).describe('SQL files that the target names'),
  }).says(({ database, server, mode, files }) => {
    const where = `“${database}” on ${server}`;
    const named = listPhrase(files);
    if (mode === 'own')
      return `The data is in ${where}, a database of Benchside’s own there.${files.length === 0 ? ' The target names no SQL files: what the app itself makes is all that is in it.' : ''}`;
    if (files.length === 0) return `The data is what is in ${where}; Benchside applied nothing there.`;
    if (mode === 'named') return `The data is in ${where}, where ${named} ${files.length === 1 ? 'is' : 'are'} applied, as was agreed to.`;
    return `The data is what is in ${where}: nothing was applied there, and it is expected to hold what ${named} would have made.`;
  }),
  'migrations-left': always('its migrations ("prepare") were not run: the database is the user’s, and what is in it stays as it is.'),
  'load-writes': worded({
    routes: z.array(z.string()).describe('those whose method may write; none: it is not known which of them write'),
    data: z
      .enum(['stays', 'reset', 'once', 'grows'])
      .describe('what becomes of what is written: it stays, is taken out before each round, before the run alone, or not at all'),
    rows: z.number().nullable().default(null).describe('that changed for each request; null where routes are named'),
  }).says(({ routes, data, rows: changed }) => {
    const writes =
      routes.length > 0 ? `The load writes (${routes.join(' and ')})` : `Rows change under the load (${orDash(changed)} for each request)`;
    switch (data) {
      case 'stays':
        return `${writes}, and what the app makes of that stays in the database: “read-only” is what Benchside itself does there.`;
      case 'reset':
        return `${writes}: the data is brought back to its first state before each round, and grows within it.`;
      case 'once':
        return `${writes}, and the data is brought back to its first state before the run alone: later blocks meet other data than earlier ones.`;
      case 'grows':
        return `${writes} and nothing takes that out again: later blocks meet other data than earlier ones.${routes.length > 0 ? ' Name a file for it in "postgres.prepare".' : ''}`;
    }
  }),
  'sql-remark': worded(sqlRemarkFields).says(sqlRemarkText),
  bouncer: worded({
    version: z.string(),
    mode: bouncerSchema.shape.mode,
    passedOver: z.array(z.string()).describe('parameters of a session'),
  }).says(
    ({ version, mode, passedOver }) =>
      `${bouncerPhrase({ mode })} (${version}) stood before PostgreSQL. What apps ask for at the start of a session and it passes over does not hold behind it: ${listPhrase(passedOver)}.`,
  ),
  'not-through-bouncer': worded({ trap: bouncerTrapSchema }).says(({ trap }) => `${bouncerTrapSeen(trap)} ${bouncerTrapCure(trap)}`),

  // What the machine or the app did not give
  ...machineLimitKinds,
  'cpu-unlimited': worded({ why: cpuLimitProblemSchema }).says(({ why }) => {
    const { message, cure } = cpuLimitFailure(why);
    return `${message} ${cure}`;
  }),
  'answer-hint': worded({ route: z.string(), hint: z.string() }).says(({ route, hint }) => `${route} ${hint}.`),

  // What was left out
  'today-too-long': worded({ name }).says(
    ({ name: today }) => `${today}, as it is in use today, was not measured: the time is too short for one more value.`,
  ),
  'today-too-large': worded({ name, most: z.number().describe('connections that PostgreSQL allows'), reserved: z.number() }).says(
    ({ name: today, most, reserved }) =>
      `${today}, as it is in use today, was not measured: PostgreSQL allows ${most} connections, of which ${reserved} are kept back.`,
  ),
  'started-slowly': worded({ overS: z.number().nullable().describe('by which the budget is exceeded; null where it is not') }).says(
    ({ overS }) =>
      `Starting and warming up took long: ${overS === null ? 'no time is left to compare p99' : `the budget is exceeded by about ${overS} s`}, so that there are enough rounds for a claim.`,
  ),
  'part-left-out': worded({ part: z.enum(['p99', 'routes', 'recording']), budgetS: z.number() }).says(
    ({ part, budgetS }) => `${partWords[part]} left out: a budget of ${durationText(budgetS)} has no time for it.`,
  ),
  'unsteady-load-not-confirmed': always(
    'Fresh processes are compared by their throughput under a steady load, which this run has not: nothing was confirmed in them.',
  ),
  'fresh-already': always('each value had a fresh process of its own from the start, so that there was nothing to confirm in others.'),

  // Raw samples and recordings
  'raw-full': worded({ rows, most: z.number() }).says(
    ({ rows: kept, most }) =>
      `Raw samples: after ${wholeNumber(kept)} requests no more were kept, as ${wholeNumber(most)} were asked for at most; the load went on.`,
  ),
  'raw-dropped': worded({ rows: z.number() }).says(
    ({ rows: lost }) => `Raw samples: ${wholeNumber(lost)} requests were not kept, because the disk was slower than the load.`,
  ),
  'raw-failed': worded({ rows, message: z.string() }).says(
    ({ rows: kept, message }) =>
      `Raw samples: ${message} ${wholeNumber(kept)} requests had been kept by then; the run’s figures are complete.`,
  ),
  'raw-cost-unknown': worded({ message: z.string() }).says(({ message }) => `What raw samples cost could not be measured: ${message}`),
  'proxy-logged': always('nginx wrote its access log for the raw samples, which costs it some CPU.'),
  'proxy-log-lost': worded({ cause: z.string() }).says(
    ({ cause }) => `nginx’s access log could not be kept, so that the raw samples are without their time there (${cause}).`,
  ),
  'first-recorded': always('Of several instances the first was recorded, under its share of the load.'),
  'ended-unrecorded': worded({ name }).says(({ name: trial }) => `${trial} was not recorded: it does not run any more.`),
  'not-recorded': worded({ name, failure: failureCodeSchema, ...told }).says(
    ({ name: trial, message, remedy }) => `${trial} was not recorded: ${message} ${remedy}`,
  ),
  'no-thread-dumps': worded({ message: z.string().describe('of the failure') }).says(
    ({ message }) => `not all thread dumps could be made: ${message}`,
  ),

  recorded,
} as const;

const common = { about: z.string().optional().describe('what it is of, by its label; absent: the run') };

/** What is worth knowing of a run, as a code with its figures; `runNotes.ts` has its words. */
export type RunNote = OneOf<typeof runNoteKinds, Besides<typeof common>>;
export const runNoteSchema = storedSchemaOf('runNote', runNoteKinds, common);
