import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../../src/calltree/callTreeBuilder.ts';
import { codeTiers } from '../../../../src/model/domain/callTree.ts';
import { packTree } from '../../../../src/model/domain/packedTree.ts';
import { categories } from '../../../../webview/flame/core/colours.ts';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import { sortByKey } from '../../../../webview/flame/core/views/boxSort.ts';
import { boxesByPath, engineWith, expectWellFormed, namesOf, observations, pathOf, recordingOf, weighed, wholeView } from './recordings.ts';

describe('a layout by weight', () => {
  it('has a box for every stack, merged over lines, with what it weighs itself and together', () => {
    fc.assert(
      fc.property(observations, (list) => {
        const tree = recordingOf(list);
        const layout = engineWith(tree).layout(wholeView);
        expectWellFormed(layout);
        expect(boxesByPath(layout, tree.functions.name)).toEqual(
          weighed(list.map((one) => ({ names: namesOf(one), weight: one.weightNs }))),
        );
      }),
    );
  });

  it('shows the heaviest callee first', () => {
    fc.assert(
      fc.property(observations, (list) => {
        const { levelStart, parent, w, boxCount } = engineWith(recordingOf(list)).layout(wholeView);
        for (let box = 1; box + 1 < boxCount; box += 1) {
          if (levelStart.includes(box + 1) || parent[box] !== parent[box + 1]) continue;
          expect(w[box]).toBeGreaterThanOrEqual(w[box + 1] as number);
        }
      }),
    );
  });

  it('keeps a line where one is merged and tells role and tier of the heaviest', () => {
    const builder = new CallTreeBuilder([{ name: 'wall', unit: 'ns' }]);
    const [f, g] = [builder.func('f', 'f.ts', 1, 'app'), builder.func('g', 'g.ts', 1, 'app')];
    const light = builder.stack([{ func: f, line: 3 }, { func: g, line: 7 }]); // prettier-ignore
    const heavy = builder.stack([{ func: f, line: 4 }, { func: g, line: 7 }]); // prettier-ignore
    builder.add(light, 0, 1);
    builder.add(heavy, 0, 2);
    const tree = builder.build();
    tree.tier = Uint8Array.from(tree.func, (func, node) =>
      func === f ? codeTiers.indexOf(tree.line[node] === 4 ? 'optimised' : 'interpreted') : 0,
    );
    tree.role = Uint8Array.from(tree.func, (func, node) => (func === f && tree.line[node] === 4 ? 2 : 0));
    const layout = engineWith(tree).layout(wholeView);
    expect(Array.from(layout.line)).toEqual([0, 0, 7]);
    expect(Array.from(layout.node)).toEqual([0, 1, 2]);
    expect(layout.tier?.[1]).toBe(codeTiers.indexOf('optimised'));
    expect(Array.from(layout.category.subarray(1), (category) => categories[category])).toEqual(['poolWait', 'poolWait']);
  });

  it('leaves idle stacks out and says how much that is', () => {
    fc.assert(
      fc.property(observations, (list) => {
        const tree = recordingOf(list);
        const layout = engineWith(tree).layout({ ...wholeView, showIdle: false });
        const busy = list.filter(({ role }) => role !== 'idle');
        const idleNs = list.reduce((sum, { role, weightNs }) => sum + (role === 'idle' ? weightNs : 0), 0);
        expectWellFormed(layout);
        expect(layout.hiddenIdle).toBe(idleNs);
        expect(boxesByPath(layout, tree.functions.name)).toEqual(
          weighed(busy.map((one) => ({ names: namesOf(one), weight: one.weightNs }))),
        );
      }),
    );
  });

  it('weighs the chosen threads, states and times only, and with the rest of them it is everything', () => {
    fc.assert(
      fc.property(observations, fc.subarray([0, 1, 2]), fc.nat(40), (list, chosen, at) => {
        const tree = recordingOf(list);
        const engine = engineWith(tree);
        const others = [0, 1, 2].filter((one) => !chosen.includes(one));
        const total = engine.layout(wholeView).total;
        const parts = [
          [{ threads: chosen }, { threads: others }],
          [{ states: chosen }, { states: others }],
          [{ timeRange: [0, at * 1000] as const }, { timeRange: [at * 1000, 1e9] as const }],
        ];
        for (const part of parts) {
          expect(part.reduce((sum, filter) => sum + engine.layout({ ...wholeView, ...filter }).total, 0)).toBe(total);
        }
        const both = engine.layout({ ...wholeView, threads: chosen, states: others });
        const kept = list.filter(({ thread, state }) => chosen.includes(thread) && others.includes(state));
        expect(boxesByPath(both, tree.functions.name)).toEqual(weighed(kept.map((one) => ({ names: namesOf(one), weight: one.weightNs }))));
      }),
    );
  });

  it('of the wide nodes alone has the same boxes as of all nodes', () => {
    fc.assert(
      fc.property(observations, fc.integer({ min: 1, max: 500_000 }), (list, narrowNs) => {
        // Siblings that differ by their line are wide or narrow one by one, so that here there are none.
        const tree = recordingOf(list.map((one) => ({ ...one, frames: one.frames.map(({ func }) => ({ func, line: 0 })) })));
        const whole = engineWith(tree).layout(wholeView);
        const total = Float64Array.from(tree.events[0]?.self ?? []);
        for (let node = tree.nodeCount - 1; node > 0; node -= 1)
          total[tree.parent[node] as number] = (total[tree.parent[node] as number] as number) + (total[node] as number);
        const kept = Array.from(tree.func.keys()).filter((node) => node === 0 || (total[node] as number) >= narrowNs);
        const pick = (column: Int32Array): Int32Array => Int32Array.from(kept, (node) => column[node] as number);
        const rest = new Float64Array(kept.length);
        for (let node = 1; node < tree.nodeCount; node += 1) {
          const above = kept.indexOf(tree.parent[node] as number);
          if (above >= 0 && !kept.includes(node)) rest[above] = (rest[above] as number) + (total[node] as number);
        }
        const self = Float64Array.from(kept, (node) => tree.events[0]?.self[node] as number);
        const engine = new FlameEngine();
        const { samples: _, ...plain } = tree;
        const names = engine.openSkeleton(
          'a',
          packTree({
            ...plain,
            samples: null,
            nodeCount: kept.length,
            depth: pick(tree.depth),
            func: pick(tree.func),
            line: pick(tree.line),
            role: new Uint8Array(kept.length),
            events: [{ name: 'wall', unit: 'ns', self, rest }],
          }),
        );
        const skeleton = engine.layout(wholeView);
        expectWellFormed(skeleton);
        expect(skeleton.total).toBe(whole.total);
        const all = boxesByPath(whole, tree.functions.name);
        const wide = boxesByPath(skeleton, names.name);
        expect(wide.size).toBe(
          [...all.values()].filter(({ total }) => total >= narrowNs).length + ((all.get('')?.total ?? 0) < narrowNs ? 1 : 0),
        );
        for (const [path, sums] of wide) expect(sums).toEqual(all.get(path));
      }),
    );
  });

  it.each([1, 23, 24, 25, 1000])('sorts %i items, equal ones in the order in which they came from the end', (count) => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: count, maxLength: count }), (values) => {
        const items = Int32Array.from(values.keys());
        sortByKey(items, Float64Array.from(values), 0, count);
        const sorted = Array.from(values.keys()).sort((a, b) => (values[a] as number) - (values[b] as number) || b - a);
        expect(Array.from(items)).toEqual(sorted);
      }),
      { numRuns: 20 },
    );
  });
});

describe('what cannot be shown', () => {
  const observed = { frames: [{ func: 0, line: 0 }], role: 'none' as const, thread: 0, state: 0, weightNs: 1 };
  const tree = recordingOf([observed]);

  it('is said: an event that is not there, samples that have not come, no recording', () => {
    const engine = new FlameEngine();
    expect(() => engine.layout(wholeView)).toThrow('No recording is open.');
    engine.openTree('a', packTree(tree));
    expect(() => engine.layout({ ...wholeView, event: '__proto__' })).toThrow('holds nothing of the event “__proto__”');
    expect(() => engine.layout({ ...wholeView, threads: [0] })).toThrow('samples of this recording are not loaded');
    expect(() => engine.layout({ ...wholeView, diff: { normalise: 'share', width: 'a' } })).toThrow('no recording to compare with');
    expect(engine.layout(wholeView).total).toBe(1);
  });

  it('is an empty picture where nothing is left', () => {
    const layout = engineWith(tree).layout({ ...wholeView, event: 'alloc', transforms: [{ kind: 'dropFunction', func: 0 }] });
    expect([layout.boxCount, layout.total, Array.from(layout.levelStart)]).toEqual([1, 0, [0, 1]]);
    expect(pathOf([])).toBe('');
  });
});
