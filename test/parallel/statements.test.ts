import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatementMeter } from '../../src/engine/observe/statementMeter.ts';
import { looksIn } from '../../src/engine/observe/statementLooks.ts';
import { PostgresObserver } from '../../src/engine/observe/postgresSessions.ts';
import { countStatements, withClient } from '../../src/engine/services/database.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir, TestEngine } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { slowHalf } from '../support/testTags.ts';

const slow = 60_000;
const supervisor = new Supervisor();
let address: DatabaseAddress;
beforeAll(async () => {
  ({ address } = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: '/nonexistent' }));
  await countStatements(address);
});
afterAll(async () => {
  await supervisor.stopAll();
  removeTemporaryFolders();
});

describe('a meter of statements', () => {
  it('knows the trigger that an INSERT waits for, and the index that a condition cannot use', { timeout: 60_000 }, async () => {
    const ask = (sql: string, values: unknown[] = []) => withClient(address, address.database, (client) => client.query(sql, values));
    await ask(`CREATE TABLE placed (id serial PRIMARY KEY, email varchar(80) UNIQUE, total int);
    INSERT INTO placed (email, total) SELECT 'Buyer' || i || '@example.org', i FROM generate_series(1, 20000) i;
    CREATE TABLE sums (total bigint);
    CREATE FUNCTION sum_placed() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN DELETE FROM sums; INSERT INTO sums SELECT sum(total) FROM placed; RETURN NEW; END $$;
    CREATE TRIGGER placed_summed AFTER INSERT ON placed FOR EACH ROW EXECUTE FUNCTION sum_placed();`);
    await ask('ANALYZE placed');
    const meter = new StatementMeter(address, ['postgres']);
    const before = await meter.counts();
    for (let id = 1; id <= 20; id += 1) {
      // Each in a session of its own: a session that ends reports its counts.
      await ask('INSERT INTO placed (email, total) VALUES ($1, $2)', [`new${id}`, id]);
      await ask('SELECT id FROM placed WHERE lower(email) = $1', [`buyer${id}@example.org`]);
      await ask('SELECT id FROM placed WHERE email = $1', [`Buyer${id}@example.org`]);
    }
    const window = await meter.between(before, await meter.counts());
    await meter.close();
    const [used] = window?.functions ?? [];
    expect(used).toMatchObject({ name: 'sum_placed', trigger: { name: 'placed_summed', table: 'placed' } });
    // The server reports a session’s counts when that has ended, which may be after the client knows it.
    expect(used?.calls).toBeGreaterThan(10);
    expect(used?.selfMs).toBeGreaterThan(0);
    const found = (part: string) => window?.top.find(({ sql }) => sql.includes(part))?.bypassed;
    expect(found('lower(email)')).toMatchObject({ table: 'placed', index: 'placed_email_key', column: 'email', how: 'expression' });
    expect(found('WHERE email')).toBeNull();
  });

  it('tells calls, rows and plans of what was called in between, and nothing of what Benchside itself asked', async () => {
    const meter = new StatementMeter(address, ['postgres']);
    const sessions = new PostgresObserver(address, ['postgres']);
    const before = await meter.counts();
    await withClient(address, address.database, async (client) => {
      await client.query('CREATE TEMP TABLE counted (id int PRIMARY KEY)');
      await client.query('INSERT INTO counted SELECT generate_series(1, 1000)');
      for (let id = 1; id <= 20; id += 1) await client.query('SELECT count(*) FROM pg_class WHERE oid > $1 /* asked for */', [id]);
      await sessions.sessions();
    });
    const window = await meter.between(before, await meter.counts());
    await Promise.all([meter.close(), sessions.close()]);

    const asked = window?.top.find(({ sql }) => sql.includes('asked for'));
    expect(asked).toMatchObject({ calls: 20, rows: 20, database: 'postgres', walBytes: 0 });
    expect(asked?.plan).toMatch(/Aggregate[^]*\(oid > \$1\)/);
    expect(window?.top.find(({ sql }) => sql.startsWith('INSERT'))).toMatchObject({ calls: 1, rows: 1000 });
    // A table for the time of a session is not there for anybody else, and a statement that makes one has no plan.
    expect(window?.top.find(({ sql }) => sql.startsWith('CREATE TEMP'))).toMatchObject({ plan: null });
    expect(window?.top.filter(({ sql }) => /pg_stat_/.test(sql))).toEqual([]);
    expect(window?.top.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });

  it('knows the foreign key that a DELETE looks through a table for, and what is written to temporary files', async () => {
    const ask = (sql: string) => withClient(address, address.database, (client) => client.query(sql));
    await ask(`CREATE TABLE buyers (id int PRIMARY KEY);
    INSERT INTO buyers SELECT generate_series(1, 100);
    CREATE TABLE bills (id int PRIMARY KEY, buyer int REFERENCES buyers, helper int REFERENCES buyers);
    CREATE INDEX bills_helper ON bills (helper);
    INSERT INTO bills SELECT i, 1 + i % 10, 1 + i % 10 FROM generate_series(1, 20000) i;`);
    const meter = new StatementMeter(address, ['postgres']);
    const before = await meter.counts();
    await ask('DELETE FROM buyers WHERE id = 100');
    await ask("SET work_mem = '64kB'; SELECT id FROM bills ORDER BY buyer, helper, id DESC LIMIT 19999");
    const window = await meter.between(before, await meter.counts());
    await meter.close();
    const found = (part: string) => window?.top.find(({ sql }) => sql.includes(part));
    expect(found('DELETE')?.unindexed).toEqual({ constraint: 'bills_buyer_fkey', table: 'bills', column: 'buyer', of: 'buyers' });
    expect(found('DELETE')?.tempBlocks).toBe(0);
    expect(found('ORDER BY')?.tempBlocks).toBeGreaterThan(10);
    await ask('CREATE INDEX bills_buyer ON bills (buyer)');
    const again = new StatementMeter(address, ['postgres']);
    const then = await again.counts();
    await ask('DELETE FROM buyers WHERE id = 99');
    const indexed = await again.between(then, await again.counts());
    await again.close();
    expect(indexed?.top.find(({ sql }) => sql.includes('DELETE'))).toMatchObject({ plan: expect.stringContaining('Delete on buyers') });
    expect(indexed?.top.find(({ sql }) => sql.includes('DELETE'))?.unindexed).toBeUndefined();
    await ask('DROP TABLE bills, buyers');
  });

  it('knows how looks found the sessions that ran each of them', async () => {
    const meter = new StatementMeter(address, ['postgres']);
    const sessions = new PostgresObserver(address, ['postgres']);
    const before = await meter.counts();
    const found = await withClient(address, address.database, async (client) => {
      const slept = client.query('SELECT pg_sleep($1) /* asleep */', [1]);
      const seen = await waitFor(async () => {
        const now = await sessions.sessions();
        return now?.byWait['Timeout:PgSleep'] === undefined ? null : now;
      });
      await slept;
      return seen;
    });
    const looks = looksIn([{ sessions: found }]);
    const window = await meter.between(before, await meter.counts(), { looks });
    await Promise.all([meter.close(), sessions.close()]);
    expect(window?.top.find(({ sql }) => sql.includes('asleep'))?.looks).toEqual({ cpu: 0, lock: 0, io: 0, other: 1 });
  });

  it('changes nothing, whatever the text of a statement says', async () => {
    await withClient(address, address.database, (client) => client.query('DROP TABLE IF EXISTS precious; CREATE TABLE precious (id int)'));
    const meter = new StatementMeter(address, ['postgres']);
    const before = await meter.counts();
    await withClient(address, address.database, (client) =>
      client.query('WITH gone AS (DELETE FROM precious RETURNING id) SELECT id FROM gone'),
    );
    await withClient(address, address.database, (client) => client.query('INSERT INTO precious VALUES (1)'));
    const window = await meter.between(before, await meter.counts());
    await meter.close();
    expect(window?.top.find(({ sql }) => sql.startsWith('WITH gone'))?.plan).toMatch(/Delete on precious/);
    const left = await withClient(address, address.database, (client) => client.query('SELECT id FROM precious'));
    expect(left.rows).toEqual([{ id: 1 }]);
    await withClient(address, address.database, (client) => client.query('DROP TABLE precious'));
  });

  it(
    'knows nothing, and says so at once, of a server that does not count, is not there or does not answer',
    { timeout: slow },
    async () => {
      const other = 'without_counters';
      await withClient(address, address.database, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${other}`);
        await client.query(`CREATE DATABASE ${other} TEMPLATE template0`);
      });
      const silent = createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      for (const connection of [
        { ...address, database: other },
        { ...address, port: 1 },
        { ...address, port },
      ]) {
        const meter = new StatementMeter(connection, ['postgres']);
        expect(await meter.counts()).toBeNull();
        expect(await meter.between(null, null)).toBeNull();
        const asked = performance.now();
        expect(await meter.counts()).toBeNull();
        expect(performance.now() - asked).toBeLessThan(100);
        await meter.close();
      }
      silent.close();
      await withClient(address, address.database, (client) => client.query(`DROP DATABASE ${other}`));
    },
  );
});

describe('a run', () => {
  it('records the statements of the app that took longest, per trial', { timeout: slow, ...slowHalf }, async () => {
    const engine = await TestEngine.start({});
    try {
      const run = await engine.run({
        targets: ['lab-node'],
        load: 'quick',
        route: '/report?category=3',
        durationS: 1,
        rounds: 1,
        settings: { pool: [4] },
        connections: [8],
      });
      const [first, ...others] = run.trials[0]?.statements ?? [];
      expect(first?.sql).toMatch(/SELECT seller\.id AS "sellerId"/);
      expect(first?.database).toMatch(/node|bulletin|benchside/);
      expect(first?.plan).toMatch(/Limit[^]*ads/);
      // One call for each request, but for those that were under way at the edges.
      expect(Math.abs((first?.calls ?? 0) - (run.trials[0]?.requests ?? 0))).toBeLessThanOrEqual(20);
      expect(first?.share).toBeGreaterThan(0.9);
      expect(others.filter(({ sql }) => /benchside|pg_stat_/.test(sql))).toEqual([]);
    } finally {
      await engine.dispose();
    }
  });
});
