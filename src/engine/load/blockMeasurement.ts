import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { ErrorCounts } from '../../model/domain/run.ts';
import type { WindowTotals } from './blockMeter.ts';
import { generatorHealth } from './generatorHealth.ts';
import { encodeLatencyHistogram } from './latencyHistogram.ts';
import type { BlockCommand, LoadMeasurement, OpenLoopCounts, ScenarioMetrics } from './loadProtocol.ts';

/**
 * A request is `unanswered` when it has waited for a second at least, and for ten times the p99 of the others. One whose time-out is due at the end of a
 * window belongs to the window in which it is timed out: a busy generator serves that timer a little late.
 */
const unansweredMs = 1000;
const unansweredTimesP99 = 10;

/** What is known at the end of a window besides what was counted in it. */
export interface WindowEnd {
  cancelled: boolean;
  /** How long each request that is in progress has been waiting, in ms. */
  agesMs: readonly number[];
  /** p99 of those that were answered; 0 when none was. */
  answeredP99Ms: number;
  /** Requests without an answer when the window closed. */
  inFlight: number;
  /** Requests that were sent since the block began. */
  sentInAll: number;
  /** Requests sent that are neither answered nor failed nor in progress. */
  unaccounted: number;
  open: OpenLoopCounts | null;
  /** Think time within the window, all connections together; null for a load without any. */
  thoughtMs: number | null;
  /** `busyUsers`: as many as always had one request in progress; null when users think. */
  scenario: { figures: ScenarioMetrics; busyUsers: number | null } | null;
}

/** The measurement of one window, with the reasons for which its latency or its load is not to be trusted. */
export function blockMeasurement(
  command: Pick<BlockCommand, 'connections' | 'open'>,
  totals: WindowTotals,
  end: WindowEnd,
): LoadMeasurement {
  const { windowMs, requests, bytes, sums, histogram } = totals;
  const errors = { ...totals.errors };
  if (windowMs > 0 && !end.cancelled) {
    const boundMs = Math.max(unansweredMs, unansweredTimesP99 * end.answeredP99Ms);
    const unanswered = end.agesMs.filter((age) => age >= boundMs).length;
    errors.unanswered += unanswered;
    errors.total += unanswered;
  }
  const perSecond = windowMs > 0 ? 1000 / windowMs : 0;
  return {
    cancelled: end.cancelled,
    windowMs,
    requests,
    bytes,
    throughput: requests * perSecond,
    bytesPerSecond: bytes * perSecond,
    latencySums: sums,
    histogram: encodeLatencyHistogram(histogram),
    slowest: totals.slowest.slowestOf(sums.count),
    latencyReasons: distrust(errors, end.unaccounted, command.open !== undefined),
    errors,
    inFlightAtEnd: end.inFlight,
    sentInAll: end.sentInAll,
    closedByServer: totals.closedByServer,
    open: end.open,
    ...(end.thoughtMs === null ? {} : { thoughtMs: end.thoughtMs }),
    ...(end.scenario === null ? {} : { scenario: end.scenario.figures }),
    generator: generatorHealth({
      windowMs,
      cpuUs: totals.cpuUs,
      eventLoopUtilisation: totals.eventLoopUtilisation,
      connections: connectionsInUse(command, end),
      requests,
      inProgress: totals.inProgress ?? null,
      meanMs: sums.count > 0 ? sums.sumUs / sums.count / 1000 : null,
      agesMs: end.agesMs,
      thoughtMs: end.thoughtMs ?? 0,
    }),
  };
}

function connectionsInUse(command: Pick<BlockCommand, 'connections' | 'open'>, { scenario }: WindowEnd): number | null {
  if (command.open !== undefined) return null;
  return scenario === null ? command.connections : scenario.busyUsers;
}

/**
 * Why latency is not to be trusted. Requests that were never answered are the slowest and are missing from it; and when requests do not add up to answers,
 * errors and those in progress, an answer may have been timed from another request. In an open loop those that wait at the end are not missing, but all that is
 * known is that they take longer.
 */
function distrust(errors: ErrorCounts, unaccounted: number, waitingCount: boolean): PlainFinding[] {
  const missing = errors.timeout + (waitingCount ? 0 : errors.unanswered);
  return [
    ...(missing > 0 ? [{ code: 'answers-missing', count: missing } as const] : []),
    ...(waitingCount && errors.unanswered > 0 ? [{ code: 'answers-outstanding', count: errors.unanswered } as const] : []),
    ...(unaccounted === 0 ? [] : [{ code: 'requests-unaccounted', count: Math.abs(unaccounted) } as const]),
  ];
}
