import type { Ratio, Verdict } from '../../src/model/tuning.ts';
import { changePhrase } from '../kit/figures/words.ts';

/** The word of a verdict, as it stands beside a figure. */
export const verdictWord: Record<Verdict, string> = { better: 'better', worse: 'worse', same: 'same ±5 %', unknown: 'can’t tell yet' };

/** "+8 … +16 %", or nothing where there is no interval. */
export function ratioRange({ ciLow, ciHigh }: Ratio): string {
  if (ciLow === null || ciHigh === null) return '';
  return `${changePhrase(ciLow).replace(' %', '')} … ${changePhrase(ciHigh)}`;
}
