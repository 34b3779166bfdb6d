import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationText, parseDuration } from '../../../src/model/domain/durationText.ts';
import { cpuMsSince } from '../../support/cpuMsSince.ts';

const day = { min: 1, max: 86_400 };

describe('a span of time as typed', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['90 s', 90],
    ['2m', 120],
    ['2 min', 120],
    ['2 MIN', 120],
    ['1 min 30 s', 90],
    ['1m30s', 90],
    ['1.5 minutes', 90],
    ['0.5 h', 1800],
    ['1 hour 5 sec', 3605],
    [' 24 h ', 86_400],
  ])('%s', (text, seconds) => {
    expect(parseDuration(text, day)).toEqual({ ok: true, value: seconds });
  });

  it.each(['', 'soon', 's', '-5', '5 +', '0', '2 days', '2 parsecs', '25 h', '1 h 30', '1 s 1 min', '1 min 1 min', '1e3'])(
    'refuses %j with a sentence that says what is wanted',
    (text) => {
      expect(parseDuration(text, day)).toEqual({ ok: false, problem: 'A time such as 90 s or 2 min is needed, from 1 s to 24 h.' });
    },
  );

  it('is read again from what is written of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 1, max: 86_400 }),
          fc.integer({ min: 1000, max: 86_400_000 }).map((ms) => ms / 1000),
        ),
        (seconds) => {
          expect(parseDuration(durationText(seconds), day)).toEqual({ ok: true, value: seconds });
        },
      ),
    );
  });

  it('is written as a person types it', () => {
    expect([90.5, 4, 60, 90, 7200, 3661, 86_400].map(durationText)).toEqual([
      '90.5 s',
      '4 s',
      '1 min',
      '1 min 30 s',
      '2 h',
      '1 h 1 min 1 s',
      '24 h',
    ]);
  });

  it('is the same in every unit, and within its range or refused', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.nat(70), fc.nat(70), (hours, minutes, seconds) => {
        const total = hours * 3600 + minutes * 60 + seconds;
        const expected = total >= 1 && total <= 86_400 ? { ok: true, value: total } : { ok: false };
        for (const text of [`${hours}h${minutes}m${seconds}s`, `${hours} hours ${minutes} min ${seconds} seconds`, String(total)])
          expect(parseDuration(text, day)).toMatchObject(expected);
      }),
    );
  });

  it('is refused quickly however long the text is', () => {
    const from = process.cpuUsage();
    for (const text of ['1'.repeat(50_000), `1${' '.repeat(50_000)}`, '1 '.repeat(25_000)])
      expect(parseDuration(`${text}!`, day).ok).toBe(false);
    expect(cpuMsSince(from)).toBeLessThan(1_000);
  });
});
