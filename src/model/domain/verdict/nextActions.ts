import * as z from 'zod';
import { always, recorded, saidIn, storedOrSentence, worded } from '../findingTable.ts';
import { settingValueSchema } from '../setting.ts';
import { type StatementMeasure, bypassedIndexSchema, statementMeasures } from '../statement.ts';
import { lockedThingSchema, number, seen } from './figures.ts';
import { poolPhrase, whichPool } from './poolVerdicts.ts';

const cpuGraph = 'Record a CPU flame graph';
const wallGraph = 'Record a wall-clock flame graph';
const name = z.string().describe('the setting’s, as people read it');
const sizes = { name, values: z.array(number) };
const route = { route: z.string().nullable().describe('null: there are several') };

function ofRoute(only: string | null): string {
  return only === null ? '' : ` of ${only}`;
}

/** Of a statement with so many percent of what all of them have; what looks of once a second show is about so. */
const heaviestWords: Record<StatementMeasure, (percent: number) => string> = {
  time: (percent) => `took ${percent} % of the database’s time`,
  cpu: (percent) => `takes about ${percent} % of the time in which statements compute`,
  lock: (percent) => `has about ${percent} % of the time for which statements wait for locks`,
  io: (percent) => `has about ${percent} % of the time for which statements wait for a disk or an inner lock`,
};

/** The words of what to do next. */
export const actionLabels = {
  resize: worded({ name, from: number, to: number, processes: number.describe('that have one of this size each') }).says(
    ({ name: of, from, to, processes }) =>
      `${to > from ? 'Raise' : 'Lower'} “${of}” from ${from} to ${to}${processes > 1 ? ` in each of the ${processes} processes` : ''}`,
  ),
  'use-better': worded({ value: settingValueSchema }).says(({ value }) => `Use ${String(value)}, which brought more in this run`),
  'search-in-worker': always('Move the search to a worker thread'),
  'async-client': always('Wait without a thread: choose the asynchronous client'),
  'smallest-enough': worded(sizes).says(({ name: of, values }) => `Find the smallest “${of}” that is enough: ${values.join(', ')}`),
  'compare-sizes': worded(sizes).says(({ name: of, values }) => `Compare “${of}” ${values.join(', ')}`),

  // The load, and what answers it
  'twice-the-load': worded({ connections: number }).says(({ connections }) => `Put twice the load on it: ${connections} connections`),
  'is-it-a-queue': worded({ connections: number }).says(({ connections }) => `See whether it is a queue: ${connections} connections`),
  'other-generator': worded({ processes: number }).says(({ processes }) => `Let k6 put the load on, in ${processes} processes`),
  'one-more-instance': worded({ instances: number.describe('with the new one') }).says(
    ({ instances }) => `Add an instance: ${instances} in place of ${instances - 1}`,
  ),
  'both-raised': worded({ name, from: number, to: number }).says(
    ({ name: of, from, to }) => `Raise “${of}” along with the load: ${to} in place of ${from}`,
  ),
  'fewer-would-do': worded({ enough: number, now: number, inEach: z.boolean().describe('there are several processes') }).says(
    ({ enough, now, inEach }) => `For this load ${enough} connections would do in place of ${now}${inEach ? ', in each process' : ''}`,
  ),
  'remove-cause': always('Remove the cause that is named, and run it again'),
  'no-rate-limit': always('Switch the rate limit off for the benchmark, or raise it far above what is measured'),
  'check-route': always('Check the route, its parameters and its body'),
  'look-at-log': always('Look at the app’s log for the errors'),

  // Recordings
  'other-profiler': always('Look at where its time goes with a profiler of its own runtime'),
  'larger-of-several': worded({ ...whichPool, max: seen, needed: seen.describe('connections that would do') }).says(
    ({ max, needed, ...which }) =>
      `Raise the size of the pool ${poolPhrase(which)} from ${max ?? 'what it has'}${needed === null ? '' : ` to ${needed}`}, or use one pool for all`,
  ),
  'who-waits': always('Record who waits for connections, and where'),
  'what-allocates': always('Record what allocates'),
  'which-locks': always('Record which locks are waited for'),
  'what-blocks-loop': always('Record what blocks the event loop'),
  'where-time-goes': always('Record where the time goes: a wall-clock flame graph'),
  'cpu-graph': always(cpuGraph),
  'what-takes-time': always(`${cpuGraph}: what takes the time?`),
  'what-blocks-loops': always(`${wallGraph}: what blocks the event loop?`),
  'what-runs-long': always(`${cpuGraph}: what runs for so long?`),
  'wall-graph': always(wallGraph),
  'which-statement': always(`${wallGraph}: which statement waits?`),
  'what-is-done-held': always(`${wallGraph}: what is done while the connection is held?`),
  'what-waits-held': always(`${wallGraph}: what is waited for while a connection is held?`),
  'what-executor-does': always(`${wallGraph}: what do its threads do?`),
  'what-threads-wait-for': always(`${wallGraph}: what do the threads wait for?`),
  'waits-for-client-pool': always(`${wallGraph}: threads that wait for the client’s pool`),

  // The database
  'open-sql': worded({
    share: number.describe('of what it is the heaviest by'),
    by: z.enum(statementMeasures).default('time'),
    sql: z.string().nullable().default(null).describe('of the statement; null: the one that took most time'),
  }).says(({ share, by }) => `Open the SQL: one statement ${heaviestWords[by](Math.round(100 * share))}`),
  'look-at-plan': worded(route).says(({ route: only }) => `Open the SQL${ofRoute(only)} and look at its plan (EXPLAIN ANALYZE)`),
  'find-locked': worded({ ...route, lockedOn: lockedThingSchema.nullable() }).says(({ route: only, lockedOn }) => {
    const what = lockedOn === 'advisory' ? 'lock that all of them take' : 'row that all transactions change';
    return `Find the ${what}${ofRoute(only)}, and shorten what is done while it is held`;
  }),
  'fewer-rows': always('Let the database choose the rows: by a condition, LIMIT or an aggregate, and only the columns that are needed'),
  'page-by-key': always('Begin a page after the last key of the page before (WHERE key > … ORDER BY key LIMIT …), by an index of that key'),
  'fewer-columns': always(
    'Select only the columns that are needed, without the large ones; if these are few, see whether autovacuum keeps up with what is changed',
  ),
  'index-reference': worded({ table: z.string(), column: z.string() }).says(
    ({ table, column }) => `Make an index of ${column} on ${table}`,
  ),
  'sort-less': always(
    'Sort fewer rows or narrower ones (an index in the wanted order, LIMIT, fewer columns), or let work_mem hold what is sorted',
  ),
  'use-index': worded({ how: bypassedIndexSchema.shape.how }).says(({ how }) =>
    how === 'pattern'
      ? 'Make an index for patterns (gin with pg_trgm; of text_pattern_ops where all begin with text)'
      : 'Compare the column itself, with the value converted, or make an index on what is compared',
  ),
  'change-function': worded({ name: z.string(), isTrigger: z.boolean() }).says(
    ({ name: of, isTrigger }) =>
      `Look at the plans of the statements in ${of}${isTrigger ? ', or do its work outside of the statement that changes the row' : ''}`,
  ),
  'most-io': always('Look at which statements read and write most (pg_stat_statements), and write several rows in one transaction'),
  'fewer-statements': always('Send fewer statements for a request, and prepare those that are sent again: one text, with parameters'),
  'one-query': always('Fetch in one query what is asked for each row: by a join, or by a list of keys'),
  'pool-transactions': always(
    'Let PgBouncer pool by transaction, where the app allows it, or let the app’s pools together have no more connections than PgBouncer',
  ),
  'more-bouncers': always(
    'Leave it out where the app’s own pools fit into PostgreSQL’s connections, or let several processes of it share a port (so_reuseport)',
  ),

  // Connections
  'one-pool': always(
    'Make one pool when the app starts, and take each connection from it; keep it at least as large as what is used at once',
  ),
  'one-connection': always('Let a request take one connection and use it for all its statements: that cures it at any size'),
  'fewer-conflicts': always(
    'Look at what the app does after a rollback: where it tries again, let its transactions read and change fewer rows in common, or lock those first (SELECT … FOR UPDATE)',
  ),
  'work-outside': always('Move work that needs no database out of the transaction'),
  'give-back': always('Give the connection back on every path, also on an early return and on an error (try … finally)'),
  'give-back-of-request': always('Give the connection back on every path of a request, also on an early return and on an error'),
  'close-on-every-path': always('Close the connection on every path, also on an early return and on an error (try-with-resources)'),
  'log-leaks': always(
    'Let the pool log where such connections were taken: HikariCP’s leakDetectionThreshold, logAbandoned of dbcp2 and Tomcat JDBC',
  ),
  'hold-shorter': always('Hold what requests share for less time, and take the connection after it'),
  'keep-open': worded({ to: z.string() }).says(
    ({ to }) => `Keep connections to ${to} open: one client or agent with keep-alive for the whole app`,
  ),
  'keep-alive': always('Let the server keep its connections open (keep-alive)'),
  'cache-names': always('Keep connections to other services open (keep-alive), or cache what names stand for'),
  'larger-client-pool': always('Allow the HTTP client more connections to that host'),
  'measure-service': always('Measure that service alone, or send it fewer requests: keep its answers, or ask for several at once'),
  'at-the-same-time': always('Send the calls of a request at the same time, or ask for all that they ask for in one'),
  'ask-apart': worded({ to: z.string().nullable() }).says(
    ({ to }) => `Ask ${to ?? 'the other service'} before the connection is taken, or after it is given back`,
  ),
  'no-delay': always(
    'Set TCP_NODELAY on the server’s connections (setNoDelay; -Dsun.net.httpserver.nodelay=true for the JDK’s own server), or write head and body at once',
  ),

  // Processors, threads, and what surrounds the app
  'change-hottest': worded({
    event: z.enum(['cpu', 'alloc']),
    name: z.string(),
    place: z.string().describe('file and line; empty: not known'),
  }).says(
    ({ event, name: of, place }) =>
      `Let ${of}${place === '' ? '' : ` (${place})`} ${event === 'cpu' ? 'compute' : 'allocate'} less, or call it less often`,
  ),
  'more-cores': always('Give it more cores, or make a request cheaper'),
  'more-cores-apart': always('Give it more cores, or put database and load on another machine'),
  'close-programs': always('Close the other programs, or give it more cores, and run it again'),
  'warm-longer': always('Warm it up for longer, and look at it again'),
  'kept-alive': always('Look for what is kept alive longer than it is needed'),
  'in-pieces': always('Do in pieces, or outside of the event loop, what takes longer than a few milliseconds'),
  'send-less': always('Send less: compress, cache in the client, or let the proxy or a content network send files'),
  'more-executor-threads': worded({ executor: z.string() }).says(
    ({ executor }) => `Give “${executor}” more threads where the app makes it, or wait without a thread`,
  ),
  'off-the-loops': always('Do what computes for long on other threads'),
  'no-blocking-calls': always('Move calls that block (a query, a file, a lock) to worker threads, or use clients that do not block'),
  'raise-limit-of-app': worded({ few: number, to: z.string().nullable(), database: z.boolean() }).says(
    ({ few, to, database }) =>
      `Look for what lets only ${few} at a time go to ${database ? 'the database' : (to ?? 'the other service')} (a semaphore, a limit of concurrency, a thread that does it for all), and raise it`,
  ),
  'threads-once': always('Make what has threads of its own (an HTTP client, an executor, a timer) once, and use it for all requests'),
  'more-worker-threads': worded({ from: number }).says(
    ({ from }) => `Raise UV_THREADPOOL_SIZE from ${from} in the app’s environment; for tasks that compute, up to the number of cores`,
  ),
  'more-descriptors': always('Raise the limit of open files (ulimit -n) for the app, or look for descriptors that are never closed'),
  'larger-proxy': worded({ lacks: z.enum(['CPU', 'workers']) }).says(
    ({ lacks }) => `Give the proxy more ${lacks}, keep its connections to the instances open, or let it do less (TLS, compression)`,
  ),
  'proxy-limits': always('Look at the proxy’s limits: connections, queues and keep-alive to the instances'),
  recorded,
} as const;

const label = storedOrSentence('actionLabel', actionLabels);
export type ActionLabel = z.infer<typeof label>;

/** What to do next; the user can start it from the verdict. */
export const nextActionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), label, setting: z.string(), value: settingValueSchema }),
  z.object({ kind: z.literal('tune'), label, setting: z.string(), values: z.array(settingValueSchema) }),
  z.object({ kind: z.literal('connections'), label, connections: z.number().int() }),
  z.object({ kind: z.literal('generator'), label, processes: z.number().int().describe('of k6') }),
  z.object({ kind: z.literal('record'), label, event: z.enum(['cpu', 'wall', 'alloc', 'lock', 'pool-wait']) }),
  z.object({ kind: z.literal('instances'), label, instances: z.number().int() }),
  z.object({ kind: z.literal('sql'), label }).describe('opens the statements of the trial, with their plans'),
  z.object({ kind: z.literal('advice'), label }),
]);
export type NextAction = z.infer<typeof nextActionSchema>;

/** What it says, e.g. “Raise “pool” from 2 to 8”. */
export function actionText({ label: said }: Pick<NextAction, 'label'>): string {
  return saidIn(actionLabels, said);
}
