import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { observationSchema } from '../../src/model/domain/observation.ts';
import { useSamplerBench } from '../support/samplerBench.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const harness = useSamplerBench();

describe.runIf(process.platform === 'linux')('the figures of a sampler', () => {
  it('tells CPU, memory, threads and switches of the app once a second, on the second', longTest, async () => {
    const { pid } = await harness.startBusy();
    const { samples, sampler } = harness.sample({
      roots: () => ({ app: [pid], postgres: [], generator: [] }),
      trialKey: () => 'java pool=8',
    });
    await waitFor(() => samples.length >= 3);
    for (const observation of samples) {
      expect(observationSchema.parse(observation)).toEqual(observation);
      expect(observation.trialKey).toBe('java pool=8');
    }
    const [, second, third] = samples;
    expect(third?.windowMs).toBeCloseTo((third?.timeMs ?? 0) - (second?.timeMs ?? 0), 6);
    // A busy machine wakes some timers late, not all of them; and a timer may fire a fraction of a millisecond early.
    expect(samples.some(({ timeMs }) => Math.abs(timeMs - 1000 * Math.round(timeMs / 1000)) < 250)).toBe(true);
    expect(third?.app?.cpuPercent).toBeGreaterThan(5);
    expect(third?.app?.cpuPercent).toBeLessThan(250);
    expect(third?.app?.rssBytes).toBeGreaterThan(20e6);
    expect(third?.app?.rssBytes).toBeLessThan(500e6);
    expect(third?.app?.threads).toBeGreaterThan(3);
    expect(third?.app?.processes).toBe(1);
    expect(third?.app?.voluntarySwitches).toBeGreaterThan(3);
    expect(third?.app?.descriptors).toBe(readdirSync(`/proc/${pid}/fd`).length);
    expect(third?.app?.descriptorLimit).toBeGreaterThan(third?.app?.descriptors ?? 0);
    expect(third?.postgres?.descriptors ?? null).toBeNull();
    expect(third?.instances).toEqual([]);
    expect(third?.postgres).toBeNull();
    expect(third?.host?.cpuPercent).toBeGreaterThan(0);
    expect(third?.host?.cpuPercent).toBeLessThanOrEqual(100);
    expect(third?.host?.freeMemoryBytes).toBeGreaterThan(1e6);
    expect(third?.host?.userPercent).toBeGreaterThan(0);
    expect((third?.host?.userPercent ?? 0) + (third?.host?.systemPercent ?? 0)).toBeCloseTo(third?.host?.cpuPercent ?? 0, 6);
    expect(third?.host?.idlePercent).toBeLessThan(100);
    expect(third?.host?.contextSwitchesPerS).toBeGreaterThan((third?.app?.voluntarySwitches ?? 0) / 2);
    expect(sampler.costMs).toBeGreaterThan(0);
  });

  it('has exact differences of CPU time: as much as the process itself counts, ended children too', longTest, async () => {
    const { child, pid } = await harness.startBusy();
    const { sampler } = harness.sample({ roots: () => ({ app: [pid], postgres: [], generator: [] }) });
    const measure = async (): Promise<[outside: number, inside: number]> => [
      (await sampler.cpuTimeUs([pid])) ?? 0,
      (await harness.ask(child, 'time'))['us'] ?? 0,
    ];
    const [outsideBefore, insideBefore] = await measure();
    const { childUs = 0 } = await harness.ask(child, 'child');
    const until = harness.now() + 1500;
    await waitFor(() => harness.now() > until);
    const [outsideAfter, insideAfter] = await measure();
    const inside = insideAfter - insideBefore + childUs;
    expect(childUs).toBeGreaterThanOrEqual(200_000);
    expect(Math.abs(outsideAfter - outsideBefore - inside)).toBeLessThan(0.1 * inside + 40_000);
    expect(await sampler.cpuTimeUs([pid + 1_000_000])).toBeNull();
  });
});
