import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { costsOf } from '../../src/model/domain/routeCount.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine, writeWorkspaceFile } from '../support/engine.ts';
import { shopSchema, shopTarget } from '../support/shopTarget.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 90_000;
/** Somebody's service: some routes do as they should, one asks for each row, one answers before its last statement, and one is disturbed in every third request. */
const service = `const http = require('node:http');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
const handlers = new Map();
const app = {
  get: (path, handler) => handlers.set('GET ' + path, handler),
  post: (path, handler) => handlers.set('POST ' + path, handler),
};
const query = async (sql, values) => (await pool.query(sql, values)).rows;

app.get('/items', () => query('SELECT id, name FROM items WHERE id < 1000 ORDER BY id LIMIT 8'));

app.get('/each', async () => {
  const ids = await query('SELECT id FROM items ORDER BY id LIMIT 5');
  return Promise.all(ids.map(({ id }) => query('SELECT name FROM items WHERE id = $1', [id])));
});

app.get('/items/:id', async (id) => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query('SELECT * FROM items WHERE id = $1', [id]);
    await client.query('COMMIT');
    return rows.length === 0 ? null : rows;
  } finally {
    client.release();
  }
});

app.post('/items', () => query('INSERT INTO items SELECT max(id) + 1000, $1 FROM items', ['new']));

app.get('/late', () => {
  setImmediate(() => query('SELECT count(*) FROM items'));
  return [];
});

let asked = 0;
app.get('/disturbed', async () => {
  asked += 1;
  if (asked % 3 === 2) await query("SELECT 'by a timer'");
  return query('SELECT min(id) FROM items');
});

app.get('/broken', () => query('SELECT nothing FROM nowhere'));

http
  .createServer(async (request, response) => {
    const [, number] = /^\\/items\\/(\\d+)$/.exec(request.url) ?? [];
    const handler = handlers.get(request.method + ' ' + (number === undefined ? request.url : '/items/:id'));
    if (request.url === '/health') return response.end('ready');
    try {
      const answer = await handler(number);
      response.statusCode = answer === null ? 404 : 200;
      response.end(JSON.stringify(answer));
    } catch (error) {
      response.statusCode = 500;
      response.end(String(error));
    }
  })
  .listen(process.env.PORT);
`;
const routes = [
  { path: '/items', budget: { statements: 1, rows: 8 } },
  { path: '/each', budget: { statements: 3 } },
  // Of the ids that are drawn every second is there.
  { path: '/items/:id', parameters: { id: { min: 1, max: 100 } }, budget: { statements: 3, rows: 1 } },
  { method: 'POST', path: '/items' },
  { path: '/late' },
  { path: '/disturbed', budget: { statements: 1 } },
  { path: '/broken' },
];

let workspaceDir: string;
let storageDir: string;
const serverFile = (): string => path.join(workspaceDir, 'server.js');
/** The line that gives a route to the router, from 1. */
const lineOf = (route: string): number => service.slice(0, service.indexOf(`app.get('${route}'`)).split('\n').length;

beforeAll(() => {
  workspaceDir = temporaryFolder('shop');
  storageDir = temporaryFolder('storage');
  writeFileSync(serverFile(), service);
  writeFileSync(path.join(workspaceDir, 'schema.sql'), shopSchema);
  writeFileSync(path.join(workspaceDir, 'package.json'), JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' } }));
  writeWorkspaceFile(workspaceDir, { targets: [{ ...shopTarget, routes }] });
});
afterAll(removeTemporaryFolders);

async function checkRoutes(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), 'check-routes', ...args], {
    cwd: workspaceDir,
    env: { ...process.env, BENCHSIDE_STORAGE: storageDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

describe('benchside check-routes', () => {
  it(
    'counts what one request to each route sends to PostgreSQL, exactly, and fails for those above their budget',
    { timeout: slow },
    async () => {
      const { code, stdout, stderr } = await checkRoutes('--json');
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      const { routes: found } = JSON.parse(stdout) as { routes: Record<string, unknown>[] };
      expect(found.map(({ route, statements, rows, above }) => ({ route, statements, rows, above }))).toEqual([
        { route: 'GET /items', statements: 1, rows: 8, above: [] },
        { route: 'GET /each', statements: 6, rows: 10, above: ['6 statements, budget 3'] },
        { route: 'GET /items/:id', statements: 3, rows: 1, above: [] },
        { route: 'POST /items', statements: 1, rows: 1, above: [] },
        { route: 'GET /late', statements: 1, rows: 1, above: [] },
        { route: 'GET /disturbed', statements: 1, rows: 1, above: [] },
        { route: 'GET /broken', statements: null, rows: null, above: [] },
      ]);
      expect(found[0]).toMatchObject({ target: 'shop', status: 200, problem: null, place: { file: 'server.js', line: lineOf('/items') } });
      expect(found[1]).toMatchObject({ repeated: { sql: 'SELECT name FROM items WHERE id = $1', calls: 5 } });
      expect(found[6]).toMatchObject({ status: 500, problem: 'was answered with 500' });
    },
  );

  it(
    'names the line of the handler, and passes where those that are asked for keep their budget',
    { timeout: slow, ...longTest },
    async () => {
      const failed = await checkRoutes('--route', '/each');
      expect(failed.code).toBe(1);
      expect(failed.stdout.trimEnd().split('\n').at(-1)).toBe(
        `server.js:${lineOf('/each')}: error: GET /each: 6 statements, budget 3; 5 times the same: SELECT name FROM items WHERE id = $1`,
      );
      const passed = await checkRoutes('--route', '/items', '--route', 'GET /items/:id');
      expect({ code: passed.code, stderr: passed.stderr }).toEqual({ code: 0, stderr: '' });
    },
  );
});

describe('a target that was started by hand', () => {
  it('is asked for what is saved now, and for nothing that writes', { timeout: slow, ...slowHalf }, async () => {
    const engine = await TestEngine.start({ workspaceDir, storageDir });
    const count = async () => {
      const { counts } = await engine.request('routes/count', { target: 'shop', routes: ['GET /items', 'POST /items'], of: 'running' });
      return counts.map((one) => ({ route: one.route, ...costsOf(one) }));
    };
    try {
      expect(await count()).toEqual([]);
      await engine.request('target/start', { id: 'shop' });
      expect(await count()).toEqual([{ route: 'GET /items', statements: 1, rows: 8 }]);
      writeFileSync(serverFile(), readFileSync(serverFile(), 'utf8').replace('LIMIT 8', 'LIMIT 5'));
      expect(await count()).toEqual([{ route: 'GET /items', statements: 1, rows: 5 }]);
      const told: string[] = [];
      engine.client.on('routes/counted', ({ target, count: one, asSaved }) => told.push(`${target} ${one.route} ${asSaved}`));
      await engine.request('routes/count', { target: 'shop', routes: ['GET /items/:id', 'GET /items'], of: 'running' });
      // In the order in which they were asked for, each as soon as it was counted.
      expect(told).toEqual(['shop GET /items/:id true', 'shop GET /items true']);
      expect((await engine.catalog()).targets.find(({ id }) => id === 'shop')?.state).toBe('running');
    } finally {
      await engine.dispose();
    }
  });
});
