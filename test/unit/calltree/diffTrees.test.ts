import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffSide, diffTrees, functionChanges } from '../../../src/calltree/diffTrees.ts';
import { readCollapsed } from '../../../src/engine/calltree/readCollapsed.ts';
import { eventTotal } from '../../../src/calltree/totals.ts';
import { writeDiffCollapsed, writeDiffJson, writeDiffSvg } from '../../../src/engine/calltree/writeDiff.ts';
import { eventHeads, hostileNames, stacks, totalsOf, treeOf } from './trees.ts';

const side = (text: string, requests: number | null = null, title = 'x'): DiffSide => ({
  tree: readCollapsed(new TextEncoder().encode(text)),
  requests,
  title,
});
const list = stacks(fc.constantFrom(...hostileNames), 2);

describe('two recordings compared', () => {
  it('weigh what each of them weighs, and their functions what these weigh', () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const [a, b] = [treeOf(first, eventHeads), treeOf(second, eventHeads)];
        const diff = diffTrees({ tree: a, requests: null, title: 'a' }, { tree: b, requests: null, title: 'b' }, 'cpu', 'raw');
        expect([eventTotal(diff.a), eventTotal(diff.b)]).toEqual([totalsOf(a)[0], totalsOf(b)[0]]);
        const changes = functionChanges(diff);
        const rootSelf = (diff.a.self[0] ?? 0) - (diff.b.self[0] ?? 0);
        expect(changes.reduce((sum, row) => sum + row.change, rootSelf)).toBeCloseTo((totalsOf(a)[0] ?? 0) - (totalsOf(b)[0] ?? 0));
        expect(writeDiffSvg(diff)).not.toMatch(/<script|<img|NaN|Infinity/);
      }),
      { numRuns: 60 },
    );
  });

  it('are compared per request where both know their requests', () => {
    const diff = diffTrees(side('a;b 100\n', 50), side('a;b 100\n', 100), null);
    expect(diff.normalise).toBe('request');
    expect(functionChanges(diff)[0]).toMatchObject({ name: 'b', selfA: 2, selfB: 1, change: 1 });
    expect(JSON.parse(writeDiffJson(diff, ''))).toMatchObject({
      event: 'samples',
      unit: 'count/request',
      a: { total: 2 },
      b: { total: 1 },
    });
  });

  it('are compared by their shares otherwise, so that twice the time of recording is no difference', () => {
    const diff = diffTrees(side('a;b 30\na;c 10\n', 7), side('a;b 60\na;c 20\n'), null);
    expect(diff.normalise).toBe('share');
    expect(functionChanges(diff).map((row) => row.change)).toEqual([0, 0, 0]);
    expect(JSON.parse(writeDiffJson(diff, ''))).toMatchObject({ unit: 'share', a: { total: 1 }, b: { total: 1 } });
  });

  it('become two columns, before and after', () => {
    expect(writeDiffCollapsed(diffTrees(side('a;b 3\na;new 1.5\n'), side('a;b 4\na;old 2\n'), null, 'raw'))).toBe(
      'a;b 4 3\na;new 0 1.5\na;old 2 0\n',
    );
    expect(writeDiffCollapsed(diffTrees(side('a 1\nb 3\n'), side('a 1\n'), null))).toBe('a 1000000 250000\nb 0 750000\n');
  });

  it('show in the picture what appeared and what vanished, and the title as text', () => {
    const svg = writeDiffSvg(diffTrees(side('a;b 3\na;new 9\n', null, '<b>'), side('a;b 9\na;old 5\n'), null, 'raw'));
    for (const fill of ['appeared', 'vanished', 'less3']) expect(svg).toContain(`<rect class="${fill}"`);
    expect(svg).toContain('>less</text>');
    expect(svg).toContain('&lt;b&gt;');
    expect(svg).toContain('total 9 samples against 0 samples');
  });

  it.each([
    ['requests that nobody counted', () => diffTrees(side('a 1\n', 5), side('a 1\n'), null, 'request'), /not known how many requests/],
    [
      'an event that only one has',
      () => diffTrees(side('a 1\n'), { tree: treeOf([{ frames: [], weights: [1, 1] }], eventHeads), requests: null, title: '' }, 'samples'),
      /no event “samples”/,
    ],
  ])('say what is wrong with %s', (_name, compare, message) => {
    expect(compare).toThrow(message);
  });
});
