import { describe, expect, it } from 'vitest';
import { eventTotal } from '../../../../src/calltree/totals.ts';
import { readProfile } from '../../../../src/engine/calltree/openProfile.ts';
import { writePprof } from '../../../../src/engine/calltree/writePprof.ts';
import type { WaitReport } from '../../../../src/engine/record/node/waitProbe.ts';
import { waitNotes } from '../../../../src/engine/record/node/waitNotes.ts';
import { waitTree } from '../../../../src/engine/record/node/waitTree.ts';

const none = { pool: 0, opening: 0, query: 0 };
const counts = { asks: 10, queries: 10, waits: 4, pools: 1, stacks: 20, streams: 0, cut: 0 };

function report(changes: Partial<WaitReport> = {}): WaitReport {
  return {
    totals: { pool: 30, opening: 4, query: 50, ...counts },
    sampled: { pool: 15, opening: 4, query: 50 },
    frames: [
      ['route', 'file:///app/my%20routes.mjs', 12, 3, 10, 1],
      ['', '/app/database.cjs', 7, 9, 5, 20],
    ],
    nodes: [
      [-1, -1, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [1, 1, 15, 4, 50],
    ],
    ...changes,
  };
}

/** Names of the stacks that weigh something in an event, with the weight in ns. */
function stacks(tree: ReturnType<typeof waitTree>, event: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const weight = tree.events[event]?.self[node] ?? 0;
    if (weight === 0) continue;
    const names: string[] = [];
    for (let at = node; at > 0; at = tree.parent[at] as number) names.unshift(tree.functions.name[tree.func[at] as number] ?? '');
    found[names.join(';')] = weight;
  }
  return found;
}

describe('the tree of waits', () => {
  it('has the sums that were measured, by the stack that asked, however few stacks were taken', () => {
    const tree = waitTree(report());
    expect(stacks(tree, 0)).toEqual({ 'route;(anonymous);[pool wait]': 30e6, 'route;(anonymous);[pool wait];[new connection]': 4e6 });
    expect(stacks(tree, 1)).toEqual({ 'route;(anonymous);[query]': 50e6 });
    expect(tree.functions.file).toContain('/app/my routes.mjs');
    expect([...tree.line]).toContain(12);
  });

  it('is read back from its file with both events and the lines', () => {
    const tree = waitTree(report());
    const again = readProfile(writePprof(tree, tree.events));
    expect(again.events.map(({ name, unit }) => [name, unit])).toEqual([
      ['poolWait', 'ns'],
      ['database', 'ns'],
    ]);
    expect(again.events.map(eventTotal)).toEqual([34e6, 50e6]);
    expect([...again.line].sort()).toEqual([...tree.line].sort());
  });

  it('names what no stack was taken for', () => {
    const tree = waitTree(report({ sampled: none, nodes: [[-1, -1, 0, 0, 0]] }));
    expect(stacks(tree, 0)).toEqual({ '(stack not taken);[pool wait]': 30e6, '(stack not taken);[pool wait];[new connection]': 4e6 });
    expect(tree.events.map(eventTotal)).toEqual([34e6, 50e6]);
  });

  it('speaks of sources where a map leads both the line and the function into one file', () => {
    const tree = waitTree(report(), (script, line) => (script.startsWith('file:') ? { file: '/src/routes.ts', line: line + 100 } : null));
    const at = tree.functions.name.indexOf('route');
    expect([tree.functions.file[at], tree.functions.line[at]]).toEqual(['/src/routes.ts', 110]);
    const torn = waitTree(report(), (_script, line) => ({ file: `/src/${line}.ts`, line }));
    expect(torn.functions.file).toContain('/app/my routes.mjs');
  });

  it('comes with what a reader should know', () => {
    expect(waitNotes(report())[0]).toMatchObject({ code: 'waits', asks: 10, waits: 4 });
    const drawn = waitNotes(report({ totals: { ...none, ...counts, asks: 9_000, queries: 9_000, stacks: 500 } }));
    expect(drawn).toContainEqual({ code: 'stacks-drawn', stacks: 500 });
    expect(waitNotes(report({ totals: { ...none, ...counts, asks: 0, queries: 0 } }))).toEqual([{ code: 'no-waits' }]);
  });
});
