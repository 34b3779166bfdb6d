import { describe, expect, it } from 'vitest';
import { eventTotal, functionTable } from '../../../src/calltree/totals.ts';
import { readAnyProfile, readProfile } from '../../../src/engine/calltree/openProfile.ts';

const page = (script: string): Uint8Array =>
  new TextEncoder().encode(
    `<!DOCTYPE html>\n<html lang='en'>\n<a href='https://github.com/async-profiler/async-profiler'>async-profiler</a>\n<script>\n\tfunction f(key, level, left, width) {\n\t}\n${script}\nsearch();\n</script></body></html>\n`,
  );
const packed = page(
  [
    'const cpool = [',
    "'all',",
    "' java/lang/Thread.run',",
    "'%util/Map.get',",
    "' it\\'s::here',",
    "' shop/Cart.add'",
    '];',
    'unpack(cpool);',
    '',
    'f(3,0,0,100)',
    'u(8)',
    'u(33,60,10,0,0)',
    'u(17,40)',
    'n(28,15)',
    'f(34,2,20,40)',
  ].join('\n'),
);

describe('a flame graph that async-profiler wrote as a page', () => {
  it('opens as what is drawn in it, a frame having what its callees leave', async () => {
    const { tree, format } = await readAnyProfile(packed, () => Promise.resolve(null));
    expect(format.label).toBe('Flame graph of async-profiler (HTML)');
    expect(tree.events.map(eventTotal)).toEqual([100]);
    expect(functionTable(tree, tree.events[0]!).map(({ name, kind, self, total }) => [name, kind, self, total])).toEqual([
      ['shop/Cart.add', 'app', 45, 100],
      ['java/util/Map.get', 'runtime', 40, 40],
      ["it's::here", 'native', 15, 15],
      ['java/lang/Thread.run', 'runtime', 0, 100],
    ]);
  });

  it('of version 2 opens, too', () => {
    const tree = readProfile(
      page(
        [
          "f(0,0,10,3,'all')",
          "f(1,0,7,0,'java/lang/Thread.run',0,2,0)",
          "f(2,0,4,1,'shop/Cart&lt;T&gt;.add')",
          "f(1,7,3,5,'do_futex')",
        ].join('\n'),
      ),
    );
    expect(functionTable(tree, tree.events[0]!).map(({ name, kind, self, total }) => [name, kind, self, total])).toEqual([
      ['shop/Cart<T>.add', 'app', 4, 4],
      ['java/lang/Thread.run', 'runtime', 3, 7],
      ['do_futex', 'kernel', 3, 3],
    ]);
  });

  it.each([
    ['has no frame', ''],
    ['has a frame without a caller', "f(0,0,10,3,'all')\nf(2,0,7,0,'a/b.c')"],
    ['has a frame wider than its caller', "f(0,0,10,3,'all')\nf(1,0,11,0,'a/b.c')"],
    ['names what is not there', "const cpool = [\n'all'\n];\nf(3,0,0,9)\nu(800,4)"],
  ])('is refused where it %s', (_what, script) => {
    expect(() => readProfile(page(script))).toThrow(/async-profiler’s HTML/);
  });
});
