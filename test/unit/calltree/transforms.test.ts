import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { chooseEvent, functionTable, functionTotals, nodeTotals } from '../../../src/calltree/totals.ts';
import { joinTrees } from '../../../src/calltree/joinTrees.ts';
import { transformed } from '../../../src/calltree/transforms.ts';
import { type ViewTree, shapeOf, weightsOf } from '../../../src/calltree/viewTree.ts';
import { type CallTree, codeTiers } from '../../../src/model/domain/callTree.ts';
import { eventHeads, hostileNames, stacks, totalsOf, treeOf } from './trees.ts';

const list = stacks(fc.constantFrom(...hostileNames.slice(0, 6)), 2);
const sum = (a: number[], b: number[]): number[] => a.map((value, index) => value + (b[index] ?? 0));

function foldRecursion(tree: CallTree): ViewTree {
  const weights = tree.events.map(({ self }) => weightsOf(self, self, tree.parent));
  const view = { ...shapeOf(tree), line: tree.line, role: null, tier: null, first: null, place: null, weights };
  return transformed(view, { kind: 'foldRecursion' }, tree.functions, (func) => func);
}

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
    ['the length of the names of events', 'a', { nameLength: 2 }],
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
        expect(totalsOf(joinTrees(left, right))).toEqual(sum(totalsOf(left), totalsOf(right)));
      }),
    );
  });

  it('with recursion folded, after which no function is twice on a stack', () => {
    fc.assert(
      fc.property(list, (given) => {
        const folded = foldRecursion(treeOf(given, eventHeads));
        expect(folded.weights.map(({ total }) => total[0])).toEqual(totalsOf(treeOf(given, eventHeads)));
        for (let node = 1; node < folded.count; node += 1) {
          for (let at = folded.parent[node] ?? 0; at > 0; at = folded.parent[at] ?? 0) expect(folded.func[at]).not.toBe(folded.func[node]);
        }
      }),
    );
  });
});

describe('what is known beside the weights', () => {
  /** a calls b; b was sampled three times in two threads, and its lines are known. */
  function recording(event: string, name: string): CallTree {
    const builder = new CallTreeBuilder([{ name: event, unit: 'ns' }]);
    const caller = builder.stack([{ func: builder.func('a', '/a.ts', 1, 'app'), line: 0 }]);
    const node = builder.child(caller, builder.func(name, '/a.ts', 5, 'app'));
    builder.tier(caller, 'interpreted');
    builder.tier(node, 'optimised');
    builder.sample(30, node, builder.thread('two'), 0, 7, builder.state('SLEEPING'));
    builder.sample(10, node, builder.thread('one'), 0, 5, builder.state('RUNNING'));
    builder.sample(40, caller, builder.thread('one'), 0, 1);
    builder.lineTicks(node, 6, 3);
    return builder.build();
  }
  /** Everything by name: functions with their tiers, samples in the order of time, line ticks. */
  function told(tree: CallTree): unknown {
    const nameAt = (node: number): string => tree.functions.name[tree.func[node] ?? -1] ?? '';
    return {
      tiers: Array.from(tree.func, (_, node) => `${nameAt(node)} ${codeTiers[tree.tier?.[node] ?? 0] ?? ''}`),
      samples: Array.from(tree.samples?.node ?? [], (node, row) => {
        const { timeUs, thread, event, state } = tree.samples ?? { timeUs: [], thread: [], event: [] };
        const words = [timeUs[row], nameAt(node), tree.threads[thread[row] ?? -1], tree.events[event[row] ?? -1]?.name];
        return [...words, tree.states?.[state?.[row] ?? 0]].join(' ');
      }),
      ticks: Array.from(
        tree.lineTicks?.node ?? [],
        (node, row) => `${nameAt(node)}:${tree.lineTicks?.line[row]} ${tree.lineTicks?.ticks[row]}`,
      ),
    };
  }

  it('goes along into a merge of a CPU and a waits recording, in the order of time', () => {
    const merged = joinTrees(recording('cpu', 'b'), recording('poolWait', 'c'));
    expect(merged.events.map((event) => event.name)).toEqual(['cpu', 'poolWait']);
    expect(merged.events.map((event) => Array.from(event.self))).toEqual([
      [0, 1, 12, 0],
      [0, 1, 0, 12],
    ]);
    expect(told(merged)).toEqual({
      tiers: [' unknown', 'a interpreted', 'b optimised', 'c optimised'],
      samples: [
        '10 b one cpu RUNNING',
        '10 c one poolWait RUNNING',
        '30 b two cpu SLEEPING',
        '30 c two poolWait SLEEPING',
        '40 a one cpu ',
        '40 a one poolWait ',
      ],
      ticks: ['b:6 3', 'c:6 3'],
    });
  });
});

it('recursion is folded in a time that grows with the nodes, not with the depth of their stacks', () => {
  const builder = new CallTreeBuilder(eventHeads);
  const functions = Array.from({ length: 8_000 }, (_, index) => builder.func(`f${index}`, '', 0, 'app'));
  let node = 0;
  for (const func of functions) node = builder.child(node, func);
  for (let leaf = 0; leaf < 60_000; leaf += 1) builder.add(builder.child(node, builder.func(`leaf${leaf}`, '', 0, 'app')), 0, 1);
  for (let again = 0; again < 4_000; again += 1)
    builder.add(builder.child(builder.child(node, functions[again] ?? 0), functions[0] ?? 0), 0, 1);
  const tree = builder.build();
  const started = process.cpuUsage();
  const folded = foldRecursion(tree);
  const { user } = process.cpuUsage(started);
  expect(folded.weights.map(({ total }) => total[0])).toEqual(totalsOf(tree));
  expect(folded.count).toBe(1 + 8_000 + 60_000);
  // Walking up each stack would take some 500 million steps.
  expect(user / 1000).toBeLessThan(2_000);
});
