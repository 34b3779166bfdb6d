import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SettingBlocks, blockStatistics } from '../../../src/engine/statistics/blockStatistics.ts';
import { type Knee, type KneeOptions, findKnee, kneeStatus, largestRatio, missingRounds } from '../../../src/engine/statistics/kneeRule.ts';

const wobble = [0, 0.004, -0.003, 0.002, -0.004, 0.003, -0.002];

function setting(key: string, throughput: number, rounds: number, noise = 1): SettingBlocks {
  const shift = key.length + Number(key);
  const blocks = Array.from({ length: rounds }, (_, i) => ({
    round: i + 1,
    throughput: throughput * (1 + noise * (wobble[(3 * i + shift) % wobble.length] ?? 0)),
  }));
  return { key, blocks };
}

function knee(settings: readonly SettingBlocks[], more: Partial<KneeOptions<SettingBlocks>> = {}): Knee<SettingBlocks> {
  const found = findKnee(settings, blockStatistics(settings), { delta: 0.05, ...more });
  if (found === null) throw new Error('no knee');
  return found;
}

const keys = ({ best, confirmed, plausible }: Knee<SettingBlocks>): string[] => [best.key, confirmed.key, plausible.key];
const only =
  (...named: string[]) =>
  ({ key }: SettingBlocks): boolean =>
    named.includes(key);

describe('the knee rule', () => {
  it('finds the smallest value that is proven to lose less than δ', () => {
    const found = knee([setting('2', 3000, 5), setting('4', 6000, 5), setting('8', 7900, 5), setting('16', 8000, 5)]);
    expect(keys(found)).toEqual(['16', '8', '8']);
    expect(found).toMatchObject({ proven: true, byMechanism: false, rounds: 5 });
  });

  it('never names two values that have no second block, and nothing of one value', () => {
    expect(findKnee([setting('2', 3000, 5)], blockStatistics([setting('2', 3000, 5)]), { delta: 0.05 })).toBeNull();
    const thin = [setting('2', 3000, 1), setting('4', 3000, 1)];
    expect(findKnee(thin, blockStatistics(thin), { delta: 0.05 })).toBeNull();
  });

  it('gives what is likely where nothing is proven, and says so', () => {
    const found = knee([setting('4', 7700, 3, 12), setting('8', 7900, 3, 12), setting('16', 8000, 3, 12)]);
    expect(found.proven).toBe(false);
    expect(kneeStatus(found)).toBe('plausible');
  });

  it('is less sure of a value while one that is far below it may be enough', () => {
    const larger = [setting('4', 4000, 5), setting('8', 5000, 5), setting('16', 6000, 5), setting('32', 8000, 5)];
    expect(knee([setting('2', 3000, 5), ...larger])).toMatchObject({ confirmed: { key: '32' }, plausible: { key: '32' }, chance: 1 });
    // Two rounds that a burst may have hit.
    const unsure = { key: '2', blocks: [3000, 6500].map((throughput, index) => ({ round: index + 1, throughput })) };
    const found = knee([unsure, ...larger]);
    expect(found).toMatchObject({ confirmed: { key: '32' }, plausible: { key: '2' }, proven: false });
    expect(found.chance).toBeLessThan(0.95);
  });

  describe('where a smaller value loses about δ', () => {
    // 8 loses 5 %, known to ± 2 %: on which side of δ that is, no more rounds would show.
    const border = [setting('2', 3000, 12, 6), setting('8', 7600, 12, 6), setting('32', 8000, 12, 6)];
    const far = { isFarBelow: () => true };

    it('names the larger one, which is enough, next to a cost that is known', () => {
      const found = knee(border, far);
      expect(found.chance).toBeLessThan(0.8);
      expect(found).toMatchObject({ byCost: true, proven: false, confirmed: { key: '32' }, plausible: { key: '8' } });
      expect(kneeStatus(found)).toBe('plausible');
    });

    it('stays undecided while that cost is open', () => {
      const found = knee(
        border.map(({ key, blocks }) => ({ key, blocks: blocks.slice(0, 3) })),
        far,
      );
      expect(found.byCost).toBe(false);
    });

    it('never names a larger one by a cost beyond three times δ', () => {
      const found = knee([setting('8', 6700, 12, 6), setting('32', 8000, 12, 6)], far);
      expect(found).toMatchObject({ byCost: false, proven: true, confirmed: { key: '32' } });
    });
  });

  describe('with a value that the mechanism says is enough', () => {
    // So much noise that figures alone prove nothing between 8, 16 and 32.
    const noisy = [setting('4', 4000, 5, 20), setting('8', 7900, 5, 20), setting('16', 7950, 5, 20), setting('32', 8000, 5, 20)];

    it('needs no proof against larger ones', () => {
      expect(knee(noisy).proven).toBe(false);
      const found = knee(noisy, { enough: only('8', '16', '32') });
      expect(found.confirmed.key).toBe('8');
      expect(found.plausible.key).toBe('8');
      expect(found).toMatchObject({ proven: true, byMechanism: true });
      expect(kneeStatus(found)).toBe('confirmed');
    });

    it('still needs to be proven against smaller ones: a smaller one that may be faster keeps it open', () => {
      const found = knee(noisy, { enough: only('16', '32') });
      expect(found.plausible.key).toBe('8');
      expect(kneeStatus(found)).toBe('plausible');
    });

    it('gives way to a smaller one that is likely, where two that are smaller may be enough', () => {
      const settings = [setting('4', 4000, 5, 14), setting('8', 7400, 5, 14), setting('16', 7900, 5, 14), setting('32', 8000, 5, 14)];
      const found = knee(settings, { enough: only('32') });
      expect(keys(found)).toEqual(['32', '16', '8']);
      expect(found).toMatchObject({ proven: false, byMechanism: false });
      expect(kneeStatus(found)).toBe('plausible');
    });

    it('is overruled by figures that prove a larger one better', () => {
      const clear = [setting('4', 4000, 5), setting('8', 6000, 5), setting('16', 8000, 5), setting('32', 8050, 5)];
      const found = knee(clear, { enough: only('8') });
      expect(keys(found)).toEqual(['32', '16', '16']);
      expect(found.byMechanism).toBe(false);
    });

    it('is not overruled by figures of one that is the same by the mechanism, which a burst made look better, unless they are very sure', () => {
      const spread = (throughput: number): SettingBlocks[] => [
        setting('4', 3000, 5),
        setting('8', throughput, 5, 12),
        setting('16', 8000, 5, 12),
      ];
      const ample = { enough: only('8', '16'), alike: () => true };
      expect(knee(spread(6900), { enough: only('8', '16') })).toMatchObject({ confirmed: { key: '16' } });
      expect(knee(spread(6900), ample)).toMatchObject({
        confirmed: { key: '8' },
        plausible: { key: '8' },
        byMechanism: true,
        denied: { key: '16' },
      });
      expect(knee(spread(4000), ample)).toMatchObject({ confirmed: { key: '16' } });
      expect(knee(noisy, { enough: only('8', '16', '32'), alike: () => true }).denied).toBeUndefined();
    });

    it('is not recommended when it is barred', () => {
      const found = knee(noisy, { enough: only('8', '16', '32'), barred: only('8') });
      expect(found.confirmed.key).not.toBe('8');
    });

    it('tells that smaller ones are too small, though luck made one of them the fastest of few', () => {
      const found = knee([setting('4', 4000, 5), setting('8', 8000, 5)], { enough: only('8') });
      expect(keys(found)).toEqual(['8', '8', '8']);
      expect(found.byMechanism).toBe(true);
    });
  });

  it('recommends a barred value only where all are', () => {
    const two = [setting('4', 7900, 5), setting('8', 8000, 5)];
    expect(knee(two, { barred: only('8') }).confirmed.key).toBe('4');
    expect(knee(two, { barred: () => true }).confirmed.key).toBe('8');
    const apart = [setting('4', 4000, 5), setting('8', 8000, 5)];
    expect(knee(apart, { barred: only('8') })).toMatchObject({ confirmed: { key: '4' }, best: { key: '8' }, proven: false });
  });

  it('names what is plausible no larger than what it recommends, and recommends what is right as probably as any other', () => {
    const throughput = fc.integer({ min: 500, max: 9000 });
    fc.assert(
      fc.property(
        fc.array(fc.array(throughput, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 6 }),
        fc.uniqueArray(fc.nat(5), { maxLength: 3 }),
        (all, enough) => {
          const settings = all.map((throughputs, index) => ({
            key: String(index),
            blocks: throughputs.map((value, round) => ({ round: round + 1, throughput: value })),
          }));
          const statistics = blockStatistics(settings);
          const found = knee(settings, { enough: ({ key }) => enough.includes(Number(key)) });
          const [confirmed, plausible] = [Number(found.confirmed.key), Number(found.plausible.key)];
          expect(plausible).toBeLessThanOrEqual(confirmed);
          if (found.byMechanism) expect(enough).toContain(confirmed);
          const margin = Math.log(0.95);
          // Nothing larger is proven better than what rests on the mechanism.
          for (const { key } of settings)
            if (found.byMechanism && Number(key) > confirmed)
              expect(largestRatio(found.confirmed.key, key, statistics)).toBeGreaterThanOrEqual(margin);
          // No other is right much more probably, and what is proven is right in 95 of 100 states that the figures leave possible.
          const most = Math.max(...[...found.chances.values()].map(({ right }) => right));
          if (found.byCost) expect(found.chances.get(found.confirmed)?.enough).toBeGreaterThanOrEqual(0.9);
          else expect(found.chance).toBeGreaterThanOrEqual(Math.min(0.95, most - 0.05));
          expect(found.proven).toBe(found.chance >= 0.95);
        },
      ),
    );
  });
});

describe('the status of what the knee rule found', () => {
  const found = (rounds: number, more: Partial<Knee<string>> = {}): Knee<string> => ({
    best: 'b',
    confirmed: 'a',
    plausible: 'a',
    byCost: false,
    proven: true,
    chance: 0.9,
    chances: new Map(),
    byMechanism: false,
    rounds,
    ...more,
  });

  it('is undecided below three rounds, whatever speaks for it', () => {
    for (const rounds of [0, 1, 2]) {
      expect(kneeStatus(found(rounds))).toBe('undecided');
      expect(kneeStatus(found(rounds, { byMechanism: true }))).toBe('undecided');
    }
  });

  it('is confirmed from five rounds by the figures alone, and from three with the mechanism', () => {
    expect([3, 4, 5, 6].map((rounds) => kneeStatus(found(rounds)))).toEqual(['plausible', 'plausible', 'confirmed', 'confirmed']);
    expect([3, 4, 5].map((rounds) => kneeStatus(found(rounds, { byMechanism: true })))).toEqual(['confirmed', 'confirmed', 'confirmed']);
  });

  it('is never more than plausible where it is not proven', () => {
    for (const byMechanism of [true, false]) expect(kneeStatus(found(50, { proven: false, byMechanism }))).toBe('plausible');
  });

  it('is undecided after any number of rounds while the next second may turn it over', () => {
    expect(kneeStatus(found(50, { proven: false, chance: 0.79 }))).toBe('undecided');
    expect(kneeStatus(found(50, { proven: false, plausible: 'much smaller', chance: 0.79 }))).toBe('undecided');
  });
});

describe('the rounds that are missing', () => {
  const missing = (settings: readonly SettingBlocks[], more: Partial<KneeOptions<SettingBlocks>> = {}): number | null =>
    missingRounds(knee(settings, more), settings, blockStatistics(settings), { delta: 0.05, ...more });

  it('are those to five for what is proven, and to three where the mechanism speaks for it', () => {
    const clear = (rounds: number): SettingBlocks[] => [
      setting('4', 4000, rounds),
      setting('8', 7950, rounds),
      setting('16', 8000, rounds),
    ];
    expect(missing(clear(3))).toBe(2);
    expect(missing(clear(4))).toBe(1);
    expect(missing(clear(2), { enough: only('8', '16') })).toBe(1);
  });

  it('are more where more is open, and none are foretold where nothing is open or too many would be needed', () => {
    const open = (noise: number): SettingBlocks[] => [
      setting('4', 7610, 5, noise),
      setting('8', 7990, 5, noise),
      setting('16', 8000, 5, noise),
    ];
    const of = (noise: number): [string, number | null] => [kneeStatus(knee(open(noise))), missing(open(noise))];
    expect(of(2)).toEqual(['confirmed', null]);
    expect(of(20)).toEqual(['plausible', 1]);
    expect(of(30)).toEqual(['plausible', 8]);
    expect(of(40)).toEqual(['plausible', null]);
  });
});
