import { describe, expect, it } from 'vitest';
import { capital, uncapital, withoutStop, withStop, wrapped } from '../../../src/model/domain/sentence.ts';

describe('a sentence', () => {
  it('begins with a capital, and p99 stays p99', () => {
    expect(['pool 2 is slower', 'p99 of pool 2 is higher', '“x” is slower'].map(capital)).toEqual([
      'Pool 2 is slower',
      'p99 of pool 2 is higher',
      '“x” is slower',
    ]);
  });

  it('goes into another without its capital and its stop; a name keeps its own', () => {
    expect([uncapital('The app died.'), uncapital('PostgreSQL was restarted.')]).toEqual(['the app died.', 'PostgreSQL was restarted.']);
    expect([withoutStop('It died.'), withoutStop('5.5 of 6')]).toEqual(['It died', '5.5 of 6']);
  });

  it('has one end: its own, or a stop', () => {
    expect(['look at its plan', 'what waits?', 'It died.', ' Fifty … '].map(withStop)).toEqual([
      'look at its plan.',
      'what waits?',
      'It died.',
      'Fifty …',
    ]);
    expect(withStop('  ')).toBe('');
  });

  it('is broken between words', () => {
    expect(wrapped('one two three fourteen', 7)).toEqual(['one two', 'three', 'fourteen']);
  });
});
