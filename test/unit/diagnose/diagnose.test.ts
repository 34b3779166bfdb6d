import { describe, expect, it } from 'vitest';
import { diagnosisSchema, explanationOf } from '../../../src/model/domain/diagnosis.ts';
import { type DiagnosisKind, diagnosisKindSchema } from '../../../src/model/domain/diagnosisKind.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { type WordedVerdict, wordedVerdict } from '../../support/wordedVerdict.ts';
import { idle, knob, nodeSignals, oneCore, pool, poolLimited, sampleKnobs, signals, sleeping, starvedMachine } from './exampleSignals.ts';

/** An app of 32 connections before a PgBouncer of 8, whose statements take 5 ms each. */
function behindBouncer(more: Partial<NonNullable<Signals['bouncer']>>): Signals {
  return signals({
    ...idle,
    connections: 64,
    throughput: 1560,
    meanMs: 41,
    pool: pool({ max: 32, busy: 31.9, pending: 31, waitMs: 20, holdMs: 20.5 }),
    sessions: { ...sleeping, active: 7.9 },
    bouncer: { mode: 'transaction', poolSize: 8, busy: 7.95, waiting: 0, waitMs: 0, clients: 32, cpuPercent: 12, ...more },
    knobs: { ...sampleKnobs, bouncerPool: knob('bouncerPool', 8) },
  });
}

/** One planted bottleneck for each verdict. */
const planted: Record<DiagnosisKind, Signals> = {
  invalid: signals({ discardReasons: [{ code: 'generator-cpu', value: 95, limit: 90 }] }),
  healthy: signals(),
  'client-limited': signals({
    connections: 1,
    throughput: 1000,
    meanMs: 1,
    appCpuPercent: 30,
    pgCpuPercent: 20,
    pool: pool({ busy: 0.3, holdMs: 0.3 }),
    threads: { name: 'qtp', max: 50, busy: 4, queue: 0 },
  }),
  'pool-limited': poolLimited(),
  'pool-exhausted': signals({
    ...idle,
    throughput: 3,
    attempts: 100,
    errors: { ...noErrors, total: 90, status5xx: 90 },
    pool: pool({ max: 4, busy: 3.9, pending: 10, timeouts: 90, holdMs: 480, perRequest: 0.4 }),
    sessions: { ...sleeping, active: 0.1 },
    knobs: { ...sampleKnobs, pool: knob('pool', 4), poolTimeoutMs: knob('poolTimeoutMs', 500) },
  }),
  'connection-leak': nodeSignals({
    ...idle,
    throughput: 0,
    pool: pool({ busy: 10, pending: 16, completions: 0, outlived: { held: 10, grew: 3, cameBack: 0 } }),
    sessions: { ...sleeping, active: 0 },
  }),
  pgbouncer: behindBouncer({ waiting: 24, waitMs: 15.3 }),
  'held-connection': signals({
    ...idle,
    throughput: 180,
    meanMs: 88,
    pool: pool({ max: 4, busy: 3.98, pending: 12, waitMs: 66, holdMs: 22 }),
    sessions: { ...sleeping, active: 0.3, idleInTransaction: 3.6 },
  }),
  'database-lock': signals({
    ...idle,
    throughput: 150,
    meanMs: 100,
    pool: pool({ max: 16, busy: 15.9, holdMs: 99 }),
    sessions: { active: 16, onCpu: 0.1, lock: 14.6, io: 0.2, idleInTransaction: 0, samples: 8 },
  }),
  'database-cpu': signals({
    appCpuPercent: 12,
    pgCpuPercent: 182,
    throughput: 100,
    meanMs: 155,
    pool: pool({ max: 8, busy: 7.9, pending: 7.8, holdMs: 78 }),
    sessions: { active: 8, onCpu: 7.9, lock: 0, io: 0, idleInTransaction: 0, samples: 8 },
  }),
  'database-io': signals({
    ...idle,
    throughput: 400,
    meanMs: 40,
    pool: pool({ busy: 9.9, pending: 6, holdMs: 25 }),
    sessions: { active: 9, onCpu: 1, lock: 0, io: 7.5, idleInTransaction: 0, samples: 8 },
  }),
  'event-loop': nodeSignals({
    eventLoop: 0.998,
    appCpuPercent: 101,
    pgCpuPercent: 0,
    pool: pool({ busy: 0 }),
    throughput: 200,
    meanMs: 80,
  }),
  gc: nodeSignals({ eventLoop: 1, appCpuPercent: 120, gc: { pauseShare: 0.42, maxPauseMs: 180 } }),
  'one-core': oneCore(),
  cpu: signals({
    appCpuPercent: 190,
    pgCpuPercent: 0,
    throughput: 380,
    meanMs: 42,
    pool: pool({ busy: 0 }),
    generator: { cpuPercent: 4, loop: 0.05, littleRatio: 0.99 },
  }),
  'thread-pool': signals({
    ...idle,
    connections: 32,
    throughput: 150,
    meanMs: 210,
    pool: pool({ max: 32, busy: 3, holdMs: 20 }),
    threads: { name: 'qtp', max: 6, busy: 6, queue: 12 },
    sessions: sleeping,
  }),
  'application-lock': signals({
    ...idle,
    throughput: 190,
    meanMs: 84,
    pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
    blocked: { threads: 15, of: 16, where: 'bulletin.limits.SharedLock.waitFor' },
  }),
  oversubscribed: signals({
    connections: 400,
    appCpuPercent: 190,
    pgCpuPercent: 0,
    throughput: 380,
    meanMs: 1050,
    pressurePercent: 99,
    threads: { name: 'qtp', max: 400, busy: 398, queue: 2 },
    pool: pool({ busy: 0, perRequest: 0 }),
  }),
  'outbound-pool': signals({
    ...idle,
    throughput: 95,
    meanMs: 165,
    outbound: pool({ name: 'documents', max: 2, busy: 1.98, pending: 13.7, waitMs: 144, holdMs: 20.8 }),
  }),
  'outbound-service': signals({
    ...idle,
    throughput: 155,
    meanMs: 103,
    pool: pool({ busy: 0, perRequest: 0 }),
    outbound: pool({ max: 64, busy: 15.6, pending: 0, holdMs: 101 }),
  }),
  proxy: nodeSignals({
    appCpuPercent: 25,
    pgCpuPercent: 10,
    eventLoop: 0.2,
    meanMs: 40,
    inFlight: 1,
    proxy: { cpuPercent: 98, workers: 1 },
  }),
  descriptors: signals({ descriptors: { open: 1020, limit: 1024 }, errors: { ...noErrors, total: 900, refused: 900 } }),
  'network-or-payload': signals({ throughput: 300, bytesPerSecond: 300 * 3_200_000, appCpuPercent: 150, pool: pool({ busy: 0 }) }),
  'unknown-wait': nodeSignals({
    ...idle,
    eventLoop: 0.04,
    throughput: 190,
    meanMs: 84,
    pool: pool({ busy: 0, holdMs: null, perRequest: 0 }),
  }),
  'busy-machine': starvedMachine(),
};

describe('diagnose', () => {
  it.each(diagnosisKindSchema.options)('names %s where it is planted, with evidence and something to do', (kind) => {
    const diagnosis = diagnose(planted[kind]);
    expect([diagnosis.kind, diagnosis.said]).toEqual([kind, diagnosis.said]);
    expect(diagnosis.evidence.filter(({ met }) => met).length).toBeGreaterThan(0);
    expect(diagnosis.actions.length).toBeGreaterThan(0);
    expect(() => diagnosisSchema.parse(diagnosis)).not.toThrow();
  });

  it.each(diagnosisKindSchema.options)('writes figures, not programs’ words, into the sentences of %s', (kind) => {
    const { headline, explanation, ruledOut, actions } = wordedVerdict(diagnose(planted[kind]));
    const sentences = [headline, explanation, ...ruledOut.map(({ because }) => because), ...actions.map(({ label }) => label)];
    for (const sentence of sentences) {
      expect(sentence).not.toMatch(/undefined|null|NaN|Infinity|\[object|an unknown (time|share)/);
      expect(sentence).toMatch(/^[A-Z0-9]/);
    }
    for (const sentence of [headline, explanation]) expect(sentence).toMatch(/[.?]$/);
  });

  it('never names anything but an invalid run where the figures are discarded', () => {
    for (const one of Object.values(planted)) {
      const diagnosis = diagnose({ ...one, discardReasons: [{ code: 'app-restarted' }] });
      expect(diagnosis).toMatchObject({ kind: 'invalid', confident: true, ruledOut: [] });
    }
  });

  it('does not count a signal as met that was not seen', () => {
    const blind: Partial<Signals> = {
      bouncer: null,
      sessions: null,
      pool: null,
      outbound: null,
      threads: null,
      eventLoop: null,
      gc: null,
      descriptors: null,
      proxy: null,
      blocked: null,
      appCpuPercent: null,
      pgCpuPercent: null,
      pressurePercent: null,
      switchesPerSecond: null,
    };
    for (const [kind, one] of Object.entries(planted)) {
      if (['invalid', 'network-or-payload'].includes(kind)) continue;
      const diagnosis = diagnose({ ...one, ...blind, errors: noErrors });
      expect(['unknown-wait', 'client-limited']).toContain(diagnosis.kind);
      expect(diagnosis.confident).toBe(false);
    }
  });
});

describe('confidence', () => {
  it('is there when every sign is seen and none is near its limit', () => {
    expect(diagnose(poolLimited())).toMatchObject({ kind: 'pool-limited', confident: true });
  });

  it('is not there when a sign was not seen', () => {
    expect(diagnose(poolLimited({ pgCpuPercent: null }))).toMatchObject({ kind: 'pool-limited', confident: false });
  });

  it('is not there when a sign is within 5 % of its limit', () => {
    expect(diagnose(poolLimited({ cores: 8, pgCpuPercent: 156 }))).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(diagnose(nodeSignals({ ...planted['event-loop'], eventLoop: 0.952 }))).toMatchObject({ kind: 'event-loop', confident: false });
  });

  it('is not there when the probe gave no answer, or some requests failed', () => {
    const doubted = diagnose(poolLimited({ doubts: [{ code: 'probe-silent' }] }));
    expect(doubted).toMatchObject({ kind: 'pool-limited', confident: false });
    expect(explanationOf(doubted)).toContain('The probe in the app gave no answer, so that its pools and threads were not seen.');
    expect(diagnose(poolLimited({ errors: { ...noErrors, total: 4, reset: 4 } }))).toMatchObject({
      kind: 'pool-limited',
      confident: false,
    });
  });
});

describe('actions', () => {
  const first = (one: Signals): WordedVerdict['actions'][number] | undefined => wordedVerdict(diagnose(one)).actions[0];

  it('raises the pool to what the load needs by Little’s law, as a usual size, within its range', () => {
    // 16 connections ÷ (163 − 141) ms × 20.5 ms = 14.9
    expect(first(poolLimited())).toEqual({ kind: 'set', label: 'Raise “pool” from 2 to 16', setting: 'pool', value: 16 });
    expect(first(poolLimited({ knobs: { ...sampleKnobs, pool: knob('pool', 2, 12) } }))).toMatchObject({ value: 12 });
  });

  it('names only settings that the target has', () => {
    for (const kind of diagnosisKindSchema.options) {
      const none = {
        pool: null,
        poolTimeoutMs: null,
        threads: null,
        outboundPool: null,
        outboundClient: null,
        heapMb: null,
        workers: null,
        searchIn: null,
        bouncerPool: null,
      };
      for (const action of diagnose({ ...planted[kind], knobs: none }).actions) expect(['set', 'tune']).not.toContain(action.kind);
    }
  });

  it('raises a pool that blocks itself to the floor at which it cannot', () => {
    const { actions, explanation } = wordedVerdict(diagnose(planted['pool-exhausted']));
    expect(explanation).toContain('16 × (2 − 1) + 1 = 17');
    expect(actions).toContainEqual({ kind: 'set', label: 'Raise “pool” from 4 to 24', setting: 'pool', value: 24 });
  });

  it('raises the client’s pool, adds an instance, records what waits', () => {
    expect(first(planted['outbound-pool'])).toMatchObject({ kind: 'set', setting: 'documentPool', value: 16 });
    expect(wordedVerdict(diagnose(planted['event-loop'])).actions).toContainEqual({
      kind: 'instances',
      label: 'Add an instance: 2 in place of 1',
      instances: 2,
    });
    expect(first(planted['unknown-wait'])).toMatchObject({ kind: 'record', event: 'wall' });
    expect(first(planted['application-lock'])).toMatchObject({ kind: 'record', event: 'lock' });
    expect(first(planted['client-limited'])).toMatchObject({ kind: 'connections', connections: 2 });
    expect(first(planted.oversubscribed)).toMatchObject({ kind: 'set', setting: 'threads', value: 4 });
  });
});
