import { describe, expect, it } from 'vitest';
import { createLatencyHistogram, encodeLatencyHistogram } from '../../../src/engine/load/latencyHistogram.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { PairAtRate } from '../../../src/engine/strategies/rounds/pairAtRate.ts';
import { comparedPair, metricsOf } from '../../../src/engine/versions/metrics.ts';
import { defaultDelta } from '../../../src/model/domain/margin.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import type { VersionMetric } from '../../../src/model/domain/versionDiff.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const options = { throughput: 800, overheadMs: 650, budgetMs: 30_000, mostMs: 90_000 };

/** p99 of two versions of which the second takes `slower` times as long, in windows of requests that scatter: as the record of a run has it, and what is said of it. */
function measured(slower: number, seed: number): { rounds: number; order: string[]; metric: VersionMetric | undefined } {
  const random = new SeededRandom(seed);
  const pair = new PairAtRate({ key: 'base' }, { key: 'head' }, options);
  const order: string[] = [];
  for (let round = pair.next(); round !== null; round = pair.next()) {
    for (const trial of round.trials) {
      order.push(trial.key);
      const histogram = createLatencyHistogram();
      const count = Math.round((pair.ratePerS * pair.windowMs) / 1000);
      const [sums, factor] = [{ count, sumUs: 0, sumSquaresUs: 0, minUs: 1, maxUs: 0 }, trial.key === 'head' ? slower : 1];
      for (let n = 0; n < count; n += 1) {
        const us = Math.round(2000 * factor * (1 - Math.log(1 - random.nextFraction())));
        histogram.recordValue(us);
        sums.sumUs += us;
        sums.sumSquaresUs += us ** 2;
        sums.maxUs = Math.max(sums.maxUs, us);
      }
      const result = {
        open: { intended: count, sent: count, late: 0, dropped: 0 },
        throughput: pair.ratePerS,
        histogram: encodeLatencyHistogram(histogram),
        latencySums: sums,
      };
      pair.observe(trial, round.round, { result, ended: null, interference: { takenPercent: 5 } });
    }
  }
  const figures = pair.comparison()?.figures;
  const trials = ['base', 'head'].map((key) => ({
    ...exampleTrial({ target: 'node' }),
    key,
    target: key,
    openLoop: figures?.get(key) ?? null,
  }));
  const [base, head] = trials as [Trial, Trial];
  return { rounds: pair.rounds, order, metric: metricsOf(comparedPair(base, head, defaultDelta)).find(({ id }) => id === 'p99') };
}

describe('p99 of two versions at one fixed rate', () => {
  it('is measured in mirrored rounds at three quarters of what the slower one can answer, and told with an interval', () => {
    const { rounds, order, metric } = measured(2, 1);
    expect(rounds).toBeGreaterThanOrEqual(8);
    expect(order.slice(0, 6)).toEqual(['base', 'head', 'head', 'base', 'base', 'head']);
    expect(metric).toMatchObject({ name: 'p99 at 600 req/s', unit: 'ms', verdict: 'worse', counts: false });
    expect(metric?.ratio?.ciLow).toBeGreaterThan(1.5);
    expect(metric?.ratio?.ciHigh).toBeLessThan(2.7);
  });

  it('of two copies is never called different, and as wide as processes of one program differ', () => {
    const found = [2, 3, 4].map((seed) => measured(1, seed).metric);
    expect(found.map((metric) => metric?.verdict)).not.toContain('worse');
    expect(found.map((metric) => metric?.verdict)).not.toContain('better');
    for (const metric of found) expect(metric?.ratio?.ciHigh).toBeGreaterThan(1.02);
  });

  it('is left out where the time is too short for as many requests as a p99 takes', () => {
    const roundsOf = (more: Partial<typeof options>): number => new PairAtRate({ key: 'a' }, { key: 'b' }, { ...options, ...more }).rounds;
    expect(roundsOf({ budgetMs: 5000, mostMs: 5000 })).toBe(0);
    expect(roundsOf({ throughput: 20 })).toBe(0);
    // Versions that answer little have as many as a p99 takes, where that is within what the rounds have left over.
    expect(roundsOf({ throughput: 150, mostMs: 30_000 })).toBe(0);
    expect(roundsOf({ throughput: 150 })).toBe(9);
  });
});
