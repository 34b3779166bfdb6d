import { describe, expect, it } from 'vitest';
import { diagnosisSchema } from '../../../src/model/diagnosis.ts';
import { asideSentence } from '../../../src/model/diagnosisWords.ts';
import { noErrors } from '../../../src/model/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { signalsOf } from '../../../src/engine/diagnose/gather.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { judgeBlock } from '../../../src/engine/statistics/judgement.ts';
import { reportedVerdicts } from '../../../src/engine/report/verdicts.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { knob, nodeSignals, pool, sampleKnobs, signals } from './exampleSignals.ts';

const saturated = 'The load generator was saturated (its CPU 95 % of a core, limit 90 %): what was measured is the generator.';

/** The sentence that a block really gets when the hypervisor took so much. */
function stolen(stealPercent: number): string {
  const host = {
    ...{ cpuPercent: 50, stealPercent, otherPercent: 1, pressureSomePercent: 1, throttledPeriods: 0, freeMemoryBytes: 1e9 },
    ...{ userPercent: 40, systemPercent: 10, idlePercent: 40, contextSwitchesPerS: 1000 },
  };
  const { reasons } = judgeBlock({
    ...{
      requests: 1000,
      windowMs: 4000,
      errors: noErrors,
      meanLatencyMs: 10,
      latencyReasons: [],
      appRestarted: false,
      postgresRestarted: false,
    },
    generator: { cpuPercent: 20, eventLoopUtilisation: 0.2, littleRatio: 1 },
    observations: [
      { timeMs: 0, windowMs: 1000, trialKey: null, app: null, postgres: null, generator: null, host, sessions: null, instances: [] },
    ],
  });
  const [reason = ''] = reasons;
  expect(reasons).toHaveLength(1);
  return reason;
}

const full = (more: Partial<Signals> = {}): Signals =>
  signals({
    ...{ appCpuPercent: 20, pgCpuPercent: 10, throughput: 98, attempts: 800, meanMs: 163 },
    pool: pool({ max: 2, busy: 1.99, pending: 13.8, waitMs: 141, holdMs: 20.5 }),
    sessions: { active: 2, onCpu: 0, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
    knobs: { ...sampleKnobs, pool: knob('pool', 2) },
    ...more,
  });

describe('a measurement from which the hypervisor took CPU', () => {
  it('is void, surely, and says what it would have been', () => {
    const diagnosis = diagnose(full({ voidReasons: [stolen(8)], stealPercent: 8 }));
    expect(diagnosis).toMatchObject({ kind: 'invalid', confident: true, leavingThatAside: { kind: 'pool-limited' } });
    expect(diagnosis.headline).toContain('the hypervisor took 8.00 %');
    expect(diagnosisSchema.parse(diagnosis)).toEqual(diagnosis);
    expect(asideSentence(diagnosis)).toBe(
      'Leaving that aside, and without certainty: The connection pool is the limit: both of its 2 connections were always busy and 14 requests waited.',
    );
  });

  it('is judged by the CPU that was left', () => {
    const busy = { appCpuPercent: 130, pgCpuPercent: 0, otherPercent: 1 };
    expect(diagnose(signals(busy)).kind).not.toBe('cpu');
    const diagnosis = diagnose(signals({ ...busy, voidReasons: [stolen(20)], stealPercent: 20 }));
    expect(diagnosis.leavingThatAside?.kind).toBe('cpu');
    expect(diagnosis.leavingThatAside?.headline).toContain('1.6');
  });

  it('says nothing more where errors or the load generator void it too', () => {
    const errors = { ...noErrors, total: 400, status5xx: 400 };
    expect(diagnose(full({ voidReasons: [stolen(8)], stealPercent: 8, errors }))).not.toHaveProperty('leavingThatAside');
    expect(diagnose(full({ voidReasons: [stolen(8), saturated], stealPercent: 8 }))).not.toHaveProperty('leavingThatAside');
    expect(diagnose(full({ voidReasons: [saturated] }))).not.toHaveProperty('leavingThatAside');
    expect(asideSentence(diagnose(full({ voidReasons: [saturated] })))).toBe('');
  });

  it('is said so in reports, after the verdict', () => {
    const trial = { ...exampleTrial({ target: 'node' }), diagnosis: diagnose(full({ voidReasons: [stolen(8)], stealPercent: 8 })) };
    const sound = { ...exampleTrial({ target: 'java' }), diagnosis: diagnose(full()) };
    const [first, second] = reportedVerdicts({ ...exampleRun(), trials: [trial, sound] });
    expect(first?.aside).toMatch(/^Leaving that aside, and without certainty: The connection pool/);
    expect(second?.aside).toBe('');
  });

  it('keeps that reason among those that void a trial', () => {
    const trial = { ...exampleTrial({ target: 'node' }), valid: false, reasons: [stolen(8)] };
    const settings = { specs: {}, settings: {}, observations: [], probes: [], cores: 2, pgCores: 2 };
    expect(diagnose(signalsOf({ trial, ...settings }))).toMatchObject({ kind: 'invalid', leavingThatAside: expect.anything() as unknown });
  });
});

it('does not blame a proxy for what does not reach the app while the machine is full', () => {
  const before = {
    connections: 64,
    inFlight: 0,
    appCpuPercent: 2,
    pgCpuPercent: 0,
    eventLoop: 0.02,
    proxy: { cpuPercent: 60, workers: 1 },
  };
  expect(diagnose(nodeSignals(before)).kind).toBe('proxy');
  expect(
    diagnose(nodeSignals({ ...before, proxy: { cpuPercent: 85, workers: 1 }, generator: { cpuPercent: 89, loop: 0.89, littleRatio: 1 } }))
      .kind,
  ).not.toBe('proxy');
});

it('never says that more descriptors are open than there may be, though inherited ones can be beyond the limit', () => {
  const { headline, evidence } = diagnose(signals({ descriptors: { open: 49, limit: 48 } }));
  expect(headline).toBe('The app may open no more files: 48 of 48 descriptors were in use.');
  expect(evidence[0]).toMatchObject({ value: '48 of 48', met: true });
});

it('does not take an event loop for the limit that only waits for its turn on a machine that other programs fill', () => {
  const starved = nodeSignals({ ...full(), runtime: 'node', threads: null, eventLoop: 0.97, otherPercent: 84 });
  expect(diagnose(starved).kind).toBe('pool-limited');
  expect(diagnose({ ...starved, otherPercent: 2 }).kind).toBe('event-loop');
  expect(diagnose({ ...starved, appCpuPercent: 90, otherPercent: 45 }).kind).toBe('event-loop');
});

it('explains connections that were never answered by files that could not be opened, and a saturated generator by nothing', () => {
  const unanswered = 'The load generator did not keep its connections busy (throughput × latency ÷ connections is 0.773, limit 0.9).';
  const few = { descriptors: { open: 64, limit: 64 } };
  expect(diagnose(signals({ ...few, voidReasons: [unanswered] })).kind).toBe('descriptors');
  expect(diagnose(signals({ ...few, voidReasons: ['The load generator was saturated.'] })).kind).toBe('invalid');
  expect(diagnose(signals({ voidReasons: [unanswered] })).kind).toBe('invalid');
});

it('takes no pool with free connections for a queue before another service', () => {
  const slow = {
    ...{
      connections: 16,
      throughput: 155,
      meanMs: 103,
      appCpuPercent: 10,
      pgCpuPercent: 0,
      generator: { cpuPercent: 8, loop: 0.08, littleRatio: 1 },
    },
    ...{ pool: null, threads: null, eventLoop: 0.1 },
  };
  const outbound = pool({ name: 'documents', max: 64, busy: 14.5, pending: 1.2, waitMs: 7, holdMs: 101 });
  expect(diagnose(nodeSignals({ ...slow, outbound })).kind).toBe('outbound-service');
  expect(diagnose(nodeSignals({ ...slow, outbound: { ...outbound, max: 14 } })).kind).not.toBe('outbound-service');
});
