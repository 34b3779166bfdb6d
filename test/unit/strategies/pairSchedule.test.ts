import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/model/domain/run.ts';
import { PairSchedule } from '../../../src/engine/strategies/rounds/pairSchedule.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';

const blockMs = 2_000;

interface Play {
  seed: number;
  scatter?: number;
  budgetMs?: number;
  startMs?: number | null;
}

/** Plays a schedule against two apps of these rates, with this scatter of a block. */
function play(rateB: number, { seed, scatter = 0.05, budgetMs = 240_000, startMs = null }: Play) {
  const generator = new SeededRandom(seed);
  const random = (): number => generator.nextFraction();
  const noise = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const schedule = new PairSchedule({ key: 'a' }, { key: 'b' }, { delta: 0.05, budgetMs, blockMs: () => blockMs, startMs });
  const order: string[] = [];
  const starts: number[] = [];
  let spentMs = 0;
  for (let round = schedule.next(0); round !== null; round = schedule.next(spentMs)) {
    if (round.anew === true) {
      starts.push(round.round);
      spentMs += startMs ?? 0;
    }
    const drift = 0.1 * noise();
    for (const trial of round.trials) {
      order.push(trial.key);
      spentMs += blockMs;
      const throughput = (trial.key === 'a' ? 1000 : rateB) * Math.exp(drift + scatter * noise());
      schedule.observe(trial, round.round, {
        round: round.round,
        start: 1 + starts.length,
        throughput,
        valid: true,
        interference: null,
      } as Block);
    }
  }
  return { order, starts, spentMs, rounds: order.length / 2 };
}

describe('rounds of two versions', () => {
  it('are mirrored, so that a drift meets both alike, and begin with either as it is drawn, so that nothing that comes and goes in time with them hits the same one', () => {
    const twos = play(1000, { seed: 1, scatter: 0.4 }).order.join('').match(/..../g) ?? [];
    expect(new Set(twos)).toEqual(new Set(['abba', 'baab']));
    expect(twos.length).toBeGreaterThan(20);
    expect(twos.filter((two, index) => two === twos[index + 1]).length).toBeGreaterThan(5);
  });

  it('go on until it is known, at least eight times, and never beyond the budget', () => {
    expect(play(800, { seed: 2 }).rounds).toBe(9);
    const open = play(1040, { seed: 3, scatter: 0.2, budgetMs: 60_000 });
    expect(open.spentMs).toBeLessThanOrEqual(60_000);
    expect(open.rounds).toBeGreaterThan(12);
  });

  it('end after five where one is slower or faster by far in each of them, and never so early for copies, however much scatters', () => {
    expect([play(400, { seed: 2 }).rounds, play(2500, { seed: 2 }).rounds]).toEqual([5, 5]);
    const copies = Array.from({ length: 200 }, (_, seed) => play(1000, { seed: seed + 1, scatter: 0.4, budgetMs: 40_000 }).rounds);
    expect(Math.min(...copies)).toBeGreaterThan(8);
  });

  it('are measured on in processes started again while it is open, each for some rounds, and not for what is clear', () => {
    const startsOf = (rateB: number): number[] => play(rateB, { seed: 5, startMs: 8_000 }).starts;
    expect(startsOf(500)).toEqual([]);
    expect(startsOf(1040).slice(0, 2)).toEqual([6, 11]);
  });

  it('are the more for each start the more it takes to start both', () => {
    const roundsOf = (startMs: number): number => {
      const [first = 0, second = 0] = play(1040, { seed: 5, startMs, budgetMs: 1_200_000 }).starts;
      return second - first;
    };
    expect(roundsOf(60_000)).toBeGreaterThan(1.5 * roundsOf(8_000));
  });

  it('end where no time is left for other processes and rounds of these tell little next to what processes differ in; else they go on', () => {
    const spentMsOf = (scatter: number): number => play(1040, { seed: 5, scatter, startMs: 90_000, budgetMs: 200_000 }).spentMs;
    expect(spentMsOf(0.002)).toBeLessThan(140_000);
    expect(spentMsOf(0.3)).toBeGreaterThan(190_000);
  });

  it('end sooner for what is the same beyond doubt than for what is not', () => {
    expect(play(1000, { seed: 4, scatter: 0.01, startMs: 8_000 }).rounds).toBeLessThan(
      play(1000, { seed: 4, scatter: 0.1, startMs: 8_000 }).rounds,
    );
  });
});
