import { describe, expect, it } from 'vitest';
import { noteText } from '../../../src/model/presentation/runNotes.ts';
import type { RunNote } from '../../../src/model/domain/runNoteKinds.ts';

const compared: RunNote = {
  code: 'variant-compared',
  base: 'jvm.gc=G1',
  other: 'jvm.gc=ZGC',
  verdict: 'worse',
  delta: 0.05,
  change: { mean: 0.94, low: 0.91, high: 0.97 },
  costs: [],
};

describe('what values of the catalogue are said to differ in', () => {
  it('is no difference where none was distinguished, whatever the means are', () => {
    for (const verdict of ['same', 'unknown'] as const)
      expect(noteText({ ...compared, verdict, change: { mean: 1.02, low: 0.97, high: 1.07 } })).not.toMatch(/more|less|better|faster/);
  });

  it('is nothing where a side was not measured as asked', () => {
    expect(noteText({ ...compared, change: null })).toBe(
      'jvm.gc=ZGC against jvm.gc=G1: not compared, as one of them was not measured as asked.',
    );
  });
});
