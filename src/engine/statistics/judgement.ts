import { type Finding, type PlainFinding, failedRequestKinds } from '../../model/domain/findingKinds.ts';
import { discards, withoutRepetition } from '../../model/domain/findings.ts';
import type { Unsteady } from '../../model/domain/warmUpFinding.ts';
import type { Block, ErrorCounts, GeneratorHealth, WarmUp } from '../../model/domain/run.ts';

/**
 * When something else was measured than what was asked for; such a measurement is *discarded*. Limits and their sources: generator 90 % of a core (Locust warns at
 * 90 %); Little's law 0.9 (healthy closed loops measured 0.97 … 0.995). CPU that others used discards nothing: the slices of
 * all sides meet it alike, and p99 is compared in quiet windows (`quietPairs`).
 */
export const limits = {
  generatorCpuPercent: 90,
  eventLoopUtilisation: 0.9,
  littleRatio: 0.9,
  errorShare: 0.001,
  /** 20 requests above it: n·(1 − 0.99) ≥ 20. */
  requestsForP99: 2000,
} as const;

export interface Verdict<F extends Finding> {
  /** False: void. */
  valid: boolean;
  /** Why it is discarded. */
  reasons: F[];
  /** What is worth knowing and does not discard it. */
  notes: F[];
}

export interface BlockEvidence {
  /** Requests answered well in the window; those answered with an error are among the errors. */
  requests: number;
  windowMs: number;
  errors: ErrorCounts;
  generator: GeneratorHealth;
  /** Mean latency of the answers; `null` when there was none. */
  meanLatencyMs: number | null;
  /** Why latency is not to be trusted; see the load generator. */
  latencyReasons: readonly PlainFinding[];
  /** How the app ended in it on its own; `null` when it did not. */
  ended: PlainFinding | null;
  postgresRestarted: boolean;
}

/** One finding for each kind of error that occurred. `attempts` are all requests that were tried. */
function failedRequests(code: 'requests-failed' | 'few-requests-failed', errors: ErrorCounts, attempts: number): PlainFinding[] {
  return failedRequestKinds.flatMap((kind) =>
    errors[kind] === 0 ? [] : [{ code, kind, count: errors[kind], attempts, limit: limits.errorShare }],
  );
}

/** A loop that is active for twice as long as it uses the CPU mostly waits for a core, as all do on a machine that is full; see `generatorRuns` of the verdicts. */
const runsOfActive = 0.5;

/** The utilisation of a generator's event loop, 0 … 1; null of one that mostly waits for a core: the CPU is full then, and not the generator. */
export function runningLoop({
  cpuPercent,
  eventLoopUtilisation,
}: Record<'cpuPercent' | 'eventLoopUtilisation', number | null>): number | null {
  const active = eventLoopUtilisation ?? 0;
  return cpuPercent !== null && cpuPercent / 100 < runsOfActive * active ? null : eventLoopUtilisation;
}

function judgeGenerator({ generator, errors, meanLatencyMs, windowMs }: BlockEvidence): PlainFinding[] {
  const { cpuPercent, littleRatio } = generator;
  const loop = runningLoop(generator);
  if (cpuPercent >= limits.generatorCpuPercent) return [{ code: 'generator-cpu', value: cpuPercent, limit: limits.generatorCpuPercent }];
  if (loop !== null && loop >= limits.eventLoopUtilisation)
    return [{ code: 'generator-loop', value: loop, limit: limits.eventLoopUtilisation }];
  // A request that failed held its connection too and is not in the ratio; and up to one request of each connection crosses the window's edge.
  const edge = meanLatencyMs === null ? 0 : meanLatencyMs / windowMs;
  if (errors.total === 0 && littleRatio !== null && littleRatio < limits.littleRatio - edge)
    return [{ code: 'generator-idle', value: littleRatio, limit: limits.littleRatio }];
  return [];
}

/** Judges one block by what was counted and observed within its window; the limits are {@link limits}. */
export function judgeBlock(evidence: BlockEvidence): Verdict<PlainFinding> {
  const { requests, errors, ended } = evidence;
  const attempts = Math.max(requests + errors.total, 1);
  const tooMany = errors.total / attempts > limits.errorShare;
  return verdictOf([
    ...(ended === null ? [] : [ended]),
    ...(evidence.postgresRestarted ? [{ code: 'database-restarted' } as const] : []),
    ...failedRequests(tooMany ? 'requests-failed' : 'few-requests-failed', errors, attempts),
    ...(requests === 0 && errors.total === 0 ? [{ code: 'nothing-answered' } as const] : []),
    ...judgeGenerator(evidence),
    ...evidence.latencyReasons,
  ]);
}

export interface TrialEvidence {
  blocks: readonly (Pick<Block, 'valid' | 'requests'> & { reasons: readonly PlainFinding[] })[];
  /** Notes of its blocks; equal ones are reported once. */
  blockNotes: readonly PlainFinding[];
  roundsAsked: number;
  /** `null` when the profile asks for none. */
  warmUp: Pick<WarmUp, 'durationMs' | 'steady'> | null;
  /** What still changed at the end of the warm-up, and of how little of a request that is; see `steadyState`. */
  unsteady: Unsteady | null;
}

/**
 * Judges a trial by its blocks: void when none is left, or when most of them were discarded (then the rest is what luck left of something else; of those that were
 * left out that does not speak). That throughput was still changing after the warm-up is a note: mirrored rounds meet the drift alike.
 */
export function judgeTrial(evidence: TrialEvidence): Verdict<Finding> {
  const { blocks, warmUp } = evidence;
  const found: Finding[] = withoutRepetition(evidence.blockNotes);
  const valid = blocks.filter((block) => block.valid);
  const invalid = blocks.filter((block) => !block.valid);
  const why = withoutRepetition(invalid.flatMap((block) => block.reasons));
  if (blocks.length === 0 && evidence.roundsAsked > 0) found.push({ code: 'nothing-measured' });
  else if (invalid.length > valid.length) found.push(...why);
  else if (invalid.length > 0) found.push({ code: 'blocks-left-out', count: invalid.length, of: blocks.length, why });
  const { unsteady } = evidence;
  if (warmUp !== null && !warmUp.steady) found.push({ code: 'unsteady', durationMs: warmUp.durationMs, why: unsteady?.why ?? null });
  else if (warmUp !== null && unsteady?.cpuPart != null)
    found.push({ code: 'cpu-unsteady', durationMs: warmUp.durationMs, why: unsteady.why, share: unsteady.cpuPart });
  const requests = valid.reduce((sum, block) => sum + block.requests, 0);
  if (valid.length > 0 && requests < limits.requestsForP99)
    found.push({ code: 'few-for-p99', count: requests, limit: limits.requestsForP99 });
  return verdictOf(found);
}

/** Void by whatever discards it; all else are notes. */
function verdictOf<F extends Finding>(found: readonly F[]): Verdict<F> {
  const reasons = found.filter(discards);
  return { valid: reasons.length === 0, reasons, notes: found.filter((one) => !discards(one)) };
}
