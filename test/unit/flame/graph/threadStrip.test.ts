import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categories } from '../../../../webview/flame/core/colours.ts';
import type { ThreadStrip } from '../../../../webview/flame/core/layout.ts';
import { paintCells, rangeOf, visibleRows, wordsOfCell, timeTicks } from '../../../../webview/flame/graph/threadStripView.ts';

const app = categories.indexOf('app');
const pool = categories.indexOf('poolWait');
const strip: ThreadStrip = {
  threads: Int32Array.of(4, 9),
  buckets: 4,
  fromUs: 0,
  toUs: 4_000_000,
  category: Uint8Array.of(app, pool, 255, pool, 255, 255, 255, app),
  state: Uint8Array.of(0, 1, 0, 1, 0, 0, 0, 0),
  weight: Float64Array.of(1, 5, 0, 2, 0, 0, 0, 3),
};

describe('the thread strip', () => {
  it('paints the heaviest category of the buckets that share a pixel, and nothing where nothing was sampled', () => {
    const colours = new Uint32Array(categories.length).map((_, category) => category + 100);
    const texels = new Uint32Array(4);
    paintCells(strip, 0, 2, 2, colours, 1, texels);
    expect([...texels]).toEqual([pool + 100, pool + 100, 1, app + 100]);
  });

  it('selects whole buckets, whichever end comes first', () => {
    expect(rangeOf(strip, 1, 2)).toEqual({ fromUs: 1_000_000, toUs: 3_000_000 });
    expect(rangeOf(strip, 2, 1)).toEqual(rangeOf(strip, 1, 2));
  });

  it('makes only the rows on show and a few around them, of a thousand threads', () => {
    expect(visibleRows(1000, 0, 540)).toEqual([0, 34]);
    const [first, end] = visibleRows(1000, 9000, 540);
    expect(first).toBeLessThanOrEqual(500);
    expect(end).toBeGreaterThanOrEqual(530);
    expect(end - first).toBeLessThan(45);
  });

  it('says what a thread did, by its name and state', () => {
    const words = wordsOfCell(strip, { threads: ['', '', '', '', 'qtp-4'], states: ['', 'PARKED'] }, 0, 1, (value) => `${value} ns`);
    expect(words.name).toBe('qtp-4');
    expect(words.rows.map(({ values }) => values[0])).toEqual(['1.00 s to 2.00 s', 'waiting for the pool', 'PARKED', '5 ns']);
    expect(wordsOfCell(strip, { threads: [], states: [] }, 1, 0, String).rows[1]).toEqual({ label: 'mostly', values: ['nothing sampled'] });
  });
});

describe('the time axis', () => {
  it('has ticks at round times in one unit', () => {
    expect(timeTicks(0, 10_000_000, 6).map(({ text }) => text)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s', '10 s']);
    expect(timeTicks(1_000, 3_000, 4).map(({ text }) => text)).toEqual(['1.0 ms', '1.5 ms', '2.0 ms', '2.5 ms', '3.0 ms']);
  });

  it('never has more ticks than fit, nor one outside', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 20 }),
        (from, span, most) => {
          const ticks = timeTicks(from, from + span, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const { atUs } of ticks) expect(atUs >= from - span * 1e-6 && atUs <= from + span * (1 + 1e-6)).toBe(true);
        },
      ),
    );
  });
});
