import type { Observation, ProcessUse } from '../../../src/model/domain/observation.ts';
import { describe, expect, it } from 'vitest';
import { type Trial, noErrors } from '../../../src/model/domain/run.ts';
import { settingSpecsSchema } from '../../../src/model/domain/setting.ts';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import { type Sighted, signalsOf } from '../../../src/engine/diagnose/gather.ts';
import { judgeBlock } from '../../../src/engine/statistics/judgement.ts';
import type { ProbeWindow } from '../../../src/engine/probe/probeWindow.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const specs = settingSpecsSchema.parse({
  size: { min: 1, max: 64, default: 10, live: 'pool', env: 'SIZE', label: 'Pool size' },
  poolTimeoutMs: { min: 250, max: 60_000, default: 2000, env: 'TIMEOUT' },
});

function durations(count: number, meanUs: number): { count: number; sumUs: number; maxUs: number; buckets: [number, number][] } {
  return { count, sumUs: count * meanUs, maxUs: meanUs, buckets: [[80, count]] };
}

/** 10 s with a pool of two, always in use for 20 ms at a time. */
function fullWindow(more: Partial<ProbeWindow> = {}): ProbeWindow {
  return {
    windowMs: 10_000,
    pool: {
      kind: 'pg',
      name: 'main',
      max: 2,
      total: 2,
      acquire: durations(1000, 140_000),
      hold: durations(1000, 20_000),
      timeouts: 3,
      busySampled: 2,
      pendingSampled: 14,
    },
    threads: null,
    eventLoopUtilisation: 0.1,
    gcPauseMs: 10,
    outbound: null,
    gc: { pauseShare: 0.02, maxPauseMs: 8 },
    eventLoopDelayMs: { mean: 1, max: 9 },
    heap: { usedMb: 40, maxMb: 256 },
    http: { inFlight: 15, meanMs: 160 },
    ...more,
  };
}

function sighted(trial: Trial, more: Partial<Sighted> = {}): Sighted {
  return { trial, specs, settings: { size: 2 }, observations: [], probes: [fullWindow()], cores: 4, pgCores: 4, ...more };
}

function trialOfPool(): Trial {
  const trial = exampleTrial({ target: 'node', connections: 16, throughput: 100, p99Ms: 200 });
  const pool = { kind: 'pg', name: 'main', max: 2, busy: 2, pending: 14, waitMs: 140, waitP99Ms: 200, holdMs: 20, perRequest: 1 };
  return { ...trial, pool, eventLoopUtilisation: 0.1 };
}

function observed(of: Partial<ProcessUse>): Observation {
  const count = { cpuPercent: 1, cpuUs: 1, rssBytes: 1, threads: 1, processes: 1, voluntarySwitches: 1, involuntarySwitches: 1 };
  const app: ProcessUse = { ...count, waitedForCpuUs: 1, firstThreadUs: null, descriptors: null, descriptorLimit: null, ...of };
  return { timeMs: 1, windowMs: 1000, trialKey: null, app, postgres: null, generator: null, host: null, sessions: null, instances: [] };
}

describe('signalsOf', () => {
  it('finds the settings by what they are, with their values, defaults included', () => {
    const { knobs } = signalsOf(sighted(trialOfPool()));
    expect(knobs.pool).toEqual({ name: 'size', label: 'Pool size', value: 2, min: 1, max: 64 });
    expect(knobs.poolTimeoutMs?.value).toBe(2000);
    expect(knobs.threads).toBeNull();
  });

  it('knows the rows that change for each request once there are more samples than PostgreSQL’s counts may be late', () => {
    const rows = (...perS: number[]): number | null => {
      const sessions = { total: 1, byState: {}, byWait: {} };
      const observations = perS.map((rowsChangedPerS) => ({ ...observed({}), sessions: { ...sessions, rowsChangedPerS } }));
      return signalsOf(sighted(trialOfPool(), { observations })).causes.rowsChanged;
    };
    expect([rows(), rows(9, 9), rows(0, 0, 0), rows(50, 50, 60)]).toEqual([null, null, 0, 0.5]);
    // Statistics that autovacuum wrote.
    expect(rows(0, 0, 900, 0)).toBe(0);
  });

  it('counts connections per request that was tried, those that failed included', () => {
    const trial = trialOfPool();
    const blocks = trial.blocks
      .slice(0, 1)
      .map((block) => ({ ...block, requests: 400, errors: { ...noErrors, total: 100, status5xx: 100 } }));
    const signals = signalsOf(sighted({ ...trial, blocks }));
    expect(signals.attempts).toBe(500);
    expect(signals.pool).toMatchObject({ perRequest: 2, timeouts: 3, busy: 2, pending: 14 });
  });

  it('gives the app its share of the cores, of all instances together', () => {
    expect(signalsOf(sighted(trialOfPool(), { cpuShareCores: 0.5, instances: 3 }))).toMatchObject({ appCores: 1.5, isShared: true });
    expect(signalsOf(sighted(trialOfPool()))).toMatchObject({ appCores: 4, isShared: false });
  });

  it('takes the moment at which descriptors came closest to their limit', () => {
    const { descriptors } = signalsOf(
      sighted(trialOfPool(), { observations: [50, 90, 70].map((open) => observed({ descriptors: open, descriptorLimit: 100 })) }),
    );
    expect(descriptors).toEqual({ open: 90, limit: 100 });
  });

  it('knows which part of the app’s CPU is that of its first threads, by the samples that have it', () => {
    const shareOf = (...uses: Partial<ProcessUse>[]) =>
      signalsOf(sighted(trialOfPool(), { observations: uses.map(observed) })).firstThreadShare;
    expect(shareOf({ cpuUs: 300, firstThreadUs: 20 }, { cpuUs: 300, firstThreadUs: 40 }, { cpuUs: 900 })).toBeCloseTo(0.1);
    expect(shareOf({ cpuUs: 900 })).toBeNull();
  });

  it('leaves what nobody saw unknown', () => {
    const trial = { ...exampleTrial({ target: 'node' }), pool: null, threadPool: null, eventLoopUtilisation: null };
    expect(signalsOf(sighted(trial, { probes: [] }))).toMatchObject({
      pool: null,
      outbound: null,
      threads: null,
      gc: null,
      eventLoop: null,
      inFlight: null,
      descriptors: null,
    });
  });

  it('keeps reasons that tell of errors apart from those that discard a measurement', () => {
    const evidence = {
      requests: 100,
      windowMs: 4000,
      errors: { ...noErrors, total: 60, status5xx: 20, timeout: 10, refused: 10, reset: 10, unanswered: 10 },
      generator: { cpuPercent: 97, eventLoopUtilisation: 0.5, littleRatio: 1 },
      meanLatencyMs: 10,
      latencyReasons: [],
      observations: [],
      ended: null,
      postgresRestarted: false,
    };
    const { reasons } = judgeBlock(evidence);
    expect(reasons).toHaveLength(6);
    const { discardReasons } = signalsOf(sighted({ ...trialOfPool(), valid: false, reasons }));
    expect(discardReasons).toEqual([{ code: 'generator-cpu', value: 97, limit: 90 }]);
  });

  it('takes an unsteady warm-up for something to know, not for a discarded measurement', () => {
    const reason = { code: 'unsteady', durationMs: 8000, why: { code: 'late-cut', series: 'throughput' } } as const;
    const warmUp = { durationMs: 8000, steady: false, throughput: [], tickMs: 500 };
    const told = signalsOf(sighted({ ...trialOfPool(), warmUp, notes: [reason] }));
    expect(told).toMatchObject({ discardReasons: [], doubts: [], unsteady: reason });
    expect(signalsOf(sighted({ ...trialOfPool(), warmUp, notes: [] })).unsteady).toEqual({ ...reason, why: null });
    expect(signalsOf(sighted({ ...trialOfPool(), warmUp: { ...warmUp, steady: true } })).unsteady).toBeNull();
  });
});

it('gives the verdict on a trial as it is recorded', () => {
  const trial = trialOfPool();
  const quiet = {
    ...trial.resources,
    app: { ...trial.resources.app, cpuPercent: 20 },
    postgres: { ...trial.resources.postgres, cpuPercent: 5 },
  };
  const limited = { ...trial, resources: { ...quiet, sessions: {} } };
  const window = fullWindow();
  const probes = [{ ...window, pool: window.pool === null ? null : { ...window.pool, timeouts: 0 } }];
  expect(diagnose(signalsOf(sighted(limited, { probes }))).kind).toBe('pool-limited');
});

describe('locks of the database', () => {
  const lockedOn = (sessions: Record<string, number>): string | null | undefined => {
    const trial = trialOfPool();
    return signalsOf(sighted({ ...trial, resources: { ...trial.resources, sessions } })).sessions?.lockedOn;
  };

  it('are on what most of the sessions that wait for one wait for', () => {
    expect(lockedOn({ active: 9, CPU: 1, 'Lock:transactionid': 3, 'Lock:tuple': 4 })).toBe('row');
    expect(lockedOn({ active: 9, CPU: 1, 'Lock:advisory': 7, 'Lock:tuple': 1 })).toBe('advisory');
    expect(lockedOn({ active: 9, 'Lock:relation': 8 })).toBe('table');
  });

  it('are on nothing of all that where none is waited for by most', () => {
    expect(lockedOn({ active: 9, 'Lock:relation': 4, 'Lock:advisory': 4 })).toBeNull();
    expect(lockedOn({ active: 9, 'Lock:extend': 8 })).toBeNull();
    expect(lockedOn({ active: 9, CPU: 9 })).toBeNull();
  });
});

describe('the number in use', () => {
  const always = (busyReadings: number[], busy: number): number | null | undefined => {
    const outbound = {
      kind: 'undici',
      name: 'x',
      max: null,
      busy,
      busyReadings,
      pending: 0,
      waitMs: 0,
      holdMs: 10,
      taken: 100,
      timeouts: 0,
    };
    return signalsOf(sighted(trialOfPool(), { probes: [fullWindow({ outbound })] })).outbound?.always;
  };

  it('is always the same where nearly every reading has it, and none more', () => {
    expect(always([2, 2, 2, 2, 2, 1], 1.95)).toBe(2);
    expect(always([20, 20, 20, 20, 20, 20], 19.7)).toBe(20);
  });

  it('is not where it varies, was read seldom, or was another in between', () => {
    expect(always([2, 3, 1, 2, 2, 4], 2.1)).toBeNull();
    expect(always([2, 2, 2], 2)).toBeNull();
    expect(always([2, 2, 2, 2, 2, 2], 1.1)).toBeNull();
    expect(always([0, 0, 0, 0, 0, 0], 0)).toBeNull();
  });

  it('is no sign where it is all that there is', () => {
    const window = fullWindow();
    const full = [{ ...window, pool: window.pool && { ...window.pool, busyReadings: [2, 2, 2, 2, 2, 2] } }];
    expect(signalsOf(sighted(trialOfPool(), { probes: full })).pool?.always).toBeNull();
  });
});

describe('a pool that locks itself up', () => {
  const lockedUp = (completions: readonly number[], sessions: Record<string, number>): number | undefined => {
    const trial = trialOfPool();
    const probes = completions.map((count) => {
      const window = fullWindow();
      return { ...window, pool: window.pool && { ...window.pool, hold: durations(count, 20_000) } };
    });
    const seen = { probes: probes.slice(2, 3), allProbes: probes };
    return signalsOf(sighted({ ...trial, resources: { ...trial.resources, sessions } }, seen)).pool?.lockedUp;
  };

  it('is so in a part of the blocks, where no statement runs', () => {
    expect(lockedUp([0, 0, 41, 0], { 'idle in transaction': 2 })).toBe(0.75);
    expect(lockedUp([0, 0, 41, 0], { active: 2, CPU: 2 })).toBe(0);
    expect(lockedUp([0, 0, 41, 0], {})).toBe(0);
  });
});
