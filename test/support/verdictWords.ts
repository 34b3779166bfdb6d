import { expect, it } from 'vitest';
import { type VerdictPart, verdictPartSchema, verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';

/** Each code of a table with its words. */
export type Words<T> = readonly (readonly [T, string])[];
export type VerdictWords = Words<VerdictPart>;

/** What codes say, that a record holds them, and that none of them is left out. */
export function expectWords(words: VerdictWords, codes: readonly string[]): void {
  expectTable(words, codes, verdictText, (part) => verdictPartSchema.parse(part));
}

/** The same of any table; `stored`: what a record gives back of an entry. */
export function expectTable<T extends { code: string }>(
  words: Words<T>,
  codes: readonly string[],
  text: (entry: T) => string,
  stored: (entry: T) => unknown,
): void {
  it.each(words)('%j is “%s”', (entry, said) => {
    expect(text(entry)).toBe(said);
    expect(stored(entry)).toEqual(entry);
  });

  it('has a line here for each of its codes', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(codes));
  });
}
