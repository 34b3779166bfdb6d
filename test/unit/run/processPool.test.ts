import os from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import type { PlannedProcess } from '../../../src/engine/run/plan.ts';
import { launchAll } from '../../../src/engine/run/processPool.ts';
import { declared } from '../../support/declaredTarget.ts';

afterEach(() => vi.restoreAllMocks());

const planned = (key: string): PlannedProcess => ({ key, name: key, declared: declared('app'), settings: {}, asked: {}, instances: 1 });

/** How many of six were under way at once. */
async function mostAtOnce(): Promise<number> {
  let [now, most] = [0, 0];
  await launchAll(['a', 'b', 'c', 'd', 'e', 'f'].map(planned), async () => {
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now -= 1;
  });
  return most;
}

it.each([
  [1, 1],
  // A container’s limit may be a fraction.
  [0.5, 1],
])('launches as many at a time as it may use cores, however many the machine has: %d', async (allowed, atOnce) => {
  vi.spyOn(os, 'availableParallelism').mockReturnValue(allowed);
  expect(await mostAtOnce()).toBe(atOnce);
});
