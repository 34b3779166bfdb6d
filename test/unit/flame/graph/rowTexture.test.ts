import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layout } from '../../../../webview/flame/core/layout.ts';
import { type Rgb, packed } from '../../../../webview/flame/graph/colourMath.ts';
import { type RowColours, paintRow, rowColours, WideBoxes } from '../../../../webview/flame/graph/rowTexture.ts';
import { largeLayout, layoutOf, randomFrom } from './layouts.ts';

const black: Rgb = [0, 0, 0];
const colours: readonly Rgb[] = [
  [200, 0, 0],
  [0, 200, 0],
  [0, 0, 200],
];
const lookup = new Uint32Array(256).fill(packed([90, 90, 90]));
colours.forEach((colour, code) => {
  lookup[code] = packed(colour);
  lookup[code + 128] = packed([20, 20, 20]);
});
const untouched = 7;

function painted(
  widths: readonly number[],
  codes: readonly number[],
  from: number,
  to: number,
  width: number,
): { row: number[]; wide: WideBoxes } {
  const { layout } = layoutOf(widths.map((self, index) => ({ name: `f${index}`, self })));
  const texels = new Uint32Array(width + 2).fill(untouched);
  const wide = new WideBoxes();
  paintRow(layout, 1, from, to, rowColours(Uint8Array.from([0, ...codes]), lookup, packed(black), 128), texels, 1, width, wide, 4, 3);
  expect([texels[0], texels[width + 1]]).toEqual([untouched, untouched]);
  return { row: [...texels.subarray(1, width + 1)], wide };
}

/** Two levels of boxes of very different widths, some without any, with gaps between. */
function unevenLayout(seed: number, count: number): Layout {
  const random = randomFrom(seed);
  const { layout } = layoutOf([{ name: 'a', self: 1 }]);
  const x = [0];
  const w = [0];
  const levelStart = [0, 1];
  let total = 0;
  for (const boxes of [count, Math.ceil(count / 3)]) {
    let left = 0;
    for (let box = 0; box < boxes; box++) {
      const kind = random();
      const width = kind < 0.05 ? 0 : kind < 0.1 ? random() * 1e3 : random() * (kind < 0.5 ? 1e-3 : 1);
      x.push(left);
      w.push(width);
      left += width + (random() < 0.1 ? random() * 2 : 0);
    }
    levelStart.push(x.length);
    total = Math.max(total, left);
  }
  w[0] = total;
  return {
    ...layout,
    boxCount: x.length,
    x: Float64Array.from(x),
    w: Float64Array.from(w),
    levelStart: Uint32Array.from(levelStart),
    total,
  };
}

/** The rules of painting, box by box. */
function plainRow(
  { x, w, levelStart }: Layout,
  level: number,
  from: number,
  to: number,
  { codes, lookup: fills, mixing, background }: RowColours,
  width: number,
): { row: Uint32Array; boxesOfFullest: number } {
  const row = new Uint32Array(width).fill(background);
  const perTexel = (to - from) / width;
  const scale = width / (to - from);
  const end = levelStart[level + 1]!;
  let box = levelStart[level]!;
  while (box < end && x[box]! + w[box]! <= from) box++;
  let boxesOfFullest = 0;
  for (let cursor = 0; box < end && cursor < width && (x[box]! - from) * scale < width;) {
    const left = Math.max(0, (x[box]! - from) * scale);
    if (w[box]! >= 1.25 * perTexel) {
      const right = (x[box]! - from + w[box]!) * scale;
      const first = Math.max(cursor, Math.round(left));
      cursor = Math.min(width, Math.max(first + 1, Math.round(right)));
      row.fill(fills[codes[box]!]!, first, cursor);
      if (cursor - first >= 3 && right < width + 0.5) row[cursor - 1] = background;
      box++;
      continue;
    }
    const texel = Math.max(cursor, Math.floor(left));
    const sums = [0, 0, 0, 0];
    let covered = 0;
    let boxes = 0;
    do {
      covered += w[box]!;
      for (let index = 0; index < 4; index++) sums[index]! += w[box]! * mixing[codes[box]! * 4 + index]!;
      boxes++;
      box++;
    } while (box < end && x[box]! < from + (texel + 1) * perTexel && w[box]! < 1.25 * perTexel);
    if (sums[3]! === 0) continue;
    boxesOfFullest = Math.max(boxesOfFullest, boxes);
    const cover = Math.min(1, Math.max(0.4, covered * scale));
    const under = channels(background);
    const mixed = under.map((value, index) => (sums[index]! / sums[3]!) * cover + value * (1 - cover)) as [number, number, number];
    row[texel] = packed(mixed);
    cursor = texel + 1;
  }
  return { row, boxesOfFullest };
}

function channels(texel: number): [red: number, green: number, blue: number] {
  return [texel & 255, (texel >>> 8) & 255, (texel >>> 16) & 255];
}

const [red, green] = colours.map(packed) as [number, number];
const none = packed(black);

describe('a row of texels', () => {
  it('gives each wide box its pixels, the last of them as a gap', () => {
    expect(painted([4, 6], [0, 1], 0, 10, 10).row).toEqual([red, red, red, none, green, green, green, green, green, none]);
  });

  it('cuts boxes at the edges of the view, without a gap where the box goes on', () => {
    const { row, wide } = painted([40, 60], [0, 1], 35, 45, 10);
    expect(row).toEqual([red, red, red, red, none, green, green, green, green, green]);
    expect(wide.count).toBe(2);
    expect([wide.box[0], wide.left[0], wide.right[0], wide.row[0]]).toEqual([1, 0, 5, 4]);
  });

  it('averages boxes that share a pixel by their weight', () => {
    const { row, wide } = painted([0.75, 0.25], [0, 1], 0, 1, 1);
    expect(row).toEqual([packed([150, 50, 0])]);
    expect(wide.count).toBe(0);
  });

  it('shows a lone narrow box faintly, but does not lose it', () => {
    const { row } = painted([0.01, 9.99], [2, 0], 0, 100, 100);
    const [first] = row;
    expect(((first ?? 0) >>> 16) & 255).toBeGreaterThanOrEqual(60);
    expect((first ?? 0) & 255).toBe(0);
  });

  it('does not lose a narrow match among faded boxes', () => {
    const found = painted([0.1, 0.9], [0, 129], 0, 1, 1).row[0]!;
    expect(found & 255).toBeGreaterThan(90);
  });

  it('paints as many pixels of each colour as its boxes are wide, at any zoom', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 20, max: 60 }),
        (widths, scale) => {
          const total = widths.reduce((sum, width) => sum + width, 0);
          const width = total * scale;
          const codes = widths.map((_, index) => index % 3);
          const { row, wide } = painted(widths, codes, 0, total, width);
          for (const code of [0, 1, 2]) {
            const owned = widths.filter((_, index) => index % 3 === code);
            const expected = owned.reduce((sum, own) => sum + own * scale - 1, 0);
            expect(row.filter((texel) => texel === lookup[code])).toHaveLength(expected);
          }
          expect(wide.count).toBe(widths.length);
        },
      ),
    );
  });

  it('averages many thousand boxes of a pixel to what a sum over all of them gives', () => {
    const count = 20_000;
    const codes = Array.from({ length: count }, (_, index) => Number(index % 3 === 0));
    const texel = painted(new Array<number>(count).fill(1), codes, 0, count, 1).row[0]!;
    expect(Math.abs((texel & 255) - 200 * (2 / 3))).toBeLessThanOrEqual(1);
    expect(Math.abs(((texel >>> 8) & 255) - 200 / 3)).toBeLessThanOrEqual(1);
    expect((texel >>> 16) & 255).toBe(0);
  });

  it('paints any row, dense or sparse, at any zoom, as a look at every box does', () => {
    let shared = 0;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 4000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -9, max: 0, noNaN: true }),
        fc.integer({ min: 1, max: 300 }),
        (seed, count, at, zoom, width) => {
          const layout = unevenLayout(seed, count);
          const random = randomFrom(seed + 1);
          const codes = Uint8Array.from({ length: layout.boxCount }, () => Math.floor(random() * 3) + (random() < 0.5 ? 128 : 0));
          const mixing = rowColours(codes, lookup, none, 128);
          const span = layout.total * 10 ** zoom;
          const from = at * (layout.total - span);
          for (const level of [1, 2]) {
            const texels = new Uint32Array(width);
            paintRow(layout, level, from, from + span, mixing, texels, 0, width, null, 0, 3);
            const { row, boxesOfFullest } = plainRow(layout, level, from, from + span, mixing, width);
            const apart = [...texels].map((texel, index) => {
              const expected = channels(row[index]!);
              return Math.max(...channels(texel).map((value, channel) => Math.abs(value - expected[channel]!)));
            });
            expect(Math.max(...apart)).toBeLessThanOrEqual(1);
            if (boxesOfFullest > 20) shared++;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(shared).toBeGreaterThan(50);
  });

  it('takes other colours of the same layout at once', () => {
    const { layout } = layoutOf(Array.from({ length: 500 }, (_, index) => ({ name: `f${index}`, self: 1 })));
    const texel = new Uint32Array(1);
    for (const code of [0, 1, 2]) {
      paintRow(layout, 1, 0, 500, rowColours(new Uint8Array(501).fill(code), lookup, none, 128), texel, 0, 1, null, 0, 3);
      expect(texel[0]).toBe(lookup[code]);
    }
  });

  it('takes hardly longer for a million boxes of a row than for twenty thousand', () => {
    const least = (count: number): number => {
      const layout = unevenLayout(5, count);
      const mixing = rowColours(new Uint8Array(layout.boxCount), lookup, none, 128);
      const texels = new Uint32Array(1600);
      const times = Array.from({ length: 40 }, () => {
        const begun = performance.now();
        paintRow(layout, 1, 0, layout.total, mixing, texels, 0, 1600, null, 0, 3);
        return performance.now() - begun;
      });
      return Math.min(...times);
    };
    least(20_000);
    expect(least(1_000_000)).toBeLessThan(8 * least(20_000));
  });

  it('is the same picture for a part of a large layout as for the whole, where both show single boxes', () => {
    const { layout } = largeLayout(50_000, 100);
    const mixing = rowColours(layout.category, lookup, none, 128);
    const span = 1e12 / 4096;
    const coarse = new Uint32Array(400);
    const fine = new Uint32Array(800);
    paintRow(layout, 40, 3e11, 3e11 + span, mixing, coarse, 0, 400, null, 0, 3);
    paintRow(layout, 40, 3e11, 3e11 + span, mixing, fine, 0, 800, null, 0, 3);
    const same = coarse.filter((texel, index) => texel === fine[index * 2] || texel === fine[index * 2 + 1]).length;
    expect(same).toBeGreaterThan(380);
  });
});
