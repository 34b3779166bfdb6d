import { describe, expect, it } from 'vitest';
import { growingClasses, readClassHistogram } from '../../../src/engine/leak/classHistogram.ts';
import { heapCensus } from '../../../src/engine/calltree/heapCensus.ts';
import { readLiveTraces } from '../../../src/engine/leak/liveTraces.ts';

const histogram = (nodes: number, strings: number): string => ` num     #instances         #bytes  class name (module)
-------------------------------------------------------
   1:         ${nodes}        ${32 * nodes}  java.util.HashMap$Node (java.base@17.0.15)
   2:         ${strings}        ${24 * strings}  [B (java.base@17.0.15)
   3:           10            240  [[Ljava.lang.String; (java.base@17.0.15)
Total          ${nodes + strings + 10}     ${32 * nodes + 24 * strings + 240}
`;

describe('the histogram of a JVM', () => {
  it('has the bytes of all classes, by the names that people write', () => {
    const read = readClassHistogram(histogram(100, 50));
    expect(read?.bytes).toBe(3_200 + 1_200 + 240);
    expect([...(read?.classes.keys() ?? [])]).toEqual(['java.util.HashMap$Node', 'byte[]', 'java.lang.String[][]']);
    expect(readClassHistogram('Unknown diagnostic command')).toBeNull();
  });

  it('has a class that grows if there are enough more after every cycle', () => {
    const of = (...counts: [nodes: number, strings: number][]) =>
      counts.flatMap(([nodes, strings]) => readClassHistogram(histogram(nodes, strings)) ?? []);
    expect(growingClasses(of([100, 50], [200, 90], [310, 40]), 5)).toEqual([
      { name: 'java.util.HashMap$Node', perCycle: [100, 110], bytes: 32 * 210 },
    ]);
    expect(growingClasses(of([100, 50], [103, 50], [106, 50]), 5)).toEqual([]);
    expect(growingClasses([], 1)).toEqual([]);
  });
});

describe('the stacks of live objects', () => {
  it('are in the order of their samples, without marks of the compiler', () => {
    const text = `--- Execution profile ---
Total samples       : 3

--- 4096 bytes (80.00%), 1 sample
  [ 0] java.lang.Object[]
  [ 1] Service.grow

--- 192 bytes (20.00%), 2 samples
  [ 0] byte[]
  [ 1] Service.act_[j]
  [ 2] Service$$Lambda$6.0x00007f0188000c28.handle
`;
    expect(readLiveTraces(text, 1_000)).toEqual([
      {
        bytes: 2_000,
        frames: ['byte[]', 'Service.act', 'Service$$Lambda$6.handle'].map((name) => ({ name, file: '', line: 0 })),
      },
      { bytes: 1_000, frames: ['java.lang.Object[]', 'Service.grow'].map((name) => ({ name, file: '', line: 0 })) },
    ]);
    expect(readLiveTraces('', 1)).toEqual([]);
  });
});

describe('the census of a heap', () => {
  const kinds = ['hidden', 'array', 'string', 'object', 'code', 'closure', 'synthetic', 'native'];
  const edges = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak'];
  /** Nodes as [kind, name, id, bytes, edges as [kind, name or index, to]]. */
  type Node = [kind: string, name: string, id: number, bytes: number, to: [kind: string, name: string | number, to: number][]];

  function snapshotOf(nodes: readonly Node[]): Record<string, unknown> {
    const strings: string[] = [];
    const text = (one: string): number => (strings.includes(one) ? strings.indexOf(one) : strings.push(one) - 1);
    return {
      snapshot: {
        meta: {
          node_fields: ['type', 'name', 'id', 'self_size', 'edge_count'],
          node_types: [kinds, 'string', 'number', 'number', 'number'],
          edge_fields: ['type', 'name_or_index', 'to_node'],
          edge_types: [edges, 'string_or_number', 'node'],
        },
      },
      nodes: nodes.flatMap(([kind, name, id, bytes, to]) => [kinds.indexOf(kind), text(name), id, bytes, to.length]),
      edges: nodes.flatMap(([, , , , to]) =>
        to.flatMap(([kind, name, at]) => [edges.indexOf(kind), typeof name === 'string' ? text(name) : name, 5 * at]),
      ),
      strings,
    };
  }

  // A variable `kept` of a module is a Map; its table was made again, and holds entries of both cycles.
  const kept: Node[] = [
    ['synthetic', '(root)', 1, 0, [['property', 'module', 1]]],
    ['object', 'system / Context', 3, 64, [['context', 'kept', 2]]],
    ['object', 'Map', 5, 32, [['internal', 'table', 3]]],
    ['array', '', 205, 4_000, [4, 5, 6, 7].map((to, index): [string, number, number] => ['element', index, to])],
    ['object', 'Session', 101, 50, []],
    ['object', 'Session', 103, 50, []],
    ['object', 'Session', 201, 50, []],
    ['object', 'Session', 203, 50, []],
    ['object', 'Once', 207, 500, []],
    ['code', 'compiled', 105, 900, []],
    ['native', 'Socket', 88_888_888, 900, []],
  ];

  it('names what was born in every cycle and is still there, and the variable that it hangs on', () => {
    const { classes, holders } = heapCensus(snapshotOf(kept), [99, 199], 2);
    expect(classes).toEqual([{ name: 'Session', perCycle: [2, 2], bytes: 200 }]);
    expect(holders).toEqual([{ kind: 'Map', name: 'kept', objects: 5, bytes: 4_200 }]);
  });

  it('names nothing where nothing was born since, nor where fewer stay than were asked for', () => {
    expect(heapCensus(snapshotOf(kept), [999], 1)).toEqual({ classes: [], holders: [] });
    expect(heapCensus(snapshotOf(kept), [99, 199], 3).classes).toEqual([]);
    expect(heapCensus(snapshotOf(kept), [], 1)).toEqual({ classes: [], holders: [] });
  });

  it('refuses what is no snapshot', () => {
    expect(() => heapCensus({}, [1], 1)).toThrow(/heap snapshot/);
    const broken = { ...snapshotOf(kept), edges: [] };
    expect(() => heapCensus(broken, [1], 1)).toThrow(/fewer edges/);
  });
});
