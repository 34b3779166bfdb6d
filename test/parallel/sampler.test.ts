import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessUse } from '../../src/model/domain/observation.ts';
import { useSamplerBench } from '../support/samplerBench.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const harness = useSamplerBench();

describe.runIf(process.platform === 'linux')('the sampler on real processes', () => {
  it('tells of each instance by itself when several are under load, and of all together', async () => {
    const pids = [(await harness.startBusy()).pid, (await harness.startBusy()).pid];
    const { samples, sampler } = harness.sample({ roots: () => ({ app: pids, postgres: [], generator: [] }) });
    await waitFor(() => samples.length >= 2);
    const [, second] = samples;
    expect(second?.instances.map(({ pid }) => pid)).toEqual(pids);
    const sum = (value: (use: ProcessUse) => number | null): number =>
      (second?.instances ?? []).reduce((total, use) => total + (value(use) ?? Number.NaN), 0);
    expect(second?.app?.processes).toBe(2);
    expect(second?.app?.cpuPercent).toBeCloseTo(
      sum(({ cpuPercent }) => cpuPercent),
      6,
    );
    expect(second?.app?.voluntarySwitches).toBe(sum(({ voluntarySwitches }) => voluntarySwitches));
    // Both have Node's own pages, which are there once.
    expect(second?.app?.rssBytes).toBeLessThan(sum(({ rssBytes }) => rssBytes));
    expect(second?.app?.descriptors).toBe(Math.max(...(second?.instances ?? []).map(({ descriptors }) => descriptors ?? 0)));
    expect(sampler.costMs).toBeLessThan(100);
  });

  it('follows the load from one process to the next, and goes on when a process dies', longTest, async () => {
    const [first, second] = [await harness.startBusy(), await harness.startBusy()];
    let app: number[] | null = [first.pid];
    const { samples } = harness.sample({ roots: () => ({ app, postgres: [second.pid], generator: [first.pid + 1_000_000] }) });
    await waitFor(() => samples.length >= 1);
    expect(samples[0]?.generator).toBeNull();
    app = [second.pid];
    first.child.kill('SIGKILL');
    const before = samples.length;
    await waitFor(() => samples.length >= before + 2);
    expect(samples.at(-1)?.app?.processes).toBe(1);
    app = null;
    const moved = samples.length;
    await waitFor(() => samples.length >= moved + 2);
    expect(samples.at(-1)?.app).toBeNull();
    expect(samples.at(-1)?.postgres?.processes).toBe(1);
  });

  it('gives no sample after it was stopped', async () => {
    const { samples, sampler } = harness.sample({ roots: () => ({ app: null, postgres: [], generator: [] }) });
    await waitFor(() => samples.length >= 1);
    sampler.stop();
    const count = samples.length;
    const later = harness.now() + 1200;
    await waitFor(() => harness.now() > later);
    expect(samples.length).toBe(count);
  });

  it('gives samples without sessions when PostgreSQL fails or hangs', async () => {
    let calls = 0;
    const sessions = (): Promise<null> => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('gone')) : new Promise(() => undefined);
    };
    const { samples } = harness.sample({ roots: () => ({ app: null, postgres: [], generator: [] }), sessions });
    await waitFor(() => samples.length >= 3);
    expect(samples.every((observation) => observation.sessions === null)).toBe(true);
    expect(calls).toBe(2);
  });
});

describe('the sampler where there is no /proc', () => {
  it('says so once, and gives samples that hold only sessions', async () => {
    const answer = { total: 3, byState: { idle: 3 }, byWait: {} };
    const { samples, sampler } = harness.sample({
      roots: () => ({ app: [1], postgres: [], generator: [] }),
      sessions: () => Promise.resolve(answer),
      procDir: join(harness.folder, 'none'),
    });
    expect(sampler.note).toContain('/proc');
    await waitFor(() => samples.length >= 1);
    expect(samples[0]).toMatchObject({ app: null, host: null, sessions: answer });
    expect(await sampler.cpuTimeUs([process.pid])).toBeNull();
  });
});
