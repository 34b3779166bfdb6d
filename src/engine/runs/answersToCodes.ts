import { type Fields, changed, listed, recorded } from './sentencesToFindings.ts';

/** A record of version 5, whose answers were sentences: each is kept as one of a code. The facts of a headline, where it had them, are kept as they are. */
export function answersToCodes(record: Fields): Record<string, unknown> {
  return {
    ...record,
    recommendations: listed(record['recommendations']).map(withCodes),
    ...changed(record, 'result', (result) =>
      'answers' in result ? { ...result, answers: listed(result['answers']).map(withCodes) } : result,
    ),
  };
}

function withCodes({ headline, why, whyLine, facts, ...answer }: Fields): Fields {
  const { settingNames } = answer;
  // Those of several settings named all of them, also those of which one value was measured: their sentence did not.
  const isOfOne = !Array.isArray(settingNames) || settingNames.length === 1;
  return {
    ...answer,
    facts: facts !== undefined && isOfOne ? facts : recorded(headline),
    why: [why, whyLine].filter((text) => typeof text === 'string' && text !== '').map(recorded),
  };
}
