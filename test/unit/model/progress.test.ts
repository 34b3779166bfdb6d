import { describe, expect, it } from 'vitest';
import { type LiveEnd, liveEndKinds, liveEndSchema, liveEndText } from '../../../src/model/domain/progress/liveEndKinds.ts';
import { type RoundKind, roundKindSchema, roundKinds, roundText } from '../../../src/model/domain/progress/roundKinds.ts';
import { stageSchema } from '../../../src/model/domain/progress/stageKinds.ts';
import { type Step, stepKinds, stepSchema, stepText } from '../../../src/model/domain/progress/stepKinds.ts';
import { type Words, expectTable } from '../../support/verdictWords.ts';

const round: RoundKind = { code: 'planned', round: 2, of: 3, more: false };

const roundWords: Words<RoundKind> = [
  [round, 'round 2 of 3'],
  [{ code: 'planned', round: 1, of: 2, more: true }, 'round 1 of 2 or more'],
  [{ code: 'added', round: 4, open: [{ target: null, values: ['8'] }] }, 'round 4, added as 8 is to be confirmed'],
  [
    {
      code: 'added',
      round: 4,
      open: [
        { target: 'Java', values: ['4 × 50', '8 × 50'] },
        { target: 'Node', values: null },
      ],
    },
    'round 4, added as Java: 4 × 50 and 8 × 50 are still open; Node: too few rounds for a claim yet',
  ],
  [{ code: 'pair', round: 3, open: false }, 'round 3'],
  [{ code: 'pair', round: 4, open: true }, 'round 4, added as it is still open which is faster'],
  [{ code: 'rules', round: 4, rules: 2, about: null, mostS: 40 }, 'round 4: 2 rules are open, at most 40 s more'],
  [
    { code: 'rules', round: 7, rules: 1, about: 'the order of throughput', mostS: 40 },
    'round 7: the order of throughput is open, at most 40 s more',
  ],
  [{ code: 'search', target: null, round: 1, values: null, count: 6, best: false }, 'Round 1: all 6 values'],
  [
    { code: 'search', target: 'Java', round: 3, values: ['4', '8', '16'], count: 4, best: true },
    'Java, round 3: 4, 8 and 16 against the best',
  ],
  [{ code: 'rate', ratePerS: 800, round: 2, of: 8, again: false }, 'p99 at 800 requests/s, round 2 of 8'],
  [{ code: 'rate', ratePerS: 12_500, round: 1, of: 8, again: false }, 'p99 at 12,500 requests/s, round 1 of 8'],
  [{ code: 'rate', ratePerS: 800, round: 2, of: null, again: true }, 'p99 at 800 requests/s, round 2, once more'],
];

const ends: Words<LiveEnd> = [
  [{ code: 'stopped' }, 'Stopped.'],
  [{ code: 'cancelled' }, 'Cancelled.'],
  [{ code: 'ended' }, 'Ended.'],
  [{ code: 'time-over', maxMs: 5000 }, 'It ended on its own after 5.0 s.'],
  [{ code: 'app-ended', name: 'Java' }, 'Java has ended.'],
  [{ code: 'broken' }, 'It could not go on.'],
  [{ code: 'failed', message: 'The engine ended.' }, 'The engine ended.'],
];

const name = 'java · pool 8';

const stepWords: Words<Step> = [
  [{ code: 'preparing', what: 'run' }, 'Reading this machine and preparing the run'],
  [{ code: 'preparing', what: 'tuning' }, 'Preparing the tuning'],
  [{ code: 'preparing', what: 'experiment' }, 'Reading this machine and preparing the experiment'],

  [{ code: 'starting-postgres' }, 'Starting PostgreSQL'],
  [{ code: 'k6-volume' }, 'Making a volume for the files of k6 in the cluster'],
  [{ code: 'making-again', database: 'shop', why: 'schema' }, 'The schema of shop has changed: making it again'],
  [
    { code: 'making-again', database: 'shop', why: 'owner' },
    "Making shop again: it belonged to the server's administrator, and belongs to a role of its own now",
  ],
  [{ code: 'statements-not-counted', database: 'shop', message: 'no right' }, 'The statements of shop are not counted: no right'],
  [{ code: 'applying-sql', file: 'seed.sql', database: 'shop' }, 'Applying seed.sql to shop'],
  [
    { code: 'sql-remark', file: 'seed.sql', kind: 'role-kept', reason: 'app', statement: '', alone: true },
    'The role app is used by another database of the server: seed.sql was applied without dropping it.',
  ],
  [{ code: 'migrating', target: 'Java', command: ['npm', 'run', 'migrate'] }, 'Migrating the database of Java: npm run migrate'],
  [{ code: 'copying-database', database: 'shop', times: 1, sql: null }, 'Copying shop'],
  [{ code: 'copying-database', database: 'shop', times: 10, sql: 'index.sql' }, 'Copying shop with 10 times the rows with index.sql'],

  [{ code: 'starting', name }, 'Starting java · pool 8'],
  [{ code: 'starting-several', count: 3, target: 'Java' }, 'Starting 3 processes of Java'],
  [{ code: 'starting-fresh', name }, 'Starting a fresh process: java · pool 8'],
  [{ code: 'starting-again' }, 'Starting all again: two processes of the same code differ'],
  [{ code: 'asking-again', name }, 'Asking java · pool 8 once more what others answer otherwise'],
  [{ code: 'warming-up', name, processes: 1 }, 'Warming up java · pool 8'],
  [{ code: 'warming-up', name: null, processes: 1 }, 'Warming up'],
  [{ code: 'warming-up', name: 'Java', processes: 3 }, 'Warming up 3 processes of Java at once'],
  [{ code: 'warming-up', name: null, processes: 2 }, 'Warming up 2 processes at once'],
  [{ code: 'warming-in-turns', names: ['java · pool 4', name] }, 'Warming up in turns: java · pool 4, java · pool 8'],
  [{ code: 'warming-on', why: { code: 'no-answers' } }, 'Warming up in turns: no requests were answered'],
  [{ code: 'warming-falls', percent: 12, withinS: 5 }, 'Warming up: 12 % less CPU per request than 5 s ago'],
  [{ code: 'warming-rate', perS: 7940.2 }, 'Warming up: 7,940 requests/s'],

  [{ code: 'measuring', name, round }, 'Measuring java · pool 8, round 2 of 3'],
  [{ code: 'measuring-several', what: 'versions', count: 2, round }, 'Measuring both versions, round 2 of 3'],
  [{ code: 'measuring-several', what: 'values', count: 1, round }, 'Measuring one value, round 2 of 3'],
  [{ code: 'measuring-several', what: 'values', count: 4, round }, 'Measuring 4 values, round 2 of 3'],
  [{ code: 'measuring-several', what: 'in-turn', count: 4, round }, 'Measuring 4 of them in turn, round 2 of 3'],
  [{ code: 'round', round, name: null, route: null }, 'round 2 of 3'],
  [{ code: 'round', round, name, route: 'GET /items' }, 'GET /items alone, round 2 of 3: java · pool 8'],
  [{ code: 'route-alone', route: 'GET /items', name: null }, 'GET /items alone'],
  [{ code: 'route-alone', route: 'GET /items', name: 'HEAD' }, 'GET /items alone, HEAD'],
  [{ code: 'fresh-round', round: 1, of: 3, name: null, bare: false }, 'Fresh processes, round 1 of 3'],
  [{ code: 'fresh-round', round: 1, of: 3, name, bare: false }, 'Fresh processes, round 1 of 3: java · pool 8'],
  [{ code: 'fresh-round', round: 1, of: 3, name, bare: true }, 'Fresh processes, round 1 of 3: java · pool 8 without a probe'],

  [{ code: 'walking-roles', name, round: null }, 'java · pool 8: users walk their roles'],
  [{ code: 'walking-roles', name, round }, 'java · pool 8: users walk their roles, round 2 of 3'],
  [{ code: 'alone-and-together', name, round }, 'java · pool 8: alone and together, round 2 of 3'],
  [{ code: 'outage', name, round }, 'java · pool 8: load while instances come and go, round 2 of 3'],
  [{ code: 'connections', name, connections: 1 }, 'java · pool 8: 1 connection'],
  [{ code: 'connections', name, connections: 1024 }, 'java · pool 8: 1,024 connections'],
  [{ code: 'levelling-memory', name }, 'java · pool 8: load until memory is level or the first full collection'],

  [{ code: 'recording', name, seconds: null }, 'Recording java · pool 8'],
  [{ code: 'recording', name, seconds: 10 }, 'Recording java · pool 8 for 10 s'],
  [{ code: 'pricing-recording', name }, 'Measuring what the recording of java · pool 8 costs'],
  [{ code: 'pricing-raw' }, 'Measuring what raw samples cost'],
  [{ code: 'stopping' }, 'Stopping the targets'],
  [{ code: 'writing' }, 'Writing the run'],

  [{ code: 'fresh-processes', target: 'Java' }, 'Fresh processes of Java'],
  [{ code: 'ended', decided: true, rounds: 6 }, 'Decided after 6 rounds'],
  [{ code: 'ended', decided: false, rounds: 1 }, 'Ended after 1 round'],
  [{ code: 'cancelled', rounds: 2 }, 'Cancelled after 2 rounds'],
  [{ code: 'blocks', count: 0 }, 'nothing measured yet'],
  [{ code: 'blocks', count: 1 }, '1 block measured'],
  [{ code: 'blocks', count: 2 }, '2 blocks measured'],

  [{ code: 'starting-under-clinic', name }, 'Starting java · pool 8 under clinic'],
  [{ code: 'reading-clinic' }, 'Reading what clinic recorded'],
  [{ code: 'writing-recording' }, 'Writing the recording'],
  [{ code: 'installing-clinic', done: 40, of: 700 }, 'Installing clinic: 40 of 700 packages'],
  [{ code: 'raw-rows', doing: 'Loading', rows: 1000, of: 2000 }, 'Loading raw samples: 1,000 of 2,000'],
  [{ code: 'raw-rows', doing: 'Exporting', rows: 2000, of: 2000 }, 'Exporting raw samples: 2,000 of 2,000'],
  [{ code: 'reading-file', file: 'k6.csv' }, 'Reading k6.csv'],
  [{ code: 'resolving-differences', seconds: 10 }, 'Measuring for 10 s which differences it can resolve'],
  [{ code: 'leak-cycle', cycle: 1, kept: null }, 'Cycle 1'],
  [{ code: 'leak-cycle', cycle: 3, kept: { low: 10.4, high: 20_600 } }, 'Cycle 3: 10 to 20,600 bytes per request so far'],
  [{ code: 'tracing-growth' }, 'Looking for what grows'],
  [{ code: 'start', start: 1, of: 5, way: 'as-is' }, 'Start 1 of 5'],
  [{ code: 'start', start: 2, of: 5, way: 'aot-cache' }, 'Start 2 of 5, aot-cache'],
  [{ code: 'until-warm', way: 'as-is' }, 'Under load until it is warm'],
  [{ code: 'until-warm', way: 'class-archive' }, 'Under load until it is warm, class-archive'],
  [{ code: 'watched-start' }, 'One start to see where its time goes'],
  [{ code: 'archiving-start' }, 'One start that leaves an archive of its classes'],
  [{ code: 'trying-address', label: 'Java' }, 'Trying which variables tell Java where its database is'],
  [{ code: 'asking-routes', label: 'Java' }, 'Asking Java once for each route'],
  [{ code: 'request-seen', status: 200, method: 'GET', path: '/items' }, '200 GET /items'],
  [{ code: 'copying-version', version: 'HEAD' }, 'Copying HEAD'],
  [{ code: 'building-version', version: 'HEAD', command: ['npm', 'ci'] }, 'Building HEAD: npm ci'],
  [{ code: 'recorded', sentence: 'Round 3: 4 and 8' }, 'Round 3: 4 and 8'],
];

describe('a round', () => {
  expectTable(roundWords, Object.keys(roundKinds), roundText, (entry) => roundKindSchema.parse(entry));
});

describe('the end of a live session', () => {
  expectTable(ends, Object.keys(liveEndKinds), liveEndText, (end) => liveEndSchema.parse(end));
});

describe('what is being done', () => {
  expectTable(stepWords, Object.keys(stepKinds), stepText, (entry) => stepSchema.parse(entry));

  it('is read as it was written where a record of before holds a sentence', () => {
    expect(stepText(stageSchema.parse('Decided after 6 rounds'))).toBe('Decided after 6 rounds');
  });
});
