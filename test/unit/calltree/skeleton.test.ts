import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skeletonOf } from '../../../src/calltree/skeleton.ts';
import { chooseEvent, eventTotal, nodeTotals } from '../../../src/calltree/totals.ts';
import { prepareProfile } from '../../../src/engine/profiles/profileParts.ts';
import type { CallTree, EventColumn } from '../../../src/model/domain/callTree.ts';
import { unpackSamples, unpackTree } from '../../../src/model/domain/packedTree.ts';
import { eventHeads, hostileNames, stacks, treeOf } from './trees.ts';

const list = stacks(fc.constantFrom(...hostileNames.slice(0, 5)), 2);

/** What weighs below each stack of functions, whatever lines were executing. */
function weightByStack(tree: CallTree, event: EventColumn): Map<string, number> {
  const totals = nodeTotals(tree, event);
  const found = new Map<string, number>();
  const path: string[] = [];
  for (let node = 0; node < tree.nodeCount; node += 1) {
    path.length = tree.depth[node] ?? 0;
    if (node > 0) path[path.length - 1] = String(tree.func[node]);
    const key = path.join('>');
    found.set(key, (found.get(key) ?? 0) + (totals[node] ?? 0));
  }
  return found;
}

describe('the skeleton of a tree', () => {
  it('has every stack of functions that is wide enough and no other, with its weight', () => {
    fc.assert(
      fc.property(list, fc.double({ min: 0, max: 0.6, noNaN: true }), (given, share) => {
        const tree = treeOf(given, eventHeads);
        for (const event of tree.events) {
          const skeleton = skeletonOf(tree, event, share);
          const kept = chooseEvent(skeleton, event.name);
          const all = weightByStack(tree, event);
          const wide = new Map([...all].filter(([stack, weight]) => stack === '' || (weight > 0 && weight >= eventTotal(event) * share)));
          expect(weightByStack(skeleton, kept)).toEqual(wide);
          expect(eventTotal(kept)).toBe(eventTotal(event));
          expect(skeleton.func.length).toBe(wide.size);
        }
      }),
    );
  });

  it('names its functions by their numbers in the tree, and only those', () => {
    const tree = treeOf(
      [
        { frames: [{ name: 'seldom', file: '/s.ts', declared: 1, line: 1 }], weights: [1, 0] },
        { frames: [{ name: 'often', file: '/o.ts', declared: 1, line: 1 }], weights: [9_999, 0] },
      ],
      eventHeads,
    );
    const skeleton = skeletonOf(tree, chooseEvent(tree, 'cpu'));
    expect(skeleton.functions.name).toEqual(['', 'often']);
    expect(Array.from(skeleton.func)).toEqual([-1, 1]);
    expect(Array.from(skeleton.events[0]?.rest ?? [])).toEqual([1, 0]);
  });
});

describe('a recording made ready to be shown', () => {
  it('shows CPU time first, else wall time, else the first that weighs anything', () => {
    const heads = (names: string[]): string => {
      const events = names.map((name) => ({ name, unit: 'ns' as const }));
      return prepareProfile(treeOf([{ frames: [], weights: names.map((name) => (name === 'nothing' ? 0 : 1)) }], events)).defaultEvent;
    };
    expect(heads(['lock', 'wall', 'cpu'])).toBe('cpu');
    expect(heads(['lock', 'wall', 'nothing'])).toBe('wall');
    expect(heads(['nothing', 'malloc'])).toBe('malloc');
    expect(heads(['nothing'])).toBe('nothing');
  });

  it('tells only events that weigh anything, and packs its parts', () => {
    const tree = treeOf([{ frames: [{ name: '(idle)', file: '', declared: 0, line: 0 }], weights: [5, 0] }], eventHeads);
    const parts = prepareProfile(tree);
    expect(parts.events).toEqual([{ name: 'cpu', unit: 'ns', total: 5, samples: null }]);
    expect(Array.from(unpackTree(parts.packedTree()).role ?? [])).toEqual([0, 1]);
    expect(unpackTree(parts.skeleton('cpu') ?? new Uint8Array()).events).toHaveLength(1);
    expect(parts.skeleton('__proto__')).toBeNull();
    expect(parts.packedSamples()).toBeNull();
    const samples = {
      timeUs: new Float64Array([1]),
      node: new Int32Array([1]),
      thread: new Int32Array([-1]),
      event: new Uint8Array(1),
      weight: new Float64Array([5]),
    };
    expect(unpackSamples(prepareProfile({ ...tree, samples }).packedSamples() ?? new Uint8Array())).toEqual(samples);
  });
});
