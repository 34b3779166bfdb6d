import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Observation } from '../../src/model/domain/observation.ts';
import { countSessions, PostgresObserver } from '../../src/engine/observe/postgresSessions.ts';
import { Sampler } from '../../src/engine/observe/sampler.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
let storageDir: string;
let server: PostgresServer;
const clients: pg.Client[] = [];

beforeAll(async () => {
  storageDir = mkdtempSync(join(tmpdir(), 'observe-'));
  server = await PostgresServer.start(supervisor, { assetsDir: resolve('.'), storageDir });
}, 60_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  await supervisor.stopAll();
  rmSync(storageDir, { recursive: true, force: true });
}, 30_000);

async function connect(applicationName: string): Promise<pg.Client> {
  const { host, port, user, password, database } = server.address;
  const client = new pg.Client({ host, port, user, password, database, application_name: applicationName });
  client.on('error', () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

describe('PostgreSQL’s sessions', () => {
  it('are counted by state and by what the active ones wait for, without our own', async () => {
    const observer = new PostgresObserver(server.address, ['postgres']);
    expect(await observer.sessions()).toEqual({ total: 0, byState: {}, byWait: {} });
    const [, inTransaction, asleep] = [await connect('app'), await connect('app'), await connect('app'), await connect('benchside seeder')];
    await inTransaction?.query('BEGIN');
    const nap = asleep?.query('SELECT pg_sleep(20)').catch(() => undefined);
    const sessions = await waitFor(async () => {
      const counted = await observer.sessions();
      return counted?.byWait['Timeout:PgSleep'] === 1 ? counted : null;
    });
    const { begunPerS, rolledBackPerS, rowsChangedPerS, byStatement = {}, ...counted } = sessions;
    expect(begunPerS).toBeGreaterThanOrEqual(0);
    expect(rolledBackPerS).toBeGreaterThanOrEqual(0);
    expect(rowsChangedPerS).toBeGreaterThanOrEqual(0);
    expect(Object.keys(byStatement)).toEqual([expect.stringMatching(/^\d+\/-?\d+$/)]);
    expect(Object.values(byStatement)).toEqual([{ 'Timeout:PgSleep': 1 }]);
    expect(counted).toEqual({ total: 3, byState: { idle: 1, 'idle in transaction': 1, active: 1 }, byWait: { 'Timeout:PgSleep': 1 } });

    const samples: Observation[] = [];
    const origin = performance.now();
    const sampler = new Sampler({
      roots: () => ({ app: null, postgres: [server.child.pid], generator: [] }),
      trialKey: () => null,
      sessions: () => observer.sessions(),
      now: () => performance.now() - origin,
    });
    sampler.start((observation) => samples.push(observation));
    await waitFor(() => samples.length >= 2);
    sampler.stop();
    expect(samples[1]?.sessions?.total).toBe(3);
    if (process.platform === 'linux') {
      expect(samples[1]?.postgres?.processes).toBeGreaterThan(6);
      // Shared buffers are 128 MB: were they counted for each process, it would be far more.
      expect(samples[1]?.postgres?.rssBytes).toBeGreaterThan(10e6);
      expect(samples[1]?.postgres?.rssBytes).toBeLessThan(400e6);
    }
    await inTransaction?.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = $1', ['PgSleep']);
    await nap;
    await waitFor(async () => (await observer.sessions())?.rolledBackPerS === 0);
    await inTransaction?.query('ROLLBACK');
    await waitFor(async () => ((await observer.sessions())?.rolledBackPerS ?? 0) > 0, { what: 'the transaction that was rolled back' });
    const rowsChanged = async (sql: string): Promise<number> => {
      await inTransaction?.query(sql);
      // Otherwise a session reports its counts up to a second late.
      await inTransaction?.query('SELECT pg_stat_force_next_flush()');
      return (await observer.sessions())?.rowsChangedPerS ?? Number.NaN;
    };
    await rowsChanged('CREATE TABLE visit AS SELECT 1 AS id');
    expect(await rowsChanged('SELECT * FROM visit')).toBe(0);
    expect(await rowsChanged('UPDATE visit SET id = 2')).toBeGreaterThan(0);
    await observer.close();
    expect(await observer.sessions()).toBeNull();
  }, 30_000);

  it('are unknown, without a throw, when the server is gone or refuses', async () => {
    const observer = new PostgresObserver({ ...server.address, password: 'wrong' }, ['postgres']);
    expect(await observer.sessions()).toBeNull();
    expect(await observer.sessions()).toBeNull();
    await observer.close();

    const watching = new PostgresObserver(server.address, ['postgres']);
    expect(await watching.sessions()).not.toBeNull();
    await server.stop();
    expect(await waitFor(async () => ((await watching.sessions()) === null ? 'unknown' : null))).toBe('unknown');
    await watching.close();
  }, 30_000);
});

describe('rows of sessions', () => {
  it('are summed over states, waits and statements', () => {
    const rows = [
      { state: 'active', wait: 'CPU', statement: '5/1', sessions: 2 },
      { state: 'active', wait: 'Lock:tuple', statement: '5/1', sessions: 2 },
      { state: 'active', wait: 'Lock:tuple', statement: null, sessions: 1 },
      { state: 'idle', wait: null, statement: null, sessions: 4 },
    ];
    expect(countSessions(rows)).toEqual({
      total: 9,
      byState: { active: 5, idle: 4 },
      byWait: { CPU: 2, 'Lock:tuple': 3 },
      byStatement: { '5/1': { CPU: 2, 'Lock:tuple': 2 } },
    });
  });
});
