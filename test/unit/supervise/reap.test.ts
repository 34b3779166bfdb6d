import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProcessIdentity, isGone, processIdentity } from '../../../src/engine/supervise/identity.ts';
import { Journal } from '../../../src/engine/supervise/journal.ts';
import { endAbandonedEngines, reapElsewhere, reapLeftovers } from '../../../src/engine/supervise/reap.ts';

let folder: string;
let child: ChildProcess;
let orphan: ProcessIdentity;
const dead: Partial<ProcessIdentity> = { pid: 4_194_400 };

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-reap-'));
  child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore', detached: true });
  await once(child, 'spawn');
  orphan = known(child.pid ?? 0);
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

function known(pid: number): ProcessIdentity {
  const identity = processIdentity(pid);
  if (identity === null) throw new Error(`there is no process ${pid}`);
  return identity;
}

/** A journal of an engine like this process but for `engine`, which has started one child. */
function journalOf(engine: Partial<ProcessIdentity>, started: ProcessIdentity): string {
  const journal = new Journal(folder, 'cookie', { ...known(process.pid), ...engine });
  journal.started(started, 'app', 'node');
  return path.join(folder, 'cookie.jsonl');
}

describe('a sweep', () => {
  it('ends what an engine that is gone has left, and its journal goes with it', async () => {
    const file = journalOf(dead, orphan);
    expect(await reapLeftovers(folder)).toEqual({ processes: 1, journals: 1 });
    expect(isGone(orphan)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('keeps the journal for as long as a child may live of which the start time is not known, and does not end it', async () => {
    const file = journalOf(dead, { ...orphan, startTime: 'unknown' });
    expect(await reapLeftovers(folder)).toEqual({ processes: 0, journals: 0 });
    expect(isGone(orphan)).toBe(false);
    expect(existsSync(file)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await reapLeftovers(folder)).toEqual({ processes: 0, journals: 1 });
    expect(existsSync(file)).toBe(false);
  });

  it('keeps the journal until what an engine that is gone has made elsewhere is removed, and removes nothing of one that lives', async () => {
    const made = { id: 'abc', context: 'staging', namespace: 'load' };
    const journal = new Journal(folder, 'cookie', { ...known(process.pid), ...dead });
    journal.made(made);
    journal.made({ ...made, id: 'gone' });
    journal.unmade('gone');
    journal.close();
    new Journal(folder, 'living', known(process.pid)).made({ ...made, id: 'mine' });
    expect(await reapLeftovers(folder)).toEqual({ processes: 0, journals: 0 });
    const asked: unknown[] = [];
    for (const removed of [false, true])
      expect(
        await reapElsewhere(folder, async (one) => {
          asked.push(one);
          return removed;
        }),
      ).toBe(removed ? 1 : 0);
    expect(asked).toEqual([made, made]);
    expect(readdirSync(folder)).toEqual(['living.jsonl']);
  });

  it.each<[string, Partial<ProcessIdentity>]>([
    ['another machine', { host: '0badcafe', bootId: 'another' }],
    ['another container of this machine', { pidNamespace: '1', ...dead }],
  ])('ends nothing for an engine of %s, and forgets it after a day without a sign of life', async (_where, engine) => {
    const file = journalOf(engine, orphan);
    expect(await reapLeftovers(folder)).toEqual({ processes: 0, journals: 0 });
    expect(isGone(orphan)).toBe(false);
    expect(readdirSync(folder)).toEqual([path.basename(file)]);
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    utimesSync(file, longAgo, longAgo);
    await reapLeftovers(folder);
    expect(isGone(orphan)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends an engine whose client is gone and which runs on, but none whose client lives or is not known', async () => {
    const engine = orphan;
    const gone = { ...known(process.pid), pid: 4_194_400 };
    new Journal(folder, 'unknown', engine, null);
    new Journal(folder, 'served', engine, known(process.pid));
    expect(await endAbandonedEngines(folder)).toBe(0);
    expect(isGone(engine)).toBe(false);
    new Journal(folder, 'abandoned', engine, gone);
    expect(await endAbandonedEngines(folder)).toBe(1);
    expect(isGone(engine)).toBe(true);
    expect(existsSync(path.join(folder, 'abandoned.jsonl'))).toBe(false);
  });
});
