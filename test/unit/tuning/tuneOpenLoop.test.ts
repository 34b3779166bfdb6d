import { describe, expect, it } from 'vitest';
import { type PlannedWindow, OpenLoopStage } from '../../../src/engine/strategies/search/tuneOpenLoop.ts';
import { createLatencyHistogram, encodeLatencyHistogram } from '../../../src/engine/load/latencyHistogram.ts';
import type { LoadMeasurement } from '../../../src/engine/load/loadProtocol.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { TuningSearch } from '../../../src/engine/statistics/tuningSearch.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { openWindow, waitsOf } from '../../support/openWindows.ts';

/** A search that found 8 to be enough and 16 the best, at so many requests a second; or 16 to have a share of what 8 has. */
function searched(best = 8_000, waitShare: number | null = null, ofLargest = 1): TuningSearch {
  const candidates = [2, 8, 16].map((pool) => ({ key: `pool=${pool}`, values: { pool }, cost: pool }));
  const search = new TuningSearch(candidates, { delta: 0.05, seed: 1 });
  for (let round = 1; round <= 6; round += 1) {
    const jitter = 1 + 0.002 * Math.sin(5 * round);
    search.record(round, 'pool=2', 0.25 * best * jitter, 0);
    search.record(round, 'pool=8', 0.99 * best * jitter, 0, waitShare);
    search.record(round, 'pool=16', ofLargest * best, 0);
  }
  return search;
}

function result(p99Ms: number, ratePerS: number, late = 0): LoadMeasurement {
  const window = openWindow('', 1, p99Ms);
  const histogram = createLatencyHistogram();
  histogram.add(window.histogram);
  return {
    requests: 1_000,
    windowMs: 1_000,
    throughput: ratePerS,
    bytesPerSecond: 1,
    errors: noErrors,
    histogram: encodeLatencyHistogram(histogram),
    latencySums: window.sums,
    latencyReasons: [],
    generator: { cpuPercent: 20, eventLoopUtilisation: 0.2, littleRatio: null },
    open: { intended: 1_000, sent: 1_000, late, dropped: 0 },
  } as unknown as LoadMeasurement;
}

interface Shown {
  windows: PlannedWindow[];
  stage: OpenLoopStage;
}

/** Runs a stage for so many windows; `p99` gives what is seen in one, and `late` how many of its requests started late. */
function run(
  budget: number,
  p99: (window: PlannedWindow) => number,
  late: (window: PlannedWindow, index: number) => number = () => 0,
  search = searched(),
): Shown {
  const stage = new OpenLoopStage(search, 32);
  const windows: PlannedWindow[] = [];
  for (let window = stage.next(budget); window !== null; window = stage.next(budget - windows.length)) {
    windows.push(window);
    const seen = result(p99(window), stage.ratePerS, late(window, windows.length - 1));
    stage.record(window.round, window.key, { result: seen, ended: null, interference: null });
  }
  return { windows, stage };
}

const keys = ({ windows }: Shown): string[] => windows.map(({ key }) => key);

describe('the stage that compares p99 at a fixed rate', () => {
  it('takes mirrored rounds of the answer and the best', () => {
    const shown = run(8, ({ round }) => 10 + 3 * (round % 2));
    expect(keys(shown)).toEqual(['pool=8', 'pool=16', 'pool=16', 'pool=8', 'pool=8', 'pool=16', 'pool=16', 'pool=8']);
    expect(shown.windows.map(({ round }) => round)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
  });

  it('measures an answer that is the best alone, until its p99 is known', () => {
    const shown = run(
      100,
      ({ round }) => 10 + 3 * (round % 2),
      () => 0,
      searched(8_000, null, 0.8),
    );
    expect(keys(shown)).toEqual(['pool=8', 'pool=8', 'pool=8', 'pool=8']);
    expect(shown.stage.comparison()?.figures.get('pool=8')?.windows).toBe(4);
  });

  it('ends when both looks at the end of two rounds in a row are decided', () => {
    const shown = run(100, ({ key, round }) => (key === 'pool=8' ? 20 : 10) + 0.1 * (round % 3));
    expect(shown.windows).toHaveLength(12);
    expect(shown.stage.comparison()?.verdicts.get('pool=8')).toBe('worse');
  });

  it('takes a window again at once that the generator spoiled, and counts it once', () => {
    const shown = run(
      8,
      () => 10,
      (_, index) => (index === 1 ? 300 : 0),
    );
    expect(shown.windows.slice(0, 4)).toEqual([
      { key: 'pool=8', round: 1, again: false },
      { key: 'pool=16', round: 1, again: false },
      { key: 'pool=16', round: 1, again: true },
      { key: 'pool=16', round: 2, again: false },
    ]);
    expect(shown.stage.comparison()?.figures.get('pool=16')?.windowsMeasured).toBe(
      shown.windows.filter(({ key }) => key === 'pool=16').length - 1,
    );
    expect(shown.stage.counts()?.late).toBe(0);
  });

  it('goes on when a window is spoiled each time, and stops when the budget is spent', () => {
    const shown = run(
      12,
      () => 10,
      ({ key }) => (key === 'pool=8' ? 500 : 0),
    );
    expect(shown.windows).toHaveLength(12);
    expect(keys(shown).slice(0, 4)).toEqual(['pool=8', 'pool=8', 'pool=8', 'pool=16']);
    expect(shown.stage.comparison()?.figures.has('pool=8')).toBe(false);
    expect(
      run(
        8,
        () => 10,
        () => 500,
      ).stage.counts()?.late,
    ).toBe(4_000);
  });

  it('does not begin where there is no time for two rounds, or where too few requests would come', () => {
    expect(run(3, () => 10).windows).toEqual([]);
    expect(new OpenLoopStage(searched(40), 32).next(20)).toBeNull();
  });

  it('begins at a low rate where there is time for as many windows as a p99 needs, and says how many', () => {
    const needed = new OpenLoopStage(searched(40), 32).windowsNeeded;
    // 2,000 requests of two settings each, at 30 requests a second in windows of two seconds.
    expect(needed).toBe(2 * Math.ceil(2_000 / 60));
    expect(new OpenLoopStage(searched(40), 32).next(needed - 2)).toBeNull();
    const stage = new OpenLoopStage(searched(40), 32);
    const seen = new Map<string, number>();
    let left = needed;
    for (let window = stage.next(left); window !== null; window = stage.next(left)) {
      left -= 1;
      seen.set(window.key, (seen.get(window.key) ?? 0) + 1);
      const shown = openWindow('', 1, 10 + (window.round % 2), { requests: 60 });
      const one = { ...result(10, stage.ratePerS), histogram: encodeLatencyHistogram(shown.histogram), latencySums: shown.sums };
      stage.record(window.round, window.key, { result: one, ended: null, interference: null });
    }
    expect(left).toBe(0);
    expect([...seen.values()]).toEqual([needed / 2, needed / 2]);
    expect([...(stage.comparison()?.figures.keys() ?? [])].sort()).toEqual(['pool=16', 'pool=8']);
  });

  it.each([
    ['that hardly waits', 0.002, () => 0.1, ['pool=8', 'pool=8', 'pool=8', 'pool=8'], true],
    ['whose waits say nothing', 0.002, () => null, ['pool=8', 'pool=16', 'pool=16', 'pool=8'], false],
    ['that waits at that rate', 0.002, () => 4, ['pool=8', 'pool=16', 'pool=16', 'pool=8'], false],
    [
      'that waits at that rate later',
      0.002,
      (round: number) => (round < 3 ? 0.1 : 4),
      ['pool=8', 'pool=8', 'pool=8', 'pool=16', 'pool=16'],
      false,
    ],
    ['that waits at full load', 0.04, () => 0.1, ['pool=8', 'pool=16'], true],
  ])(
    'measures an answer %s alone as long as that may show that nothing larger has a lower p99',
    (_which, waitShare, waited, begun, shown) => {
      const stage = new OpenLoopStage(searched(8_000, waitShare), 32, { seesWaits: true });
      const windows: string[] = [];
      for (let window = stage.next(60); window !== null && windows.length < 60; window = stage.next(60 - windows.length)) {
        windows.push(window.key);
        const seen = result(10 + 0.1 * (window.round % 3), stage.ratePerS);
        const waitedMs = waited(window.round);
        stage.record(window.round, window.key, {
          result: seen,
          ended: null,
          interference: null,
          acquisitions: waitedMs === null ? null : waitsOf(waitedMs, seen.requests),
        });
      }
      expect(windows.slice(0, begun.length)).toEqual(begun);
      expect(windows.length > 4).toBe(begun.includes('pool=16'));
      expect(stage.comparison()?.verdicts.get('pool=8')).toBe('no worse');
      expect(stage.comparison()?.floors.has('pool=8')).toBe(shown);
    },
  );

  it.each([
    { best: 8_000, windowS: 1 },
    { best: 400, windowS: 1.7 },
    { best: 100, windowS: 2 },
  ])('has windows of $windowS s where the best has $best requests a second', ({ best, windowS }) => {
    expect(new OpenLoopStage(searched(best), 32).windowS).toBe(windowS);
    expect(new OpenLoopStage(searched(best), 32, { leastWindowS: 4 }).windowS).toBe(4);
  });

  it('looks more than once without being wrong more often than it says', { timeout: 60_000 }, () => {
    const random = new SeededRandom(7);
    const noise = (): number => Math.exp(0.15 * (random.nextFraction() + random.nextFraction() + random.nextFraction() - 1.5) * 2);
    const wrong = (ratio: number, verdict: string): number => {
      let count = 0;
      for (let trial = 0; trial < 60; trial += 1) {
        const { stage } = run(30, ({ key }) => 10 * noise() * (key === 'pool=8' ? ratio : 1));
        if (stage.comparison()?.verdicts.get('pool=8') === verdict) count += 1;
      }
      return count / 60;
    };
    expect(wrong(1, 'worse')).toBeLessThanOrEqual(0.02);
    // At the margin itself either is said by chance; beyond it hardly ever.
    expect(wrong(1.2, 'no worse')).toBeLessThanOrEqual(0.05);
  });
});
