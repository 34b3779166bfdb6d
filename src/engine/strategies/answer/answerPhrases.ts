import { oneDecimal } from '../../../model/format.ts';

/** Phrases that the answers of runs and of tunings share. */

export function roundsPhrase(count: number): string {
  return `${count} more ${count === 1 ? 'round' : 'rounds'}`;
}

export function atStart(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/**
 * " [12.2 – 64.7 %]": what is lost at least and at most, from an interval of the ratio to the best. Empty where there is none, or where it is so
 * wide (more than the whole could be won) that its figures would say nothing.
 */
export function lossRange(ciLow: number | null, ciHigh: number | null): string {
  if (ciLow === null || ciHigh === null || ciHigh > 2) return '';
  const percent = (ratio: number): string => oneDecimal(100 * (1 - ratio)).replace('-', '−');
  return ` [${percent(ciHigh)} – ${percent(ciLow)} %]`;
}
