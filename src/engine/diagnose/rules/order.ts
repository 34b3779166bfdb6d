import { type DiagnosisKind, processorLimits } from '../../../model/domain/diagnosisKind.ts';
import type { Resource } from '../../../model/domain/verdict/figures.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { share } from '../checks.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { isBeyondLoad } from './pool.ts';
import { uses } from './room.ts';

/** Limits that requests queue before: behind them a processor may be nearly full. */
const queues: Partial<Record<DiagnosisKind, Resource>> = { 'pool-limited': 'pool', 'thread-pool': 'threads', pgbouncer: 'bouncer-pool' };

/**
 * The order of several limits that are nearly full, and how much a larger first one can bring before the next is full: the next one's free part over its used
 * part. Null where one alone is near its limit.
 */
export function orderOf(kind: DiagnosisKind, s: Signals): VerdictPart | null {
  const queue = queues[kind];
  if (queue !== undefined) {
    const [next] = uses(s).filter((one) => processorLimits.has(one.kind));
    if (next === undefined || next.share < thresholds.fullNext.limit || next.share >= 1) return null;
    return { code: 'first-queue', queue, next: next.what, nextShare: next.share };
  }
  const waiting = share(s.pool?.waitMs, s.meanMs);
  const isQueued = (s.pool?.pending ?? 0) >= thresholds.waiting.limit && !isBeyondLoad(s);
  if (!processorLimits.has(kind) || !isQueued || waiting === null || waiting < thresholds.waitsBeside.limit) return null;
  const [full] = uses(s).filter((one) => one.kind === kind);
  if (full === undefined) return null;
  return { code: 'first-full', full: full.what, poolWaitShare: Math.min(1, waiting) };
}
