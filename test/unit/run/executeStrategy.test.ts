import { describe, expect, it } from 'vitest';
import type { RoundKind } from '../../../src/model/domain/progress/roundKinds.ts';
import { executeStrategy } from '../../../src/engine/run/executeStrategy.ts';
import { type Searched, SearchRounds } from '../../../src/engine/strategies/search/searchRounds.ts';
import type { Round, Strategy } from '../../../src/engine/strategies/strategy.ts';
import { TuningSearch } from '../../../src/engine/statistics/tuningSearch.ts';
import type { Block } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';

interface Played {
  said: string[];
  elapsedMs: number;
}

/** Carries a strategy out without a process: each block takes `blockMs`. */
async function play<Trial extends { key: string }, Seen>(
  strategy: Strategy<Trial, Seen>,
  see: (trial: Trial, round: Round<Trial>) => Seen | null,
  { blockMs = 1000, failing = Number.POSITIVE_INFINITY } = {},
): Promise<Played> {
  const played: Played = { said: [], elapsedMs: 5000 };
  const run = {
    progress: {
      get elapsedMs() {
        return played.elapsedMs;
      },
      setRemaining: (): void => undefined,
      setOpen: (): void => undefined,
    },
    beforeRound: () => Promise.resolve(void played.said.push('data')),
    assertWorthwhile: () => {
      if (played.elapsedMs >= failing) throw new Error('no space left');
    },
  };
  await executeStrategy(strategy, run, {
    measure: (trial, round) => {
      played.elapsedMs += blockMs;
      played.said.push(`${round.round} ${trial.key}`);
      return Promise.resolve(see(trial, round));
    },
    done: ({ round }) => void played.said.push(`${round} done`),
  });
  return played;
}

/** Two rounds of two trials, as long as there is time. */
class TwoRounds implements Strategy<{ key: string }, number> {
  readonly seen: (number | null)[] = [];
  #round = 0;

  next(spentMs: number): Round<{ key: string }> | null {
    this.#round += 1;
    const round = this.#round;
    const what = { code: 'planned', round, of: 2, more: false } as const;
    return round > 2 || spentMs > 3500 ? null : { round, what, trials: [{ key: 'a' }, { key: 'b' }] };
  }

  observe(_trial: { key: string }, _round: number, seen: number | null): void {
    this.seen.push(seen);
  }

  remainingMs(): number {
    return 0;
  }
}

describe('what a strategy asks for', () => {
  it('is measured round by round, each with fresh data, and what was seen goes back to it', async () => {
    const strategy = new TwoRounds();
    const { said } = await play(strategy, ({ key }) => (key === 'b' ? null : 7));
    expect(said).toEqual(['data', '1 a', '1 b', '1 done', 'data', '2 a', '2 b', '2 done']);
    expect(strategy.seen).toEqual([7, null, 7, null]);
  });

  it('is told the time that was spent since its first round, not since the run began', async () => {
    const { said } = await play(new TwoRounds(), () => 1, { blockMs: 2000 });
    expect(said).toEqual(['data', '1 a', '1 b', '1 done']);
  });

  it('ends in the middle of a round when the run could not be stored any more', async () => {
    const strategy = new TwoRounds();
    await expect(play(strategy, () => 1, { failing: 6000 })).rejects.toThrow('no space left');
    expect(strategy.seen).toEqual([1]);
  });
});

describe('the rounds of a search', () => {
  const searched = (label: string, knee: number): Searched<{ key: string; pool: number }> & { knee: number } => {
    const candidates = [2, 4, 8].map((pool) => ({ key: `${label} ${pool}`, values: { pool }, cost: pool }));
    return {
      label,
      knee,
      resource: null,
      blockMs: 1000,
      search: new TuningSearch(candidates, { delta: 0.05, seed: 1 }),
      trial: (key) => ({ key, pool: Number(key.split(' ')[1]) }),
    };
  };
  const [plain] = exampleTrial().blocks;
  if (plain === undefined) throw new Error('no block');

  it('take turns among the targets until each is decided', async () => {
    const targets = [searched('node', 4), searched('java', 8)];
    const rounds = new SearchRounds(targets, { searchMs: 600_000, allMs: 700_000 });
    const stages: RoundKind[] = [];
    const seen = ({ key, pool }: { key: string; pool: number }, { round, what }: Round<{ key: string; pool: number }>): Block => {
      stages.push(what);
      const { knee } = targets.find(({ label }) => key.startsWith(label)) ?? { knee: 1 };
      return { ...plain, round, throughput: 1000 * Math.min(pool, knee) * (1 + 0.002 * Math.sin(7 * round + pool)) };
    };
    const { said } = await play(rounds, seen);
    expect(stages[0]).toEqual({ code: 'search', target: 'node', round: 1, values: null, count: 3, best: false });
    expect(said.filter((line) => line.endsWith('done')).slice(0, 4)).toEqual(['1 done', '1 done', '2 done', '2 done']);
    expect(targets.map(({ search }) => search.finding().knee?.confirmed.values)).toEqual([{ pool: 4 }, { pool: 8 }]);
    expect(targets.every(({ search }) => search.finding().decided)).toBe(true);
  });

  it('end where the time does', async () => {
    const rounds = new SearchRounds([searched('node', 8)], { searchMs: 7000, allMs: 10_000 });
    const { said } = await play(rounds, (_trial, { round }) => ({ ...plain, round }));
    expect(said.filter((line) => line.endsWith('done'))).toHaveLength(2);
    expect(rounds.remainingMs(4000)).toBe(6000);
  });
});
