import { failedRequestKinds } from '../../../model/domain/findingKinds.ts';
import { isOf } from '../../../model/domain/findings.ts';
import { advice, otherGenerator } from '../actions.ts';
import { anyOf, atLeast, holds, below, share } from '../checks.ts';
import { appCpuShare } from '../cpuUse.ts';
import type { Rule } from '../rule.ts';
import { errorShare } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { cpuBelow, ofApp, ofPostgres, ofProxy } from './guards.ts';

/** Something other than the app was measured. */
export const discardedRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [
    holds('must', { code: 'discard-reasons' }, s.discardReasons.length > 0, {
      value: s.discardReasons.length,
      threshold: { is: '≥', limit: 1 },
      source: 'valid-blocks',
    }),
    // The figure of the block in which it was worst, as the reasons have it.
    below('sign', { code: 'generator-cpu' }, s.generatorAtWorst.cpuPercent, thresholds.generatorCpuPercent),
    below('sign', { code: 'generator-loop' }, s.generatorAtWorst.loop, thresholds.generatorLoop),
    atLeast('sign', { code: 'little-ratio' }, s.generatorAtWorst.littleRatio, thresholds.littleRatio),
  ],
  explain: (s) => ({
    said: { code: 'says-nothing', finding: s.discardReasons[0] ?? null },
    why: [{ code: 'says-nothing-why' }, ...s.discardReasons.slice(1).map((finding) => ({ code: 'finding' as const, finding }))],
    // k6 has no event loop that could be seen: then it is k6 itself that was saturated.
    tells: s.discardReasons.slice(0, 1),
    actions:
      s.generatorAtWorst.loop !== null && s.discardReasons.some((reason) => isOf(reason, 'generator-full'))
        ? [otherGenerator]
        : [advice({ code: 'remove-cause' })],
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
      atLeast('must', { code: 'generator-wanted' }, s.generatorWantedPercent, thresholds.generatorCpuPercent),
      atLeast('must', { code: 'blocks-left-out' }, s.saturatedBlocks, thresholds.saturatedBlocks),
    ),
    atLeast('must', { code: 'generator-got' }, share(s.generator.cpuPercent, s.generatorWantedPercent), thresholds.generatorRuns),
    cpuBelow('must', ofApp(s), thresholds.behindGeneratorCpu),
    ...(s.pgCpuPercent === null ? [] : [cpuBelow('guard', ofPostgres(s), thresholds.behindGeneratorCpu)]),
    ...(s.proxy === null ? [] : [cpuBelow('guard', ofProxy(s), thresholds.proxyWorker)]),
  ],
  explain: (s) => ({
    said: { code: 'generator-starved', wantedShare: share(s.generatorWantedPercent, 100), appShare: appCpuShare(s) },
    why: [{ code: 'generator-starved-why', usedShare: share(s.generator.cpuPercent, 100), saturatedBlocks: s.saturatedBlocks }],
    actions: [otherGenerator],
  }),
};

/** With so many errors the figures describe the errors. Rules that explain errors come before it. */
export const erroneousRun: Rule = {
  kind: 'invalid',
  surely: true,
  applies: () => true,
  checks: (s) => [atLeast('must', { code: 'failed' }, s.attempts === 0 ? 1 : errorShare(s), thresholds.errorsDiscard)],
  explain: (s) => {
    const failed = failedRequestKinds.map((kind) => ({ kind, requests: s.errors[kind] })).filter(({ requests }) => requests > 0);
    return {
      said: s.attempts === 0 ? { code: 'none-answered' } : { code: 'many-failed', share: errorShare(s), failed },
      why: [{ code: 'failed-why' }],
      actions: [
        advice({
          code:
            s.errors.limited > s.errors.total / 2
              ? 'no-rate-limit'
              : s.errors.status4xx > s.errors.total / 2
                ? 'check-route'
                : 'look-at-log',
        }),
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
