import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/engine/services/freePort.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import type { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { repositoryDir } from './engine.ts';
import { waitFor } from './waitFor.ts';

const fixtureDir = path.join(repositoryDir, 'test/fixtures/pouchdb');
const cacheDir = path.join(repositoryDir, '.cache/pouchdb');

/** Starts PouchDB Server, in memory, in a folder of the caller's; gives its address. It is fetched first when it is not in the cache. */
export async function startPouchServer(supervisor: Supervisor, folder: string): Promise<string> {
  await installPackages();
  const port = await freePort();
  const program = path.join(cacheDir, 'node_modules/pouchdb-server/bin/pouchdb-server');
  const argv = [process.execPath, program, '--in-memory', '--host', '127.0.0.1', '--port', String(port), '--no-stdout-logs'];
  const child = await supervisor.start({ name: 'PouchDB Server', kind: 'tool', argv, cwd: folder, env: childEnvironment() });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(
    async () => {
      if (!child.running) throw new Error(`PouchDB Server has ended: ${child.log.tail(10)}`);
      return (await fetch(url)).ok;
    },
    { timeoutMs: 30_000, everyMs: 100, what: 'PouchDB Server answers' },
  );
  return url;
}

async function installPackages(): Promise<void> {
  const hash = createHash('sha256')
    .update(readFileSync(path.join(fixtureDir, 'package-lock.json')))
    .digest('hex');
  const marker = path.join(cacheDir, 'packages.sha256');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return;
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(path.join(cacheDir, 'install-'));
  try {
    for (const name of ['package.json', 'package-lock.json']) cpSync(path.join(fixtureDir, name), path.join(work, name));
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
    await promisify(execFile)(npm, args, { cwd: work, shell: process.platform === 'win32' });
    rmSync(path.join(cacheDir, 'node_modules'), { recursive: true, force: true });
    renameSync(path.join(work, 'node_modules'), path.join(cacheDir, 'node_modules'));
    writeFileSync(marker, hash);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
