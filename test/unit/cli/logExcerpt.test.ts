import { describe, expect, it } from 'vitest';
import { logExcerpt } from '../../../src/cli/initWays.ts';

const frames = (count: number): string[] => Array.from({ length: count }, (_, index) => `    at one (a.js:${index})`);

describe('the excerpt of a log', () => {
  it('begins with what the last stack trace is of where that trace is long', () => {
    const log = ['starting', 'Error: other', ...frames(2), 'migrating', 'error: relation "a" already exists', ...frames(14)].join('\n');
    expect(logExcerpt(log)).toEqual(['error: relation "a" already exists', '…', ...frames(14).slice(-8)]);
  });

  it('is the last lines where they show it, or where there is no trace', () => {
    expect(logExcerpt(['starting', 'Error: none', ...frames(3)].join('\n'))).toEqual(['starting', 'Error: none', ...frames(3)]);
    const plain = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    expect(logExcerpt(plain.join('\n'))).toEqual(plain.slice(-10));
  });

  it('is the last lines of a trace of which the beginning is missing', () => {
    expect(logExcerpt(frames(14).join('\n'))).toEqual(frames(14).slice(-10));
  });
});
