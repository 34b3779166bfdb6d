import { describe, expect, it } from 'vitest';
import { boxCodes, changeCode, fadedFrom, noChangeCode, rootCode } from '../../../../webview/flame/graph/boxCodes.ts';
import { spokenBox, wordsOfBox } from '../../../../webview/flame/graph/boxWords.ts';
import { displayName, shortName } from '../../../../src/calltree/shownNames.ts';
import { LabelFitter } from '../../../../webview/flame/graph/labelText.ts';
import { changeScale, legendEntries } from '../../../../webview/flame/graph/legendEntries.ts';
import { packageColours, packageOf } from '../../../../webview/flame/graph/packages.ts';
import { placeTip } from '../../../../webview/flame/graph/tooltip.ts';
import { formatOf } from '../../../../webview/flame/graph/weightFormat.ts';
import { javaCalls, layoutOf } from './layouts.ts';

const perCharacter = (text: string): number => [...text].length * 6;

describe('labels', () => {
  it.each([
    ['java.util.HashMap.put', 'HashMap.put'],
    ['java/lang/Thread.run', 'Thread.run'],
    ['com.example.Outer$Inner.lambda$0(java.lang.String)', 'Outer$Inner.lambda$0(java.lang.String)'],
    ['Module._compile', 'Module._compile'],
    ['http.request', 'http.request'],
    ['__proto__', '__proto__'],
    ['</script><img src=x>', '</script><img src=x>'],
  ])('shortens %s to %s', (name, short) => expect(shortName(name)).toBe(short));

  it('shows characters that hide or turn the text around them', () => {
    expect(displayName('safe\u202egnp.exe\u0000')).toBe('safe\ufffdgnp.exe\u2400');
  });

  it('cuts a name of ten thousand characters', () => {
    expect(shortName(`Generic<${'T, '.repeat(5000)}>`).length).toBeLessThan(500);
  });

  it('fits a label exactly into its room, with the line only where that fits', () => {
    const fitter = new LabelFitter(perCharacter);
    expect(fitter.label(0, 'a.b.Handler.handle', 24, 120)).toBe('Handler.handle:24');
    expect(fitter.label(0, 'a.b.Handler.handle', 24, 90)).toBe('Handler.handle');
    expect(fitter.label(0, 'a.b.Handler.handle', 24, 60)).toBe('Handler.h…');
    expect(fitter.label(0, 'a.b.Handler.handle', 24, 17)).toBe('');
  });

  it('never cuts a character of two halves, and keeps wide text within its room', () => {
    const wide = (text: string): number => [...text].reduce((sum, character) => sum + (character.codePointAt(0)! > 0x2000 ? 12 : 6), 0);
    const fitter = new LabelFitter(wide);
    const label = fitter.fit('😀😀😀😀😀😀', 50);
    expect(label).toBe('😀😀😀…');
    expect(wide(label)).toBeLessThanOrEqual(50);
    expect(fitter.fit('שלום עולם', 40).endsWith('…')).toBe(true);
  });
});

describe('words for a box', () => {
  const { layout, names } = layoutOf(javaCalls());
  const box = [...layout.func.keys()].find(
    (index) => names.name[layout.func[index]!] === 'com.zaxxer.hikari.pool.HikariPool.getConnection',
  )!;

  it('says total, self, share and time per request', () => {
    const words = wordsOfBox(layout, names, box, formatOf(layout, 100));
    expect(words.place).toBe('HikariPool.java:162');
    expect(words.rows).toEqual([
      { label: 'total', values: ['52.1 %', '521 ms', '5.21 ms/request'] },
      { label: 'self', values: ['0.0 %', '0 ns', '0 ns/request'] },
      { label: 'kind', values: ['dependency'] },
    ]);
  });

  it('writes samples as whole numbers, and no share that is there as nothing', () => {
    const { weight, share, perRequest } = formatOf({ unit: 'count', total: 1_000_000 }, 8);
    expect([weight(20), weight(1), weight(3120), perRequest(20)]).toEqual(['20', '1', '3,120', '2.50/request']);
    expect([0, 20, 50, 20_000].map(share)).toEqual(['0.0 %', '< 0.01 %', '0.01 %', '2.0 %']);
  });

  it('says a box to a screen reader with its callees', () => {
    expect(spokenBox(layout, names, box, formatOf(layout))).toBe(
      'com.zaxxer.hikari.pool.HikariPool.getConnection, self 0 ns, total 521 ms, 52.1 %, 1 callee',
    );
  });

  it('says both sides and the change in a comparison, and what only one side has', () => {
    const compared = layoutOf(
      [
        { name: 'both', self: 5e6, selfB: 2e6 },
        { name: 'gone', self: 0, selfB: 1e6 },
      ],
      true,
    );
    const say = (index: number): readonly (readonly string[])[] =>
      wordsOfBox(compared.layout, compared.names, index, formatOf(compared.layout)).rows.map(({ values }) => values);
    expect(say(1)[2]).toEqual(['5.00 ms/request', '2.00 ms/request', '+3.00 ms/request']);
    expect(say(2)).toContainEqual(['only in the other recording']);
    expect(changeScale(compared.layout)).toMatchObject({ least: 'less: −3.00 ms/request', most: 'more: +3.00 ms/request' });
  });
});

describe('colours of boxes', () => {
  const { layout, names } = layoutOf(javaCalls());

  it('fades what a search did not find, but never the root', () => {
    const matches = new Uint8Array(layout.boxCount);
    matches[2] = 1;
    const search = { matches, order: new Uint32Array([2]), matchedWeight: 0, matchedShare: 0 };
    const codes = boxCodes(layout, names, 'category', search);
    expect(codes[0]).toBe(rootCode);
    expect(codes[2]).toBe(layout.category[2]);
    expect(codes[1]).toBe(layout.category[1]! + fadedFrom);
  });

  it('gives changes of the two directions different sides of the scale, and none the middle', () => {
    expect(changeCode(0, 10)).toBe(noChangeCode);
    expect(changeCode(10, 10)).toBe(2 * noChangeCode);
    expect(changeCode(-10, 10)).toBe(0);
    expect(changeCode(1e-9, 10)).toBeGreaterThan(noChangeCode);
    expect(changeCode(3, 0)).toBe(noChangeCode);
  });

  it('lists only the kinds that are there, each name once', () => {
    expect(legendEntries(layout, names, 'category').map(({ label }) => label)).toEqual([
      'app',
      'dependency',
      'runtime',
      'waiting for the pool',
      'database I/O',
      'kernel',
      'GC',
      'JIT compiler',
    ]);
    const waits = layoutOf([
      { name: 'a', category: 'waiting', self: 1 },
      { name: 'b', category: 'otherWait', self: 1 },
    ]);
    expect(legendEntries(waits.layout, waits.names, 'category').map(({ label }) => label)).toEqual(['waiting']);
  });

  it.each([
    ['handle', '/srv/app/node_modules/@scope/pkg/lib/a.js', '@scope/pkg'],
    ['handle', '/srv/node_modules/a/node_modules/b/index.js', 'b'],
    ['readSync', 'node:fs', 'node'],
    ['org.postgresql.core.v3.QueryExecutorImpl.execute', 'QueryExecutorImpl.java', 'org.postgresql.core'],
    ['render', 'C:\\work\\src\\view.js', 'src'],
    ['futex_wait', '', ''],
  ])('finds the package of %s in %s', (name, file, found) => expect(packageOf(name, file)).toBe(found));

  it('gives the heaviest packages a hue each, and functions called __proto__ or constructor no trouble', () => {
    const odd = layoutOf([
      { name: '__proto__', file: '/a/node_modules/__proto__/i.js', self: 3 },
      { name: 'constructor', file: '/a/node_modules/constructor/i.js', self: 9 },
    ]);
    expect(packageColours(odd.layout, odd.names).packages).toEqual(['constructor', '__proto__']);
  });
});

describe('the tooltip', () => {
  it('stays within the window and off the pointer wherever the pointer is', () => {
    const tip = { width: 300, height: 120 };
    const view = { width: 600, height: 400 };
    for (let x = 0; x <= view.width; x += 20) {
      for (let y = 0; y <= view.height; y += 20) {
        const { left, top } = placeTip({ x, y }, tip, view);
        expect(left >= 0 && top >= 0 && left + tip.width <= view.width && top + tip.height <= view.height).toBe(true);
        expect(x >= left && x <= left + tip.width && y >= top && y <= top + tip.height).toBe(false);
      }
    }
  });
});
