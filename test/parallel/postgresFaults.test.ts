import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type TestEngineOptions,
  appTarget,
  commandLine,
  failureOf,
  removeTemporaryFolders,
  temporaryFolder,
  TestEngine,
} from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';

const slow = 120_000;
/** Making a data folder takes a second, and many of them where the machine is busy. */
const patientMs = 60_000;
/** Takes minutes; as a DO its session differs from our own. */
const endless = 'DO $$ BEGIN PERFORM count(*) FROM generate_series(1, 2000000000); END $$;';
let engine: TestEngine;
afterEach(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

/** An app that wants the database and never asks it anything. */
const app = appTarget('app', 'steadyService.mjs', {
  postgres: { env: { url: 'DATABASE_URL' }, database: 'faults_alone', sql: ['schema.sql'], prepare: 'prepare.sql' },
});

async function started(sql: Record<string, string> = {}, options: TestEngineOptions = {}): Promise<TestEngine> {
  // A PostgreSQL of its own: what is done to it here would end the one that other files share.
  const home = temporaryFolder('postgres');
  chmodSync(home, 0o755);
  engine = await TestEngine.start({ file: { targets: [app] }, env: { BENCHSIDE_POSTGRES_HOME: path.join(home, 'clusters') }, ...options });
  const files = { 'schema.sql': 'CREATE TABLE IF NOT EXISTS kept (id int);', 'prepare.sql': 'SELECT 1;', ...sql };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(engine.workspaceDir, name), text);
  return engine;
}

/** The postmaster of this engine, as soon as it is there. */
function postmaster(): Promise<number> {
  return waitFor(
    () =>
      engine.processes().find(({ pid }) => /\/postgres\b.* -D /.test(commandLine(pid)) && !commandLine(pid).includes('setpriv'))?.pid ??
      null,
    { timeoutMs: patientMs, what: 'PostgreSQL runs' },
  );
}

function endlessSession(): number | null {
  return engine.processes().find(({ pid }) => /postgres: .* DO$/.test(commandLine(pid)))?.pid ?? null;
}

const moments: [name: string, sql: Record<string, string>, moment: () => Promise<unknown>][] = [
  ['while it is being started', {}, async () => undefined],
  ['while SQL is applied', { 'prepare.sql': endless }, () => waitFor(endlessSession, { timeoutMs: patientMs, what: 'a statement runs' })],
  ['while the app is warmed up', {}, () => engine.event('phase', ({ phase }) => phase === 'warmUp')],
  ['while it is measured', {}, () => engine.event('tick', ({ tick }) => tick.stage === 'measure')],
];

describe.each(moments.slice(-1))('PostgreSQL that is killed %s', failsTheRun);
describe.each(moments.slice(0, -1))('PostgreSQL that is killed %s', slowHalf, failsTheRun);

function failsTheRun(_when: string, sql: Record<string, string>, moment: () => Promise<unknown>): void {
  it('fails the run with a sentence; nothing is left, and the next run works', { timeout: slow, ...longTest }, async () => {
    const running = await started(sql);
    const record = { events: [], seconds: 3 };
    const run = failureOf(running.measure({ kind: 'run', targets: ['app'], load: 'brief', durationS: 2, rounds: 1, record }));
    await moment();
    process.kill(await postmaster(), 'SIGKILL');
    const failure = await run;
    expect(failure).toMatchObject({
      code: expect.stringMatching(/^postgres-/) as string,
      message: expect.stringContaining('PostgreSQL') as string,
    });
    expect(running.runFolders()).toEqual([]);
    writeFileSync(path.join(running.workspaceDir, 'prepare.sql'), 'SELECT 1;');
    running.events.length = 0;
    const next = await running.run({ targets: ['app'], load: 'brief', rounds: 1 });
    expect(next.state).toBe('complete');
    expect((await running.catalog()).services[0]).toMatchObject({ state: 'running', problem: null });
  });
}

describe('PostgreSQL that is killed while a flame graph is recorded', () => {
  it(
    'leaves what was measured as it is; the run says why there is no recording, and the next run works',
    { timeout: slow, ...slowHalf },
    async () => {
      const running = await started();
      const record = { events: [], seconds: 3 };
      const run = running.measure({ kind: 'run', targets: ['app'], load: 'brief', rounds: 1, record });
      run.catch(() => undefined);
      await running.event('phase', ({ phase }) => phase === 'record');
      process.kill(await postmaster(), 'SIGKILL');
      const { run: stored } = await run;
      expect(stored).toMatchObject({ state: 'complete', recordings: [] });
      expect(stored?.notes).toContainEqual(expect.objectContaining({ code: 'not-recorded', failure: 'postgres-died' }));
      expect((await running.catalog()).services[0]).toMatchObject({ state: 'failed', problem: { code: 'postgres-died' } });
      expect((await running.run({ targets: ['app'], load: 'brief', rounds: 1 })).state).toBe('complete');
    },
  );

  it('fails a recording that is made by itself', { timeout: slow, ...slowHalf }, async () => {
    const running = await started();
    const subject = { kind: 'target' as const, id: 'app', settings: {}, load: 'brief' };
    const recording = failureOf(running.request('recording/start', { subject, events: [], seconds: 5 }));
    await waitFor(() => running.processes().some(({ pid }) => commandLine(pid).includes('steadyService')), { what: 'the app runs' });
    process.kill(await postmaster(), 'SIGKILL');
    expect(await recording).toMatchObject({ code: 'postgres-died' });
    expect(running.processes()).toEqual([]);
  });
});

const killed = 'a session of PostgreSQL that is killed';
describe(`${killed} while SQL is applied`, () => endsWhatWentOn('fails', { 'prepare.sql': endless }));
describe(`${killed} while it is measured`, slowHalf, () => endsWhatWentOn('voids', {}));

function endsWhatWentOn(what: 'fails' | 'voids', sql: Record<string, string>): void {
  it(`${what} what went on, and the next run works`, { timeout: slow, ...slowHalf }, async () => {
    const running = await started(sql);
    const run = running.measure({ kind: 'run', targets: ['app'], load: 'brief', durationS: 3, rounds: 1 });
    run.catch(() => undefined);
    if (what === 'fails') {
      const session = await waitFor(endlessSession, { timeoutMs: patientMs, what: 'a statement runs' });
      process.kill(session, 'SIGKILL');
      expect(await failureOf(run)).toMatchObject({
        code: 'postgres-unreachable',
        message: expect.stringContaining('prepare.sql') as string,
      });
      writeFileSync(path.join(running.workspaceDir, 'prepare.sql'), 'SELECT 1;');
    } else {
      await running.event('tick', ({ tick }) => tick.stage === 'measure');
      const observer = await waitFor(
        () => running.processes().find(({ pid }) => /postgres: benchside /.test(commandLine(pid)))?.pid ?? null,
      );
      process.kill(observer, 'SIGKILL');
      expect((await run).run?.trials[0]).toMatchObject({ valid: false, failed: 'database-restarted' });
    }
    const next = await running.run({ targets: ['app'], load: 'brief', rounds: 1 });
    expect(next.state).toBe('complete');
  });
}

// A disk of its own that can be filled: only root can mount one.
describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a disk that is full', () => {
  let disk: string;
  beforeEach(() => {
    disk = temporaryFolder('disk');
  });
  afterEach(async () => {
    await engine.dispose();
    mount('umount', disk);
  });

  function mount(...argv: [string, ...string[]]): void {
    const [program, ...args] = argv;
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  }

  async function onDisk(megabytes: number, sql: Record<string, string> = {}): Promise<TestEngine> {
    mount('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', disk);
    return started(sql, { env: { BENCHSIDE_POSTGRES_HOME: disk } });
  }

  async function worksAfterwards(running: TestEngine): Promise<void> {
    running.events.length = 0;
    const next = await running.run({ targets: ['app'], load: 'brief', rounds: 1 });
    expect(next.state).toBe('complete');
    expect((await running.catalog()).services[0]).toMatchObject({ state: 'running', problem: null });
  }
  const request = { targets: ['app'], load: 'brief', rounds: 1 };

  it(
    'while the data folder is made fails the run with what to do, leaves nothing half-made, and the next run works',
    { timeout: slow, ...slowHalf },
    async () => {
      const running = await onDisk(12);
      expect(await failureOf(running.measure({ kind: 'run', ...request }))).toMatchObject({
        code: 'postgres-initdb',
        cure: expect.stringContaining('the disk is not full') as string,
      });
      expect(readdirSync(path.join(disk, 'cluster-18-0')).sort()).toEqual(['password']);
      mount('mount', '-o', 'remount,size=300m', disk);
      await worksAfterwards(running);
    },
  );

  it('while SQL is applied fails the run with file and disk, and the next run works', { timeout: slow, ...slowHalf }, async () => {
    const running = await onDisk(120, {
      'schema.sql': 'CREATE TABLE filler AS SELECT repeat(md5(n::text), 40) FROM generate_series(1, 400000) n;',
    });
    const failure = await failureOf(running.measure({ kind: 'run', ...request }));
    expect(failure.code).toMatch(/^(disk-full|postgres-died|postgres-unreachable)$/);
    expect(`${failure.message} ${failure.cure} ${failure.detail}`).toMatch(/full|No space left/);
    expect(running.runFolders()).toEqual([]);
    writeFileSync(path.join(running.workspaceDir, 'schema.sql'), 'CREATE TABLE small (id int);');
    mount('mount', '-o', 'remount,size=400m', disk);
    await worksAfterwards(running);
  });
});
