import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundText } from '../../../src/model/domain/progress/roundKinds.ts';
import { type TunedCandidate, TuningSearch, blocksNeeded } from '../../../src/engine/statistics/tuningSearch.ts';
import { claimRounds, confirmRounds } from '../../../src/engine/statistics/kneeRule.ts';
import { seeded } from '../strategies/noiseModel.ts';
import { emptyTally, shapes, simulateTuning, tallySearch } from './simulatedTuning.ts';

const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

function pools(...sizes: number[]): TunedCandidate[] {
  return sizes.map((pool) => ({ key: `pool=${pool}`, values: { pool }, cost: pool }));
}

/** Runs a search to its end on an app of known throughput with hardly any noise; `null` is a block that is not valid. */
function run(
  search: TuningSearch,
  throughput: (candidate: TunedCandidate, round: number) => number | null,
  options: { blocks?: number } = {},
): { rounds: string[][]; stages: string[] } {
  const rounds: string[][] = [];
  const stages: string[] = [];
  let left = options.blocks ?? 100;
  for (let next = search.nextRound(left); next !== null; next = search.nextRound(left)) {
    rounds.push(next.candidates.map(({ key }) => key));
    stages.push(roundText({ code: 'search', target: null, ...next }));
    for (const candidate of next.candidates) {
      const clean = throughput(candidate, next.round);
      const error = wobble[(next.round * 3 + candidate.cost) % wobble.length] ?? 0;
      search.record(next.round, candidate.key, clean === null ? null : clean * (1 + error));
      left -= 1;
    }
  }
  expect(left).toBeGreaterThanOrEqual(0);
  return { rounds, stages };
}

const limited = (most: number) => (candidate: TunedCandidate) => Math.min(Number(candidate.values['pool']) * 1000, most);

describe('the search for a setting', () => {
  it('measures the whole grid twice, the second time in reverse, and then only what can change the answer', () => {
    const search = new TuningSearch(pools(1, 2, 4, 8, 16, 32), { delta: 0.05, seed: 1 });
    const { rounds, stages } = run(search, limited(8000));
    expect([...(rounds[0] ?? [])].sort()).toEqual(['pool=1', 'pool=16', 'pool=2', 'pool=32', 'pool=4', 'pool=8']);
    expect(rounds[1]).toEqual([...(rounds[0] ?? [])].reverse());
    expect(rounds.slice(2).every((round) => round.length <= 4 && round.includes('pool=8') && !round.includes('pool=1'))).toBe(true);
    expect(stages[0]).toBe('Round 1: all 6 values');
    expect(stages[2]).toMatch(/^Round 3: 8.* against the best$/);
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true });
    expect(search.finding().knee?.confirmed.values).toEqual({ pool: 8 });
    // Five rounds are the least for what is called confirmed, and a second look has to agree.
    expect(rounds).toHaveLength(6);
  });

  it('goes on for the next larger value where the answer is barred', () => {
    const search = new TuningSearch(pools(1, 2, 4, 8, 16, 32), { delta: 0.05, seed: 1 });
    run(search, limited(8000));
    expect(search.nextRound(100)).toBeNull();
    search.bar(['pool=8']);
    expect(search.finding()).toMatchObject({ decided: false, knee: { confirmed: { key: 'pool=16' } } });
    expect(run(search, limited(8000)).rounds.flat()).toContain('pool=16');
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true, knee: { confirmed: { key: 'pool=16' } } });
  });

  it('shuffles by its seed, the same each time', () => {
    const order = (seed: number): string[] =>
      new TuningSearch(pools(1, 2, 4, 8, 16), { delta: 0.05, seed }).nextRound(50)?.candidates.map(({ key }) => key) ?? [];
    expect(order(3)).toEqual(order(3));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => order(seed).join())).size).toBeGreaterThan(1);
  });

  it('never asks for more blocks than there is time for, and gives nothing without time for the grid', () => {
    const search = new TuningSearch(pools(1, 2, 4, 8), { delta: 0.05, seed: 1 });
    expect(search.nextRound(3)).toBeNull();
    const { rounds } = run(search, limited(8000), { blocks: 9 });
    expect(rounds.map((round) => round.length)).toEqual([4, 4]);
    expect(search.finding()).toMatchObject({ status: 'undecided', decided: false });
    expect([blocksNeeded(4, claimRounds), blocksNeeded(4, confirmRounds)]).toEqual([12, 20]);
  });

  it('measures a lone value three times and calls nothing decided', () => {
    const search = new TuningSearch(pools(8), { delta: 0.05, seed: 1 });
    expect(run(search, limited(8000)).rounds).toHaveLength(3);
    expect(search.finding()).toMatchObject({ knee: null, status: 'undecided', decided: false });
    expect(search.finding().statistics.intervals.get('pool=8')?.ciLow).not.toBeNull();
  });

  it('gives up when no block is valid', () => {
    const search = new TuningSearch(pools(2, 4, 8), { delta: 0.05, seed: 1 });
    expect(run(search, () => null).rounds.length).toBeLessThanOrEqual(3);
    expect(search.finding()).toMatchObject({ knee: null, status: 'undecided', statistics: { noiseFloorPercent: null } });
  });

  it('tries a value again whose block was not valid, and does without it when it never is', () => {
    const search = new TuningSearch(pools(2, 4, 8, 16), { delta: 0.05, seed: 1 });
    const { rounds } = run(search, (candidate) => (candidate.cost === 4 ? null : limited(8000)(candidate)));
    expect(rounds.filter((round) => round.includes('pool=4'))).toHaveLength(3);
    expect(search.finding().knee?.confirmed.values).toEqual({ pool: 8 });
  });

  it('claims nothing, and calls nothing decided, when the noise is larger than the margin', () => {
    const search = new TuningSearch(pools(4, 8, 16), { delta: 0.05, seed: 1 });
    run(search, (_candidate, round) => 8000 * (1 + 0.2 * Math.sin(round * 5 + _candidate.cost)), { blocks: 12 });
    const finding = search.finding();
    expect(finding.statistics.noiseFloorPercent).toBeGreaterThan(5);
    expect(finding).toMatchObject({ status: 'undecided', decided: false });
    expect(finding.knee?.proven).toBe(false);
  });

  it('works on a grid of two settings: neighbours in each, smallness by the order that was given', () => {
    const { candidates } = shapes['grid'] ?? { candidates: [] };
    const search = new TuningSearch(candidates, { delta: 0.05, seed: 1 });
    const { rounds } = run(search, ({ values }) => 5000 * Math.min(Number(values['pool']) / 8, Number(values['threads']) / 16, 1), {
      blocks: 80,
    });
    expect(rounds.slice(2).every((round) => round.length <= 6)).toBe(true);
    expect(search.finding()).toMatchObject({ status: 'confirmed' });
    expect(search.finding().knee?.confirmed.values).toEqual({ pool: 8, threads: 16 });
  });
});

describe('when a search ends', () => {
  const values = pools(4, 8, 16);
  /** Plays one round; `waits` are the shares of a request's time that are spent waiting. */
  function play(
    search: TuningSearch,
    left: number,
    throughput: (candidate: TunedCandidate, round: number) => number,
    waits?: (candidate: TunedCandidate) => number,
  ): boolean {
    const round = search.nextRound(left);
    for (const candidate of round?.candidates ?? []) {
      const error = wobble[((round?.round ?? 0) * 3 + candidate.cost) % wobble.length] ?? 0;
      search.record(
        round?.round ?? 0,
        candidate.key,
        throughput(candidate, round?.round ?? 0) * (1 + error),
        0,
        waits?.(candidate) ?? null,
      );
    }
    return round !== null;
  }
  const knee = limited(8000);

  it('is not at the first look that would do: the next has to agree', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    const history: [status: string, decided: boolean][] = [];
    while (play(search, 100, knee)) history.push([search.finding().status, search.finding().decided]);
    expect(history).toEqual([
      ['undecided', false],
      ['undecided', false],
      ['plausible', false],
      ['plausible', false],
      ['confirmed', false],
      ['confirmed', true],
    ]);
  });

  it('measures once what is far behind and waits, but for the largest of these and what is to be kept', () => {
    const sizes = pools(1, 2, 4, 8, 16, 32);
    const waiting = ({ cost }: TunedCandidate): number => Math.max(0, 1 - cost / 16);
    const secondRound = (keeps?: (candidate: TunedCandidate) => boolean, waits = waiting): number[] => {
      const search = new TuningSearch(sizes, { delta: 0.05, seed: 1, ...(keeps === undefined ? {} : { keeps }) });
      play(search, 100, limited(15_000), waits);
      return (search.nextRound(100)?.candidates ?? []).map(({ cost }) => cost).sort((a, b) => a - b);
    };
    expect(secondRound()).toEqual([4, 8, 16, 32]);
    expect(secondRound(({ cost }) => cost === 1)).toEqual([1, 4, 8, 16, 32]);
    // Slow for another reason than what is tuned: one round may have been hit.
    expect(secondRound(undefined, () => 0.1)).toEqual([1, 2, 4, 8, 16, 32]);
  });

  it('finds the same value with what was measured once', () => {
    const search = new TuningSearch(pools(1, 2, 4, 8, 16, 32), { delta: 0.05, seed: 1 });
    while (play(search, 100, limited(15_000), ({ cost }) => Math.max(0, 1 - cost / 16))) expect(search.measured.length).toBe(6);
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true });
    expect(search.finding().knee?.confirmed.values).toEqual({ pool: 16 });
    expect(search.measured.map(({ attempts }) => attempts).slice(0, 2)).toEqual([1, 1]);
  });

  it('is later when the second look finds another value', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    // From the sixth round on 8 is far slower: what looked enough at the fifth look is not.
    const turning = (candidate: TunedCandidate, round: number): number => knee(candidate) * (round > 5 && candidate.cost === 8 ? 0.3 : 1);
    let rounds = 0;
    while (rounds < 6 && play(search, 100, turning)) rounds += 1;
    expect(rounds).toBe(6);
    expect(search.finding().decided).toBe(false);
    expect(search.nextRound(100)).not.toBeNull();
  });

  it('is after three rounds where the mechanism says what is enough', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    let rounds = 0;
    while (play(search, 100, knee, ({ cost }) => (cost < 8 ? 0.5 : 0))) rounds += 1;
    expect(rounds).toBe(3);
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true });
    expect(search.finding().knee).toMatchObject({ byMechanism: true, confirmed: { values: { pool: 8 } } });
  });

  it('is by the figures where they are too sure for a burst: what is waited for was not seen then', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    const better = (candidate: TunedCandidate): number => knee(candidate) * (candidate.cost === 16 ? 1.4 : 1);
    for (let rounds = 0; rounds < 8; rounds += 1) play(search, 100, better, ({ cost }) => (cost < 8 ? 0.5 : 0.001));
    expect(search.finding().knee).toMatchObject({ confirmed: { values: { pool: 16 } } });
  });

  it('is not, where somebody waits a little: there a larger one may be better after all', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    const better = (candidate: TunedCandidate): number => knee(candidate) * (candidate.cost === 16 ? 1.4 : 1);
    for (let rounds = 0; rounds < 8; rounds += 1) play(search, 100, better, ({ cost }) => (cost < 8 ? 0.5 : 0.02));
    expect(search.finding().knee).toMatchObject({ confirmed: { values: { pool: 16 } } });
    expect(search.finding().knee?.denied).toBeUndefined();
  });

  it('is not by the mechanism while a request waits for longer than δ allows', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    let rounds = 0;
    while (play(search, 100, knee, ({ cost }) => (cost < 8 ? 0.5 : 0.06))) rounds += 1;
    expect(rounds).toBe(6);
    expect(search.finding().knee?.byMechanism).toBe(false);
  });

  describe('of two values that are compared, while their figures scatter by a tenth', () => {
    const scatter = [0.11, -0.09, 0.1, -0.1, 0.08, -0.11, 0.09];
    const compared = pools(40, 48).map(({ key }) => key) as [string, string];
    const rounds = (waits: number, faster: number, sizes = [40, 48], isCompared = true): number => {
      const search = new TuningSearch(pools(...sizes), { delta: 0.05, seed: 1, compared: isCompared ? compared : undefined });
      const throughput = ({ cost }: TunedCandidate, round: number): number =>
        5000 * (cost === 48 ? faster * (1 + (scatter[round % scatter.length] ?? 0)) : 1);
      let played = 0;
      while (played < 40 && play(search, 200, throughput, () => waits)) played += 1;
      return played;
    };

    it('is once their mean is near where nobody waits at either', () => {
      expect(rounds(0.001, 1)).toBeLessThan(12);
    });

    it('is not so soon where somebody waits', () => {
      expect(rounds(0.02, 1)).toBeGreaterThan(20);
    });

    it('is not sooner where a third, smaller one is enough', () => {
      expect(rounds(0.02, 1, [10, 40, 48], false)).toBeLessThan(10);
      expect(rounds(0.02, 1, [10, 40, 48])).toBeGreaterThan(12);
    });

    it('is not while the figures deny that nothing can differ', () => {
      expect(rounds(0.001, 1.3)).toBe(40);
      expect(rounds(0.02, 1.3)).toBeLessThan(12);
    });
  });

  it('is sooner, of two values that are compared, that they are the same than that one is better', () => {
    const compared = pools(40, 48).map(({ key }) => key) as [string, string];
    const rounds = (ratio: number): number => {
      const search = new TuningSearch(pools(10, 40, 48), { delta: 0.05, seed: 1, compared });
      const throughput = ({ cost }: TunedCandidate, round: number): number => (cost === 48 ? ratio : 1) * (5000 + 20 * (round % 3));
      let played = 0;
      while (played < 40 && play(search, 200, throughput, () => 0.02)) played += 1;
      return played;
    };
    expect(rounds(1)).toBe(5);
    expect(rounds(1.2)).toBe(8);
  });

  it('is only with its budget while nothing is decided', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 90 }), fc.nat(1000), (budget, seed) => {
        const uniform = seeded(seed);
        const search = new TuningSearch(values, { delta: 0.05, seed });
        let left = budget;
        for (let round = search.nextRound(left); round !== null; round = search.nextRound(left)) {
          expect(round.candidates.length).toBeLessThanOrEqual(left);
          for (const { key } of round.candidates) search.record(round.round, key, 8000 * (0.7 + 0.6 * uniform()));
          left -= round.candidates.length;
        }
        // What is left over is less than a round, or the answer is decided.
        expect(search.finding().decided || left < 4).toBe(true);
        expect(search.finding().knee).not.toBeNull();
      }),
    );
  });

  it('goes on over discarded blocks: they cost their time and no more', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    let left = 100;
    for (let round = search.nextRound(left); round !== null; round = search.nextRound(left))
      for (const candidate of round.candidates) {
        const spoilt = candidate.cost === 8 && round.round % 3 === 0;
        const error = wobble[(round.round * 3 + candidate.cost) % wobble.length] ?? 0;
        search.record(round.round, candidate.key, spoilt ? null : knee(candidate) * (1 + error));
        left -= 1;
      }
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true });
    expect(search.finding().knee?.confirmed.values).toEqual({ pool: 8 });
  });

  it('follows rounds that somebody else planned as its own', () => {
    const search = new TuningSearch(values, { delta: 0.05, seed: 1 });
    for (let round = 1; round <= 6; round += 1) {
      search.foreignRound(values.map(({ key }) => key));
      for (const candidate of values)
        search.record(round, candidate.key, knee(candidate) * (1 + (wobble[(round * 3 + candidate.cost) % wobble.length] ?? 0)));
      search.finding();
    }
    expect(search.finding()).toMatchObject({ status: 'confirmed', decided: true });
    expect(search.nextRound(100)).toBeNull();
  });
});

describe('searches on a simulated noisy machine', () => {
  it.each(['plateau', 'gentle', 'borderline', 'late knee', 'peak and decline', 'flat', 'grid'])('are hardly ever wrong: %s', (name) => {
    const shape = shapes[name];
    if (shape === undefined) throw new Error(name);
    const uniform = seeded(5);
    const tally = emptyTally();
    const experiments = 25;
    for (let i = 0; i < experiments; i += 1) tallySearch(tally, shape, simulateTuning(shape, i, { blockS: 4, budgetS: 240 }, uniform));
    // 3 % and three times the sampling error of 25 experiments; the full simulation is in test/bench/tuning.
    expect(tally.tooSmall / experiments).toBeLessThanOrEqual(0.13);
    expect(tally.covered / tally.intervals).toBeGreaterThanOrEqual(0.9);
    expect(tally.inRange / experiments).toBeGreaterThanOrEqual(0.85);
    if (['plateau', 'peak and decline', 'flat'].includes(name)) expect(tally.exact / experiments).toBeGreaterThanOrEqual(0.75);
  });
});
