import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Step, stepText } from '../../src/model/domain/progress/stepKinds.ts';
import { SharedData } from '../../src/engine/run/sharedData.ts';
import { type DatabaseAddress, postgresUrl } from '../../src/engine/services/serverUrl.ts';
import { type DatabaseWants, prepareDatabase } from '../../src/engine/services/prepareDatabase.ts';
import { readServerFacts, withClient } from '../../src/engine/services/database.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { isSameProcess, processIdentity } from '../../src/engine/supervise/identity.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { declared } from '../support/declaredTarget.ts';
import {
  appTarget,
  commandLine,
  failureOf,
  removeTemporaryFolders,
  repositoryDir,
  temporaryFolder,
  TestEngine,
} from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 60_000;
const supervisor = new Supervisor();

/** A server in the database folder that all tests share, or in one of its own after `ownHome`. */
function startServer(signal?: AbortSignal): Promise<PostgresServer> {
  return PostgresServer.start(supervisor, {
    assetsDir: repositoryDir,
    storageDir: '/nonexistent',
    ...(signal === undefined ? {} : { signal }),
  });
}

const sharedHome = process.env['BENCHSIDE_POSTGRES_HOME'];
afterEach(async () => {
  await supervisor.stopAll();
  process.env['BENCHSIDE_POSTGRES_HOME'] = sharedHome;
});
afterAll(removeTemporaryFolders);

function ownHome(): string {
  const home = temporaryFolder('own-postgres');
  chmodSync(home, 0o755);
  process.env['BENCHSIDE_POSTGRES_HOME'] = home;
  return home;
}

function sqlFiles(texts: Record<string, string>): { wants: DatabaseWants; folder: string } {
  const folder = temporaryFolder('sql');
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(folder, name), text);
  return {
    folder,
    wants: { database: 'schema_test', folder, sqlFiles: Object.keys(texts).map((name) => path.join(folder, name)), prepareFiles: [] },
  };
}

describe('the embedded PostgreSQL', () => {
  it('listens on the loopback interface alone, and lets nobody in without its password', { timeout: slow }, async () => {
    const { address, child } = await startServer();
    const port = address.port.toString(16).toUpperCase().padStart(4, '0');
    const listening = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[3] === '0A' && fields[1]?.endsWith(`:${port}`) === true)
        .map((fields) => fields[1]),
    );
    expect(listening).toEqual([`0100007F:${port}`]);
    expect(address.password).toMatch(/^[\w-]{43}$/);
    expect(await failureOf(readServerFacts({ ...address, password: 'guess' }))).toMatchObject({ code: 'postgres-login' });
    await expect(new pg.Client({ ...address, password: '' }).connect()).rejects.toThrow();
    const facts = await readServerFacts(address);
    expect(facts.version).toMatch(/^18\./);
    expect(facts.settings['fsync']).toBe('off');
    const stored = await withClient(address, 'postgres', (client) =>
      client.query<{ rolpassword: string }>("SELECT rolpassword FROM pg_authid WHERE rolname = 'benchside'"),
    );
    expect(stored.rows[0]?.rolpassword).toMatch(/^SCRAM-SHA-256\$/);
    expect(commandLine(child.pid)).not.toContain(address.password);
  });

  it('keeps its data from one start to the next, and starts although a stale lock names a foreign process', { timeout: slow }, async () => {
    const folder = ownHome();
    const first = await startServer();
    await withClient(first.address, 'postgres', (client) => client.query("CREATE TABLE kept AS SELECT 'still here' AS word"));
    await first.stop();
    const dataDir = path.join(folder, 'cluster-18-0', 'data');
    // What a power failure leaves: a lock with a number that somebody else has by now.
    writeFileSync(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n1700000000\n5432\n\n127.0.0.1\n0 0\nready   \n`);
    writeFileSync(path.join(dataDir, '..', 'lock.json'), JSON.stringify({ pid: 1, startTime: '1', bootId: 'another boot' }));
    const second = await startServer();
    expect(
      await withClient(second.address, 'postgres', async (client) => (await client.query<{ word: string }>('SELECT word FROM kept')).rows),
    ).toEqual([{ word: 'still here' }]);
    expect(second.address.password).toBe(first.address.password);
  });

  it('is never given a folder whose server still runs', { timeout: slow, ...longTest }, async () => {
    ownHome();
    const [first, second] = [await startServer(), await startServer()];
    const folder = (server: PostgresServer): string => /-D (\S+)/.exec(commandLine(server.child.pid))?.[1] ?? '';
    expect(folder(first)).not.toBe(folder(second));
    const survivor = processIdentity(second.child.pid);
    await first.stop();
    // A second release by its former holder must not free what another one has taken since.
    const third = await startServer();
    expect(folder(third)).toMatch(/cluster-18-0/);
    await first.stop();
    const fourth = await startServer();
    expect(new Set([second, third, fourth].map(folder)).size).toBe(3);
    expect(survivor !== null && isSameProcess(survivor)).toBe(true);
  });

  it('whose first start is cancelled leaves a folder that the next start can use', { timeout: slow, ...slowHalf }, async () => {
    ownHome();
    const controller = new AbortController();
    const start = startServer(controller.signal);
    controller.abort();
    await expect(start).rejects.toMatchObject({ name: 'AbortError' });
    expect([...supervisor.children]).toEqual([]);
    expect((await readServerFacts((await startServer()).address)).version).toMatch(/^18/);
  });
});

describe('SQL files', () => {
  it('are applied once each, in their order; the second time nothing is done', { timeout: slow }, async () => {
    const { address } = await startServer();
    const { wants } = sqlFiles({
      'a.sql': 'CREATE TABLE ad (id int PRIMARY KEY, title text);',
      'b.sql': "INSERT INTO ad SELECT n, 'ad ' || n FROM generate_series(1, 1000) n;",
    });
    const said: string[] = [];
    await prepareDatabase(address, wants, (step) => said.push(stepText(step)));
    expect(said).toEqual(['Applying a.sql to schema_test', 'Applying b.sql to schema_test']);
    await prepareDatabase(address, wants, (step) => said.push(stepText(step)));
    expect(said).toHaveLength(2);
    expect(await count(address)).toBe(1000);
  });

  it('that have changed make the database anew', { timeout: slow, ...slowHalf }, async () => {
    const { address } = await startServer();
    const { wants, folder } = sqlFiles({ 'a.sql': 'CREATE TABLE ad (id int); INSERT INTO ad VALUES (1);' });
    await prepareDatabase(address, wants, () => undefined);
    await withClient(address, wants.database, (client) => client.query('INSERT INTO ad VALUES (2), (3)'));
    writeFileSync(path.join(folder, 'a.sql'), 'CREATE TABLE ad (id bigint); INSERT INTO ad VALUES (7);');
    const said: Step[] = [];
    await prepareDatabase(address, wants, (step) => said.push(step));
    expect(said[0]).toMatchObject({ code: 'making-again', why: 'schema' });
    expect(await count(address)).toBe(1);
    // On a server of the user's nothing is dropped.
    writeFileSync(path.join(folder, 'a.sql'), 'CREATE TABLE ad (id text);');
    const { administers: _, ...login } = address;
    const external: DatabaseAddress = {
      ...login,
      database: wants.database,
      external: true,
      mode: 'named',
      requireAgreed: () => undefined,
    };
    const failure = await failureOf(prepareDatabase(external, wants, () => undefined));
    expect(failure).toMatchObject({ code: 'schema-changed', cure: expect.stringContaining('benchside_schema') as string });
    expect(await count(address)).toBe(1);
  });

  it('take out before a round what a load that writes has put in, and are left alone when it only reads', { timeout: slow }, async () => {
    const { address } = await startServer();
    const { folder } = sqlFiles({
      'a.sql': 'CREATE TABLE ad (id int); INSERT INTO ad VALUES (1);',
      'prepare.sql': 'DELETE FROM ad WHERE id > 1;',
    });
    const postgres = {
      env: { url: 'URL' },
      database: 'schema_test',
      sql: [path.join(folder, 'a.sql')],
      prepare: path.join(folder, 'prepare.sql'),
    };
    const signal = new AbortController().signal;
    const dataOf = (method: 'GET' | 'POST'): SharedData =>
      new SharedData(
        [declared('app', { postgres })],
        new Map([['app', { mix: [{ method, path: '/', headers: {}, weight: 1, parameters: {} }] }]]),
      );
    await dataOf('POST').prepare(address, () => undefined, { signal } as Parameters<SharedData['prepare']>[2]);
    await withClient(address, 'schema_test', (client) => client.query('INSERT INTO ad VALUES (2), (3)'));
    await dataOf('GET').beforeRound(address, signal);
    expect(await count(address)).toBe(3);
    await dataOf('POST').beforeRound(address, signal);
    expect(await count(address)).toBe(1);
  });

  it('with a mistake name file and line, and leave nothing of themselves', { timeout: slow }, async () => {
    const { address } = await startServer();
    const { wants } = sqlFiles({ 'mistake.sql': 'CREATE TABLE half (id int);\n\nINSERT INTO nowhere VALUES (1);' });
    const failure = await failureOf(prepareDatabase(address, { ...wants, database: 'mistake_test' }, () => undefined));
    expect(failure).toMatchObject({ code: 'sql-failed', message: expect.stringMatching(/mistake\.sql, line 3: .*nowhere/) as string });
    const tables = await withClient(address, 'mistake_test', (client) => client.query("SELECT to_regclass('half') AS found"));
    expect(tables.rows).toEqual([{ found: null }]);
    expect((await failureOf(prepareDatabase(address, { ...wants, sqlFiles: ['/nowhere.sql'] }, () => undefined))).code).toBe('sql-missing');
  });

  async function count(address: PostgresServer['address']): Promise<number> {
    const rows = await withClient(address, 'schema_test', (client) => client.query<{ count: string }>('SELECT count(*) FROM ad'));
    return Number(rows.rows[0]?.count);
  }
});

describe('a server of the user', () => {
  const app = appTarget('app', 'steadyService.mjs', { postgres: { env: { url: 'DATABASE_URL' }, database: 'by_its_name' } });

  it('takes the place of the embedded one, whose programs are not started', { timeout: slow, ...slowHalf }, async () => {
    const server = await startServer();
    const engine = await TestEngine.start({ postgresUrl: postgresUrl(server.address, 'postgres'), file: { targets: [app] } });
    try {
      const run = await engine.run({ targets: ['app'], load: 'brief', rounds: 1 });
      expect(run.environment.postgres).toMatch(/^18/);
      expect((await engine.catalog()).services[0]).toMatchObject({ external: true, state: 'running', port: null });
      expect(
        engine
          .processes()
          .map(({ pid }) => commandLine(pid))
          .filter((line) => line.includes('postgres')),
      ).toEqual([]);
      await engine.request('target/start', { id: 'app' });
      expect((await engine.request('target/log', { id: 'app' })).text).toMatch(
        new RegExp(`${server.address.port}/benchside_by_its_name_[0-9a-f]{8}`),
      );
      await engine.request('target/stop', { id: 'postgres' });
    } finally {
      await engine.dispose();
    }
    expect(server.child.running).toBe(true);
  });

  it.each([
    ['that is not there', 'postgres://me:x@127.0.0.1:1/shop', 'postgres-unreachable'],
    ['whose URL is none', 'localhost:5432', 'postgres-url'],
  ])('%s fails the run with a sentence', { timeout: slow }, async (_name, postgresUrl, code) => {
    const engine = await TestEngine.start({ postgresUrl, file: { targets: [app] } });
    try {
      expect(await failureOf(engine.measure({ kind: 'run', targets: ['app'], load: 'brief' }))).toMatchObject({
        code,
        cure: expect.stringMatching(/benchside\.postgres\.url|postgres:\/\//) as string,
      });
      expect((await engine.catalog()).services[0]).toMatchObject({ state: 'failed', problem: { code } });
      expect(engine.processes()).toEqual([]);
    } finally {
      await engine.dispose();
    }
  });
});
