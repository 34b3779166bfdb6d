import { describe, expect, it } from 'vitest';
import { AgainstFirst } from '../../../src/engine/strategies/rounds/againstFirst.ts';
import type { Block } from '../../../src/model/domain/run.ts';

const [first, ...others] = [{ key: 'a' }, { key: 'b' }, { key: 'c' }] as const;
const options = { delta: 0.05, budgetMs: 100_000, blockMs: () => 1000, startMs: null, alike: false };

/** Rounds until it is enough, each side with what `speed` says; null: nothing could be measured. */
function played(speed: (key: string, round: number) => number | null): { asked: string[][] } {
  const schedule = new AgainstFirst<{ key: string }>(first, others, options);
  const asked: string[][] = [];
  for (let round = schedule.next(0); round !== null; round = schedule.next(asked.length * 2000)) {
    asked.push(round.trials.map(({ key }) => key));
    for (const trial of round.trials) {
      const throughput = speed(trial.key, round.round);
      const block = throughput === null ? null : ({ round: round.round, throughput, valid: true, interference: null } as Block);
      schedule.observe(trial, round.round, block);
    }
  }
  return { asked };
}

const wave = (round: number): number => 1 + 0.004 * Math.sin(7 * round);

describe('several values against the first', () => {
  it('are measured together, and each no longer than until it is known', () => {
    const { asked } = played((key, round) => (key === 'c' ? 500 : key === 'b' ? 1000 * wave(round) : 1000 / wave(round)));
    expect([...(asked[0] ?? [])].sort()).toEqual(['a', 'b', 'c']);
    expect(asked.at(-1)).not.toContain('c');
    expect(asked.every((round) => round.includes('a'))).toBe(true);
  });

  it('end soon where a side gives nothing, and at once where the first does not', () => {
    expect(played((key) => (key === 'a' ? 1000 : null)).asked.length).toBeLessThanOrEqual(2);
    expect(played((key) => (key === 'a' ? null : 1000)).asked.length).toBeLessThanOrEqual(2);
  });

  it('stay within the budget', () => {
    const { asked } = played((key, round) => 1000 * (1 + 0.3 * Math.sin(key.charCodeAt(0) * 3 + round * round)));
    expect(asked.length * 2000).toBeLessThanOrEqual(options.budgetMs + 4000);
  });
});
