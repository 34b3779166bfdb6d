import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { triedIndexes } from '../../src/engine/advise/triedIndexes.ts';
import { withClient } from '../../src/engine/services/database.ts';
import { dropCopies, leftCopies, makeCopy } from '../../src/engine/services/databaseCopy.ts';
import { ownerAddress } from '../../src/engine/services/databaseOwner.ts';
import { type DatabaseWants, prepareDatabase, resetData } from '../../src/engine/services/prepareDatabase.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { appTarget, failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { exampleStatement } from '../support/exampleStatement.ts';

const slow = 60_000;
const supervisor = new Supervisor();
const sharedHome = process.env['BENCHSIDE_POSTGRES_HOME'];
let address: DatabaseAddress;

beforeAll(async () => {
  const home = temporaryFolder('rights');
  chmodSync(home, 0o755);
  process.env['BENCHSIDE_POSTGRES_HOME'] = home;
  ({ address } = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: '/nonexistent' }));
}, slow);
afterAll(async () => {
  await supervisor.stopAll();
  process.env['BENCHSIDE_POSTGRES_HOME'] = sharedHome;
  removeTemporaryFolders();
});

function wants(database: string, sql: Record<string, string>, prepare: Record<string, string> = {}): DatabaseWants {
  const folder = temporaryFolder('sql');
  const write = (texts: Record<string, string>): string[] =>
    Object.entries(texts).map(([name, text]) => {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    });
  return { database, folder, sqlFiles: write(sql), prepareFiles: write(prepare) };
}

async function prepare(want: DatabaseWants): Promise<string[]> {
  return noteTexts(await prepareDatabase(address, want, () => undefined));
}

/** What a database's app gets as answer, by its own login. */
async function asApp(database: string, text: string): Promise<unknown[]> {
  const { rows } = await withClient(ownerAddress(address, database), database, (client) =>
    client.query<unknown[]>({ text, rowMode: 'array' }),
  );
  return rows.flat();
}

const rightsOf = `SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user`;

describe('the role of an app', () => {
  it('owns its database and what its SQL has made, and may do nothing else', { timeout: slow }, async () => {
    const said = await prepare(
      wants('plain', { 'a.sql': 'CREATE EXTENSION citext; CREATE TABLE ad (title citext); INSERT INTO ad VALUES (1)' }),
    );
    await prepare(wants('other', { 'a.sql': 'CREATE TABLE secret AS SELECT 1 AS a' }));
    expect(said).toEqual([]);
    expect(await asApp('plain', rightsOf)).toEqual([false, false, false]);
    await asApp('plain', 'ALTER TABLE ad ADD id int');
    await asApp('plain', 'CREATE SCHEMA more');
    for (const refused of ['CREATE ROLE x', `COPY ad FROM PROGRAM 'id'`, `SELECT pg_read_file('postgresql.conf')`, 'CREATE DATABASE x'])
      await expect(asApp('plain', refused), refused).rejects.toMatchObject({ code: '42501' });
    await expect(asApp('plain', `ALTER SYSTEM SET work_mem = '1GB'`)).rejects.toMatchObject({ code: '42501' });
    const app = ownerAddress(address, 'plain');
    for (const database of ['other', 'postgres', 'template1'])
      await expect(new pg.Client({ ...app, database }).connect(), database).rejects.toMatchObject({ code: '42501' });
    expect(app.password).not.toBe(ownerAddress(address, 'other').password);
    await expect(new pg.Client({ ...app, user: address.user, database: 'postgres' }).connect()).rejects.toMatchObject({ code: '28P01' });
  });

  it('is not the owner of the database of the server, whatever a target calls its own', { timeout: slow }, async () => {
    await prepare(wants('postgres', { 'a.sql': 'CREATE TABLE ad ()' }));
    expect(await asApp('postgres_app', `SELECT to_regclass('ad')::text`)).toEqual(['ad']);
    await expect(asApp('postgres', 'SELECT 1')).rejects.toThrow();
  });

  it('gets back a database that was made for the administrator', { timeout: slow }, async () => {
    await withClient(address, 'postgres', (client) => client.query('CREATE DATABASE earlier'));
    await withClient(address, 'earlier', (client) => client.query('CREATE TABLE ad ()'));
    await prepare(wants('earlier', { 'a.sql': 'CREATE TABLE ad ()' }));
    expect(await asApp('earlier', 'DROP TABLE ad')).toEqual([]);
  });
});

describe('SQL that needs more than to own its database', () => {
  it('is applied with the right to make roles, as which the app may act, and that is said each time', { timeout: slow }, async () => {
    const sql = `-- Who reads; and who writes.
      CREATE TABLE ad (id int);
      CREATE ROLE reader LOGIN PASSWORD 'only to read';
      GRANT SELECT ON ad TO reader;
      ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader;
      CREATE SCHEMA theirs AUTHORIZATION reader; CREATE TABLE theirs.owned (id int); ALTER TABLE theirs.owned OWNER TO reader;`;
    const want = wants('roles', { 'roles.sql': sql });
    const said = await prepare(want);
    expect(said).toEqual([
      expect.stringMatching(
        /^roles\.sql needs more .*“CREATE ROLE reader LOGIN PASSWORD .*permission denied to create role.*the right to make roles/,
      ),
    ]);
    expect(await prepare(want)).toEqual(said);
    expect(await asApp('roles', rightsOf)).toEqual([false, false, false]);
    await asApp('roles', 'SET ROLE reader');
    await asApp('roles', 'CREATE TABLE later ()');
    const reader = { ...ownerAddress(address, 'roles'), user: 'reader', password: 'only to read' };
    await withClient(reader, 'roles', (client) => client.query('SELECT FROM ad, later'));
    await expect(withClient(reader, 'plain', async () => undefined)).rejects.toMatchObject({ code: '42501' });
  });

  it(
    'is applied with the rights of a superuser where nothing less will do, and leaves the app without them',
    { timeout: slow },
    async () => {
      const sql = `CREATE TABLE ad (id int); CREATE ROLE keeper; CREATE EXTENSION postgres_fdw; CREATE ROLE boss SUPERUSER;`;
      const said = await prepare(wants('extensions', { 'fdw.sql': sql }));
      expect(said).toEqual([
        expect.stringMatching(/“CREATE EXTENSION postgres_fdw”.*the rights of a superuser; the app has no such right/),
      ]);
      expect(await asApp('extensions', rightsOf)).toEqual([false, false, false]);
      await asApp('extensions', 'ALTER TABLE ad ADD title text');
      await asApp('extensions', 'SET ROLE keeper');
      await expect(asApp('extensions', 'SET ROLE boss')).rejects.toMatchObject({ code: '42501' });
    },
  );

  it('before each round is applied so, too, while the app keeps its connections', { timeout: slow }, async () => {
    const want = wants('rounds', { 'a.sql': 'CREATE TABLE ad (id int)' }, { 'prepare.sql': 'TRUNCATE ad; CHECKPOINT' });
    await prepare(want);
    await withClient(ownerAddress(address, 'rounds'), 'rounds', async (client) => {
      await client.query('INSERT INTO ad VALUES (1)');
      expect(noteTexts(await resetData(address, want))).toEqual([
        expect.stringMatching(/^prepare\.sql needs more .*“CHECKPOINT”.*while the file is applied/),
      ]);
      expect((await client.query('SELECT FROM ad')).rowCount).toBe(0);
      expect((await client.query({ text: rightsOf, rowMode: 'array' })).rows.flat()).toEqual([false, false, false]);
    });
  });

  it('with a mistake of another kind fails as before', { timeout: slow }, async () => {
    const broken = prepare(wants('broken', { 'b.sql': 'CREATE ROLE half;\nSELECT * FROM nowhere;' }));
    await expect(broken).rejects.toMatchObject({
      failure: { code: 'sql-failed', message: expect.stringMatching(/b\.sql, line 2/) as string },
    });
    expect(await asApp('broken', rightsOf)).toEqual([false, false, false]);
  });
});

describe('SQL that was written for psql', () => {
  it('as pg_dump writes it is applied with its rows, whoever owned them', { timeout: slow }, async () => {
    const dump = String.raw`--
-- PostgreSQL database dump
--
\restrict k2xQ
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.ad (id integer NOT NULL, title text);
ALTER TABLE public.ad OWNER TO "the-author";
COPY public.ad (id, title) FROM stdin;
1	it's "quoted"; \\c
2	\N
\.


ALTER TABLE ONLY public.ad ADD CONSTRAINT ad_pkey PRIMARY KEY (id);
CREATE TABLE public.bid (id integer);
ALTER TABLE public.bid OWNER TO "the-author";
COPY public.bid (id) FROM stdin;
3
\.
GRANT ALL ON TABLE public.bid TO reporter;
\unrestrict k2xQ
`;
    const want = wants('dumped', { 'dump.sql': dump });
    const said = await prepare(want);
    expect(said).toEqual([
      expect.stringMatching(/^dump\.sql was applied without its commands of psql: \\restrict k2xQ \\unrestrict k2xQ\.$/),
      expect.stringMatching(/^There is no role the-author on this server: .*“?ALTER TABLE public\.ad OWNER TO "the-author"/),
      expect.stringMatching(/^There is no role reporter on this server/),
    ]);
    expect(await prepare(want)).toEqual(said);
    expect(await asApp('dumped', `SELECT id::text, title FROM ad ORDER BY id`)).toEqual(['1', String.raw`it's "quoted"; \c`, '2', null]);
    expect(await asApp('dumped', 'DROP TABLE ad, bid')).toEqual([]);
  });

  it('makes no database of its own, and what is made apart is made with the rest', { timeout: slow }, async () => {
    const sql = `DROP DATABASE IF EXISTS todo;\nCREATE DATABASE todo;\nGRANT ALL PRIVILEGES ON DATABASE todo TO me;\n\\c todo\nCREATE TABLE item (id int);\nCREATE INDEX CONCURRENTLY by_id ON item (id);`;
    const said = await prepare(wants('own', { 'todo.sql': sql }));
    expect(said).toHaveLength(5);
    expect(said.join('\n')).toMatch(/without “CREATE DATABASE todo”[^]*without CONCURRENTLY/);
    expect(await asApp('own', `SELECT to_regclass('by_id')::text, current_database()`)).toEqual(['by_id', 'own']);
    expect(await asApp('own', `SELECT count(*)::int FROM pg_database WHERE datname = 'todo'`)).toEqual([0]);
  });

  it('is refused where psql would read or decide something, and nothing of it is applied', { timeout: slow }, async () => {
    const refused = prepare(wants('including', { 'all.sql': 'CREATE TABLE ad ();\n\\i tables.sql\n' }));
    await expect(refused).rejects.toMatchObject({
      failure: { code: 'sql-failed', message: String.raw`all.sql, line 2: “\i tables.sql” is a command of psql, and no statement.` },
    });
    expect(await asApp('including', `SELECT to_regclass('ad')::text`)).toEqual([null]);
  });
});

const waysToMakeARole: readonly (readonly [name: string, make: string, role: string])[] = [
  ['CREATE ROLE', `CREATE ROLE teller LOGIN PASSWORD 'one'`, 'teller'],
  ['DROP and CREATE', `DROP ROLE IF EXISTS auditor; CREATE ROLE auditor LOGIN PASSWORD 'one'`, 'auditor'],
  [
    'a block that looks first',
    `DO $$ BEGIN CREATE ROLE guest LOGIN PASSWORD 'one'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    'guest',
  ],
  ['CREATE USER', `CREATE USER clerk PASSWORD 'one'`, 'clerk'],
];

describe('a role that several databases make', () => {
  const named = 'by %s is theirs in each, and may sign in to each';
  it.each(waysToMakeARole.slice(0, -1))(named, { timeout: slow, ...longTest }, isTheirs);
  it.each(waysToMakeARole.slice(-1))(named, { timeout: slow, ...slowHalf }, isTheirs);

  async function isTheirs(_name: string, make: string, role: string): Promise<void> {
    const sql = `CREATE TABLE ad (id int); ${make}; GRANT SELECT ON ad TO ${role};`;
    const second = sql.replace("'one'", "'two'");
    await prepare(wants(`first_${role}`, { 'a.sql': sql }));
    const said = await prepare(wants(`second_${role}`, { 'a.sql': second }));
    expect(said.length).toBeGreaterThan(0);
    for (const database of [`first_${role}`, `second_${role}`]) {
      await asApp(database, `SET ROLE ${role}`);
      const password = make.startsWith('DO') ? 'one' : 'two';
      await withClient({ ...ownerAddress(address, database), user: role, password }, database, (client) => client.query('SELECT FROM ad'));
    }
    // And once more in one of them, whose file has changed.
    const again = await prepare(wants(`first_${role}`, { 'a.sql': `${sql} SELECT 1;` }));
    expect(again.length).toBeGreaterThan(0);
  }

  it('is left as it is on a server of the user’s, and that is said', { timeout: slow }, async () => {
    const { administers: _, ...rest } = address;
    const external: DatabaseAddress = { ...rest, external: true };
    const want = wants('theirs', { 'a.sql': `CREATE ROLE theirs PASSWORD 'a'; CREATE TABLE ad ()` });
    await withClient(address, 'postgres', (client) => client.query(`CREATE ROLE theirs PASSWORD 'b'`));
    const hash = `SELECT rolpassword FROM pg_authid WHERE rolname = 'theirs'`;
    const before = await withClient(address, 'postgres', async (client) => (await client.query(hash)).rows);
    expect(await prepareDatabase(external, want, () => undefined)).toMatchObject([{ code: 'sql-remark', kind: 'role-left' }]);
    expect(await withClient(address, 'postgres', async (client) => (await client.query(hash)).rows)).toEqual(before);
  });
});

describe('a run on our own server', () => {
  it(
    'counts the sessions and statements of its app, says what its SQL needs, and keeps every password out of the record',
    { timeout: 120_000, ...longTest },
    async () => {
      const engine = await TestEngine.start({
        file: {
          targets: [
            appTarget('app', 'databaseService.mjs', {
              postgres: { env: { url: 'DATABASE_URL' }, database: 'measured', sql: ['roles.sql'] },
            }),
          ],
        },
      });
      try {
        writeFileSync(path.join(engine.workspaceDir, 'roles.sql'), `CREATE TABLE ad AS SELECT 1 AS id; CREATE ROLE measurer;`);
        const run = await engine.run({ targets: ['app'], load: 'brief', rounds: 1 });
        expect(noteTexts(run.notes).join('\n')).toMatch(/roles\.sql needs more/);
        const statements = run.trials.flatMap(({ statements: seen }) => seen ?? []);
        expect(statements.map(({ sql }) => sql)).toContain('SELECT id FROM ad');
        expect(statements.find(({ sql }) => sql === 'SELECT id FROM ad')?.plan).toMatch(/Seq Scan on ad/);
      } finally {
        await engine.dispose();
      }
    },
  );

  it(
    'makes its tables by the service’s own migrations, as the owner of its database and before every run',
    { timeout: 120_000, ...slowHalf },
    async () => {
      const prepare = { command: ['node', path.join(repositoryDir, 'test/fixtures/apps/migrate.mjs')], sql: 'reset.sql' };
      const postgres = { env: { url: 'DATABASE_URL' }, database: 'migrated', prepare };
      const migrated = path.join(temporaryFolder('migrated'), 'by');
      const engine = await TestEngine.start({
        file: {
          targets: [
            appTarget('app', 'databaseService.mjs', { env: { MIGRATED: migrated }, postgres }),
            appTarget('broken', 'databaseService.mjs', { env: { BROKEN: 'yes' }, postgres: { ...postgres, database: 'broken' } }),
          ],
        },
      });
      try {
        writeFileSync(path.join(engine.workspaceDir, 'reset.sql'), 'DELETE FROM ad WHERE id > 1');
        const run = await engine.run({ targets: ['app'], load: 'brief', rounds: 1 });
        expect(run.trials.map(({ requests, errors }) => ({ answered: requests > 0, errors: errors.total }))).toEqual([
          { answered: true, errors: 0 },
        ]);
        await engine.run({ targets: ['app'], load: 'brief', rounds: 1 });
        expect(readFileSync(migrated, 'utf8')).toMatch(/^(\S*migrated false 4\n){2}$/);
        const failure = await failureOf(engine.run({ targets: ['broken'], load: 'brief', rounds: 1 }));
        expect(failure).toMatchObject({ code: 'migrations-failed', message: expect.stringContaining('exited with code 3') as string });
        expect(failure.detail).toContain('migration 0002 failed');
      } finally {
        await engine.dispose();
      }
    },
  );
});

describe('a copy of a database for one side', () => {
  const { signal } = new AbortController();
  const shop = {
    'a.sql': `CREATE TABLE orders AS SELECT n AS id, n % 500 AS customer, now() - n * interval '1 s' AS placed FROM generate_series(1, 20000) n;
      ALTER TABLE orders ADD PRIMARY KEY (id); ANALYZE orders`,
  };

  it('has the rows and its own SQL, takes what the app may do, and leaves nothing behind', { timeout: slow }, async () => {
    const want = wants('shop', shop);
    await prepare(want);
    const sql = path.join(want.folder, 'side.sql');
    writeFileSync(sql, 'CREATE INDEX by_customer ON orders (customer); DELETE FROM orders WHERE id > 10000');
    const to = 'shop_side_0123abcd';
    expect(noteTexts(await makeCopy(address, { from: 'shop', to, sql, rows: 1 }, signal))).toEqual([
      expect.stringMatching(/^side\.sql was run in a copy of shop: it took .* and made the copy .* larger\.$/),
    ]);
    expect(await asApp(to, 'SELECT count(*)::int FROM orders')).toEqual([10_000]);
    await asApp(to, 'ALTER TABLE orders ADD note text');
    expect(await asApp(to, rightsOf)).toEqual([false, false, false]);
    expect(await asApp('shop', 'SELECT count(*)::int FROM orders')).toEqual([20_000]);
    expect(await leftCopies(address, '_side_', signal)).toEqual([to]);
    await dropCopies(address, [to]);
    expect(await leftCopies(address, '_side_', signal)).toEqual([]);
    const { rows } = await withClient(address, address.database, (client) =>
      client.query(`SELECT FROM pg_roles WHERE rolname LIKE '%\\_side\\_%'`),
    );
    expect(rows).toEqual([]);
  });

  it('has so many times the rows, each copy with what belongs to it, and takes new rows', { timeout: slow }, async () => {
    const want = wants('market', {
      'a.sql': `CREATE TABLE state (name text PRIMARY KEY);
        CREATE TABLE customer (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, mail text, by int REFERENCES customer, CHECK (mail LIKE '%@%'));
        CREATE UNIQUE INDEX ON customer (lower(mail));
        CREATE TABLE purchase (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), customer int NOT NULL REFERENCES customer, state text REFERENCES state, placed timestamptz UNIQUE);
        CREATE TABLE line (purchase uuid REFERENCES purchase, no smallint, price numeric, PRIMARY KEY (purchase, no), total numeric GENERATED ALWAYS AS (price * 2) STORED);
        CREATE TABLE setting (one boolean PRIMARY KEY, value text);
        INSERT INTO state VALUES ('open'), ('paid');
        INSERT INTO customer (mail, by) SELECT 'c' || n || '@x', NULLIF(n - 1, 0) FROM generate_series(1, 50) n;
        INSERT INTO purchase (customer, state, placed) SELECT 1 + n % 50, CASE WHEN n % 4 = 0 THEN 'open' ELSE 'paid' END, now() - n * interval '1 s' FROM generate_series(1, 200) n;
        INSERT INTO line SELECT id, n, 5 FROM purchase, generate_series(1, 3) n; INSERT INTO setting VALUES (true, 'a');
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON line EXECUTE FUNCTION refuse()`,
    });
    await prepare(want);
    const to = 'market_side_0123abcd';
    const [note] = await makeCopy(address, { from: 'market', to, sql: null, rows: 3 }, signal);
    expect(note).toMatchObject({ code: 'rows-grown', factor: 3, tables: 3, rows: 2553, left: ['setting', 'state'] });
    const counts = `SELECT (SELECT count(*) FROM customer) || ' ' || (SELECT count(*) FROM purchase) || ' ' || (SELECT count(*) FROM line)`;
    expect(await asApp(to, counts)).toEqual(['150 600 1800']);
    // Each customer has 4 purchases, each purchase 3 lines, and a quarter is open, as before.
    const each = `SELECT count(*)::int || ' ' || min(n) || ' ' || max(n)`;
    expect(await asApp(to, `${each} FROM (SELECT count(*) AS n FROM purchase JOIN customer c ON c.id = customer GROUP BY c.id)`)).toEqual([
      '150 4 4',
    ]);
    expect(await asApp(to, `${each} FROM (SELECT count(*) AS n FROM line JOIN purchase p ON p.id = purchase GROUP BY p.id)`)).toEqual([
      '600 3 3',
    ]);
    expect(await asApp(to, `SELECT count(*)::int FROM purchase JOIN state ON name = state WHERE state = 'open'`)).toEqual([150]);
    expect(await asApp(to, 'SELECT count(*)::int FROM customer WHERE by IS NULL')).toEqual([3]);
    expect(await asApp(to, 'SELECT max(no)::int FROM line')).toEqual([3]);
    await asApp(to, `INSERT INTO customer (mail) VALUES ('new@x')`);
    expect(await asApp(to, 'SELECT max(id)::int FROM customer')).toEqual([151]);
    expect(await asApp(to, rightsOf)).toEqual([false, false, false]);
    await dropCopies(address, [to]);
  });

  it(
    'tells which indexes PostgreSQL would use for a statement, also where it goes by another for its order',
    { timeout: slow },
    async () => {
      await prepare(wants('shop', shop));
      const statements = [
        exampleStatement({ share: 0.6, sql: 'SELECT * FROM orders WHERE customer = $1 ORDER BY placed DESC LIMIT 20' }),
        exampleStatement({ share: 0.35, sql: 'SELECT * FROM orders WHERE customer = $1 ORDER BY id LIMIT $2' }),
        exampleStatement({ share: 0.05, sql: 'SELECT 1; DROP TABLE orders' }),
      ];
      const { used, planned } = await triedIndexes(address, 'shop', statements, signal);
      expect(planned).toHaveLength(2);
      expect(used.map(({ create }) => create)).toEqual(
        expect.arrayContaining([
          'ON public.orders (customer)',
          'ON public.orders (customer, placed DESC)',
          'ON public.orders (customer, id)',
        ]),
      );
      expect(await asApp('shop', `SELECT indexname FROM pg_indexes WHERE tablename = 'orders'`)).toEqual(['orders_pkey']);
      expect(await leftCopies(address, '_side_', signal)).toEqual([]);
    },
  );
});
