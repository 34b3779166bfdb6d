import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clearAttachSockets, writeAttachRequest } from '../../../src/engine/supervise/attachFiles.ts';
import { identityTag, processIdentity } from '../../../src/engine/supervise/identity.ts';
import type { ProcessIdentity } from '../../../src/engine/supervise/identity.ts';
import { sweepTemporaryFolders } from '../../../src/engine/supervise/temporaryFolder.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/engine.ts';

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
