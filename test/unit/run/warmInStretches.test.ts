import { describe, expect, it } from 'vitest';
import type { LoadTick } from '../../../src/engine/load/loadProtocol.ts';
import { ticksOfStretch, warmInStretches } from '../../../src/engine/run/warmInStretches.ts';
import type { Stretches } from '../../../src/engine/run/warmInStretches.ts';

const tick = {} as LoadTick;

/** A load that ticks until it has to stop, or `most` times. */
function loadOf(most: number): { load: Stretches['load']; stretches: number[] } {
  const stretches: number[] = [];
  const load: Stretches['load'] = ({ isSteady }) => {
    const ticks: LoadTick[] = [];
    let steady = false;
    while (!steady && ticks.length < most) {
      ticks.push(tick);
      steady = isSteady(ticks);
    }
    stretches.push(ticks.length);
    return Promise.resolve({ ticks, steady });
  };
  return { load, stretches };
}

describe('a warm-up in stretches', () => {
  it('rests while compilers are behind, and goes on with what was seen before', async () => {
    const { load, stretches } = loadOf(100);
    let behind = 2;
    const rests: number[] = [];
    const outcome = await warmInStretches({
      maxMs: 60_000,
      isSteady: (ticks) => behind === 0 && ticks.length >= 2 * ticksOfStretch + 3,
      compiles: () => behind > 0,
      compilersRest: (mostMs) => {
        behind -= 1;
        rests.push(mostMs);
        return Promise.resolve();
      },
      load,
    });
    expect(stretches).toEqual([ticksOfStretch, ticksOfStretch, 3]);
    expect(rests).toHaveLength(2);
    expect(outcome).toMatchObject({ steady: true });
    expect(outcome.ticks).toHaveLength(2 * ticksOfStretch + 3);
  });

  it('does not rest without a compiler, and is not steady where its time ends first', async () => {
    const { load, stretches } = loadOf(20);
    const never = (): never => {
      throw new Error('no compiler is at work');
    };
    const outcome = await warmInStretches({ maxMs: 60_000, isSteady: () => false, compiles: () => false, compilersRest: never, load });
    expect(stretches).toEqual([20]);
    expect(outcome.steady).toBe(false);
  });

  it('ends with its time though compilers never are at rest', async () => {
    const { load } = loadOf(100);
    const restMs = 5;
    const outcome = await warmInStretches({
      maxMs: 20,
      isSteady: () => false,
      compiles: () => true,
      compilersRest: (mostMs) => new Promise((resolve) => setTimeout(resolve, Math.min(restMs, mostMs))),
      load,
    });
    expect(outcome.steady).toBe(false);
    expect(outcome.durationMs).toBeGreaterThanOrEqual(20);
  });
});
