import { describe, expect, it } from 'vitest';
import { sidesCompared } from '../../../src/engine/sides/sidesSaid.ts';
import { comparedPair, metricsOf } from '../../../src/engine/versions/metrics.ts';
import { noteText } from '../../../src/model/presentation/runNotes.ts';
import { defaultDelta } from '../../../src/model/domain/margin.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { diffTable } from '../../../src/model/presentation/versionDiffTable.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';

/** Of a run with one setting for each. */
function trial(heap: number, p99Ms: number, carried: boolean): Trial {
  const rate = { rate: 6_000, p99Ms, ciLow: 0.97 * p99Ms, ciHigh: 1.03 * p99Ms, ratioToBest: null, blocks: 6, carried };
  return { ...exampleTrial({ settings: { heap } }), openLoop: rate };
}

describe('p99 at a fixed rate that a side could not answer', () => {
  const pair = (late: 'base' | 'head' | null): [Trial, Trial] => [trial(256, 1221, late !== 'base'), trial(512, 46.3, late !== 'head')];

  it('is no figure of two versions: it would only say how long the windows were', () => {
    const rowOf = (late: 'base' | 'head' | null): (string | null)[] => {
      const metrics = metricsOf(comparedPair(...pair(late), defaultDelta));
      const sides = { label: '', commit: null, trialKey: null };
      const { rows } = diffTable({ metrics, base: sides, head: sides });
      return rows[metrics.findIndex(({ id }) => id === 'p99')]?.cells.map(({ text }) => text).slice(0, 4) ?? [];
    };
    expect(rowOf(null)).toEqual(['p99 at 6,000 req/s (ms)', '1,221', '46.3', '−96 %']);
    expect(rowOf('base')).toEqual(['p99 at 6,000 req/s (ms)', 'too much', '46.3', '–']);
    expect(rowOf('head')).toEqual(['p99 at 6,000 req/s (ms)', '1,221', 'too much', '–']);
  });

  it('is none of two values', () => {
    const said = (late: 'base' | 'head' | null): string => {
      const run = exampleRun({ trials: pair(late), recommendations: [] });
      return sidesCompared(run)
        .map(({ note }) => noteText(note))
        .join();
    };
    expect(said(null)).toMatch(/p99 at 6,000 requests\/s 1,221 ms → 46.3 ms/);
    expect(said('base')).toMatch(/p99 at 6,000 requests\/s too much → 46.3 ms[,.]/);
    expect(said('head')).toMatch(/p99 at 6,000 requests\/s 1,221 ms → too much[,.]/);
  });
});
