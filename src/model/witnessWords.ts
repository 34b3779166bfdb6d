import type { Witness } from './tuning.ts';

/** How a witness is called. */
export const witnessNames: Readonly<Record<Witness['kind'], string>> = { figures: 'Figures', mechanism: 'Mechanism' };

/** What a witness says of the value of the headline, in words for a list or a screen reader. */
export const witnessSays: Readonly<Record<Witness['says'], string>> = { for: 'for it', open: 'open', against: 'against it' };

/** The sentence of a witness without its name, which stands beside it. */
export function witnessSentence({ kind, sentence }: Witness): string {
  const prefix = `${witnessNames[kind]}: `;
  const rest = sentence.startsWith(prefix) ? sentence.slice(prefix.length) : sentence;
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** Said where one witness speaks for an answer and another against it; empty where they do not contradict each other, or say so themselves. */
export function disagreement(witnesses: readonly Witness[]): string {
  const speaks = (says: Witness['says']): boolean => witnesses.some((witness) => witness.says === says);
  if (!speaks('for') || !speaks('against') || witnesses.some(({ sentence }) => sentence.includes('disagree'))) return '';
  return 'The two witnesses disagree, so that the answer rests on neither alone.';
}
