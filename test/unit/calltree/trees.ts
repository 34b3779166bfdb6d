import fc from 'fast-check';
import { type EventHead, CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { classifyFrame } from '../../../src/calltree/frameKind.ts';
import type { CallTree } from '../../../src/model/domain/callTree.ts';
import { eventTotal } from '../../../src/calltree/totals.ts';

/** Names that break what is careless: markup, keys of every object, right-to-left, endings of async-profiler, very long generics. */
export const hostileNames = [
  '</script><img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  ']]>&quot;&#0;',
  'שלום עולם‮abc',
  'a b_[j]',
  'tail 12',
  '_[k]',
  'com/zaxxer/hikari/pool/HikariPool.getConnection',
  'java/lang/Object.wait',
  'JavaThread::run()',
  `Map<${'List<'.repeat(2000)}String`,
  '(idle)',
  'é\u0000\u0007',
  '\ud800',
];

/** A stack of frames by name, and its weight per event. */
export interface Stack {
  frames: { name: string; file: string; declared: number; line: number }[];
  weights: number[];
}

export const eventHeads: EventHead[] = [
  { name: 'cpu', unit: 'ns' },
  { name: 'alloc', unit: 'bytes' },
];

/** Stacks with weights that are whole and not all zero, deep and recursive ones among them. */
export function stacks(names: fc.Arbitrary<string>, events: number, plain = false): fc.Arbitrary<Stack[]> {
  const frame = fc.record({
    name: names,
    file: plain ? fc.constant('') : fc.constantFrom('', '/app/a.ts', 'node:fs', '/app/node_modules/x/i.js'),
    declared: plain ? fc.constant(0) : fc.nat(3),
    line: plain ? fc.constant(0) : fc.nat(3),
  });
  const weights = fc.array(fc.nat(1_000_000), { minLength: events, maxLength: events }).filter((list) => list.some((weight) => weight > 0));
  return fc.array(fc.record({ frames: fc.array(frame, { maxLength: 12 }), weights }), { minLength: 1, maxLength: 25 });
}

export function treeOf(list: readonly Stack[], events: readonly EventHead[]): CallTree {
  const builder = new CallTreeBuilder(events);
  for (const { frames, weights } of list) {
    const node = builder.stack(
      frames.map(({ name, file, declared, line }) => ({ func: builder.func(name, file, declared, classifyFrame(name, file)), line })),
    );
    for (const [event, weight] of weights.entries()) builder.add(node, event, weight);
  }
  return builder.build();
}

/** Every node with what is said of its function, so that two trees can be compared whatever their functions' numbers. */
export function described(tree: CallTree): unknown {
  const { name, file, line, kind } = tree.functions;
  const nodes = Array.from(tree.func, (func, node) => [
    tree.parent[node],
    tree.subtreeEnd[node],
    tree.depth[node],
    func < 0 ? null : [name[func], file[func], line[func], kind[func]],
    tree.line[node],
    tree.events.map((event) => event.self[node]),
  ]);
  return { events: tree.events.map((event) => [event.name, event.unit]), nodes };
}

export function totalsOf(tree: CallTree): number[] {
  return tree.events.map(eventTotal);
}
