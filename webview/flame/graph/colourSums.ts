import type { Layout } from '../core/layout.ts';

/** Numbers of a sum: weight times red, green, blue and emphasis of its boxes, and their weight alone. */
export const sumSize = 5;

/** One level's boxes, summed up and indexed by place. */
export interface LevelSums {
  /** First box of the level. */
  start: number;
  /** Sums over the boxes left of every second one, {@link sumSize} numbers each. */
  sums: Float64Array;
  /** The width in equal cells: the first box that begins in a cell or right of it. One more at the end. */
  firstInCell: Uint32Array;
  cellsPerUnit: number;
}

/**
 * Running sums over a layout's boxes, level by level: what any run of neighbours weighs and mixes to is then a difference of two sums, however
 * many they are. A level's sums are made when they are first asked for; all of them take up to 28 bytes per box.
 */
export class ColourSums {
  #of: Layout | null = null;
  #levels: (LevelSums | undefined)[] = [];

  /** `codes` and `mixing` as in `RowColours`. */
  constructor(
    private readonly codes: Uint8Array,
    private readonly mixing: Float64Array,
  ) {}

  level(layout: Layout, level: number): LevelSums {
    if (this.#of !== layout) {
      this.#of = layout;
      this.#levels = [];
    }
    return (this.#levels[level] ??= this.#made(layout, level));
  }

  #made(layout: Layout, level: number): LevelSums {
    const start = layout.levelStart[level] ?? 0;
    const end = layout.levelStart[level + 1] ?? start;
    const sums = new Float64Array((((end - start) >>> 1) + 1) * sumSize);
    sumUp(layout.w, start, end, this.codes, this.mixing, sums);
    return { start, sums, ...cellsOf(layout, start, end) };
  }

  /** Writes the sum over a level's boxes left of `box` into `into` from `at` on. */
  before(layout: Layout, level: LevelSums, box: number, into: Float64Array, at: number): void {
    const { codes, mixing } = this;
    const { sums } = level;
    const { w } = layout;
    const place = box - level.start;
    const from = (place >>> 1) * sumSize;
    // Of the two boxes to a stored sum the first is added to it, as nothing where it is not left of `box`: cheaper than a branch nobody foresees.
    const odd = place & 1;
    const other = odd === 1 || box >= w.length ? box - 1 : box;
    const share = odd * (w[other] as number);
    const code = (codes[other] as number) << 2;
    into[at] = (sums[from] as number) + share * (mixing[code] as number);
    into[at + 1] = (sums[from + 1] as number) + share * (mixing[code + 1] as number);
    into[at + 2] = (sums[from + 2] as number) + share * (mixing[code + 2] as number);
    into[at + 3] = (sums[from + 3] as number) + share * (mixing[code + 3] as number);
    into[at + 4] = (sums[from + 4] as number) + share;
  }
}

/** The level's first box at or right of `limit`, `end` if there is none. */
export function firstFrom(x: Float64Array, level: LevelSums, end: number, limit: number): number {
  const { firstInCell } = level;
  const cell = Math.min((limit * level.cellsPerUnit) | 0, firstInCell.length - 2);
  let low = firstInCell[cell] as number;
  let high = firstInCell[cell + 1] as number;
  while (high - low > 8) {
    const middle = (low + high) >>> 1;
    if ((x[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  while (low < end && (x[low] as number) < limit) low++;
  return low;
}

function sumUp(w: Float64Array, start: number, end: number, codes: Uint8Array, mixing: Float64Array, sums: Float64Array): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let emphasis = 0;
  let weight = 0;
  for (let box = start, at = 0; box < end; box++) {
    const share = w[box] as number;
    const code = (codes[box] as number) << 2;
    red += share * (mixing[code] as number);
    green += share * (mixing[code + 1] as number);
    blue += share * (mixing[code + 2] as number);
    emphasis += share * (mixing[code + 3] as number);
    weight += share;
    if (((box - start) & 1) === 0) continue;
    at += sumSize;
    sums[at] = red;
    sums[at + 1] = green;
    sums[at + 2] = blue;
    sums[at + 3] = emphasis;
    sums[at + 4] = weight;
  }
}

/** About one cell per box. A box's cell and a limit's are found by the same product, so rounding cannot part them. */
function cellsOf(layout: Layout, start: number, end: number): { firstInCell: Uint32Array; cellsPerUnit: number } {
  const { x, total } = layout;
  const cells = Math.max(1, end - start);
  const cellsPerUnit = total > 0 ? cells / total : 0;
  const firstInCell = new Uint32Array(cells + 1).fill(end);
  let cell = 0;
  for (let box = start; box < end; box++) {
    const own = Math.min(((x[box] as number) * cellsPerUnit) | 0, cells - 1);
    while (cell <= own) firstInCell[cell++] = box;
  }
  return { firstInCell, cellsPerUnit };
}
