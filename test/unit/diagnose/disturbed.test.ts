import { findingText } from '../../../src/model/domain/findings.ts';
import { describe, expect, it } from 'vitest';
import { explanationOf, headlineOf } from '../../../src/model/domain/diagnosis.ts';
import { type Trial, noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { signalsOf } from '../../../src/engine/diagnose/gather.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { reportedVerdicts } from '../../../src/model/presentation/documents/runFacts.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { wordedVerdict } from '../../support/wordedVerdict.ts';
import { knob, nodeSignals, pool, sampleKnobs, signals, starvedMachine } from './exampleSignals.ts';

const saturated = { code: 'generator-cpu', value: 95, limit: 90 } as const;

/** A pool of two, always in use for 20 ms at a time while the database only waits. */
const full = (more: Partial<Signals> = {}): Signals =>
  signals({
    appCpuPercent: 20,
    pgCpuPercent: 10,
    throughput: 98,
    attempts: 800,
    meanMs: 163,
    pool: pool({ max: 2, busy: 1.99, pending: 13.8, waitMs: 141, holdMs: 20.5 }),
    sessions: { active: 2, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    knobs: { ...sampleKnobs, pool: knob('pool', 2) },
    ...more,
  });

describe('a measurement from which CPU was taken away', () => {
  it('is no less sure of a pool, however much it was: waits and holds stay what they are', () => {
    for (const interferenceShare of [0, 0.08, 0.3, 0.6, 0.9])
      expect([interferenceShare, diagnose(full({ interferenceShare }))]).toMatchObject([
        interferenceShare,
        { kind: 'pool-limited', confident: true },
      ]);
  });

  it('names what limits by the waits even where the own CPU fills all that was left', () => {
    const busy = { appCpuPercent: 60, generator: { cpuPercent: 15, loop: 0.2, littleRatio: 1 }, interferenceShare: 0.6 };
    expect(diagnose(full(busy))).toMatchObject({ kind: 'pool-limited', confident: true });
    const held = full({ ...busy, sessions: { active: 0.2, onCpu: 0.1, lock: 0, io: 0, idleInTransaction: 1.8, samples: 40 } });
    expect(diagnose({ ...held, appCpuPercent: 10, generator: busy.generator }).kind).toBe('held-connection');
    expect(
      diagnose(full({ ...busy, sessions: { active: 2, onCpu: 0, lock: 1.5, io: 0, idleInTransaction: 0, samples: 40 } })),
    ).toMatchObject({
      kind: 'database-lock',
      confident: true,
    });
  });

  it('is no more a pool’s where each request waits for many connections at the same time than where it waits for one', () => {
    const atOnce = nodeSignals({
      appCpuPercent: 30,
      pgCpuPercent: 36,
      generator: { cpuPercent: 2, loop: 0.02, littleRatio: 0.94 },
      interferenceShare: 0.63,
      eventLoop: 0.918,
      throughput: 35,
      attempts: 315,
      connections: 32,
      meanMs: 838,
      pool: pool({ max: 10, busy: 9.99, pending: 32, waitMs: 421, holdMs: 2.7, perRequest: 105 }),
      sessions: { active: 1.17, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 6 },
      knobs: { ...sampleKnobs, pool: knob('pool', 10) },
    });
    expect(diagnose(atOnce)).toMatchObject({ kind: 'database-cpu', confident: false });
    expect(diagnose({ ...atOnce, pgCpuPercent: 28, appCpuPercent: 38 })).toMatchObject({ kind: 'cpu', confident: false });
  });

  it('is not sure of the database’s CPU where that is full mostly of what others do', () => {
    const one = { active: 1, onCpu: 1, lock: 0, io: 0, idleInTransaction: 0, samples: 8 };
    const asking = { appCpuPercent: 9, pgCpuPercent: 25, generator: { cpuPercent: 3, loop: 0.1, littleRatio: 1 }, sessions: one };
    const computing = (interferenceShare: number, more: Partial<Signals> = {}) =>
      diagnose(signals({ ...asking, throughput: 72, meanMs: 440, pool: pool({ busy: 0.9, holdMs: 13 }), interferenceShare, ...more }));
    expect(computing(0.8)).toMatchObject({ kind: 'database-cpu', confident: false });
    expect(computing(0.2, { pgCpuPercent: 175 })).toMatchObject({ kind: 'database-cpu', confident: true });
  });

  it('calls the CPU the limit where what is measured fills the cores that were left', () => {
    const busy = { appCpuPercent: 130, pgCpuPercent: 0, pool: pool({ busy: 0, perRequest: 0 }) };
    expect(diagnose(signals(busy)).kind).not.toBe('cpu');
    const diagnosis = diagnose(signals({ ...busy, interferenceShare: 0.2 }));
    expect(diagnosis.kind).toBe('cpu');
    expect(headlineOf(diagnosis)).toContain('of 1.60 cores that were left');
    const behind = diagnose(signals({ ...busy, interferenceShare: 0.2, proxy: { cpuPercent: 15, workers: 1 }, inFlight: 12 }));
    expect(headlineOf(behind)).toContain('the proxy 15.0 %, the load generator');
    expect(diagnose(signals({ ...busy, appCpuPercent: 80, interferenceShare: 0.5 }))).toMatchObject({ kind: 'cpu', confident: false });
  });

  it('still calls a full event loop the limit, by the proportion of what app, database and load use', () => {
    const loop = { eventLoop: 0.99, throughput: 120, meanMs: 130, pool: pool({ busy: 0, perRequest: 0 }), pgCpuPercent: 0 };
    const alone = nodeSignals({
      ...loop,
      appCpuPercent: 62,
      generator: { cpuPercent: 4, loop: 0.05, littleRatio: 1 },
      interferenceShare: 0.6,
    });
    expect(diagnose(alone)).toMatchObject({ kind: 'event-loop', confident: true });
    // With the loop at a whole core, database and load would fill the other one.
    const together = { ...alone, pgCpuPercent: 28, generator: { cpuPercent: 27, loop: 0.3, littleRatio: 1 }, interferenceShare: 0.4 };
    expect(diagnose(together).kind).toBe('cpu');
  });

  it('calls the CPU the limit where two loops on two cores ask for both, however little others leave of them', () => {
    const loops = { eventLoop: 0.99, throughput: 120, meanMs: 130, pool: pool({ busy: 0, perRequest: 0 }), pgCpuPercent: 0, instances: 2 };
    const burst = { ...loops, appCpuPercent: 90, generator: { cpuPercent: 5, loop: 0.05, littleRatio: 1 }, interferenceShare: 0.35 };
    expect(diagnose(nodeSignals({ ...burst, appWantedPercent: 188, allWantedPercent: 199 })).kind).toBe('cpu');
    expect(diagnose(nodeSignals(burst)).kind).not.toBe('cpu');
  });

  describe('where the load generator wants a whole core', () => {
    /** As measured with a busy loop running: a small file from nginx, 42,000 times a second. */
    const small = nodeSignals({
      connections: 64,
      throughput: 41_900,
      meanMs: 1.52,
      inFlight: 0,
      appCpuPercent: 1,
      pgCpuPercent: 0,
      eventLoop: 0.02,
      pool: null,
      interferenceShare: 0.07,
      proxy: { cpuPercent: 71, workers: 2 },
      generator: { cpuPercent: 71, loop: 0.82, littleRatio: 1 },
      generatorWantedPercent: 97.5,
    });

    it('says that the generator was measured, and not the proxy behind which it queues for a core', () => {
      const { kind, confident, headline, actions } = wordedVerdict(diagnose(small));
      expect({ kind, confident }).toEqual({ kind: 'invalid', confident: true });
      expect(headline).toBe(
        'This measurement says nothing of the app: the load generator was saturated (it used or waited for 98 % of a core), and the app used 0.5 % of its CPU.',
      );
      expect(actions).toEqual([{ kind: 'generator', label: 'Let k6 put the load on, in 2 processes', processes: 2 }]);
    });

    it('says so where blocks were left out for it, and the rest are those in which others took the CPU', () => {
      const bursts = { ...small, interferenceShare: 0.24, proxy: { cpuPercent: 64, workers: 2 }, generatorWantedPercent: 88.2 };
      const used = { ...bursts, generator: { cpuPercent: 60, loop: 0.79, littleRatio: 1 } };
      const { kind, explanation } = wordedVerdict(diagnose({ ...used, saturatedBlocks: 0.5 }));
      expect(kind).toBe('invalid');
      expect(explanation).toContain('and all of one in 50 % of the blocks, which are left out');
      expect(diagnose({ ...used, saturatedBlocks: 0 }).kind).not.toBe('invalid');
    });

    it('does not say so of one that only waits for its turn behind an app that computes, or that runs for less than it waits', () => {
      expect(diagnose({ ...small, appCpuPercent: 60 }).kind).not.toBe('invalid');
      expect(diagnose({ ...small, generator: { cpuPercent: 30, loop: 0.5, littleRatio: 1 } }).kind).not.toBe('invalid');
      expect(diagnose({ ...small, generatorWantedPercent: null }).kind).not.toBe('invalid');
    });

    it('leaves the word to a proxy that uses all that it may', () => {
      expect(diagnose({ ...small, proxy: { cpuPercent: 71, workers: 2, cores: 0.75 } }).kind).toBe('proxy');
    });
  });

  it('does not call a CPU full of which some was idle, while PostgreSQL waits for its disk', () => {
    // As measured during bursts: a commit for each row, in a database whose disk is waited for.
    const commits = signals({
      throughput: 4839,
      meanMs: 3.28,
      appCpuPercent: 61.5,
      pgCpuPercent: null,
      pgCores: null,
      interferenceShare: 0.46,
      generator: { cpuPercent: 22, loop: 0.27, littleRatio: 1 },
      allWantedPercent: 608,
      pool: pool({ max: 8, busy: 6.98, pending: 4.72, waitMs: 0.97, holdMs: 1.43 }),
      sessions: { active: 3.75, onCpu: 0.5, lock: 0, io: 3.25, idleInTransaction: 0, samples: 4 },
      threads: { name: 'qtp', max: 50, busy: 17.5, queue: 0 },
    });
    expect(diagnose(commits).kind).toBe('database-io');
    expect(diagnose({ ...commits, sessions: { active: 3.75, onCpu: 3.25, lock: 0, io: 0.5, idleInTransaction: 0, samples: 4 } }).kind).toBe(
      'cpu',
    );
  });

  it('does not take an event loop for the limit that only waits for its turn', () => {
    expect(wordedVerdict(diagnose(starvedMachine()))).toMatchObject({
      kind: 'busy-machine',
      confident: false,
      headline: expect.stringContaining('86 %') as string,
    });
    expect(diagnose(starvedMachine({ interferenceShare: 0.5 }))).toMatchObject({ kind: 'unknown-wait', confident: false });
    // 84 ms of waiting for 1 ms of CPU is no wait for a turn, unless others use six times what they left.
    const long = { throughput: 460, meanMs: 84, connections: 40 };
    expect(diagnose(starvedMachine(long))).toMatchObject({ kind: 'unknown-wait', confident: false });
    expect(diagnose(starvedMachine({ ...long, interferenceShare: 0.5 }))).toMatchObject({ kind: 'unknown-wait', confident: true });
    expect(diagnose(starvedMachine({ throughput: 90, meanMs: 440, connections: 40, appCpuPercent: 2 }))).toMatchObject({
      kind: 'unknown-wait',
      confident: true,
    });
  });

  it('names the CPU where threads are ready for more than all of it, however little they got', () => {
    const compressing = starvedMachine({
      appCpuPercent: 20,
      pgCpuPercent: 1,
      generator: { cpuPercent: 1, loop: 0.01, littleRatio: 0.99 },
      throughput: 12,
      meanMs: 1180,
      connections: 16,
      eventLoop: 0.2,
      pool: pool({ busy: 0 }),
    });
    expect(diagnose({ ...compressing, allWantedPercent: 457 })).toMatchObject({ kind: 'cpu', confident: false });
    expect(diagnose({ ...compressing, allWantedPercent: 160 }).kind).not.toBe('cpu');
    // Threads of a full pool that wait for their turn, too.
    expect(diagnose(full({ interferenceShare: 0.9, allWantedPercent: 230 }))).toMatchObject({ kind: 'pool-limited', confident: true });
  });

  it('is no proof of a lock that many threads wait for one by chance, while its owner waits for its turn', () => {
    const blocked = { threads: 63, of: 111, where: 'a scheduler' };
    const starved = signals({
      appCpuPercent: 5,
      pgCpuPercent: 1,
      meanMs: 900,
      throughput: 100,
      pool: pool({ busy: 0, perRequest: 0 }),
      blocked,
    });
    expect(diagnose({ ...starved, interferenceShare: 0.9 })).toMatchObject({ kind: 'application-lock', confident: false });
    expect(diagnose({ ...starved, interferenceShare: 0.9, blocked: { ...blocked, threads: 105 } }).confident).toBe(true);
    expect(diagnose({ ...starved, interferenceShare: 0.1 }).confident).toBe(true);
  });

  it('is discarded for other reasons as before, and never says what it would have been', () => {
    const errors = { ...noErrors, total: 400, status5xx: 400 };
    expect(diagnose(full({ interferenceShare: 0.3, errors })).kind).toBe('invalid');
    expect(Object.keys(diagnose(full({ interferenceShare: 0.3, discardReasons: [saturated] })))).not.toContain('leavingThatAside');
  });

  it('has the same figures in its reason and in the evidence beside it, and offers k6, where it was not k6', () => {
    const at = { cpuPercent: 95, loop: 0.5, littleRatio: 0.99 };
    const { headline, evidence, actions } = wordedVerdict(
      diagnose(signals({ discardReasons: [saturated], generatorAtWorst: at, generator: { ...at, cpuPercent: 30 } })),
    );
    expect(actions).toEqual([{ kind: 'generator', label: 'Let k6 put the load on, in 2 processes', processes: 2 }]);
    const byK6 = diagnose(signals({ discardReasons: [saturated], generatorAtWorst: { ...at, loop: null } }));
    expect(byK6.actions.map(({ kind }) => kind)).toEqual(['advice']);
    expect(headline).toContain('95.0 %');
    expect(evidence.find(({ what }) => what.startsWith('CPU of the load generator'))?.value).toBe('95.0 %');
  });
});

describe('signals of a disturbed trial', () => {
  const failed = { code: 'requests-failed', kind: 'reset', count: 9, attempts: 900, limit: 0.001 } as const;
  const signalsFrom = (trial: Partial<Trial>): Signals =>
    signalsOf({
      specs: {},
      settings: {},
      observations: [],
      probes: [],
      cores: 2,
      pgCores: 2,
      trial: { ...exampleTrial({ target: 'node' }), ...trial },
    });

  it('hold no failed requests for one that discards it: those are judged by themselves', () => {
    expect(signalsFrom({ valid: false, reasons: [failed, saturated] }).discardReasons).toEqual([saturated]);
  });

  it('say how much was taken, by the record where it tells', () => {
    expect(signalsFrom({ interference: { takenPercent: 17, stealPercent: 9, otherPercent: 8 } }).interferenceShare).toBe(0.17);
    const { resources } = exampleTrial({ target: 'node' });
    expect(
      signalsFrom({ interference: null, resources: { ...resources, host: { stealPercent: 4, otherPercent: 6 } } }).interferenceShare,
    ).toBeCloseTo(0.1, 9);
  });

  it('know the least and the most CPU that the app used in a block', () => {
    const [block] = exampleTrial({ target: 'node' }).blocks;
    if (block === undefined) throw new Error('the example has no block');
    const of = (appCpuUsPerRequest: number): typeof block => ({ ...block, requests: 1000, windowMs: 1000, appCpuUsPerRequest });
    const range = signalsFrom({ blocks: [of(900), of(980)] }).appCpuRange;
    expect(range?.low).toBeCloseTo(90, 6);
    expect(range?.high).toBeCloseTo(98, 6);
  });
});

it('reports a verdict once, and nothing aside of it', () => {
  const trial = { ...exampleTrial({ target: 'node' }), diagnosis: diagnose(full({ interferenceShare: 0.4 })) };
  const [verdict] = reportedVerdicts({ ...exampleRun(), trials: [trial] });
  expect(verdict).toMatchObject({ text: headlineOf(trial.diagnosis) });
});

it('does not let a warm-up that was not steady take the confidence from what rests on waits', () => {
  const unsteady = { code: 'unsteady', durationMs: 8000, why: null } as const;
  expect(diagnose(full({ unsteady }))).toMatchObject({ kind: 'pool-limited', confident: true });
  const computing = diagnose(signals({ unsteady, appCpuPercent: 190, pgCpuPercent: 0 }));
  expect(computing).toMatchObject({ kind: 'cpu', confident: false });
  expect(explanationOf(computing)).toContain(findingText(unsteady));
});
