import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeBoxes } from '../../../../webview/flame/graph/accessibleTree.ts';
import {
  boxAt,
  childRange,
  levelCount,
  levelOf,
  neighbour,
  pathTo,
  rowLevels,
  siblingRange,
  widestChild,
} from '../../../../webview/flame/graph/boxes.ts';
import { type Call, javaCalls, largeLayout, layoutOf } from './layouts.ts';

/** Calls from how deep each is; deeper than its caller allows, it is right below it. */
function callsOf(entries: readonly { depth: number; name: string; self: number }[]): Call[] {
  const roots: Call[] = [];
  const open: Call[][] = [roots];
  for (const { depth, name, self } of entries) {
    const calls: Call[] = [];
    open.length = Math.min(open.length, depth + 1);
    open.at(-1)!.push({ name, self, calls });
    open.push(calls);
  }
  return roots;
}

const someLayout = fc
  .array(fc.record({ depth: fc.nat({ max: 6 }), name: fc.constantFrom('a', 'b', 'c', '__proto__'), self: fc.nat({ max: 50 }) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((entries) => layoutOf(callsOf(entries)).layout);

describe('the rows of an overview', () => {
  /** A chain of calls of such a weight. */
  const chain = (length: number, self: number): Call =>
    Array.from({ length }).reduce<Call>((inner) => ({ name: 'f', calls: [inner] }), { name: 'leaf', self });

  it('are the levels, where these are not more', () => {
    expect(rowLevels(layoutOf([chain(3, 1)]).layout, 40)).toEqual([0, 1, 2, 3, 4]);
  });

  it('are mostly of the levels that most boxes are in, where one narrow stack is far deeper', () => {
    const { layout } = layoutOf([chain(9, 999), chain(500, 1)]);
    const levels = rowLevels(layout, 40);
    expect(levels.filter((level) => level <= 10).length).toBeGreaterThan(35);
    expect(levels.at(-1)).toBeGreaterThan(300);
  });

  it('are evenly chosen where all levels are equally wide', () => {
    expect(rowLevels(layoutOf([chain(398, 1)]).layout, 4)).toEqual([50, 150, 250, 350]);
  });

  it('go down from level to level', () => {
    fc.assert(
      fc.property(someLayout, fc.integer({ min: 1, max: 8 }), (layout, count) => {
        const levels = rowLevels(layout, count);
        expect(levels).toEqual([...levels].sort((a, b) => a - b));
        expect(levels).toHaveLength(Math.min(count, levelCount(layout)));
        expect(levels.every((level) => level >= 0 && level < levelCount(layout))).toBe(true);
      }),
    );
  });
});

describe('finding boxes', () => {
  it('finds the box at a place that a look at every box finds', () => {
    fc.assert(
      fc.property(someLayout, fc.nat({ max: 8 }), fc.double({ min: 0, max: 1, noNaN: true }), (layout, level, share) => {
        const x = share * layout.total;
        const expected = [...layout.x.keys()].filter(
          (box) => levelOf(layout, box) === level && layout.x[box]! <= x && x < layout.x[box]! + layout.w[box]!,
        );
        expect(boxAt(layout, level, x)).toBe(expected[0] ?? -1);
      }),
    );
  });

  it('finds the nearest box within reach of an empty place, and none further away', () => {
    const { layout } = layoutOf([
      { name: 'a', self: 10, calls: [{ name: 'b', self: 10 }] },
      { name: 'c', calls: [{ name: 'd', self: 10 }] },
    ]);
    const [b, d] = [3, 4];
    expect(boxAt(layout, 2, 12)).toBe(-1);
    expect(boxAt(layout, 2, 12, 3)).toBe(b);
    expect(boxAt(layout, 2, 18, 3)).toBe(d);
    expect(boxAt(layout, 9, 5, 100)).toBe(-1);
  });

  it('gives the callees that have the box as their caller, and the path back to the root', () => {
    fc.assert(
      fc.property(someLayout, (layout) => {
        for (const box of layout.x.keys()) {
          const [first, end] = childRange(layout, box);
          const expected = [...layout.parent.keys()].filter((other) => layout.parent[other] === box);
          expect(Array.from({ length: end - first }, (_, index) => first + index)).toEqual(expected);
          const path = pathTo(layout, box);
          expect(path[0]).toBe(0);
          expect(path).toHaveLength(levelOf(layout, box) + 1);
          const [sibling, siblingsEnd] = siblingRange(layout, box);
          expect(box >= sibling && box < siblingsEnd).toBe(true);
        }
      }),
    );
  });

  it('goes sideways within a level only', () => {
    const { layout } = layoutOf(javaCalls());
    expect(neighbour(layout, 0, 1)).toBe(-1);
    expect(neighbour(layout, 1, -1)).toBe(-1);
    expect(neighbour(layout, 1, 1)).toBe(2);
    expect(neighbour(layout, 3, 1)).toBe(-1);
    expect(widestChild(layout, 0)).toBe(1);
  });

  it('makes a generated layout that keeps the rules of layouts', () => {
    const { layout } = largeLayout(20_000);
    expect(layout.boxCount).toBe(20_000);
    for (let level = 1; level < levelCount(layout); level++) {
      for (let box = layout.levelStart[level]!; box < layout.levelStart[level + 1]!; box++) {
        const parent = layout.parent[box]!;
        expect(levelOf(layout, parent)).toBe(level - 1);
        expect(layout.x[box]! >= layout.x[parent]! * (1 - 1e-12)).toBe(true);
        if (box > layout.levelStart[level]!) expect(layout.x[box]! >= (layout.x[box - 1]! + layout.w[box - 1]!) * (1 - 1e-12)).toBe(true);
      }
    }
  });

  it('holds a bounded part of a huge tree for screen readers, always with the active box and its way up', () => {
    const { layout } = largeLayout(20_000);
    for (const active of [0, 1, 5_000, 19_999]) {
      const boxes = treeBoxes(layout, active);
      expect(boxes).toContain(active);
      expect(new Set(boxes).size).toBe(boxes.length);
      expect(boxes.length).toBeLessThan(80);
      if (active > 0) expect(boxes).toContain(layout.parent[active]);
    }
  });
});
