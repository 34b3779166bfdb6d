import type { AnswerReason } from '../../../model/domain/answerReason.ts';
import type { FullPart } from '../../../model/domain/answerEvidence.ts';
import { type Trial, wantedByAllPercent } from '../../../model/domain/run.ts';

/**
 * Little's law N = X·W and asymptotic bounds: why a pool of some size is enough.
 * Source: Denning & Buzen, The Operational Analysis of Queueing Network Models, Computing Surveys 10 (1978); Lazowska et al.,
 * Quantitative System Performance (1984), ch. 5.
 */

/** A pool of which this share is busy limits throughput. */
const bindingShare = 0.9;
/** Above these, the resource itself is the limit; see the decision table of the diagnosis. */
const saturated = { eventLoop: 0.95, threads: 0.95, appCpu: 85, postgresCpu: 80, host: 90, own: 75, fair: 25, asked: 80 } as const;

/** Requests/s of a trial; 0 where it does not count. */
function throughputOf({ valid, throughput }: Trial): number {
  return valid ? throughput.mean : 0;
}

/** Connection time of one request in ms: busy/X by Little's law, else the mean hold times the holds of a request. `null` when unseen. */
export function holdMsOf(trial: Trial): number | null {
  const { pool } = trial;
  if (pool === null) return null;
  const throughput = throughputOf(trial);
  if (throughput > 0 && pool.busy > 0) return (1000 * pool.busy) / throughput;
  return pool.holdMs === null ? null : pool.holdMs * (pool.perRequest ?? 1);
}

/** Connections that are busy on average while `throughput` requests/s hold one for `holdMs` each. */
export function connectionsNeeded(throughput: number, holdMs: number): number {
  return (throughput * holdMs) / 1000;
}

/** Whether so much of what a setting is the size of is busy that it limits throughput. */
function binds(sized: { max: number | null; busy: number } | null, share: number): boolean {
  return sized !== null && sized.max !== null && sized.max > 0 && sized.busy / sized.max >= share;
}

function poolBinds({ pool }: Trial): boolean {
  return binds(pool, bindingShare);
}

/** What the laws need to know: times in ms, `xMax` in requests/s. */
export interface LawParameters {
  /** W: connection time of a request. */
  holdMs: number | null;
  /** Thread time of a request. */
  threadMs: number | null;
  xMax: number;
}

/** Sizes of one setting, of all instances together; `null` where it has none or it is not known. */
export interface Sizes {
  pool: number | null;
  threads: number | null;
  connections: number | null;
}

/** X(P) = min(P/W, T/S, C/W, Xmax) in requests/s: the thin line behind the measured dots. A request lasts at least as long as its hold. */
export function predictThroughput(laws: LawParameters, sizes: Sizes): number {
  const bound = (size: number | null, ms: number | null): number =>
    size === null || ms === null || ms <= 0 ? Number.POSITIVE_INFINITY : (1000 * size) / ms;
  return Math.min(bound(sizes.pool, laws.holdMs), bound(sizes.threads, laws.threadMs), bound(sizes.connections, laws.holdMs), laws.xMax);
}

/**
 * The parameters from what was measured: W of the smallest setting whose pool binds (there nothing else delays a request), else of the smallest
 * one; the same for threads. `smallestFirst` in the order of smallness. `null` without any throughput.
 */
export function lawParameters(smallestFirst: readonly Trial[]): LawParameters | null {
  const measured = smallestFirst.filter((one) => throughputOf(one) > 0);
  if (measured.length === 0) return null;
  const withHold = measured.filter((one) => holdMsOf(one) !== null);
  const holding = withHold.find(poolBinds) ?? withHold[0];
  // Threads that wait for a pool are held by the pool: only where it does not bind is their time their own.
  const working = measured.find((one) => binds(one.threadPool, saturated.threads) && !poolBinds(one));
  return {
    holdMs: holding === undefined ? null : holdMsOf(holding),
    threadMs: working?.threadPool == null ? null : (1000 * working.threadPool.busy) / throughputOf(working),
    xMax: Math.max(...measured.map(throughputOf)),
  };
}

/**
 * The share of the machine's CPU that the app, its database and the load generator use; `isFull`: they ask for all that is there. Percentages of all cores. On
 * cores that sleep and wake between requests, more is asked for than there is before all of it is used.
 */
function machineUse(one: Trial, cores: number): { used: number; others: number; isFull: boolean } {
  const { app, postgres, generator } = one.resources;
  const shares = [app, postgres, generator].map(({ cpuPercent }) => cpuPercent);
  const used = shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) / cores;
  const host = shares.includes(null) ? 0 : used + (one.interference?.takenPercent ?? 0);
  // What other programs use fills a machine, too; it limits only what asks for more than its share, and waits for no connection meanwhile.
  const isUsed = host >= saturated.host && (used >= saturated.own || (used >= saturated.fair && !poolBinds(one)));
  const isAskedFor = (wantedByAllPercent(one.resources) ?? 0) >= 100 * cores && used >= saturated.asked;
  return { used, others: host - used, isFull: isUsed || isAskedFor };
}

/** What is full, and how much more it could carry at the most, as a share of the throughput. */
export interface Headroom {
  what: FullPart;
  gain: number;
}

/**
 * The fullest of what limits throughput whatever the pool is; null where nothing that was seen is full. What is busy for a share U of the time can carry
 * 1/U − 1 more (utilisation law: Denning & Buzen).
 */
export function headroomOf(one: Trial, cores: number): Headroom | null {
  const [app, postgres] = [one.resources.app.cpuPercent ?? 0, one.resources.postgres.cpuPercent ?? 0];
  const loop = one.eventLoopUtilisation ?? 0;
  const machine = machineUse(one, cores);
  const parts: { what: FullPart; used: number; isFull: boolean }[] = [
    { what: 'event-loop', used: loop, isFull: loop >= saturated.eventLoop },
    { what: 'app-cpu', used: app / (100 * cores), isFull: app >= saturated.appCpu * cores },
    { what: 'postgres-cpu', used: postgres / (100 * cores), isFull: postgres >= saturated.postgresCpu * cores },
    { what: 'machine-cpu', used: machine.used / Math.max(1, 100 - machine.others), isFull: machine.isFull },
  ];
  const full = parts.filter(({ isFull }) => isFull).map(({ what, used }) => ({ what, gain: Math.max(0, 1 / used - 1) }));
  return full.reduce<Headroom | null>((least, next) => (least === null || next.gain < least.gain ? next : least), null);
}

/** How many connections a request's hold keeps busy at the throughput of a setting; null where the hold was not seen. */
export function holdReason(one: Trial): Extract<AnswerReason, { code: 'hold' }> | null {
  const [holdMs, throughput] = [holdMsOf(one), throughputOf(one)];
  if (holdMs === null || throughput <= 0) return null;
  const busy = connectionsNeeded(throughput, holdMs);
  const size = one.pool?.max ?? null;
  const isFull = size !== null && busy >= bindingShare * size;
  return { code: 'hold', holdMs, throughput, busy, isFull, processes: one.pool?.processes ?? 1 };
}
