import { answerHeadline } from '../../src/model/domain/answerFacts.ts';
import { reasonsText } from '../../src/model/domain/answerReason.ts';
import type { Recommendation } from '../../src/model/domain/run.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';

/** An answer with what is said of it. */
export type Worded<A> = Omit<A, 'why'> & { headline: string; why: string };

export function worded<A extends Recommendation | TuningAnswer>(answer: A): Worded<A> {
  return { ...answer, headline: answerHeadline(answer), why: reasonsText(answer.why) };
}
