import type { DiagnosisKind } from '../../../model/domain/diagnosis.ts';
import { processorLimits } from '../../../model/presentation/diagnosisWords.ts';
import { percentPhrase } from '../../../model/domain/format.ts';
import { share } from '../checks.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { percentOf } from '../words.ts';
import { isBeyondLoad } from './pool.ts';
import { uses } from './room.ts';

/** Limits that requests queue before, and how they are called within a sentence: behind them a processor may be nearly full. */
const queues: Partial<Record<DiagnosisKind, string>> = {
  'pool-limited': 'the connection pool',
  'thread-pool': 'the thread pool',
  pgbouncer: 'PgBouncer’s pool',
};

/**
 * The order of several limits that are nearly full, and how much a larger first one can bring before the next is full: the next one's free part over its used
 * part. Null where one alone is near its limit.
 */
export function orderOf(kind: DiagnosisKind, s: Signals): string | null {
  const queue = queues[kind];
  if (queue !== undefined) {
    const [next] = uses(s).filter((one) => processorLimits.has(one.kind));
    if (next === undefined || next.share < thresholds.fullNext.limit || next.share >= 1) return null;
    return `First comes ${queue}, which can bring up to ${percentPhrase(100 * (1 / next.share - 1))} more at today’s CPU time of a request; then ${next.what}, of which ${percentOf(next.share)} is used.`;
  }
  const waiting = share(s.pool?.waitMs, s.meanMs);
  const isQueued = (s.pool?.pending ?? 0) >= thresholds.waiting.limit && !isBeyondLoad(s);
  if (!processorLimits.has(kind) || !isQueued || waiting === null || waiting < thresholds.waitsBeside.limit) return null;
  const [full] = uses(s).filter((one) => one.kind === kind);
  if (full === undefined) return null;
  // A smaller use of the full part per request gives proportionally more requests.
  return `First comes ${full.what}, of which a tenth less for each request brings about ${percentPhrase(100 / 0.9 - 100)} more; then the connection pool, for which a request waits ${percentOf(Math.min(1, waiting))} of its time, as whoever has a connection waits for the first.`;
}
