import { describe, expect, it } from 'vitest';
import { type FreshFinding, freshFindingSchema, freshKinds, freshText, probeCostText } from '../../../src/model/domain/freshFinding.ts';
import { type ModeReason, jointReasons, modeReasonKinds, modeReasonSchema, modeText } from '../../../src/model/domain/modeReason.ts';
import { type RunNote, runNoteKinds, runNoteSchema } from '../../../src/model/domain/runNoteKinds.ts';
import { noteText } from '../../../src/model/presentation/runNotes.ts';

const told = { message: 'It is so.', remedy: 'Do that.' };
const breaking = { code: 'breaking-point', load: 64, steps: 24, answer: 32, breaksAt: 64, kept: 2, broke: 2, of: 2 } as const;
const place = { code: 'data-place' as const, database: 'shop', server: '127.0.0.1:5432', files: ['a.sql', 'b.sql'] };
const remark = { code: 'sql-remark', file: 'a.sql', reason: 'teller', statement: '', alone: true } as const;
const soak = { code: 'soak', name: 'Node', lastedMs: 660_000, endedAtMs: null, watched: ['memory', 'disk', 'errors'] } as const;

/** Each kind with its words. */
const words: readonly (readonly [RunNote, string])[] = [
  [{ code: 'cancelled', rounds: 1, of: null }, 'Cancelled after 1 round.'],
  [{ code: 'cancelled', rounds: 1, of: 50 }, 'Cancelled after 1 of 50 rounds.'],
  [
    { code: 'mode', about: 'Java', why: [{ code: 'not-live', why: { code: 'probes-off' } }, { code: 'process-each' }] },
    'Java: Not live: Probes are switched off. One process for each target and setting, warmed once; the load turns from one to the next.',
  ],
  [
    { code: 'topology', topology: { proxy: null, cpuShare: 0.5, totalConnections: 10 } },
    'Topology: at most 0.5 cores for each process, 10 database connections for all instances together.',
  ],
  [
    { code: 'cores-limited', about: 'narrow', cores: 1, means: 'affinity' },
    'narrow: each process had at most 1 core, by the cores they may run on.',
  ],
  [{ code: 'k6-load', of: 'run' }, 'k6 put the load of the blocks on; warm-ups are of Benchside’s own generator.'],
  [
    { code: 'k6-load', of: 'tuning' },
    'k6 put the load of the rounds on; warm-ups and p99 at a fixed rate are of Benchside’s own generator.',
  ],
  [
    { code: 'k6-cluster', url: 'http://shop' },
    'The service was asked at http://shop, in a cluster: its CPU and its waits are not known, and the target’s command activates each value there.',
  ],
  [
    { code: 'k6-imported', generator: 'k6, 2 runners' },
    'Measured by k6, 2 runners. The machine that this record names is the one that imported the files.',
  ],
  [
    { code: 'k6-latency' },
    'Latency is k6’s http_req_duration: from the sending of a request to the end of its answer, without connecting.',
  ],
  [{ code: 'k6-tests-missing', count: 1, of: 4 }, 'Of 4 tests of the plan 1 has no files.'],
  [
    { code: 'live-session', durationMs: 61_000 },
    'A live session of 1 min 1 s: the load went on while settings were moved by hand. It is not a comparison.',
  ],
  [
    { code: 'live-unsteady', why: { code: 'varies', series: 'cpu' } },
    'Not steady when the session began: what a second of CPU serves varies so much that more time is needed to tell.',
  ],
  [{ code: 'setting-deviates', setting: 'pool', message: { code: 'process-gone', pid: 7 } }, 'Process 7 of the app is gone.'],
  [
    { code: 'few-connections', setting: 'Pool size', connections: 16 },
    'The load has 16 connections, so that pool size above 16 changes nothing.',
  ],
  [
    { code: 'stuck', target: 'Java', name: 'Java · pool 1' },
    'Java was stuck after Java · pool 1 and was started again, so that nothing of it spills into the next block.',
  ],
  [{ ...place, mode: 'own' }, 'The data is in “shop” on 127.0.0.1:5432, a database of Benchside’s own there.'],
  [
    { ...place, mode: 'own', files: [] },
    'The data is in “shop” on 127.0.0.1:5432, a database of Benchside’s own there. The target names no SQL files: what the app itself makes is all that is in it.',
  ],
  [{ ...place, mode: 'named' }, 'The data is in “shop” on 127.0.0.1:5432, where a.sql and b.sql are applied, as was agreed to.'],
  [{ ...place, mode: 'read-only', files: [] }, 'The data is what is in “shop” on 127.0.0.1:5432; Benchside applied nothing there.'],
  [
    { ...place, mode: 'read-only' },
    'The data is what is in “shop” on 127.0.0.1:5432: nothing was applied there, and it is expected to hold what a.sql and b.sql would have made.',
  ],
  [
    { code: 'migrations-left', about: 'Shop' },
    'Shop: its migrations ("prepare") were not run: the database is the user’s, and what is in it stays as it is.',
  ],
  [
    { code: 'load-writes', routes: ['POST /a', 'PUT /b'], data: 'stays', rows: null },
    'The load writes (POST /a and PUT /b), and what the app makes of that stays in the database: “read-only” is what Benchside itself does there.',
  ],
  [
    { code: 'load-writes', routes: ['POST /a'], data: 'reset', rows: null },
    'The load writes (POST /a): the data is brought back to its first state before each round, and grows within it.',
  ],
  [
    { code: 'load-writes', routes: ['POST /a'], data: 'grows', rows: null },
    'The load writes (POST /a) and nothing takes that out again: later blocks meet other data than earlier ones. Name a file for it in "postgres.prepare".',
  ],
  [
    { code: 'load-writes', routes: [], data: 'grows', rows: 0.5 },
    'Rows change under the load (0.500 for each request) and nothing takes that out again: later blocks meet other data than earlier ones.',
  ],
  [
    { code: 'load-writes', routes: [], data: 'once', rows: 1.25 },
    'Rows change under the load (1.25 for each request), and the data is brought back to its first state before the run alone: later blocks meet other data than earlier ones.',
  ],
  [
    { ...remark, kind: 'everything', reason: 'permission denied', statement: 'CHECKPOINT', alone: false },
    'a.sql needs more than to own its database (“CHECKPOINT”: permission denied). It was applied with the rights of a superuser; the app’s role has them, too, while the file is applied.',
  ],
  [
    { ...remark, kind: 'roles', reason: 'permission denied' },
    'a.sql needs more than to own its database (permission denied). It was applied with the right to make roles and databases; the app has no such right.',
  ],
  [
    { ...remark, kind: 'role-changed' },
    'The role teller was there already, since a role belongs to the whole server: a.sql has changed it in place of making it, also for other databases.',
  ],
  [
    { ...remark, kind: 'role-left' },
    'The role teller was there already, since a role belongs to the whole server: a.sql was applied without making it.',
  ],
  [{ ...remark, kind: 'role-kept' }, 'The role teller is used by another database of the server: a.sql was applied without dropping it.'],
  [
    { code: 'bouncer', version: '1.24', mode: 'session', passedOver: ['lock_timeout', 'statement_timeout'] },
    'PgBouncer in session mode (1.24) stood before PostgreSQL. What apps ask for at the start of a session and it passes over does not hold behind it: lock_timeout and statement_timeout.',
  ],
  [
    { code: 'not-through-bouncer', about: 'Java', trap: { code: 'startup-parameter', parameter: 'options' } },
    'Java: PgBouncer refuses the app’s connections, which ask for “options” when they are opened. Set it for the database’s role instead (ALTER ROLE … SET), or, where it may be left out, name it in "ignoreStartupParameters" of "bouncer".',
  ],
  [
    {
      code: 'not-through-bouncer',
      trap: { code: 'prepared-statement', said: 'prepared statement "a" does not exist', version: '1.18.0', keeps: false },
    },
    'The app prepares statements by name (prepared statement "a" does not exist): in transaction mode the next statement may meet another session of PostgreSQL, which knows none or another of that name. With pgjdbc: prepareThreshold=0 in its URL; with node-postgres: queries without a name. Or PgBouncer 1.21 or later with "preparedStatements": 200 (max_prepared_statements; this is 1.18.0), or session mode.',
  ],
  [
    {
      code: 'not-through-bouncer',
      trap: { code: 'prepared-statement', said: 'prepared statement "a" already exists', version: '1.24.1', keeps: true },
    },
    'The app prepares statements by name (prepared statement "a" already exists): in transaction mode the next statement may meet another session of PostgreSQL, which knows none or another of that name. With pgjdbc: prepareThreshold=0 in its URL; with node-postgres: queries without a name. Or let PgBouncer keep them ("preparedStatements": 200), or session mode.',
  ],
  [
    { code: 'not-through-bouncer', trap: { code: 'wait-timeout', mode: 'session' } },
    'Statements of the app waited for a connection of PgBouncer’s until it gave up (query_wait_timeout). Let the app’s pools together have no more connections than PgBouncer’s pool, or let it pool by transaction.',
  ],
  [
    { code: 'not-through-bouncer', trap: { code: 'wait-timeout', mode: 'transaction' } },
    'Statements of the app waited for a connection of PgBouncer’s until it gave up (query_wait_timeout). Give PgBouncer a larger pool, or make the transactions shorter.',
  ],
  [
    { code: 'open-files', of: 'proxy', connections: 12_000, needed: 24_100, allowed: 20_000, fitting: 9950 },
    'With 12,000 connections the proxy needs about 24,100 open files, and it may have 20,000. Raise the limit for your user (“nofile” in /etc/security/limits.conf, then log in again; in a container --ulimit nofile=32768), or end the ladder at 9,950.',
  ],
  [
    { code: 'ephemeral-ports', needed: 30_000, allowed: 28_232 },
    '30,000 connections to one port need as many local ports, and there are 28,232. Widen the range (sysctl -w net.ipv4.ip_local_port_range="1024 65535"), or spread the load over more instances without a proxy.',
  ],
  [
    { code: 'listen-backlog', needed: 3000, allowed: 2048, queues: ['net.core.somaxconn', 'net.ipv4.tcp_max_syn_backlog'] },
    'When 3,000 connections are opened at once, a listening socket queues at most 2,048 of them; the rest try again after 1 s. Raise the queue: sysctl -w net.core.somaxconn=4096 and sysctl -w net.ipv4.tcp_max_syn_backlog=4096; the app’s own listen backlog (511 in Node) may be smaller still.',
  ],
  [
    { code: 'database-connections', needed: 401, allowed: 400, reserved: 8 },
    'The pools may open 393 database connections, 8 are kept free, and PostgreSQL allows 400. Choose pools of at most 392 connections together, or raise max_connections of your server.',
  ],
  [
    { code: 'cpu-unlimited', about: 'Java', why: 'no-taskset' },
    'Java: The CPU share cannot be kept: no control group may be made here, and “taskset” cannot pin the processes to cores. Install util-linux (taskset), or run without a CPU share.',
  ],
  [
    { code: 'answer-hint', about: 'App', route: 'GET /b', hint: 'answers with a page to log in' },
    'App: GET /b answers with a page to log in.',
  ],
  [
    { code: 'today-too-long', name: 'Java · pool 10' },
    'Java · pool 10, as it is in use today, was not measured: the time is too short for one more value.',
  ],
  [
    { code: 'today-too-large', name: 'Java · pool 10', most: 20, reserved: 8 },
    'Java · pool 10, as it is in use today, was not measured: PostgreSQL allows 20 connections, of which 8 are kept back.',
  ],
  [
    { code: 'started-slowly', overS: null },
    'Starting and warming up took long: no time is left to compare p99, so that there are enough rounds for a claim.',
  ],
  [
    { code: 'started-slowly', overS: 12 },
    'Starting and warming up took long: the budget is exceeded by about 12 s, so that there are enough rounds for a claim.',
  ],
  [{ code: 'part-left-out', part: 'p99', budgetS: 90 }, 'p99 at a fixed rate is left out: a budget of 1 min 30 s has no time for it.'],
  [
    { code: 'part-left-out', part: 'routes', budgetS: 90 },
    'The routes by themselves are left out: a budget of 1 min 30 s has no time for it.',
  ],
  [
    { code: 'part-left-out', part: 'recording', budgetS: 90 },
    'The recordings that say why are left out: a budget of 1 min 30 s has no time for it.',
  ],
  [
    { code: 'unsteady-load-not-confirmed' },
    'Fresh processes are compared by their throughput under a steady load, which this run has not: nothing was confirmed in them.',
  ],
  [
    { code: 'fresh-already', about: 'Java' },
    'Java: each value had a fresh process of its own from the start, so that there was nothing to confirm in others.',
  ],
  [
    { code: 'raw-full', rows: 1000, most: 1000 },
    'Raw samples: after 1,000 requests no more were kept, as 1,000 were asked for at most; the load went on.',
  ],
  [{ code: 'raw-dropped', rows: 1700 }, 'Raw samples: 1,700 requests were not kept, because the disk was slower than the load.'],
  [
    { code: 'raw-failed', message: 'The disk is full.', rows: 5 },
    'Raw samples: The disk is full. 5 requests had been kept by then; the run’s figures are complete.',
  ],
  [{ code: 'raw-cost-unknown', message: 'It ended.' }, 'What raw samples cost could not be measured: It ended.'],
  [{ code: 'proxy-logged' }, 'nginx wrote its access log for the raw samples, which costs it some CPU.'],
  [
    { code: 'proxy-log-lost', cause: 'ENOSPC' },
    'nginx’s access log could not be kept, so that the raw samples are without their time there (ENOSPC).',
  ],
  [{ code: 'first-recorded' }, 'Of several instances the first was recorded, under its share of the load.'],
  [{ code: 'ended-unrecorded', name: 'Java · pool 2' }, 'Java · pool 2 was not recorded: it does not run any more.'],
  [
    { code: 'not-recorded', name: 'Java · pool 2', failure: 'postgres-died', ...told },
    'Java · pool 2 was not recorded: It is so. Do that.',
  ],
  [{ code: 'no-thread-dumps', about: 'Java', message: 'It has ended.' }, 'Java: not all thread dumps could be made: It has ended.'],
  [
    { code: 'probe-cost', ratio: 1.012, ciLow: 0.99, ciHigh: 1.034 },
    'The probe’s cost in CPU per request, between two processes: 1.20 % [-1.00 to 3.40 %].',
  ],
  [{ code: 'variant-left-out', label: 'Loom', need: 'java', ...told }, 'Loom is left out. It is so. Do that.'],
  [{ code: 'roles-without-raw' }, 'Users who walk through roles are counted by their steps: no raw samples were kept.'],
  [
    { code: 'variants-unsteady', names: ['a', 'b'] },
    'Still changing a little after the warm-up, which the mirrored rounds share out evenly: a, b.',
  ],
  [
    { code: 'variants-unrecorded' },
    'The variants were not recorded: users who come and go, and loads beside each other, are not the same in a window of their own.',
  ],
  [
    { code: 'loads-apart', about: 'Node', apartMs: 120.4, mostMs: 100 },
    'Node: The windows of the loads were up to 120 ms apart; above 100 ms they were not measured at the same time.',
  ],
  [{ code: 'outage', about: 'Node', failed: 0, attempts: 10, recovery: null }, 'Node: no request failed.'],
  [
    { code: 'outage', failed: 3, attempts: 10, recovery: { seconds: null } },
    '3 of 10 requests failed; throughput was not steady again in the time there was.',
  ],
  [
    { code: 'outage', failed: 3, attempts: 10, recovery: { seconds: 1.24 } },
    '3 of 10 requests failed; throughput was steady again after 1.2 s.',
  ],
  [{ code: 'step-failed', about: 'Node', message: 'buyer: GET /a was refused' }, 'Node: buyer: GET /a was refused'],
  [
    { ...soak, watched: [...soak.watched], grew: [] },
    'Node was up for all of the 11 min 0 s. No growth of memory, disk and errors in the second half of the soak.',
  ],
  [
    { ...soak, endedAtMs: 60_000, watched: [], grew: [] },
    'Node was up for 1 min 0 s of the 11 min 0 s, then it ended. There are too few samples to tell whether anything grew.',
  ],
  [
    {
      ...soak,
      watched: [...soak.watched],
      grew: [
        { by: 'share', what: 'memory', share: 0.5 },
        { by: 'pace', bytesPerHour: 2 ** 30, fullInMs: 7_200_000 },
        { by: 'rate', before: 0, after: 6 },
      ],
    },
    'Node was up for all of the 11 min 0 s. Growth of memory, disk and errors in the second half of the soak: memory by 50 %, disk by 1.0 GiB an hour (full in 2 h 0 min at that pace) and errors from 0.0 to 6.0 a second. Look at it over a longer soak.',
  ],
  [{ ...breaking, status: 'found' }, '32 kept it 2 times; 64 broke it.'],
  [{ ...breaking, status: 'found', broke: 1 }, '32 kept it 2 times; 64 broke it in 1 of 2 measurements.'],
  [{ ...breaking, status: 'undecided' }, '24 measurements were not enough to be sure; it lies between 32 and 64.'],
  [{ ...breaking, status: 'undecided', breaksAt: null }, '24 measurements were not enough to be sure; 32 keeps it.'],
  [{ ...breaking, status: 'undecided', answer: null }, '24 measurements were not enough to be sure; 64 breaks it.'],
  [{ ...breaking, status: 'invalid' }, 'A load of 64 could not be measured validly, twice.'],
  [{ ...breaking, status: 'below-lowest' }, 'The lowest load, 64, breaks it already.'],
  [{ ...breaking, status: 'above-highest' }, 'The highest load, 64, still keeps it: the answer is more than 64.'],
  [
    { code: 'memory', about: 'Node', mebibytes: 99.6, end: 'full-collection', seconds: 12.2 },
    'Node: 100 MB; it ended with the first full collection after 12 s.',
  ],
  [{ code: 'memory', mebibytes: 80, end: 'level', seconds: 12 }, '80 MB; it was level after 12 s.'],
  [{ code: 'memory', mebibytes: null, end: 'growing', seconds: 12 }, 'its memory could not be read; it was still growing after 12 s.'],
  [
    {
      code: 'variant-compared',
      base: 'jvm.gc=G1',
      other: 'jvm.gc=ZGC',
      verdict: 'worse',
      delta: 0.05,
      change: { mean: 0.94, low: 0.91, high: 0.97 },
      costs: [
        { id: 'p99', base: 12, other: 7.2, verdict: 'better', ratePerS: 400 },
        { id: 'memory', base: 200 * 2 ** 20, other: 500 * 2 ** 20, verdict: null },
        { id: 'cpu', base: 900, other: 905, verdict: 'unknown' },
      ],
    },
    'jvm.gc=ZGC against jvm.gc=G1: 6.0 % less throughput (−9.0 % to −3.0 %); p99 at 400 requests/s 12.0 ms → 7.20 ms (40 % lower), memory (RSS) 200 MiB → 500 MiB, CPU per request 900 µs → 905 µs (not distinguished).',
  ],
  [
    {
      code: 'sides-answer-otherwise',
      base: 'x=1',
      other: 'x=2',
      routes: [
        { route: 'GET /a', what: 'status', before: 200, after: 404 },
        { route: 'GET /b', what: 'bytes', before: 1200, after: 12 },
      ],
    },
    'Asked the same, x=1 and x=2 answered otherwise: GET /a with 200 and 404, GET /b with 1,200 and 12 bytes. What they cost is then not that of the same work.',
  ],
  [
    { code: 'sql-of-side', file: 'a.sql', database: 'shop', tookMs: 120, bytes: 2_097_152 },
    'a.sql was run in a copy of shop: it took 120 ms and made the copy 2.0 MiB larger.',
  ],
  [
    { code: 'rows-grown', database: 'shop', factor: 10, tables: 3, rows: 12_000, left: ['public.state'], tookMs: 120, bytes: 2_097_152 },
    'A copy of shop has 10 times the rows in 3 tables, 12,000 in all: it took 120 ms and made the copy 2.0 MiB larger. Left as they are: public.state.',
  ],
  [
    { code: 'distance-cost', side: 'node|rtt=0.5ms', rttMs: 0.5, beyondMs: 0.14, cpuUsPerMessage: 21.4, messages: 12_000, lateP99Us: 85 },
    'The distance of 0.5 ms to the database (node|rtt=0.5ms) is made by a proxy: it added 140 µs more to a round trip, and used 21.4 µs of CPU for each of 12,000 messages; 99 of 100 were late by at most 85.0 µs. All sides go through one.',
  ],
  [
    {
      code: 'statements-grow',
      base: 'rows=1x',
      other: 'rows=10x',
      factor: 10,
      statements: [
        { sql: 'SELECT *\n FROM items', baseMs: 0.5, otherMs: 4.35, kind: 'linear', scans: [{ table: 'items', scans: ['Seq Scan'] }] },
        { sql: 'SELECT 1', baseMs: 0.1, otherMs: 0.11, kind: 'constant', scans: [] },
      ],
    },
    'With 10 times the rows (rows=10x against rows=1x): “SELECT * FROM items” takes 8.70 times as long (0.500 ms → 4.35 ms a call; linear, sequential scan on items); “SELECT 1” takes 1.10 times as long (0.100 ms → 0.110 ms a call; constant).',
  ],
  [{ code: 'recorded', sentence: 'Of an earlier version.' }, 'Of an earlier version.'],
];

describe('a note of a run', () => {
  it.each(words)('%j has its words, and is the same after a message', (note, text) => {
    expect(noteText(note)).toBe(text);
    expect(runNoteSchema.parse(JSON.parse(JSON.stringify(note)))).toEqual(note);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(runNoteKinds)));
  });

  it('that another version made is kept as one of which nothing more is known', () => {
    expect(runNoteSchema.parse({ code: 'not-yet-known', value: 3 })).toMatchObject({ code: 'recorded' });
    const inWords = { code: 'machine-limit', limit: 'open-files', message: 'It is so.', remedy: 'Do that.' };
    expect(noteText(runNoteSchema.parse({ ...inWords, about: 'Java' }))).toBe('Java: It is so. Do that.');
    expect(noteText(runNoteSchema.parse({ ...inWords, remedy: null }))).toBe('It is so.');
    expect(runNoteSchema.safeParse('a sentence').success).toBe(false);
    expect(runNoteSchema.safeParse({ code: 'raw-full' }).success).toBe(false);
  });
});

describe('why settings are brought about as they are', () => {
  const reasons: readonly (readonly [ModeReason, string])[] = [
    [{ code: 'not-live', why: { code: 'nothing-varies' } }, 'Not live: No setting varies.'],
    [{ code: 'one-process' }, 'One process, warmed once; its settings are changed while it runs.'],
    [{ code: 'process-each' }, 'One process for each target and setting, warmed once; the load turns from one to the next.'],
    [
      { code: 'fixed-port', name: 'Two', port: 9090 },
      'Two always uses port 9090, so its processes cannot run side by side: each is started again for its block.',
    ],
    [
      { code: 'one-socket', name: 'Two', socket: '/run/two.sock' },
      'Two always uses the Unix socket /run/two.sock, so its processes cannot run side by side: each is started again for its block.',
    ],
    [
      { code: 'many-connections', connections: 384, most: 100 },
      'All pools together want 384 connections and PostgreSQL allows 100: each process is started again for its block.',
    ],
    [
      { code: 'much-memory', processes: 3, mebibytes: 4096 },
      '3 processes side by side could need 4096 MiB, more than is safely free: each is started again for its block.',
    ],
    [{ code: 'moved-by-hand' }, 'One process; its settings were changed by hand while it ran.'],
    [{ code: 'variants-at-once' }, 'All variants run at once, and the load turns from one to the next.'],
    [{ code: 'variants-in-turn' }, 'The variants are measured one after the other.'],
    [{ code: 'k6-elsewhere' }, 'k6 put the load on; whoever ran its tests activated each value.'],
    [{ code: 'recorded', sentence: 'As it was.', about: 'Java' }, 'Java: As it was.'],
  ];

  it.each(reasons)('%j has its words', (reason, text) => {
    expect(modeText([reason])).toBe(text);
    expect(modeReasonSchema.parse(reason)).toEqual(reason);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(reasons.map(([{ code }]) => code))).toEqual(new Set(Object.keys(modeReasonKinds)));
  });

  it('is said once of targets that are alike, and by their names where they are not', () => {
    const one = { label: 'Java', mode: 'live', modeReasons: [{ code: 'one-process' }] } as const;
    const other = {
      label: 'Node',
      mode: 'process-per-setting',
      modeReasons: [{ code: 'not-live', why: { code: 'probes-off' } }, { code: 'process-each' }],
    } as const;
    expect(jointReasons([one, { ...one, label: 'Node' }])).toEqual([{ code: 'one-process' }]);
    expect(modeText(jointReasons([one, other]))).toBe(
      'Java: One process, warmed once; its settings are changed while it runs. Node: Not live: Probes are switched off. One process for each target and setting, warmed once; the load turns from one to the next.',
    );
  });
});

describe('what fresh processes said', () => {
  const compared = { code: 'fresh-compared', name: 'pool 4', best: 'pool 8', ratio: 0.98, ciLow: 0.96, ciHigh: 1 } as const;
  const found: readonly (readonly [FreshFinding, string])[] = [
    [{ code: 'fresh-unmeasured', name: 'pool 4' }, 'In fresh processes pool 4 could not be measured.'],
    [{ code: 'fresh-alone', name: 'pool 4', throughput: 7940 }, 'A fresh process of pool 4 had 7,940 requests/s.'],
    [
      { code: 'fresh-too-few', name: 'pool 4', best: 'pool 8' },
      'In fresh processes too few blocks of pool 4 and pool 8 were valid to tell.',
    ],
    [
      { ...compared, says: 'confirms' },
      'In fresh processes pool 4 had 98.0 % [96.0 – 100.0] of the throughput of pool 8. That confirms the answer.',
    ],
    [
      { ...compared, says: 'contradicts' },
      'In fresh processes pool 4 had 98.0 % [96.0 – 100.0] of the throughput of pool 8. That contradicts the answer: trust the fresh processes.',
    ],
    [
      { ...compared, says: 'open' },
      'In fresh processes pool 4 had 98.0 % [96.0 – 100.0] of the throughput of pool 8. Three rounds are too few to confirm it more closely.',
    ],
    [{ code: 'recorded', sentence: 'As it was.' }, 'As it was.'],
  ];

  it.each(found)('%j has its words', (one, text) => {
    expect(freshText(one)).toBe(text);
    expect(freshFindingSchema.parse(one)).toEqual(one);
  });

  it('has words in every kind that there is', () => {
    expect(new Set(found.map(([{ code }]) => code))).toEqual(new Set(Object.keys(freshKinds)));
    expect(probeCostText({ code: 'recorded', sentence: 'As it was.' })).toBe('As it was.');
  });
});
