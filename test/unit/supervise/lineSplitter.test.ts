import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, wholeLines } from '../../../src/engine/supervise/lineSplitter.ts';

const limit = 64 * 1024;

function linesOf(chunks: readonly string[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

/** The same text cut in other places. */
function cut(text: string, at: readonly number[]): string[] {
  const places = [0, ...at.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

describe('a line splitter', () => {
  it('gives the same lines however the text is cut into chunks', () => {
    const text = fc
      .array(fc.oneof(fc.string(), fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 30 })
      .map((parts) => parts.join('').replace(/\r(?!\n)/g, ''));
    fc.assert(
      fc.property(text, fc.array(fc.nat()), (whole, places) => {
        const expected = whole.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(linesOf(cut(whole, places))).toEqual(expected);
      }),
    );
  });

  it('never gives out more than 64 KiB at a time, and loses nothing of a longer line', () => {
    const text = `short\n${'x'.repeat(3 * limit + 10)}\nafter\n`;
    fc.assert(
      fc.property(fc.array(fc.nat()), (places) => {
        const lines = linesOf(cut(text, places));
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(limit);
        expect(lines.join('')).toBe(text.replaceAll('\n', ''));
        expect([lines[0], lines.at(-1)]).toEqual(['short', 'after']);
      }),
      { numRuns: 30 },
    );
  });

  it('gives out pieces that are put together again, also those of a line that is as long as one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 1, limit - 1, limit, limit + 1, 2 * limit), { maxLength: 6 }),
        fc.array(fc.nat()),
        (lengths, places) => {
          const lines = lengths.map((length, index) => String(index).repeat(length));
          const whole: string[] = [];
          const splitter = new LineSplitter(wholeLines((line) => whole.push(line)));
          for (const chunk of cut(lines.map((line) => `${line}\n`).join(''), places)) splitter.push(chunk);
          expect(whole).toEqual(lines);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('gives out a last line that has no end, and empty lines', () => {
    expect(linesOf(['a\n\n', 'b'])).toEqual(['a', '', 'b']);
    expect(linesOf([''])).toEqual([]);
  });
});
