import { describe, expect, it } from 'vitest';
import { withRoles } from '../../../../src/calltree/stackRoles.ts';
import { readProfile } from '../../../../src/engine/calltree/openProfile.ts';
import { packTree } from '../../../../src/model/domain/packedTree.ts';
import { waitOf } from '../../../../webview/flame/app/tableRows.ts';
import { foldLabel } from '../../../../webview/flame/graph/boxWords.ts';
import { categories } from '../../../../webview/flame/core/colours.ts';
import type { FlameNames } from '../../../../webview/flame/core/layout.ts';
import { FlameEngine } from '../../../../webview/flame/worker/flameEngine.ts';
import { engineWith, wholeView } from './recordings.ts';

const park = 'java.util.concurrent.SynchronousQueue.poll;jdk.internal.misc.Unsafe.park;__futex_abstimed_wait_common';
const tree = withRoles(
  readProfile(
    new TextEncoder().encode(
      [
        `java.lang.Thread.run;org.eclipse.jetty.A.a;org.eclipse.jetty.B.b;org.eclipse.jetty.C.c;shop.Main.ad;com.zaxxer.hikari.HikariDataSource.getConnection;com.zaxxer.hikari.util.ConcurrentBag.borrow;${park} 80`,
        'java.lang.Thread.run;org.eclipse.jetty.A.a;org.eclipse.jetty.B.b;org.eclipse.jetty.C.c;shop.Main.ad;shop.Main.render 15',
        'java.lang.Thread.run;org.eclipse.jetty.A.a 5',
      ].join('\n'),
    ),
  ),
);
const engine = engineWith(tree);
const spec = { ...wholeView, event: tree.events[0]?.name ?? '', transforms: [{ kind: 'foldLibraries' as const }] };
const names: FlameNames = { ...tree.functions, inA: null, inB: null };
const layout = engine.layout(spec);
const nameOf = (func: number | undefined): string => tree.functions.name[func ?? -1] ?? '';

describe('libraries that are folded', () => {
  it('are one box for each run, called by how many frames of what they are; a wait is a box of its own, called by what it is for', () => {
    const labels = Array.from(layout.func.keys(), (box) => foldLabel(layout, names, box) ?? nameOf(layout.func[box]));
    expect(labels).toEqual([
      '',
      '▸ 4 frames of Jetty',
      'shop.Main.ad',
      'com.zaxxer.hikari.HikariDataSource.getConnection',
      'shop.Main.render',
      'waiting for the pool · ConcurrentBag.borrow',
    ]);
  });

  it('are unfolded one box at a time: all that went into it, and nothing else', () => {
    const labelsWith = (open: readonly number[]): string[] => {
      const opened = engine.layout({ ...spec, transforms: [{ kind: 'foldLibraries', open }] });
      return Array.from(
        opened.func.keys(),
        (box) => foldLabel(opened, names, box) ?? nameOf(opened.func[box]).replace(/.*\.(?=\w+\.\w+$)/, ''),
      );
    };
    expect(labelsWith([layout.node[1] ?? -1])).toEqual([
      '',
      'Thread.run',
      'A.a',
      'B.b',
      'C.c',
      'Main.ad',
      'HikariDataSource.getConnection',
      'Main.render',
      'waiting for the pool · ConcurrentBag.borrow',
    ]);
    expect(labelsWith([layout.node[5] ?? -1])).toContain('Unsafe.park');
    expect(labelsWith([layout.node[5] ?? -1])).toContain('▸ 4 frames of Jetty');
    expect(labelsWith([-1, 0])).toEqual(labelsWith([]));
  });

  it('have the hue of libraries, whatever their first frame is, and a wait the hue of what it is for', () => {
    const hues = Array.from(layout.category, (category) => categories[category]);
    const plain = engine.layout({ ...spec, transforms: [] });
    expect(categories[plain.category[1] ?? -1]).toBe('runtime');
    expect(hues.slice(1)).toEqual(['dependency', 'app', 'dependency', 'app', 'poolWait']);
  });

  it('count for their box: the wait is the first by self weight, with the function that asks', () => {
    const table = engine.table(spec);
    const rows = Array.from(table.func, (func, row) => ({
      name: nameOf(func),
      self: table.self[row],
      caller: nameOf(table.caller?.[row]),
    }));
    expect(rows.sort((a, b) => (b.self ?? 0) - (a.self ?? 0))[0]).toEqual({
      name: 'com.zaxxer.hikari.util.ConcurrentBag.borrow',
      self: 80,
      caller: 'shop.Main.ad',
    });
  });

  it('are said in the table beside the function that they weigh as', () => {
    const table = engine.table(spec);
    const foldedOf = (name: string): string | undefined => table.folded?.[table.func.findIndex((func) => nameOf(func) === name)];
    expect([foldedOf('java.lang.Thread.run'), foldedOf('shop.Main.render')]).toEqual(['Jetty', '']);
    expect(engine.table({ ...spec, transforms: [] }).folded).toBeUndefined();
  });

  it('are called by the wait in a comparison, too, where only the other side has it', () => {
    const without = readProfile(new TextEncoder().encode('java.lang.Thread.run;shop.Main.ad;shop.Main.render 15'));
    const both = new FlameEngine();
    both.openTree('a', packTree(withRoles(without)));
    const joined = both.openTree('b', packTree(tree));
    const table = both.table({ ...spec, diff: { normalise: 'raw', width: 'union' } });
    const row = table.func.findIndex((func) => joined.name[func] === 'com.zaxxer.hikari.util.ConcurrentBag.borrow');
    expect([table.self[row], table.selfB?.[row]]).toEqual([0, 80]);
    expect(waitOf(table, row)).toEqual({ category: 'poolWait', label: 'waiting for the pool' });
    expect(joined.name[table.caller?.[row] ?? -1]).toBe('shop.Main.ad');
  });

  it('weigh together what they weigh unfolded', () => {
    const plain = engine.layout({ ...spec, transforms: [] });
    expect(layout.total).toBe(plain.total);
    expect(layout.self.reduce((sum, own) => sum + own, 0)).toBe(plain.self.reduce((sum, own) => sum + own, 0));
    expect(layout.boxCount).toBeLessThan(plain.boxCount);
  });
});
