import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import type { VerdictPart } from '../../model/domain/verdict/verdictKinds.ts';
import { type ThreadDumpSummary, answerWait, databasePool, resultWait } from '../record/jvm/threadDumpSummary.ts';
import { diagnose } from './diagnose.ts';
import type { Knob } from './knobs.ts';
import { heldIdle, unexplainedMs } from './requestTime.ts';
import { type PoolSignals, type Signals, unprobedPool } from './signals.ts';
import { share } from './checks.ts';
import { thresholds } from './thresholds.ts';

const idle = /^idle:/;
const clientPool = /pool lease$/;
const elsewhere = /^(socket read|sleep|answer of another service|result of another thread) in /;
/** The share of the threads at work; a pool that half of them wait for is what limits. */
const mostWait = 0.5;

/** From this share of connections on which nothing is asked on, it is worth a look what is done with them; less is round trips. */
const idleConnections = 0.25;

/**
 * Whether three thread dumps under the same load would say more: where it is not known what requests wait for, or only supposed that it is their turn on a
 * machine that other programs fill, or what they do while they hold a connection on which nothing is asked. A lock is only supposed, too, where other sizes
 * of the pool showed it.
 */
export function wantsThreadDumps(diagnosis: Diagnosis | null, signals: Signals): boolean {
  switch (diagnosis?.kind) {
    case 'unknown-wait':
    case 'busy-machine':
    case 'held-connection':
      return true;
    case 'event-loop':
      return signals.runtime === 'jvm';
    case 'network-or-payload':
      // Threads that wait for a lock come before a delay that their answers have as well.
      return diagnosis.said.code === 'delayed-answers';
    case 'application-lock':
      return diagnosis.threadDumps.length === 0 && signals.blocked === null;
    case 'pool-exhausted':
      return takesSecond(diagnosis);
    case 'pool-limited':
      return (heldIdle(signals) ?? 0) >= idleConnections;
    case 'cpu':
      // Only by what others took of it, while a request’s time passes elsewhere.
      return !diagnosis.confident && (share(unexplainedMs(signals), signals.meanMs) ?? 0) >= thresholds.unexplained.limit;
    default:
      return false;
  }
}

/** Judges once more, with what the dumps under load show, and names their files. Without anything in them the verdict stays. */
export function diagnoseWithDumps(signals: Signals, summaries: readonly ThreadDumpSummary[], files: readonly string[]): Diagnosis {
  const underLoad = summaries.filter(({ groups }) => groups.some(isAtWork));
  const diagnosis = diagnose({ ...signals, ...seenInDumps(signals, underLoad) });
  const seen = takesSecond(diagnosis) ? whereSecondIsAsked(underLoad) : whereMostAre(diagnosis, underLoad);
  return { ...diagnosis, why: [...diagnosis.why, ...seen], threadDumps: [...files] };
}

/** Whether the verdict is that requests which hold a connection wait for another one. */
function takesSecond({ why }: Diagnosis): boolean {
  return why.some(({ code }) => code === 'second-connection');
}

/** Where the app asks for a connection while it holds one: past a place at which others wait for one, or at the only place at which any waits. */
function whereSecondIsAsked(summaries: readonly ThreadDumpSummary[]): VerdictPart[] {
  const counts = new Map<string, number>();
  for (const { asking = [] } of summaries)
    for (const { where, count } of asking.filter(({ isFurther }) => isFurther || asking.length === 1))
      counts.set(where, (counts.get(where) ?? 0) + count);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most === undefined ? [] : [{ code: 'second-asked', where: most[0], threads: most[1] / summaries.length }];
}

/** What most of the threads at work do that queue for no pool, where the verdict does not say it already. */
function whereMostAre({ kind, said }: Diagnosis, summaries: readonly ThreadDumpSummary[]): VerdictPart[] {
  if (kind === 'application-lock' || kind === 'cpu' || kind === 'invalid' || said.code === 'executor-full') return [];
  const atWork = summaries.flatMap((summary) => summary.groups.filter(isAtWork));
  const outside = atWork.filter(({ where }) => !databasePool.test(where) && !clientPool.test(where));
  const counts = new Map<string, number>();
  for (const { where, count } of outside) counts.set(where, (counts.get(where) ?? 0) + count);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  const all = outside.reduce((sum, { count }) => sum + count, 0);
  if (most === undefined || most[1] < mostWait * all) return [];
  const [where, count] = most;
  return [
    { code: 'threads-at', threads: count / summaries.length, of: all / summaries.length, queued: outside.length < atWork.length, where },
  ];
}

type Group = ThreadDumpSummary['groups'][number];

/** In a dump in which none is, the load has not begun yet, or has ended. */
function isAtWork({ where }: Group): boolean {
  return !idle.test(where);
}

/**
 * Means over the dumps. Threads that wait for a monitor, or are parked outside of pools, wait for another thread: a lock. Threads that wait for a connection of
 * a pool that no probe watches show that this pool is full.
 */
function seenInDumps(s: Signals, summaries: readonly ThreadDumpSummary[]): Partial<Signals> {
  if (summaries.length === 0) return {};
  const groups = summaries.flatMap((summary) => summary.groups.filter(isAtWork));
  const count = (of: (group: Group) => boolean): number =>
    groups.reduce((sum, group) => (of(group) ? sum + group.count : sum), 0) / summaries.length;
  const atWork = count(() => true);
  if (atWork === 0) return {};
  const forDatabase = count(({ where }) => databasePool.test(where));
  const forClient = count(({ where }) => clientPool.test(where));
  const forAnswer = count(({ where }) => where.startsWith(answerWait));
  // Those that queue for a pool wait for its holders, and say nothing of what those wait for.
  const outside = atWork - Math.min(forDatabase, atWork - forAnswer);
  const forResult = count(({ where }) => where.startsWith(resultWait));
  const locked = groups.filter(isLocked).sort((a, b) => b.count - a.count);
  return {
    // Those that queue for the pool wait for the holders of its connections, and say nothing of what those wait for.
    blocked: {
      threads: count(isLocked),
      of: atWork - Math.min(forDatabase, atWork - count(isLocked)),
      where: locked[0]?.where ?? null,
    },
    ...(s.pool === null && forDatabase >= mostWait * atWork ? { pool: unwatched(s.knobs.pool, forDatabase) } : {}),
    ...(s.outbound === null && forClient >= mostWait * atWork ? { outbound: unwatched(s.knobs.outboundPool, forClient) } : {}),
    ...(s.outbound === null && forAnswer > 0 && forAnswer >= mostWait * outside && !startsClients(s)
      ? { outbound: answering(s, forAnswer) }
      : {}),
    executor: fullExecutor(summaries, forResult, atWork),
  };
}

function isLocked({ state, where }: Group): boolean {
  if (state === 'BLOCKED') return true;
  return state === 'WAITING' && ![databasePool, clientPool, elsewhere, idle].some((wait) => wait.test(where));
}

/** A pool that was not watched, and for which threads queue: it is full. How long it is held is not known. */
function unwatched(knob: Knob | null, pending: number): PoolSignals {
  const max = typeof knob?.value === 'number' ? knob.value : 1;
  return { ...unprobedPool, name: knob?.label ?? 'pool', max, busy: max, pending, waitMs: null, holdMs: null, perRequest: null };
}

/** A client that is made for each request starts its threads meanwhile: then what a thread waits for in it is not the answer alone. */
function startsClients({ causes: { startedThreads } }: Signals): boolean {
  return (startedThreads ?? 0) >= thresholds.threadsEach.limit;
}

/** Another service whose answers threads wait for, by a client without a pool that is watched: how long it takes follows by Little’s law. */
function answering(s: Signals, waiting: number): PoolSignals {
  const holdMs = s.throughput > 0 ? Math.min((1000 * waiting) / s.throughput, s.meanMs ?? Number.POSITIVE_INFINITY) : null;
  return { ...unprobedPool, name: 'another service', max: null, busy: waiting, pending: 0, waitMs: 0, holdMs, perRequest: 1 };
}

/** The executor of which every dump shows all threads at work, while requests wait for results; of several the smallest, behind which the queue is longest. */
function fullExecutor(summaries: readonly ThreadDumpSummary[], waiting: number, of: number): Signals['executor'] {
  const [first, ...others] = summaries;
  const full = (first?.workers ?? []).filter(({ name, threads }) =>
    [first, ...others].every((dump) =>
      (dump?.workers ?? []).some((one) => one.name === name && one.threads === threads && one.atWork === threads),
    ),
  );
  const [smallest] = full.sort((a, b) => a.threads - b.threads);
  if (smallest === undefined) return null;
  const { name, threads, where } = smallest;
  const idleThreads = summaries.reduce((sum, dump) => sum + (dump.workers?.find((one) => one.name === name)?.waiting ?? 0), 0);
  return { name, threads, where, waiting, of, waits: idleThreads >= mostWait * threads * summaries.length };
}
