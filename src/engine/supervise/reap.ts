import { rmSync } from 'node:fs';
import { clearAttachSockets } from './attachFiles.ts';
import { engineGraceMs } from './engineGrace.ts';
import { holdersOf, killEscaped } from './escaped.ts';
import { type ProcessIdentity, isForeign, isForsaken, isGone, isSameProcess } from './identity.ts';
import { type JournalRecord, type MadeElsewhere, readJournal, readJournals } from './journal.ts';
import { endMarked } from './marked.ts';
import { poll } from './pause.ts';
import { sendSignal } from './stopLadder.ts';
import { sweepTemporaryFolders } from './temporaryFolder.ts';

/** What a sweep did. */
export interface Reaped {
  processes: number;
  journals: number;
}

/**
 * Ends what engines that are provably gone have left behind. Those of other machines and containers are left alone; their journals go when nobody has touched
 * them for a day. A process is signalled only when its identity (pid, start time, boot) is in such an engine's journal, or when its environment carries that
 * engine's cookie: never by pid alone, never by name. Orphaned PostgreSQL servers get SIGINT (a postmaster is never killed), everything else SIGKILL.
 */
export async function reapLeftovers(journalDirectory: string): Promise<Reaped> {
  const reaped = { processes: 0, journals: 0 };
  for (const record of readJournals(journalDirectory)) {
    if (isForeign(record.engine) && isForsaken(record.touchedMs)) rmSync(record.file, { force: true });
    if (!isGone(record.engine)) continue;
    const { processes, journals } = await reapOne(record);
    reaped.processes += processes;
    reaped.journals += journals;
  }
  return reaped;
}

/**
 * Kills the engines whose client is gone and which have not ended on their own within their grace, and ends what they have left. Returns how many processes
 * there were.
 */
export async function endAbandonedEngines(journalDirectory: string): Promise<number> {
  const abandoned = readJournals(journalDirectory).flatMap(({ engine, client }) =>
    client !== null && engine.pid !== process.pid && isGone(client) && isSameProcess(engine) ? [engine] : [],
  );
  const left = await waitUntilGone(abandoned, engineGraceMs);
  for (const { pid } of left) sendSignal(pid, 'SIGKILL', 'process');
  const stuck = await waitUntilGone(left, goneTimeoutMs);
  const killed = left.length - stuck.length;
  return killed === 0 ? 0 : killed + (await reapLeftovers(journalDirectory)).processes;
}

/** How long the kernel may take for the end of an engine whose files it has closed already. */
const goneTimeoutMs = 10_000;

/** For the guardian of one engine that was killed: ends what it has left behind, and removes its temporary folders, those in `folders` among them. */
export async function reapKilled(journalFile: string, folders: readonly string[]): Promise<void> {
  const record = readJournal(journalFile);
  if (record === null) return;
  await poll(() => isGone(record.engine), { timeoutMs: goneTimeoutMs, everyMs: 10 });
  if (!isGone(record.engine)) return;
  await reapOne(record);
  await sweepTemporaryFolders();
  await sweepTemporaryFolders(folders);
}

async function reapOne(record: JournalRecord): Promise<Reaped> {
  const known = record.children.filter((child) => isSameProcess(child.identity));
  const postgres = known.filter((child) => child.kind === 'postgres').map((child) => child.identity);
  for (const identity of postgres) sendSignal(identity.pid, 'SIGINT', 'process');
  const others = known.filter((child) => child.kind !== 'postgres').map((child) => child.identity);
  // What has left its group and our mark behind is known by the output of the child that it came from.
  const escaped = record.children
    .filter(({ kind }) => kind !== 'postgres')
    .flatMap(({ outputs, identity }) => holdersOf(outputs, identity));
  // Every child was started as the leader of a group, which goes with it.
  for (const identity of others) sendSignal(identity.pid, 'SIGKILL', 'group');
  const killed = killEscaped(escaped);
  const { signalled, isClear } = await endMarked(record.cookie, 5_000);
  const left = await waitUntilGone([...others, ...killed, ...postgres], 5_000);
  for (const identity of left.filter((one) => postgres.includes(one))) sendSignal(identity.pid, 'SIGQUIT', 'process');
  await waitUntilGone(left, 6_000);
  clearAttachSockets([...record.children.map(({ identity }) => identity.pid), ...signalled.map(({ pid }) => pid)]);
  const ended = new Set([...known.map(({ identity }) => identity.pid), ...[...signalled, ...killed].map(({ pid }) => pid)]);
  // Where start times are not known nothing may be ended; then the journal stays for as long as there is a process of that number.
  const isDone = isClear && record.elsewhere.length === 0 && record.children.every((child) => isGone(child.identity));
  if (isDone) rmSync(record.file, { force: true });
  return { processes: ended.size, journals: isDone ? 1 : 0 };
}

/**
 * Lets `remove` remove what engines that are provably gone have left elsewhere; what it could not (`false`) stays in the journal for the next time. Returns how
 * many there were.
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
  const left = (): ProcessIdentity[] => identities.filter((identity) => isSameProcess(identity));
  await poll(() => left().length === 0, { timeoutMs, everyMs: 20 });
  return left();
}
