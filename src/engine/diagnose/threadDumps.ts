import type { Diagnosis } from '../../model/diagnosis.ts';
import type { ThreadDumpSummary } from '../record/jvm/threadDumpSummary.ts';
import { diagnose } from './diagnose.ts';
import type { Knob } from './knobs.ts';
import { takenByOthers } from './rules/room.ts';
import type { PoolSignals, Signals } from './signals.ts';

const idle = /^idle:/;
const databasePool = /getConnection$|borrowObject$|borrowConnection$/;
const clientPool = /pool lease$/;
const elsewhere = /^(socket read|sleep) in /;
/** Of the threads at work; a pool that half of them wait for is what limits. */
const mostWait = 0.5;

/**
 * Whether three thread dumps under the same load would say more: where it is not known what requests wait for, or only supposed that it is their turn
 * on a machine that other programs fill.
 */
export function wantsThreadDumps(diagnosis: Diagnosis | null, signals: Signals): boolean {
  const kind = diagnosis?.leavingThatAside?.kind ?? diagnosis?.kind;
  return kind === 'unknown-wait' || (kind === 'cpu' && takenByOthers(signals) !== null);
}

/** Judges once more, with what the dumps show, and names their files. Without anything in them the verdict stays. */
export function diagnoseWithDumps(signals: Signals, summaries: readonly ThreadDumpSummary[], files: readonly string[]): Diagnosis {
  return { ...diagnose({ ...signals, ...seenInDumps(signals, summaries) }), threadDumps: [...files] };
}

type Group = ThreadDumpSummary['groups'][number];

/**
 * Means over the dumps. Threads that wait for a monitor, or are parked outside of pools, wait for another thread: a lock. Those that wait for a
 * connection of a pool that no probe watches tell that this pool is full.
 */
function seenInDumps(s: Signals, summaries: readonly ThreadDumpSummary[]): Partial<Signals> {
  if (summaries.length === 0) return {};
  const groups = summaries.flatMap((summary) => summary.groups.filter(({ where }) => !idle.test(where)));
  const count = (of: (group: Group) => boolean): number =>
    groups.reduce((sum, group) => (of(group) ? sum + group.count : sum), 0) / summaries.length;
  const atWork = count(() => true);
  if (atWork === 0) return {};
  const [forDatabase, forClient] = [databasePool, clientPool].map((wait) => count(({ where }) => wait.test(where)));
  const locked = groups.filter(isLocked).sort((a, b) => b.count - a.count);
  return {
    blocked: { threads: count(isLocked), of: atWork, where: locked[0]?.where ?? null },
    ...(s.pool === null && (forDatabase ?? 0) >= mostWait * atWork ? { pool: unwatched(s.knobs.pool, forDatabase ?? 0) } : {}),
    ...(s.outbound === null && (forClient ?? 0) >= mostWait * atWork ? { outbound: unwatched(s.knobs.outboundPool, forClient ?? 0) } : {}),
  };
}

function isLocked({ state, where }: Group): boolean {
  if (state === 'BLOCKED') return true;
  return state === 'WAITING' && ![databasePool, clientPool, elsewhere, idle].some((wait) => wait.test(where));
}

/** A pool that was not watched, and before which threads stand: it is full. How long it is held is not known. */
function unwatched(knob: Knob | null, pending: number): PoolSignals {
  const max = typeof knob?.value === 'number' ? knob.value : 1;
  return { name: knob?.label ?? 'pool', max, busy: max, pending, waitMs: null, holdMs: null, perRequest: null, timeouts: null };
}
