import { describe, expect, it } from 'vitest';
import type { AgainstBaseline } from '../../../src/model/domain/run.ts';
import { baselineSentence } from '../../../src/model/presentation/baselineWords.ts';

const at = (mean: number): AgainstBaseline['basis'] => ({
  code: 'setting',
  target: 'java',
  values: { pool: 8 },
  ratio: { mean, ciLow: mean - 0.02, ciHigh: mean + 0.02 },
  delta: 0.05,
});

describe('a run against its baseline, in words', () => {
  it.each<[AgainstBaseline['basis'], AgainstBaseline['verdict'], string]>([
    [{ code: 'other-machine' }, 'unknown', 'Not compared with the baseline: that was measured on another machine.'],
    [
      { code: 'no-common-setting' },
      'unknown',
      'Not compared with the baseline: it has no setting in common with that under the same requests.',
    ],
    [{ code: 'few-blocks' }, 'unknown', 'Not compared with the baseline: there are too few blocks.'],
    [at(0.8), 'worse', 'java · pool 8 is slower than the baseline (−22 to −18 %).'],
    [at(1.2), 'better', 'Faster than the baseline (at least at java · pool 8: +18 to +22 %).'],
    [at(1), 'same', 'As fast as the baseline, within ±5 % (−2 to +2 %).'],
    [at(0.95), 'unknown', 'No difference from the baseline beyond what runs differ in by themselves (java · pool 8: −7 to −3 %).'],
  ])('%o, %s', (basis, verdict, sentence) => {
    expect(baselineSentence({ basis, verdict })).toBe(sentence);
  });
});
