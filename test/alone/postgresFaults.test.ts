import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { appTarget, commandLine, failureOf, removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';

const slow = 120_000;
let engine: TestEngine;
afterEach(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

/** An app that wants the database and never asks it anything. */
const app = appTarget('app', 'steadyService.mjs', {
  postgres: { env: { url: 'DATABASE_URL' }, database: 'faults_alone', sql: ['schema.sql'], prepare: 'prepare.sql' },
});

async function started(sql: Record<string, string> = {}): Promise<TestEngine> {
  engine = await TestEngine.start({
    file: { targets: [app] },
  });
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
    { timeoutMs: 30_000, what: 'PostgreSQL runs' },
  );
}

const moments: [name: string, sql: Record<string, string>, moment: () => Promise<unknown>][] = [
  ['while it is being started', {}, async () => undefined],
  [
    'while SQL is applied',
    { 'prepare.sql': 'SELECT count(*) FROM generate_series(1, 2000000000);' },
    () =>
      waitFor(() => engine.processes().some(({ pid }) => /postgres: .*SELECT/.test(commandLine(pid))), {
        timeoutMs: 30_000,
        what: 'a statement runs',
      }),
  ],
  ['while the app is warmed up', {}, () => engine.event('phase', ({ phase }) => phase === 'warmUp')],
  ['while it is measured', {}, () => engine.event('tick', ({ tick }) => tick.stage === 'measure')],
  ['while a flame graph is recorded', {}, () => engine.event('phase', ({ phase }) => phase === 'record')],
];

describe('PostgreSQL that is killed', () => {
  it.each(moments)(
    '%s fails the run with a sentence; nothing is left, and the next run works',
    { timeout: slow },
    async (_when, sql, moment) => {
      const running = await started(sql);
      const record = { events: [], seconds: 3 };
      const run = failureOf(running.request('run/start', { targets: ['app'], load: 'brief', durationS: 2, rounds: 1, record }));
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
    },
  );
});
