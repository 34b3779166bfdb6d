import { figure, wholeNumber } from '../../model/format.ts';
import type { BlockResult } from '../load/loadPlans.ts';
import type { StepSamples } from '../load/loadProtocol.ts';
import type { K6Block } from './k6Blocks.ts';
import type { K6Plan } from './k6Plan.ts';

/** Runners that began further apart than this share of the window had little of it in common. */
const mostApart = 0.2;
/** A runner whose last row is so much before the window’s end was ended early; samples of a second are written together. */
const endSlackUs = 1_500_000;
const segmentSlack = 1e-6;

/** What a block of k6 says as one of ours would, and why it does not count, one sentence each. */
export interface K6Measured {
  result: BlockResult;
  voidReasons: string[];
}

type Shape = Pick<K6Plan, 'settleS' | 'durationS'> & { traffic: Pick<K6Plan['traffic'], 'kind' | 'open' | 'thinkTimeMs' | 'stages'> };

/** The measurement of a block by its files. `connections` is what its trial was to have. */
export function k6Measurement(block: K6Block, { durationS, traffic }: Shape, connections: number): K6Measured {
  const { windowMs, requests, errors, sums } = block;
  const perSecond = windowMs > 0 ? 1000 / windowMs : 0;
  const { open, kind, thinkTimeMs, stages } = traffic;
  const due = open === null ? 0 : (open.ratePerS * windowMs) / 1000;
  const alwaysAsking = kind === 'mix' && open === null && thinkTimeMs === 0 && stages === null;
  return {
    voidReasons: voidReasons(block, durationS, due),
    result: {
      cancelled: false,
      windowMs,
      requests,
      bytes: block.bytes,
      throughput: requests * perSecond,
      bytesPerSecond: block.bytes * perSecond,
      latencySums: sums,
      histogram: block.histogram,
      errors,
      latencyTrusted: errors.timeout === 0,
      latencyReasons: latencyReasons(block),
      inFlightAtEnd: 0,
      sentInAll: null,
      closedByServer: 0,
      open: open === null ? null : { intended: block.begun + block.dropped, sent: block.begun, late: 0, dropped: block.dropped },
      ...(thinkTimeMs > 0 ? { thoughtMs: requests * thinkTimeMs } : {}),
      scenario: {
        steps: [...block.names].sort(byName).map(stepSamples(kind)),
        users: [],
        meanUsers: block.users ?? connections,
        firstErrors: [],
      },
      generator: {
        cpuPercent: 0,
        eventLoopUtilisation: null,
        littleRatio: alwaysAsking && windowMs > 0 ? sums.sumUs / 1000 / windowMs / connections : null,
      },
      generatorSaturated: [],
      windowStart: block.windowStartUs / 1000,
      windowEnd: block.windowStartUs / 1000 + windowMs,
    },
  };
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

function stepSamples(kind: 'mix' | 'roles'): (named: K6Block['names'][number]) => StepSamples {
  return ({ name, ...figures }) => {
    // The script names a step by its role, which has no blank, and its own name.
    const blank = name.indexOf(' ');
    const [role, step] = kind === 'mix' ? ['mix', name] : [name.slice(0, blank), name.slice(blank + 1)];
    return { role, step, ...figures, problems: {} };
  };
}

function latencyReasons({ errors }: K6Block): string[] {
  return errors.timeout === 0
    ? []
    : [
        `${wholeNumber(errors.timeout)} ${errors.timeout === 1 ? 'request' : 'requests'} got no answer in time, so the slowest are missing from the latency.`,
      ];
}

function voidReasons({ runners, windowMs, dropped, begun, requests, errors }: K6Block, durationS: number, due: number): string[] {
  const missing = uncovered(runners.map(({ segment }) => segment));
  const apartS = (Math.max(...runners.map(({ startUs }) => startUs)) - Math.min(...runners.map(({ startUs }) => startUs))) / 1e6;
  const windowEndUs = Math.max(...runners.map(({ startUs }) => startUs)) + windowMs * 1000;
  const early = runners.filter(({ endUs }) => endUs < windowEndUs - endSlackUs);
  return [
    ...(missing === null ? [] : [missing]),
    ...(apartS > mostApart * durationS
      ? [`The runners began ${figure(apartS)} s apart, of a window of ${figure(durationS)} s: they measured at different times.`]
      : []),
    ...(early.length > 0 && requests + errors.total > 0 && windowMs > 0
      ? [`${early.length} of ${runners.length} runners ended before the window did (${early[0]?.file ?? ''}): look at their logs.`]
      : []),
    ...(dropped > 0
      ? [
          `k6 dropped ${wholeNumber(dropped)} iterations, since as many virtual users as allowed were busy: the rate that was asked for was not put on the service.`,
        ]
      : []),
    // One in a hundred may lie on the other side of the window's edges.
    ...(due > 0 && dropped === 0 && begun < 0.98 * due
      ? [
          `k6 began ${wholeNumber(begun)} of ${wholeNumber(due)} requests that were due and have ended: its runners were too slow, or answers never came.`,
        ]
      : []),
  ];
}

/** Why the segments of a test’s runners are not the whole of it, each once; null when they are. */
function uncovered(segments: readonly string[]): string | null {
  const spans = segments.map(span).sort((a, b) => a[0] - b[0]);
  let reached = 0;
  for (const [from, to] of spans) {
    if (from > reached + segmentSlack)
      return `The file of a runner is missing: nothing is known of the part from ${figure(reached)} to ${figure(from)} of the test.`;
    if (from < reached - segmentSlack)
      return 'Several files are of the same part of the test: it was run more than once, or a file was copied.';
    reached = to;
  }
  return reached > 1 - segmentSlack
    ? null
    : `The file of a runner is missing: nothing is known of the part from ${figure(reached)} on of the test.`;
}

/** `1/4:1/2` as numbers; `1/2` begins at 0. */
function span(segment: string): [number, number] {
  const [from = '', to] = segment.split(':');
  return to === undefined ? [0, fraction(from)] : [fraction(from), fraction(to)];
}

function fraction(text: string): number {
  const [above = '', below = '1'] = text.split('/');
  return Number(above) / Number(below);
}
