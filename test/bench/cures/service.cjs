// A service with one thing wrong: PLANT says what. What else it can be set to does nothing there: GREETING and LOG are read by nobody.
const cluster = require('node:cluster');
const { pbkdf2 } = require('node:crypto');
const http = require('node:http');
const zlib = require('node:zlib');
const { Client, Pool } = require('pg');

const { PLANT = '', DATABASE_URL, POOL = '8', MODE = '', FETCH = '1000', WORKERS = '1' } = process.env;

if (cluster.isPrimary && Number(WORKERS) > 1) {
  for (let worker = 0; worker < Number(WORKERS); worker += 1) cluster.fork();
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers)) worker.kill('SIGTERM');
    process.exit(0);
  });
} else {
  serve();
}

function serve() {
  const pool = DATABASE_URL === undefined ? null : new Pool({ connectionString: DATABASE_URL, max: Number(POOL) });
  pool?.on('error', () => undefined);
  let turn = 0;
  /** The same ids in the same order in every process. */
  const nextId = () => 1 + ((turn++ * 7919) % 20_000);
  const kept = [];
  const entryOf = (place) => Array.from({ length: 150 }, (_, index) => ({ index, text: `row ${index} of ${place}` }));
  const cache = Array.from({ length: PLANT === 'node-heap' ? 3000 : 0 }, (_, place) => entryOf(place));
  let replaced = 0;

  const works = {
    /** Each request holds a connection for 5 ms. */
    pool: async () => (await pool.query('SELECT pg_sleep(0.005)')).rowCount,
    /** Orders of a customer, of which the table has no index. */
    index: async (id) => (await pool.query('SELECT id, note FROM orders WHERE customer = $1 ORDER BY id', [id])).rows.length,
    /** What a request allocates lives a little longer than a small young space lasts. */
    'young-space': async () => {
      kept.push(Array.from({ length: 3000 }, (_, index) => ({ index, text: `row ${index}` })));
      if (kept.length > 24) kept.shift();
      return kept.at(-1).length;
    },
    /** Password hashes wait for the pool of libuv. */
    'worker-threads': () =>
      new Promise((resolve, reject) =>
        pbkdf2('secret', 'salt', 12_000, 32, 'sha256', (error, key) => (error ? reject(error) : resolve(key.length))),
      ),
    /** One thread computes. */
    workers: async () => {
      let sum = 0;
      for (let step = 0; step < 600_000; step += 1) sum = (sum * 31 + step) % 1_000_003;
      return sum;
    },
    /** One statement for each row, unless MODE is eager. */
    'n-plus-one': async (id) => {
      const from = (id % 900) * 20;
      if (MODE === 'eager')
        return (
          await pool.query(
            'SELECT o.id, c.name FROM orders o JOIN customers c ON c.id = o.customer WHERE o.id > $1 AND o.id <= $1 + 20 ORDER BY o.id',
            [from],
          )
        ).rows;
      const { rows } = await pool.query('SELECT id, customer FROM orders WHERE id > $1 AND id <= $1 + 20 ORDER BY id', [from]);
      const found = [];
      for (const { id: order, customer } of rows)
        found.push({ id: order, name: (await pool.query('SELECT name FROM customers WHERE id = $1', [customer])).rows[0]?.name });
      return found;
    },
    /** A sort and a hash that do not fit into 64 kB. */
    'work-mem': async () => (await pool.query('SELECT note, count(*) FROM orders GROUP BY note ORDER BY count(*) DESC, note LIMIT 5')).rows,
    /** A cursor that fetches FETCH rows at a time. */
    'fetch-size': async (id) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        await client.query(`DECLARE c CURSOR FOR SELECT id FROM orders WHERE id > ${id} ORDER BY id LIMIT 200`);
        let count = 0;
        for (let got = -1; got !== 0; count += got) got = (await client.query(`FETCH ${Number(FETCH)} FROM c`)).rowCount;
        await client.query('COMMIT');
        return count;
      } finally {
        client.release();
      }
    },
    /** A statement that takes long to plan, prepared where MODE is prepared. */
    'prepared-statements': async (id) => {
      const joins = Array.from({ length: 7 }, (_, at) => `JOIN customers c${at} ON c${at}.id = o.customer`).join(' ');
      const text = `SELECT o.id FROM orders o ${joins} WHERE o.id = $1`;
      return (await pool.query({ text, values: [id], ...(MODE === 'prepared' ? { name: 'long' } : {}) })).rows;
    },
    /** A connection of its own for each request, unless MODE is pooled. */
    'connection-per-request': async (id) => {
      const text = 'SELECT name FROM customers WHERE id = $1';
      const values = [id % 5000];
      if (MODE === 'pooled') return (await pool.query(text, values)).rows;
      const client = new Client({ connectionString: DATABASE_URL });
      await client.connect();
      const { rows } = await client.query(text, values);
      await client.end();
      return rows;
    },
    /** Transactions that meet on a few rows: serializable ones are tried again until they succeed. */
    isolation: async (id) => {
      const client = await pool.connect();
      try {
        for (;;) {
          try {
            await client.query(`BEGIN ISOLATION LEVEL ${MODE === 'committed' ? 'READ COMMITTED' : 'SERIALIZABLE'}`);
            await client.query('UPDATE counters SET n = n + 1 WHERE id = $1', [id % 2]);
            await client.query('COMMIT');
            return 1;
          } catch (error) {
            await client.query('ROLLBACK');
            if (error.code !== '40001') throw error;
          }
        }
      } finally {
        client.release();
      }
    },
    /** Events of a kind of one tenant, of which the index knows the tenant alone. */
    'composite-index': async (id) =>
      (await pool.query('SELECT id, at FROM events WHERE tenant = $1 AND kind = $2 ORDER BY at LIMIT 10', [id % 4, id % 500])).rows,
    /** One order by its key. */
    'random-pages': async (id) => (await pool.query('SELECT customer, note FROM orders WHERE id = $1', [id])).rows,
    /** A cache of a fixed size, whose entries live long and are replaced. */
    'node-heap': async () => {
      for (let entry = 0; entry < 10; entry += 1) {
        replaced = (replaced + 7919) % cache.length;
        cache[replaced] = entryOf(replaced);
      }
      return cache.length;
    },
    /** Answers are compressed as far as it goes, unless MODE is fast. */
    compression: async () => zlib.gzipSync(page, { level: MODE === 'fast' ? 1 : 9 }),
  };
  const page = Buffer.from(
    Array.from({ length: 1500 }, (_, index) => `row ${index} of ${(index * 7919) % 1000}, ${'abc'.repeat(index % 7)}`).join('\n'),
  );
  const work = works[PLANT] ?? (async () => 'nothing to do');

  const server = http.createServer(async (request, response) => {
    try {
      const value = request.url === '/' ? null : await work(nextIdOf(request) ?? nextId());
      const isPacked = Buffer.isBuffer(value);
      response.writeHead(200, {
        'Content-Type': isPacked ? 'text/plain' : 'application/json',
        ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
      });
      response.end(isPacked ? value : JSON.stringify({ value }));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
}

function nextIdOf(request) {
  const id = Number(/\/(\d+)$/.exec(request.url)?.[1]);
  return Number.isNaN(id) ? null : id;
}
