import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber } from '../../../src/model/domain/numberText.ts';
import { optional } from '../../../src/model/domain/parsed.ts';

const seconds = { min: 0.5, max: 3600, whole: false };

describe('one number as typed', () => {
  it('may have a decimal point where it need not be whole', () => {
    expect(parseNumber(' 2.5 ', seconds)).toEqual({ ok: true, value: 2.5 });
    expect(parseNumber('.5', seconds)).toEqual({ ok: true, value: 0.5 });
    expect(parseNumber('2.5', { ...seconds, whole: true })).toEqual({ ok: false, problem: 'A whole number between 0.5 and 3600.' });
  });

  it('is refused when it is none or out of range', () => {
    for (const text of ['', 'soon', '0.1', '3601', '-1', '1e2', '0x10', 'Infinity'])
      expect(parseNumber(text, seconds)).toEqual({ ok: false, problem: 'A number between 0.5 and 3600.' });
  });

  it('is every whole number of its range, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), fc.nat(500), (value, max) => {
        expect(parseNumber(String(value), { min: 1, max, whole: true }).ok).toBe(value >= 1 && value <= max);
      }),
    );
  });

  it('may be left out where that is allowed', () => {
    expect(optional('  ', (text) => parseNumber(text, seconds))).toEqual({ ok: true, value: null });
    expect(optional('4', (text) => parseNumber(text, seconds))).toEqual({ ok: true, value: 4 });
  });
});
