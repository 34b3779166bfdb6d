import { describe, expect, it } from 'vitest';
import { verdictKinds, verdictPartSchema, verdictText } from '../../../src/model/domain/verdict/verdictKinds.ts';
import type { VerdictPart } from '../../../src/model/domain/verdict/verdictKinds.ts';

const loopFull: VerdictPart = { code: 'loop-full', loopShare: 0.98, used: { share: 0.6, cores: 2 } };

/** Each code with its words. */
const words: readonly (readonly [VerdictPart, string])[] = [
  [
    { code: 'pool-full', busy: 2, max: 2, pending: 14, processes: 1 },
    'The connection pool is the limit: both of its 2 connections were always busy and 14 requests waited.',
  ],
  [
    { code: 'pool-full', busy: 7.96, max: 8, pending: 1, processes: 4 },
    'The connection pool is the limit: all 8 of its connections were always busy (2 in each of 4 processes) and 1 request waited.',
  ],
  [
    { code: 'pool-full', busy: 15.2, max: 16, pending: 1.46, processes: 1 },
    'The connection pool is the limit: 95 % of its 16 connections were busy and 1.5 requests waited.',
  ],
  [
    { code: 'pool-full', busy: 1, max: 1, pending: 3, processes: 1 },
    'The connection pool is the limit: its only connection was always busy and 3 requests waited.',
  ],
  [
    { code: 'pool-full', busy: null, max: null, pending: null, processes: 2 },
    'The connection pool is the limit: its connections were busy and 0 requests waited.',
  ],
  [
    { code: 'pool-full-why', waitMs: 141, holdMs: 20.5, postgresShare: 0.1, appShare: 0.046, isShared: false },
    'A request waited 141 ms for a connection and held it for 20.5 ms, while the database and the CPU had room (PostgreSQL at 10 %, the app at 4.6 % of the cores).',
  ],
  [
    { code: 'pool-full-why', waitMs: null, holdMs: null, postgresShare: null, appShare: 0.2, isShared: true },
    'A request waited an unknown time for a connection and held it for an unknown time, while the database and the CPU had room (PostgreSQL at an unknown share, the app’s share at 20 % of the cores).',
  ],
  [
    { code: 'connections-needed', connections: 15, processes: 1, holdMs: 20.5 },
    'Without the wait the load would need about 15 connections: requests per second × the 20.5 ms for which each holds one (Little’s law).',
  ],
  [
    { code: 'connections-needed', connections: 30, processes: 4, holdMs: 20.5 },
    'Without the wait the load would need about 30 connections in all processes together: requests per second × the 20.5 ms for which each holds one (Little’s law).',
  ],
  [
    { code: 'connections-held', busy: 4, max: 4, active: 0.01, pending: 12 },
    'Connections are held while the database has nothing to do: all 4 of its connections were always busy, but a statement ran on none of them, and 12 requests waited.',
  ],
  [
    { code: 'connections-held', busy: 4, max: 4, active: 1.5, pending: 12 },
    'Connections are held while the database has nothing to do: all 4 of its connections were always busy, but a statement ran on only 1.5 of them, and 12 requests waited.',
  ],
  [
    { code: 'connections-held-why', holdMs: 21, usedMs: 0.5 },
    'A request keeps its connection for 21.0 ms and uses it for about 0.500 ms. A larger pool would only hold more connections idle, and would bring nothing at all where requests wait for each other meanwhile (a lock in the app); do the other work (a computation, a call to another service) before the connection is taken or after it is given back.',
  ],
  [
    { code: 'pool-locked-up', max: 4, pending: 12, noneBack: true },
    'The connection pool locked itself up: all of its 4 connections were held, 12 requests waited, and none was given back, because requests hold one connection while they wait for another.',
  ],
  [
    { code: 'pool-stands', max: null, pending: 12, noneBack: false },
    'The connection pool came to a stand: all of its few connections were held, 12 requests waited, and nearly none was given back before a wait ran out.',
  ],
  [
    { code: 'pool-stands-why', outlived: null, unsure: 0 },
    'Either requests hold one connection while they wait for another, or requests end without giving theirs back. A larger pool cures only the first.',
  ],
  [
    { code: 'pool-stands-why', outlived: 3, unsure: 0 },
    'Either requests hold one connection while they wait for another, or requests end without giving theirs back: 3 of the connections outlived the request that took them. A larger pool cures only the first.',
  ],
  [
    { code: 'pool-stands-why', outlived: 3, unsure: 8 },
    'Either requests hold one connection while they wait for another, or requests end without giving theirs back: 3 of the connections outlived the request that took them, and of 8 it is not known. A larger pool cures only the first.',
  ],
  [
    { code: 'pool-ran-dry', timeouts: 1, max: 1, holdsOne: false },
    'The connection pool ran dry: 1 request gave up waiting for one of its 1 connection.',
  ],
  [
    { code: 'pool-ran-dry', timeouts: 4000, max: 4, holdsOne: true },
    'The connection pool ran dry: 4,000 requests gave up waiting for one of its 4 connections, because requests hold one connection while they wait for another.',
  ],
  [
    { code: 'pool-ran-dry-why', holdMs: 900 },
    'A connection was held for 900 ms on average, and the queue before the pool was longer than the time-out allows. Throughput is that of a service which turns requests away.',
  ],
  [
    { code: 'second-connection', requests: 16, each: 2, floor: 17, inEach: false },
    'When every connection is held by a request that waits for a second one, none of them can go on until the wait runs out. With 16 requests at work that each take 2, this cannot happen from 16 × (2 − 1) + 1 = 17 connections on.',
  ],
  [
    { code: 'second-connection', requests: 16, each: 3, floor: 33, inEach: true },
    'When every connection is held by a request that waits for a second one, none of them can go on until the wait runs out. With 16 requests at work that each take 3, this cannot happen from 16 × (3 − 1) + 1 = 33 connections on, in each process.',
  ],
  [
    { code: 'pool-leaks', lost: 10, max: 10, pending: 16 },
    'Connections leak, and the pool is dry: 10 of its 10 connections were taken by requests that are over and never given back, and 16 requests waited.',
  ],
  [
    { code: 'pool-leaks-why', held: 10, places: [], perRequest: null, lentInAll: null },
    'No request under way holds one of them, so that it is no request that waits for a second connection. A larger pool runs dry as well, only later.',
  ],
  [
    {
      code: 'pool-leaks-why',
      held: 10,
      places: [
        { at: 'Orders.java:42', count: 4 },
        { at: 'Carts.java:7', count: 1 },
      ],
      perRequest: 0.025,
      lentInAll: 400,
    },
    'No request under way holds one of them, so that it is no request that waits for a second connection. 4 of the 10 are known to have been taken at Orders.java:42, 1 at Carts.java:7. 25.0 of every 1,000 requests lost one while it was measured. Since it began, 10 of the 400 that were taken were lost, 25.0 of every 1,000. A larger pool runs dry as well, only later.',
  ],
  [
    { code: 'leaks-too', grew: 6, perRequest: 0.001, held: 6, places: [], max: 10, lastsS: 40 },
    'Connections seem to leak, too: 6 were taken by requests that are over and were not given back, 1.00 of every 1,000 requests. At this rate the 4 that are left of 10 last for about 40.0 s of this load.',
  ],
  [
    { code: 'leaks-too', grew: 6, perRequest: 0.001, held: 10, places: [{ at: 'Orders.java:42', count: 1 }], max: 10, lastsS: 0 },
    'Connections seem to leak, too: 6 were taken by requests that are over and were not given back, 1.00 of every 1,000 requests. All 10 are lost by now. 1 of the 10 is known to have been taken at Orders.java:42.',
  ],
  [
    { code: 'leaks-too', grew: 6, perRequest: 0.001, held: 10, places: [], max: null, lastsS: null },
    'Connections seem to leak, too: 6 were taken by requests that are over and were not given back, 1.00 of every 1,000 requests.',
  ],
  [
    { code: 'many-connections', max: 160, processes: 4, usual: 100, keptBack: 3 },
    'Together the pools may open 160 connections (40 in each of 4 processes); PostgreSQL allows 100 where its max_connections was not raised, and keeps 3 of them back.',
  ],
  [
    { code: 'many-connections', max: 160, processes: 1, usual: 100, keptBack: 3 },
    'Together the pools may open 160 connections; PostgreSQL allows 100 where its max_connections was not raised, and keeps 3 of them back.',
  ],
  [
    { code: 'bouncer-full', busy: 8, max: 8, waiting: 24 },
    'PgBouncer’s pool of 8 is the limit: all 8 of its connections were always busy and 24 of the app’s connections waited for one.',
  ],
  [
    { code: 'bouncer-full-why', waitMs: 41, postgresShare: 0.2 },
    'A request waited 41.0 ms for a connection of PgBouncer’s, while PostgreSQL was at 20 % of its cores. The app’s own pool holds its connection meanwhile: a larger one would make only that queue longer.',
  ],
  [
    { code: 'bouncer-keeps', clients: 32, max: 8 },
    'In session mode a connection of the app keeps its server connection until it is closed: of 32 connections of the app’s pools only 8 have one, and requests on the others wait until they give up.',
  ],
  [
    { code: 'bouncer-starves', timeouts: 40 },
    'Requests gave up waiting for a connection of the app’s own pool (40), since those that held one waited here. A larger pool of the app would make only this queue longer.',
  ],
  [{ code: 'bouncer-thread', cpuPercent: 97 }, 'PgBouncer itself is the limit: its one thread used 97 % of a core.'],
  [
    { code: 'bouncer-thread-why', postgresShare: 0.2 },
    'Every statement and every row goes through that thread, however many connections it has; PostgreSQL was at 20 % of its cores.',
  ],
  [
    { code: 'client-pool-full', busy: 2, max: 2, pending: 31 },
    'The HTTP client’s pool is the limit: both of its 2 connections were always busy and 31 requests waited.',
  ],
  [
    { code: 'client-pool-full-why', max: 2, holdMs: 25.4 },
    'The app asks another service through 2 connections; an answer took 25.4 ms. Many clients allow only 2 connections to one host unless they are told otherwise, so that more load only makes the queue longer while the CPU is idle.',
  ],
  [
    { code: 'client-pool-full-why', max: 1, holdMs: 25.4 },
    'The app asks another service through 1 connection; an answer took 25.4 ms. Many clients allow only 2 connections to one host unless they are told otherwise, so that more load only makes the queue longer while the CPU is idle.',
  ],
  [
    { code: 'threads-full', busy: 4, max: 4, waiting: 12 },
    'The thread pool is the limit: 4 of its 4 threads were at work, and 12 requests waited for one.',
  ],
  [
    { code: 'threads-full-why', cpuShare: 0.2, atDatabase: 0, elsewhere: 0.4 },
    'The CPU had room (20 % of the machine was used), so that these threads were waiting rather than computing; for what, a recording tells. A thread that waits costs little; more of them let more requests wait at the same time.',
  ],
  [
    { code: 'threads-full-why', cpuShare: 0.2, atDatabase: 3, elsewhere: 1 },
    'The CPU had room (20 % of the machine was used), so that these threads were waiting rather than computing: 3 of them held a database connection, 1 waited for another service. A thread that waits costs little; more of them let more requests wait at the same time.',
  ],
  [
    { code: 'cpu', instances: 1, used: { share: 0.95, cores: 2 }, isShared: false, cpuMs: 1.2 },
    'The CPU is the limit: the app used 95 % of 2 cores, 1.20 ms for each request.',
  ],
  [
    { code: 'cpu', instances: 2, used: { share: 0.95, cores: 0.5 }, isShared: true, cpuMs: 1.2 },
    'The CPU is the limit: the 2 instances of the app used 95 % of 0.500 cores, its share, 1.20 ms for each request.',
  ],
  [
    { code: 'cpu', instances: 1, used: { share: null, cores: null }, isShared: false, cpuMs: null },
    'The CPU is the limit: the app used all of it.',
  ],
  [
    {
      code: 'cpu-full',
      left: false,
      instances: 1,
      cpuPercent: 140,
      postgresPercent: 30,
      proxyPercent: 15,
      generatorPercent: 12,
      used: { share: 0.98, cores: 2 },
      taken: null,
    },
    'The machine’s CPU is full: the app used 140 % of a core, PostgreSQL 30.0 %, the proxy 15.0 %, the load generator 12.0 %; together 98 % of 2 cores.',
  ],
  [
    {
      code: 'cpu-full',
      left: true,
      instances: 1,
      cpuPercent: 140,
      postgresPercent: null,
      proxyPercent: null,
      generatorPercent: null,
      used: { share: 0.97, cores: 1.5 },
      taken: null,
    },
    'The CPU that others left is full: the app used 140 % of a core, which is 97 % of 1.50 cores that were left.',
  ],
  [
    {
      code: 'cpu-full',
      left: true,
      instances: 1,
      cpuPercent: 60,
      postgresPercent: 25,
      proxyPercent: null,
      generatorPercent: 15,
      used: { share: 0.95, cores: 2 },
      taken: 0.3,
    },
    'The CPU that others left is full: the app used 60.0 % of a core, PostgreSQL 25.0 %, the load generator 15.0 %; together they used or waited for 95 % of 2 cores, of which others took 30 %.',
  ],
  [
    { code: 'cpu-why', isOwn: true, isJvm: true },
    'No setting makes cores; a cheaper request does as much. As many busy threads as cores are enough; more of them only take turns.',
  ],
  [
    { code: 'cpu-why', isOwn: false, isJvm: false },
    'No setting makes cores; app, database and load generator compete for the same ones, and what one of them saves the others can use.',
  ],
  [
    { code: 'one-core', cpuPercent: 98, idle: { cores: 2.8, of: 4 } },
    'One core is the limit: the app used 98.0 % of a core, and never more than one, while 2.80 of the 4.00 were idle.',
  ],
  [{ code: 'one-core', cpuPercent: 98, idle: null }, 'One core is the limit: the app used 98.0 % of a core, and never more than one.'],
  [
    { code: 'one-core-each', processes: 3, cpuPercent: 292 },
    'One core for each process is the limit: the 3 processes of the app used 292 % of a core together, and no more.',
  ],
  [
    { code: 'one-core-wanted', cpuPercent: 72 },
    'One core is the limit: the app used 72.0 % of a core and waited for the rest of it, which others took; of a second one it asked for nothing.',
  ],
  [
    { code: 'one-core-left', cpuPercent: 76, taken: 0.25 },
    'One core seems to be the limit: the app used 76.0 % of a core, as much as is left of one while 25 % of the CPU is taken.',
  ],
  [
    { code: 'one-core-why', cpuMs: 3.2 },
    'A runtime that runs one thread at a time, as CPython does, uses one core however many threads or connections it has. A request takes 3.20 ms of it. More processes use more cores; so does a cheaper request.',
  ],
  [
    { code: 'one-core-why', cpuMs: null },
    'A runtime that runs one thread at a time, as CPython does, uses one core however many threads or connections it has. More processes use more cores; so does a cheaper request.',
  ],
  [
    { code: 'loop-full', loopShare: 0.98, used: { share: 0.6, cores: 2 } },
    'The event loop is the limit: it was busy 98 % of the time, while the machine used 60 % of 2 cores.',
  ],
  [
    { code: 'loop-full', loopShare: 0.98, used: { share: null, cores: null } },
    'The event loop is the limit: it was busy 98 % of the time, while the machine used only some of its cores.',
  ],
  [
    { code: 'loop-full-why', cpuMs: 1.2 },
    'JavaScript of one process runs on one core, whatever the others do. A request takes 1.20 ms of it. Another instance or worker uses another core; moving the computation off the loop keeps it free for everything else.',
  ],
  [
    { code: 'loop-computes-little', cpuPercent: 12 },
    'It is busy without computing (CPU 12.0 % of a core): something blocks it, such as a synchronous read or a wait. Nothing else of this process can run meanwhile.',
  ],
  [
    { code: 'gc', instances: 1, pauseShare: 0.4, maxPauseMs: 120 },
    'The garbage collector is the limit: it stopped the app for 40 % of the time, once for 120 ms.',
  ],
  [
    { code: 'gc', instances: 1, pauseShare: 0.4, maxPauseMs: null },
    'The garbage collector is the limit: it stopped the app for 40 % of the time.',
  ],
  [
    { code: 'gc-why', waits: { waitMs: 40, meanMs: 41.7 }, heapShare: 0.9 },
    'While it works, no request does. A request waits 40.0 ms of its 41.7 ms for it. 90 % of the heap was in use. A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.',
  ],
  [
    { code: 'gc-why', waits: null, heapShare: null },
    'While it works, no request does. A heap that holds what stays alive with room to spare is collected less often; allocating less helps at any size.',
  ],
  [
    { code: 'oversubscribed', threads: 200, cores: 2, enough: 4 },
    'Too many threads take turns: 200 were at work on 2 cores, where about 4 would keep them busy.',
  ],
  [
    { code: 'oversubscribed-why', switchesPerS: 90_000 },
    'The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (90,000 a second) and bring no throughput.',
  ],
  [
    { code: 'oversubscribed-why', switchesPerS: null },
    'The CPU is full, and every further thread only makes all others wait longer: their stacks and turns cost memory, caches and switches (not seen) and bring no throughput.',
  ],
  [
    { code: 'large-answers', bytes: 500_000, bytesPerS: 300_000_000 },
    'The size of the answers is the limit: 488 KiB each, 286 MiB a second.',
  ],
  [
    { code: 'large-answers-why' },
    'Time goes into copying and sending. A line of 1 Gbit/s would be full at about 119 MiB a second; on one machine the copying itself takes the CPU of the app and of the load generator.',
  ],
  [{ code: 'busy-machine', taken: 0.86 }, 'The machine is busy with other programs: they took 86 % of its CPU, and no core was left idle.'],
  [
    { code: 'busy-machine-why', unexplainedMs: 18, meanMs: 20 },
    'Nothing in the app explains 18.0 ms of the 20.0 ms of a request: most likely it waited for its turn on the CPU.',
  ],
  [
    { code: 'database-cpu', used: { share: 0.95, cores: 2 }, cpuMs: 0.9, isOwn: true },
    'The database’s CPU is the limit: PostgreSQL used 95 % of 2 cores, 0.900 ms for each request.',
  ],
  [
    { code: 'database-cpu', used: { share: null, cores: null }, cpuMs: null, isOwn: false },
    'The database’s CPU is the limit: PostgreSQL used its cores, an unknown time for each request, which is most of what app, database and load used.',
  ],
  [
    { code: 'database-cpu-why', appShare: 0.1, holdMs: 6 },
    'The app itself used 10 % of its CPU. More connections would only share the same cores (a request held one for 6.00 ms); what helps is a cheaper statement: an index, fewer rows, a result that is kept.',
  ],
  [
    { code: 'database-lock', active: 8, waiting: 7.1 },
    'Locks in the database are the limit: of 8 sessions at work, 7.1 waited for a lock that another transaction held.',
  ],
  [
    { code: 'database-lock-why', holdMs: 84 },
    'Transactions that change the same row run one after the other, however many connections there are; a request held its connection for 84.0 ms. A larger pool makes the queue before the row longer. What helps is to hold the lock for a shorter time (update last, commit at once) or to spread the row.',
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
    { code: 'other-service', meanMs: 84, waitMs: 80 },
    'Another service is the limit: of the 84.0 ms of a request, 80.0 ms were spent waiting for its answer.',
  ],
  [
    { code: 'other-service-why', waiting: 15.2 },
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
  [
    { code: 'healthy', most: 'event-loop', share: 0.6 },
    'Nothing is at its limit: what is used most, the event loop, is used to 60 %, and no request waits.',
  ],
  [
    { code: 'healthy', most: null, share: null },
    'Nothing is at its limit: what is used most, the processor, is used to an unknown share, and no request waits.',
  ],
  [
    { code: 'healthy-why', connections: 1 },
    'At 1 connection there is room in every resource that was watched. To see what gives first, raise the load.',
  ],
  [
    { code: 'healthy-why', connections: 16 },
    'At 16 connections there is room in every resource that was watched. To see what gives first, raise the load.',
  ],
  [{ code: 'nearly-full', most: 'app-share', share: 0.85 }, 'Nearly at its limit is the app’s share of the CPU, which is used to 85 %.'],
  [
    { code: 'nearly-full-why' },
    'It is the fullest of all resources, but not full, so that this may change with a little more load. Raise the load to be sure.',
  ],
  [
    { code: 'load', connections: 1, meanMs: 8, pool: null },
    'The load is the limit: one connection, which waits 8.00 ms for an answer, cannot ask for more, and nothing in the app is full.',
  ],
  [
    { code: 'load', connections: 16, meanMs: 20.8, pool: { busy: 15.9, max: 16 } },
    'The load is the limit: 16 connections, each of which waits 20.8 ms for an answer, cannot ask for more. 16 of the 16 connections of the pool were in use, and no request waited for one.',
  ],
  [{ code: 'used-most', most: 'postgres-cpu', share: 0.3 }, 'What is used most, PostgreSQL’s CPU, is used to 30 %.'],
  [
    { code: 'closed-loop', connections: 1 },
    'In a closed loop each connection waits for its answer before it asks again, so that only one request is ever at work.',
  ],
  [
    { code: 'closed-loop', connections: 16 },
    'In a closed loop each connection waits for its answer before it asks again, so that at most 16 requests are at work.',
  ],
  [{ code: 'more-load' }, 'More connections of the load would ask for more, until something is full.'],
  [
    { code: 'more-of-both' },
    'A larger pool alone would stay unused, and more connections of the load alone would soon wait for the pool: only both together would ask the app for more.',
  ],
  [
    { code: 'says-nothing', finding: { code: 'app-restarted' } },
    'This measurement says nothing of the app: the app was restarted or died while it was measured. Look at its log.',
  ],
  [{ code: 'says-nothing', finding: null }, 'This measurement says nothing of the app: it was discarded.'],
  [{ code: 'says-nothing-why' }, 'What limits the app cannot be told from it.'],
  [{ code: 'finding', finding: { code: 'app-restarted' } }, 'The app was restarted or died while it was measured. Look at its log.'],
  [
    { code: 'generator-starved', wantedShare: 0.975, appShare: 0.005 },
    'This measurement says nothing of the app: the load generator was saturated (it used or waited for 98 % of a core), and the app used 0.5 % of its CPU.',
  ],
  [
    { code: 'generator-starved-why', usedShare: 0.6, saturatedBlocks: 0.5 },
    'It got 60 % of a core, and all of one in 50 % of the blocks, which are left out: what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on.',
  ],
  [
    { code: 'generator-starved-why', usedShare: 0.6, saturatedBlocks: 0 },
    'It got 60 % of a core and could have used more: what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on.',
  ],
  [{ code: 'none-answered' }, 'Not one request was answered.'],
  [
    {
      code: 'many-failed',
      share: 0.2,
      failed: [
        { kind: 'status5xx', requests: 35_486 },
        { kind: 'refused', requests: 2 },
      ],
    },
    '20 % of the requests failed: 35,486 were answered with a server error, 2 were refused.',
  ],
  [
    { code: 'failed-why' },
    'An error is answered sooner or later than a result, so that these figures describe the errors. What limits the app cannot be told before they are gone.',
  ],
  [{ code: 'probe-silent' }, 'The probe in the app gave no answer, so that its pools and threads were not seen.'],
  [{ code: 'descriptors', open: 48, limit: 48 }, 'The app may open no more files: 48 of 48 descriptors were in use.'],
  [{ code: 'descriptors', open: null, limit: 1024 }, 'The app may open no more files: all of 1,024 descriptors were in use.'],
  [
    { code: 'descriptors-why', refused: 12 },
    'Every connection of a client, of the pool and every open file takes one. At the limit new connections are refused or left waiting, as 12 were here.',
  ],
  [
    { code: 'descriptors-why', refused: 0 },
    'Every connection of a client, of the pool and every open file takes one. At the limit new connections are refused or left waiting.',
  ],
  [
    { code: 'connects-each', all: true, perS: 2000, perRequest: 1 },
    'Each request opens a connection to PostgreSQL of its own: 2,000 a second, 1.00 for each request.',
  ],
  [
    { code: 'connects-each', all: false, perS: 600, perRequest: 0.3 },
    'Many a request opens a connection to PostgreSQL: 600 a second, 0.300 for each request.',
  ],
  [{ code: 'connects-cost', cpuMs: 0.85 }, 'PostgreSQL starts a process for each of them; it used 0.850 ms of CPU for a request.'],
  [{ code: 'connects-cost', cpuMs: null }, 'PostgreSQL starts a process for each of them.'],
  [
    { code: 'connects-elsewhere', perRequest: 2, to: 'api:443', tlsPerRequest: 2 },
    'Connections are not kept: for each request the app opens 2.00 to api:443, and makes 2.00 TLS handshakes.',
  ],
  [
    { code: 'connects-elsewhere', perRequest: 2, to: 'api:80', tlsPerRequest: null },
    'Connections are not kept: for each request the app opens 2.00 to api:80.',
  ],
  [
    { code: 'closes', share: 1 },
    'The server closes the connection after 100 % of its answers (Connection: close), so that the next request has to connect first.',
  ],
  [
    {
      code: 'slowest',
      fromMs: 377,
      by: [
        { kind: 'loop', overlapping: 0.98, byChance: 0.4, ofTheirTime: 0.95 },
        { kind: 'collector', overlapping: 0.9, byChance: 0.1, ofTheirTime: 0.5 },
      ],
    },
    'Why the slowest 1 % are slow (from 377 ms on): 98 % of them meet a blocked event loop, where chance would give 40 %, and spend 95 % of their time in it; 90 % of them meet a pause of the garbage collector, where chance would give 10 %, and spend 50 % of their time in it.',
  ],
  [
    { code: 'warms-up', compilerPercent: 45, classesPerS: 300 },
    'The JVM was still warming up while it was measured: its compiler used 45.0 % of a core, and it loaded 300 classes a second.',
  ],
  [
    { code: 'warms-up', compilerPercent: null, classesPerS: 300 },
    'The JVM was still warming up while it was measured: it loaded 300 classes a second.',
  ],
  [
    { code: 'first-queue', queue: 'pool', next: 'machine-cpu', nextShare: 0.8 },
    'First comes the connection pool, which can bring up to 25 % more at today’s CPU time of a request; then the machine’s CPU, of which 80 % is used.',
  ],
  [
    { code: 'first-full', full: 'app-cpu', poolWaitShare: 0.75 },
    'First comes the app’s CPU, of which a tenth less for each request brings about 11 % more; then the connection pool, for which a request waits 75 % of its time, as whoever has a connection waits for the first.',
  ],
  [{ code: 'explained-before' }, 'Its signs are there too, but what comes before it explains them.'],
  [
    { code: 'against', what: 'active sessions that wait for a lock', value: '0.5 of 2.0', threshold: '≥ 30 %' },
    'Active sessions that wait for a lock: 0.5 of 2.0, and ≥ 30 % would speak for it.',
  ],
  [{ code: 'against', what: 'heap in use', value: '80 MiB', threshold: null }, 'Heap in use: 80 MiB.'],
  [
    { code: 'behind-pool', behind: 'application-lock', few: 2, many: 8, fewPerS: 190, manyPerS: 191, isNothing: true },
    'A lock in the app, it seems, is the limit, not the pool: one of 8 brought 191 requests a second, and one of 2 brought 190.',
  ],
  [
    { code: 'behind-pool', behind: 'database-lock', few: 2, many: 8, fewPerS: 190, manyPerS: 205, isNothing: false },
    'Locks in the database are the limit, it seems, more than the pool: one of 8 brought 205 requests a second, and one of 2 brought 190.',
  ],
  [
    { code: 'pool-first', behind: 'application-lock', few: 2, many: 8, ratio: 1.17, expected: 4 },
    'The connection pool comes first, then a lock in the app, it seems: a pool of 8 brought 17 % more than one of 2, of the 300 % of one that limits alone.',
  ],
  [
    { code: 'behind-pool-by-now', behind: 'gc', few: 2, many: 8, ratio: 1.17, expected: 4 },
    'What the connections wait for is the limit by now: a pool of 8 brought 17 % more than one of 2, of the 300 % of one that limits alone.',
  ],
  [
    {
      code: 'behind-pool-why',
      forCpu: false,
      inUse: { busy: 8, max: 8 },
      few: 2,
      many: 8,
      fewMs: 10.4,
      manyMs: 42,
      helps: false,
      waitedFor: { by: 'idle', share: 0.9 },
    },
    'Requests hold a connection while they wait for each other: 8 of 8 connections were in use, and each was held for 42.0 ms with a pool of 8, where it took 10.4 ms with 2. A larger pool only moves the queue from before the pool to behind it; on 90 % of the connections in use nothing was asked, so that it is a lock in the app, or something else in it that one request has at a time.',
  ],
  [
    {
      code: 'behind-pool-why',
      forCpu: true,
      inUse: null,
      few: 2,
      many: 8,
      fewMs: 10.4,
      manyMs: null,
      helps: true,
      waitedFor: { by: 'cpu', fewCores: 1.8, manyCores: 2.2, cores: 2, takenPercent: 60 },
    },
    'Requests hold a connection while they wait for their turn on the CPU, and each was held for an unknown time with a pool of 8, where it took 10.4 ms with 2. A larger pool moves most of the queue from before the pool to behind it; app, database and load generator ran or waited for their turn on 1.80 cores with the smaller pool and on 2.20 with the larger, of 2 that there are, and other programs took 60.0 % of these.',
  ],
  [
    {
      code: 'behind-pool-why',
      forCpu: false,
      inUse: null,
      few: 2,
      many: 8,
      fewMs: 10.4,
      manyMs: 42,
      helps: false,
      waitedFor: { by: 'verdict', kind: 'gc', connections: 8 },
    },
    'Requests hold a connection while they wait for each other, and each was held for 42.0 ms with a pool of 8, where it took 10.4 ms with 2. A larger pool only moves the queue from before the pool to behind it; with 8 connections it is found to be: garbage collection.',
  ],
  [
    {
      code: 'behind-pool-why',
      forCpu: false,
      inUse: null,
      few: 2,
      many: 8,
      fewMs: 10.4,
      manyMs: 42,
      helps: false,
      waitedFor: { by: 'database-lock' },
    },
    'Requests hold a connection while they wait for each other, and each was held for 42.0 ms with a pool of 8, where it took 10.4 ms with 2. A larger pool only moves the queue from before the pool to behind it; sessions of the database wait for a lock.',
  ],
  [
    {
      code: 'behind-pool-why',
      forCpu: false,
      inUse: null,
      few: 2,
      many: 8,
      fewMs: 10.4,
      manyMs: 42,
      helps: false,
      waitedFor: { by: 'nothing' },
    },
    'Requests hold a connection while they wait for each other, and each was held for 42.0 ms with a pool of 8, where it took 10.4 ms with 2. A larger pool only moves the queue from before the pool to behind it; what it is, nothing here watches.',
  ],
  [{ code: 'larger-brought-nothing', few: 2, many: 8 }, 'A pool of 8 brought no more than one of 2.'],
  [{ code: 'larger-brought-more', many: 8, ratio: 2.67 }, 'A pool of 8 brought 167 % more with the same processors.'],
  [
    { code: 'pool-by-larger', few: 2, many: 8, ratio: 2.67 },
    'The connection pool is the limit, as this run shows: one of 8 brought 167 % more than one of 2 on the same CPU.',
  ],
  [
    { code: 'pool-too', busy: 4, max: 4, pending: 12, many: 8, ratio: 1.14 },
    'It is not all: 4.0 of 4 of its connections were in use and 12 requests waited, and a pool of 8 brought 14 % more on the same CPU.',
  ],
  [
    { code: 'room-by-larger', busy: 2, max: 2, pending: 14, alone: loopFull },
    '2.0 of 2 of its connections were in use and 14 requests waited. Alone, this trial looks as though the processor were full (The event loop is the limit: it was busy 98 % of the time, while the machine used 60 % of 2 cores); a larger pool found room in it.',
  ],
  [
    { code: 'no-more-from-load', connections: 16, perS: 190, moreConnections: 32, morePerS: 191 },
    'More load brings nothing: 32 connections of the load brought 191 requests a second, and 16 brought 190.',
  ],
  [
    { code: 'no-more-from-load-why', connections: 16, moreConnections: 32 },
    'With 16 connections nobody waits yet, but the limit is reached. With 32:',
  ],
  [{ code: 'ladder-too-short', fewest: 3, levels: 1 }, 'A ladder shows its shape from 3 valid numbers of connections on; there is 1.'],
  [{ code: 'ladder-too-short', fewest: 3, levels: 2 }, 'A ladder shows its shape from 3 valid numbers of connections on; there are 2.'],
  [
    { code: 'ladder-collapses', perS: 357, connections: 50, lastPerS: 73, lastConnections: 150 },
    'Throughput collapses: from 357 requests a second at 50 connections to 73.0 at 150, 80 % less. More load costs more than it brings.',
  ],
  [
    { code: 'ladder-queues', perS: 43, from: 10, to: 150, cpuPercent: 25, limit: 'outbound-pool' },
    'There is a queue in front of a fixed-size resource: from 10 to 150 connections throughput stays at 43.0 requests a second while latency rises in proportion, and the CPU is used to no more than 25.0 %. By the verdict it is the HTTP client’s connection pool.',
  ],
  [
    { code: 'ladder-queues', perS: 43, from: 10, to: 150, cpuPercent: 25, limit: 'gc' },
    'There is a queue in front of a fixed-size resource: from 10 to 150 connections throughput stays at 43.0 requests a second while latency rises in proportion, and the CPU is used to no more than 25.0 %.',
  ],
  [
    { code: 'ladder-queues', perS: 43, from: 10, to: 150, cpuPercent: 25, limit: null },
    'There is a queue in front of a fixed-size resource: from 10 to 150 connections throughput stays at 43.0 requests a second while latency rises in proportion, and the CPU is used to no more than 25.0 %.',
  ],
  [
    { code: 'ladder-fills-cpu', perS: 4100, knee: 10, cpuPercent: 99 },
    'Throughput rises until the CPU is full: about 4,100 requests a second from 10 connections on, with the CPU at 99.0 %.',
  ],
  [
    { code: 'ladder-scales', perS: 398, connections: 8 },
    'Throughput rises with the load up to 8 connections (398 requests a second): nothing has run out yet.',
  ],
  [
    { code: 'ladder-unclear', perS: 43, connections: 10, knee: 10 },
    'The ladder shows no clear sign: the best was 43.0 requests a second at 10 connections, with little gained beyond 10.',
  ],
  [
    { code: 'ladder-unclear', perS: 43, connections: 10, knee: null },
    'The ladder shows no clear sign: the best was 43.0 requests a second at 10 connections, and it was still rising.',
  ],
  [{ code: 'recorded', sentence: 'It is the pool.' }, 'It is the pool.'],
];

describe('what a verdict says', () => {
  it.each(words)('%j is “%s”', (part, text) => {
    expect(verdictText(part)).toBe(text);
    expect(verdictPartSchema.parse(part)).toEqual(part);
  });

  it('has a line here for each of its codes', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(Object.keys(verdictKinds)));
  });

  it('is that there is something, where another version has another code', () => {
    expect(verdictText(verdictPartSchema.parse({ code: 'solar-flare', perS: 3 }))).toContain('solar-flare');
  });
});
