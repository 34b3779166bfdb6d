import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coldRounds } from '../../../src/engine/statistics/coldRounds.ts';
import type { WarmingBlock } from '../../../src/engine/statistics/coldRounds.ts';

/** Blocks by start, of this CPU time per request each. */
function blocks(...starts: readonly (readonly (number | null)[])[]): WarmingBlock[] {
  return starts
    .flatMap((own, index) => own.map((appCpuUsPerRequest) => ({ start: index + 1, valid: true, appCpuUsPerRequest })))
    .map((block, index) => ({ ...block, round: index + 1 }));
}

const warm = [500, 505, 495, 500];

describe('rounds of processes that are not warm', () => {
  it('are those at the beginning of a start in which the CPU time of a request falls to what it settles at', () => {
    const cold = coldRounds(blocks([800, 700, 600, ...warm, ...warm]), blocks([790, 640, 540, ...warm, ...warm]));
    expect([...cold].sort()).toEqual([1, 2, 3]);
  });

  it('are told by other starts where a start has too few rounds to show what it settles at', () => {
    const both = blocks(warm, [700, 600]);
    expect([...coldRounds(both, both)].sort()).toEqual([5, 6]);
    const first = blocks([700, 600, 520]);
    expect(coldRounds(first, first).size).toBe(0);
  });

  it('are told in a short start by the lower of its last two, of which one may still be cold', () => {
    // Seen of two copies of a Jetty service beside bursts: what a compiler takes back makes a round dearer than those before it.
    const a = blocks([553, 547, 522, 565, 552], [704, 694, 1037, 599]);
    const b = blocks([541, 555, 578, 541, 499], [612, 679, 567, 547]);
    expect([...coldRounds(a, b)].sort()).toEqual([6, 7, 8]);
  });

  it('are at most half of all, none after one that was warm, and none where the CPU time is not known', () => {
    const falling = blocks([1600, 1500, 1400, 1300, 1200, 1100, 1000, 900]);
    expect(coldRounds(falling, falling).size).toBe(4);
    const again = blocks([500, 900, ...warm, ...warm]);
    expect(coldRounds(again, again).size).toBe(0);
    const unknown = blocks([800, null, ...warm].map(() => null));
    expect(coldRounds(unknown, unknown).size).toBe(0);
  });

  it('do not hang on which of the two needs more', () => {
    const some = fc.array(fc.double({ min: 100, max: 1000, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(fc.tuple(some, some), { minLength: 1, maxLength: 3 }), (starts) => {
        const sides = ([0, 1] as const).map((side) =>
          blocks(...starts.map((pair) => pair[side].slice(0, Math.min(pair[0].length, pair[1].length)))),
        );
        const [a = [], b = []] = sides;
        const doubled = a.map((block) => ({ ...block, appCpuUsPerRequest: 2 * (block.appCpuUsPerRequest ?? 0) }));
        expect(coldRounds(b, a)).toEqual(coldRounds(a, b));
        expect(coldRounds(doubled, b)).toEqual(coldRounds(a, b));
      }),
    );
  });
});
