import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { LoadMeasurement, StepSamples } from '../load/loadProtocol.ts';
import type { K6Block } from './k6Blocks.ts';
import type { K6Plan } from './k6Plan.ts';

/** Runners that began with more than this share of the window between them had little of it in common. */
const mostApart = 0.2;
/** A runner whose last row is so much before the window’s end was ended early; samples of a second are written together. */
const endSlackUs = 1_500_000;
const segmentSlack = 1e-6;

/** What a block of k6 says in the form of a block of Benchside's generator, and why it does not count. */
export interface K6Measured {
  result: LoadMeasurement;
  discardReasons: PlainFinding[];
}

/** What of a plan the figures depend on. */
interface Shape extends Pick<K6Plan, 'durationS'> {
  traffic: Pick<K6Plan['traffic'], 'kind' | 'open' | 'thinkTimeMs'> & { stages: readonly unknown[] | null };
}

/** The measurement of a block by its files. `connections` is what its trial was to have. */
export function k6Measurement(block: K6Block, { durationS, traffic }: Shape, connections: number): K6Measured {
  const { windowMs, requests, errors, sums } = block;
  const perSecond = windowMs > 0 ? 1000 / windowMs : 0;
  const { open, kind, thinkTimeMs, stages } = traffic;
  const due = open === null ? 0 : (open.ratePerS * windowMs) / 1000;
  const alwaysAsking = kind === 'mix' && open === null && thinkTimeMs === 0 && stages === null;
  return {
    discardReasons: discardReasons(block, durationS, due),
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
      latencyReasons: errors.timeout === 0 ? [] : [{ code: 'answers-missing', count: errors.timeout }],
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

function discardReasons({ runners, windowMs, dropped, begun, requests, errors }: K6Block, durationS: number, due: number): PlainFinding[] {
  const apartS = (Math.max(...runners.map(({ startUs }) => startUs)) - Math.min(...runners.map(({ startUs }) => startUs))) / 1e6;
  const windowEndUs = Math.max(...runners.map(({ startUs }) => startUs)) + windowMs * 1000;
  const early = runners.filter(({ endUs }) => endUs < windowEndUs - endSlackUs);
  const found: PlainFinding[] = uncovered(runners.map(({ segment }) => segment));
  if (apartS > mostApart * durationS) found.push({ code: 'k6-apart', value: apartS, windowS: durationS });
  if (early.length > 0 && requests + errors.total > 0 && windowMs > 0)
    found.push({ code: 'k6-ended-early', count: early.length, of: runners.length, file: early[0]?.file ?? '' });
  if (dropped > 0) found.push({ code: 'k6-dropped', count: dropped });
  // One in a hundred may lie on the other side of the window's edges.
  else if (due > 0 && begun < 0.98 * due) found.push({ code: 'k6-too-slow', count: begun, due });
  return found;
}

/** Why the segments of a test’s runners are not the whole of it; empty when they are. */
function uncovered(segments: readonly string[]): PlainFinding[] {
  const spans = segments.map(span).sort((a, b) => a[0] - b[0]);
  let reached = 0;
  for (const [from, to] of spans) {
    if (from > reached + segmentSlack) return [{ code: 'k6-part-missing', from: reached, to: from }];
    if (from < reached - segmentSlack) return [{ code: 'k6-part-twice' }];
    reached = to;
  }
  return reached > 1 - segmentSlack ? [] : [{ code: 'k6-part-missing', from: reached, to: null }];
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
