import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { withClient } from '../../src/engine/services/database.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { type DatabaseAddress, postgresUrl } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import {
  type TestEngineOptions,
  appTarget,
  failureOf,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  TestEngine,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { findProgram } from '../../src/engine/supervise/program.ts';

const slow = 90_000;
const supervisor = new Supervisor();
const team = 'team_shop';
let address: DatabaseAddress;
let workspaceDir: string;
const engines: TestEngine[] = [];

const schema = 'CREATE TABLE IF NOT EXISTS orders (id int); CREATE TABLE visits (id int);';
const app = appTarget('app', 'steadyService.mjs', {
  postgres: { env: { url: 'DATABASE_URL' }, database: 'shop', sql: ['schema.sql'], prepare: 'truncate.sql' },
});
/** Shares the database of the other, and adds to it. */
const second = appTarget('second', 'steadyService.mjs', {
  postgres: { env: { url: 'DATABASE_URL' }, database: 'shop', sql: ['schema.sql', 'further.sql'] },
});
const request = { targets: ['app'], load: 'brief', rounds: 1 };

function write(name: string, text: string): void {
  writeFileSync(path.join(workspaceDir, name), text);
}

async function query<Row extends object>(database: string, text: string): Promise<Row[]> {
  return withClient(address, database, async (client) => (await client.query<Row>(text)).rows);
}

/** What is in the team's database: its tables, and how many orders there are. */
async function ofTheTeam(): Promise<{ tables: string[]; orders: number }> {
  const tables = await query<{ name: string }>(team, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
  const [orders] = await query<{ count: string }>(team, 'SELECT count(*) FROM orders');
  return { tables: tables.map(({ name }) => name), orders: Number(orders?.count) };
}
const untouched = { tables: ['orders'], orders: 10 };

async function start(options: TestEngineOptions = {}): Promise<TestEngine> {
  const engine = await TestEngine.start({ workspaceDir, postgresUrl: postgresUrl(address, team), ...options });
  engines.push(engine);
  return engine;
}

/** What is needed of a database is made when a target is started, as before a run. */
async function startAndStop(engine: TestEngine, id: string): Promise<void> {
  await engine.request('target/start', { id });
  await engine.request('target/stop', { id });
}

async function dropOurs(): Promise<void> {
  for (const { datname } of await query<{ datname: string }>(
    'postgres',
    "SELECT datname FROM pg_database WHERE starts_with(datname, 'benchside_')",
  ))
    await query('postgres', `DROP DATABASE "${datname}" WITH (FORCE)`);
}

beforeAll(async () => {
  // A server of its own: what else is on it would be in the lists.
  const home = temporaryFolder('users-server');
  const shared = process.env['BENCHSIDE_POSTGRES_HOME'];
  process.env['BENCHSIDE_POSTGRES_HOME'] = path.join(home, 'clusters');
  try {
    const { chmodSync } = await import('node:fs');
    chmodSync(home, 0o755);
    ({ address } = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: home }));
  } finally {
    process.env['BENCHSIDE_POSTGRES_HOME'] = shared;
  }
});
beforeEach(async () => {
  workspaceDir = temporaryFolder('workspace');
  writeWorkspaceFile(workspaceDir, { targets: [app, second] });
  write('further.sql', 'CREATE TABLE further (id int);');
  write('schema.sql', schema);
  write('truncate.sql', 'TRUNCATE orders;');
  await query('postgres', `DROP DATABASE IF EXISTS ${team} WITH (FORCE)`);
  await query('postgres', `CREATE DATABASE ${team}`);
  await query(team, 'CREATE TABLE orders AS SELECT generate_series(1, 10) AS id');
});
afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.dispose()));
  await dropOurs();
});
afterAll(async () => {
  await supervisor.stopAll();
  removeTemporaryFolders();
});

describe('a server of the user', () => {
  it(
    'keeps its own databases as they are: a target works in one that is made for it, made again with its files, and removed when asked',
    { timeout: slow, ...longTest },
    async () => {
      const engine = await start();
      const run = await engine.run(request);
      expect(run.state).toBe('complete');
      expect(await ofTheTeam()).toEqual(untouched);
      const { server, databases } = await engine.request('databases/list', {});
      expect(server).toBe(`127.0.0.1:${address.port}`);
      expect(databases).toMatchObject([{ folder: workspaceDir, name: expect.stringMatching(/^benchside_shop_[0-9a-f]{8}$/) as string }]);
      const own = databases[0]?.name ?? '';
      expect(run.notes).toContainEqual(expect.objectContaining({ code: 'data-place', database: own, mode: 'own' }));
      expect(run.environment.postgres).toMatch(/^18/);
      await query(own, 'INSERT INTO visits VALUES (1)');

      // The same files, or a second target with more of them: what is there stays. Changed ones: it is made again.
      await startAndStop(engine, 'second');
      expect(await query(own, 'SELECT * FROM visits')).toEqual([{ id: 1 }]);
      write('schema.sql', `${schema} CREATE TABLE more (id int);`);
      await startAndStop(engine, 'app');
      expect(await query(own, 'SELECT * FROM visits')).toEqual([]);
      expect(await query(own, 'SELECT * FROM more')).toEqual([]);

      expect(await failureOf(engine.request('databases/remove', { names: [own, team] }))).toMatchObject({ code: 'postgres-database' });
      expect(await engine.request('databases/remove', { names: [own] })).toEqual({ removed: [own] });
      expect(await query('postgres', `SELECT FROM pg_database WHERE datname = '${own}'`)).toEqual([]);
      expect(await ofTheTeam()).toEqual(untouched);
    },
  );

  it('that has a foreign database under our name keeps it', { timeout: slow, ...slowHalf }, async () => {
    const engine = await start();
    await startAndStop(engine, 'app');
    const own = (await engine.request('databases/list', {})).databases[0]?.name ?? '';
    await engine.request('databases/remove', { names: [own] });
    await query('postgres', `CREATE DATABASE ${own}`);
    await query(own, 'CREATE TABLE precious (id int)');
    expect(await failureOf(engine.measure({ kind: 'run', ...request }))).toMatchObject({
      code: 'postgres-create',
      message: expect.stringContaining('not made by Benchside') as string,
    });
    expect(await query(own, 'SELECT * FROM precious')).toEqual([]);
    expect((await engine.request('databases/list', {})).databases).toEqual([]);
  });

  it('whose user may not create databases says so with the cure, which works', { timeout: slow, ...slowHalf }, async () => {
    await query('postgres', 'DROP ROLE IF EXISTS plain');
    await query('postgres', "CREATE ROLE plain LOGIN PASSWORD 'not its name'");
    const engine = await start({ postgresUrl: postgresUrl({ ...address, user: 'plain', password: 'not its name' }, team) });
    const failure = await failureOf(engine.measure({ kind: 'run', ...request }));
    expect(failure).toMatchObject({
      code: 'postgres-create',
      message: expect.stringContaining('plain may not create databases') as string,
    });
    const made = /CREATE DATABASE (\S+) OWNER "plain"/.exec(failure.cure)?.[0] ?? '';
    await query('postgres', made);
    expect((await engine.run(request)).state).toBe('complete');
    expect((await engine.request('databases/list', {})).databases).toHaveLength(1);
    await dropOurs();
    await query('postgres', 'DROP ROLE plain');
  });

  it(
    'is asked about, by server, database and files, before SQL files are applied in a database of its own; what was agreed to is remembered until a file changes',
    { timeout: slow, ...longTest },
    async () => {
      const engine = await start({ postgresMode: 'named' });
      const { code, question, cure } = await failureOf(engine.measure({ kind: 'run', ...request }));
      expect(code).toBe('postgres-consent');
      expect(question).toMatchObject({ kind: 'sql', subject: `127.0.0.1:${address.port}/${team}` });
      expect(`${question?.ask} ${question?.detail}`).toMatch(
        new RegExp(`“${team}” on 127\\.0\\.0\\.1:${address.port}.*schema\\.sql and .*truncate\\.sql`),
      );
      expect(cure).toContain(`--allow-sql 127.0.0.1:${address.port}/${team}`);
      expect(engine.events).toEqual([]);
      expect(await ofTheTeam()).toEqual(untouched);
      expect((await failureOf(engine.request('consent/give', { id: 'guessed', remember: true }))).code).toBe('bad-request');

      await engine.request('consent/give', { id: question?.id ?? '', remember: true });
      expect((await engine.run(request)).state).toBe('complete');
      expect(await ofTheTeam()).toEqual({ tables: ['benchside_schema', 'orders', 'visits'], orders: 0 });

      const later = await start({ postgresMode: 'named', storageDir: engine.storageDir });
      await startAndStop(later, 'app');
      write('truncate.sql', 'DROP TABLE orders;');
      const again = await failureOf(later.measure({ kind: 'run', ...request }));
      expect(again.question?.detail).toMatch(/truncate\.sql will be applied/);
      expect(again.question?.detail).not.toContain('schema.sql');
      expect((await ofTheTeam()).tables).toContain('orders');
    },
  );

  it('that is read only has nothing applied, and the run says what it expected to find', { timeout: slow, ...slowHalf }, async () => {
    const engine = await start({ postgresMode: 'read-only' });
    const run = await engine.run(request);
    expect(noteTexts(run.notes).join(' ')).toContain('expected to hold what schema.sql and truncate.sql would have made');
    expect(await ofTheTeam()).toEqual(untouched);
    expect((await engine.request('databases/list', {})).databases).toEqual([]);
  });

  it(
    'on another machine is refused before anybody connects to it, unless its host is allowed',
    { timeout: slow, ...longTest },
    async () => {
      const engine = await start({ postgresUrl: 'postgres://me:x@db.invalid:5432/shop' });
      expect(await failureOf(engine.measure({ kind: 'run', ...request }))).toMatchObject({
        code: 'postgres-host',
        question: { kind: 'host', subject: 'db.invalid' },
        cure: expect.stringMatching(/allowedHosts.*--allow-host db\.invalid/) as string,
      });
      const { trusted, nodePath, javaPath } = { trusted: true, nodePath: process.execPath, javaPath: null };
      await engine.request('engine/configure', {
        trusted,
        nodePath,
        javaPath,
        postgresUrl: 'postgres://me:x@db.invalid:5432/shop',
        postgresHosts: ['DB.invalid'],
      });
      expect((await failureOf(engine.measure({ kind: 'run', ...request }))).code).toBe('postgres-unreachable');
    },
  );
});

describe('benchside in a terminal', () => {
  interface Ended {
    code: number | null;
    text: string;
  }

  /** `answer`: on a terminal, where a person would type it; null: without one. */
  async function benchside(args: readonly string[], answer: string | null = null): Promise<Ended> {
    const words = [
      path.join(repositoryDir, 'dist/cli.cjs'),
      ...args,
      '--workspace',
      workspaceDir,
      '--postgres-url',
      postgresUrl(address, team),
    ];
    const env = { ...process.env, BENCHSIDE_STORAGE: path.join(workspaceDir, 'storage') };
    const terminal = ['-qec', [process.execPath, ...words].map((word) => `'${word}'`).join(' '), '/dev/null'];
    const child =
      answer === null
        ? spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn('script', terminal, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let [text, answered] = ['', false];
    const take = (more: string): void => {
      text += more;
      if (answered || answer === null || !text.includes('[y/N]')) return;
      answered = true;
      child.stdin?.write(`${answer}\n`);
    };
    child.stdout?.setEncoding('utf8').on('data', take);
    child.stderr?.setEncoding('utf8').on('data', take);
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }
  const run = ['run', '--target', 'app', '--load', 'brief', '--rounds', '1', '--postgres-mode', 'named'];
  const allow = (): string[] => ['--allow-sql', `127.0.0.1:${address.port}/${team}`];

  it(
    'that is none ends with 1 and the cure where it would have to ask, and goes on where the command line allows it',
    { timeout: slow, ...slowHalf },
    async () => {
      const refused = await benchside(run);
      expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(`--allow-sql 127.0.0.1:${address.port}/${team}`) as string });
      expect(await ofTheTeam()).toEqual(untouched);
      expect(await benchside([...run, '--allow-sql', `127.0.0.1:${address.port}/other`])).toMatchObject({ code: 1 });
      expect(await ofTheTeam()).toEqual(untouched);
      expect(await benchside([...run, ...allow()])).toMatchObject({ code: 0 });
      expect((await ofTheTeam()).orders).toBe(0);
      // What the command line allowed was for this once.
      expect(await benchside(run)).toMatchObject({ code: 1 });
    },
  );

  it.runIf(findProgram('script', '/', process.env['PATH']) !== null)(
    'asks, and takes no for no and yes for yes',
    { timeout: slow, ...slowHalf },
    async () => {
      const no = await benchside(run, 'n');
      expect(no).toMatchObject({
        code: 1,
        text: expect.stringMatching(/Apply SQL files to the database “team_shop”.*was not agreed to/s) as string,
      });
      expect(await ofTheTeam()).toEqual(untouched);
      expect(await benchside(run, 'y')).toMatchObject({ code: 0 });
      expect((await ofTheTeam()).orders).toBe(0);
    },
  );

  it('lists the databases that Benchside has made, and removes them once it was confirmed', { timeout: slow, ...slowHalf }, async () => {
    const engine = await start();
    await startAndStop(engine, 'app');
    const own = (await engine.request('databases/list', {})).databases[0]?.name ?? '';
    expect(await benchside(['databases'])).toMatchObject({ code: 0, text: expect.stringContaining(own) as string });
    expect(await benchside(['databases', '--remove', own])).toMatchObject({ code: 1, text: expect.stringContaining('--yes') as string });
    expect((await engine.request('databases/list', {})).databases).toHaveLength(1);
    expect(await benchside(['databases', '--remove', 'all', '--yes'])).toMatchObject({
      code: 0,
      text: expect.stringContaining(own) as string,
    });
    expect((await engine.request('databases/list', {})).databases).toEqual([]);
    expect(await ofTheTeam()).toEqual(untouched);
  });
});
