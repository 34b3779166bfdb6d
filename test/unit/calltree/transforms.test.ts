import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/engine/calltree/callTreeBuilder.ts';
import { chooseEvent, functionTable, functionTotals, nodeTotals } from '../../../src/engine/calltree/totals.ts';
import { foldRecursion, invertTree, mergeTrees, splitTree } from '../../../src/engine/calltree/transforms.ts';
import type { CallTree } from '../../../src/model/callTree.ts';
import { eventHeads, hostileNames, stacks, totalsOf, treeOf } from './trees.ts';

const list = stacks(fc.constantFrom(...hostileNames.slice(0, 6)), 2);
const sum = (a: number[], b: number[]): number[] => a.map((value, index) => value + (b[index] ?? 0));

/** Self and total per function by walking every stack on its own: slow and plain. */
function directly(tree: CallTree, event: number): { self: number[]; total: number[] } {
  const self = tree.functions.name.map(() => 0);
  const total = tree.functions.name.map(() => 0);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const weight = tree.events[event]?.self[node] ?? 0;
    const func = tree.func[node] ?? 0;
    self[func] = (self[func] ?? 0) + weight;
    const onStack = new Set<number>();
    for (let at = node; at > 0; at = tree.parent[at] ?? 0) onStack.add(tree.func[at] ?? 0);
    for (const each of onStack) total[each] = (total[each] ?? 0) + weight;
  }
  return { self, total };
}

describe('a call tree', () => {
  it('has its nodes in depth-first order, each with the range of its subtree', () => {
    fc.assert(
      fc.property(list, (given) => {
        const tree = treeOf(given, eventHeads);
        for (let node = 1; node < tree.nodeCount; node += 1) {
          const parent = tree.parent[node] ?? -1;
          expect(parent).toBeLessThan(node);
          expect(tree.subtreeEnd[node]).toBeLessThanOrEqual(tree.subtreeEnd[parent] ?? 0);
          expect(node).toBeLessThan(tree.subtreeEnd[parent] ?? 0);
          expect(tree.depth[node]).toBe((tree.depth[parent] ?? 0) + 1);
        }
        expect(tree.subtreeEnd[0]).toBe(tree.nodeCount);
      }),
    );
  });

  it('counts a function that calls itself once per stack', () => {
    fc.assert(
      fc.property(list, (given) => {
        const tree = treeOf(given, eventHeads);
        for (const [index, event] of tree.events.entries()) {
          const { self, total } = functionTotals(tree, event);
          expect({ self: Array.from(self), total: Array.from(total) }).toEqual(directly(tree, index));
          expect(nodeTotals(tree, event)[0]).toBe(totalsOf(tree)[index]);
        }
      }),
    );
  });

  it('knows functions by names that every object has', () => {
    const tree = treeOf(
      hostileNames.map((name) => ({ frames: [{ name, file: '', declared: 0, line: 0 }], weights: [1, 0] })),
      eventHeads,
    );
    expect(tree.functions.name).toEqual(hostileNames);
    expect(functionTable(tree, chooseEvent(tree, 'cpu')).map((row) => row.self)).toEqual(hostileNames.map(() => 1));
  });

  it.each([
    ['nodes', 'a;b;c', { nodes: 3 }],
    ['depth', 'a;b;c', { depth: 2 }],
    ['functions', 'a;b;c', { functions: 2 }],
    ['the length of names', 'a;b;cccc', { nameLength: 3 }],
  ])('is bounded in %s', (_name, stack, limit) => {
    const limits = { nodes: 100, depth: 100, functions: 100, nameLength: 100, samples: 100, threads: 10, events: 10, ...limit };
    const build = (): unknown => {
      const builder = new CallTreeBuilder(eventHeads, limits);
      return builder.stack(stack.split(';').map((name) => ({ func: builder.func(name, '', 0, 'app'), line: 0 })));
    };
    expect(build).toThrow(/^This recording is too large: it has [^.]+\.$/);
  });

  it('refuses weights that are none', () => {
    const builder = new CallTreeBuilder(eventHeads);
    for (const weight of [-1, NaN, Infinity, 1e300]) expect(() => builder.add(0, 0, weight)).toThrow(/weighs/);
  });

  it('names its events when one is asked for that it does not have', () => {
    const tree = treeOf([{ frames: [], weights: [1, 1] }], eventHeads);
    expect(() => chooseEvent(tree, 'wall')).toThrow('The recording has no event “wall”.');
  });
});

describe('the weight of a recording is kept', () => {
  it('by a merge', () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const [left, right] = [treeOf(a, eventHeads), treeOf(b, eventHeads)];
        expect(totalsOf(mergeTrees(left, right))).toEqual(sum(totalsOf(left), totalsOf(right)));
      }),
    );
  });

  it('by a filter: what is kept and what is dropped are all', () => {
    fc.assert(
      fc.property(list, fc.nat(5), (given, chosen) => {
        const tree = treeOf(given, eventHeads);
        const { kept, dropped } = splitTree(tree, { func: (func) => func === chosen });
        expect(sum(totalsOf(kept), totalsOf(dropped))).toEqual(totalsOf(tree));
        expect(totalsOf(kept)).toEqual(tree.events.map((_, event) => directly(tree, event).total[chosen] ?? 0));
      }),
    );
  });

  it('by a filter of threads, which keeps the samples of the chosen ones', () => {
    const builder = new CallTreeBuilder(eventHeads);
    const node = builder.stack([{ func: builder.func('f', '', 0, 'app'), line: 0 }]);
    const [main, other] = [builder.thread('main'), builder.thread('__proto__')];
    builder.sample(1, node, main, 0, 5);
    builder.sample(2, node, other, 0, 7);
    builder.add(node, 0, 11);
    const { kept, dropped } = splitTree(builder.build(), { thread: (thread) => thread === other });
    expect([totalsOf(kept), totalsOf(dropped)]).toEqual([
      [7, 0],
      [16, 0],
    ]);
    expect(Array.from(kept.samples?.timeUs ?? [])).toEqual([2]);
  });

  it('upside down, where each function below the root has what it had itself', () => {
    fc.assert(
      fc.property(list, (given) => {
        const tree = treeOf(given, eventHeads);
        const inverted = invertTree(tree);
        expect(totalsOf(inverted)).toEqual(totalsOf(tree));
        const event = chooseEvent(inverted, 'cpu');
        const totals = nodeTotals(inverted, event);
        const top = new Map<string, number>();
        const key = ({ functions }: CallTree, func: number): string =>
          `${functions.name[func]}|${functions.file[func]}|${functions.line[func]}`;
        for (let node = 1; node < inverted.nodeCount; node = inverted.subtreeEnd[node] ?? Infinity) {
          const name = key(inverted, inverted.func[node] ?? 0);
          top.set(name, (top.get(name) ?? 0) + (totals[node] ?? 0));
        }
        for (const [func, self] of directly(tree, 0).self.entries()) expect(top.get(key(tree, func)) ?? 0).toBe(self);
      }),
    );
  });

  it('with recursion folded, after which no function is twice on a stack', () => {
    fc.assert(
      fc.property(list, (given) => {
        const folded = foldRecursion(treeOf(given, eventHeads));
        expect(totalsOf(folded)).toEqual(totalsOf(treeOf(given, eventHeads)));
        for (let node = 1; node < folded.nodeCount; node += 1) {
          for (let at = folded.parent[node] ?? 0; at > 0; at = folded.parent[at] ?? 0) expect(folded.func[at]).not.toBe(folded.func[node]);
        }
      }),
    );
  });
});
