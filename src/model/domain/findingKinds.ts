import * as z from 'zod';
import { exitPhrase, exitSchema } from './exitWords.ts';
import { failureCodeSchema } from './failure.ts';
import { type Besides, type Figures, type OneOf, type Worded, recorded, schemaOf, storedSchemaOf } from './findingTable.ts';
import { figure, wholeNumber } from './format.ts';
import { keysOf } from './keysOf.ts';
import { liveRefusalSchema, refusalText } from './liveRefusal.ts';
import { warmUpFindingSchema, warmUpWords } from './warmUpFinding.ts';

/** What a finding is about, for rules that ask whether something was seen: they never read its words. */
export type Subject =
  /** Requests failed. */
  | 'errors'
  /** Requests had no answer: of the slowest nothing is known. */
  | 'answers'
  | 'latency'
  /** The load generator had nothing to spare. */
  | 'generator-full'
  /** It had connections that it did not use. */
  | 'generator-idle'
  /** A program ended or restarted without being asked to. */
  | 'end'
  | 'start'
  | 'setting'
  | 'load'
  | 'warm-up'
  | 'amount';

/** One kind of finding: the figures of it, what it discards, and its words. */
export interface Kind<F extends z.ZodRawShape> extends Worded<F> {
  /** What was measured otherwise than it was asked for, and counts for nothing: a block, or the whole trial. A finding that discards nothing is a note. */
  discards: 'block' | 'trial' | 'nothing';
  subject: Subject;
  /** What can be done about it; absent where nothing need be. */
  cure?: Cure<F>;
}
type Cure<F extends z.ZodRawShape> = string | ((figures: Figures<F>) => string);

function discarding(discards: Kind<z.ZodRawShape>['discards']) {
  return <F extends z.ZodRawShape>(subject: Subject, figures: F) => ({
    says: (says: Worded<F>['says'], cure?: Cure<F>): Kind<F> => ({
      discards,
      subject,
      figures,
      says,
      ...(cure === undefined ? {} : { cure }),
    }),
  });
}
const [block, trial, note] = [discarding('block'), discarding('trial'), discarding('nothing')];

function percent(share: number): string {
  return `${figure(100 * share)} %`;
}

const count = z.number().describe('how many');
const value = z.number().describe('as it was seen');
const limit = z.number().describe('what it is held against');

const failedWords = {
  status5xx: { what: 'answered with a server error (5xx)', cure: 'Look at the app’s log, and fix it or leave that route out.' },
  status4xx: { what: 'answered with a client error (4xx)', cure: 'Check the route, its parameters and its body.' },
  limited: {
    what: 'answered with 429 (too many requests)',
    cure: 'A rate limit stands before the app or in it: switch it off for the benchmark, or raise it far above what is measured.',
  },
  unexpected: {
    what: 'answered otherwise than the route’s "expect" says, or with GraphQL errors',
    cure: 'Ask the route once by hand, and see what it answers under load: an error within a good status, say.',
  },
  timeout: { what: 'not answered within the time-out', cure: 'Use fewer connections, a lighter route or a longer time-out.' },
  refused: {
    what: 'refused a connection',
    cure: 'See whether the app was still running, and whether its backlog is long enough.',
  },
  reset: { what: 'cut off by the app', cure: 'Look at the app’s log: a crash or a keep-alive time-out closes connections.' },
  unanswered: { what: 'left without an answer at the end', cure: 'Look for requests that hang in the app.' },
  other: { what: 'failed in some other way', cure: 'Look at the app’s log.' },
} as const;
export const failedRequestKinds = keysOf(failedWords);

const failedFigures = {
  kind: z.enum(failedRequestKinds),
  count,
  attempts: z.number().describe('all requests that were tried'),
  limit: limit.describe('the share of failed requests, of all kinds together, that a block may have: 0 … 1'),
};
type FailedFigures = Figures<typeof failedFigures>;

const failedRequests = [
  ({ kind: of, count: failed, attempts, limit: most }: FailedFigures) => {
    const verb =
      of === 'refused'
        ? `The app ${failedWords.refused.what} ${wholeNumber(failed)} ${failed === 1 ? 'time' : 'times'}`
        : `${wholeNumber(failed)} ${failed === 1 ? 'request was' : 'requests were'} ${failedWords[of].what}`;
    return `${verb}: ${percent(failed / attempts)} of all, where errors together may be ${percent(most)}.`;
  },
  ({ kind: of }: FailedFigures) => failedWords[of].cure,
] as const;

const otherLoad = 'Use fewer connections or a heavier route, or let k6 put the load on (--generator k6=2).';

function requestsText(of: number): string {
  return of === 1 ? 'One request' : `${wholeNumber(of)} requests`;
}

const plainKinds = {
  // What was seen of the programs
  'app-restarted': block('end', {}).says(() => 'The app was restarted or died while it was measured.', 'Look at its log.'),
  'database-restarted': block('end', {}).says(() => 'PostgreSQL was restarted or died while the app was measured.', 'Look at its log.'),
  'ended-in-round': block('end', {
    name: z.string(),
    exit: exitSchema,
    round: z.number(),
    lastLine: z.string().describe('of its log; empty without one'),
  }).says(
    ({ name, exit, round }) => `${name} ${exitPhrase(exit)} during round ${round}.`,
    ({ lastLine }) => `Look at its log${lastLine === '' ? '' : `; its last line is: ${lastLine}`}.`,
  ),
  'ended-before': trial('end', { name: z.string(), exit: exitSchema }).says(
    ({ name, exit }) => `${name} ${exitPhrase(exit)} before it could be measured.`,
    'Look at its log.',
  ),
  'has-ended': trial('end', { name: z.string() }).says(({ name }) => `${name} has ended.`, 'Look at its log.'),
  'not-started': trial('start', {
    failure: failureCodeSchema,
    message: z.string(),
    remedy: z.string(),
    round: z.number().nullable().describe('null where it is the first'),
  }).says(
    ({ message, round }) => (round === null ? message : `Round ${round}: ${message}`),
    ({ remedy }) => remedy,
  ),
  'setting-refused': trial('setting', { setting: z.string(), value, why: liveRefusalSchema.nullable(), round: z.number().nullable() }).says(
    ({ setting, value: asked, why, round }) =>
      `${round === null ? '' : `Round ${round}: `}${setting} ${asked}: ${why === null ? 'the app did not take it.' : refusalText(why)}`,
    'Measure it in a process of its own.',
  ),
  'setting-not-in-force': trial('setting', {
    message: liveRefusalSchema.describe('by what reads the setting from the running app'),
  }).says(({ message }) => refusalText(message)),
  'setting-not-taken': trial('setting', { setting: z.string(), value, why: liveRefusalSchema }).says(
    ({ setting, value: asked, why }) => `${setting} ${asked}: ${refusalText(why)}`,
  ),

  'value-not-in-force': trial('setting', {
    setting: z.string(),
    value: z.string().describe('that was asked for'),
    seen: z.string().nullable().describe('in the process; null where it does not show it'),
  }).says(
    ({ setting, value: asked, seen }) =>
      seen === null
        ? `${setting} was to be ${asked}, and the process does not show what it is.`
        : `${setting} was to be ${asked}, and in the process it is ${seen}.`,
    ({ setting, seen }) =>
      seen === null
        ? 'Let the probe be loaded and the JVM be attached to (“benchside.probes”, no -XX:+DisableAttachMechanism), so that it can be seen.'
        : `Look for what sets ${setting} elsewhere: a script, a file of options, or the code of the app itself.`,
  ),

  // Requests that failed, or of which nothing is known
  'requests-failed': block('errors', failedFigures).says(...failedRequests),
  'few-requests-failed': note('errors', failedFigures).says(...failedRequests),
  'nothing-answered': block('answers', {}).says(
    () => 'Not one request was answered.',
    'See whether the route is slower than a block is long.',
  ),
  'answers-missing': block('answers', { count }).says(
    ({ count: missing }) => `${requestsText(missing)} got no answer in time, so the slowest are missing from the latency.`,
  ),
  'answers-outstanding': block('latency', { count }).says(
    ({ count: open }) =>
      `${requestsText(open)} still had no answer at the end and ${open === 1 ? 'counts' : 'count'} with the time waited so far, so the true latency is higher.`,
  ),
  'requests-unaccounted': block('latency', { count }).says(
    ({ count: lost }) => `${lost} requests are neither answered nor failed nor under way, so latency may belong to other requests.`,
  ),

  // The load generator
  'generator-cpu': block('generator-full', { value: value.describe('percent of a core'), limit }).says(
    ({ value: used, limit: most }) =>
      `The load generator was saturated (its CPU ${figure(used)} % of a core, limit ${most} %): what was measured is the generator.`,
    otherLoad,
  ),
  'generator-loop': block('generator-full', {
    value: value.describe('share of the time in which its event loop was busy, 0 … 1'),
    limit,
  }).says(
    ({ value: busy, limit: most }) =>
      `The load generator was saturated (its event loop busy ${percent(busy)} of the time, limit ${percent(most)}): what was measured is the generator.`,
    otherLoad,
  ),
  'generator-idle': block('generator-idle', { value: value.describe('throughput × latency ÷ connections'), limit }).says(
    ({ value: ratio, limit: least }) =>
      `The load generator did not keep its connections busy (throughput × latency ÷ connections is ${figure(ratio)}, limit ${least}): what was measured is partly the generator.`,
    'Use fewer connections or a heavier route.',
  ),
  'k6-part-missing': block('load', { from: z.number(), to: z.number().nullable().describe('null: up to the end') }).says(
    ({ from, to }) =>
      `The file of a runner is missing: nothing is known of the part from ${figure(from)} ${to === null ? 'on' : `to ${figure(to)}`} of the test.`,
  ),
  'k6-part-twice': block('load', {}).says(
    () => 'Several files are of the same part of the test: it was run more than once, or a file was copied.',
  ),
  'k6-apart': block('load', { value: value.describe('seconds between the first runner and the last'), windowS: z.number() }).says(
    ({ value: apartS, windowS }) =>
      `The runners began ${figure(apartS)} s apart, of a window of ${figure(windowS)} s: they measured at different times.`,
  ),
  'k6-ended-early': block('load', { count, of: z.number(), file: z.string().describe('of the first of them') }).says(
    ({ count: early, of, file }) => `${early} of ${of} runners ended before the window did (${file}): look at their logs.`,
  ),
  'k6-dropped': block('load', { count }).says(
    ({ count: dropped }) =>
      `k6 dropped ${wholeNumber(dropped)} iterations, since as many virtual users as allowed were busy: the rate that was asked for was not put on the service.`,
  ),
  'k6-too-slow': block('load', { count, due: z.number() }).says(
    ({ count: begun, due }) =>
      `k6 began ${wholeNumber(begun)} of ${wholeNumber(due)} requests that were due and have ended: its runners were too slow, or answers never came.`,
  ),

  // How it was measured
  'nothing-measured': trial('amount', {}).says(() => 'No block of it was measured.', 'Let the run finish.'),
  'not-measured': trial('amount', {}).says(() => 'It was not measured.'),
  'by-hand': trial('amount', {}).says(
    () => 'Measured in a live session, by hand and in no random order: a drift of the machine would look like a difference.',
    'Tune the setting, or run the values side by side, before you rely on it.',
  ),
  unsteady: note('warm-up', { durationMs: z.number(), why: warmUpFindingSchema.nullable() }).says(
    ({ durationMs, why }) =>
      `After ${figure(durationMs / 1000)} s of warm-up ${why === null ? 'throughput was still changing' : warmUpWords(why)}; the rounds that follow are mirrored, so that a drift falls on all values alike.`,
  ),
  'cpu-unsteady': note('warm-up', {
    durationMs: z.number(),
    why: warmUpFindingSchema,
    share: z.number().describe('of a request’s time, at the most'),
  }).says(
    ({ durationMs, why, share: part }) =>
      `After ${figure(durationMs / 1000)} s of warm-up ${warmUpWords(why)}. The app’s CPU is ${percent(part)} of a request’s time at the most: throughput hardly follows it, and a warm app uses less CPU than is shown.`,
  ),
  'few-for-p99': note('amount', { count, limit }).says(
    ({ count: requests, limit: needed }) =>
      `p99 rests on fewer than 20 requests (${wholeNumber(requests)} in all, ${wholeNumber(needed)} are needed): do not rely on it.`,
  ),
  'session-statement': note('setting', { statement: z.string().describe('shortened') }).says(
    ({ statement }) => `“${statement}” holds for a session, and in transaction mode the next statement of the app may meet another one.`,
    'Say it within a transaction (SET LOCAL, pg_advisory_xact_lock), give it a connection past PgBouncer (LISTEN), or use session mode.',
  ),
  'distance-lasted': note('setting', { rttMs: z.number().describe('that was asked for'), lastedMs: z.number() }).says(
    ({ rttMs, lastedMs }) =>
      `A round trip to the database took ${figure(lastedMs)} ms while it was measured, and not ${figure(rttMs)} ms: the proxy that delays waited for a core itself.`,
    'Read the figures as those of the longer distance, or measure where a core is free.',
  ),

  // At a fixed rate
  'rate-carried': note('load', { ratePerS: z.number() }).says(
    ({ ratePerS }) =>
      `At a fixed rate of ${figure(ratePerS)} requests/s; latency counts from the time at which each request was to be sent.`,
  ),
  'rate-not-carried': note('load', { ratePerS: z.number(), value: value.describe('the share that was answered in time'), limit }).says(
    ({ ratePerS, value: share, limit: least }) =>
      `It cannot carry ${figure(ratePerS)} requests/s: ${figure(100 * share)} % were answered in time, ${100 * least} % are needed. Its latency says only how long the blocks were.`,
  ),
  'sent-late': note('load', { count, of: z.number() }).says(
    ({ count: late, of }) =>
      `${wholeNumber(late)} of ${wholeNumber(of)} requests were sent more than 10 ms late, because the machine was busy; their wait is in the latency.`,
  ),
  'not-sent': note('load', { count }).says(
    ({ count: dropped }) => `${wholeNumber(dropped)} requests were not sent, because too many were under way.`,
  ),

  recorded: note('amount', recorded.figures).says(recorded.says),
} as const;

/** What any finding can have besides its own figures. */
const common = {
  about: z.string().optional().describe('whose it is, by its label, where it stands among others’'),
  log: z
    .object({ file: z.string().describe('in the run’s folder'), lastLine: z.string().describe('not told twice; empty without one') })
    .optional()
    .describe('where the last words of the program are that it tells of'),
};
type Common = Besides<typeof common>;

/** A finding that is made of no others. */
export type PlainFinding = OneOf<typeof plainKinds, Common>;
export const plainFindingSchema = schemaOf(plainKinds, common);

/**
 * Every finding there is: a fact that was seen of a measurement, as a code with its figures. Rooms hand findings on and ask for their code or their subject; who
 * shows them makes sentences of them (`findings.ts`).
 */
export const findingKinds = {
  ...plainKinds,
  'blocks-left-out': note('amount', { count, of: z.number(), why: z.array(plainFindingSchema) }).says(
    ({ count: left, of }) => `${left} of ${of} blocks ${left === 1 ? 'is' : 'are'} left out.`,
  ),
} as const;

export type FindingCode = keyof typeof findingKinds;
export type Finding = OneOf<typeof findingKinds, Common>;
export const findingSchema = storedSchemaOf('finding', findingKinds, common);
