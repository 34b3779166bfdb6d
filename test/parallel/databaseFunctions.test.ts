import { afterAll, beforeAll, expect, it } from 'vitest';
import { StatementMeter } from '../../src/engine/observe/statementMeter.ts';
import { countStatements, withClient } from '../../src/engine/services/database.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir } from '../support/engine.ts';

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

it(
  'a meter of statements knows the trigger that an INSERT waits for, and the index that a condition cannot use',
  { timeout: 60_000 },
  async () => {
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
  },
);
