import { uncapital } from '../../../model/domain/sentence.ts';
import { wholeNumber } from '../../../model/domain/format.ts';
import type { ErrorCounts } from '../../../model/domain/run.ts';
import { findingText, findingTexts, isOf } from '../../../model/domain/findings.ts';
import { advice, otherGenerator } from '../actions.ts';
import { anyOf, atLeast, holds, below, share } from '../checks.ts';
import { appCpuShare, pgCpuShare, proxyCores, proxyShare } from '../cpuUse.ts';
import type { Rule } from '../rule.ts';
import { errorShare } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { ofCores, percentOf } from '../words.ts';

/** Something other than the app was measured. */
export const discardedRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [
    holds(
      'must',
      'reasons to discard the measurement',
      s.discardReasons.length > 0,
      String(s.discardReasons.length),
      '≥ 1',
      'the rules for valid blocks',
    ),
    // The figure of the block in which it was worst, as the reasons have it.
    below('sign', 'CPU of the load generator, of one core', s.generatorAtWorst.cpuPercent, thresholds.generatorCpuPercent, {
      unit: 'percent',
    }),
    below('sign', 'event loop of the load generator busy', s.generatorAtWorst.loop, thresholds.generatorLoop, { unit: 'share' }),
    atLeast('sign', 'throughput × latency ÷ connections', s.generatorAtWorst.littleRatio, thresholds.littleRatio, { unit: 'count' }),
  ],
  explain: (s) => ({
    headline: `This measurement says nothing of the app: ${uncapital(s.discardReasons[0] === undefined ? 'it was discarded.' : findingText(s.discardReasons[0]))}`,
    explanation: ['What limits the app cannot be told from it.', ...findingTexts(s.discardReasons.slice(1))].join(' '),
    // k6 has no event loop that could be seen: then it is k6 itself that was saturated.
    tells: s.discardReasons.slice(0, 1),
    actions:
      s.generatorAtWorst.loop !== null && s.discardReasons.some((reason) => isOf(reason, 'generator-full'))
        ? [otherGenerator]
        : [advice('Remove the cause that is named, and run it again')],
  }),
};

/**
 * The load generator wants a whole core and gets less, since others take some of it: it is no less what is measured for that. Its event loop does not show it,
 * for which the time from being woken to running counts as idle. That it only waits for its turn behind the app is excluded by an app and a database that
 * hardly compute.
 */
export const starvedGenerator: Rule = {
  kind: 'invalid',
  surely: true,
  // For a generator without a visible loop (k6) the number of cores that it can use is unknown.
  applies: (s) => s.load === 'closed' && s.generator.loop !== null,
  checks: (s) => [
    ...anyOf(
      atLeast(
        'must',
        'CPU that the load generator used or waited for, of one core',
        s.generatorWantedPercent,
        thresholds.generatorCpuPercent,
        {
          unit: 'percent',
        },
      ),
      atLeast('must', 'blocks left out because the load generator was saturated', s.saturatedBlocks, thresholds.saturatedBlocks, {
        unit: 'share',
      }),
    ),
    atLeast('must', 'of that, what it used', share(s.generator.cpuPercent, s.generatorWantedPercent), thresholds.generatorRuns, {
      unit: 'share',
    }),
    below('must', 'CPU of the app', appCpuShare(s), thresholds.behindGeneratorCpu, {
      unit: 'share',
      text: ofCores(appCpuShare(s), s.appCores),
    }),
    ...(s.pgCpuPercent === null
      ? []
      : [
          below('guard', 'CPU of PostgreSQL', pgCpuShare(s), thresholds.behindGeneratorCpu, {
            unit: 'share',
            text: ofCores(pgCpuShare(s), s.pgCores),
          }),
        ]),
    ...(s.proxy === null
      ? []
      : [
          below('guard', 'CPU of the proxy’s workers, of the cores that they may use', proxyShare(s), thresholds.proxyWorker, {
            unit: 'share',
            text: ofCores(proxyShare(s), proxyCores(s)),
          }),
        ]),
  ],
  explain: (s) => ({
    headline: `This measurement says nothing of the app: the load generator was saturated (it used or waited for ${percentOf(share(s.generatorWantedPercent, 100))} of a core), and the app used ${percentOf(appCpuShare(s))} of its CPU.`,
    explanation: `It got ${percentOf(share(s.generator.cpuPercent, 100))} of a core${s.saturatedBlocks > 0 ? `, and all of one in ${percentOf(s.saturatedBlocks)} of the blocks, which are left out` : ' and could have used more'}: what was measured is the generator. Use fewer connections or a heavier route, or let k6 put the load on.`,
    actions: [otherGenerator],
  }),
};

const errorNames: readonly (readonly [kind: Exclude<keyof ErrorCounts, 'total'>, what: string])[] = [
  ['status5xx', 'were answered with a server error'],
  ['status4xx', 'were answered with a client error'],
  ['limited', 'were answered with 429, by a rate limit'],
  ['unexpected', 'were answered otherwise than expected'],
  ['timeout', 'were not answered in time'],
  ['refused', 'were refused'],
  ['reset', 'were cut off'],
  ['unanswered', 'were left without an answer'],
  ['other', 'failed in another way'],
];

/** With so many errors the figures describe the errors. Rules that explain errors come before it. */
export const erroneousRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [
    atLeast('must', 'requests that failed', s.attempts === 0 ? 1 : errorShare(s), thresholds.errorsDiscard, { unit: 'share' }),
  ],
  explain: (s) => {
    const kinds = errorNames.filter(([kind]) => s.errors[kind] > 0).map(([kind, what]) => `${wholeNumber(s.errors[kind])} ${what}`);
    return {
      headline:
        s.attempts === 0 ? 'Not one request was answered.' : `${percentOf(errorShare(s))} of the requests failed: ${kinds.join(', ')}.`,
      explanation:
        'An error is answered sooner or later than a result, so that these figures describe the errors. What limits the app cannot be told before they are gone.',
      actions: [
        advice(
          s.errors.limited > s.errors.total / 2
            ? 'Switch the rate limit off for the benchmark, or raise it far above what is measured'
            : s.errors.status4xx > s.errors.total / 2
              ? 'Check the route, its parameters and its body'
              : 'Look at the app’s log for the errors',
        ),
      ],
    };
  },
};

/**
 * Requests failed, and something else discards the figures too: a generator that is kept busy by errors, say. Programs that ended fail requests: then they
 * are the cause.
 */
export const erroneousAndDiscarded: Rule = {
  ...erroneousRun,
  applies: (s) => s.discardReasons.length > 0 && !s.discardReasons.some((reason) => isOf(reason, 'end')),
};
