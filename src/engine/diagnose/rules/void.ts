import { wholeNumber } from '../../../model/format.ts';
import type { ErrorCounts } from '../../../model/run.ts';
import { generatorSaturated } from '../../statistics/judgement.ts';
import { advice, otherGenerator } from '../actions.ts';
import { atLeast, holds, below } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { errorShare } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { percentOf } from '../words.ts';

/** Something other than the app was measured. */
export const voidRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [
    holds(
      'must',
      'reasons why the measurement is void',
      s.voidReasons.length > 0,
      String(s.voidReasons.length),
      '≥ 1',
      'the rules for valid blocks',
    ),
    // Of the block in which it was worst, as the reasons have it.
    below('sign', 'CPU of the load generator, of one core', s.generatorAtWorst.cpuPercent, thresholds.generatorCpuPercent, {
      unit: 'percent',
    }),
    below('sign', 'event loop of the load generator busy', s.generatorAtWorst.loop, thresholds.generatorLoop, { unit: 'share' }),
    atLeast('sign', 'throughput × latency ÷ connections', s.generatorAtWorst.littleRatio, thresholds.littleRatio, { unit: 'count' }),
  ],
  tell: (s) => ({
    headline: `This measurement says nothing of the app: ${lowerFirst(s.voidReasons[0] ?? 'it is void.')}`,
    explanation: ['What limits the app cannot be told from it.', ...s.voidReasons.slice(1)].join(' '),
    // k6 has no event loop that could be seen: then it is k6 itself that was saturated.
    actions:
      s.generatorAtWorst.loop !== null && s.voidReasons.some((reason) => reason.startsWith(generatorSaturated))
        ? [otherGenerator]
        : [advice('Remove the cause that is named, and run it again')],
  }),
};

const errorNames: readonly (readonly [kind: Exclude<keyof ErrorCounts, 'total'>, what: string])[] = [
  ['status5xx', 'were answered with a server error'],
  ['status4xx', 'were answered with a client error'],
  ['timeout', 'were not answered in time'],
  ['refused', 'were refused'],
  ['reset', 'were cut off'],
  ['unanswered', 'were left without an answer'],
  ['other', 'failed in another way'],
];

/** So many errors that the figures are those of the errors. Rules that explain errors come before it. */
export const erroneousRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [atLeast('must', 'requests that failed', s.attempts === 0 ? 1 : errorShare(s), thresholds.errorsVoid, { unit: 'share' })],
  tell: (s) => {
    const kinds = errorNames.filter(([kind]) => s.errors[kind] > 0).map(([kind, what]) => `${wholeNumber(s.errors[kind])} ${what}`);
    return {
      headline:
        s.attempts === 0 ? 'Not one request was answered.' : `${percentOf(errorShare(s))} of the requests failed: ${kinds.join(', ')}.`,
      explanation:
        'An error is answered sooner or later than a result, so that these figures describe the errors. What limits the app cannot be told before they are gone.',
      actions: [
        advice(
          s.errors.status4xx > s.errors.total / 2 ? 'Check the route, its parameters and its body' : 'Look at the app’s log for the errors',
        ),
      ],
    };
  },
};

/** Programs that ended fail requests: then they are the cause. */
const ofEnd = /restarted or died|has ended|Look at its log/;

/** Requests failed, and something else makes the figures void too: a generator that is kept busy by errors, say. */
export const erroneousAndVoid: Rule = {
  ...erroneousRun,
  applies: (s) => s.voidReasons.length > 0 && !s.voidReasons.some((reason) => ofEnd.test(reason)),
};

/** A name such as PostgreSQL keeps its capital. */
function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]* /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
