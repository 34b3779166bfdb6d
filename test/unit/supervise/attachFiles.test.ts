import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clearAttachSockets, writeAttachRequest } from '../../../src/engine/supervise/attachFiles.ts';
import { childEnvironment } from '../../../src/engine/supervise/environment.ts';
import { type ProcessIdentity, identityTag, processIdentity } from '../../../src/engine/supervise/identity.ts';
import { Journal } from '../../../src/engine/supervise/journal.ts';
import { reapLeftovers } from '../../../src/engine/supervise/reap.ts';
import { Supervisor } from '../../../src/engine/supervise/supervisor.ts';
import { sweepTemporaryFolders } from '../../../src/engine/supervise/temporaryFolder.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';
import { waitFor } from '../../support/waitFor.ts';

afterAll(removeTemporaryFolders);

async function listening(pid: number): Promise<{ file: string; server: net.Server }> {
  const file = `/tmp/.java_pid${pid}`;
  const server = net.createServer().listen(file);
  await once(server, 'listening');
  return { file, server };
}

/** Of a process that has just ended. */
async function deadProcess(): Promise<ProcessIdentity> {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const identity = processIdentity(child.pid ?? 0);
  child.stdin.end();
  await once(child, 'exit');
  if (identity === null) throw new Error('it had no identity');
  return identity;
}

it('the socket of a JVM that was killed is removed; that of a process that lives, and a file that is no socket, is not', async () => {
  const [dead, other] = [await deadProcess(), await deadProcess()];
  const sockets = [await listening(dead.pid), await listening(process.pid)];
  const file = `/tmp/.java_pid${other.pid}`;
  writeFileSync(file, '');
  try {
    clearAttachSockets([dead.pid, process.pid, other.pid]);
    expect(sockets.map((socket) => existsSync(socket.file))).toEqual([false, true]);
    expect(existsSync(file)).toBe(true);
  } finally {
    rmSync(file, { force: true });
    for (const { server } of sockets) server.close();
  }
});

it('the sockets of all that an app consisted of go when it is killed, and those of what a killed engine has left', async () => {
  const folder = temporaryFolder('journals');
  const self = processIdentity(process.pid);
  if (self === null) throw new Error('this process has no identity');
  const journal = new Journal(folder, `attached-${process.pid}`, self);
  const app = { name: 'app', kind: 'app', cwd: '/', env: childEnvironment() } as const;
  const child = await new Supervisor(journal).start({ ...app, argv: ['/bin/sh', '-c', 'sleep 60 & echo "below $!"; wait'] });
  const below = await waitFor(() => Number(/below (\d+)/.exec(child.log.text())?.[1] ?? 0));
  const sockets = [await listening(child.pid), await listening(below)];
  await child.kill();
  journal.close();
  expect(sockets.map(({ file }) => existsSync(file))).toEqual([false, false]);

  const dead = await deadProcess();
  sockets.push(await listening(dead.pid));
  new Journal(folder, 'killed', { ...self, pid: 4_194_400 }).started(dead, 'app', 'java');
  await reapLeftovers(folder);
  expect(sockets.map(({ file }) => existsSync(file))).toEqual([false, false, false]);
  for (const { server } of sockets) server.close();
});

it('what asks a JVM to listen goes when the engine is gone that asks, and not before; it is not written through a link', async () => {
  const folder = temporaryFolder('requests');
  const [mine, theirs, unknown] = ['.attach_pid1', '.attach_pid2', '.attach_pid3'].map((name) => path.join(folder, name));
  if (mine === undefined || theirs === undefined || unknown === undefined) throw new Error('three names');
  writeFileSync(path.join(folder, 'target'), 'kept');
  symlinkSync(path.join(folder, 'target'), mine);
  writeAttachRequest(mine);
  expect(lstatSync(mine).isFile()).toBe(true);
  writeFileSync(theirs, identityTag(await deadProcess()));
  writeFileSync(unknown, '');
  await sweepTemporaryFolders([folder]);
  expect([mine, theirs, unknown].map((file) => existsSync(file))).toEqual([true, false, true]);
});
