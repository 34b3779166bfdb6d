import { type Diagnosis, explanationOf, headlineOf } from '../../src/model/domain/diagnosis.ts';
import { verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';

/** A verdict with what it says in words. */
export type WordedVerdict = Omit<Diagnosis, 'said' | 'why' | 'ruledOut'> & {
  headline: string;
  explanation: string;
  ruledOut: { kind: Diagnosis['kind']; because: string }[];
};

export function wordedVerdict({ said, why, ruledOut, ...rest }: Diagnosis): WordedVerdict {
  return {
    ...rest,
    headline: headlineOf({ said }),
    explanation: explanationOf({ why }),
    ruledOut: ruledOut.map(({ kind, because }) => ({ kind, because: verdictText(because) })),
  };
}

/** A verdict whose words are given as sentences, as in an old record. */
export function recordedVerdict({ headline, explanation, ruledOut, ...rest }: WordedVerdict): Diagnosis {
  const recorded = (sentence: string) => ({ code: 'recorded' as const, sentence });
  return {
    ...rest,
    said: recorded(headline),
    why: explanation === '' ? [] : [recorded(explanation)],
    ruledOut: ruledOut.map(({ kind, because }) => ({ kind, because: recorded(because) })),
  };
}
