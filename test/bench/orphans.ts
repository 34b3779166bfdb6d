// What a client leaves behind that is killed (kill -9) at any moment of a run: while PostgreSQL, an app that ignores SIGTERM, a second app
// and the load are started and at work. Prints how long it takes until nothing of it runs any more, and what stayed; the goal is 2 s and
// nothing. Kills 20 times, or as often as the variable KILLS says, for three minutes at most. Linux only: it looks into /proc.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { SeededRandom } from '../../src/engine/statistics/seededRandom.ts';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { cookieName } from '../../src/engine/supervise/environment.ts';
import { isSameProcess, processIdentity } from '../../src/engine/supervise/identity.ts';
import { readJournals } from '../../src/engine/supervise/journal.ts';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { groupListensOn } from '../../src/engine/targets/listener.ts';
import { appTarget, commandLine, engineProcesses, removeTemporaryFolders, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';

const kills = Number(process.env['KILLS'] ?? 20);
const capMs = 180_000;
const latestMs = 10_000;
/** Longest time from the first sign of the engine to the kill: start of PostgreSQL and apps, warm-up, and some blocks. */
const phaseMs = 6_000;

const assetsDir = process.cwd();
const workspaceDir = temporaryFolder('workspace');
const storageDir = temporaryFolder('storage');
const scratch = temporaryFolder('scratch');
const client = path.join(scratch, 'client.cjs');
const journals = path.join(storageDir, 'journals');

interface Kill {
  afterMs: number;
  running: number;
  kinds: Set<string>;
  /** `null`: something still ran after 10 s. */
  goneMs: number | null;
  ports: number;
  openPorts: number;
  folders: number;
  halfRuns: number;
  journals: number;
}

function pids(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function entries(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

/** Ports on 127.0.0.1 that anybody listens on now; /proc/net/tcp has them in hexadecimal, state 0A is LISTEN. */
function listening(): number[] {
  const lines = ['tcp', 'tcp6'].flatMap((table) =>
    existsSync(`/proc/net/${table}`) ? readFileSync(`/proc/net/${table}`, 'latin1').split('\n').slice(1) : [],
  );
  const ports = lines
    .map((line) => line.trim().split(/\s+/))
    .flatMap((fields) => (fields[3] === '0A' ? [Number.parseInt(fields[1]?.split(':').at(-1) ?? '', 16)] : []));
  return [...new Set(ports)];
}

async function killOnce(afterMs: number, number: number): Promise<Kill> {
  const temporary = path.join(scratch, `tmp-${number}`);
  mkdirSync(temporary, { mode: 0o777 });
  const initialize = {
    client: 'test',
    workspaceDir,
    storageDir,
    assetsDir,
    trusted: true,
    nodePath: process.execPath,
    javaPath: null,
    postgresUrl: null,
  };
  const options = {
    nodePath: process.execPath,
    enginePath: path.join(assetsDir, 'dist', 'engine.cjs'),
    env: { TMPDIR: temporary },
    initialize,
  };
  const child = spawn(process.execPath, [client, JSON.stringify(options)], { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary } });
  const exited = once(child, 'exit');
  const journal = await waitFor(() => readJournals(journals)[0], { timeoutMs: 20_000, everyMs: 5, what: 'the journal of an engine' });
  await pause(afterMs);

  const running = [journal.engine, ...engineProcesses(journal.engine.pid, journal.cookie)];
  const groups = new Set(running.map(({ pid }) => pid));
  const ports = listening().filter((port) => [...groups].some((group) => groupListensOn(group, port) === true));
  const names = ['postgres', 'stubborn.mjs', 'steadyService.mjs', 'loadWorker.cjs'];
  const kinds = new Set(names.filter((name) => running.some(({ pid }) => commandLine(pid).includes(name))));

  const killed = performance.now();
  child.kill('SIGKILL');
  // By what it was, by the cookie, and by the folder in the command line (which only PostgreSQL's supervisor-made processes have).
  const left = (): boolean =>
    running.some((identity) => isSameProcess(identity)) ||
    processesMarked(cookieName, journal.cookie).length > 0 ||
    pids().some((pid) => commandLine(pid).includes(storageDir) && processIdentity(pid) !== null);
  const goneMs = await waitFor(() => !left(), { timeoutMs: latestMs, everyMs: 10, what: 'the end of all processes' }).then(
    () => performance.now() - killed,
    () => null,
  );
  await exited;
  const free = await Promise.all(ports.map((port) => isPortFree(port)));
  const result: Kill = {
    afterMs,
    running: running.length,
    kinds,
    goneMs,
    ports: ports.length,
    openPorts: free.filter((isFree) => !isFree).length,
    folders: entries(temporary),
    halfRuns: entries(path.join(workspaceDir, '.benchside', 'runs')),
    journals: entries(journals),
  };
  rmSync(journals, { recursive: true, force: true });
  return result;
}

try {
  await build({
    entryPoints: [path.join(assetsDir, 'test/support/clientProcess.ts')],
    outfile: client,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const app = (id: string, file: string, more: Record<string, unknown>): Record<string, unknown> =>
    appTarget(id, file, { command: ['node', path.join(assetsDir, 'test', 'fixtures', 'apps', file)], ...more });
  writeWorkspaceFile(workspaceDir, {
    targets: [
      app('stubborn', 'stubborn.mjs', { stopGraceMs: 20_000 }),
      app('app', 'steadyService.mjs', { postgres: { env: { url: 'DATABASE_URL' }, database: 'orphans' } }),
    ],
  });
  const started = performance.now();
  const random = new SeededRandom(Date.now() % 1_000_000);
  // The first makes the data folder and is not counted.
  await killOnce(2 * phaseMs, 0);
  const seen: Kill[] = [];
  while (seen.length < kills && performance.now() - started < capMs - phaseMs - latestMs) {
    seen.push(await killOnce(random.nextInteger(0, phaseMs), seen.length + 1));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  const times = seen.flatMap(({ goneMs }) => goneMs ?? []).sort((a, b) => a - b);
  const quantile = (share: number): string => (times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? Number.NaN).toFixed(0);
  const sum = (value: (kill: Kill) => number): number => seen.reduce((total, kill) => total + value(kill), 0);
  const late = seen.filter(({ goneMs }) => goneMs === null || goneMs > 2_000).length;
  console.log(
    `kills                     ${seen.length}, ${seen.filter(({ kinds }) => kinds.size === 4).length} of them with PostgreSQL, both apps and the load at work`,
  );
  console.log(`processes killed with it  ${sum(({ running }) => running)}, with ${sum(({ ports }) => ports)} listening ports`);
  console.log(
    `until nothing ran, ms     p50 ${quantile(0.5)}, p95 ${quantile(0.95)}, max ${quantile(1)}   goal 2000; later or never: ${late}`,
  );
  console.log(
    `left behind               processes after 10 s in ${seen.filter(({ goneMs }) => goneMs === null).length}, ports ${sum(({ openPorts }) => openPorts)}, temporary folders ${sum(({ folders }) => folders)}, half-written runs ${sum(({ halfRuns }) => halfRuns)}, journals ${sum(({ journals: count }) => count)}`,
  );
  for (const kill of seen.filter(
    ({ goneMs, openPorts, folders, halfRuns, journals: count }) =>
      goneMs === null || goneMs > 2_000 || openPorts + folders + halfRuns + count > 0,
  )) {
    console.log(JSON.stringify({ ...kill, kinds: [...kill.kinds] }));
  }
} finally {
  removeTemporaryFolders();
}
