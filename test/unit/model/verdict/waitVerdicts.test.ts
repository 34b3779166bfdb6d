import { describe } from 'vitest';
import { waitVerdicts } from '../../../../src/model/domain/verdict/waitVerdicts.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const words: VerdictWords = [
  [
    { code: 'database-lock', active: 8, waiting: 7.1, lockedOn: null },
    'Locks in the database are the limit: of 8 sessions at work, 7.1 waited for a lock that another transaction held.',
  ],
  [
    { code: 'database-lock-why', holdMs: 84, lockedOn: 'row' },
    'Transactions that change the same row run one after the other, however many connections there are; a request held its connection for 84.0 ms. A larger pool makes the queue before the row longer. What helps is to hold the lock for a shorter time (update last, commit at once) or to spread the row.',
  ],
  [
    { code: 'database-lock', active: 8, waiting: 7.1, lockedOn: 'row' },
    'Locks in the database are the limit: of 8 sessions at work, 7.1 waited for a row that another transaction had changed or locked.',
  ],
  [
    { code: 'database-lock', active: 8, waiting: 7.1, lockedOn: 'advisory' },
    'Locks in the database are the limit: of 8 sessions at work, 7.1 waited for an advisory lock that another session held.',
  ],
  [
    { code: 'database-lock-why', holdMs: 84, lockedOn: 'advisory' },
    'Requests that take the same advisory lock run one after the other, however many connections there are; a request held its connection for 84.0 ms. A larger pool makes the queue before the lock longer. What helps is to take it last and give it back at once (one of a transaction is held until the commit), to lock a narrower key, or to let a sequence or a constraint do its work.',
  ],
  [
    { code: 'database-lock', active: 8, waiting: 7.1, lockedOn: 'table' },
    'Locks in the database are the limit: of 8 sessions at work, 7.1 waited for a table that another transaction had locked.',
  ],
  [
    { code: 'database-lock-why', holdMs: 84, lockedOn: 'table' },
    'Transactions that lock the same table as a whole run one after the other, however many connections there are; a request held its connection for 84.0 ms. A larger pool makes the queue before the table longer. What helps is to lock only the rows that are changed, or to hold the lock for a shorter time.',
  ],
  [
    { code: 'database-io', waiting: 6, active: 8 },
    'The database waits for its disk: 6 of 8 sessions at work waited for reading, writing or PostgreSQL’s inner locks.',
  ],
  [
    { code: 'database-io-why' },
    'More connections add to that queue. Fewer commits (several rows in one transaction), a cache that holds what is read, or a faster disk shorten it.',
  ],
  [
    { code: 'app-lock', waiting: 15, threads: 16, where: 'monitor of app.Lock' },
    'A lock in the app is the limit: 15 of 16 request threads waited for it (monitor of app.Lock).',
  ],
  [{ code: 'app-lock', waiting: 15, threads: 16, where: null }, 'A lock in the app is the limit: 15 of 16 request threads waited for it.'],
  [
    { code: 'app-lock-why', poolQueues: true },
    'Whoever needs the lock goes one by one, so that throughput is one request per time that the lock is held, whatever the number of threads. Hold it for less, or give each part of the data a lock of its own. Requests hold a database connection while they wait for it, so that the pool is full, too: a larger one would only hold more of them.',
  ],
  [
    { code: 'app-lock-why', poolQueues: false },
    'Whoever needs the lock goes one by one, so that throughput is one request per time that the lock is held, whatever the number of threads. Hold it for less, or give each part of the data a lock of its own.',
  ],
  [
    { code: 'loop-blocked', waitMs: 40, meanMs: 41.7, stalls: { maxMs: 400, share: 0.2 } },
    'The event loop is blocked for up to 400 ms at a time, 20 % of the time: a request waits 40.0 ms of its 41.7 ms for that.',
  ],
  [
    { code: 'loop-blocked', waitMs: 40, meanMs: 41.7, stalls: null },
    'The event loop is blocked: a request waits 40.0 ms of its 41.7 ms for that.',
  ],
  [
    { code: 'loop-blocked-why', stalls: 1, computes: true },
    'That was seen 1 time. The process computes meanwhile: a timer, a large document, a regular expression or a loop keeps JavaScript busy. Nothing else of it can run until that is over, however little a request itself takes. Do it in pieces, or in a worker thread or another process.',
  ],
  [
    { code: 'loop-blocked-why', stalls: null, computes: false },
    'The process hardly computes meanwhile: a synchronous call waits for something, such as a file or another program. Nothing else of it can run until that is over, however little a request itself takes. Do it in pieces, or in a worker thread or another process.',
  ],
  [
    { code: 'app-lets-few', few: 2, to: 'http://rates:8080', database: false, waitMs: 206, meanMs: 227 },
    'The app itself is the limit, it seems: it lets only 2 requests at a time go to http://rates:8080, and a request waits 206 ms of its 227 ms before that.',
  ],
  [
    { code: 'app-lets-few', few: 1, to: null, database: true, waitMs: 206, meanMs: 227 },
    'The app itself is the limit, it seems: it lets only 1 request at a time go to the database, and a request waits 206 ms of its 227 ms before that.',
  ],
  [
    { code: 'app-lets-few-why', eachMs: 14.8 },
    'Whenever it was read, just as many were there, and never more; each takes 14.8 ms. The connections and the CPU have room. A semaphore, a limit of concurrency (p-limit), a queue with as many workers, or a thread that does it for all look like that.',
  ],
  [
    { code: 'server-loops-full', name: 'vert.x-eventloop-thread', loops: 1, computes: false },
    'The event loop is the limit: the only one of “vert.x-eventloop-thread” was blocked nearly all the time.',
  ],
  [
    { code: 'server-loops-full', name: 'reactor-http-nio', loops: 4, computes: true },
    'The event loop is the limit: one of the 4 of “reactor-http-nio” was at work nearly all the time.',
  ],
  [
    { code: 'server-loops-full-why', cpuPercent: 12, computes: false },
    'The app hardly computes meanwhile (12.0 % of a core): calls that wait (a query, another service, a file, a lock) are made on the loop’s own thread, and all its connections wait with it. More connections of a pool, or more CPU, bring nothing.',
  ],
  [
    { code: 'server-loops-full-why', cpuPercent: 98, computes: true },
    'It computes meanwhile (the app used 98.0 % of a core), and all its connections wait for it. More loops use more cores; what computes for long belongs on other threads.',
  ],
  [
    { code: 'worker-pool', threads: 4, waitMs: 30, meanMs: 41 },
    'Node’s own pool of 4 threads is the limit: a task waits 30.0 ms for one of them, and a request takes 41.0 ms.',
  ],
  [
    { code: 'worker-pool', threads: 1, waitMs: 30, meanMs: 41 },
    'Node’s own pool of 1 thread is the limit: a task waits 30.0 ms for one of them, and a request takes 41.0 ms.',
  ],
  [
    { code: 'worker-pool-why', busyWith: '15 PBKDF2Job' },
    'Files, names (dns.lookup), crypto and compression share these threads of libuv. Under way were 15 PBKDF2Job. The event loop and the CPU have room meanwhile.',
  ],
  [
    { code: 'worker-pool-why', busyWith: null },
    'Files, names (dns.lookup), crypto and compression share these threads of libuv. The event loop and the CPU have room meanwhile.',
  ],
  [
    { code: 'other-service', meanMs: 84, waitMs: 80, to: null },
    'Another service is the limit: of the 84.0 ms of a request, 80.0 ms were spent waiting for its answer.',
  ],
  [
    { code: 'other-service', meanMs: 84, waitMs: 80, to: 'rates:8080' },
    'Another service, rates:8080, is the limit: of the 84.0 ms of a request, 80.0 ms were spent waiting for its answer.',
  ],
  [
    { code: 'other-service-why', waiting: 15.2, inTurn: { calls: 8, eachMs: 10 }, connects: false },
    'A request sends it 8 calls of 10.0 ms; one of them is under way nearly all the time and never two, as where each is sent when the one before it is answered. On average 15 calls were under way at the same time, and no request waited for a connection, so that the app’s own settings are not what slows it.',
  ],
  [
    { code: 'other-service-why', waiting: 15.2, inTurn: null, connects: true },
    'On average 15 requests were waiting for it at the same time, and no request waited for a connection; to connect is part of that time.',
  ],
  [
    { code: 'other-service-why', waiting: 15.2, inTurn: null, connects: false },
    'On average 15 requests were waiting for it at the same time, and no request waited for a connection, so that the app’s own settings are not what slows it.',
  ],
  [
    { code: 'name-look-ups', eachMs: 30, meanMs: 41, maxMs: 300 },
    'Looking names up takes most of the time: 30.0 ms of the 41.0 ms of a request, 300 ms at the most.',
  ],
  [
    { code: 'name-look-ups', eachMs: 30, meanMs: 41, maxMs: null },
    'Looking names up takes most of the time: 30.0 ms of the 41.0 ms of a request.',
  ],
  [
    { code: 'name-look-ups-why' },
    'Each new connection to a host looks its name up, and each look-up has a thread of libuv’s pool until it is answered. Connections that are kept open need none.',
  ],
  [
    { code: 'delayed-answers', p50Ms: 41 },
    'TCP waits for itself: latency piles up at 41.0 ms, as where Nagle’s algorithm holds the rest of an answer back until its beginning is acknowledged, and the acknowledgement is delayed for 40 ms.',
  ],
  [
    { code: 'delayed-answers-why', delayedAcks: 1 },
    'Nothing computes meanwhile. The machine sent 1.00 delayed acknowledgements for each request. It happens where an answer is written in two pieces on a connection without TCP_NODELAY; a timer of 40 ms in the app looks the same.',
  ],
  [
    { code: 'delayed-answers-why', delayedAcks: null },
    'Nothing computes meanwhile. It happens where an answer is written in two pieces on a connection without TCP_NODELAY; a timer of 40 ms in the app looks the same.',
  ],
  [
    { code: 'proxy-full', workers: 1, usedShare: 0.97, cores: null, appShare: 0.1 },
    'The proxy is the limit: its 1 worker used 97 % of a core each, and the app 10 % of its CPU.',
  ],
  [
    { code: 'proxy-full', workers: 2, usedShare: 0.99, cores: 0.15, appShare: 0.1 },
    'The proxy is the limit: its 2 workers used 99 % of 0.150 cores, and the app 10 % of its CPU.',
  ],
  [
    { code: 'proxy-holds', requests: 16, arrived: 2, appShare: 0.1 },
    'The proxy is the limit: of 16 requests only 2 had reached the app, which used 10 % of its CPU.',
  ],
  [
    { code: 'proxy-why', instances: 1 },
    'What stands in front of the 1 instance lets no more through; another instance behind it would change nothing.',
  ],
  [
    { code: 'proxy-why', instances: 3 },
    'What stands in front of the 3 instances lets no more through; another instance behind it would change nothing.',
  ],
  [
    { code: 'unseen-wait', several: true, of: { unseenMs: 81.9, meanMs: 84, cpuShare: 0.1 } },
    'Requests wait for something that nothing here watches: 81.9 ms of the 84.0 ms of a request, with the CPU at 10 %.',
  ],
  [{ code: 'unseen-wait', several: false, of: null }, 'A request waits for something that nothing here watches.'],
  [
    { code: 'held-for-unseen', several: true, idleMs: 80, meanMs: 84, cpuShare: 0.1 },
    'Requests wait for something while they hold a connection: for 80.0 ms of the 84.0 ms of a request nothing is asked of the database on it, and the CPU is at 10 %.',
  ],
  [
    { code: 'held-for-unseen', several: false, idleMs: 80, meanMs: 84, cpuShare: 0.1 },
    'A request waits for something while it holds a connection: for 80.0 ms of the 84.0 ms of a request nothing is asked of the database on it, and the CPU is at 10 %.',
  ],
  [
    { code: 'wait-for-loop', several: true, stoodMs: 60, meanMs: 84 },
    'Requests wait while the event loop is blocked: about 60.0 ms of the 84.0 ms of a request.',
  ],
  [
    { code: 'no-single-limit', meanMs: 26.7, knownMs: 24.2 },
    'No single limit stands out: of the 26.7 ms of a request, 24.2 ms are accounted for, and nothing that is watched is full.',
  ],
  [{ code: 'time-unseen' }, 'How long a request takes, or what CPU the app used, was not seen.'],
  [{ code: 'perhaps-lock' }, 'It may be a lock in the app, another service or a pause.'],
  [
    { code: 'executor-full', name: 'prices', threads: 4, waiting: 16, of: 17 },
    'A pool of threads in the app is the limit: all 4 threads of “prices” were at work, and 16 of 17 request threads waited for a result.',
  ],
  [
    { code: 'executor-full', name: 'prices', threads: 1, waiting: 16, of: 16 },
    'A pool of threads in the app is the limit: the only thread of “prices” was at work, and 16 of 16 request threads waited for a result.',
  ],
  [
    { code: 'executor-full-why', where: 'sleep in Prices.load, Prices.java:19' },
    'Most of these threads were at: sleep in Prices.load, Prices.java:19. A request goes on only when one of them is free, however many threads take requests.',
  ],
  [
    { code: 'second-asked', where: 'Orders.place, Orders.java:23', threads: 10 },
    'Thread dumps show 10 request threads that hold a connection and wait for another one, asked for in Orders.place, Orders.java:23.',
  ],
  [
    { code: 'threads-at', threads: 15, of: 16, queued: false, where: 'sleep in Users.list, Users.java:9' },
    'Thread dumps show 15 of 16 request threads at: sleep in Users.list, Users.java:9.',
  ],
  [
    { code: 'threads-at', threads: 4, of: 4, queued: true, where: 'sleep in Users.list, Users.java:9' },
    'Thread dumps show 4 of 4 request threads that were not in the queue at: sleep in Users.list, Users.java:9.',
  ],
  [{ code: 'perhaps-timer' }, 'It may be a timer, a lock, a file, a name look-up or another service.'],
  [
    { code: 'loop-or-turn', taken: 0.4 },
    'Whether a synchronous call blocks it, or it waits for its turn on the CPU, of which others took 40 %, was not seen.',
  ],
  [
    {
      code: 'spent',
      parts: [
        { what: 'pool-wait', ms: 60 },
        { what: 'hold', ms: 20 },
        { what: 'cpu', ms: 2.11 },
      ],
    },
    'It is spent: waiting for a connection of the pool 60.0 ms, holding one 20.0 ms, CPU of app and load generator 2.11 ms.',
  ],
  [
    {
      code: 'rest-spent',
      parts: [
        { what: 'outbound', ms: 20 },
        { what: 'stood-still', ms: 10 },
      ],
    },
    'The rest is accounted for: another service 20.0 ms, waiting while the app stood still 10.0 ms.',
  ],
  [{ code: 'raise-load' }, 'Raise the load, to see what gives first.'],
  [{ code: 'queue-or-time' }, 'If twice the connections bring twice the throughput, it is only time that passes; if not, it is a queue.'],
];

describe('what a verdict says of waits', () => expectWords(words, Object.keys(waitVerdicts)));
