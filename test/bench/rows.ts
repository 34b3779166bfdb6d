// Statements whose growth with the data is known, on a database and on a copy with 3 and 10 times its rows: how many are classed right.
// Writes docs/rows.md. Usage: node scripts/bench.mjs rows
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { GrowthKind, StatementUse } from '../../src/model/domain/statement.ts';
import { StatementMeter } from '../../src/engine/observe/statementMeter.ts';
import { observerConnection } from '../../src/engine/run/observerConnection.ts';
import { countStatements } from '../../src/engine/services/database.ts';
import { makeCopy } from '../../src/engine/services/databaseCopy.ts';
import { ownerAddress } from '../../src/engine/services/databaseOwner.ts';
import { PostgresServer } from '../../src/engine/services/postgresServer.ts';
import { prepareDatabase } from '../../src/engine/services/prepareDatabase.ts';
import { type DatabaseAddress, connectionOf } from '../../src/engine/services/serverUrl.ts';
import { growthKind } from '../../src/engine/sides/statementGrowth.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';

const { signal } = new AbortController();
const customers = 400;
const schema = `
  CREATE TABLE state (name text PRIMARY KEY);
  INSERT INTO state VALUES ('open'), ('paid'), ('sent'), ('back');
  CREATE TABLE customer (id serial PRIMARY KEY, mail text UNIQUE, score int, city text);
  INSERT INTO customer (mail, score, city) SELECT 'c' || n || '@x', n * 7919 % 1000, 'city ' || n % 20 FROM generate_series(1, ${customers}) n;
  CREATE TABLE purchase (id serial PRIMARY KEY, customer int NOT NULL REFERENCES customer, state text REFERENCES state, placed timestamptz, note text);
  CREATE INDEX ON purchase (customer); CREATE INDEX ON purchase (placed);
  INSERT INTO purchase (customer, state, placed, note) SELECT 1 + n % ${customers}, (ARRAY['open', 'paid', 'sent', 'back'])[1 + n % 4],
    now() - n * interval '1 min', md5(n::text) FROM generate_series(1, 8000) n;
  CREATE TABLE line (purchase int REFERENCES purchase, no int, price numeric, PRIMARY KEY (purchase, no));
  INSERT INTO line SELECT id, n, id * n % 97 FROM purchase, generate_series(1, 3) n;`;

/** $1 is the number of a customer; what takes long is called less often. */
const planted: readonly (readonly [GrowthKind, string])[] = [
  ['constant', 'SELECT id, mail FROM customer LIMIT 20'],
  ['constant', 'SELECT * FROM purchase LIMIT 1'],
  ['constant', 'SELECT count(*) FROM state'],
  ['constant', 'SELECT name FROM state ORDER BY name DESC'],
  ['constant', 'SELECT note FROM purchase OFFSET 100 LIMIT 50'],
  ['constant', 'SELECT a.name, b.name FROM state a CROSS JOIN state b'],
  ['logarithmic', 'SELECT * FROM customer WHERE id = $1'],
  ['logarithmic', `SELECT * FROM customer WHERE mail = 'c' || $1::int || '@x'`],
  ['logarithmic', 'SELECT * FROM purchase WHERE customer = $1'],
  ['logarithmic', 'SELECT count(*) FROM purchase WHERE customer = $1 AND id > 0'],
  ['logarithmic', 'SELECT * FROM purchase ORDER BY id DESC LIMIT 10'],
  ['logarithmic', 'SELECT * FROM purchase ORDER BY placed LIMIT 20'],
  ['logarithmic', 'SELECT l.* FROM line l WHERE purchase = $1 ORDER BY no'],
  ['logarithmic', 'SELECT p.id, sum(l.price) FROM purchase p JOIN line l ON l.purchase = p.id WHERE p.id = $1 GROUP BY p.id'],
  ['logarithmic', 'SELECT EXISTS (SELECT FROM purchase WHERE customer = $1)'],
  ['logarithmic', 'UPDATE customer SET score = score WHERE id = $1'],
  ['linear', 'SELECT count(*) FROM purchase'],
  ['linear', `SELECT count(*) FROM purchase WHERE note LIKE '%abc%'`],
  ['linear', `SELECT count(*) FROM purchase WHERE state = 'open'`],
  ['linear', 'SELECT state, count(*) FROM purchase GROUP BY state'],
  ['linear', 'SELECT * FROM purchase ORDER BY note LIMIT 10'],
  ['linear', 'SELECT sum(price) FROM line'],
  ['linear', 'SELECT count(DISTINCT note) FROM purchase'],
  ['linear', 'SELECT p.state, sum(l.price) FROM purchase p JOIN line l ON l.purchase = p.id GROUP BY p.state'],
  ['linear', 'SELECT customer, max(placed) FROM purchase GROUP BY customer ORDER BY 2 DESC LIMIT 5'],
  ['linear', 'SELECT id FROM customer WHERE score = $1'],
  ['linear', 'SELECT c.city, count(*) FROM customer c JOIN purchase p ON p.customer = c.id GROUP BY c.city'],
  ['worse than linear', 'SELECT count(*) FROM customer a JOIN customer b ON a.score < b.score'],
  ['worse than linear', 'SELECT count(*) FROM customer a JOIN customer b USING (city)'],
  [
    'worse than linear',
    'SELECT max(rank) FROM (SELECT (SELECT count(*) FROM customer d WHERE d.score > c.score) AS rank FROM customer c) AS ranks',
  ],
  ['worse than linear', 'SELECT count(*) FROM customer a WHERE NOT EXISTS (SELECT FROM customer b WHERE b.score > a.score + 1000)'],
];
const [often, seldom] = [100, 6];

interface Case {
  sql: string;
  expected: GrowthKind;
  factor: number;
  kind: GrowthKind | null;
  ratio: number;
  blocks: number;
}

const supervisor = new Supervisor();
const home = temporaryFolder('rows');
chmodSync(home, 0o755);
process.env['BENCHSIDE_POSTGRES_HOME'] = home;
try {
  const { address } = await PostgresServer.start(supervisor, { assetsDir: repositoryDir, storageDir: '/nonexistent' });
  await countStatements(address);
  const file = path.join(home, 'schema.sql');
  writeFileSync(file, schema);
  await prepareDatabase(address, { database: 'shop', folder: home, sqlFiles: [file], prepareFiles: [] }, () => undefined);
  const copies = [1, 3, 10].map((rows) => ({ rows, to: `shop_side_${String(rows).padStart(8, '0')}` }));
  for (const { rows, to } of copies) await makeCopy(address, { from: 'shop', to, sql: null, rows }, signal);
  const cases = await classed(address, copies);
  const right = cases.filter(({ kind, expected }) => kind === expected).length;
  for (const { sql, expected, factor, kind, ratio, blocks } of cases.filter((one) => one.kind !== one.expected))
    console.log(`${factor}x ${sql}: ${String(kind)} for ${expected} (time × ${ratio.toFixed(2)}, blocks × ${blocks.toFixed(2)})`);
  console.log(`${right} of ${cases.length} right`);
  writeFileSync(path.join(repositoryDir, 'docs', 'rows.md'), page(cases));
} finally {
  await supervisor.stopAll();
  removeTemporaryFolders();
}

/** Each statement on all copies in turn, so that what else the machine does meets all alike. */
async function classed(address: DatabaseAddress, copies: readonly { rows: number; to: string }[]): Promise<Case[]> {
  const databases = copies.map(({ to }) => to);
  const meter = new StatementMeter(observerConnection({ address, databases }), databases);
  const clients = databases.map((database) => new pg.Client({ ...connectionOf(ownerAddress(address, database)), database }));
  for (const client of clients) await client.connect();
  const cases: Case[] = [];
  for (const [expected, sql] of planted) {
    const ask = async (client: pg.Client): Promise<unknown> =>
      client.query(sql, sql.includes('$1') ? [1 + Math.floor(Math.random() * customers)] : []);
    for (const client of clients) await ask(client);
    const before = await meter.counts();
    for (let call = 0; call < (expected === 'worse than linear' ? seldom : often); call += 1)
      for (const client of clients) await ask(client);
    const window = await meter.between(before, await meter.counts());
    const [base, ...others] = copies.map(({ to }) => window?.top.find(({ database }) => database === to));
    for (const [index, other] of others.entries()) {
      const factor = copies[index + 1]?.rows ?? 0;
      const kind = base === undefined || other === undefined ? null : growthKind(base, other, factor);
      const ratio = (other?.meanMs ?? Number.NaN) / (base?.meanMs ?? Number.NaN);
      cases.push({ sql, expected, factor, kind, ratio, blocks: blocksOf(other) / blocksOf(base) });
    }
  }
  for (const client of clients) await client.end();
  await meter.close();
  return cases;
}

function blocksOf(use: StatementUse | undefined): number {
  return use === undefined ? Number.NaN : (use.blocksUsed ?? 0) / use.calls;
}

function page(cases: readonly Case[]): string {
  const right = cases.filter(({ kind, expected }) => kind === expected).length;
  const figure = (value: number): string => (Number.isFinite(value) ? value.toPrecision(3) : '–');
  return [
    '# How statements grow, as measured',
    '',
    '<!-- Written by `npm run bench rows`. Change the bench, not this page. -->',
    '',
    `\`npm run bench rows\` sends ${planted.length} statements whose growth is known to a database and to copies with 3 and 10 times its rows, and classes them as \`--vary rows=…\` does. It was written with the rule, which was set before by reasoning; so it shows that the rule holds on these, not that it holds everywhere.`,
    '',
    `**${right} of ${cases.length} are classed right** (${((100 * right) / cases.length).toFixed(0)} %; goal ≥ 95 %).`,
    '',
    '| times the rows | statement | grows | classed | time | blocks |',
    '| --- | --- | --- | --- | --- | --- |',
    ...cases.map(
      ({ sql, expected, factor, kind, ratio, blocks }) =>
        `| ${factor} | \`${sql.replaceAll('|', '\\|')}\` | ${expected} | ${kind === expected ? 'so' : `**${String(kind)}**`} | × ${figure(ratio)} | × ${figure(blocks)} |`,
    ),
    '',
  ].join('\n');
}
