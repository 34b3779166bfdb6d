import { describe, expect, it } from 'vitest';
import { type InstanceWindow, instanceUses } from '../../../src/engine/observe/instanceUses.ts';
import { servedByInstance } from '../../../src/engine/probe/servedByInstance.ts';
import type { GroupReport } from '../../../src/engine/probe/groupReport.ts';
import { type Observation, observationSchema } from '../../../src/model/domain/observation.ts';
import { emptyDurations } from '../../../src/model/domain/probe.ts';

const trial = { key: 'a', process: { instances: 2 } };

function sample(timeMs: number, ...cpuPercents: number[]): Observation {
  const none = { cpuUs: null, threads: null, processes: null, voluntarySwitches: null, involuntarySwitches: null };
  const instances = cpuPercents.map((cpuPercent, index) => ({ ...none, cpuPercent, rssBytes: 1000 * cpuPercent, pid: 100 + index }));
  return observationSchema.parse({
    timeMs,
    windowMs: 1000,
    trialKey: 'a',
    app: null,
    postgres: null,
    generator: null,
    host: null,
    sessions: null,
    instances,
  });
}

const window = (startMs: number, windowMs: number, served: InstanceWindow['served'] = null): InstanceWindow => ({
  startMs,
  windowMs,
  served,
});

describe('what each instance used', () => {
  it('is the mean of its samples within the windows, and the requests that it answered a second', () => {
    const samples = [sample(1000, 90, 90), sample(2000, 20, 40), sample(3000, 40, 60), { ...sample(3000, 7, 7), trialKey: 'b' }];
    expect(instanceUses(trial, samples, [window(1000, 2000, [200, 100])])).toEqual([
      { cpuPercent: 30, rssBytes: 30_000, requestsPerSecond: 100 },
      { cpuPercent: 50, rssBytes: 50_000, requestsPerSecond: 50 },
    ]);
  });
  it('is left open by samples that miss an instance and by windows whose requests nobody counted', () => {
    const uses = instanceUses(trial, [sample(2000, 20)], [window(1000, 1000, [10, 20]), window(2000, 1000, [10, null])]);
    expect(uses).toEqual([
      { cpuPercent: null, rssBytes: null, requestsPerSecond: 10 },
      { cpuPercent: null, rssBytes: null, requestsPerSecond: null },
    ]);
  });
});

describe('the requests that each instance answered', () => {
  const reading = (counts: Record<number, number | null>): GroupReport => ({
    atMs: 0,
    byProcess: new Map(
      Object.entries(counts).map(([pid, count]) => {
        const http = count === null ? null : { requests: { ...emptyDurations, count }, inFlight: 0 };
        const rest = { pools: [], threadPools: [], eventLoop: null, gc: null, heap: null, threads: null, resources: null, notes: [] };
        return [Number(pid), { timeUs: 0, ...rest, http }];
      }),
    ),
  });
  const instance = (...pids: number[]) => ({ probe: { sessions: pids.map((pid) => ({ hello: { pid } })) } as never });

  it('are the sum over its processes, between two readings', () => {
    const before = reading({ 1: 10, 2: 20, 3: 5 });
    const after = reading({ 1: 30, 2: 25, 3: 105 });
    expect(servedByInstance(before, after, [instance(1, 2), instance(3)])).toEqual([25, 100]);
  });
  it('are not known where a probe does not see them or did not answer', () => {
    const after = reading({ 1: null, 2: 25 });
    expect(servedByInstance(reading({ 1: null }), after, [instance(1), instance(2), { probe: null }])).toEqual([null, null, null]);
    expect(servedByInstance(null, after, [instance(2)])).toEqual([null]);
  });
});
