import type { Layout } from '../core/layout.ts';
import { firstEndingAfter } from './boxes.ts';
import { type LevelSums, ColourSums, firstFrom, sumSize } from './colourSums.ts';

/** What rows of texels of one layout are painted with. Keep it from frame to frame: it holds what has been summed up. */
export interface RowColours {
  /** Index into the other columns for each box. */
  codes: Uint8Array;
  /** Packed colour of each code (see `packed` of `colourMath.ts`). */
  lookup: Uint32Array;
  /** Red, green and blue of each code times its emphasis, and the emphasis: how much it counts where boxes share a texel. Four numbers per code. */
  mixing: Float64Array;
  /** Packed colour where no box is. */
  background: number;
  sums: ColourSums;
}

/** A match among faded boxes counts for more in a shared texel, so that a narrow one is not lost. */
const matchEmphasis = 8;

/** Makes the columns for mixing; codes from `fadedFrom` on are faded. */
export function rowColours(codes: Uint8Array, lookup: Uint32Array, background: number, fadedFrom: number): RowColours {
  const mixing = new Float64Array(lookup.length * 4);
  lookup.forEach((colour, code) => {
    const emphasis = code < fadedFrom ? matchEmphasis : 1;
    mixing.set([(colour & 255) * emphasis, ((colour >>> 8) & 255) * emphasis, ((colour >>> 16) & 255) * emphasis, emphasis], code * 4);
  });
  return { codes, lookup, mixing, background, sums: new ColourSums(codes, mixing) };
}

/** Boxes wide enough to carry more than a colour, collected while rows are painted; reused from frame to frame. */
export class WideBoxes {
  count = 0;
  box = new Int32Array(1024);
  /** Device pixels, `right` exclusive; cut to the visible width. */
  left = new Int32Array(1024);
  right = new Int32Array(1024);
  row = new Int32Array(1024);

  clear(): void {
    this.count = 0;
  }

  add(box: number, left: number, right: number, row: number): void {
    if (this.count === this.box.length) this.#grow();
    this.box[this.count] = box;
    this.left[this.count] = left;
    this.right[this.count] = right;
    this.row[this.count] = row;
    this.count++;
  }

  /** Moves all down by so many rows and forgets those that are then outside [0, rows). */
  move(down: number, rows: number): void {
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const row = this.row[index]! + down;
      if (row < 0 || row >= rows) continue;
      this.box[kept] = this.box[index]!;
      this.left[kept] = this.left[index]!;
      this.right[kept] = this.right[index]!;
      this.row[kept] = row;
      kept++;
    }
    this.count = kept;
  }

  #grow(): void {
    for (const column of ['box', 'left', 'right', 'row'] as const) {
      const larger = new Int32Array(this[column].length * 2);
      larger.set(this[column]);
      this[column] = larger;
    }
  }
}

/** Boxes narrower than this many device pixels share a texel with their neighbours. */
const narrowPx = 1.25;
/** Boxes of at least this many device pixels get a gap on their right. */
const gapFromPx = 3;
/** Levels with more boxes than this per texel of the view are painted from running sums, texels with more than `singlesPerTexel` in any level. */
const denseFrom = 2;
const singlesPerTexel = 8;
/**
 * Where a texel is a smaller share of the total than this, boxes are always added up one by one: a difference of running sums has an error that
 * is relative to the total, and so close there are few boxes left.
 */
const leastSummedShare = 2 ** -26;
/** A texel that boxes cover only in part is mixed with the background, but never fainter than this. */
const leastCover = 0.4;

/** The running sums at both ends of a texel, which takes over the end of the one left of it. */
const ends = new Float64Array(2 * sumSize);

/**
 * Paints one level's boxes between `from` and `to` (in the layout's unit) into `width` texels at `offset`: one texel per device pixel, boxes
 * narrower than that merged to their average colour by weight; a narrow box counts where it begins. What is left of the view is skipped
 * by binary search; where boxes are many, a texel's last one is found by an index and their colour from running sums, so the cost follows the
 * pixels and not the boxes.
 */
export function paintRow(
  layout: Layout,
  level: number,
  from: number,
  to: number,
  colours: RowColours,
  texels: Uint32Array,
  offset: number,
  width: number,
  wide: WideBoxes | null,
  row: number,
  wideFromPx: number,
): void {
  const { x, w } = layout;
  const { codes, lookup, mixing, background, sums } = colours;
  const scale = width / (to - from);
  const perTexel = (to - from) / width;
  const narrow = narrowPx * perTexel;
  const end = layout.levelStart[level + 1] ?? 0;
  const mayStore = perTexel >= layout.total * leastSummedShare;
  const begin = firstEndingAfter(layout, level, from);
  let stored: LevelSums | null = null;
  if (mayStore && end - begin > denseFrom * width && (x[begin + denseFrom * width] as number) < to) stored = sums.level(layout, level);
  const dense = stored !== null;
  let summedTo = -1;
  let side = 0;
  texels.fill(background, offset, offset + width);
  let cursor = 0;
  for (let box = begin; box < end && cursor < width;) {
    const left = ((x[box] as number) - from) * scale;
    if (left >= width) return;
    const boxWidth = w[box] as number;
    if (boxWidth >= narrow) {
      // Rounded by `| 0`, so that the compiler keeps texels in integers.
      const first = Math.max(cursor, left <= 0 ? 0 : (left + 0.5) | 0);
      const right = left + boxWidth * scale;
      const last = Math.min(width, Math.max(first + 1, right >= width ? width : (right + 0.5) | 0));
      const colour = lookup[codes[box] as number] as number;
      for (let texel = offset + first; texel < offset + last; texel++) texels[texel] = colour;
      if (last - first >= gapFromPx && right < width + 0.5) texels[offset + last - 1] = background;
      if (wide !== null && last - first >= wideFromPx) wide.add(box, first, last, row);
      cursor = last;
      box++;
      continue;
    }
    // A branch, so that the next texel can be started before this one's last box is known.
    let texel = cursor;
    if (left >= cursor + 1) texel = left | 0;
    const limit = from + (texel + 1) * perTexel;
    let next = box + 1;
    if (!dense) {
      const most = Math.min(end, box + singlesPerTexel);
      while (next < most && (x[next] as number) < limit) next++;
      if (next === most && next < end && (x[next] as number) < limit) {
        if (mayStore) stored ??= sums.level(layout, level);
        else while (next < end && (x[next] as number) < limit) next++;
      }
    }
    const summing = dense || (stored !== null && next - box >= singlesPerTexel);
    if (summing && stored !== null) next = Math.max(next, firstFrom(x, stored, end, limit));
    // A wider box ends the run. It can only be the last one that begins in a texel, but where the run began left of its own.
    if (left >= cursor) {
      if (next > box + 1 && (w[next - 1] as number) >= narrow) next--;
    } else {
      const most = next;
      next = box + 1;
      while (next < most && (w[next] as number) < narrow) next++;
    }
    let red = 0;
    let green = 0;
    let blue = 0;
    let sum = 0;
    let covered = 0;
    if (summing && stored !== null) {
      if (summedTo !== box) sums.before(layout, stored, box, ends, side);
      const other = sumSize - side;
      sums.before(layout, stored, next, ends, other);
      red = (ends[other] as number) - (ends[side] as number);
      green = (ends[other + 1] as number) - (ends[side + 1] as number);
      blue = (ends[other + 2] as number) - (ends[side + 2] as number);
      sum = (ends[other + 3] as number) - (ends[side + 3] as number);
      covered = (ends[other + 4] as number) - (ends[side + 4] as number);
      summedTo = next;
      side = other;
    } else {
      for (let single = box; single < next; single++) {
        const share = w[single] as number;
        const code = (codes[single] as number) << 2;
        covered += share;
        red += share * (mixing[code] as number);
        green += share * (mixing[code + 1] as number);
        blue += share * (mixing[code + 2] as number);
        sum += share * (mixing[code + 3] as number);
      }
    }
    box = next;
    if (sum > 0) {
      // Where boxes leave a part of the texel empty, the background shows through, but a box is never lost in it.
      const cover = Math.min(1, Math.max(leastCover, covered * scale));
      const part = cover / sum;
      const empty = 1 - cover;
      texels[offset + texel] =
        0xff000000 |
        ((blue * part + empty * ((background >>> 16) & 255)) << 16) |
        ((green * part + empty * ((background >>> 8) & 255)) << 8) |
        (red * part + empty * (background & 255));
      cursor = texel + 1;
    }
  }
}
