import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { afterInput } from '../../src/engine/supervise/guardian.ts';
import { type ProcessIdentity, isSameProcess, processIdentity } from '../../src/engine/supervise/identity.ts';
import { Journal } from '../../src/engine/supervise/journal.ts';
import { processesMarked } from '../../src/engine/supervise/marked.ts';
import { politeLadder } from '../../src/engine/supervise/stopLadder.ts';
import { childEnvironment, cookieName } from '../../src/engine/supervise/environment.ts';
import { type Child, Supervisor } from '../../src/engine/supervise/supervisor.ts';
import {
  appTarget,
  commandLine,
  cookieOf,
  enginePath,
  engineProcesses,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  TestEngine,
  untilGone,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const targets = [
  appTarget('good', 'steadyService.mjs'),
  appTarget('stubborn', 'stubborn.mjs', { stopGraceMs: 20_000 }),
  appTarget('app', 'steadyService.mjs', { postgres: { env: { url: 'DATABASE_URL' }, database: 'supervisor_test' } }),
];
const slow = 120_000;
let script: string;

beforeAll(async () => {
  script = path.join(temporaryFolder('client'), 'client.cjs');
  await build({
    entryPoints: [path.join(repositoryDir, 'test/support/clientProcess.ts')],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
});
afterAll(removeTemporaryFolders);

interface Started {
  client: ChildProcess;
  engine: ProcessIdentity;
  processes: ProcessIdentity[];
  cookie: string;
  ports: number[];
}

/** Starts a client in a process of its own and waits until load is on. */
async function startClient(workspaceDir: string, storageDir: string): Promise<Started> {
  const options = {
    nodePath: process.execPath,
    enginePath,
    initialize: {
      client: 'test',
      workspaceDir,
      storageDir,
      assetsDir: repositoryDir,
      trusted: true,
      nodePath: process.execPath,
      javaPath: null,
      postgresUrl: null,
    },
  };
  const client = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(createInterface(client.stdout), 'line')) as [string];
  const { enginePid, ports } = JSON.parse(line) as { enginePid: number; ports: number[] };
  const cookie = cookieOf(storageDir, enginePid);
  const engine = processIdentity(enginePid);
  if (engine === null) throw new Error('the engine does not run');
  return { client, engine, processes: engineProcesses(enginePid, cookie), cookie, ports };
}

function kinds(processes: readonly ProcessIdentity[]): string[] {
  const known = ['postgres', 'stubborn.mjs', 'setInterval', 'steadyService.mjs', 'loadWorker.cjs'];
  const lines = processes.map(({ pid }) => commandLine(pid));
  return known.filter((name) => lines.some((line) => line.includes(name)));
}

describe('a client that is killed', () => {
  const takesAll =
    'takes everything with it within 2 s: PostgreSQL, load, an app that ignores SIGTERM, and what that has put in a session of its own';
  it(takesAll, { timeout: slow }, async () => {
    expect(Math.max(...(await killedTimes(1)))).toBeLessThan(2_000);
  });
  it(`${takesAll}, again and again`, { timeout: slow, ...slowHalf }, async () => {
    expect(Math.max(...(await killedTimes(6)))).toBeLessThan(2_000);
  });

  /** Kills a client so often. Gives how long each took to take everything with it, in ms. */
  async function killedTimes(kills: number): Promise<number[]> {
    const [workspaceDir, storageDir] = [temporaryFolder('workspace'), temporaryFolder('storage')];
    writeWorkspaceFile(workspaceDir, { targets });
    const times: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const started = await startClient(workspaceDir, storageDir);
      expect(kinds(started.processes)).toEqual(['postgres', 'stubborn.mjs', 'setInterval', 'steadyService.mjs', 'loadWorker.cjs']);
      expect(started.ports.length).toBeGreaterThanOrEqual(2);
      started.client.kill('SIGKILL');
      times.push(await untilGone([started.engine, ...started.processes], 5_000));
      expect(processesMarked(cookieName, started.cookie)).toEqual([]);
      for (const port of started.ports) expect(await isPortFree(port)).toBe(true);
    }
    expect(readdirSync(path.join(storageDir, 'journals'))).toEqual([]);
    expect(readdirSync(path.join(workspaceDir, '.benchside', 'runs'))).toEqual([]);
    return times;
  }
});

describe('an engine that is killed', () => {
  const isGuardian = ({ pid }: ProcessIdentity): boolean => commandLine(pid).includes('benchside-guardian');

  /** Kills an engine under load. `kills`: the guardian too. What is in sessions of their own is given back. */
  async function killEngine(workspaceDir: string, storageDir: string, kills: 'engine' | 'both'): Promise<Started> {
    const started = await startClient(workspaceDir, storageDir);
    const clientEnd = once(started.client, 'exit');
    const guardians = started.processes.filter(isGuardian);
    expect(guardians).toHaveLength(1);
    if (kills === 'both') for (const { pid } of guardians) process.kill(pid, 'SIGKILL');
    process.kill(started.engine.pid, 'SIGKILL');
    await clientEnd;
    return started;
  }
  const alone =
    'leaves nothing after 2 s, without another engine: neither what is in a session of its own nor a journal, a folder or the guardian';
  it(alone, { timeout: slow }, () => killAndLook(1));
  it(`${alone}, again and again`, { timeout: slow, ...slowHalf }, () => killAndLook(6));

  async function killAndLook(kills: number): Promise<void> {
    const [workspaceDir, storageDir] = [temporaryFolder('workspace'), temporaryFolder('storage')];
    writeWorkspaceFile(workspaceDir, { targets });
    for (let kill = 0; kill < kills; kill += 1) {
      const killed = await killEngine(workspaceDir, storageDir, 'engine');
      expect(await untilGone([killed.engine, ...killed.processes], 5_000)).toBeLessThan(2_000);
      expect(processesMarked(cookieName, killed.cookie)).toEqual([]);
      expect(readdirSync(path.join(storageDir, 'journals'))).toEqual([]);
      expect(readdirSync(tmpdir()).filter((name) => name.includes(`-${killed.engine.pid}.${killed.engine.startTime}.`))).toEqual([]);
    }
    const next = await TestEngine.start({ workspaceDir, storageDir });
    try {
      await next.request('target/start', { id: 'app' });
      const { text } = await next.request('target/log', { id: 'postgres' });
      expect(text).toMatch(/database system was shut down at/);
      expect(text).not.toMatch(/interrupted|not properly shut down/);
    } finally {
      await next.dispose();
    }
  }

  it('is followed by the reaper itself where there is no shell to be its guardian', { timeout: slow }, async () => {
    const journals = temporaryFolder('journals');
    const idle = ['-e', 'setInterval(() => undefined, 1000)'];
    const [engine, child] = [1, 2].map(() => spawn(process.execPath, idle, { stdio: 'ignore', detached: true }));
    const [engineIs, childIs] = [engine, child].map((one) => processIdentity(one?.pid ?? 0));
    if (engine === undefined || engineIs == null || childIs == null) throw new Error('no processes');
    const journal = new Journal(journals, 'cookie-of-a-killed-one', engineIs);
    journal.started(childIs, 'app', 'idle');
    const reaper = spawn(process.execPath, [path.join(repositoryDir, 'dist/reaper.cjs'), afterInput, journal.file], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    engine.kill('SIGKILL');
    await once(engine, 'exit');
    expect(isSameProcess(childIs)).toBe(true);
    reaper.stdin?.end();
    await once(reaper, 'exit');
    await untilGone([childIs], 2_000);
    expect(readdirSync(journals)).toEqual([]);
  });

  it(
    'together with its guardian takes its direct children with it; the next one ends the rest',
    { timeout: slow, ...slowHalf },
    async () => {
      const [workspaceDir, storageDir] = [temporaryFolder('workspace'), temporaryFolder('storage')];
      writeWorkspaceFile(workspaceDir, { targets });
      const killed = await killEngine(workspaceDir, storageDir, 'both');
      const background = killed.processes.filter(({ pid }) => commandLine(pid).includes('setInterval'));
      expect(background).toHaveLength(1);
      await untilGone(
        killed.processes.filter((one) => !background.includes(one)),
        10_000,
      );
      expect(background.every((one) => isSameProcess(one))).toBe(true);
      const next = await TestEngine.start({ workspaceDir, storageDir });
      try {
        await untilGone(background, 1_000);
        expect(await next.request('engine/stopEverything', {})).toEqual({ stopped: 0, reaped: 1 });
      } finally {
        await next.dispose();
      }
    },
  );
});

describe('two engines on one workspace', () => {
  it('have a database each, and both store their runs', { timeout: slow, ...slowHalf }, async () => {
    const first = await TestEngine.start({ file: { targets } });
    const second = await TestEngine.start({ workspaceDir: first.workspaceDir, storageDir: first.storageDir });
    try {
      const request = { targets: ['app'], load: 'brief', rounds: 1 };
      const [a, b] = await Promise.all([first.run(request), second.run(request)]);
      const folders = await Promise.all(
        [first, second].map(async (engine) => commandLine((await engine.catalog()).services[0]?.pid ?? 0).match(/-D (\S+)/)?.[1]),
      );
      expect(new Set(folders).size).toBe(2);
      const ids = [a.id, b.id].sort();
      for (const engine of [first, second]) expect((await engine.request('runs/list', {})).runs.map(({ id }) => id).sort()).toEqual(ids);
      await first.dispose();
      // The other one is not touched by that.
      expect((await second.run(request)).state).toBe('complete');
    } finally {
      await first.dispose();
      await second.dispose();
    }
  });
});

describe('output', () => {
  it(
    'of a gigabyte neither fills the memory nor holds the child up; its beginning and its end are kept',
    { timeout: slow, ...slowHalf },
    async () => {
      const engine = await TestEngine.start({ file: { targets: [appTarget('loud', 'gigabyte.mjs')] } });
      try {
        const { port } = await engine.request('target/start', { id: 'loud' });
        let peakKb = 0;
        await waitFor(
          async () => {
            peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.client.pid}/status`, 'utf8'))?.[1] ?? 0));
            return ((await (await fetch(`http://127.0.0.1:${port}/`)).json()) as { megabytes: number }).megabytes === 1024;
          },
          { timeoutMs: 90_000, everyMs: 50, what: 'a gigabyte was taken' },
        );
        const { text, droppedBytes } = await waitFor(async () => {
          const log = await engine.request('target/log', { id: 'loud' });
          return log.text.endsWith('the last line\n') ? log : null;
        });
        expect(peakKb).toBeLessThan(350_000);
        expect(text.startsWith('the first line\n')).toBe(true);
        expect(text.length).toBeLessThan(400_000);
        expect(droppedBytes).toBeGreaterThan(1_000_000_000);
      } finally {
        await engine.dispose();
      }
    },
  );
});

describe('a stop', () => {
  const folder = temporaryFolder('journal');
  const self = processIdentity(process.pid);
  if (self === null) throw new Error('this process has no identity');
  const journal = new Journal(folder, 'supervisor-test', self);
  const supervisor = new Supervisor(journal);
  afterEach(() => supervisor.stopAll());

  async function start(file: string, graceMs: number): Promise<Child> {
    const { command } = appTarget('app', file) as { command: string[] };
    const child = await supervisor.start({
      name: file,
      kind: 'app',
      argv: [process.execPath, ...command.slice(1)],
      cwd: '/',
      env: childEnvironment({ PORT: '0' }),
      stop: politeLadder(graceMs),
    });
    await waitFor(() => /listening|background/.test(child.log.text()));
    return child;
  }

  it('leaves the standard input of an app open, as a terminal does', async () => {
    const ends = "process.stdin.on('end', () => console.log('it ended')).resume(); setTimeout(() => console.log('it is open'), 300);";
    const spec = { argv: [process.execPath, '-e', ends], cwd: '/', env: childEnvironment({}) };
    const [app, tool] = await Promise.all([
      supervisor.start({ ...spec, name: 'app', kind: 'app' }),
      supervisor.start({ ...spec, name: 'tool', kind: 'tool' }),
    ]);
    await waitFor(() => app.log.text().includes('it is open') && tool.log.text().includes('it ended'));
    expect(app.log.text()).not.toContain('it ended');
  });

  it('ends at last what carries its mark and is nobody’s child any more, and says that nothing is left', async () => {
    const env = { ...process.env, [cookieName]: 'supervisor-test' };
    const stray = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore', env });
    const ended = once(stray, 'exit');
    await once(stray, 'spawn');
    expect(await supervisor.endStrays()).toBe(true);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('of everything never kills PostgreSQL, and says that it is left', async () => {
    const program = path.join(folder, 'postgres');
    copyFileSync('/bin/sleep', program);
    const env = { ...process.env, [cookieName]: journal.cookie };
    const hung = spawn(program, ['60'], { detached: true, stdio: 'ignore', env });
    const ended = once(hung, 'exit');
    await once(hung, 'spawn');
    expect(await supervisor.endStrays(300)).toBe(false);
    expect(hung.exitCode ?? hung.signalCode).toBeNull();
    hung.kill('SIGKILL');
    await ended;
    expect(await supervisor.endStrays()).toBe(true);
    rmSync(program);
  });

  it('of a polite child ends it by its own hand', async () => {
    const child = await start('steadyService.mjs', 20_000);
    await child.stop();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.running).toBe(false);
  });

  it('of one that ignores SIGTERM kills it after its grace, and what it has put in a session of its own', { timeout: 20_000 }, async () => {
    const child = await start('stubborn.mjs', 300);
    const background = processIdentity(Number(/background process (\d+)/.exec(child.log.text())?.[1]));
    expect(background === null || !isSameProcess(background)).toBe(false);
    const started = performance.now();
    await Promise.all([child.stop(), child.stop()]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(300);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    if (background !== null) await untilGone([background], 1_000);
  });

  it('that is under way is hurried by a later one that has less time', { timeout: 20_000 }, async () => {
    const child = await start('stubborn.mjs', 15_000);
    const patient = child.stop();
    const started = performance.now();
    await child.stop(100);
    await patient;
    expect(performance.now() - started).toBeLessThan(5_000);
    expect((await child.exited).signal).toBe('SIGKILL');
  });

  it('of everything leaves an empty journal, and nothing is started any more', async () => {
    await start('steadyService.mjs', 2_000);
    await supervisor.stopAll({ close: true });
    expect([...supervisor.children]).toEqual([]);
    await expect(start('steadyService.mjs', 2_000)).rejects.toMatchObject({ failure: { code: 'stopping' } });
    journal.close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
