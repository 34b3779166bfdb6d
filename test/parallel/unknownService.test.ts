import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/domain/target.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

afterAll(removeTemporaryFolders);
const slow = 120_000;

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('unknown');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

interface Said {
  code: number | null;
  out: string;
  said: string;
}

async function benchside(folder: string, ...args: string[]): Promise<Said> {
  return benchsideIn({}, folder, ...args);
}

/** With what else a developer’s shell holds. */
async function benchsideIn(env: Readonly<Record<string, string>>, folder: string, ...args: string[]): Promise<Said> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env, BENCHSIDE_STORAGE: path.join(folder, 'storage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, said: out + err };
}

/** No framework, and nothing that is called as a server is. */
const app = `
import * as web from 'node:http';
const make = web.createServer;
make((request, response) => {
  const known = request.url === '/' || request.url === '/things';
  response.statusCode = known ? 200 : 404;
  response.end(known ? 'here' : 'what?');
})['listen'](Number(process.env.PORT), '127.0.0.1');
`;
const brief = ['--load', 'quick', '--duration', '0.5', '--rounds', '1'];

function declaredIn(folder: string) {
  return workspaceFileSchema.parse(parse(readFileSync(path.join(folder, 'benchside.json'), 'utf8'))).targets;
}

describe('a service of which nothing is known but what starts it', () => {
  it('is found by its npm script, started, declared as it was seen, and measured', { timeout: slow }, async () => {
    const folder = folderOf({
      'package.json': JSON.stringify({ name: 'odd', type: 'module', scripts: { test: 'node --test', start: 'cd lib && node run.js' } }),
      'lib/run.js': app,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toContain('npm run start  (package.json:1: scripts.start)');
    expect(init.said).toMatch(/--target odd\n {2}--vary node=.*\n {2}--vary node\.heap=/);
    expect(init.said).not.toMatch(/--vary (jvm|postgres|rtt)/);
    expect(declaredIn(folder)).toMatchObject([
      {
        id: 'odd',
        runtime: 'node',
        command: ['npm', 'run', 'start'],
        port: { env: 'PORT' },
        ready: { path: '/' },
        routes: [{ path: '/' }, { path: '/things' }],
      },
    ]);
    const run = await benchside(folder, 'run', ...brief);
    expect(run.code, run.said).toBe(0);
    expect(run.said).toMatch(/req(?:uests)?\/s/);
  });

  it.each([
    ['waits for what never comes', '', 'it was not answered within 5 s, nor when it was asked again.'],
    ['closes the connection', 'response.destroy()', 'it got no answer: the connection was closed.'],
  ])('is up where the first of its routes %s, and that route is left out', { timeout: slow, ...slowHalf }, async (_what, does, said) => {
    const folder = folderOf({
      'package.json': JSON.stringify({ name: 'waits', main: 'run.js', dependencies: { express: '5' } }),
      'node_modules/express/package.json': '{}',
      'run.js': `
const app = { get: (path, answer) => (app[path] = answer) };
app.get('/wait', (response) => { ${does} });
app.get('/ads', (response) => response.end('[]'));
require('node:http').createServer((request, response) => {
  const answer = app[request.url] ?? (() => response.writeHead(404).end());
  answer(response);
}).listen(process.env.PORT);`,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toContain(`What does GET /wait need? When it was asked once ${said}`);
    const [declared] = declaredIn(folder);
    expect(declared?.routes.filter(({ weight }) => weight > 0).map((one) => one.path)).toEqual(['/ads']);
    expect(declared?.ready?.path).toBe('/ads');
  });

  it('is the one that a command starts, with the route that it is said to answer', { timeout: slow, ...slowHalf }, async () => {
    const folder = folderOf({ 'one.mjs': app, 'other.mjs': 'console.log("not this one")' });
    const init = await benchside(folder, 'init', '-y', '--route', '/things', '--', 'LEVEL=2', 'node', 'one.mjs', '--quiet');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)).toMatchObject([
      {
        command: ['node', 'one.mjs', '--quiet'],
        env: { LEVEL: '2' },
        routes: [{ path: '/things', weight: 1 }],
        ready: { path: '/things' },
      },
    ]);
  });

  it(
    'has the routes that its process holds, whatever made them, and the port by whatever variable',
    { timeout: slow, ...slowHalf },
    async () => {
      const folder = folderOf({
        'sky.mjs': `
import * as web from 'node:http';
process.env.HOME = process.env.HOME;
class Way { constructor(method, path, handler) { Object.assign(this, { method, path, handler }); } }
const ways = ['stars', 'moons'].map((name) => new Way('GET', '/sky/' + name, () => name));
ways.push(new Way('GET', '/nowhere', null));
const page = { id: '/orbits/[id]', pattern: /^\\/orbits\\/([^/]+)$/ };
web.createServer((request, response) => {
  const way = page.pattern.test(request.url)
    ? { handler: () => page.id }
    : ways.find(({ path, handler }) => path === request.url && handler !== null);
  response.statusCode = way === undefined ? 404 : 200;
  response.end(way === undefined ? '' : way.handler());
}).listen(Number(process.env.SKY_GATE_PORT ?? 4517), '127.0.0.1');
`,
      });
      const init = await benchside(folder, 'init', '-y', '--', 'node', 'sky.mjs');
      expect(init.code, init.said).toBe(0);
      const [declared] = declaredIn(folder);
      expect(declared?.port).toEqual({ env: 'SKY_GATE_PORT' });
      expect(declared?.routes.map(({ path: one }) => one).sort()).toEqual(['/orbits/:id', '/sky/moons', '/sky/stars']);
    },
  );

  it(
    'has the routes that it keeps in tables: where it looks for a path that there is none of, others lie',
    { timeout: slow, ...slowHalf },
    async () => {
      const folder = folderOf({
        'zoo.mjs': `
import { createServer } from 'node:http';
const names = ['api', 'beasts', 'birds'];
const list = { find: () => ['ape'], get: (id) => ({ id }) };
const root = { below: { [names[0]]: { below: { [names[1]]: { list, below: {} }, [names[2]]: { list, below: {} } } } } };
createServer((request, response) => {
  let [node, rest] = [root, request.url.split('/').slice(1)];
  while (rest.length > 0 && node.below[rest[0]] !== undefined) [node, rest] = [node.below[rest[0]], rest.slice(1)];
  const good = node.list !== undefined && rest.length < 2;
  response.statusCode = good ? 200 : 404;
  response.end(good ? JSON.stringify(rest.length === 0 ? node.list.find() : node.list.get(rest[0])) : '');
}).listen(Number(process.env.PORT), '127.0.0.1');
`,
      });
      const calls = folderOf({
        'calls.mjs': `
import { createServer } from 'node:http';
const table = Object.assign(Object.create(null), { ['sum' + 'Up']: () => 3, ['count.' + 'all']: () => 4 });
const desk = { calls: table };
createServer((request, response) => {
  const call = desk.calls[request.url.slice(1)];
  response.statusCode = call === undefined ? 404 : 200;
  response.end(call === undefined ? '' : String(call()));
}).listen(Number(process.env.PORT), '127.0.0.1');
`,
      });
      const nested = await benchside(folder, 'init', '-y', '--', 'node', 'zoo.mjs');
      expect(nested.code, nested.said).toBe(0);
      expect(
        declaredIn(folder)[0]
          ?.routes.map(({ path: one }) => one)
          .sort(),
      ).toEqual(['/api/beasts', '/api/beasts/:id', '/api/birds', '/api/birds/:id']);
      const flat = await benchside(calls, 'init', '-y', '--', 'node', 'calls.mjs');
      expect(flat.code, flat.said).toBe(0);
      expect(
        declaredIn(calls)[0]
          ?.routes.map(({ path: one }) => one)
          .sort(),
      ).toEqual(['/count.all', '/sumUp']);
    },
  );

  it('draws the parameters of a route that only looked like one from the rows that there are', { timeout: slow, ...slowHalf }, async () => {
    const pg = JSON.stringify(path.join(repositoryDir, 'node_modules/pg/lib/index.js'));
    const folder = folderOf({
      'package.json': JSON.stringify({ name: 'towns', scripts: { start: 'node towns.js' } }),
      'node_modules/pg/package.json': '{}',
      'towns.js': `
const { Pool } = require(${pg});
const pool = new Pool({ connectionString: process.env.TOWNS_DB });
const one = { method: 'GET', path: ['', 'towns', ':' + 'townId'].join('/'), handler: async (id) => (await pool.query('select * from towns where id = $1', [id])).rows[0] };
const ways = [one];
pool.query('create table if not exists towns (id int primary key); insert into towns select n from generate_series(400, 420) n on conflict do nothing').then(() =>
  require('node:http').createServer(async (request, response) => {
    const id = /^.towns.(\\d+)$/.exec(request.url)?.[1];
    const row = id === undefined ? undefined : await ways[0].handler(id);
    response.statusCode = row === undefined ? 404 : 200;
    response.end(JSON.stringify(row));
  }).listen(Number(process.env.PORT), '127.0.0.1'),
);
`,
    });
    const shell = { TOWNS_DB: 'postgres://ann:secret@127.0.0.1:1999/live' };
    const init = await benchsideIn(shell, folder, 'init', '-y', '--', 'npm', 'start');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)[0]?.routes).toMatchObject([{ path: '/towns/:townId', parameters: { townId: { min: 400, max: 420 } } }]);
  });

  it(
    'gets its database and its pool by variables of any name, and never sees what the shell names',
    { timeout: slow, ...longTest },
    async () => {
      const pg = JSON.stringify(path.join(repositoryDir, 'node_modules/pg/lib/index.js'));
      const folder = folderOf({
        'package.json': JSON.stringify({ name: 'goods', scripts: { start: 'node goods.js' } }),
        'node_modules/pg/package.json': '{}',
        'goods.js': `
const e = process.env;
const { Pool } = require(${pg});
const pool = new Pool({ host: e.GOODS_AT, port: Number(e.GOODS_DOOR), user: e.GOODS_WHO, password: e.GOODS_WORD, database: e.GOODS_WHICH, max: Number(e.GOODS_WORKERS ?? 4) });
const [one, other] = ['/size', '/none'];
pool.query('select 1').then(() =>
  require('node:http').createServer(async (request, response) => {
    response.statusCode = request.url === one ? 200 : 404;
    response.end(request.url === other ? '' : JSON.stringify((await pool.query('select count(*) from pg_class')).rows));
  }).listen(Number(e.PORT), '127.0.0.1'),
);
`,
      });
      const shell = { GOODS_AT: '127.0.0.1', GOODS_DOOR: '1999', GOODS_WHO: 'ann', GOODS_WORD: 'secret', GOODS_WHICH: 'live' };
      const init = await benchsideIn(shell, folder, 'init', '-y', '--', 'npm', 'start');
      expect(init.code, init.said).toBe(0);
      const [declared] = declaredIn(folder);
      expect(declared?.postgres?.env).toEqual({
        host: 'GOODS_AT',
        port: 'GOODS_DOOR',
        user: 'GOODS_WHO',
        password: 'GOODS_WORD',
        database: 'GOODS_WHICH',
      });
      expect(declared?.settings['pool']).toMatchObject({ env: 'GOODS_WORKERS', default: 4 });
      expect(declared?.routes).toMatchObject([{ path: '/size' }]);
    },
  );

  it('is declared without SQL files that cannot be applied', { timeout: slow, ...longTest }, async () => {
    const pg = JSON.stringify(path.join(repositoryDir, 'node_modules/pg/lib/index.js'));
    const folder = folderOf({
      'package.json': JSON.stringify({ name: 'goods', scripts: { start: 'node goods.js' }, dependencies: { pg: '8', express: '5' } }),
      'node_modules/pg/package.json': '{}',
      'db/schema.sql': 'CREATE TABLE goods (id integer);\nCREATE TABLE more (id integer AUTO_INCREMENT);',
      'goods.js': `
const pool = new (require(${pg}).Pool)({ connectionString: process.env.DATABASE_URL });
pool.query('CREATE TABLE goods (id integer)').then(() =>
  require('node:http').createServer(async (request, response) => {
    response.statusCode = request.url === '/goods' ? 200 : 404;
    response.end(JSON.stringify((await pool.query('select * from goods')).rows));
  }).listen(Number(process.env.PORT), '127.0.0.1'),
);
`,
    });
    const init = await benchside(folder, 'init', '-y', '--', 'npm', 'start');
    expect(init.code, init.said).toBe(0);
    expect(init.said).toContain('Its SQL files cannot be applied; it was started with an empty database. schema.sql, line 2');
    expect(declaredIn(folder)[0]).toMatchObject({ postgres: { sql: [] }, routes: [{ path: '/goods' }] });
  });

  it(
    'which answers nothing well is declared all the same, and the question stands in the file',
    { timeout: slow, ...slowHalf },
    async () => {
      const folder = folderOf({
        'shut.mjs': `import { createServer } from 'node:http'; createServer((_, response) => response.writeHead(401).end()).listen(process.env.PORT, '127.0.0.1');`,
      });
      const init = await benchside(folder, 'init', '-y', '--', 'node', 'shut.mjs');
      expect(init.code, init.said).toBe(0);
      expect(declaredIn(folder)).toMatchObject([{ routes: [{ path: '/' }] }]);
      expect(readFileSync(path.join(folder, 'benchside.json'), 'utf8')).toContain('// To be looked at: Which path does it answer?');
    },
  );

  it('is measured where its routes are answered, and not at a port for health checks', { timeout: slow, ...slowHalf }, async () => {
    const server = (answers: string, variable: string): string => `
await new Promise((listens) => make((request, response) => {
  const known = request.url === '${answers}';
  response.statusCode = known ? 200 : 404;
  response.end(known ? 'here' : 'what?');
})['listen'](Number(process.env.${variable} ?? 0), '127.0.0.1', listens));`;
    const text = `import * as web from 'node:http';\nconst make = web.createServer;`;
    const folder = folderOf({
      'package.json': '{ "name": "two-ports", "type": "module" }',
      'run.js': `${text}${server('/health', 'ADMIN_PORT')}${server('/things', 'SHOP_PORT')}${server('/health', 'PROBES_PORT')}`,
    });
    const init = await benchside(folder, 'init', '-y', '--', 'node', 'run.js');
    expect(init.code, init.said).toBe(0);
    expect(declaredIn(folder)).toMatchObject([{ port: { env: 'SHOP_PORT' }, routes: [{ path: '/things' }] }]);
  });

  it('is not guessed among several: they are listed, and how to name one', { timeout: slow, ...longTest }, async () => {
    const folder = folderOf({
      'package.json': JSON.stringify({ scripts: { api: 'node api.mjs', web: 'node web.mjs' } }),
      'api.mjs': app,
      'web.mjs': app,
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(1);
    expect(init.said).toContain('1  node api.mjs  (package.json:1: scripts.api)');
    expect(init.said).toContain('2  node web.mjs  (package.json:1: scripts.web)');
    expect(init.said).toContain('Name its command: benchside init -- node api.mjs');
    expect(existsSync(path.join(folder, 'benchside.json'))).toBe(false);
    const { found } = JSON.parse((await benchside(folder, 'init', '--json')).out) as { found: { candidates: { file: string }[] } };
    expect(found.candidates).toMatchObject([
      { file: 'package.json', line: 1, what: 'scripts.api' },
      { file: 'package.json', line: 1, what: 'scripts.web' },
    ]);
  });

  it('is not declared where it does not come up: its last words are told, and what to do', { timeout: slow }, async () => {
    const folder = folderOf({
      'one.js': 'console.error("Error: I need a STAR"); console.error("  of: 1,\\n".repeat(25)); process.exit(3);',
    });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(1);
    expect(init.said).toContain('exited with code 3 before it answered. It said: “Error: I need a STAR”.');
    expect(init.said).toMatch(/did not come up\. Look at its last output: .*: benchside init -- NAME=VALUE node one\.js/);
    expect(existsSync(path.join(folder, 'benchside.json'))).toBe(false);
  });

  it(
    'and whose routes are not known either: that it did not come up is said, and what refused it',
    { timeout: slow, ...longTest },
    async () => {
      const folder = folderOf({
        'package.json': JSON.stringify({ name: 'shop', main: 'shop.js', dependencies: { express: '5' } }),
        'node_modules/express/package.json': '{}',
        'shop.js': 'console.error("Error: connect ECONNREFUSED 127.0.0.1:5999"); process.exit(3);',
      });
      const init = await benchside(folder, 'init', '-y');
      expect(init.code, init.said).toBe(1);
      expect(init.said).toContain('exited with code 3 before it answered: its output says that 127.0.0.1:5999 refused a connection.');
      expect(init.said).toContain('shop did not come up. Look at its last output');
      expect(init.said).not.toContain('--route');
    },
  );

  it('is not declared where its program ends without a word, as a library does', { timeout: slow, ...longTest }, async () => {
    const folder = folderOf({ 'package.json': JSON.stringify({ name: 'trim', main: 'trim.js' }), 'trim.js': 'module.exports = String;' });
    const init = await benchside(folder, 'init', '-y');
    expect(init.code, init.said).toBe(1);
    expect(init.said).toContain('trim exited with code 0 before it answered, and printed nothing, as a library or a script does.');
    expect(init.said).toContain('trim did not come up. Name the command that starts a service: benchside init -- COMMAND');
  });

  it('and there is none: what to do is said', { timeout: slow, ...longTest }, async () => {
    const init = await benchside(folderOf({ 'read.me': 'nothing' }), 'init', '-y');
    expect(init.code).toBe(1);
    expect(init.said).toContain('No file here says how a service is started. Name its command: benchside init -- COMMAND');
  });
});
