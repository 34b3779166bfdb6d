import { describe, expect, it } from 'vitest';
import { parseSizes } from '../../../../src/extension/benchmark/poolSizes.ts';

const range = { min: 1, max: 64 };
const values = (text: string): number[] | string => {
  const parsed = parseSizes(text, range);
  return parsed.ok ? parsed.values : parsed.problem;
};

describe('pool sizes as typed', () => {
  it('are numbers with commas, blanks or semicolons between, sorted and each once', () => {
    expect(values('8, 2 4;8')).toEqual([2, 4, 8]);
  });

  it('may be a span of powers of two, alone or beside numbers', () => {
    expect(values('2..64')).toEqual([2, 4, 8, 16, 32, 64]);
    expect(values('3 .. 20, 5')).toEqual([4, 5, 8, 16]);
  });

  it('are refused with a reason when they are missing, no numbers, negative or fractional', () => {
    expect(values('  ,')).toMatch(/at least one/);
    expect(values('2, many')).toMatch(/“many” is not a size/);
    expect(values('-2')).toMatch(/“-2” is not a size/);
    expect(values('2.5')).toMatch(/“2.5” is not a size/);
  });

  it('are refused when a target does not take them, also inside a span', () => {
    expect(values('0, 2')).toBe('0 is outside 1 to 64.');
    expect(values('2..128')).toBe('128 is outside 1 to 64.');
  });

  it('are refused for a span that runs backwards or holds no power of two', () => {
    expect(values('8..2')).toMatch(/first number is above/);
    expect(values('5..7')).toMatch(/no power of two/);
  });

  it('are refused when they are too many, however short the text is', () => {
    const many = Array.from({ length: 33 }, (_, index) => index + 1).join(' ');
    expect(values(many)).toBe('33 sizes are too many for one run; at most 32.');
    expect(parseSizes('1..1000000000', { min: 1, max: 2_000_000_000 })).toMatchObject({ ok: true, values: { length: 30 } });
  });

  it('say so when the targets have no size in common', () => {
    expect(parseSizes('2', { min: 8, max: 4 })).toMatchObject({ ok: false, problem: expect.stringMatching(/in common/) });
  });
});
