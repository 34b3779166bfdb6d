import { recorded } from './recorded.ts';
import type * as z from 'zod';
import type { Diagnosis } from '../../src/model/domain/diagnosis.ts';
import type { Trial } from '../../src/model/domain/run.ts';
import {
  type ListedExperiment,
  type ExperimentFile,
  type ExperimentPoint,
  type ExperimentRecord,
  experimentFileSchema,
  experimentRecordSchema,
} from '../../src/model/domain/experiment.ts';
import { exampleTrial } from './runRecords.ts';
import { type WordedVerdict, recordedVerdict } from './wordedVerdict.ts';

/** The verdict of a pool that is the limit. */
export function exampleDiagnosis(more: Partial<WordedVerdict> = {}): Diagnosis {
  return recordedVerdict({
    kind: 'outbound-pool',
    confident: true,
    headline: 'The outbound client pool is the limit: both of its 2 connections were always busy and 148 requests waited.',
    explanation:
      'Throughput stays flat while the response time grows with the connections of load, and the CPU is idle: there is a queue in front of a fixed-size resource.',
    evidence: [
      {
        what: 'connections of the client pool in use',
        value: '2.0 of 2',
        threshold: '≥ 95 %',
        met: true,
        source: 'utilisation law, USE method',
      },
      { what: 'requests that wait for one', value: '148', threshold: '> 1', met: true, source: null },
      { what: 'CPU of the app', value: '21 % of one core', threshold: '< 80 %', met: true, source: 'vmstat of the study' },
      { what: 'time in the document store', value: '46 ms', threshold: '≥ 50 ms', met: false, source: null },
    ],
    ruledOut: [
      { kind: 'cpu', because: 'the app uses 21 % of one core, and cores are free' },
      { kind: 'gc', because: 'collections take 1.2 % of the time' },
      { kind: 'database-lock', because: 'no session waits for a lock' },
    ],
    actions: [
      { kind: 'set', label: 'Run again with 150 client connections', setting: 'documentPool', value: 150 },
      { kind: 'tune', label: 'Find the size that is enough', setting: 'documentPool', values: [2, 8, 32, 150] },
      { kind: 'record', label: 'Record who waits for the pool', event: 'pool-wait' },
      { kind: 'advice', label: 'The default of the client library is 2 connections for each route.' },
    ],
    threadDumps: [],
    ...more,
  });
}

/** The trial of {@link exampleExperiment} at a level. */
export function experimentTrial(level: number, throughput: number, diagnosis: Diagnosis | null, target: 'java' | 'node' = 'java'): Trial {
  return {
    ...exampleTrial({ target, settings: { documentPool: 2 }, connections: level, throughput, p99Ms: (level / throughput) * 1400 }),
    diagnosis,
  };
}

function point(variant: string, trial: Trial, more: Partial<ExperimentPoint> = {}): ExperimentPoint {
  const { mean, ciLow, ciHigh } = trial.throughput;
  const meanMs = (trial.connections / mean) * 1000;
  return {
    variant,
    level: trial.connections,
    trialKey: trial.key,
    valid: trial.valid,
    reasons: trial.reasons,
    figures: { throughput: mean, meanMs, p99Ms: meanMs * 1.4, cpuPercent: 21, errorShare: 0 },
    throughput: { mean, ciLow, ciHigh },
    limit: trial.diagnosis?.kind ?? null,
    limitSaid: trial.diagnosis?.said ?? null,
    ...more,
  };
}

const ladder = { kind: 'ladder', levels: [10, 50, 100, 150], rounds: 2, blockS: 3, settleS: 0.7 } as const;

/** The file of C1: one variant, a ladder of four levels, and a next step. */
export function exampleExperimentFile(more: Partial<z.input<typeof experimentFileSchema>> = {}): ExperimentFile {
  return experimentFileSchema.parse({
    id: 'C1',
    title: 'The document servlet as it was',
    asks: 'Why does a servlet that fetches one document stay at 42 requests/s, however many users there are?',
    source: '“JavaEE vs NodeJS” reproduced, a performance blog, 2013',
    needs: ['java', 'documents'],
    variants: [
      { name: 'java', label: 'Java · 2 client connections', target: 'java', settings: { documentPool: 2 }, route: 'GET /documents/:id' },
    ],
    short: ladder,
    full: { ...ladder, rounds: 5, blockS: 20 },
    published: [
      {
        caption: 'Java servlet, default client pool',
        columns: ['users', 'response time, ms', 'requests/s'],
        rows: [
          [10, 233, 43],
          [50, 1237, 42],
          [100, 2347, 42],
          [150, 3506, 42],
        ],
      },
    ],
    shape: [
      {
        rule: 'flat',
        figure: 'throughput',
        variant: 'java',
        withinPercent: 15,
        because: 'A fixed-size resource lets through the same number however many wait.',
      },
      { rule: 'rises', figure: 'meanMs', variant: 'java', atLeast: 8, because: 'What comes in beyond it waits in a queue.' },
      { rule: 'limit', variant: 'java', kinds: ['outbound-pool'], because: 'The client pool allows two connections for each route.' },
    ],
    notToday:
      'The document store of today answers in a millisecond where the one of 2013 took forty: throughput is higher, the shape is the same.',
    then: 'C2',
    ...more,
  });
}

/** What C1 found: flat throughput, a growing response time, and the pool that limits it. */
export function exampleExperiment(more: Partial<ExperimentRecord> = {}): { record: ExperimentRecord; trials: Trial[] } {
  const figures = [
    [10, 402],
    [50, 411],
    [100, 408],
    [150, 404],
  ] as const;
  const trials = figures.map(([level, throughput]) => experimentTrial(level, throughput, exampleDiagnosis({ confident: level > 10 })));
  const record = experimentRecordSchema.parse({
    kind: 'experiment',
    experiment: exampleExperimentFile(),
    form: 'short',
    points: trials.map((trial) => point('java', trial)),
    series: [],
    ladders: [
      {
        variant: 'java',
        sign: {
          sign: 'queue-before-fixed-resource',
          said: { code: 'ladder-queues', perS: 408, from: 10, to: 150, cpuPercent: 21, limit: 'outbound-pool' },
          evidence: [],
          knee: 10,
        },
      },
    ],
    shape: [
      {
        agrees: true,
        sentence: 'Throughput stays within 2.2 % from 10 to 150 connections (15 % allowed).',
        because: 'A fixed-size resource lets through the same number however many wait.',
      },
      {
        agrees: true,
        sentence: 'The mean response time grows 14.9-fold (at least 8 asked).',
        because: 'What comes in beyond it waits in a queue.',
      },
      {
        agrees: true,
        sentence: 'At 150 connections the limit is the outbound client pool.',
        because: 'The client pool allows two connections for each route.',
      },
    ],
    agrees: true,
    summary:
      'Throughput is flat at 404 to 411 requests/s while the response time grows from 25 to 371 ms: the client pool of 2 is the limit, as published.',
    ...more,
  });
  return { record, trials };
}

/** A ladder of three variants whose levels double; the last point of one variant does not count, and one rule cannot be judged. */
export function exampleLadderExperiment(): { record: ExperimentRecord; trials: Trial[] } {
  const levels = [2, 4, 8, 16, 32, 64, 128, 256];
  const variants = [
    { name: 'node', label: 'Node', target: 'node', scale: 7800, half: 6 },
    { name: 'java', label: 'Java', target: 'java', scale: 9400, half: 11 },
    { name: 'node-cluster', label: 'Node · 2 workers', target: 'node', scale: 8900, half: 9 },
  ] as const;
  const trials = variants.flatMap((variant) =>
    levels.map((level) => {
      const trial = experimentTrial(level, (variant.scale * level) / (level + variant.half), null, variant.target);
      return { ...trial, key: `${variant.name}|${trial.key}`, settings: { workers: variant.name === 'node-cluster' ? 2 : 1 } };
    }),
  );
  const points = variants.flatMap((variant, index) =>
    levels.map((level, at) => {
      const trial = trials[index * levels.length + at];
      if (!trial) throw new Error('there is a trial for each point');
      const bad = variant.name === 'node-cluster' && level === 256;
      return point(
        variant.name,
        trial,
        bad ? { valid: false, reasons: recorded('the load generator was saturated (event loop busy 97 %)') } : {},
      );
    }),
  );
  const record = experimentRecordSchema.parse({
    kind: 'experiment',
    experiment: exampleExperimentFile({
      id: 'E1',
      title: 'No-op, from 2 to 256 connections',
      asks: 'How do requests/s develop when nothing is done but to answer?',
      source: '“Stack Wars: The Node Awakens”, CSUN, 2016',
      needs: [],
      variants: variants.map(({ name, label, target }) => ({
        name,
        label,
        target,
        settings: {},
        topology: { instances: 1, proxy: null, cpuShare: null, schedule: [] },
      })),
      short: { kind: 'ladder', levels, rounds: 2, blockS: 3, settleS: 0.7 },
      then: undefined,
    }),
    form: 'short',
    points,
    series: [],
    ladders: variants.map(({ name }) => ({
      variant: name,
      sign: { sign: 'saturates-cpu', said: { code: 'ladder-fills-cpu', perS: 9_000, knee: 64, cpuPercent: 97 }, evidence: [], knee: 64 },
    })),
    shape: [
      {
        agrees: true,
        sentence: 'Node does not lose more than 10 % beyond its best.',
        because: 'An event loop serves more connections at the same cost.',
      },
      {
        agrees: false,
        sentence: 'Java is above Node at 256 connections (9,013 against 7,622 requests/s).',
        because: 'The study found the other order.',
      },
      {
        agrees: null,
        sentence: 'It cannot be told whether two workers scale: their last point does not count.',
        because: 'Workers share the load.',
      },
    ],
    agrees: false,
    summary: 'Node stays flat as published, but Java is faster here.',
  });
  return { record, trials };
}

/** Roles before and after a change, and an instance that is killed: tables of success and steps, and figures over time. */
export function exampleTimeExperiment(): { record: ExperimentRecord; trials: Trial[] } {
  const trial = experimentTrial(
    210,
    512,
    exampleDiagnosis({
      kind: 'healthy',
      headline: 'Nothing limits it at this load: there is room in every resource.',
      actions: [],
      ruledOut: [],
    }),
    'node',
  );
  const wave = (atS: number, base: number): number => base * (1 + 0.03 * Math.sin(atS / 1.7));
  const seconds = Array.from({ length: 60 }, (_, index) => index);
  const record = experimentRecordSchema.parse({
    kind: 'experiment',
    experiment: exampleExperimentFile({
      id: 'D1',
      title: 'Load, stress and soak with roles',
      asks: 'Does the site hold its expected 210 users, and for how long?',
      source: 'Node JS performance testing, Cal Poly, 2014',
      needs: ['nginx'],
      variants: [
        {
          name: 'node',
          label: 'Node',
          target: 'node',
          settings: {},
          topology: { instances: 2, proxy: null, cpuShare: null, schedule: [] },
        },
      ],
      short: { kind: 'outage', connections: 210, durationS: 60 },
      then: undefined,
    }),
    form: 'short',
    points: [point('node', trial, { figures: { throughput: 512, meanMs: 66, p99Ms: 121, lossPercent: 41, recoveryS: 6.4 } })],
    series: [
      {
        label: 'requests/s',
        unit: 'requests/s',
        variant: 'node',
        points: seconds.map((atS) => [atS, wave(atS, atS >= 20 && atS < 26 ? 300 : 512)]),
        marks: [
          { atS: 20, label: 'one of 2 instances killed' },
          { atS: 45, label: 'one added' },
        ],
      },
      { label: 'memory', unit: 'MB', variant: 'node', points: seconds.map((atS) => [atS, wave(atS, 84 + atS / 20)]), marks: [] },
    ],
    steps: [
      {
        role: 'guests',
        step: 'browse',
        requests: 8120,
        errors: 0,
        meanMs: 12.2,
        p50Ms: 10.1,
        p95Ms: 31,
        p99Ms: 48,
        maxMs: 131,
        problem: null,
      },
      {
        role: 'users',
        step: 'log in',
        requests: 1031,
        errors: 3,
        meanMs: 41,
        p50Ms: 38,
        p95Ms: 77,
        p99Ms: 102,
        maxMs: 210,
        problem: 'There was no cookie “session” in the answer.',
      },
    ],
    success: [
      { what: 'requests/s', before: '117', after: '512', change: '+338 %', word: 'success', welchP: 0.00004, interval: '4.1 – 4.6 times' },
      {
        what: 'mean response time',
        before: '837 ms',
        after: '660 ms',
        change: '−21 %',
        word: 'improvement',
        welchP: 0.031,
        interval: null,
      },
      { what: 'uptime', before: '24 h', after: '24 h', change: '0 %', word: 'failure', welchP: null, interval: null },
    ],
    shape: [
      {
        agrees: null,
        seen: 'Node: time until throughput was steady again is 6.4 s [4.9 s to 11 s]',
        sentence:
          'Node: time until throughput was steady again is 6.4 s [4.9 s to 11 s] (at most 8 s is asked for); open, about 3 min more would decide it.',
        because: 'One error fails the scenario.',
        interval: { value: 6.4, low: 4.9, high: 11 },
        moreSeconds: 180,
      },
    ],
    agrees: null,
    summary:
      '0 of 1 rule held, and one is open: time until throughput was steady again of Node. About 3 min more of measuring would decide it: the full form measures longer.',
  });
  return { record, trials: [trial] };
}

/** What a list shows: C1 done and agreeing, B3 without nginx, E1 done and not agreeing. `lastRunId` is that of done ones. */
export function exampleListedExperiments(lastRunId: string): ListedExperiment[] {
  const listed = (id: string, title: string, asks: string, source: string, more: Partial<ListedExperiment> = {}): ListedExperiment => ({
    id,
    title,
    asks,
    source,
    needs: [],
    missing: [],
    shortS: 110,
    fullS: 1500,
    lastRunId: null,
    lastAgrees: null,
    then: null,
    ...more,
  });
  const c = '“JavaEE vs NodeJS” reproduced, a performance blog, 2013';
  return [
    listed(
      'E1',
      'No-op ladder',
      'How do requests/s develop when nothing is done but to answer?',
      '“Stack Wars: The Node Awakens”, CSUN, 2016',
      {
        lastRunId,
        lastAgrees: false,
      },
    ),
    listed(
      'A1',
      'Pool size 30, 60 and 90',
      'Does a larger connection pool make a bulletin board faster?',
      'Java and Node.js on a PaaS, HS Mannheim, 2017',
      {
        needs: ['java', 'postgres'],
      },
    ),
    listed('B3', 'Kill an instance', 'How long until the others carry the load?', 'Scalable Node.js application designs, TU Berlin, 2018', {
      needs: ['nginx'],
      missing: [
        {
          need: 'nginx',
          message: 'nginx is not on the PATH.',
          cure: 'Install it with the package manager of this system, for example “apt install nginx”.',
        },
      ],
    }),
    listed('C1', 'The document servlet as it was', 'Why does throughput stay flat, however many users there are?', c, {
      needs: ['java', 'documents'],
      lastRunId,
      lastAgrees: true,
      then: 'C2',
    }),
    listed('C2', 'Its client pool enlarged', 'What does a pool of 150 change?', c, {
      needs: ['java', 'documents'],
      shortS: 45,
      fullS: 43_200,
    }),
  ];
}
