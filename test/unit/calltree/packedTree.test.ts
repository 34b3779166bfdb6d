import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { withRoles } from '../../../src/calltree/stackRoles.ts';
import { type CallTree, codeTiers } from '../../../src/model/domain/callTree.ts';
import { packSamples, packTree, unpackSamples, unpackTree } from '../../../src/model/domain/packedTree.ts';
import { eventHeads, hostileNames, stacks, treeOf } from './trees.ts';

/** A tree with all that a tree can have: tiers, states, threads, samples and roles. */
const fullTrees = fc
  .tuple(stacks(fc.constantFrom(...hostileNames, 'java.util.concurrent.ThreadPoolExecutor.getTask'), 2), fc.infiniteStream(fc.nat(1000)))
  .map(([list, numbers]) => {
    const next = (below: number): number => (numbers.next().value ?? 0) % below;
    const builder = new CallTreeBuilder(eventHeads);
    const threads = ['main', '__proto__', 'שלום'].map((name) => builder.thread(name));
    const states = ['', 'STATE_RUNNABLE', 'STATE_SLEEPING'].map((name) => builder.state(name));
    let timeUs = 0;
    for (const { frames, weights } of list) {
      let node = 0;
      for (const { name, file, declared, line } of frames) {
        node = builder.child(node, builder.func(name, file, declared, 'app'), line);
        builder.tier(node, codeTiers[next(codeTiers.length)] ?? 'unknown');
      }
      for (const [event, weight] of weights.entries()) {
        if (next(2) === 0) builder.add(node, event, weight);
        else builder.sample((timeUs += next(50)), node, threads[next(3)] ?? -1, event, weight, states[next(3)]);
      }
    }
    return withRoles(builder.build());
  });

const withoutExtras = ({ samples: _samples, lineTicks: _ticks, ...tree }: CallTree): unknown => ({
  ...tree,
  states: tree.states ?? [],
  samples: null,
});

describe('a packed tree', () => {
  it('is unpacked as the tree it was, wherever its bytes lie', () => {
    fc.assert(
      fc.property(fullTrees, fc.nat(9), (tree, offset) => {
        const packed = packTree(tree);
        const moved = new Uint8Array(packed.length + offset + 3).subarray(offset, offset + packed.length);
        moved.set(packed);
        for (const bytes of [packed, moved]) expect(unpackTree(bytes)).toEqual(withoutExtras(tree));
      }),
    );
  });

  it('keeps what was left out of it', () => {
    const tree = treeOf([{ frames: [{ name: 'f', file: '', declared: 0, line: 0 }], weights: [3, 0] }], eventHeads);
    const rest = new Float64Array([0.5, 7]);
    const events = tree.events.map((event, index) => (index === 0 ? { ...event, rest } : event));
    expect(unpackTree(packTree({ ...tree, events })).events).toEqual(events);
  });

  it('takes little for weights of which most are zero', () => {
    const frames = Array.from({ length: 1000 }, (_, index) => ({ name: `f${index}`, file: '', declared: 0, line: 0 }));
    const deep = treeOf([{ frames, weights: [1, 0] }], eventHeads);
    const names = JSON.stringify(deep.functions.name).length;
    expect(packTree(deep).length - names).toBeLessThan(1001 * 16);
  });

  it('that is cut short or changed ends in an error or in another tree, and soon', () => {
    const packed = packTree(treeOf([{ frames: [{ name: 'f', file: 'a', declared: 1, line: 2 }], weights: [3, 4] }], eventHeads));
    for (let length = 0; length < packed.length - 8; length += 1) expect(() => unpackTree(packed.slice(0, length))).toThrow();
    fc.assert(
      fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
        const copy = packed.slice();
        copy[at] = byte;
        try {
          expect(unpackTree(copy).nodeCount).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('packed samples', () => {
  it('are unpacked as the samples they were', () => {
    fc.assert(
      fc.property(fullTrees, (tree) => {
        const packed = packSamples(tree.samples);
        expect(packed === null ? null : unpackSamples(packed)).toEqual(tree.samples);
      }),
    );
  });

  it('are none where the order of time is not known', () => {
    expect(packSamples(null)).toBeNull();
  });
});
