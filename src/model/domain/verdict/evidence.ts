import * as z from 'zod';
import { type ThresholdSource, sourceText, thresholdSourceSchema } from './thresholdSources.ts';
import { type Figures, type OneOf, type Worded, always, recorded, saidIn, storedOrSentence, worded } from '../findingTable.ts';
import { bytesPhrase, figure, wholeNumber } from '../format.ts';
import { pauseKindSchema } from '../probe.ts';
import { inUse, number, ofCoresUsed, pauseNames, resourceNames, resourceSchema, seen } from './figures.ts';
import { figureOf, mean, ms, ofCores, ofMax, percentOf, plural } from './phrases.ts';

/** The name of a figure, and how its number and its threshold are written where a number in its unit would not say enough. */
interface Named<F extends z.ZodRawShape> extends Worded<F> {
  value?: ((value: number, figures: Figures<F>) => string | null) | undefined;
  threshold?: string | ((limit: number, written: string) => string) | undefined;
}

function named<F extends z.ZodRawShape>(
  figures: F,
  name: string | Named<F>['says'],
  value?: Named<F>['value'],
  threshold?: Named<F>['threshold'],
): Named<F> {
  return { figures, says: typeof name === 'string' ? () => name : name, value, threshold };
}

function written(name: string, value: (value: number) => string): Named<Record<never, never>> {
  return named({}, name, value);
}

const ofAll = { part: seen, whole: seen };

/** So many of all that there are: “2.0 of 2”. */
function part(name: string, of: (part: number, whole: number) => string | null = ofMax): Named<typeof ofAll> {
  return named(ofAll, name, (_, { part: some, whole }) => (some === null || whole === null ? null : of(some, whole)));
}

function means(some: number, whole: number): string {
  return `${mean(some)} of ${mean(whole)}`;
}

function tenths(some: number, whole: number): string {
  return `${some.toFixed(1)} of ${whole.toFixed(1)}`;
}

/** CPU that was used, of the cores that there are for it. */
function cpu(name: string): Named<typeof ofCoresUsed.shape> {
  return named(ofCoresUsed.shape, name, (_, { share, cores }) => ofCores(share, cores));
}

const pools = { few: number.describe('connections of the smaller pool'), many: number.describe('connections of the larger pool') };

function gainName({ few, many }: Figures<typeof pools>): string {
  return `throughput with a pool of ${many}, of that with ${few}`;
}

/** What the figures of a verdict are called. */
export const evidenceNames = {
  // Processors
  'cpu-of-app': cpu('CPU of the app'),
  'cpu-of-its-share': cpu('CPU of the app, of its share'),
  'cpu-of-postgres': cpu('CPU of PostgreSQL'),
  'cpu-of-proxy': cpu('CPU of the proxy’s workers, of the cores that they may use'),
  'cpu-of-machine': cpu('CPU of the machine used by app, database and load'),
  'cpu-of-cores-left': cpu('CPU used by app, database and load, of what others left'),
  'cpu-of-what-was-left': cpu('CPU used by app, database and load, of what was left'),
  'cpu-wanted': cpu('CPU that app, database and load used or waited for'),
  'cpu-with-full-loops': cpu('CPU that app, database and load would use with the loops at a core each'),
  'cpu-mostly-postgres': always('CPU of the machine, of which PostgreSQL takes most'),
  'cpu-in-use': written('CPU of the app', (value) => `${mean(value)} % of a core`),
  'cpu-of-busy-loop': always('CPU of the app while its event loop was busy, of one core'),
  'cpu-of-bouncer': always('CPU of PgBouncer’s one thread'),
  'cpu-taken': always('CPU that other programs and the hypervisor took'),
  'cpu-taken-while-held': always('CPU that interference took while connections were held'),
  'one-core': worded({ each: z.boolean().describe('there are several processes') }).says(
    ({ each }) => `CPU of the app${each ? ', of each process' : ''}, of one core`,
  ),
  'one-core-at-most': always('the same in the block in which it was most'),
  'one-core-wanted': always('CPU that its threads used or waited for, of one core'),
  'off-the-loop': written('part of the app’s CPU that is not its event loop’s, at least', percentOf),
  'compiler-cpu': always('CPU of the JVM’s compiler, of one core'),
  'classes-loaded': written('classes loaded a second', mean),
  'fullest-processor': always('use of the fullest processor'),
  fullest: worded({ most: resourceSchema.nullable() }).says(({ most }) =>
    most === null ? 'use of the fullest resource' : `use of what is fullest, ${resourceNames[most]}`,
  ),
  pressure: always('time in which something waited for a CPU'),
  switches: always('context switches a second for each core'),

  // The event loop, the collector, threads
  'loop-busy': always('time in which the event loop was busy'),
  'loop-delay': always('delay of the event loop, mean'),
  'loop-delay-of-wait': always('delay of the event loop, of that wait'),
  'loop-stalled': always('part of a request’s time in which the event loop was blocked'),
  'loop-stalls': named(
    { maxMs: number, share: number.describe('of the time') },
    'the event loop was blocked',
    (count, { maxMs, share }) => `${count} ${plural(count, 'time', 'times')}, for up to ${ms(maxMs)} and ${percentOf(share)} of the time`,
  ),
  'stall-cpu': written('CPU that the process used meanwhile', percentOf),
  'gc-pauses': always('time in which the collector stopped the app'),
  'gc-pauses-large-answers': always('the same, where large answers are copied and collected'),
  'gc-waits': always('part of a request’s time for which it waits for the collector'),
  'heap-share': always('heap in use at its fullest, of what it may be'),
  'rows-read': written('rows that a request reads', wholeNumber),
  'gc-of-cpu': always('part of the collector’s pauses of all CPU that app, database and load used'),
  'gc-longest': always('longest pause'),
  heap: named(
    { maxMb: seen },
    'heap in use',
    (usedMb, { maxMb }) => `${figure(usedMb)} MiB${maxMb === null ? '' : ` of ${figure(maxMb)} MiB`}`,
  ),
  'busiest-loop': always('time in which the busiest event loop of the server was at work'),
  'requests-for-each': worded({ database: z.boolean().describe('they go to the database, and not to another service') }).says(
    ({ database }) => `requests for each that is the ${database ? 'database’s' : 'other service’s'} at a time, whenever it was read`,
  ),
  'threads-at-work': part('request threads at work'),
  'threads-queue': always('requests that wait for a thread'),
  'threads-by-enough': part('threads at work, by how many would do', (some, enough) => `${mean(some)} for ${mean(enough)}`),
  'threads-for-core': always('threads at work for each core'),
  'threads-locked': part('request threads that wait for a lock', means),
  'such-threads': always('such threads'),
  'threads-for-result': part('request threads that wait for a result of another thread', means),
  'results-for-thread': worded({ executor: z.string() }).says(
    ({ executor }) => `the same, for each of the threads of “${executor}”, all of which are at work`,
  ),
  'executor-at': always('what most of these threads do'),
  'worker-pool-wait': part(
    'part of a request’s time that one task waits for a thread of libuv’s pool',
    (waitMs, meanMs) => `${ms(waitMs)} of ${ms(meanMs)}`,
  ),
  'that-wait': always('that wait'),
  'worker-pool-size': written('threads of libuv’s pool', String),
  'worker-pool-tasks': always('under way then'),

  // A request’s time
  unaccounted: named({ share: seen, ms: seen }, 'part of a request’s time that nothing accounts for', (_, { share, ms: spent }) =>
    share === null || spent === null ? null : `${percentOf(share)}, ${ms(spent)}`,
  ),
  'in-cpu-times': always('that time, in CPU times of a request'),
  'outside-cpu': always('part of a request’s time that passes outside of the CPU'),
  elsewhere: named({}, 'requests wait for something other than the CPU most of the time', (is) => (is === 1 ? 'yes' : 'no'), 'no'),
  'name-look-ups': always('part of a request’s time in which names are looked up'),
  'that-time': always('that time'),
  'latency-median': always('median of the latency'),
  'delay-alone': always('time of a request that nothing accounts for'),
  'latency-p90': always('the same of nine in ten'),
  'delayed-acks': always('acknowledgements that were delayed, for each request'),
  slowest: named(
    { kind: pauseKindSchema, byChance: number },
    ({ kind }) => `of the slowest 1 %, those that meet ${pauseNames[kind]}`,
    (overlapping, { byChance }) => `${percentOf(overlapping)}, by chance ${percentOf(byChance)}`,
  ),

  // The pool
  'pool-in-use': part('connections of the pool in use'),
  'pool-queue': always('requests that wait for a connection'),
  'pool-queue-for-each': always('requests waiting for each connection of the pool'),
  'database-queue': always('requests that wait for a database connection'),
  'pool-stands': named(
    { ...inUse.shape, pending: seen, completions: seen },
    'the pool is full, requests wait, and no connection is given back',
    (_, { busy, max, pending, completions }) =>
      `${ofMax(busy, max) ?? '–'} in use, ${mean(pending ?? 0)} waiting, ${wholeNumber(completions ?? 0)} given back`,
  ),
  'wanted-at-once': written('connections that the load can want at once', mean),
  'gave-up': always('requests that gave up waiting for a connection'),
  'gave-up-of-all': always('requests that gave up, of all'),
  'taken-for-request': always('connections taken per request'),
  'held-idle': always('connections in use on which no statement ran'),
  'held-idle-at-least': always('connections in use on which no statement ran (at least, by the samples there are)'),
  'idle-in-transaction': always('connections in use whose session was idle in a transaction'),
  'idle-of-use': always('time per use in which no statement ran'),
  unheld: part('connections of the pool that no request under way holds'),
  'unheld-at-end': always('the same at the end of the measured time'),
  'never-back': always('of such connections, those that never came back'),
  outlived: written('connections that outlived the request that took them', mean),
  'outlived-meanwhile': written('connections that outlived their request while it was measured', wholeNumber),
  'may-open': written('connections that the pools may open', wholeNumber),
  'payload-queue': always('requests wait for the pool'),
  'longest-queue': always('requests in the longest queue'),
  'gain-of-larger': named(pools, gainName, undefined, (_, least) => `${least}, by the lower end of its interval`),
  'gain-if-limit': named(pools, gainName, percentOf, (expected) => `${percentOf(expected)} if the pool were the limit`),
  'hold-of-larger': named(
    { ...pools, fewMs: seen },
    ({ few, many }) => `time for which a connection is held, with ${few} and with ${many}`,
    (manyMs, { fewMs }) => `${ms(fewMs)} and ${ms(manyMs)}`,
    'the same if the pool were the limit',
  ),

  // The database, and PgBouncer
  'sessions-for-lock': part('active sessions that wait for a lock', tenths),
  'sessions-locked': always('sessions that wait for a lock'),
  'sessions-for-disk': part('active sessions that wait for a disk or an inner lock', tenths),
  'sessions-waiting': always('active sessions that wait for locks or disks'),
  'sessions-at-work': always('sessions at work'),
  'sessions-computing': part(
    'sessions that compute, for each of PostgreSQL’s cores',
    (some, cores) => `${figure(some)} on ${figureOf(cores)}`,
  ),
  'same-query': named({ calls: z.array(number) }, 'times that a request sends the same query', (_, { calls }) =>
    calls.map(mean).join(', '),
  ),
  connects: always('connections to PostgreSQL opened for each request'),
  'rolled-back': always('transactions rolled back for each request'),
  'bouncer-in-use': part('connections of PgBouncer to PostgreSQL that belong to a client'),
  'bouncer-queue': always('connections of the app that wait for one of them'),
  'bouncer-queue-for-each': always('connections of the app that wait for each of PgBouncer’s'),
  'bouncer-clients': always('connections of the app for each of PgBouncer’s'),

  // Other services, the proxy, the load
  'client-in-use': part('connections to the other service in use'),
  'client-queue': always('requests that wait for such a connection'),
  'client-queue-if-full': named(
    { free: inUse.nullable().describe('of which some are free; null: none is') },
    'requests that wait for a connection to it, while none is free',
    (_, { free }) => free && `0, with ${ofMax(free.busy, free.max) ?? 'some'} in use`,
  ),
  'other-service': always('share of a request’s time that the other service takes'),
  'other-service-time': always('time until the other service has answered'),
  'other-service-queue': always('requests that wait for its answer'),
  'connects-to': worded({ to: z.string() }).says(({ to }) => `connections to ${to} opened for each request`),
  'starts-threads': always('threads that the app starts for each request'),
  handshakes: always('TLS handshakes of the app for each request'),
  closes: written('answers after which the server closed the connection', percentOf),
  arrived: part('requests that had reached the app', means),
  'open-files': part('open file descriptors', (open, limit) => `${wholeNumber(open)} of ${wholeNumber(limit)}`),
  refused: always('connections refused or cut off'),
  failed: always('requests that failed'),
  'answer-bytes': always('bytes of an answer'),
  'bytes-a-second': always('bytes a second'),
  'discard-reasons': written('reasons to discard the measurement', String),
  'generator-cpu': always('CPU of the load generator, of one core'),
  'generator-wanted': always('CPU that the load generator used or waited for, of one core'),
  'generator-got': always('of that, what it used'),
  'generator-loop': always('event loop of the load generator busy'),
  'blocks-left-out': always('blocks left out because the load generator was saturated'),
  'little-ratio': always('throughput × latency ÷ connections'),
  'load-connections': always('connections of the load'),

  // A ladder
  'ladder-spread': written('throughput from the knee on, between lowest and highest', percentOf),
  'ladder-slope': written('slope of latency over connections (logarithmic)', (slope) => slope.toFixed(2)),
  'ladder-cpu': always('CPU, of all cores'),
  'ladder-last': written('throughput at the last rung, of the best', percentOf),
  recorded,
} as const;

export type EvidenceName = OneOf<typeof evidenceNames>;

const evidenceUnitSchema = z.enum(['share', 'percent', 'ms', 'count', 'bytes']);
export type EvidenceUnit = z.infer<typeof evidenceUnitSchema>;

/** A figure and its threshold. Records of before hold both as text, and so is what has no number. */
export const evidenceFigures = {
  what: storedOrSentence('evidenceName', evidenceNames),
  value: z.union([z.number(), z.string()]).nullable().describe('a number is in its unit; null: it was not seen'),
  unit: evidenceUnitSchema.default('count').describe('of the value and of its limit; a share is 0 … 1'),
  threshold: z.union([z.object({ is: z.enum(['≥', '<', '>', '≤']), limit: z.number() }), z.string()]).nullable(),
};

/** One figure that speaks for (or against) a verdict. */
export const evidenceSchema = z.object({
  ...evidenceFigures,
  met: z.boolean(),
  source: thresholdSourceSchema.nullable(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

type Figure = Pick<Evidence, keyof typeof evidenceFigures> & { source?: ThresholdSource | null };

/** It in words, e.g. “connections of the pool in use”, “2.0 of 2”, “≥ 95 %”, with all else that it has. */
export function wordedFigure<E extends Figure>({ what, value, unit, threshold, source, ...rest }: E) {
  const own = evidenceNames[what.code] as unknown as Named<z.ZodRawShape>;
  const text = typeof value === 'number' ? (own.value?.(value, what) ?? inUnit(value, unit)) : value;
  return {
    ...rest,
    what: saidIn(evidenceNames, what),
    value: text ?? 'not seen',
    threshold: thresholdText(threshold, unit, own),
    source: source == null ? null : sourceText(source),
  };
}

function thresholdText(threshold: Evidence['threshold'], unit: EvidenceUnit, { threshold: own }: Named<z.ZodRawShape>): string | null {
  if (threshold === null || typeof threshold === 'string') return threshold;
  const text = `${threshold.is} ${limitIn(threshold.limit, unit)}`;
  return typeof own === 'string' ? own : (own?.(threshold.limit, text) ?? text);
}

function inUnit(value: number, unit: EvidenceUnit): string {
  if (unit === 'share') return `${figure(100 * value)} %`;
  if (unit === 'percent') return `${figure(value)} %`;
  if (unit === 'bytes') return bytesPhrase(value);
  return unit === 'ms' ? `${figure(value)} ms` : figure(value);
}

/** Limits are round numbers and are written as such: “95 %”, “1”, “0.5”, “10,000”. */
function limitIn(limit: number, unit: EvidenceUnit): string {
  if (unit === 'bytes') return bytesPhrase(limit);
  const text = limit >= 1000 ? wholeNumber(limit) : String(Number((unit === 'share' ? 100 * limit : limit).toFixed(2)));
  if (unit === 'ms') return `${text} ms`;
  return unit === 'count' ? text : `${text} %`;
}
