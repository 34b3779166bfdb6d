import { describe } from 'vitest';
import { poolVerdicts } from '../../../../src/model/domain/verdict/poolVerdicts.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const words: VerdictWords = [
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
    { code: 'one-pool-full', busy: 1, max: 1, pending: 15, name: 'shop', madeAt: 'app.mjs:5', others: { busy: 0.3, max: 10 } },
    'One of the app’s connection pools is the limit, made at app.mjs:5: its only connection was always busy and 15 requests waited, while 0.3 of 10 connections of the app’s other pools were in use.',
  ],
  [
    { code: 'one-pool-full', busy: 2, max: 2, pending: 1, name: 'HikariPool-2', madeAt: null, others: { busy: null, max: null } },
    'One of the app’s connection pools is the limit, “HikariPool-2”: both of its 2 connections were always busy and 1 request waited, while few connections of the app’s other pools were in use.',
  ],
  [
    { code: 'one-pool-full-why', setting: 'pool', isOfSetting: false },
    'By its size it is not the pool that “pool” sets, of which a larger one brings nothing.',
  ],
  [{ code: 'one-pool-full-why', setting: 'pool', isOfSetting: true }, 'By its size it is the pool that “pool” sets.'],
  [{ code: 'one-pool-full-why', setting: 'pool', isOfSetting: null }, 'Whether it is the pool that “pool” sizes was not seen.'],
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
    { code: 'connections-held-why', holdMs: 21, usedMs: 0.5, elsewhere: { to: 'http://rates:8080', waitMs: 20 } },
    'A request keeps its connection for 21.0 ms and uses it for about 0.500 ms. It waits 20.0 ms for the answer of another service (http://rates:8080), by these times while it keeps the connection. A larger pool would only hold more connections idle, and would bring nothing at all where requests wait for each other meanwhile (a lock in the app); do the other work (a computation, a call to another service) before the connection is taken or after it is given back.',
  ],
  [
    { code: 'connections-held-why', holdMs: 21, usedMs: 0.5, elsewhere: null },
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
    { code: 'client-pool-full', busy: 2, max: 2, pending: 31, to: null },
    'The HTTP client’s pool is the limit: both of its 2 connections were always busy and 31 requests waited.',
  ],
  [
    { code: 'client-pool-full', busy: 2, max: 2, pending: 31, to: '127.0.0.1:9700' },
    'The HTTP client’s pool for 127.0.0.1:9700 is the limit: both of its 2 connections were always busy and 31 requests waited.',
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
];

describe('what a verdict says of the pool', () => expectWords(words, Object.keys(poolVerdicts)));
