import { describe } from 'vitest';
import { roomVerdicts } from '../../../../src/model/domain/verdict/roomVerdicts.ts';
import { type VerdictWords, expectWords } from '../../../support/verdictWords.ts';

const words: VerdictWords = [
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
    { code: 'nearly-full-processor', gain: 0.16 },
    'At today’s CPU time of a request, throughput can rise by 16 % at the most before it is full. A request that takes less CPU brings more.',
  ],
  [{ code: 'used-up', most: 'pool' }, 'Fullest is the connection pool: all of it is in use, but other signs of a limit are missing.'],
  [{ code: 'used-up-why' }, 'Which resource gives first may change with a little more load. Raise the load to be sure.'],
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
];

describe('what a verdict says of room', () => expectWords(words, Object.keys(roomVerdicts)));
