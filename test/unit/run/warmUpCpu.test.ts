import { expect, it } from 'vitest';
import { observationSchema } from '../../../src/model/observation.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { cpuPerRequest, hasSettled } from '../../../src/engine/run/warmUpCpu.ts';

/** A second of load that ends then. */
function sample(timeMs: number, cpuUs: number | null): Observation {
  const app = {
    cpuPercent: null,
    cpuUs,
    rssBytes: null,
    threads: null,
    processes: null,
    voluntarySwitches: null,
    involuntarySwitches: null,
  };
  const none = { postgres: null, generator: null, host: null, sessions: null };
  return observationSchema.parse({ timeMs, windowMs: 1000, trialKey: null, app, ...none });
}

const tick = (endMs: number, requests: number) => ({ endMs, windowMs: 500, requests });

it('CPU time of a request is that of a second over what was answered in it, whenever the ticks end', () => {
  const ticks = [tick(500, 50), tick(1000, 150), tick(1500, 100), tick(2000, 100)];
  expect(cpuPerRequest([sample(1000, 200_000)], ticks)).toEqual([1000]);
  // Half of the first and of the last tick: 25 + 150 + 50.
  expect(cpuPerRequest([sample(1250, 225_000)], ticks)).toEqual([1000]);
  expect(cpuPerRequest([sample(2500, 200_000), sample(1000, null)], ticks)).toEqual([]);
});

it('a compiler is not done while CPU time per request falls, and is once it rests', () => {
  // As recorded of a JVM beside a busy loop, second by second.
  const falling = [980, 900, 835, 815, 792, 760, 724, 690, 652, 635, 600, 571];
  expect(hasSettled(falling, true)).toBe(false);
  expect(hasSettled([...falling, 540, 521, 515, 517], true)).toBe(false);
  expect(hasSettled([...falling, 540, 521, 515, 517, 511, 522, 504, 515, 520, 518, 524], true)).toBe(true);
});

it('a compiler is not waited for that nothing is known of, nor taken for done before enough was seen', () => {
  expect(hasSettled([], false)).toBe(true);
  expect(hasSettled([], true)).toBe(false);
  expect(
    hasSettled(
      Array.from({ length: 11 }, () => 500),
      true,
    ),
  ).toBe(false);
  expect(
    hasSettled(
      Array.from({ length: 12 }, () => 500),
      true,
    ),
  ).toBe(true);
});
