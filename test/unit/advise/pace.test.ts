import { describe, expect, it } from 'vitest';
import { type ComparisonStage, Pace, paceSeen } from '../../../src/engine/advise/pace.ts';
import type { Block } from '../../../src/model/domain/run.ts';

const stages: readonly ComparisonStage[] = ['screen', 'sure', 'together'];

/** A comparison: sides of which each has a second in each round, `restS` between the rounds and `againS` more before some of them. */
function comparison(sides: number, beginS: number, starts: readonly number[], { restS = 1, againS = 0 } = {}) {
  const blocks: Block[][] = Array.from({ length: sides }, () => []);
  let atMs = 1000 * beginS;
  for (const [index, start] of starts.entries()) {
    if (index > 0) atMs += 1000 * (restS + sides + (start === starts[index - 1] ? 0 : againS));
    for (const own of blocks) own.push({ round: index + 1, startMs: atMs, windowMs: 1000, ...(start > 1 ? { start } : {}) } as Block);
  }
  return {
    run: { trials: blocks.map((own) => ({ blocks: own })), plan: { mode: 'process-per-setting' as const } },
    lastS: atMs / 1000 + sides,
  };
}

function paced(...seen: ReturnType<typeof paceSeen>[]): Pace {
  const pace = new Pace();
  for (const one of seen) pace.saw(one);
  return pace;
}

describe('what a run took', () => {
  it('is told apart by where its rounds lie', () => {
    const { run, lastS } = comparison(3, 20, [1, 1, 1, 2, 2], { restS: 1.5, againS: 15 });
    expect(paceSeen(run, lastS + 9)).toEqual({ sides: 3, beginS: 20, overheadS: 0.5, againS: 16.5, endS: 9 });
  });

  it('is none of a run without a round', () => {
    expect(paceSeen({ trials: [{ blocks: [] }], plan: { mode: 'live' } }, 10)).toBeNull();
  });

  it('is that of one process where it had all values in turns', () => {
    const { run, lastS } = comparison(4, 10, [1, 1]);
    expect(paceSeen({ ...run, plan: { mode: 'live' } }, lastS)?.sides).toBe(1);
  });
});

describe('what a comparison will take', () => {
  it('is not less than the same one took', () => {
    const { run, lastS } = comparison(3, 20, [1, 1, 1, 2, 2], { restS: 1.5, againS: 15 });
    expect(paced(paceSeen(run, lastS + 9)).leastS('sure', 2)).toBeGreaterThanOrEqual(lastS + 9);
  });

  it('is more for more changes, and for a sure one than for a screening', () => {
    const pace = paced({ sides: 1, beginS: 10, overheadS: 0.5, againS: null, endS: 3 });
    for (const stage of stages)
      for (let changes = 1; changes < 8; changes += 1) expect(pace.leastS(stage, changes + 1)).toBeGreaterThan(pace.leastS(stage, changes));
    expect(pace.leastS('sure', 2)).toBeGreaterThan(pace.leastS('once', 2));
    expect(pace.leastS('once', 2)).toBeGreaterThan(pace.leastS('screen', 2));
  });

  it('follows the slowest that was seen, so that a machine that is busy now and then does not break the budget', () => {
    const [quick, slow] = [
      { sides: 1, beginS: 8, overheadS: 0.3, againS: null, endS: 2 },
      { sides: 4, beginS: 70, overheadS: 2, againS: null, endS: 20 },
    ];
    const alone = paced(quick);
    const both = paced(quick, slow);
    expect(both.leastS('together', 2)).toBe(paced(slow, quick).leastS('together', 2));
    expect(both.leastS('together', 2)).toBeGreaterThan(2 * alone.leastS('together', 2));
  });

  it('fits as many changes as end within the time, and none where one would not', () => {
    const pace = paced({ sides: 1, beginS: 15, overheadS: 0.5, againS: null, endS: 5 });
    for (const stage of stages)
      for (const withinS of [0, 10, 40, 60, 90, 150, 400]) {
        const fitting = pace.changesIn(stage, withinS, 6);
        if (fitting > 0) expect(pace.leastS(stage, fitting)).toBeLessThanOrEqual(withinS);
        if (fitting < 6) expect(pace.leastS(stage, fitting + 1)).toBeGreaterThan(withinS);
      }
    expect(pace.changesIn('sure', 20, 6)).toBe(0);
  });
});
