import fc from 'fast-check';
import { expect } from 'vitest';
import { CallTreeBuilder } from '../../../../src/calltree/callTreeBuilder.ts';
import { type CallTree, type FrameKind, nodeRoles } from '../../../../src/model/domain/callTree.ts';
import { packSamples, packTree } from '../../../../src/model/domain/packedTree.ts';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import type { Layout } from '../../../../webview/flame/core/layout.ts';
import type { Transform } from '../../../../src/calltree/transforms.ts';
import type { ViewSpec } from '../../../../webview/flame/core/viewSpec.ts';

/** Functions of the recordings that are made here: some call themselves, some are libraries, some have names that break what is careless. */
export const functions: readonly { name: string; kind: FrameKind }[] = [
  { name: 'handle', kind: 'app' },
  { name: '__proto__', kind: 'app' },
  { name: 'constructor', kind: 'dependency' },
  { name: 'pool.acquire', kind: 'dependency' },
  { name: 'java.lang.Thread.run', kind: 'runtime' },
  { name: '</script><img src=x onerror=alert(1)>', kind: 'native' },
  { name: 'שלום‮', kind: 'app' },
];
export const roleNames = ['none', 'idle', 'poolWait'] as const;

/** One sample, or a number of them: the stack by number of {@link functions}, the line of each frame, and what its leaf waits for. */
export interface Observation {
  frames: readonly { func: number; line: number }[];
  role: (typeof roleNames)[number];
  thread: number;
  state: number;
  weightNs: number;
}

export const observation: fc.Arbitrary<Observation> = fc.record({
  frames: fc.array(fc.record({ func: fc.nat(functions.length - 1), line: fc.nat(2) }), { minLength: 1, maxLength: 9 }),
  role: fc.constantFrom(...roleNames, 'none' as const, 'none' as const),
  thread: fc.nat(2),
  state: fc.nat(2),
  weightNs: fc.integer({ min: 1, max: 1_000_000 }),
});
export const observations = fc.array(observation, { minLength: 1, maxLength: 40 });

const waitingFrame = (role: Observation['role']): string => `wait:${role}`;

/** A recording of these observations, one sample each, 1 ms apart. What waits has a leaf of its own that says so. */
export function recordingOf(list: readonly Observation[], named: (name: string) => string = (name) => name): CallTree {
  const builder = new CallTreeBuilder([
    { name: 'wall', unit: 'ns' },
    { name: 'alloc', unit: 'bytes' },
  ]);
  for (const name of ['main', '__proto__', 'worker']) builder.thread(name);
  const waiting = new Map<number, number>();
  for (const [index, { frames, role, thread, weightNs }] of list.entries()) {
    let node = 0;
    for (const { func, line } of frames) node = builder.child(node, functionIn(builder, func, named), line);
    if (role !== 'none') node = builder.child(node, builder.func(waitingFrame(role), '', 0, 'waiting'), 0);
    builder.sample(index * 1000, node, thread, 0, weightNs);
    builder.add(node, 1, weightNs % 7);
    waiting.set(index, nodeRoles.indexOf(role));
  }
  const tree = builder.build();
  const role = Uint8Array.from(tree.func, (func) =>
    Math.max(
      0,
      nodeRoles.findIndex((one) => tree.functions.name[func] === waitingFrame(one as Observation['role'])),
    ),
  );
  tree.role = role;
  tree.states = ['', 'RUNNABLE', 'PARKED'];
  if (tree.samples !== null) tree.samples.state = Uint8Array.from(list, ({ state }) => state);
  return tree;
}

function functionIn(builder: CallTreeBuilder, func: number, named: (name: string) => string): number {
  const { name, kind } = functions[func] as { name: string; kind: FrameKind };
  return builder.func(named(name), `${name.length}.ts`, 1, kind);
}

export function engineWith(tree: CallTree): FlameEngine {
  const engine = new FlameEngine();
  engine.openTree('a', packTree(tree));
  const samples = packSamples(tree.samples);
  if (samples !== null) engine.openSamples('a', samples);
  return engine;
}

export const wholeView: ViewSpec = {
  event: 'wall',
  order: 'heavy',
  threads: null,
  states: null,
  showIdle: true,
  timeRange: null,
  transforms: [],
  diff: null,
};

/** The stack of an observation by name, from the root's callee on. */
export function namesOf({ frames, role }: Observation): string[] {
  const names = frames.map(({ func }) => functions[func]?.name ?? '');
  return role === 'none' ? names : [...names, waitingFrame(role)];
}

export interface Weighed {
  self: number;
  total: number;
}

/** Weights by stack, summed stack by stack: slow and plain. */
export function weighed(stacks: readonly { names: readonly string[]; weight: number }[]): Map<string, Weighed> {
  const sums = new Map<string, Weighed>();
  const at = (path: string): Weighed => {
    const sum = sums.get(path) ?? { self: 0, total: 0 };
    sums.set(path, sum);
    return sum;
  };
  at('');
  for (const { names, weight } of stacks) {
    for (let length = 0; length <= names.length; length += 1) at(pathOf(names.slice(0, length))).total += weight;
    at(pathOf(names)).self += weight;
  }
  return sums;
}

export function pathOf(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join('');
}

/** The boxes of a layout by their stack. */
export function boxesByPath(layout: Layout, names: readonly string[]): Map<string, Weighed> {
  const paths: string[] = [];
  const boxes = new Map<string, Weighed>();
  for (let box = 0; box < layout.boxCount; box += 1) {
    const func = layout.func[box] as number;
    paths[box] = func < 0 ? '' : `${paths[layout.parent[box] as number]}/${names[func]}`;
    expect(boxes.has(paths[box] as string)).toBe(false);
    boxes.set(paths[box] as string, { self: layout.self[box] as number, total: layout.w[box] as number });
  }
  return boxes;
}

export function pathOfBox({ func, parent }: Layout, names: readonly string[], box: number): string[] {
  return box === 0 ? [] : [...pathOfBox({ func, parent } as Layout, names, parent[box] as number), names[func[box] as number] as string];
}

/** What every layout promises: levels from left to right without overlap, each box inside the one above it. */
export function expectWellFormed(layout: Layout): void {
  const { boxCount, levelStart, x, w, parent, func } = layout;
  expect([levelStart[0], levelStart[1], levelStart.at(-1), x[0], w[0], parent[0], func[0]]).toEqual([
    0,
    1,
    boxCount,
    0,
    layout.total,
    -1,
    -1,
  ]);
  const wrong: string[] = [];
  const check = (holds: boolean, box: number, what: string): void => void (holds || wrong.push(`box ${box}: ${what}`));
  const end = (box: number): number => (x[box] as number) + (w[box] as number);
  for (let level = 1; level + 1 < levelStart.length; level += 1) {
    const [from, to] = [levelStart[level] as number, levelStart[level + 1] as number];
    check(to > from, from, 'an empty level');
    for (let box = from; box < to; box += 1) {
      const above = parent[box] as number;
      check(above >= (levelStart[level - 1] as number) && above < from, box, 'stands below another level');
      check((x[box] as number) >= (x[above] as number) && end(box) <= end(above), box, 'reaches out of what it stands below');
      check((w[box] as number) > 0, box, 'has no width');
      check(box + 1 === to || end(box) <= (x[box + 1] as number), box, 'overlaps the next');
    }
  }
  expect(wrong).toEqual([]);
}

/** What a transform does to one stack, by its definition; null: the stack is left out. */
export function transformedNames(
  names: readonly string[],
  transform: Transform,
  pathOfNode: (node: number) => readonly string[],
  nameOf: (func: number) => string,
): string[] | null {
  const startsWith = (path: readonly string[]): boolean => path.every((name, index) => names[index] === name);
  switch (transform.kind) {
    case 'focusNode': {
      const path = pathOfNode(transform.node);
      return startsWith(path) ? names.slice(Math.max(0, path.length - 1)) : null;
    }
    case 'dropNode':
      return startsWith(pathOfNode(transform.node)) ? null : [...names];
    case 'focusFunction': {
      const first = names.indexOf(nameOf(transform.func));
      return first === -1 ? null : names.slice(first);
    }
    case 'hideFunction':
      return names.filter((name) => name !== nameOf(transform.func));
    case 'dropFunction':
      return names.includes(nameOf(transform.func)) ? null : [...names];
    case 'foldRecursion': {
      const folded: string[] = [];
      for (const name of names) {
        const earlier = folded.indexOf(name);
        if (earlier === -1) folded.push(name);
        else folded.length = earlier + 1;
      }
      return folded;
    }
    case 'foldLibraries': {
      const isLibrary = (name: string | undefined): boolean =>
        ['dependency', 'runtime', 'native'].includes(functions.find((one) => one.name === name)?.kind ?? '');
      return names.filter((name, index) => !(isLibrary(name) && isLibrary(names[index - 1])));
    }
  }
}
