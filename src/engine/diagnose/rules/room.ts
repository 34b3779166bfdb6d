import type { NextAction } from '../../../model/domain/verdict/nextActions.ts';
import { type DiagnosisKind, processorLimits } from '../../../model/domain/diagnosisKind.ts';
import type { Resource } from '../../../model/domain/verdict/figures.ts';
import type { VerdictPart } from '../../../model/domain/verdict/verdictKinds.ts';
import { advice, moreConnections, record } from '../actions.ts';
import { type Check, atLeast, below, holds, largest, share } from '../checks.ts';
import { appCpuShare, cpuFullness, fullestCpu, loopUse, taken, workloadCpuShare, pgCpuShare, waitsElsewhere } from '../cpuUse.ts';
import { unexplainedMs } from '../requestTime.ts';
import type { Rule, RuleVerdict } from '../rule.ts';
import { type Signals, processesWith } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import { isBeyondLoad } from './pool.ts';

/** A resource and how much of it is used, 0 … 1, with the verdict it would lead to. */
interface Use {
  what: Resource;
  share: number;
  kind: DiagnosisKind;
}

/** Every resource of which the use is known, the fullest first. Pools count here even when nobody waits for them. */
export function uses(s: Signals): Use[] {
  const known = (what: Resource, used: number | null, kind: DiagnosisKind): Use[] =>
    used === null || !Number.isFinite(used) ? [] : [{ what, share: used, kind }];
  return [
    ...known('machine-cpu', cpuFullness(s), 'cpu'),
    ...known(s.isShared ? 'app-share' : 'app-cpu', appCpuShare(s), 'cpu'),
    ...known('postgres-cpu', pgCpuShare(s), 'database-cpu'),
    ...known('event-loop', s.runtime === 'node' ? loopUse(s) : null, 'event-loop'),
    ...known('pool', share(s.pool?.busy, s.pool?.max), 'pool-limited'),
    ...known('bouncer-pool', share(s.bouncer?.busy, s.bouncer?.poolSize), 'pgbouncer'),
    ...known('client-pool', share(s.outbound?.busy, s.outbound?.max), 'outbound-pool'),
    ...known('threads', share(s.threads?.busy, s.threads?.max), 'thread-pool'),
    ...known('generator', share(s.generator.cpuPercent, 100), 'client-limited'),
  ].sort((a, b) => b.share - a.share);
}

function noQueue(s: Signals): Check {
  const nothingToQueueFor = s.pool === null && s.outbound === null && s.threads === null;
  const longest = largest(s.pool?.pending, s.bouncer?.waiting, s.outbound?.pending, s.threads?.queue);
  return below('must', { code: 'longest-queue' }, longest ?? (nothingToQueueFor ? 0 : null), thresholds.notWaiting);
}

/** What is known of where the time goes accounts for it: otherwise something unseen may be full. */
function explained(s: Signals): Check {
  const time = unexplainedMs(s);
  const part = share(time, s.meanMs);
  const small = time !== null && time < thresholds.unexplainedMs.limit;
  return below('must', { code: 'unaccounted', share: part, ms: time }, small ? 0 : part, thresholds.unexplained);
}

/** Too little is asked of it: with more connections throughput would rise. */
export const clientLimited: Rule = {
  kind: 'client-limited',
  byWaits: waitsElsewhere,
  applies: (s) => s.load === 'closed',
  checks: (s) => [
    ...(s.connections < 2
      ? [
          below('must', { code: 'load-connections' }, s.connections, { limit: 2, unit: 'count', source: 'one-at-a-time' }),
          // One request at a time can wait for its turn, and still it is the load that asks for no more.
          below('guard', { code: 'fullest-processor' }, largest(workloadCpuShare(s), appCpuShare(s), loopUse(s)), thresholds.eventLoop),
        ]
      : [below('must', { code: 'fullest-processor' }, fullestCpu(s), thresholds.plentyOfRoom)]),
    noQueue(s),
    ...(s.connections < 2 ? [] : [explained(s)]),
    atLeast('sign', { code: 'little-ratio' }, s.generator.littleRatio, thresholds.littleRatio),
  ],
  explain: (s) => {
    const [fullest] = uses(s).filter(({ kind, share: part }) => kind !== 'client-limited' && part <= 1);
    const { connections, meanMs } = s;
    const next = moreConnections(Math.max(2, 2 * connections));
    const closed: VerdictPart = { code: 'closed-loop', connections };
    if (isPoolUsedUp(s)) {
      return {
        said: { code: 'load', connections, meanMs, pool: { busy: s.pool?.busy ?? 0, max: s.pool?.max ?? 0 } },
        why: [closed, { code: 'more-of-both' }],
        actions: [next, ...widerPool(s)],
      };
    }
    const most: VerdictPart[] = fullest === undefined ? [] : [{ code: 'used-most', most: fullest.what, share: fullest.share }];
    return {
      said: { code: 'load', connections, meanMs, pool: null },
      why: [...most, closed, { code: 'more-load' }],
      actions: [next, ...smallerPool(s)],
    };
  },
};

/** Whether the pool is no larger than what the load asks of it: more load would wait for it at once, though nobody waits yet. */
function isPoolUsedUp(s: Signals): boolean {
  const { max = null, busy = null, perRequest = null } = s.pool ?? {};
  if (s.connections < 2 || max === null || busy === null) return false;
  return busy >= mostlyUsed * max && max < 2 * s.connections * Math.max(1, perRequest ?? 1);
}

const mostlyUsed = 0.6;
/** In whole percent, all of it. */
const usedUp = 0.995;

function widerPool(s: Signals): NextAction[] {
  const { pool } = s.knobs;
  return pool === null || typeof pool.value !== 'number'
    ? []
    : [advice({ code: 'both-raised', name: pool.label, from: pool.value, to: 2 * pool.value })];
}

function smallerPool(s: Signals): NextAction[] {
  const knob = s.knobs.pool;
  if (s.pool?.busy == null || s.pool.max === null || knob === null || s.pool.busy > 0.25 * s.pool.max) return [];
  const processes = processesWith(s.pool, s);
  const enough = Math.ceil(s.pool.busy / processes) + 1;
  const now = s.pool.max / processes;
  return enough >= now ? [] : [advice({ code: 'fewer-would-do', enough, now, inEach: processes > 1 })];
}

/** Room in every resource, at a load that uses them. */
export const healthy: Rule = {
  kind: 'healthy',
  applies: () => true,
  checks: (s) => {
    const fullest = uses(s)[0];
    return [
      below('must', { code: 'fullest', most: fullest?.what ?? null }, fullest?.share ?? null, thresholds.room),
      below('guard', { code: 'gc-pauses' }, s.gc === null ? 0 : s.gc.pauseShare, thresholds.gcPauseInfo),
      noQueue(s),
      explained(s),
      holds('guard', { code: 'cpu-in-use' }, s.appCpuPercent === null ? null : true, { value: s.appCpuPercent, unit: 'percent' }),
    ];
  },
  explain: (s) => {
    const [fullest] = uses(s);
    return {
      said: { code: 'healthy', most: fullest?.what ?? null, share: fullest?.share ?? null },
      why: [{ code: 'healthy-why', connections: s.connections }],
      actions: [moreConnections(2 * s.connections)],
    };
  },
};

/** Whether app, database and load generator ask for more cores than there are, of which others take nothing. */
function asksForMore(s: Signals): boolean {
  return taken(s) === 0 && s.cores !== null && (s.allWantedPercent ?? 0) >= 100 * s.cores;
}

/** Where no rule holds but something is nearly full: the verdict it is about to lead to, which is never a confident one. */
export function nearlyFull(s: Signals): (RuleVerdict & { kind: DiagnosisKind }) | null {
  const waitsFor = (kind: DiagnosisKind): boolean => {
    if (kind === 'pool-limited') return (s.pool?.pending ?? 0) >= thresholds.notWaiting.limit && !isBeyondLoad(s);
    if (kind === 'pgbouncer') return (s.bouncer?.waiting ?? 0) >= thresholds.notWaiting.limit;
    if (kind === 'outbound-pool') return (s.outbound?.pending ?? 0) >= thresholds.notWaiting.limit;
    return kind !== 'thread-pool' || (s.threads?.queue ?? 0) >= thresholds.notWaiting.limit;
  };
  const nearly = uses(s).filter(({ kind, share: part }) => waitsFor(kind) && part >= thresholds.room.limit);
  // A loop that waits for its turn counts as busy, although what is full is the CPU.
  const fullest = (asksForMore(s) ? nearly.find(({ kind }) => kind === 'cpu') : undefined) ?? nearly[0];
  if (fullest === undefined) return null;
  const { kind, what, share: used } = fullest;
  const next = moreConnections(2 * s.connections);
  if (used >= usedUp) return { kind, said: { code: 'used-up', most: what }, why: [{ code: 'used-up-why' }], actions: [next] };
  const said: VerdictPart = { code: 'nearly-full', most: what, share: used };
  if (!processorLimits.has(kind)) return { kind, said, why: [{ code: 'nearly-full-why' }], actions: [next] };
  // Utilisation law: what is busy for a share U of the time can carry 1/U − 1 more (Denning & Buzen).
  const why: VerdictPart = { code: 'nearly-full-processor', gain: 1 / used - 1 };
  return { kind, said, why: [why], actions: [record('cpu', { code: 'what-takes-time' }), next] };
}
