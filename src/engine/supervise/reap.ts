import { rmSync } from 'node:fs';
import { cookieName } from './environment.ts';
import { isForeign, isForsaken, isGone, isSameProcess } from './identity.ts';
import type { ProcessIdentity } from './identity.ts';
import { readJournals } from './journal.ts';
import type { MadeElsewhere } from './journal.ts';
import { isPostgres, processesMarked } from './marked.ts';
import { sendSignal } from './stopLadder.ts';

/** What a sweep did. */
export interface Reaped {
  processes: number;
  journals: number;
}

/**
 * Ends what engines that are provably gone have left behind. Those of other machines and containers are left alone; their journals go when nobody has touched
 * them for a day. A process is signalled only when its identity (pid, start time, boot)
 * stands in such an engine's journal, or when its environment carries that engine's cookie: never by pid alone, never by name.
 * Orphaned PostgreSQL servers get SIGINT (a postmaster is never killed), everything else SIGKILL.
 */
export async function reapLeftovers(journalDirectory: string): Promise<Reaped> {
  let processes = 0;
  let journals = 0;
  for (const record of readJournals(journalDirectory)) {
    if (isForeign(record.engine) && isForsaken(record.touchedMs)) rmSync(record.file, { force: true });
    if (!isGone(record.engine)) continue;
    const known = record.children.filter((child) => isSameProcess(child.identity));
    const postgres = known.filter((child) => child.kind === 'postgres').map((child) => child.identity);
    const others = known.filter((child) => child.kind !== 'postgres').map((child) => child.identity);
    // Every child was started as the leader of a group, which goes with it.
    const leaders = new Set(others);
    const isLeader = (identity: ProcessIdentity): boolean => leaders.has(identity);
    for (const stray of processesMarked(cookieName, record.cookie)) {
      if (isPostgres(stray.pid)) continue;
      if (!others.some((identity) => identity.pid === stray.pid)) others.push(stray);
    }
    for (const identity of others)
      if (isSameProcess(identity) && sendSignal(identity.pid, 'SIGKILL', isLeader(identity) ? 'group' : 'process')) processes += 1;
    for (const identity of postgres) if (isSameProcess(identity) && sendSignal(identity.pid, 'SIGINT', 'process')) processes += 1;
    const left = await waitUntilGone([...others, ...postgres], 5_000);
    for (const identity of left.filter((one) => postgres.includes(one))) sendSignal(identity.pid, 'SIGQUIT', 'process');
    await waitUntilGone(left, 6_000);
    // Where start times are not known nothing may be ended; then the journal stays for as long as there is a process of that number.
    if (record.elsewhere.length === 0 && record.children.every((child) => isGone(child.identity)) && others.every(isGone)) {
      rmSync(record.file, { force: true });
      journals += 1;
    }
  }
  return { processes, journals };
}

/**
 * Lets `remove` remove what engines that are provably gone have left elsewhere; what it could not (`false`) stays in the journal for the next time. Gives how many
 * there were.
 */
export async function reapElsewhere(journalDirectory: string, remove: (made: MadeElsewhere) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const { file, engine, elsewhere, children } of readJournals(journalDirectory)) {
    if (elsewhere.length === 0 || !isGone(engine)) continue;
    const removed = await Promise.all(elsewhere.map((made) => remove(made)));
    count += removed.filter(Boolean).length;
    if (removed.every(Boolean) && children.every(({ identity }) => isGone(identity))) rmSync(file, { force: true });
  }
  return count;
}

async function waitUntilGone(identities: readonly ProcessIdentity[], timeoutMs: number): Promise<ProcessIdentity[]> {
  const deadline = performance.now() + timeoutMs;
  let left = identities.filter((identity) => isSameProcess(identity));
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = left.filter((identity) => isSameProcess(identity));
  }
  return left;
}
