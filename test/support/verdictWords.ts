import { expect, it } from 'vitest';
import { type VerdictPart, verdictPartSchema, verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';

/** Each code of a table with its words. */
export type VerdictWords = readonly (readonly [VerdictPart, string])[];

/** What codes say, that a record holds them, and that none of them is left out. */
export function expectWords(words: VerdictWords, codes: readonly string[]): void {
  it.each(words)('%j is “%s”', (part, text) => {
    expect(verdictText(part)).toBe(text);
    expect(verdictPartSchema.parse(part)).toEqual(part);
  });

  it('has a line here for each of its codes', () => {
    expect(new Set(words.map(([{ code }]) => code))).toEqual(new Set(codes));
  });
}
