import { describe, expect, it } from 'vitest';
import { ladderVerdicts, runVerdicts } from '../../../../src/model/domain/verdict/runVerdicts.ts';
import { type VerdictPart, verdictPartSchema, verdictText } from '../../../../src/model/domain/verdict/verdictKinds.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const loopFull: VerdictPart = { code: 'loop-full', loopShare: 0.98, used: { share: 0.6, cores: 2 } };

const words: VerdictWords = [
  [
    { code: 'behind-pool', behind: 'application-lock', few: 2, many: 8, fewPerS: 190, manyPerS: 191, isNothing: true },
    'A lock in the app, it seems, is the limit, not the pool: one of 8 brought 191 requests a second, and one of 2 brought 190.',
  ],
  [
    { code: 'behind-pool', behind: 'application-lock', few: 2, many: 8, fewPerS: 190, manyPerS: 205, isNothing: false },
    'A lock in the app, it seems, is the limit, more than the pool: one of 8 brought 205 requests a second, and one of 2 brought 190.',
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

describe('what a verdict says by several trials', () => {
  expectWords(words, [...Object.keys(runVerdicts), ...Object.keys(ladderVerdicts), 'room-by-larger', 'recorded']);

  it('is that there is something, where another version has another code', () => {
    expect(verdictText(verdictPartSchema.parse({ code: 'solar-flare', perS: 3 }))).toContain('solar-flare');
  });
});
