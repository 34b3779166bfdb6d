import { describe, expect, it } from 'vitest';
import type { Observation, ProcessUse } from '../../../src/model/domain/observation.ts';
import { memoryOfStarts, samplesAround, samplesWithin, trialResources } from '../../../src/engine/observe/aggregate.ts';

const use = (cpuPercent: number | null, changes: Partial<ProcessUse> = {}): ProcessUse => ({
  cpuPercent,
  cpuUs: null,
  rssBytes: 1000,
  threads: 10,
  processes: 1,
  voluntarySwitches: 300,
  involuntarySwitches: 100,
  waitedForCpuUs: null,
  firstThreadUs: null,
  descriptors: null,
  descriptorLimit: null,
  ...changes,
});

function sample(timeMs: number, changes: Partial<Observation> = {}): Observation {
  return {
    timeMs,
    windowMs: 1000,
    trialKey: 'a',
    app: use(50),
    postgres: null,
    generator: null,
    host: null,
    sessions: null,
    instances: [],
    ...changes,
  };
}

const generator = { cpuPercent: 30, eventLoopUtilisation: 0.3, littleRatio: 0.98 };
const window = (startMs: number, windowMs: number, requests = 1000) => ({ startMs, windowMs, requests, generator });

describe('samples of a window', () => {
  const samples = [1000, 2000, 3000, 4000, 5000].map((timeMs) => sample(timeMs));
  const times = (startMs: number, windowMs: number): number[] => samplesWithin(samples, startMs, windowMs).map((o) => o.timeMs);

  it('are those wholly inside', () => {
    expect(times(1500, 3000)).toEqual([3000, 4000]);
    expect(times(1000, 3000)).toEqual([2000, 3000, 4000]);
  });

  it('may reach over an edge by a late timer', () => {
    expect(times(1020, 2000)).toEqual([2000, 3000]);
  });

  it('are the one that overlaps most when the window is too short to hold any', () => {
    expect(times(1300, 900)).toEqual([2000]);
    expect(times(1900, 300)).toEqual([]);
  });
});

describe('memory of each start', () => {
  const at = (timeMs: number, rssBytes: number, trialKey = 'a') => sample(timeMs, { trialKey, app: use(50, { rssBytes }) });
  const started = (start: number, startMs: number, windowMs: number) => ({ ...window(startMs, windowMs), start });

  it('is the mean of the trial’s own samples in the windows of that start', () => {
    const samples = [at(1000, 100), at(2000, 300), at(3000, 9000, 'b'), at(4000, 9000), at(6000, 500), at(8000, 700)];
    expect(memoryOfStarts('a', samples, [started(1, 0, 3000), started(2, 5000, 1000), started(2, 7000, 1000)])).toEqual([200, 600]);
  });

  it('is not that of another start where there is no sample of it', () => {
    expect(memoryOfStarts('a', [at(1000, 100)], [started(1, 0, 1000), started(2, 1200, 1000)])).toEqual([100]);
  });
});

describe('samples of the machine around a window', () => {
  it('are those inside, and for a window that holds none, all that touch it', () => {
    const samples = [1000, 2000, 3000, 4000].map((timeMs) => sample(timeMs));
    const times = (startMs: number, windowMs: number): number[] => samplesAround(samples, startMs, windowMs).map((o) => o.timeMs);
    expect(times(1000, 2000)).toEqual([2000, 3000]);
    expect(times(1800, 500)).toEqual([2000, 3000]);
    expect(times(2100, 300)).toEqual([3000]);
    expect(times(5000, 300)).toEqual([]);
  });
});

describe('resources of a trial', () => {
  it('come from the meters at the edges and the nearest sample where its windows are too short for a sample', () => {
    const samples = [
      sample(1000, { app: use(900, { rssBytes: 1, threads: 1 }) }),
      sample(2000, { app: use(1, { rssBytes: 5000, threads: 12 }), postgres: use(1, { rssBytes: 7000 }) }),
      sample(2900, { trialKey: 'b', app: use(1, { rssBytes: 9, threads: 9 }) }),
    ];
    const windows = [
      { ...window(2100, 400), appCpuUs: 300_000, postgresCpuUs: 100_000 },
      { ...window(5100, 600), appCpuUs: 500_000, postgresCpuUs: 100_000 },
    ];
    const { app, postgres } = trialResources('a', samples, windows);
    expect(app).toMatchObject({ cpuPercent: 80, rssBytes: 5000, threads: 12, contextSwitchesPerSecond: null });
    expect(postgres).toMatchObject({ cpuPercent: 20, rssBytes: 7000 });
    expect(trialResources('a', samples, [window(2100, 400)]).app).toMatchObject({ cpuPercent: null, rssBytes: 5000 });
    expect(trialResources('a', [], windows).app).toMatchObject({ cpuPercent: 80, rssBytes: null });
  });

  it('are means weighted by time over its own samples in its windows', () => {
    const samples = [
      sample(1000, { app: use(900) }),
      sample(2000, { app: use(40) }),
      sample(4000, { app: use(100), windowMs: 2000 }),
      sample(3000, { trialKey: 'b', app: use(7) }),
    ];
    const { app } = trialResources('a', samples, [window(1000, 3000)]);
    expect(app.cpuPercent).toBeCloseTo(80, 9);
    expect(app.contextSwitchesPerSecond).toBeCloseTo((400 + 2 * 200) / 3, 9);
    expect(app.rssBytes).toBe(1000);
    expect(app.threads).toBe(10);
  });

  it('have exact CPU time per request where the edges were measured, else from mean CPU', () => {
    const samples = [sample(2000, { postgres: use(80) }), sample(3000, { postgres: use(80) })];
    const windows = [
      { ...window(1000, 1000, 600), appCpuUs: 300_000 },
      { ...window(2000, 1000, 400), appCpuUs: 200_000 },
    ];
    const resources = trialResources('a', samples, windows);
    expect(resources.app.cpuUsPerRequest).toBe(500);
    expect(resources.postgres.cpuUsPerRequest).toBeCloseTo(1600, 9);
    expect(resources.generator.cpuUsPerRequest).toBeNull();
    const withGap = trialResources(
      'a',
      samples,
      windows.map((one, i) => (i === 0 ? { ...one, appCpuUs: null } : one)),
    );
    expect(withGap.app.cpuUsPerRequest).toBeCloseTo(1000, 9);
  });

  it('leave out samples that do not know, and are null when none knows', () => {
    const samples = [sample(2000, { app: use(60, { voluntarySwitches: null }) }), sample(3000)];
    expect(trialResources('a', samples, [window(1000, 2000)]).app.contextSwitchesPerSecond).toBe(400);
    expect(trialResources('a', [], [window(1000, 2000)])).toMatchObject({
      app: { cpuPercent: null, rssBytes: null },
      host: { stealPercent: null },
    });
    expect(trialResources('a', samples, [window(1000, 2000, 0)]).app.cpuUsPerRequest).toBeNull();
  });

  it('count a session that a sample does not name as none in it', () => {
    const sessions = (byState: Record<string, number>, byWait: Record<string, number>) => ({ total: 9, byState, byWait });
    const samples = [
      sample(2000, { sessions: sessions({ active: 4, idle: 4 }, { CPU: 3, 'Lock:tuple': 1 }) }),
      sample(3000, { sessions: sessions({ active: 2, idle: 6 }, { CPU: 2 }) }),
      sample(4000),
    ];
    expect(trialResources('a', samples, [window(1000, 3000)]).sessions).toEqual({ active: 3, idle: 5, CPU: 2.5, 'Lock:tuple': 0.5 });
  });

  it('carry the generator’s own view, and the host’s', () => {
    const host = {
      cpuPercent: 90,
      stealPercent: 1,
      otherPercent: 4,
      pressureSomePercent: null,
      throttledPeriods: null,
      freeMemoryBytes: 1,
      userPercent: null,
      systemPercent: null,
      idlePercent: null,
      contextSwitchesPerS: null,
    };
    const windows = [
      window(1000, 1000),
      { ...window(2000, 1000), generator: { ...generator, littleRatio: null, eventLoopUtilisation: 0.5 } },
    ];
    const resources = trialResources('a', [sample(2000, { host }), sample(3000, { host: { ...host, stealPercent: 3 } })], windows);
    expect(resources.generator).toMatchObject({ eventLoopUtilisation: 0.4, littleRatio: 0.98 });
    expect(resources.host).toEqual({ stealPercent: 2, otherPercent: 4 });
  });
});
