import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../../src/calltree/callTreeBuilder.ts';
import type { CallTree } from '../../../../src/model/domain/callTree.ts';
import { categories } from '../../../../webview/flame/core/colours.ts';
import type { Layout } from '../../../../webview/flame/core/layout.ts';
import { boxesByPath, engineWith, expectWellFormed, namesOf, observations, pathOfBox, recordingOf, wholeView } from './recordings.ts';

/** Samples of a stack of one-letter functions at a time, in ms and with a weight in ms. */
function timed(samples: readonly [stack: string, atMs: number, weightMs: number, thread?: string][]): CallTree {
  const builder = new CallTreeBuilder([{ name: 'wall', unit: 'ns' }]);
  for (const [stack, atMs, weightMs, thread] of samples) {
    const node = builder.stack([...stack].map((name) => ({ func: builder.func(name, '', 0, 'app'), line: 0 })));
    builder.sample(atMs * 1000, node, builder.thread(thread ?? 'main'), 0, weightMs * 1e6);
  }
  return builder.build();
}

function boxes(layout: Layout, tree: CallTree): string[] {
  const { x, w, boxCount } = layout;
  return Array.from({ length: boxCount - 1 }, (_, index) => index + 1).map((box) => {
    const [from, to] = [(x[box] as number) / 1000, ((x[box] as number) + (w[box] as number)) / 1000];
    return `${pathOfBox(layout, tree.functions.name, box).join('')} ${from}–${to}`;
  });
}

const inTime = { ...wholeView, order: 'time' as const };

describe('the order of time', () => {
  it('has one box for each stay in a frame that nothing interrupts', () => {
    const tree = timed([['ab', 100, 1], ['abc', 101, 1], ['ab', 102, 1], ['ad', 103, 1], ['ab', 104, 1]]); // prettier-ignore
    const layout = engineWith(tree).layout(inTime);
    expectWellFormed(layout);
    expect([layout.timeOrdered, layout.total, layout.timeThread, layout.timeFromUs]).toEqual([true, 5000, 0, 0]);
    expect(boxes(layout, tree)).toEqual(['a 0–5', 'ab 0–3', 'ad 3–4', 'ab 4–5', 'abc 1–2']);
    expect(Array.from(layout.self)).toEqual([0, 0, 2000, 1000, 1000, 1000]);
  });

  it('leaves a gap where nothing was sampled, and closes those that are jitter of the sampler', () => {
    const tree = timed([['a', 0, 10], ['a', 12, 10], ['a', 100, 10]]); // prettier-ignore
    expect(boxes(engineWith(tree).layout(inTime), tree)).toEqual(['a 0–22', 'a 100–110']);
  });

  it('leaves measured durations as they are', () => {
    const tree = timed([['a', 0, 10], ['a', 12, 8], ['a', 30, 5]]); // prettier-ignore
    expect(boxes(engineWith(tree).layout(inTime), tree)).toEqual(['a 0–10', 'a 12–20', 'a 30–35']);
  });

  it('notices samples that were written when their time was over', () => {
    const tree = timed([['a', 5, 5], ['b', 6, 1], ['c', 16, 10], ['a', 18, 2]]); // prettier-ignore
    const layout = engineWith(tree).layout(inTime);
    expect(boxes(layout, tree)).toEqual(['a 0–5', 'b 5–6', 'c 6–16', 'a 16–18']);
    expect(layout.timeFromUs).toBe(-5000);
  });

  it('shows the busiest of the chosen threads and says which', () => {
    const tree = timed([['a', 0, 1, 'main'], ['b', 0, 9, '__proto__'], ['c', 9, 5, 'third']]); // prettier-ignore
    const engine = engineWith(tree);
    expect(boxes(engine.layout(inTime), tree)).toEqual(['b 0–9']);
    expect(engine.layout(inTime).timeThread).toBe(1);
    expect(engine.layout({ ...inTime, threads: [0, 2] }).timeThread).toBe(2);
    expect(engine.search('c', false).matchedWeight).toBe(5000);
  });

  it('begins and ends with the chosen span', () => {
    const tree = timed([['a', 0, 4], ['b', 4, 4], ['a', 8, 4]]); // prettier-ignore
    const layout = engineWith(tree).layout({ ...inTime, timeRange: [2000, 9000] });
    expect([layout.timeFromUs, layout.total, boxes(layout, tree)]).toEqual([2000, 7000, ['a 0–2', 'b 2–6', 'a 6–7']]);
  });

  it('leaves out what is idle or dropped, and follows what is done to the stacks', () => {
    const tree = timed([['ab', 0, 1], ['w', 1, 1], ['axb', 2, 1], ['c', 3, 1]]); // prettier-ignore
    const name = (text: string): number => tree.functions.name.indexOf(text);
    tree.role = Uint8Array.from(tree.func, (func) => (func === name('w') ? 1 : 0));
    const engine = engineWith(tree);
    expect(boxes(engine.layout({ ...inTime, showIdle: false }), tree)).toEqual(['a 0–1', 'a 2–3', 'c 3–4', 'ab 0–1', 'ax 2–3', 'axb 2–3']);
    const transforms = [{ kind: 'hideFunction' as const, func: name('x') }, { kind: 'dropFunction' as const, func: name('c') }]; // prettier-ignore
    expect(boxes(engine.layout({ ...inTime, transforms }), tree)).toEqual(['a 0–1', 'w 1–2', 'a 2–3', 'ab 0–1', 'ab 2–3']);
  });

  it('is well formed and holds the sampled time of each stack of a thread', () => {
    fc.assert(
      fc.property(observations, (list) => {
        const oneThread = list.map((one) => ({ ...one, thread: 0, weightNs: 1_000_000 }));
        const tree = recordingOf(oneThread);
        const layout = engineWith(tree).layout(inTime);
        expectWellFormed(layout);
        const total = new Map<string, number>();
        for (let box = 1; box < layout.boxCount; box += 1) {
          const path = pathOfBox(layout, tree.functions.name, box).join('\n');
          total.set(path, (total.get(path) ?? 0) + (layout.self[box] as number));
        }
        const expected = new Map<string, number>();
        for (const one of oneThread) expected.set(namesOf(one).join('\n'), (expected.get(namesOf(one).join('\n')) ?? 0) + 1000);
        for (const [path, self] of total) expect(self).toBe(expected.get(path) ?? 0);
        expect(layout.total).toBe(list.length * 1000);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the strip of threads', () => {
  it('has the heaviest category and state of each thread and span, the busiest thread first', () => {
    const tree = timed([['a', 0, 1, 'main'], ['w', 1, 3, 'main'], ['a', 2, 1, 'main'], ['a', 5, 9, 'other'], ['a', 10, 1, 'main']]); // prettier-ignore
    tree.role = Uint8Array.from(tree.func, (func) => (tree.functions.name[func] === 'w' ? 2 : 0));
    tree.states = ['', 'RUNNABLE', 'PARKED'];
    if (tree.samples !== null) tree.samples.state = Uint8Array.from([1, 2, 1, 1, 1]);
    const strip = engineWith(tree).threadStrip(wholeView, 2);
    expect([Array.from(strip.threads), strip.fromUs, strip.toUs]).toEqual([[1, 0], 0, 10_000]);
    expect(Array.from(strip.category, (category) => categories[category] ?? category)).toEqual([255, 'app', 'poolWait', 'app']);
    expect(Array.from(strip.state)).toEqual([0, 1, 2, 1]);
    expect(Array.from(strip.weight)).toEqual([0, 9e6, 5e6, 1e6]);
  });

  it('holds all weight that the view holds', () => {
    fc.assert(
      fc.property(observations, fc.integer({ min: 1, max: 50 }), fc.boolean(), (list, buckets, showIdle) => {
        const tree = recordingOf(list);
        const engine = engineWith(tree);
        const spec = { ...wholeView, showIdle, threads: [0, 2], transforms: [{ kind: 'dropFunction' as const, func: 0 }] };
        const sum = engine.threadStrip(spec, buckets).weight.reduce((all, weight) => all + weight, 0);
        expect(sum).toBe(boxesByPath(engine.layout(spec), tree.functions.name).get('')?.total);
      }),
      { numRuns: 50 },
    );
  });
});
