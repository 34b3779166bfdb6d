import { type Diagnosis, diagnosisSchema, explanationOf, headlineOf } from '../../src/model/domain/diagnosis.ts';
import { type Evidence, wordedFigure } from '../../src/model/domain/verdict/evidence.ts';
import { type NextAction, actionText } from '../../src/model/domain/verdict/nextActions.ts';
import { verdictText } from '../../src/model/domain/verdict/verdictKinds.ts';

type Labelled<A> = A extends NextAction ? Omit<A, 'label'> & { label: string } : never;

/** A verdict with what it says in words. */
export type WordedVerdict = Omit<Diagnosis, 'said' | 'why' | 'ruledOut' | 'evidence' | 'actions'> & {
  headline: string;
  explanation: string;
  ruledOut: { kind: Diagnosis['kind']; because: string }[];
  evidence: ReturnType<typeof wordedFigure<Evidence>>[];
  actions: Labelled<NextAction>[];
};

export function wordedVerdict({ said, why, ruledOut, evidence, actions, ...rest }: Diagnosis): WordedVerdict {
  return {
    ...rest,
    headline: headlineOf({ said }),
    explanation: explanationOf({ why }),
    ruledOut: ruledOut.map(({ kind, because }) => ({ kind, because: verdictText(because) })),
    evidence: evidence.map(wordedFigure),
    actions: actions.map((action) => ({ ...action, label: actionText(action) })),
  };
}

/** A verdict whose words are given as sentences, as in an old record. */
export function recordedVerdict({ headline, explanation, ...rest }: WordedVerdict): Diagnosis {
  return diagnosisSchema.parse({ ...rest, said: headline, why: explanation === '' ? [] : [explanation] });
}
