import { describe, expect, it } from 'vitest';
import { type ActionLabel, actionLabels, actionText, nextActionSchema } from '../../../../src/model/domain/verdict/nextActions.ts';
import { type Words, expectTable } from '../../../support/verdictWords.ts';

const words: Words<ActionLabel> = [
  [{ code: 'resize', name: 'Pool size', from: 2, to: 8, processes: 1 }, 'Raise “Pool size” from 2 to 8'],
  [{ code: 'resize', name: 'pool', from: 2, to: 8, processes: 4 }, 'Raise “pool” from 2 to 8 in each of the 4 processes'],
  [{ code: 'resize', name: 'pool', from: 8, to: 2, processes: 1 }, 'Lower “pool” from 8 to 2'],
  [{ code: 'use-better', value: 8 }, 'Use 8, which brought more in this run'],
  [{ code: 'search-in-worker' }, 'Move the search to a worker thread'],
  [{ code: 'async-client' }, 'Wait without a thread: choose the asynchronous client'],
  [{ code: 'smallest-enough', name: 'pool', values: [2, 4, 8] }, 'Find the smallest “pool” that is enough: 2, 4, 8'],
  [{ code: 'compare-sizes', name: 'threads', values: [4, 16, 50] }, 'Compare “threads” 4, 16, 50'],
  [{ code: 'twice-the-load', connections: 32 }, 'Put twice the load on it: 32 connections'],
  [{ code: 'is-it-a-queue', connections: 32 }, 'See whether it is a queue: 32 connections'],
  [{ code: 'other-generator', processes: 2 }, 'Let k6 put the load on, in 2 processes'],
  [{ code: 'one-more-instance', instances: 2 }, 'Add an instance: 2 in place of 1'],
  [{ code: 'both-raised', name: 'pool', from: 2, to: 4 }, 'Raise “pool” along with the load: 4 in place of 2'],
  [{ code: 'fewer-would-do', enough: 2, now: 10, inEach: false }, 'For this load 2 connections would do in place of 10'],
  [{ code: 'fewer-would-do', enough: 2, now: 10, inEach: true }, 'For this load 2 connections would do in place of 10, in each process'],
  [{ code: 'remove-cause' }, 'Remove the cause that is named, and run it again'],
  [{ code: 'no-rate-limit' }, 'Switch the rate limit off for the benchmark, or raise it far above what is measured'],
  [{ code: 'check-route' }, 'Check the route, its parameters and its body'],
  [{ code: 'look-at-log' }, 'Look at the app’s log for the errors'],
  [{ code: 'other-profiler' }, 'Look at where its time goes with a profiler of its own runtime'],
  [
    { code: 'larger-of-several', name: 'shop', madeAt: 'app.mjs:5', max: 1, needed: 3 },
    'Raise the size of the pool made at app.mjs:5 from 1 to 3, or use one pool for all',
  ],
  [
    { code: 'larger-of-several', name: 'HikariPool-2', madeAt: null, max: null, needed: null },
    'Raise the size of the pool “HikariPool-2” from what it has, or use one pool for all',
  ],
  [{ code: 'who-waits' }, 'Record who waits for connections, and where'],
  [{ code: 'what-allocates' }, 'Record what allocates'],
  [{ code: 'which-locks' }, 'Record which locks are waited for'],
  [{ code: 'what-blocks-loop' }, 'Record what blocks the event loop'],
  [{ code: 'where-time-goes' }, 'Record where the time goes: a wall-clock flame graph'],
  [{ code: 'cpu-graph' }, 'Record a CPU flame graph'],
  [{ code: 'what-takes-time' }, 'Record a CPU flame graph: what takes the time?'],
  [{ code: 'what-runs-long' }, 'Record a CPU flame graph: what runs for so long?'],
  [{ code: 'wall-graph' }, 'Record a wall-clock flame graph'],
  [{ code: 'which-statement' }, 'Record a wall-clock flame graph: which statement waits?'],
  [{ code: 'what-is-done-held' }, 'Record a wall-clock flame graph: what is done while the connection is held?'],
  [{ code: 'what-waits-held' }, 'Record a wall-clock flame graph: what is waited for while a connection is held?'],
  [{ code: 'what-executor-does' }, 'Record a wall-clock flame graph: what do its threads do?'],
  [{ code: 'what-threads-wait-for' }, 'Record a wall-clock flame graph: what do the threads wait for?'],
  [{ code: 'waits-for-client-pool' }, 'Record a wall-clock flame graph: threads that wait for the client’s pool'],
  [{ code: 'open-sql', share: 0.97, by: 'time', sql: null }, 'Open the SQL: one statement took 97 % of the database’s time'],
  [
    { code: 'open-sql', share: 0.9, by: 'io', sql: 'COMMIT' },
    'Open the SQL: one statement has about 90 % of the time for which statements wait for a disk or an inner lock',
  ],
  [{ code: 'look-at-plan', route: null }, 'Open the SQL and look at its plan (EXPLAIN ANALYZE)'],
  [{ code: 'look-at-plan', route: 'GET /report' }, 'Open the SQL of GET /report and look at its plan (EXPLAIN ANALYZE)'],
  [
    { code: 'find-locked', route: 'POST /buy', lockedOn: 'row' },
    'Find the row that all transactions change of POST /buy, and shorten what is done while it is held',
  ],
  [
    { code: 'find-locked', route: null, lockedOn: 'advisory' },
    'Find the lock that all of them take, and shorten what is done while it is held',
  ],
  [{ code: 'at-the-same-time' }, 'Send the calls of a request at the same time, or ask for all that they ask for in one'],
  [{ code: 'ask-apart', to: 'rates:8080' }, 'Ask rates:8080 before the connection is taken, or after it is given back'],
  [{ code: 'ask-apart', to: null }, 'Ask the other service before the connection is taken, or after it is given back'],
  [{ code: 'threads-once' }, 'Make what has threads of its own (an HTTP client, an executor, a timer) once, and use it for all requests'],
  [{ code: 'fewer-rows' }, 'Let the database choose the rows: by a condition, LIMIT or an aggregate, and only the columns that are needed'],
  [
    { code: 'change-hottest', event: 'cpu', name: 'Json.write', place: 'Json.java:11' },
    'Let Json.write (Json.java:11) compute less, or call it less often',
  ],
  [{ code: 'change-hottest', event: 'alloc', name: 'Json.write', place: '' }, 'Let Json.write allocate less, or call it less often'],
  [{ code: 'fewer-statements' }, 'Send fewer statements for a request, and prepare those that are sent again: one text, with parameters'],
  [{ code: 'index-reference', table: 'orders', column: 'customer' }, 'Make an index of customer on orders'],
  [
    { code: 'sort-less' },
    'Sort fewer rows or narrower ones (an index in the wanted order, LIMIT, fewer columns), or let work_mem hold what is sorted',
  ],
  [{ code: 'use-index', how: 'pattern' }, 'Make an index for patterns (gin with pg_trgm; of text_pattern_ops where all begin with text)'],
  [{ code: 'use-index', how: 'cast' }, 'Compare the column itself, with the value converted, or make an index on what is compared'],
  [{ code: 'change-function', name: 'orders_count', isTrigger: false }, 'Look at the plans of the statements in orders_count'],
  [
    { code: 'change-function', name: 'orders_count', isTrigger: true },
    'Look at the plans of the statements in orders_count, or do its work outside of the statement that changes the row',
  ],
  [{ code: 'what-blocks-loops' }, 'Record a wall-clock flame graph: what blocks the event loop?'],
  [{ code: 'off-the-loops' }, 'Do what computes for long on other threads'],
  [{ code: 'no-blocking-calls' }, 'Move calls that block (a query, a file, a lock) to worker threads, or use clients that do not block'],
  [
    { code: 'raise-limit-of-app', few: 4, to: 'rates:8080', database: false },
    'Look for what lets only 4 at a time go to rates:8080 (a semaphore, a limit of concurrency, a thread that does it for all), and raise it',
  ],
  [
    { code: 'raise-limit-of-app', few: 2, to: null, database: true },
    'Look for what lets only 2 at a time go to the database (a semaphore, a limit of concurrency, a thread that does it for all), and raise it',
  ],
  [{ code: 'most-io' }, 'Look at which statements read and write most (pg_stat_statements), and write several rows in one transaction'],
  [{ code: 'one-query' }, 'Fetch in one query what is asked for each row: by a join, or by a list of keys'],
  [
    { code: 'pool-transactions' },
    'Let PgBouncer pool by transaction, where the app allows it, or let the app’s pools together have no more connections than PgBouncer',
  ],
  [
    { code: 'more-bouncers' },
    'Leave it out where the app’s own pools fit into PostgreSQL’s connections, or let several processes of it share a port (so_reuseport)',
  ],
  [
    { code: 'one-pool' },
    'Make one pool when the app starts, and take each connection from it; keep it at least as large as what is used at once',
  ],
  [{ code: 'one-connection' }, 'Let a request take one connection and use it for all its statements: that cures it at any size'],
  [
    { code: 'page-by-key' },
    'Begin a page after the last key of the page before (WHERE key > … ORDER BY key LIMIT …), by an index of that key',
  ],
  [
    { code: 'fewer-columns' },
    'Select only the columns that are needed, without the large ones; if these are few, see whether autovacuum keeps up with what is changed',
  ],
  [
    { code: 'fewer-conflicts' },
    'Look at what the app does after a rollback: where it tries again, let its transactions read and change fewer rows in common, or lock those first (SELECT … FOR UPDATE)',
  ],
  [{ code: 'work-outside' }, 'Move work that needs no database out of the transaction'],
  [{ code: 'give-back' }, 'Give the connection back on every path, also on an early return and on an error (try … finally)'],
  [{ code: 'give-back-of-request' }, 'Give the connection back on every path of a request, also on an early return and on an error'],
  [{ code: 'close-on-every-path' }, 'Close the connection on every path, also on an early return and on an error (try-with-resources)'],
  [
    { code: 'log-leaks' },
    'Let the pool log where such connections were taken: HikariCP’s leakDetectionThreshold, logAbandoned of dbcp2 and Tomcat JDBC',
  ],
  [{ code: 'hold-shorter' }, 'Hold what requests share for less time, and take the connection after it'],
  [{ code: 'keep-open', to: 'api:443' }, 'Keep connections to api:443 open: one client or agent with keep-alive for the whole app'],
  [{ code: 'keep-alive' }, 'Let the server keep its connections open (keep-alive)'],
  [{ code: 'cache-names' }, 'Keep connections to other services open (keep-alive), or cache what names stand for'],
  [{ code: 'larger-client-pool' }, 'Allow the HTTP client more connections to that host'],
  [{ code: 'measure-service' }, 'Measure that service alone, or send it fewer requests: keep its answers, or ask for several at once'],
  [
    { code: 'no-delay' },
    'Set TCP_NODELAY on the server’s connections (setNoDelay; -Dsun.net.httpserver.nodelay=true for the JDK’s own server), or write head and body at once',
  ],
  [{ code: 'more-cores' }, 'Give it more cores, or make a request cheaper'],
  [{ code: 'more-cores-apart' }, 'Give it more cores, or put database and load on another machine'],
  [{ code: 'close-programs' }, 'Close the other programs, or give it more cores, and run it again'],
  [{ code: 'warm-longer' }, 'Warm it up for longer, and look at it again'],
  [{ code: 'kept-alive' }, 'Look for what is kept alive longer than it is needed'],
  [{ code: 'in-pieces' }, 'Do in pieces, or outside of the event loop, what takes longer than a few milliseconds'],
  [{ code: 'send-less' }, 'Send less: compress, cache in the client, or let the proxy or a content network send files'],
  [{ code: 'more-executor-threads', executor: 'render' }, 'Give “render” more threads where the app makes it, or wait without a thread'],
  [
    { code: 'more-worker-threads', from: 4 },
    'Raise UV_THREADPOOL_SIZE from 4 in the app’s environment; for tasks that compute, up to the number of cores',
  ],
  [{ code: 'more-descriptors' }, 'Raise the limit of open files (ulimit -n) for the app, or look for descriptors that are never closed'],
  [
    { code: 'larger-proxy', lacks: 'workers' },
    'Give the proxy more workers, keep its connections to the instances open, or let it do less (TLS, compression)',
  ],
  [{ code: 'proxy-limits' }, 'Look at the proxy’s limits: connections, queues and keep-alive to the instances'],
  [{ code: 'recorded', sentence: 'Record who waits' }, 'Record who waits'],
];

describe('what to do next', () => {
  expectTable(
    words,
    Object.keys(actionLabels),
    (label) => actionText({ label }),
    (label) => nextActionSchema.parse({ kind: 'advice', label }).label,
  );

  it('keeps the words of a record that was written before they had codes, and of one by another version', () => {
    const told = nextActionSchema.parse({ kind: 'set', label: 'Raise “pool” from 2 to 8', setting: 'pool', value: 8 });
    expect(actionText(told)).toBe('Raise “pool” from 2 to 8');
    expect(told).toMatchObject({ kind: 'set', setting: 'pool', value: 8 });
    const newer = nextActionSchema.parse({ kind: 'advice', label: { code: 'rewrite-it', language: 'C' } });
    expect(actionText(newer)).toBe('“rewrite-it”, which another version of Benchside found.');
  });
});
