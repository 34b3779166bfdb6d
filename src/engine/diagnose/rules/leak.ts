import { figure, wholeNumber } from '../../../model/domain/format.ts';
import type { NextAction } from '../../../model/domain/diagnosis.ts';
import { advice } from '../actions.ts';
import { anyOf, atLeast, plain, share } from '../checks.ts';
import type { Check } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { looksUnanswered } from '../signals.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { ofMax, waited } from '../words.ts';
import { queued, standsStill } from './poolChecks.ts';

/** Of the connections that outlived their request, those that never came back. Work that continues after an answer returns its connections later. */
function neverBack(s: Signals): number | null {
  const outlived = s.pool?.outlived;
  return outlived == null ? null : share(outlived.held, outlived.held + outlived.cameBack);
}

function lostShare(s: Signals): number | null {
  return share(s.pool?.outlived?.held, s.pool?.max);
}

/** Connections lost per request; null where none was lost in the measured time. */
function rate(s: Signals): number | null {
  const grew = s.pool?.outlived?.grew ?? 0;
  return grew > 0 && s.attempts > 0 ? grew / s.attempts : null;
}

function perThousand(s: Signals): string | null {
  const lost = rate(s);
  return lost === null ? null : `${figure(1000 * lost)} of every 1,000 requests`;
}

/** All connections lent since the app began: a pool that was dry before it was measured lost none meanwhile. */
function everLost(s: Signals): string | null {
  const { held = 0, lentInAll = 0 } = s.pool?.outlived ?? {};
  return lentInAll < held || held === 0
    ? null
    : `Since it began, ${wholeNumber(held)} of the ${wholeNumber(lentInAll)} that were taken were lost, ${figure((1000 * held) / lentInAll)} of every 1,000.`;
}

/** Where the lost connections were acquired, as far as that was recorded. */
function whereTaken(s: Signals): string {
  const { held = 0, places = [] } = s.pool?.outlived ?? {};
  const [first, ...others] = places.map(({ at, count }) => ({ at, often: wholeNumber(count) }));
  if (first === undefined) return '';
  const more = others.map(({ at, often }) => `, ${often} at ${at}`).join('');
  return ` ${first.often} of the ${wholeNumber(held)} ${first.often === '1' ? 'is' : 'are'} known to have been taken at ${first.at}${more}.`;
}

function cures(s: Signals): NextAction[] {
  if (s.runtime !== 'jvm')
    return [advice('Give the connection back on every path, also on an early return and on an error (try … finally)')];
  return [
    advice('Close the connection on every path, also on an early return and on an error (try-with-resources)'),
    ...(whereTaken(s) === ''
      ? [
          advice(
            'Let the pool log where such connections were taken: HikariCP’s leakDetectionThreshold, logAbandoned of dbcp2 and Tomcat JDBC',
          ),
        ]
      : []),
  ];
}

/**
 * The pool ran dry since requests ended without giving their connection back. Comes before a pool that locked itself up, which looks the same except for who
 * holds the connections: there, requests in progress hold them.
 */
export const connectionLeak: Rule = {
  kind: 'connection-leak',
  surely: true,
  applies: (s) => s.pool?.outlived != null && looksUnanswered(s),
  checks: (s) => [
    atLeast('must', 'connections of the pool that no request under way holds', lostShare(s), thresholds.leakedShare, {
      unit: 'share',
      text: ofMax(s.pool?.outlived?.held ?? null, s.pool?.max ?? null),
    }),
    atLeast('must', 'of such connections, those that never came back', neverBack(s), thresholds.neverBack, { unit: 'share' }),
    queued(s),
    ...anyOf(
      standsStill(s),
      atLeast('must', 'the same at the end of the measured time', lostShare(s), thresholds.poolBusy, { unit: 'share' }),
    ),
  ],
  explain: (s) => {
    const { max, outlived, pending } = s.pool ?? { max: null, outlived: null, pending: null };
    const lost = outlived?.held ?? 0;
    const often = perThousand(s);
    const ever = everLost(s);
    return {
      headline: `Connections leak, and the pool is dry: ${wholeNumber(lost)} of its ${max ?? 'few'} connections were taken by requests that are over and never given back, and ${waited(pending)}.`,
      explanation: `No request under way holds one of them, so that it is no request that waits for a second connection.${whereTaken(s)}${often === null ? '' : ` ${often} lost one while it was measured.`}${ever === null ? '' : ` ${ever}`} A larger pool runs dry as well, only later.`,
      actions: cures(s),
    };
  },
};

/** What is added to any other verdict where the pool loses connections and is not dry yet; null where it does not. */
export function leakBeside(s: Signals): { sentence: string; checks: Check[]; actions: NextAction[] } | null {
  const { pool } = s;
  const often = perThousand(s);
  const lost = rate(s);
  if (pool?.outlived == null || often === null || lost === null) return null;
  const { held, grew } = pool.outlived;
  if (grew < thresholds.leakGrows.limit || (neverBack(s) ?? 0) < thresholds.neverBack.limit) return null;
  const left = pool.max === null ? null : Math.max(0, pool.max - held);
  const seconds = left === null || s.throughput <= 0 ? null : left / lost / s.throughput;
  const when =
    left === null || seconds === null
      ? ''
      : left === 0
        ? ` All ${pool.max} are lost by now.`
        : ` At this rate the ${left} that are left of ${pool.max} last for about ${figure(seconds)} s of this load.`;
  return {
    sentence: `Connections seem to leak, too: ${wholeNumber(grew)} were taken by requests that are over and were not given back, ${often}.${when}${whereTaken(s)}`,
    checks: [plain('connections that outlived their request while it was measured', wholeNumber(grew))],
    actions: cures(s),
  };
}
