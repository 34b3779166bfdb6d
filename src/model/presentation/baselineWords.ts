import type { AgainstBaseline } from '../domain/run.ts';
import { withinPhrase } from '../domain/margin.ts';
import { signedRange } from './comparedWords.ts';

const notCompared = {
  'other-machine': 'that was measured on another machine',
  'no-common-setting': 'it has no setting in common with that under the same requests',
  'few-blocks': 'there are too few blocks',
} as const;

/** How a run compares with its baseline, in one sentence. */
export function baselineSentence({ basis, verdict }: Pick<AgainstBaseline, 'basis' | 'verdict'>): string {
  if (basis.code !== 'setting') return `Not compared with the baseline: ${notCompared[basis.code]}.`;
  const where = [basis.target, ...Object.entries(basis.values).map(([name, value]) => `${name} ${value}`)].join(' · ');
  const range = signedRange(basis.ratio.ciLow, basis.ratio.ciHigh);
  const words = {
    worse: `${where} is slower than the baseline (${range}).`,
    better: `Faster than the baseline (at least at ${where}: ${range}).`,
    same: `As fast as the baseline, within ${withinPhrase(basis.delta)} (${range}).`,
    unknown: `No difference from the baseline beyond what runs differ in by themselves (${where}: ${range}).`,
  };
  return words[verdict];
}
