import type { DiagnosisKind } from '../../../model/diagnosis.ts';
import { advice, moreConnections } from '../actions.ts';
import { atLeast, below, holds } from '../checks.ts';
import type { Check } from '../checks.ts';
import type { Rule, Telling } from '../rule.ts';
import { appCpuShare, fullestCpu, ownCpuShare, pgCpuShare, unexplainedMs } from '../signals.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { mean, ms, percentOf } from '../words.ts';

/** A resource and how much of it is used, 0 … 1, with the verdict it would lead to. */
interface Use {
  what: string;
  share: number;
  kind: DiagnosisKind;
}

/** Every resource of which the use is known, the fullest first. Pools count here even when nobody waits for them. */
function uses(s: Signals): Use[] {
  const known = (what: string, share: number | null, kind: DiagnosisKind): Use[] =>
    share === null || !Number.isFinite(share) ? [] : [{ what, share, kind }];
  const of = (part: number | null | undefined, whole: number | null | undefined): number | null =>
    part == null || whole == null || whole <= 0 ? null : part / whole;
  return [
    ...known('the machine’s CPU', ownCpuShare(s), 'cpu'),
    ...known(s.isShared ? 'the app’s share of the CPU' : 'the app’s CPU', appCpuShare(s), 'cpu'),
    ...known('PostgreSQL’s CPU', pgCpuShare(s), 'database-cpu'),
    ...known('the event loop', s.runtime === 'node' ? s.eventLoop : null, 'event-loop'),
    ...known('the connection pool', of(s.pool?.busy, s.pool?.max), 'pool-limited'),
    ...known('the HTTP client’s pool', of(s.outbound?.busy, s.outbound?.max), 'outbound-pool'),
    ...known('the thread pool', of(s.threads?.busy, s.threads?.max), 'thread-pool'),
    ...known('the load generator', of(s.generator.cpuPercent, 100), 'client-limited'),
  ].sort((a, b) => b.share - a.share);
}

function longestQueue(s: Signals): number | null {
  const known = [s.pool?.pending, s.outbound?.pending, s.threads?.queue].filter((value) => value != null);
  return known.length === 0 ? null : Math.max(...known);
}

function noQueue(s: Signals): Check {
  const nothingToQueueFor = s.pool === null && s.outbound === null && s.threads === null;
  return below('must', 'requests in the longest queue', longestQueue(s) ?? (nothingToQueueFor ? 0 : null), thresholds.notWaiting, {
    unit: 'count',
  });
}

/** What is known of where the time goes accounts for it: otherwise something unseen may be full. */
function explained(s: Signals): Check {
  const time = unexplainedMs(s);
  const share = time === null || s.meanMs === null || s.meanMs <= 0 ? null : time / s.meanMs;
  const small = time !== null && time < thresholds.unexplainedMs.limit;
  return below('must', 'part of a request’s time that nothing accounts for', small ? 0 : share, thresholds.unexplained, {
    unit: 'share',
    text: share === null || time === null ? null : `${percentOf(share)}, ${ms(time)}`,
  });
}

/** Too little is asked of it: with more connections throughput would rise. */
export const clientLimited: Rule = {
  kind: 'client-limited',
  applies: (s) => s.load === 'closed',
  checks: (s) => [
    ...(s.connections < 2
      ? [
          below('must', 'connections of the load', s.connections, { limit: 2, source: 'one request at a time' }, { unit: 'count' }),
          below('guard', 'use of the fullest processor', fullestCpu(s), thresholds.eventLoop, { unit: 'share' }),
        ]
      : [below('must', 'use of the fullest processor', fullestCpu(s), thresholds.plentyOfRoom, { unit: 'share' })]),
    noQueue(s),
    ...(s.connections < 2 ? [] : [explained(s)]),
    atLeast('sign', 'throughput × latency ÷ connections', s.generator.littleRatio, thresholds.littleRatio, { unit: 'count' }),
  ],
  tell: (s) => {
    const [fullest] = uses(s).filter(({ kind }) => kind !== 'client-limited');
    const one = s.connections === 1;
    return {
      headline: `The load is the limit: ${one ? 'one connection, which waits' : `${s.connections} connections, each of which waits`} ${ms(s.meanMs)} for an answer, cannot ask for more, and nothing in the app is full.`,
      explanation: `${fullest === undefined ? '' : `What is used most, ${fullest.what}, is used to ${percentOf(fullest.share)}. `}In a closed loop each connection waits for its answer before it asks again, so that ${one ? 'only one request is ever' : `at most ${s.connections} requests are`} at work. More connections would bring more throughput.`,
      actions: [moreConnections(Math.max(2, 2 * s.connections)), ...smallerPool(s)],
    };
  },
};

function smallerPool(s: Signals): ReturnType<Rule['tell']>['actions'] {
  const knob = s.knobs.pool;
  if (s.pool?.busy == null || s.pool.max === null || knob === null || s.pool.busy > 0.25 * s.pool.max) return [];
  return [advice(`For this load ${Math.ceil(s.pool.busy) + 1} connections would do in place of ${s.pool.max}`)];
}

/** Room in every resource, at a load that uses them. */
export const healthy: Rule = {
  kind: 'healthy',
  applies: () => true,
  checks: (s) => {
    const fullest = uses(s)[0];
    return [
      below(
        'must',
        fullest === undefined ? 'use of the fullest resource' : `use of what is fullest, ${fullest.what}`,
        fullest?.share ?? null,
        thresholds.room,
        { unit: 'share' },
      ),
      below('guard', 'time in which the collector stopped the app', s.gc === null ? 0 : s.gc.pauseShare, thresholds.gcPauseInfo, {
        unit: 'share',
      }),
      noQueue(s),
      explained(s),
      holds('guard', 'CPU of the app', s.appCpuPercent === null ? null : true, `${mean(s.appCpuPercent ?? 0)} % of a core`, null, null),
    ];
  },
  tell: (s) => {
    const [fullest] = uses(s);
    return {
      headline: `Nothing is at its limit: what is used most, ${fullest?.what ?? 'the processor'}, is used to ${percentOf(fullest?.share ?? null)}, and no request waits.`,
      explanation: `At ${s.connections} ${s.connections === 1 ? 'connection' : 'connections'} there is room in every resource that was watched. To see what gives first, raise the load.`,
      actions: [moreConnections(2 * s.connections)],
    };
  },
};

/** Where no rule holds but something is nearly full: the verdict it is about to lead to, which is never a confident one. */
export function nearlyFull(s: Signals): (Telling & { kind: DiagnosisKind; checks?: Check[] }) | null {
  return takenByOthers(s) ?? nearestLimit(s);
}

/** The CPU is full, but not with what was measured: what requests wait for is most likely their turn. */
export function takenByOthers(s: Signals): ReturnType<typeof nearlyFull> {
  const own = ownCpuShare(s);
  const others = (s.otherPercent ?? 0) / 100;
  if (own === null || 100 * others < thresholds.otherProgramsPercent.limit || own + others < thresholds.machineCpu.limit) return null;
  return {
    kind: 'cpu',
    headline: `The machine’s CPU is full, but mostly with other programs: they used ${percentOf(others)} of it, and app, database and load ${percentOf(own)}.`,
    explanation: 'Requests wait for their turn on the CPU, so that nothing can be told of the app’s own limits.',
    actions: [advice('Close the other programs, and run it again')],
    checks: [
      atLeast('must', 'CPU that other programs used', s.otherPercent, thresholds.otherProgramsPercent, { unit: 'percent' }),
      atLeast('must', 'CPU of the machine, all programs together', own + others, thresholds.machineCpu, { unit: 'share' }),
    ],
  };
}

function nearestLimit(s: Signals): ReturnType<typeof nearlyFull> {
  const waitsFor = (kind: DiagnosisKind): boolean => {
    if (kind === 'pool-limited') return (s.pool?.pending ?? 0) >= thresholds.notWaiting.limit;
    if (kind === 'outbound-pool') return (s.outbound?.pending ?? 0) >= thresholds.notWaiting.limit;
    return kind !== 'thread-pool' || (s.threads?.queue ?? 0) >= thresholds.notWaiting.limit;
  };
  const [fullest] = uses(s).filter(({ kind }) => waitsFor(kind));
  if (fullest === undefined || fullest.share < thresholds.room.limit) return null;
  return {
    kind: fullest.kind,
    headline: `Nearly at its limit is ${fullest.what}, which is used to ${percentOf(fullest.share)}.`,
    explanation:
      'It is the fullest of all resources, but not full, so that this may change with a little more load. Raise the load to be sure.',
    actions: [moreConnections(2 * s.connections)],
  };
}
