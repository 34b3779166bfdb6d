import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';

const headLimit = 64 * 1024;
const tailLimit = 256 * 1024;

/** Chunks of a few characters up to more than both limits together; every chunk is of one letter, so that order shows. */
const chunks = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c', '\n'), fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 70_000 }), fc.constant(330_000)))
    .map(([letter, length]) => letter.repeat(length)),
  { maxLength: 12 },
);

function logOf(texts: readonly string[]): BoundedLog {
  const log = new BoundedLog();
  for (const text of texts) log.append(text);
  return log;
}

describe('a bounded log', () => {
  it('keeps the first 64 KiB and the last 256 KiB, and counts exactly what lies between', () => {
    fc.assert(
      fc.property(chunks, (texts) => {
        const all = texts.join('');
        const log = logOf(texts);
        const dropped = Math.max(0, all.length - headLimit - tailLimit);
        expect(log.totalLength).toBe(all.length);
        expect(log.droppedBytes).toBe(dropped);
        if (dropped === 0) {
          expect(log.text()).toBe(all);
        } else {
          expect(log.text().startsWith(all.slice(0, headLimit))).toBe(true);
          expect(log.text().endsWith(all.slice(-tailLimit))).toBe(true);
          expect(log.text().length).toBeLessThan(headLimit + tailLimit + 100);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('says how much is missing, where it is missing', () => {
    const log = logOf(['first\n', 'x'.repeat(1_000_000), '\nlast']);
    expect(log.text()).toMatch(/^first\nx+\n… 672,3\d\d characters left out …\nx+\nlast$/);
  });

  it('gives the last lines that are not empty, also when they lie on both sides of the limit of the head', () => {
    const filler = `${'x'.repeat(99)}\n`.repeat(655);
    const log = logOf([filler, 'one\n\ntwo\r\n', 'three\n']);
    expect(log.totalLength).toBeGreaterThan(headLimit - 100);
    expect(log.tail(3)).toBe('one\ntwo\nthree');
    expect(logOf([filler, 'y'.repeat(30), '\nend\n']).tail(2)).toBe(`${'y'.repeat(30)}\nend`);
    expect(new BoundedLog().tail(5)).toBe('');
  });

  it('cuts lines without an end', () => {
    expect(logOf(['z'.repeat(5_000)]).tail(1)).toBe(`${'z'.repeat(500)}…`);
  });
});
