import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trackLines, type LineChange } from '../../../../src/extension/source/sourceMarkEdits.ts';

/** The text of a document after a change, as an editor makes it. */
function applied(lines: readonly string[], { startLine, startCharacter, endLine, endCharacter, text }: LineChange): string[] {
  const before = (lines[startLine] ?? '').slice(0, startCharacter);
  const after = (lines[endLine] ?? '').slice(endCharacter);
  return [...lines.slice(0, startLine), ...`${before}${text}${after}`.split('\n'), ...lines.slice(endLine + 1)];
}

const insert = (line: number, character: number, text: string): LineChange => ({
  startLine: line,
  startCharacter: character,
  endLine: line,
  endCharacter: character,
  text,
});
const replace = (startLine: number, startCharacter: number, endLine: number, endCharacter: number, text: string): LineChange => ({
  startLine,
  startCharacter,
  endLine,
  endCharacter,
  text,
});
const follow = (line: number, text: string, ...changes: LineChange[]): number | null =>
  trackLines([{ line, text }], changes)[0]?.line ?? null;

describe('a marked line', () => {
  it('moves down with Enter before it and stays with Enter behind it', () => {
    expect(follow(5, '  call();', insert(2, 0, 'a\nb\n'))).toBe(7);
    expect(follow(5, '  call();', insert(5, 0, '\n'))).toBe(6);
    expect(follow(5, '  call();', insert(5, 2, '\n  '))).toBe(6);
    expect(follow(5, '  call();', insert(5, 9, '\n  next();'))).toBe(5);
    expect(follow(5, '  call();', insert(5, 6, '\n'))).toBe(5);
    expect(follow(5, '  call();', insert(8, 0, 'a\n'))).toBe(5);
  });

  it('moves up when lines before it are deleted, and is gone with its own', () => {
    expect(follow(5, '  call();', replace(1, 0, 3, 0, ''))).toBe(3);
    expect(follow(5, '  call();', replace(3, 4, 5, 2, ''))).toBe(3);
    expect(follow(5, '  call();', replace(5, 0, 6, 0, ''))).toBe(null);
    expect(follow(5, '  call();', replace(4, 0, 7, 0, ''))).toBe(null);
  });

  it('is found again when it is pasted elsewhere or its deletion is undone', () => {
    expect(follow(5, '  call();', replace(5, 0, 6, 0, ''), insert(9, 0, 'x\n    call();\n'))).toBe(10);
    expect(follow(5, '  call();', replace(5, 0, 6, 0, ''), insert(5, 0, '  call();\n'))).toBe(5);
    expect(follow(5, '}', replace(5, 0, 6, 0, ''), insert(2, 0, '}\n'))).toBe(null);
  });

  it('stays on its line when that line is typed over', () => {
    expect(follow(5, '  call();', replace(5, 2, 5, 6, 'other'))).toBe(5);
    expect(follow(5, '  call();', replace(4, 0, 6, 3, 'a\nb\nc'))).toBe(5);
  });

  it('is followed wherever its text is, through any edits', () => {
    const documents = fc
      .integer({ min: 1, max: 8 })
      .map((count) => Array.from({ length: count }, (_, line) => `${'  '.repeat(line % 3)}line-${line};`));
    const inserted = fc
      .array(fc.constantFrom('', ' ', 'x', '    ', 'new();'), { minLength: 1, maxLength: 4 })
      .map((lines) => lines.join('\n'));
    const spots = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), inserted);
    fc.assert(
      fc.property(documents, fc.array(spots, { minLength: 1, maxLength: 6 }), (start, edits) => {
        let lines: string[] = start;
        let tracked = lines.map((text, line): { line: number | null; text: string } => ({ line, text }));
        for (const [a, b, c, d, text] of edits) {
          const startLine = a % lines.length;
          const endLine = startLine + (b % (lines.length - startLine));
          const startCharacter = c % ((lines[startLine] ?? '').length + 1);
          const from = startLine === endLine ? startCharacter : 0;
          const change = {
            startLine,
            startCharacter,
            endLine,
            endCharacter: from + (d % ((lines[endLine] ?? '').length - from + 1)),
            text,
          };
          const after = applied(lines, change);
          const before = tracked;
          tracked = trackLines(tracked, [change]);
          for (const [index, { text: known, line: was }] of before.entries()) {
            const places = after.flatMap((line, place) => (line.trim() === known.trim() ? [place] : []));
            const unique = lines.filter((line) => line.trim() === known.trim()).length === 1;
            const [place] = places;
            if (was !== null && unique && places.length === 1 && /^line-\d;$/.test(known.trim())) expect(tracked[index]?.line).toBe(place);
            const now = tracked[index]?.line ?? null;
            if (now !== null) expect(now >= 0 && now < after.length).toBe(true);
          }
          tracked = tracked.map((one) => (one.line === null ? one : { ...one, text: after[one.line] ?? '' }));
          lines = after;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps its place when a formatter writes the whole file anew', () => {
    const documents = fc
      .array(fc.nat(999), { minLength: 1, maxLength: 20 })
      .map((numbers) => [...new Set(numbers)].map((number) => `call(${number});`));
    fc.assert(
      fc.property(documents, fc.array(fc.nat(2), { minLength: 20, maxLength: 20 }), (lines, gaps) => {
        const formatted = lines.flatMap((line, index) => [...Array.from({ length: gaps[index] ?? 0 }, () => ''), `    ${line}`]);
        const last = lines.length - 1;
        const change = replace(0, 0, last, (lines[last] ?? '').length, formatted.join('\n'));
        const tracked = trackLines(
          lines.map((text, line) => ({ line, text })),
          [change],
        );
        expect(tracked.map(({ line }) => formatted[line ?? -1]?.trim())).toEqual(lines);
      }),
    );
  });
});
