import { describe, expect, it } from 'vitest';
import { timeLeft, timeLeftPhrase } from '../../../src/model/presentation/timeLeft.ts';

const phrase = (told: Parameters<typeof timeLeft>[0], sinceMs = 0): string | null => {
  const left = timeLeft(told, sinceMs);
  return left === null ? null : timeLeftPhrase(left);
};

describe('the time that is left', () => {
  it('is a range where some of it comes only while an answer stays undecided', () => {
    expect(phrase({ remainingMs: 90_000, surelyMs: 20_000 })).toBe('20 s to 1 min 30 s left');
    expect(phrase({ remainingMs: 90_000, surelyMs: 20_000 }, 12_000)).toBe('8 s to 1 min 18 s left');
    expect(phrase({ remainingMs: 40_000, surelyMs: 0 })).toBe('at most 40 s left');
  });

  it('is one figure where nothing is open, and of an engine that tells one', () => {
    expect(phrase({ remainingMs: 30_000, surelyMs: 30_000 })).toBe('about 30 s left');
    expect(phrase({ remainingMs: 30_000 })).toBe('about 30 s left');
    expect(phrase({ remainingMs: 30_000, surelyMs: 30_000 }, 40_000)).toBe('nearly done');
    expect(phrase({ remainingMs: null })).toBeNull();
  });
});
