import { describe, expect, it } from 'vitest';
import { CallTreeBuilder } from '../../../src/calltree/callTreeBuilder.ts';
import { lineTable } from '../../../src/calltree/lineTable.ts';
import { withRoles } from '../../../src/calltree/stackRoles.ts';
import type { FrameKind } from '../../../src/model/domain/callTree.ts';
import { type LineTable, lineTableSchema } from '../../../src/model/domain/flame.ts';

type Frame = [name: string, file: string, declared: number, line: number, kind?: FrameKind];

function builderOf(list: { frames: Frame[]; weight: number }[], event = 'cpu'): CallTreeBuilder {
  const builder = new CallTreeBuilder([{ name: event, unit: 'ns' }]);
  for (const { frames, weight } of list) {
    const stack = frames.map(([name, file, declared, line, kind = 'app']) => ({ func: builder.func(name, file, declared, kind), line }));
    builder.add(builder.stack(stack), 0, weight);
  }
  return builder;
}

/** `line: self/total` by file. */
function told({ files }: LineTable): Record<string, string[]> {
  return Object.fromEntries(
    files.map(({ file, lines }) => [file, lines.map(({ line, self, total }) => `${line}: ${self[0]}/${total[0]}`)]),
  );
}

describe('the weights of source lines', () => {
  it('count a line once per stack, however often a recursion goes through it', () => {
    const f = (line: number): Frame => ['f', '/app/f.ts', 1, line];
    const table = lineTable(
      builderOf([
        { frames: [f(3), f(3), f(3), f(4)], weight: 10 },
        { frames: [f(3)], weight: 1 },
      ]).build(),
      null,
    );
    expect(told(table)).toEqual({ '/app/f.ts': ['3: 1/11', '4: 10/10'] });
    expect(table.files[0]?.functions).toEqual([{ name: 'f', line: 1, self: [11], total: [11] }]);
  });

  it('count inlined code for the line that was inlined, and its caller for the line of the call', () => {
    const table = lineTable(
      builderOf([
        {
          frames: [
            ['bulletin.Routes.ad', '', 0, 12],
            ['bulletin.Json$Writer.write', '', 0, 70],
          ],
          weight: 6,
        },
      ]).build(),
      3,
    );
    expect(told(table)).toEqual({ 'bulletin/Routes.java': ['12: 0/6'], 'bulletin/Json.java': ['70: 6/6'] });
    expect(table.files.map(({ kind }) => kind)).toEqual(['javaClass', 'javaClass']);
    expect(table.files[1]?.lines[0]?.callers).toEqual([{ name: 'bulletin.Routes.ad', weights: [6] }]);
    expect(table.files[1]?.functions).toEqual([{ name: 'bulletin.Json$Writer.write', line: 70, self: [6], total: [6] }]);
    expect(table.requests).toBe(3);
  });

  it('share out the time that V8 saw on each line; lines above the function are of inlined code and stay out', () => {
    const builder = builderOf([{ frames: [['work', '/app/w.js', 10, 0]], weight: 100 }]);
    builder.lineTicks(1, 12, 3);
    builder.lineTicks(1, 13, 1);
    builder.lineTicks(1, 2, 1);
    expect(told(lineTable(builder.build(), null))).toEqual({ '/app/w.js': ['12: 60/60', '13: 20/20'] });
  });

  it('do not share out memory by ticks of the CPU', () => {
    const builder = builderOf([{ frames: [['work', '/app/w.js', 10, 0]], weight: 100 }], 'heap');
    builder.lineTicks(1, 12, 3);
    const table = lineTable(builder.build(), null);
    expect(table.files[0]?.lines).toEqual([]);
    expect(table.files[0]?.functions).toEqual([{ name: 'work', line: 10, self: [100], total: [100] }]);
  });

  it('leave out workers that wait for work, from the total too', () => {
    const run: Frame = ['bulletin.Worker.run', '', 0, 5];
    const tree = withRoles(
      builderOf([
        { frames: [run, ['java.util.concurrent.ThreadPoolExecutor.getTask', '', 0, 9, 'runtime']], weight: 900 },
        { frames: [run, ['bulletin.Worker.work', '', 0, 8]], weight: 100 },
      ]).build(),
    );
    const table = lineTable(tree, null);
    expect(table.events).toEqual([{ name: 'cpu', unit: 'ns', total: 100 }]);
    expect(told(table)).toEqual({ 'bulletin/Worker.java': ['5: 0/100', '8: 100/100'] });
  });

  it.each<[string, Frame, string | null]>([
    ['a relative path', ['f', 'src/a.go', 0, 1], 'src/a.go'],
    ['a path of Windows', ['f', 'C:\\app\\a.ts', 0, 1], 'C:\\app\\a.ts'],
    ['a class beside its file', ['a.b.C$D.m', 'C.kt', 0, 1], 'a/b/C.kt'],
    ['a lambda', ['a.b.C$$Lambda.0x1.run', '', 0, 1], null],
    ['a class of a package with slashes', ['a/b/C.<init>', '', 0, 1], 'a/b/C.java'],
    ['a library', ['a.b.C.m', '', 0, 1, 'dependency'], 'a/b/C.java'],
    ['the runtime', ['java.util.A.m', '', 0, 1, 'runtime'], null],
    ['what was made by eval', ['f', 'evalmachine.<anonymous>', 0, 1], null],
    ['an address', ['f', 'https://example.org/a.js', 0, 1], null],
    ['a function without a place', ['f', '', 0, 1], null],
  ])('are of %s: %#', (_name, frame, expected) => {
    expect(lineTable(builderOf([{ frames: [frame], weight: 1 }]).build(), null).files.map(({ file }) => file)).toEqual(
      expected === null ? [] : [expected],
    );
  });

  it('are at most 20,000, the heaviest, and fit the protocol', () => {
    const list = Array.from({ length: 25_000 }, (_, index): { frames: Frame[]; weight: number } => ({
      frames: [['f', '/a.ts', 1, index + 1]],
      weight: index + 1,
    }));
    const table = lineTable(builderOf(list).build(), null);
    expect(table.files[0]?.lines).toHaveLength(20_000);
    expect(table.files[0]?.lines[0]?.line).toBe(5_001);
    expect(lineTableSchema.parse(table)).toEqual(table);
  });
});
