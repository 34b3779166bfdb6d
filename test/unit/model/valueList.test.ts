import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostValues, parseChoices, parseNumbers, parseSettingValues, parseValues } from '../../../src/model/presentation/valueList.ts';

const range = { min: 1, max: 256 };

function read(text: string): unknown {
  const parsed = parseValues(text);
  return parsed.ok ? parsed.value : parsed.problem;
}

function numbers(text: string): unknown {
  const parsed = parseNumbers(text, range);
  return parsed.ok ? parsed.value : parsed.problem;
}

describe('values as typed', () => {
  it.each([
    ['2,4,8', [2, 4, 8]],
    ['8, 2,4 4;16', [2, 4, 8, 16]],
    ['2..64', [2, 4, 8, 16, 32, 64]],
    ['2…10', [2, 4, 8, 10]],
    ['3..20', [3, 6, 12, 20]],
    ['3 .. 20, 5', [3, 5, 6, 12, 20]],
    ['5..7', [5, 7]],
    ['3..3', [3]],
    ['1..3,8', [1, 2, 3, 8]],
    ['0', [0]],
    ['virtual, platform, virtual', ['virtual', 'platform']],
    ['G1 GC', ['G1 GC']],
    ['-XX:+UseZGC', ['-XX:+UseZGC']],
    ['  ', []],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    ['2,,4', /missing/],
    ['2,', /missing/],
    [',2', /missing/],
    ['64..2', /larger/],
    ['0..8', /above 0/],
    ['2..many', /no range/],
    ['..8', /no range/],
    ['-1', /from 0 up/],
    ['99999999999999999999', /too large/],
    [Array.from({ length: mostValues + 1 }, (_, index) => index).join(','), /At most 32 values; these are 33\./],
  ])('refuses %s', (text, problem) => {
    expect(read(text)).toMatch(problem);
  });

  it('holds every number that was typed, once and in ascending order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(100_000), { minLength: 1, maxLength: mostValues }),
        fc.constantFrom(',', ', ', ' ', '; ', ' ,  '),
        (typed, between) => {
          expect(read(typed.join(between))).toEqual([...new Set(typed)].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('makes a range of both its ends and doublings between, from a smaller number to a larger one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }), (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const values = read(`${low}..${high}`) as number[];
        expect([values[0], values.at(-1)]).toEqual([low, high]);
        for (const [index, value] of values.slice(1, -1).entries()) expect(value).toBe(2 * (values[index] ?? 0));
        expect(values.at(-1)).toBeLessThanOrEqual(2 * (values.at(-2) ?? low));
      }),
    );
  });

  it('is a list or a sentence, whatever is typed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-c.,; …-]{0,20}$/)), (text) => {
        const parsed = parseValues(text);
        if (parsed.ok) expect(new Set(parsed.value).size).toBe(parsed.value.length);
        else expect(parsed.problem).toMatch(/\.$/);
      }),
    );
  });
});

describe('whole numbers as typed', () => {
  it('are those within their range', () => {
    expect(numbers('2..128')).toEqual([2, 4, 8, 16, 32, 64, 128]);
    expect(numbers('')).toEqual([]);
    expect(numbers('0, 2')).toBe('0 is outside 1 to 256.');
    expect(numbers('2..512')).toBe('512 is outside 1 to 256.');
    for (const text of ['many', '2.5', '1e2'])
      expect(numbers(`2, ${text}`)).toBe(`“${text}” is no whole number. Type numbers such as 2, 4, 8 or 2..64.`);
  });

  it('are what the values of a setting are that takes numbers', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 512 }), (noise, high) => {
        for (const text of [noise, `1..${high}`])
          expect(parseSettingValues(text, { kind: 'number', ...range })).toEqual(parseNumbers(text, range));
      }),
    );
  });
});

describe('words of a choice as typed', () => {
  const choices = ['platform', 'virtual', 'G1 GC', '17'];

  it('are matched without regard to case, and come back as they are declared', () => {
    expect(parseChoices('Virtual, platform, virtual', choices)).toEqual({ ok: true, value: ['virtual', 'platform'] });
    expect(parseChoices('virtual platform', choices)).toEqual({ ok: true, value: ['virtual', 'platform'] });
    expect(parseChoices('g1  gc; 17', choices)).toEqual({ ok: true, value: ['G1 GC', '17'] });
    expect(parseChoices('', choices)).toEqual({ ok: true, value: [] });
  });

  it('name those that there are where one is none of them', () => {
    expect(parseChoices('green', ['platform', 'virtual'])).toEqual({ ok: false, problem: '“green” is none of platform, virtual.' });
  });
});
