import { describe, expect, it } from 'vitest';
import { parseSizes } from '../../../../src/extension/benchmark/answers.ts';

const range = { min: 1, max: 64 };

describe('pool sizes as typed', () => {
  it('are numbers that every chosen target takes', () => {
    expect(parseSizes('8, 2..4', range)).toEqual({ ok: true, value: [2, 4, 8] });
    expect(parseSizes('2..128', range)).toEqual({ ok: false, problem: '128 is outside 1 to 64.' });
  });

  it('are at least one', () => {
    expect(parseSizes('  ', range)).toMatchObject({ ok: false, problem: expect.stringMatching(/at least one/) });
  });

  it('say so when the targets have no size in common', () => {
    expect(parseSizes('2', { min: 8, max: 4 })).toMatchObject({ ok: false, problem: expect.stringMatching(/in common/) });
  });
});
