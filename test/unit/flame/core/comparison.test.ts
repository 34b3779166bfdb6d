import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packSamples, packTree } from '../../../../src/model/domain/packedTree.ts';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import type { FlameNames, Layout } from '../../../../webview/flame/core/layout.ts';
import type { DiffSpec } from '../../../../webview/flame/core/viewSpec.ts';
import { type Observation, boxesByPath, expectWellFormed, namesOf, observations, recordingOf, weighed, wholeView } from './recordings.ts';

function compared(
  a: readonly Observation[],
  b: readonly Observation[],
  renamed: (name: string) => string = (name) => name,
): { engine: FlameEngine; names: FlameNames } {
  const engine = new FlameEngine();
  const [treeA, treeB] = [recordingOf(a), recordingOf(b, renamed)];
  engine.openTree('a', packTree(treeA));
  engine.openSamples('a', packSamples(treeA.samples) as Uint8Array);
  const names = engine.openTree('b', packTree(treeB));
  engine.openSamples('b', packSamples(treeB.samples) as Uint8Array);
  return { engine, names };
}

const diff = (normalise: DiffSpec['normalise'], width: DiffSpec['width'] = 'union') => ({ ...wholeView, diff: { normalise, width } });
const stacksOf = (list: readonly Observation[]) => list.map((one) => ({ names: namesOf(one), weight: one.weightNs }));

/** The columns of one side by stack, of boxes where it weighs anything. */
function sideByPath(layout: Layout, names: FlameNames, side: 'A' | 'B'): Map<string, { self: number; total: number }> {
  const { diff: columns } = layout;
  if (columns === null) throw new Error('It is not a comparison.');
  const w = columns[`total${side}`];
  const sums = boxesByPath({ ...layout, w, self: columns[`self${side}`] }, names.name);
  for (const [path, { total }] of sums) if (total === 0 && path !== '') sums.delete(path);
  return sums;
}

describe('a comparison', () => {
  it('has every stack of both, with the weights of each, and is as wide as the wider', () => {
    fc.assert(
      fc.property(observations, observations, (a, b) => {
        const { engine, names } = compared(a, b);
        const layout = engine.layout(diff('raw'));
        expectWellFormed(layout);
        expect(sideByPath(layout, names, 'A')).toEqual(weighed(stacksOf(a)));
        expect(sideByPath(layout, names, 'B')).toEqual(weighed(stacksOf(b)));
        for (let box = 0; box < layout.boxCount; box += 1) {
          expect(layout.w[box]).toBeGreaterThanOrEqual(Math.max(layout.diff?.totalA[box] ?? 0, layout.diff?.totalB[box] ?? 0));
          expect((layout.node[box] as number) >= 0).toBe((layout.diff?.totalA[box] ?? 0) > 0);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is as wide as either side on request', () => {
    fc.assert(
      fc.property(observations, observations, (a, b) => {
        const { engine, names } = compared(a, b);
        expect(boxesByPath(engine.layout(diff('raw', 'a')), names.name)).toEqual(weighed(stacksOf(a)));
        expect(boxesByPath(engine.layout(diff('raw', 'b')), names.name)).toEqual(weighed(stacksOf(b)));
        for (const width of ['a', 'b', 'union'] as const) expectWellFormed(engine.layout(diff('share', width)));
      }),
      { numRuns: 50 },
    );
  });

  it('of a recording with itself shows no change', () => {
    fc.assert(
      fc.property(observations, fc.constantFrom('raw' as const, 'share' as const, 'perRequest' as const), (list, normalise) => {
        const { engine } = compared(list, list);
        engine.setRequests('a', 7);
        engine.setRequests('b', 7);
        const layout = engine.layout(diff(normalise));
        expect(layout.diff?.maxChange).toBe(0);
        expect(layout.diff?.totalA).toEqual(layout.diff?.totalB);
        const table = engine.table(diff(normalise));
        expect([table.selfB, table.totalB]).toEqual([table.self, table.total]);
      }),
      { numRuns: 50 },
    );
  });

  const once: Observation[] = [{ frames: [{ func: 0, line: 1 }], role: 'none', thread: 0, state: 0, weightNs: 600 }];
  const twice: Observation[] = [{ frames: [{ func: 0, line: 2 }], role: 'none', thread: 0, state: 0, weightNs: 500 }, { frames: [{ func: 1, line: 0 }], role: 'none', thread: 1, state: 0, weightNs: 500 }]; // prettier-ignore

  it('is per request where both are known, and by share where not', () => {
    const { engine } = compared(once, twice);
    expect(engine.layout(diff('perRequest')).diff?.unit).toBe('share');
    engine.setRequests('a', 2);
    expect(engine.layout(diff('perRequest')).diff?.unit).toBe('share');
    engine.setRequests('b', 10);
    const perRequest = engine.layout(diff('perRequest')).diff;
    expect([perRequest?.unit, perRequest?.totalA[0], perRequest?.totalB[0], perRequest?.maxChange]).toEqual(['ns/request', 300, 100, 250]);
    const byShare = engine.layout(diff('share')).diff;
    expect([byShare?.totalA[0], byShare?.totalB[0], byShare?.maxChange]).toEqual([1, 1, 0.5]);
    expect(engine.layout({ ...diff('perRequest'), timeRange: [0, 1e9] }).diff?.unit).toBe('share');
  });

  it('names the functions of both, those of the recording on show by their own numbers', () => {
    const { engine, names } = compared(once, twice, (name) => (name === '__proto__' ? 'appeared' : name));
    expect(names.name).toEqual(['handle', 'appeared']);
    expect([Array.from(names.inA ?? []), Array.from(names.inB ?? [])]).toEqual([[0, -1], [0, 1]]); // prettier-ignore
    const table = engine.table(diff('raw'));
    const row = Array.from(table.func).indexOf(1);
    expect([table.self[row], table.selfB?.[row]]).toEqual([0, 500]);
    engine.close('b');
    expect(() => engine.layout(diff('raw'))).toThrow('no recording to compare with');
    expect(engine.layout(wholeView).total).toBe(600);
  });

  it('filters and changes the stacks of both sides, threads by their name', () => {
    const { engine, names } = compared(twice, [...once, ...twice]);
    const main = engine.layout({ ...diff('raw'), threads: [0] }).diff;
    expect([main?.totalA[0], main?.totalB[0]]).toEqual([500, 1100]);
    const focused = engine.layout({ ...diff('raw'), transforms: [{ kind: 'dropFunction', func: names.name.indexOf('handle') }] }).diff;
    expect([focused?.totalA[0], focused?.totalB[0]]).toEqual([500, 500]);
    const sandwich = engine.sandwich(diff('raw'), { func: names.name.indexOf('handle'), direction: 'callers' });
    expect([sandwich.diff?.totalA[1], sandwich.diff?.totalB[1]]).toEqual([500, 1100]);
  });
});
