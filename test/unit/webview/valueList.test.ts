import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDurationS,
  parseChoiceList,
  parseNumberList,
  parseOneNumber,
  powersOfTwoBetween,
} from '../../../webview/kit/fields/valueList.ts';

const range = { min: 1, max: 256 };
const values = (text: string): number[] | string => {
  const parsed = parseNumberList(text, range);
  return parsed.ok ? parsed.values : parsed.problem;
};

describe('a list of numbers as typed', () => {
  it('is read with commas, spaces and semicolons, sorted and each once', () => {
    expect(values('8, 2,4 4;16')).toEqual([2, 4, 8, 16]);
  });
  it('understands a range as the powers of two in it, beside single values', () => {
    expect(values('2..64')).toEqual([2, 4, 8, 16, 32, 64]);
    expect(values('3 .. 20, 5')).toEqual([4, 5, 8, 16]);
  });
  it('gives no values for an empty text, so that the default is used', () => {
    expect(values('  ')).toEqual([]);
  });
  it.each(['two', '2, x', '0', '257', '-4', '2.5', '5..7', '64..2', '1e2', '0..512'])(
    'refuses %j with a sentence that says what is wanted',
    (text) => {
      expect(values(text)).toBe('Whole numbers between 1 and 256, separated by commas, such as 2, 4, 8 or 2..64.');
    },
  );
  it('refuses more values than a run can take', () => {
    expect(values(Array.from({ length: 33 }, (_, index) => index + 1).join(','))).toBe('At most 32 values; these are 33.');
  });
  it('reads back any list of whole numbers in range', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 256 }), { minLength: 1, maxLength: 32 }), (numbers) => {
        expect(values(numbers.join(', '))).toEqual([...numbers].sort((a, b) => a - b));
      }),
    );
  });
});

it('powers of two include both ends', () => {
  expect(powersOfTwoBetween(1, 8)).toEqual([1, 2, 4, 8]);
});

describe('a list of words as typed', () => {
  it('is matched without regard to case', () => {
    expect(parseChoiceList('Virtual, platform', ['platform', 'virtual'])).toEqual({ ok: true, values: ['virtual', 'platform'] });
  });
  it('names the words that may be used', () => {
    expect(parseChoiceList('green', ['platform', 'virtual'])).toEqual({
      ok: false,
      problem: 'One or more of platform, virtual, separated by commas.',
    });
  });
});

describe('one number as typed', () => {
  const seconds = { min: 0.5, max: 3600, whole: false, what: 'Seconds' };
  it('may have a decimal point where parts make sense', () => {
    expect(parseOneNumber(' 2.5 ', seconds)).toEqual({ ok: true, value: 2.5 });
    expect(parseOneNumber('2.5', { ...seconds, whole: true })).toMatchObject({ ok: false });
  });
  it('is null when empty and refused out of range', () => {
    expect(parseOneNumber('', seconds)).toEqual({ ok: true, value: null });
    expect(parseOneNumber('0.1', seconds)).toEqual({ ok: false, problem: 'Seconds between 0.5 and 3600.' });
  });
});

describe('a span of time', () => {
  const range = { min: 1, max: 3600 };
  it('is read in seconds, minutes, hours and sums of them', () => {
    expect(['90', '90 s', '2 min', '1m30s', '0.5 h', '1.5 min'].map((text) => parseDurationS(text, range))).toEqual(
      [90, 90, 120, 90, 1800, 90].map((value) => ({ ok: true, value })),
    );
  });
  it('is nothing when the field is empty, and a problem when it is no time or out of range', () => {
    expect(parseDurationS('  ', range)).toEqual({ ok: true, value: null });
    for (const text of ['two', '2 parsecs', '0', '2 h', '-5', '5 +']) expect(parseDurationS(text, range).ok).toBe(false);
  });
  it('is refused quickly however long the text is', () => {
    const from = performance.now();
    expect(parseDurationS(`${'1'.repeat(50_000)}!`, range).ok).toBe(false);
    expect(performance.now() - from).toBeLessThan(1_000);
  });
});
