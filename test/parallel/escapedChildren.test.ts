import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { type ProcessIdentity, isSameProcess, processIdentity } from '../../src/engine/supervise/identity.ts';
import { Journal } from '../../src/engine/supervise/journal.ts';
import { reapLeftovers } from '../../src/engine/supervise/reap.ts';
import { type Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { untilGone } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';

let folder: string;
let escaped: ProcessIdentity | undefined;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'benchside-escaped-'));
});
afterEach(() => {
  if (escaped !== undefined && isSameProcess(escaped)) process.kill(escaped.pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function known(pid: number): ProcessIdentity {
  const identity = processIdentity(pid);
  if (identity === null) throw new Error(`there is no process ${pid}`);
  return identity;
}

/** Starts a shell that starts `sleep` in a session of its own, without our mark, as `how` says. */
async function start(journal: Journal, how: string): Promise<Child> {
  const file = path.join(folder, 'pid');
  const command = `setsid env -i sh -c 'echo $$ > ${file}; exec sleep 300' ${how}`;
  const child = await new Supervisor(journal).start({
    name: 'app',
    kind: 'app',
    argv: ['sh', '-c', command],
    cwd: folder,
    env: childEnvironment(),
  });
  const pid = await waitFor(
    () => {
      try {
        return Number(readFileSync(file, 'utf8')) || undefined;
      } catch {
        return undefined;
      }
    },
    { what: 'the process that escapes' },
  );
  escaped = known(pid);
  return child;
}

describe('a process that an app has started in a session of its own, without our mark', () => {
  it.each([
    ['whose parent lives', '& wait'],
    ['whose parent is gone, with the app’s output', '& sleep 300'],
    ['of which the parent lives, with an output of its own', '>/dev/null 2>&1 & wait'],
  ])('is ended with the app: one %s', { timeout: 30_000 }, async (_what, how) => {
    const child = await start(new Journal(folder, 'cookie', known(process.pid)), how);
    await child.stop();
    await untilGone([escaped as ProcessIdentity], 5_000);
  });

  it('is ended with an app that ends by itself, by its output', { timeout: 30_000 }, async () => {
    const child = await start(new Journal(folder, 'cookie', known(process.pid)), '& sleep 1');
    await child.exited;
    await untilGone([escaped as ProcessIdentity], 5_000);
  });

  it('is found by the next engine, by its output', { timeout: 30_000 }, async () => {
    const gone = { ...known(process.pid), pid: 4_194_400 };
    await start(new Journal(folder, 'cookie', gone), '& wait');
    const { processes } = await reapLeftovers(folder);
    expect(processes).toBeGreaterThanOrEqual(2);
    await untilGone([escaped as ProcessIdentity], 5_000);
  });
});
