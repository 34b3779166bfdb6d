import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import { advice } from '../actions.ts';
import { type Check, anyOf, atLeast, partAtLeast, plain, share } from '../checks.ts';
import type { Rule } from '../rule.ts';
import { type Signals, looksUnanswered } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { queued, standsStill } from './poolChecks.ts';

/** Of the connections that outlived their request, those that never came back. Work that continues after an answer returns its connections later. */
function neverBack(s: Signals): number | null {
  const outlived = s.pool?.outlived;
  return outlived == null ? null : share(outlived.held, outlived.held + outlived.cameBack);
}

/** Connections lost per request; null where none was lost in the measured time. */
function rate(s: Signals): number | null {
  const grew = s.pool?.outlived?.grew ?? 0;
  return grew > 0 && s.attempts > 0 ? grew / s.attempts : null;
}

/** All connections lent since the app began; null where a pool that was dry before it was measured has lost none of them. */
function lentInAll(s: Signals): number | null {
  const { held = 0, lentInAll: lent = 0 } = s.pool?.outlived ?? {};
  return lent < held || held === 0 ? null : lent;
}

function cures(s: Signals): NextAction[] {
  if (s.runtime !== 'jvm') return [advice({ code: 'give-back' })];
  const places = s.pool?.outlived?.places ?? [];
  return [advice({ code: 'close-on-every-path' }), ...(places.length === 0 ? [advice({ code: 'log-leaks' })] : [])];
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
    partAtLeast('unheld', s.pool?.outlived?.held, s.pool?.max, thresholds.leakedShare),
    atLeast('must', { code: 'never-back' }, neverBack(s), thresholds.neverBack),
    queued(s),
    ...anyOf(standsStill(s), atLeast('must', { code: 'unheld-at-end' }, share(s.pool?.outlived?.held, s.pool?.max), thresholds.poolBusy)),
  ],
  explain: (s) => {
    const { max = null, outlived = null, pending = null } = s.pool ?? {};
    const { held = 0, places = [] } = outlived ?? {};
    return {
      said: { code: 'pool-leaks', lost: held, max, pending },
      why: [{ code: 'pool-leaks-why', held, places, perRequest: rate(s), lentInAll: lentInAll(s) }],
      actions: cures(s),
    };
  },
};

/** What is added to any other verdict where the pool loses connections and is not dry yet; null where it does not. */
export function leakBeside(s: Signals): { remarks: VerdictPart[]; checks: Check[]; actions: NextAction[] } | null {
  const { pool } = s;
  const perRequest = rate(s);
  if (pool?.outlived == null || perRequest === null) return null;
  const { held, grew, places = [] } = pool.outlived;
  if (grew < thresholds.leakGrows.limit || (neverBack(s) ?? 0) < thresholds.neverBack.limit) return null;
  const { max } = pool;
  const lastsS = max === null || s.throughput <= 0 ? null : Math.max(0, max - held) / perRequest / s.throughput;
  return {
    remarks: [{ code: 'leaks-too', grew, perRequest, held, places, max, lastsS }],
    checks: [plain({ code: 'outlived-meanwhile' }, grew)],
    actions: cures(s),
  };
}
