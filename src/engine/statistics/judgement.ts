import { figure, wholeNumber } from '../../model/format.ts';
import type { Block, ErrorCounts, GeneratorHealth, WarmUp } from '../../model/run.ts';

/**
 * When something else was measured than what was asked for; such a measurement is *void*. Limits and their sources: generator 90 % of a core
 * (Locust warns at 90 %); Little's law 0.9 (healthy closed loops measured 0.97 … 0.995). CPU that was taken away voids nothing by its level: it
 * is a covariate of the comparison, see `blockStatistics`.
 */
export const limits = {
  generatorCpuPercent: 90,
  eventLoopUtilisation: 0.9,
  littleRatio: 0.9,
  errorShare: 0.001,
  /** 20 requests above it: n·(1 − 0.99) ≥ 20. */
  requestsForP99: 2000,
} as const;

export interface Verdict {
  /** False: void. */
  valid: boolean;
  /** Why it is void: what was seen, the limit, and what to do. */
  reasons: string[];
  /** What is worth knowing and does not make it void. */
  notes: string[];
}

export interface BlockEvidence {
  /** Requests answered well in the window; those answered with an error are among the errors. */
  requests: number;
  windowMs: number;
  errors: ErrorCounts;
  generator: GeneratorHealth;
  /** Mean latency of the answers; `null` when there was none. */
  meanLatencyMs: number | null;
  /** Why latency is not to be trusted, one sentence each; see the load generator. */
  latencyReasons: readonly string[];
  appRestarted: boolean;
  postgresRestarted: boolean;
}

const errorKinds: readonly (readonly [kind: Exclude<keyof ErrorCounts, 'total'>, what: string, cure: string])[] = [
  ['status5xx', 'answered with a server error (5xx)', 'Look at the app’s log, and fix it or leave that route out.'],
  ['status4xx', 'answered with a client error (4xx)', 'Check the route, its parameters and its body.'],
  ['timeout', 'not answered within the time-out', 'Use fewer connections, a lighter route or a longer time-out.'],
  ['refused', 'refused a connection', 'See whether the app was still running, and whether its backlog is long enough.'],
  ['reset', 'cut off by the app', 'Look at the app’s log: a crash or a keep-alive time-out closes connections.'],
  ['unanswered', 'left without an answer at the end', 'Look for requests that hang in the app.'],
  ['other', 'failed in some other way', 'Look at the app’s log.'],
];

function percent(share: number): string {
  return `${figure(100 * share)} %`;
}

/** One sentence for each kind of error that occurred. `attempts` are all requests that were tried. */
function errorSentences(errors: ErrorCounts, attempts: number): string[] {
  return errorKinds.flatMap(([kind, what, cure]) => {
    const count = errors[kind];
    if (count === 0) return [];
    const noun = count === 1 ? 'request was' : 'requests were';
    const verb =
      kind === 'refused'
        ? `The app ${what} ${wholeNumber(count)} ${count === 1 ? 'time' : 'times'}`
        : `${wholeNumber(count)} ${noun} ${what}`;
    return [`${verb}: ${percent(count / attempts)} of all, where errors together may be ${percent(limits.errorShare)}. ${cure}`];
  });
}

/** How every reason begins that is told of a generator that had nothing to spare. */
export const generatorSaturated = 'The load generator was saturated';

function judgeGenerator({ generator, errors, meanLatencyMs, windowMs }: BlockEvidence): string[] {
  const cure = 'Use fewer connections or a heavier route';
  if (generator.cpuPercent >= limits.generatorCpuPercent) {
    return [
      `${generatorSaturated} (its CPU ${figure(generator.cpuPercent)} % of a core, limit ${limits.generatorCpuPercent} %): what was measured is the generator. ${cure}, or let k6 put the load on (--generator k6=2).`,
    ];
  }
  if (generator.eventLoopUtilisation !== null && generator.eventLoopUtilisation >= limits.eventLoopUtilisation) {
    return [
      `${generatorSaturated} (its event loop busy ${percent(generator.eventLoopUtilisation)} of the time, limit ${percent(limits.eventLoopUtilisation)}): what was measured is the generator. ${cure}, or let k6 put the load on (--generator k6=2).`,
    ];
  }
  // A request that failed held its connection too and is not in the ratio; and up to one request of each connection crosses the window's edge.
  const edge = meanLatencyMs === null ? 0 : meanLatencyMs / windowMs;
  if (errors.total === 0 && generator.littleRatio !== null && generator.littleRatio < limits.littleRatio - edge) {
    return [
      `The load generator did not keep its connections busy (throughput × latency ÷ connections is ${figure(generator.littleRatio)}, limit ${limits.littleRatio}): what was measured is partly the generator. ${cure}.`,
    ];
  }
  return [];
}

/** Judges one block by what was counted and observed within its window. Sentences are for people; the limits are {@link limits}. */
export function judgeBlock(evidence: BlockEvidence): Verdict {
  const { requests, errors } = evidence;
  const reasons: string[] = [];
  const notes: string[] = [];
  if (evidence.appRestarted) reasons.push('The app was restarted or died while it was measured. Look at its log.');
  if (evidence.postgresRestarted) reasons.push('PostgreSQL was restarted or died while the app was measured. Look at its log.');

  const attempts = Math.max(requests + errors.total, 1);
  const sentences = errorSentences(errors, attempts);
  if (errors.total / attempts > limits.errorShare) reasons.push(...sentences);
  else notes.push(...sentences);
  if (requests === 0 && errors.total === 0)
    reasons.push('Not one request was answered. See whether the route is slower than a block is long.');

  reasons.push(...judgeGenerator(evidence));
  reasons.push(...evidence.latencyReasons);

  return { valid: reasons.length === 0, reasons, notes };
}

export interface TrialEvidence {
  blocks: readonly Pick<Block, 'valid' | 'reasons' | 'requests'>[];
  /** Notes of its blocks; equal ones are told once. */
  blockNotes: readonly string[];
  roundsAsked: number;
  /** `null` when the profile asks for none. */
  warmUp: Pick<WarmUp, 'durationMs' | 'steady'> | null;
  /** Why throughput was not steady at the end of the warm-up; see `steadyState`. */
  unsteadyReason: string | null;
}

/** Sentences that differ only in their figures count as one. */
function withoutRepetition(sentences: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const sentence of sentences) {
    const shape = sentence.replace(/[\d.,]+/g, '#');
    if (!seen.has(shape)) seen.set(shape, sentence);
  }
  return [...seen.values()];
}

/**
 * Judges a trial by its blocks: void when none is left, or when most of them were void (then the rest is what luck left of something else; of those that were left out that does not speak). That
 * throughput was still changing after the warm-up is a note: mirrored rounds meet the drift alike.
 */
export function judgeTrial(evidence: TrialEvidence): Verdict {
  const reasons: string[] = [];
  const notes = withoutRepetition(evidence.blockNotes);
  const valid = evidence.blocks.filter((block) => block.valid);
  const invalid = evidence.blocks.filter((block) => !block.valid);
  const why = withoutRepetition(invalid.flatMap((block) => block.reasons));
  if (evidence.blocks.length === 0 && evidence.roundsAsked > 0) reasons.push('No block of it was measured. Let the run finish.');
  else if (invalid.length > valid.length) reasons.push(...why);
  else if (invalid.length > 0) {
    notes.push(`${invalid.length} of ${evidence.blocks.length} blocks ${invalid.length === 1 ? 'is' : 'are'} left out. ${why.join(' ')}`);
  }
  if (evidence.warmUp !== null && !evidence.warmUp.steady) {
    notes.push(
      `After ${figure(evidence.warmUp.durationMs / 1000)} s of warm-up ${evidence.unsteadyReason ?? 'throughput was still changing'}; the rounds that follow are mirrored, so that a drift falls on all values alike.`,
    );
  }
  const requests = valid.reduce((sum, block) => sum + block.requests, 0);
  if (valid.length > 0 && requests < limits.requestsForP99) {
    notes.push(
      `p99 rests on fewer than 20 requests (${wholeNumber(requests)} in all, ${wholeNumber(limits.requestsForP99)} are needed): do not rely on it.`,
    );
  }
  return { valid: reasons.length === 0, reasons, notes };
}
