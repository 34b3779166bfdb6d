import { type Fields, changed, each, recorded } from './sentencesToFindings.ts';

/** A record of version 6, whose verdicts were sentences: each is kept as one of a code. */
export function verdictsToCodes(record: Fields): Record<string, unknown> {
  return {
    ...record,
    ...each(record, 'trials', (trial) => ({ ...trial, ...changed(trial, 'diagnosis', withCodes) })),
    ...each(record, 'recommendations', withLimit),
    ...changed(record, 'result', (result) => ({
      ...result,
      ...each(result, 'answers', withLimit),
      ...each(result, 'points', ({ limitSentence, ...point }) => ({
        ...point,
        limitSaid: typeof limitSentence === 'string' ? recorded(limitSentence) : null,
      })),
      ...each(result, 'ladders', (ladder) => ({
        ...ladder,
        ...changed(ladder, 'sign', ({ sentence, ...sign }) => ({ ...sign, said: recorded(sentence) })),
      })),
    })),
  };
}

function withCodes({ headline, explanation, ...diagnosis }: Fields): Fields {
  return {
    ...diagnosis,
    said: recorded(headline),
    why: explanation === '' ? [] : [recorded(explanation)],
    ...each(diagnosis, 'ruledOut', (one) => ({ ...one, because: recorded(one['because']) })),
  };
}

/** What limits the best was a sentence among the reasons of an answer. */
function withLimit(answer: Fields): Fields {
  const codes = each(answer, 'why', (reason) =>
    reason['code'] === 'limit' ? { ...reason, verdict: recorded(reason['verdict']) } : reason,
  );
  return { ...answer, ...codes };
}
