import { figure, wholeNumber } from '../../model/format.ts';
import type { Observation } from '../../model/observation.ts';
import type { Block, ErrorCounts, GeneratorHealth, WarmUp } from '../../model/run.ts';
import { meanOverTime } from '../observe/aggregate.ts';

/**
 * When a measurement must not be believed. Limits and their sources: generator 90 % of a core (Locust warns at 90 %);
 * Little's law 0.9 (healthy closed loops measured 0.97 … 0.995); steal 2 % and throttling (kernel documentation of
 * /proc/stat and cpu.stat); other processes 20 % and 40 % of the machine (JDK Mission Control's rule "Competing processes").
 */
export const limits = {
  generatorCpuPercent: 90,
  eventLoopUtilisation: 0.9,
  littleRatio: 0.9,
  errorShare: 0.001,
  stealPercent: 2,
  otherInfoPercent: 20,
  otherWarnPercent: 40,
  pressurePercent: 20,
  shortBlockMs: 3000,
  /** 20 requests above it: n·(1 − 0.99) ≥ 20. */
  requestsForP99: 2000,
} as const;

export interface Verdict {
  valid: boolean;
  /** Why it is not valid: what was seen, the limit, and what to do. */
  reasons: string[];
  /** What is worth knowing and does not make it invalid. */
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
  /** The samples of the window. */
  observations: readonly Observation[];
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

function judgeGenerator({ generator, errors, meanLatencyMs, windowMs }: BlockEvidence): string[] {
  const cure = 'Use fewer connections or a heavier route.';
  if (generator.cpuPercent >= limits.generatorCpuPercent) {
    return [
      `The load generator was saturated (its CPU ${figure(generator.cpuPercent)} % of a core, limit ${limits.generatorCpuPercent} %): what was measured is the generator. ${cure}`,
    ];
  }
  if (generator.eventLoopUtilisation >= limits.eventLoopUtilisation) {
    return [
      `The load generator was saturated (its event loop busy ${percent(generator.eventLoopUtilisation)} of the time, limit ${percent(limits.eventLoopUtilisation)}): what was measured is the generator. ${cure}`,
    ];
  }
  // A request that failed held its connection too and is not in the ratio; and up to one request of each connection crosses the window's edge.
  const edge = meanLatencyMs === null ? 0 : meanLatencyMs / windowMs;
  if (errors.total === 0 && generator.littleRatio !== null && generator.littleRatio < limits.littleRatio - edge) {
    return [
      `The load generator did not keep its connections busy (throughput × latency ÷ connections is ${figure(generator.littleRatio)}, limit ${limits.littleRatio}): what was measured is partly the generator. ${cure}`,
    ];
  }
  return [];
}

/** Judges one block by what was counted and observed within its window. Sentences are for people; the limits are {@link limits}. */
export function judgeBlock(evidence: BlockEvidence): Verdict {
  const { requests, errors, observations } = evidence;
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

  const steal = meanOverTime(observations, (o) => o.host?.stealPercent);
  if (steal !== null && steal > limits.stealPercent) {
    reasons.push(
      `The hypervisor took ${figure(steal)} % of the CPU for other machines, limit ${limits.stealPercent} %. Run again when the host is quieter.`,
    );
  }
  const throttled = observations.reduce((sum, o) => sum + (o.host?.throttledPeriods ?? 0), 0);
  if (throttled > 0) {
    reasons.push(
      `The container’s CPU limit stopped it in ${wholeNumber(throttled)} ${throttled === 1 ? 'period' : 'periods'}, limit 0. Raise the limit or lower the load.`,
    );
  }
  notes.push(...hostNotes(observations));
  if (evidence.windowMs < limits.shortBlockMs) {
    notes.push(`Blocks of ${figure(evidence.windowMs / 1000)} s are short; from ${limits.shortBlockMs / 1000} s on, blocks vary less.`);
  }
  return { valid: reasons.length === 0, reasons, notes };
}

function hostNotes(observations: readonly Observation[]): string[] {
  const other = meanOverTime(observations, (o) => o.host?.otherPercent);
  if (other === null || other < limits.otherInfoPercent) return [];
  const notes: string[] = [];
  if (other >= limits.otherWarnPercent) {
    notes.push(
      `Other programs used ${figure(other)} % of the machine’s CPU, limit ${limits.otherWarnPercent} %. Close them and run again before you rely on these figures.`,
    );
  } else {
    notes.push(`Other programs used ${figure(other)} % of the machine’s CPU.`);
  }
  const pressure = meanOverTime(observations, (o) => o.host?.pressureSomePercent);
  if (pressure !== null && pressure > limits.pressurePercent) {
    notes.push(
      `Something waited for a CPU ${figure(pressure)} % of the time, limit ${limits.pressurePercent} %, and not because of the app alone.`,
    );
  }
  return notes;
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
  /** Whether others took so much of the CPU that a longer warm-up would help nothing; see {@link isDisturbed}. */
  disturbed: boolean;
}

/** Whether the hypervisor or other programs took more of the CPU than their limits, on the mean over these samples. */
export function isDisturbed(observations: readonly Observation[]): boolean {
  const steal = meanOverTime(observations, (o) => o.host?.stealPercent);
  const other = meanOverTime(observations, (o) => o.host?.otherPercent);
  return (steal !== null && steal > limits.stealPercent) || (other !== null && other >= limits.otherWarnPercent);
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

/** Judges a trial by its blocks and its warm-up: two valid blocks (one when one round was asked for) after a steady warm-up. */
export function judgeTrial(evidence: TrialEvidence): Verdict {
  const reasons: string[] = [];
  const notes = withoutRepetition(evidence.blockNotes);
  const valid = evidence.blocks.filter((block) => block.valid);
  const invalid = evidence.blocks.filter((block) => !block.valid);
  const needed = Math.min(2, evidence.roundsAsked);
  const why = withoutRepetition(invalid.flatMap((block) => block.reasons));
  if (valid.length < needed) {
    if (invalid.length === 0) {
      reasons.push(
        `Only ${valid.length} of ${evidence.roundsAsked} blocks ${valid.length === 1 ? 'was' : 'were'} measured; ${needed} are needed. Let the run finish.`,
      );
    } else reasons.push(...why);
  } else if (invalid.length > 0) {
    notes.push(`${invalid.length} of ${evidence.blocks.length} blocks ${invalid.length === 1 ? 'is' : 'are'} left out. ${why.join(' ')}`);
  }
  if (evidence.warmUp !== null && !evidence.warmUp.steady) {
    reasons.push(
      `Not steady after ${figure(evidence.warmUp.durationMs / 1000)} s of warm-up: ${evidence.unsteadyReason ?? 'throughput was still changing'}. ${
        evidence.disturbed
          ? 'Other programs, or the hypervisor, took the CPU meanwhile: run again when the machine is quieter.'
          : 'Allow a longer warm-up.'
      }`,
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
