import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headLineOf, parsePatch, touchedLines } from '../../../src/engine/versions/changedLines.ts';
import { rangeAround, rangeFrom } from '../../../src/engine/versions/functionRange.ts';

const patch = `diff --git a/orders.js b/orders.js
index 1..2 100644
--- a/orders.js
+++ b/orders.js
@@ -2 +2,2 @@ async function loadItems
-  return db.query(ITEMS);
+--- a/not a header
+  for (const id of ids) out.push(id);
@@ -9,2 +9,0 @@
-one
-two
diff --git a/gone.js b/gone.js
--- a/gone.js
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git "a/with \\"quotes\\".js" "b/with \\"quotes\\".js"
--- /dev/null
+++ "b/with \\"quotes\\".js"
@@ -0,0 +1 @@
+y
`;

describe('a patch', () => {
  it('is read file by file, and a line of a hunk that looks like a header is a line', () => {
    const files = parsePatch(patch);
    expect(files.map(({ path, basePath }) => [path, basePath])).toEqual([
      ['orders.js', 'orders.js'],
      ['gone.js', 'gone.js'],
      ['with "quotes".js', null],
    ]);
    expect(files[0]?.hunks).toEqual([
      {
        baseStart: 2,
        headStart: 2,
        gone: ['  return db.query(ITEMS);'],
        added: ['--- a/not a header', '  for (const id of ids) out.push(id);'],
      },
      { baseStart: 9, headStart: 9, gone: ['one', 'two'], added: [] },
    ]);
  });

  it('says where a line of base stands in head', () => {
    const [orders] = parsePatch(patch);
    const hunks = orders?.hunks ?? [];
    expect([1, 2, 3, 8, 9, 11].map((line) => headLineOf(hunks, line))).toEqual([1, 2, 4, 9, 9, 10]);
    expect(hunks.map(touchedLines)).toEqual([
      [2, 3],
      [9, 10],
    ]);
  });

  it('leaves every line where it is when nothing changed, and reads anything', () => {
    fc.assert(fc.property(fc.nat(), (line) => headLineOf([], line) === line));
    fc.assert(
      fc.property(fc.array(fc.constantFrom('diff --git a/x b/x', '--- a/x', '+++ b/x', '@@ -1,2 +3 @@', '-a', '+b', '', '\\')), (lines) => {
        expect(parsePatch(lines.join('\n')).every(({ path }) => path !== '')).toBe(true);
      }),
    );
  });
});

const code = `function one(a) {
  return a;
}

async function two(
  a,
  b,
) {
  if (a) {
    b();
  }
}
const three = (x) => x + 1;
const four = 4;
`.split('\n');

describe('the lines of a function', () => {
  it('end where the text is indented no further', () => {
    expect(rangeFrom(code, 1)).toEqual({ first: 1, last: 3 });
    expect(rangeFrom(code, 5)).toEqual({ first: 5, last: 12 });
    expect(rangeFrom(code, 13)).toEqual({ first: 13, last: 13 });
  });

  it('are found around a line that was seen executing, beyond the blocks of its control flow', () => {
    expect(rangeAround(code, 10)).toEqual({ first: 8, last: 12 });
    const java = 'class A {\n  int f() {\n    for (;;) {\n      g();\n    }\n  }\n}'.split('\n');
    expect(rangeAround(java, 4)).toEqual({ first: 2, last: 6 });
  });
});
