import { describe, expect, it } from 'vitest';
import { noteText } from '../../../src/model/runNotes.ts';
import type { RunNote } from '../../../src/model/runNoteKinds.ts';
import { runNoteSchema } from '../../../src/model/runNoteKinds.ts';

const compared: RunNote = {
  code: 'variant-compared',
  base: 'jvm.gc=G1',
  other: 'jvm.gc=ZGC',
  verdict: 'worse',
  delta: 0.05,
  change: { mean: 0.94, low: 0.91, high: 0.97 },
  costs: [
    { id: 'p99', base: 12, other: 7.2, verdict: 'better', ratePerS: 400 },
    { id: 'memory', base: 200 * 2 ** 20, other: 500 * 2 ** 20, verdict: null },
    { id: 'cpu', base: 900, other: 905, verdict: 'unknown' },
  ],
};

describe('what values of the catalogue are said to differ in', () => {
  it('is throughput with its interval, and what that costs', () => {
    expect(noteText(compared)).toBe(
      'jvm.gc=ZGC against jvm.gc=G1: 6 % less throughput (−9.0 % to −3.0 %); p99 at 400 requests/s 12.0 ms → 7.20 ms (40 % lower), memory (RSS) 200 MiB → 500 MiB, CPU per request 900 µs → 905 µs (not told apart).',
    );
    expect(runNoteSchema.parse(compared)).toEqual(compared);
  });

  it('is no difference where none was told apart, whatever the means are', () => {
    for (const verdict of ['same', 'unknown'] as const)
      expect(noteText({ ...compared, verdict, change: { mean: 1.02, low: 0.97, high: 1.07 }, costs: [] })).not.toMatch(/more|less|better|faster/);
  });

  it('is nothing where a side was not measured as asked', () => {
    expect(noteText({ ...compared, change: null, costs: [] })).toBe(
      'jvm.gc=ZGC against jvm.gc=G1: not compared, as one of them was not measured as asked.',
    );
  });

  it('names the routes that were answered otherwise', () => {
    const routes = [{ route: 'GET /a', what: 'status', before: 200, after: 404 } as const];
    expect(noteText({ code: 'sides-answer-otherwise', base: 'x=1', other: 'x=2', routes })).toContain('GET /a with 200 and 404');
  });
});
