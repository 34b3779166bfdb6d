import { describe, expect, it } from 'vitest';
import type { CallTree, EventColumn, FrameKind } from '../../../src/model/domain/callTree.ts';
import type { ChangedFunction } from '../../../src/model/domain/versionDiff.ts';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import type { DiffSide } from '../../../src/calltree/diffTrees.ts';
import { eventTotal } from '../../../src/calltree/totals.ts';
import { type RecordedSides, changedFunctions, diffBoxes, eventDiff } from '../../../src/engine/versions/changedFunctions.ts';
import { strongest } from '../../../src/engine/versions/culprit.ts';
import { inMeasuredCpu } from '../../../src/engine/versions/measuredCpu.ts';
import { type CodeChange, functionPlaces } from '../../../src/engine/versions/touchedFunctions.ts';
import { culpritOf } from '../../../src/model/presentation/diffWords.ts';
import { withPlacesInNames } from '../../../src/engine/versions/unnamedFunctions.ts';

const source = `function handler() {
  loadItems();
}
function loadItems() {
  for (const id of ids) item(id);
}
function item(id) {
  return query(id);
}`;

/** The loop of \`loadItems\` is new. */
const code: CodeChange = {
  files: [{ path: 'src/orders.js', basePath: 'src/orders.js', hunks: [{ baseStart: 5, headStart: 5, gone: ['x'], added: ['y'] }] }],
  relative: (file) => (file.startsWith('/shop/') ? file.slice('/shop/'.length) : null),
  sourceOf: () => null,
  linesOf: (path) => (path === 'src/orders.js' ? source.split('\n') : null),
};

type Stack = [weight: number, ...names: string[]];
const lines: Readonly<Record<string, number>> = { handler: 1, loadItems: 4, item: 7 };

/** Each stack as so many samples of a millisecond. */
function recorded(stacks: readonly Stack[]): CallTree {
  const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
  for (const [weight, ...names] of stacks) {
    const frames = names.map((name) => {
      const own = lines[name];
      return {
        func: own === undefined ? builder.func(name, '', 0, 'native') : builder.func(name, '/shop/src/orders.js', own, 'app'),
        line: 0,
      };
    });
    const node = frames.reduce((at, { func }) => builder.child(at, func, 0), 0);
    for (let sample = 0; sample < weight; sample += 1) builder.sample(sample, node, -1, 0, 1e6);
  }
  return builder.build();
}

function sidesOf(base: readonly Stack[], head: readonly Stack[]): RecordedSides {
  const side = (stacks: readonly Stack[], which: 'base' | 'head') => ({
    tree: withPlacesInNames(recorded(stacks), which, code),
    requests: 100,
    title: which,
  });
  const now = side(head, 'head');
  return { base: side(base, 'base'), head: now, places: functionPlaces(now.tree, code) };
}

function changesOf(base: readonly Stack[], head: readonly Stack[]) {
  const sides = sidesOf(base, head);
  const diff = eventDiff(sides, 'cpu');
  return diff === null ? null : { rows: changedFunctions(diff, sides.places), boxes: diffBoxes(diff, sides.places) };
}

describe('the function that answers for a change', () => {
  const base: Stack[] = [
    [400, 'handler', 'loadItems', 'query'],
    [600, 'handler', 'write'],
  ];

  it('is the innermost one that the change touched, whatever it calls takes the time', () => {
    const found = changesOf(base, [
      [400, 'handler', 'loadItems', 'query'],
      [300, 'handler', 'loadItems', 'item', 'query'],
      [600, 'handler', 'write'],
    ]);
    expect(found?.rows).toEqual([
      {
        name: 'loadItems',
        file: 'src/orders.js',
        line: 5,
        touched: true,
        event: 'cpu',
        unit: 'ns',
        base: 4e6,
        head: 7e6,
        change: 3e6,
      },
    ]);
    expect(found?.boxes[0]).toMatchObject({ name: 'handler', depth: 0, start: 0, base: 1e7, head: 1.3e7, touched: false });
    expect(found?.boxes[1]).toMatchObject({ name: 'loadItems', depth: 1, touched: true });
  });

  it('stands after what the change touched where it touched nothing of it', () => {
    const found = changesOf(base, [
      [430, 'handler', 'loadItems', 'query'],
      [2000, 'handler', 'write'],
    ]);
    expect(found?.rows.map(({ name, touched }) => [name, touched])).toEqual([['write', false]]);
  });

  it('is believed sooner where the change touched it than where it is one of all', () => {
    // 130 of 2,130 samples more: 2.8 standard errors of what is counted on both sides.
    const rows = (...names: string[]) =>
      changesOf([[1000, ...names]], [[1130, ...names]])?.rows.map(({ name, touched }) => [name, touched]);
    expect(rows('handler', 'loadItems', 'query')).toEqual([['loadItems', true]]);
    expect(rows('handler', 'write')).toEqual([]);
  });

  it('is believed sooner the fewer the change touched', () => {
    // 100 of 2,100 samples more: 2.2 standard errors of what is counted on both sides.
    const names = ['handler', 'loadItems', 'query', 'write'];
    const sides = sidesOf(
      names.map((name): Stack => [1000, name]),
      names.map((name): Stack => [name === 'query' ? 1100 : 1000, name]),
    );
    const named = (touched: readonly string[]) => {
      const { name: all } = sides.head.tree.functions;
      const places = sides.places.map((place, func) => ({ ...place, touched: touched.includes(all[func] ?? '') }));
      const diff = eventDiff(sides, 'cpu');
      return diff === null ? null : changedFunctions(diff, places).map(({ name }) => name);
    };
    expect(named(['query'])).toEqual(['query']);
    expect(named(names)).toEqual([]);
  });

  it('is one that is nearly all of the CPU once that was measured to differ, however few samples there are', () => {
    // 10 % more of 270 samples a side: 1.2 standard errors of what is counted on both.
    const sides = sidesOf(
      [
        [270, 'handler', 'loadItems', 'query'],
        [10, 'handler', 'write'],
      ],
      [
        [298, 'handler', 'loadItems', 'query'],
        [10, 'handler', 'write'],
      ],
    );
    const named = (cpuError: number | null) => {
      const diff = eventDiff({ ...sides, cpuError }, 'cpu');
      return diff === null ? null : changedFunctions(diff, sides.places).map(({ name }) => name);
    };
    expect(named(null)).toEqual([]);
    expect(named(0.02)).toEqual(['loadItems']);
    expect(named(0.05)).toEqual([]);
  });

  it('is what the app called to wait, where it waits', () => {
    const wait: [string, FrameKind][] = [
      ['Shop.handle', 'app'],
      ['com.zaxxer.hikari.HikariDataSource.getConnection', 'dependency'],
      ['com.zaxxer.hikari.util.ConcurrentBag.borrow', 'dependency'],
      ['java.util.concurrent.SynchronousQueue.poll', 'runtime'],
      ['__futex_abstimed_wait_common', 'native'],
    ];
    const side = (weight: number): DiffSide => {
      const builder = new CallTreeBuilder([{ name: 'wall', unit: 'ns' }]);
      const node = wait.reduce(
        (at, [name, kind]) => builder.child(at, builder.func(name, kind === 'native' ? '' : 'X.java', 0, kind), 0),
        0,
      );
      for (let sample = 0; sample < weight; sample += 1) builder.sample(sample, node, -1, 0, 1e6);
      return { tree: builder.build(), requests: 100, title: '' };
    };
    const diff = eventDiff({ base: side(500), head: side(1500), places: [] }, 'wall');
    expect(diff === null ? null : changedFunctions(diff, []).map(({ name }) => name)).toEqual([
      'com.zaxxer.hikari.HikariDataSource.getConnection',
    ]);
  });

  it('is nobody where the difference may be chance, or is none', () => {
    expect(changesOf(base, base)?.rows).toEqual([]);
    expect(
      changesOf(base, [
        [430, 'handler', 'loadItems', 'query'],
        [590, 'handler', 'write'],
      ])?.rows,
    ).toEqual([]);
  });

  it('is not asked for where only one version was recorded under requests', () => {
    const sides = sidesOf(base, base);
    expect(eventDiff({ ...sides, base: { ...sides.base, requests: null } }, 'cpu')).toBeNull();
    expect(eventDiff(sides, 'wall')).toBeNull();
  });
});

it('what is recorded of CPU adds up to what the system counted: a sampler by the clock of the wall holds for running what waits for a core', () => {
  const [once, slowed] = [
    recorded([
      [300, 'loadItems'],
      [100, 'item'],
    ]),
    recorded([
      [900, 'loadItems'],
      [300, 'item'],
    ]),
  ];
  // 100 requests of 4 ms of CPU each.
  for (const tree of [once, slowed]) {
    const { events, samples } = inMeasuredCpu(tree, 100, 4000);
    expect(eventTotal(events[0] as EventColumn)).toBeCloseTo(400e6, -2);
    expect(samples?.weight.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(400e6, -2);
  }
  expect(inMeasuredCpu(slowed, 100, null)).toBe(slowed);
});

it('has no part of the compilers of a JVM in the CPU time that was measured when they were done: while it is recorded they are at work on one side', () => {
  const recordedJvm = (compiled: number): CallTree => {
    const builder = new CallTreeBuilder([{ name: 'cpu', unit: 'ns' }]);
    const [item, compiler] = [builder.func('item', '', 0, 'app'), builder.func('CompileBroker::compiler_thread_loop', '', 0, 'native')];
    const threads = [builder.thread('qtp-31'), builder.thread('C2 CompilerThread0')] as const;
    for (let at = 0; at < 600; at += 1) builder.sample(at, builder.child(0, item, 0), threads[0], 0, 1e6);
    for (let at = 0; at < compiled; at += 1) builder.sample(at, builder.child(0, compiler, 0), threads[1], 0, 1e6);
    return builder.build();
  };
  for (const compiled of [0, 60]) {
    const { events, functions, func } = inMeasuredCpu(recordedJvm(compiled), 100, 4000);
    const node = func.indexOf(functions.name.indexOf('item'));
    expect(events[0]?.self[node]).toBeCloseTo(400e6, -2);
  }
});

describe('a function that changed in several ways', () => {
  const itemsOf = (event: string, change: number): ChangedFunction => ({
    name: 'Shop.itemsOf',
    file: 'Shop.java',
    line: 47,
    touched: true,
    event,
    unit: event === 'alloc' ? 'bytes' : 'ns',
    change,
    base: 1e6,
    head: 1e6 + change,
  });
  const told = (...found: ChangedFunction[]) =>
    strongest(found, { pictured: 'cpu', connections: 16, cpuChangeNs: 2e5, cpu: [], latencyChangeNs: 25e6 }).map(({ event }) => event);

  it('is told by its CPU, which its waits follow', () => {
    expect(told(itemsOf('cpu', 2e5), itemsOf('wall', 3e6), itemsOf('alloc', 1e8))).toEqual(['cpu']);
  });

  it('is told by its wait where that is more than all requests together compute', () => {
    expect(told(itemsOf('cpu', 2e5), itemsOf('wall', 20e6), itemsOf('poolWait', 50e6))).toEqual(['poolWait']);
  });

  it('is told by its CPU where no request took as much longer as it waited: others took the CPU while it was recorded', () => {
    const found = [itemsOf('cpu', 2e5), itemsOf('wall', 20e6)];
    const distinctive = { pictured: 'cpu', connections: 16, cpuChangeNs: 2e5, cpu: [] };
    expect(strongest(found, { ...distinctive, latencyChangeNs: 4e6 }).map(({ event }) => event)).toEqual(['cpu']);
    expect(strongest(found, { ...distinctive, latencyChangeNs: null }).map(({ event }) => event)).toEqual(['wall']);
  });

  it('is told by its wait where it computes less, and waits longer by more than all requests together compute less', () => {
    expect(told(itemsOf('cpu', -3e5), itemsOf('wall', 20e6))).toEqual(['wall']);
    expect(told(itemsOf('cpu', -3e5), itemsOf('wall', 1e5))).toEqual(['cpu']);
  });

  it('is told by its CPU where it waits less by what may follow from that of others', () => {
    expect(told(itemsOf('cpu', 3e5), itemsOf('poolWait', -7e5))).toEqual(['cpu']);
  });

  it('is reported by its CPU where its waits alone are beyond chance, and the CPU of a request explains them', () => {
    const facts = { pictured: 'cpu', connections: 16, cpuChangeNs: 1e5, cpu: [itemsOf('cpu', 9e4)], latencyChangeNs: 7e5 };
    const reported = (...found: ChangedFunction[]) => strongest(found, facts).map(({ event }) => event);
    expect(reported(itemsOf('poolWait', 3e5))).toEqual(['cpu']);
    // No request took 5 ms longer where nothing was recorded.
    expect(reported(itemsOf('wall', 5e6))).toEqual(['cpu']);
    expect(reported(itemsOf('poolWait', -3e5))).toEqual(['poolWait']);
    expect(strongest([itemsOf('poolWait', 3e6)], { ...facts, latencyChangeNs: 4e6 }).map(({ event }) => event)).toEqual(['poolWait']);
    expect(strongest([itemsOf('poolWait', 3e5)], { ...facts, cpu: [] }).map(({ event }) => event)).toEqual(['poolWait']);
  });

  it('is told by what it waited for, where that was timed', () => {
    expect(told(itemsOf('wall', 20e6), itemsOf('poolWait', 19e6))).toEqual(['poolWait']);
    expect(told(itemsOf('wall', 20e6), itemsOf('poolWait', 2e6))).toEqual(['wall']);
  });
});

describe('the function of a verdict', () => {
  const one = (change: number, base: number, head: number): ChangedFunction => ({
    name: `by ${change}`,
    file: null,
    line: null,
    touched: false,
    event: 'cpu',
    unit: 'ns',
    change,
    base,
    head,
  });

  it('is the first that went the way of the verdict, itself and with its callees', () => {
    const functions = [one(-3, 9, 6), one(2, 9, 8), one(1, 4, 5)];
    expect(culpritOf('worse', functions)?.name).toBe('by 1');
    expect(culpritOf('better', functions)?.name).toBe('by -3');
  });

  it('is none where nothing was found, or nothing can be told', () => {
    const functions = [one(1, 4, 5)];
    expect(culpritOf('same', functions)).toBeNull();
    expect(culpritOf('unknown', functions)).toBeNull();
  });
});
