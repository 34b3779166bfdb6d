import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Bouncer } from '../../src/model/domain/bouncer.ts';
import { trapIn } from '../../src/engine/services/bouncer/bouncerTraps.ts';
import { findPgBouncer } from '../../src/engine/services/bouncer/findPgBouncer.ts';
import { PgBouncer } from '../../src/engine/services/bouncer/pgBouncer.ts';
import { connectionOf } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { temporaryFolder } from '../support/engine.ts';
import { sharedPostgres } from '../support/sharedPostgres.ts';
import { waitFor } from '../support/waitFor.ts';

const supervisor = new Supervisor();
const clients: pg.Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await supervisor.stopAll();
});

async function started(mode: Bouncer['mode'], poolSize: number): Promise<{ bouncer: PgBouncer; database: string }> {
  const server = await sharedPostgres();
  const bouncer = await PgBouncer.start(supervisor, {
    bouncer: { mode, poolSize },
    poolSize,
    server,
    database: server.database,
    name: 'a test',
  });
  return { bouncer, database: server.database };
}

async function connected({ bouncer, database }: { bouncer: PgBouncer; database: string }, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOf(bouncer.address), database, ...more });
  client.on('error', () => undefined);
  clients.push(client);
  await client.connect();
  return client;
}

const folders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('benchside-bouncer-') && name.includes(`-${process.pid}.`));

// Where there is none, `scripts/installSystemPackages.mjs` says so before any test.
describe.skipIf(findPgBouncer() === null)('a PgBouncer of ours', { timeout: 15_000 }, () => {
  it('lets many connections share few in transaction mode, says who waits, changes its size under them, and leaves nothing', async () => {
    const made = await started('transaction', 2);
    const { bouncer } = made;
    const [outer = ''] = folders();
    // Whom PgBouncer runs as can put nothing there, and nobody else can read what lies there.
    expect(statSync(path.join(tmpdir(), outer))).toMatchObject({ uid: process.getuid?.() });
    for (const file of ['pgbouncer.ini', 'userlist.txt']) expect(statSync(path.join(tmpdir(), outer, file)).mode & 0o777).toBe(0o600);
    const held = await Promise.all(Array.from({ length: 4 }, () => connected(made)));
    const backends = new Set<number>();
    for (const client of held) backends.add((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0);
    expect(backends.size).toBeLessThanOrEqual(2);

    const [first, second] = held;
    await first?.query('BEGIN');
    await second?.query('BEGIN');
    const waiting = held[2]?.query('SELECT 1');
    const full = await waitFor(
      async () => {
        const pool = await bouncer.console.pool();
        return pool?.clientsWaiting === 1 ? pool : null;
      },
      { what: 'a statement waits' },
    );
    expect(full).toMatchObject({ serversActive: 2, servers: 2, clientsWaiting: 1 });
    expect(await bouncer.resize(3)).toBeNull();
    await waiting;
    expect((await bouncer.console.totals())?.waitUs).toBeGreaterThan(0);
    await first?.query('COMMIT');
    await second?.query('COMMIT');
    expect(await bouncer.resize(1)).toBeNull();
    expect((await bouncer.console.pool())?.servers).toBeLessThanOrEqual(1);
    await Promise.all(held.map((client) => client.query('SELECT 1')));

    // What does not go through, in the words of which it is known.
    const refused = await connected(made, { options: '-c search_path=x' }).catch((error: Error) => error.message);
    expect(trapIn(String(refused), bouncer)).toEqual({ code: 'startup-parameter', parameter: 'options' });
    await expect(connected(made, { statement_timeout: 5000 })).resolves.toBeDefined();
    const named = { name: 'one', text: 'SELECT 1' };
    const told = await Promise.all(
      held.map((client) =>
        client.query(named).then(
          () => '',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(trapIn(told.join('\n'), bouncer)?.code).toBe('prepared-statement');

    await Promise.all(clients.splice(0).map((client) => client.end()));
    await bouncer.stop();
    expect(bouncer.child.running).toBe(false);
    expect(folders()).toEqual([]);
  });

  it('lets the others wait in session mode, and does not pretend to change its size', async () => {
    const made = await started('session', 1);
    const { bouncer } = made;
    const [one, other] = [await connected(made), await connected(made)];
    await one.query({ name: 'one', text: 'SELECT 1' });
    await one.query({ name: 'one', text: 'SELECT 1' });
    const waiting = other.query('SELECT 1');
    await waitFor(async () => (await bouncer.console.pool())?.clientsWaiting === 1, { what: 'the second waits' });
    expect(await bouncer.resize(2)).toEqual({ code: 'bouncer-by-session' });
    await one.end();
    await waiting;
    await other.end();
    clients.length = 0;
    await bouncer.stop();
  });

  it('of root starts where nobody else gets to the folder of temporary files, and leaves nothing', async () => {
    const closed = temporaryFolder('closed');
    vi.stubEnv('TMPDIR', closed);
    try {
      const made = await started('transaction', 1);
      await (await connected(made)).query('SELECT 1');
      await Promise.all(clients.splice(0).map((client) => client.end()));
      await made.bouncer.stop();
    } finally {
      vi.unstubAllEnvs();
    }
    expect(readdirSync(closed)).toEqual([]);
    expect(folders()).toEqual([]);
  });
});
