import { describe, expect, it } from 'vitest';
import { type Finding, type FindingOf, type FoundService, declaredTarget, findingsOf } from '../../../src/model/domain/detection.ts';
import { reconciled, withPoolOfProbe } from '../../../src/engine/introspect/reconcile.ts';
import type { Seen } from '../../../src/engine/introspect/seen.ts';
import type { WrongAnswer } from '../../../src/engine/targets/askRoutes.ts';
import { workspaceText } from '../../../src/model/domain/workspaceText.ts';

function route(because: string, path: string, method: 'GET' | 'POST' = 'GET'): FindingOf<'route'> {
  const parameters = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, { min: 1, max: 100 }]));
  return {
    part: 'route',
    title: `${method} ${path}`,
    because,
    sure: true,
    route: { method, path, weight: method === 'GET' ? 1 : 0, parameters, headers: {} },
  };
}

function service(...findings: Finding[]): FoundService {
  const command: Finding = {
    part: 'command',
    title: 'node a.js',
    because: 'package.json: main',
    sure: true,
    runtime: 'node',
    command: ['node', 'a.js'],
    requires: [],
    requiresCure: null,
  };
  return { id: 'shop', label: 'shop', folder: '.', because: 'express', driver: 'pg', findings: [command, ...findings], questions: [] };
}

function seen(what: Partial<Seen>): Seen {
  return {
    given: 4000,
    port: 4000,
    routes: [],
    variables: [],
    named: [],
    led: [],
    properties: [],
    tried: {},
    pools: [],
    threads: [],
    connections: null,
    isMeant: false,
    byProbe: false,
    refused: null,
    login: null,
    libpq: false,
    answers: new Map(),
    writes: new Set(),
    asked: [],
    ranges: new Map(),
    startUpMs: 400,
    probed: true,
    ...what,
  };
}

const pool: Finding = {
  part: 'setting',
  title: 'pool size from PG_MAX',
  because: 'a.js:5 reads PG_MAX',
  sure: true,
  name: 'pool',
  spec: { kind: 'number', label: 'Pool size', min: 1, max: 256, default: 10, env: 'PG_MAX' },
};
const address: Finding = {
  part: 'postgres',
  title: 'DATABASE_URL',
  because: 'a.js:4 reads DATABASE_URL',
  sure: true,
  env: { url: 'DATABASE_URL' },
};

function routesOf(found: FoundService): string[] {
  return findingsOf(found.findings, 'route').map((one) => `${one.title} (${one.because})`);
}

function questionsOf({ questions }: FoundService, part: 'postgres' | 'setting'): string[] {
  return questions.flatMap((one) => (one.part === part ? [one.text] : []));
}

describe('what files say, with what was seen when it ran', () => {
  it('marks a GET that wrote to the database when it was asked once, and no other', () => {
    const answers = new Map([
      ['GET /visit', null],
      ['GET /look', null],
    ]);
    const { service: found } = reconciled(
      service(route('a.js:1', '/visit'), route('a.js:2', '/look')),
      seen({ answers, writes: new Set(['GET /visit']) }),
    );
    expect(findingsOf(found.findings, 'route').map(({ title, sure }) => [title, sure])).toEqual([
      ['GET /visit', false],
      ['GET /look', true],
    ]);
    expect(routesOf(found)[0]).toContain('it wrote to the database then');
  });

  it('keeps what fails by itself out of the mix, and asks what it needs, with the place that refused a connection', () => {
    const failing = { ...route('a.js:1', '/orders'), because: 'seen when it ran', seen: true };
    const asked = [{ ...failing, route: { ...failing.route, weight: 0 } }];
    const answers = new Map([['GET /orders', { status: 500, words: 'was answered with 500' }]]);
    const { service: found } = reconciled(
      service(address),
      seen({ asked, answers, connections: 0, refused: 'localhost:5432 refused a connection' }),
    );
    expect(findingsOf(found.findings, 'route')).toMatchObject([
      {
        title: 'GET /orders',
        sure: false,
        because: 'seen when it ran; left out of the mix: when it was asked once it was answered with 500',
      },
    ]);
    expect(found.questions.map(({ text }) => text)).toEqual([
      'Which path does it answer? Nothing that it was asked for was answered well.',
      'Which variable holds the address of its database? It was given one by DATABASE_URL, and it opened no connection. Its output says that localhost:5432 refused a connection.',
      'What does GET /orders need? When it was asked once it was answered with 500.',
    ]);
  });

  it('takes a pool for the given database that opened no connection, as where all routes want a sign-in', () => {
    const answers = new Map([['GET /me', { status: 401, words: 'was answered with 401' }]]);
    const me = route('a.js:1', '/me');
    const what = { answers, connections: 0, isMeant: true };
    const { service: found } = reconciled(service(address, me), seen(what));
    expect(findingsOf(found.findings, 'postgres')).toMatchObject([{ env: { url: 'DATABASE_URL' }, sure: true, seen: true }]);
    expect(questionsOf(found, 'postgres')).toEqual([]);
    expect(found.questions[0]?.text).toMatch(
      /^Which path does it answer\?.* Refused without a sign-in: GET \/me\. Sign in as a client does/,
    );
    const led = reconciled(service(me), seen({ ...what, libpq: true, byProbe: true })).service;
    expect(findingsOf(led.findings, 'postgres')).toMatchObject([{ env: {}, probe: true, sure: true }]);
    expect(questionsOf(reconciled(service(address, me), seen({ ...what, isMeant: false })).service, 'postgres')).toHaveLength(1);
  });

  it('names what may write, and was not asked, where nothing is answered well', () => {
    const post = { ...route('a.js:1', '/urls'), title: 'POST /urls' };
    const writing: FindingOf<'route'> = { ...post, route: { ...post.route, method: 'POST', weight: 0 } };
    expect(reconciled(service(writing), seen({})).service.questions.map(({ text }) => text)).toEqual([
      'Which path does it answer? Nothing that it was asked for was answered well. POST /urls may write, and was not asked: give one the “body” that it expects.',
    ]);
  });

  it('takes a query that was answered for a POST of which only the path is known', () => {
    const query: Finding = {
      part: 'route',
      title: 'POST /graphql',
      because: 'it answers a GraphQL query there',
      sure: false,
      seen: true,
      route: { method: 'POST', path: '/graphql', weight: 1, parameters: {}, headers: {}, body: '{"query":"{ __typename }"}' },
    };
    const refused = { status: 400, words: 'was answered with 400: Missing query' };
    const { service: found } = reconciled(
      service(route('r.js:1', '/graphql', 'POST'), route('r.js:2', '/graphql')),
      seen({ asked: [query as Seen['asked'][number]], answers: new Map([['GET /graphql', refused]]) }),
    );
    expect(findingsOf(found.findings, 'route').map(({ route: { method, weight, body } }) => [method, weight, body])).toEqual([
      ['POST', 1, '{"query":"{ __typename }"}'],
    ]);
    expect(found.questions.filter(({ part }) => part === 'route')).toEqual([]);
  });

  it('puts the routes of a file under the prefix that the framework has them at', () => {
    const written = service(route('r.js:1', '/'), route('r.js:2', '/:id'), route('r.js:3', '/', 'POST'));
    const { service: found, remarks } = reconciled(
      written,
      seen({
        routes: [
          { method: 'get', path: '/v1/orders/', handler: null },
          { method: 'get', path: '/v1/orders/:orderId(\\d+)', handler: null },
          { method: 'post', path: '/v1/orders', handler: null },
        ],
      }),
    );
    expect(routesOf(found)).toEqual([
      'GET /v1/orders (r.js:1; seen when it ran)',
      'GET /v1/orders/:orderId (r.js:2; seen when it ran)',
      'POST /v1/orders (r.js:3; seen when it ran)',
    ]);
    expect(remarks).toEqual([]);
  });

  it('keeps the path that the files have where a class of the same name has less of it in the process', () => {
    const written = (path: string, file: string): Finding => ({
      part: 'route',
      title: `GET ${path}`,
      because: `src/main/java/shop/${file}:7`,
      sure: true,
      route: { method: 'GET', path, weight: 1, parameters: {}, headers: {} },
    });
    const findings = [written('/myapp/items', 'Items.java'), written('/myapp/stock', 'Stock.java')];
    const routes = ['items', 'stock'].map((name) => ({ method: 'GET', path: `/${name}`, handler: 'Items.all' }));
    const { service: found } = reconciled(service(...findings), seen({ routes }));
    expect(findingsOf(found.findings, 'route').map(({ title, seen: isSeen }) => [title, isSeen])).toEqual([
      ['GET /myapp/items', true],
      ['GET /stock', true],
    ]);
  });

  it('puts a route where its file is mounted, also where another file has one at that path', () => {
    const found = service(route('items/index.js:4', '/'), route('items/index.js:9', '/:id'), route('root.js:4', '/'));
    const routes = ['/', '/items', '/items/:id'].map((path) => ({ method: 'GET', path, handler: null }));
    const known = findingsOf(reconciled(found, seen({ routes })).service.findings, 'route');
    expect(known.map(({ title, because }) => [title, because.split(';')[0]])).toEqual([
      ['GET /items', 'items/index.js:4'],
      ['GET /items/:id', 'items/index.js:9'],
      ['GET /', 'root.js:4'],
    ]);
  });

  it('keeps a path that one of the framework’s routes with parameters stands for', () => {
    const found = service(route('as it was given', '/orders/7', 'POST'), route('as it was given', '/orders/7/lines', 'POST'));
    const { service: kept, remarks } = reconciled(found, seen({ routes: [{ method: 'POST', path: '/orders/:id', handler: null }] }));
    expect(routesOf(kept)).toContain('POST /orders/7 (as it was given)');
    expect(remarks).toEqual(['POST /orders/7/lines stands in as it was given, but the app that ran has no such route at that path.']);
  });

  it('lists what only the framework knows, and drops what it has not and the app does not answer', () => {
    const { service: found, remarks } = reconciled(
      service(route('old.js:1', '/old')),
      seen({
        routes: [{ method: 'GET', path: '/new', handler: 'Shop.list' }],
        answers: new Map([['GET /old', { status: 404, words: 'was answered with 404' }]]),
      }),
    );
    expect(routesOf(found)).toEqual(['GET /new (seen when it ran, answered by Shop.list)']);
    expect(remarks).toEqual(['GET /old stands in old.js:1, but the app that ran has no such route at that path.']);
  });

  it('confirms the ends of routes that lie below a mount point that the framework does not keep', () => {
    const { service: found } = reconciled(
      service(route('r.js:1', '/a/:id')),
      seen({ routes: [{ method: 'get', path: '*/:id', handler: null }] }),
    );
    expect(routesOf(found)).toEqual(['GET /a/:id (r.js:1; seen when it ran)']);
  });

  it('leaves a route that is answered badly out of the mix, and asks what it needs', () => {
    const { service: found } = reconciled(
      service(route('r.js:1', '/mine'), route('r.js:2', '/all')),
      seen({
        answers: new Map([
          ['GET /mine', { status: 401, words: 'was answered with 401: <b>who</b> are you?' }],
          ['GET /all', null],
        ]),
      }),
    );
    expect(findingsOf(found.findings, 'route').map((one) => [one.title, one.route.weight])).toEqual([
      ['GET /all', 1],
      ['GET /mine', 0],
    ]);
    expect(found.questions.map(({ text }) => text)).toEqual([
      'What does GET /mine need? When it was asked once it was answered with 401: who are you?',
    ]);
    expect(findingsOf(found.findings, 'ready')[0]).toMatchObject({ path: '/all', seen: true });
  });

  it('leaves routes that only say that it is up out of the mix, wherever they lie, unless there are no others', () => {
    const paths = ['/crm/actuator/health', '/q/health/ready', '/internal/healthcheck', '/readyz'];
    const mixOf = (all: readonly string[]): string[] => {
      const routes = all.map((path) => ({ method: 'GET', path, handler: null }));
      const { service: found } = reconciled(service(), seen({ routes, answers: new Map(all.map((path) => [`GET ${path}`, null])) }));
      return findingsOf(found.findings, 'route').flatMap(({ route: { path, weight } }) => (weight > 0 ? [path] : []));
    };
    expect(mixOf([...paths, '/orders/status', '/healthy-food', '/api/pets/health/records'])).toEqual([
      '/orders/status',
      '/healthy-food',
      '/api/pets/health/records',
    ]);
    expect(mixOf(paths)).toEqual(paths);
  });

  it('leaves what a library answers out of the mix, and says so, unless the app itself answers nothing', () => {
    const mixOf = (...routes: Seen['routes']): [string, number, boolean][] => {
      const answers = new Map(routes.map(({ path }) => [`GET ${path}`, null]));
      const { service: found } = reconciled(service(), seen({ routes, answers }));
      return findingsOf(found.findings, 'route').map(({ route: { path, weight }, because }) => [
        path,
        weight,
        because.includes('a library'),
      ]);
    };
    const library = { method: 'GET', path: '/v3/api-docs', handler: null, own: false };
    const own = { method: 'GET', path: '/orders', handler: null, own: true };
    const unknown = { method: 'GET', path: '/old', handler: null };
    expect(mixOf(library, own, unknown)).toEqual([
      ['/orders', 1, false],
      ['/old', 1, false],
      ['/v3/api-docs', 0, true],
    ]);
    expect(mixOf(library)).toEqual([['/v3/api-docs', 1, false]]);
  });

  it('fills a parameter from a column of the database, and says where numbers are missing', () => {
    const range = { of: { table: 'orders', column: 'id' }, parameter: { min: 10, max: 19 }, rows: 10 };
    const at = (rows: number) =>
      reconciled(
        service(route('r.js:1', '/orders/:id')),
        seen({ answers: new Map([['GET /orders/:id', null]]), ranges: new Map([['/orders/:id id', { ...range, rows }]]) }),
      ).service;
    const [whole] = findingsOf(at(10).findings, 'route');
    expect(whole).toMatchObject({ sure: true, route: { parameters: { id: { min: 10, max: 19 } } } });
    expect(whole?.because).toContain(':id from orders.id, 10 to 19');
    expect(at(10).questions).toEqual([]);
    expect(at(7).questions.map(({ text }) => text)).toEqual([
      'Of the 10 numbers that :id of GET /orders/:id is drawn from, 7 exist in orders.id: is a 404 an answer to measure?',
    ]);
    expect(findingsOf(at(7).findings, 'route')[0]?.sure).toBe(false);
  });

  it('fills a parameter with texts where its column holds them, and is ready by the first', () => {
    const rows = { of: { table: 'authors', column: 'slug' }, parameter: { values: ['a b', 'c'] }, rows: 7 };
    const found = reconciled(
      service(route('r.js:1', '/authors/:slug')),
      seen({ answers: new Map([['GET /authors/:slug', null]]), ranges: new Map([['/authors/:slug slug', rows]]) }),
    ).service;
    const [only] = findingsOf(found.findings, 'route');
    expect(only).toMatchObject({ sure: true, route: { parameters: { slug: { values: ['a b', 'c'] } } } });
    expect(only?.because).toContain(':slug from authors.slug, 2 of its values');
    expect(found.questions).toEqual([]);
    expect(findingsOf(found.findings, 'ready')[0]).toMatchObject({ path: '/authors/a%20b' });
  });

  it('asks for the files of its tables only where it answers with an error of its own, or nothing', () => {
    const asked = { part: 'sql' as const, text: 'Which SQL files make its tables?' };
    const open = (answer: WrongAnswer | null): string[] =>
      reconciled(
        { ...service(route('r.js:1', '/orders')), questions: [asked] },
        seen({ answers: new Map([['GET /orders', answer]]) }),
      ).service.questions.flatMap(({ part, text }) => (part === 'sql' ? [text] : []));
    expect(open(null)).toEqual([]);
    expect(open({ status: 401, words: 'was answered with 401' })).toEqual([asked.text]);
    expect(open({ status: 500, words: 'was answered with 500' })).toEqual([asked.text]);
  });

  it('repeats the words of a page that is an answer as a reader of the page has them', () => {
    const page =
      'was answered with 500: <pre>Error: relation &quot;orders&quot; does not exist<br> &nbsp;at &lt;anonymous&gt; &amp;x;</pre>';
    const found = reconciled(
      service(route('r.js:1', '/orders')),
      seen({ answers: new Map([['GET /orders', { status: 500, words: page }]]) }),
    ).service;
    expect(found.questions.map(({ text }) => text).join('\n')).toContain('Error: relation "orders" does not exist at <anonymous> &x;');
  });

  it('keeps a variable for the pool only when the pool had the size that it was given', () => {
    const size = (max: number) =>
      reconciled(service(pool), seen({ tried: { pool: 13 }, pools: [{ kind: 'pg', name: 'shop', max, total: 1, resizable: false }] }))
        .service;
    expect(findingsOf(size(13).findings, 'setting')[0]?.because).toBe(
      'a.js:5 reads PG_MAX; seen when it ran: the pool of pg was 13 when it was 13',
    );
    expect(findingsOf(size(10).findings, 'setting')).toEqual([]);
    expect(questionsOf(size(10), 'setting')).toEqual([
      'Which variable sets the size of its pool? PG_MAX does not: that of pg had 10 when it was 13.',
    ]);
  });

  it('declares the pool that the probe can change where no variable is known to size it, and asks for none then', () => {
    const asked = {
      ...service(),
      questions: [{ part: 'setting' as const, setting: 'pool' as const, text: 'Which variable sets the size of its pool?' }],
    };
    const only = { kind: 'pg', name: 'shop', max: 20, total: 1, resizable: true };
    const of = (pools: Seen['pools'], probed = true): FoundService => withPoolOfProbe(asked, { probed, pools });
    expect(findingsOf(of([only]).findings, 'setting')).toMatchObject([
      {
        name: 'pool',
        sure: true,
        because: 'no variable is known to set it; seen when it ran: the pool of pg was 20, and the probe can change it',
        spec: { default: 20, live: 'pool' },
      },
    ]);
    expect(of([only]).questions).toEqual([]);
    // Which of two is meant nobody knows; what cannot be changed is none.
    for (const other of [of([only, { ...only, name: 'reports' }]), of([{ ...only, resizable: false }]), of([only], false), of([])])
      expect(other).toBe(asked);
    const read = { ...asked, findings: [pool] };
    expect(withPoolOfProbe(read, { probed: true, pools: [only] })).toBe(read);
  });

  it('declares the variables of a database’s address only when it did not connect to another one', () => {
    const connected = (connections: number, total: number) =>
      reconciled(
        service(address),
        seen({ connections, pools: [{ kind: 'pg', name: 'prod at db.example:5432', max: 10, total, resizable: false }] }),
      ).service;
    expect(findingsOf(connected(2, 2).findings, 'postgres')[0]).toMatchObject({ seen: true, sure: true });
    expect(findingsOf(connected(0, 0).findings, 'postgres')[0]).toMatchObject({ sure: false });
    expect(findingsOf(connected(0, 3).findings, 'postgres')).toEqual([]);
    expect(questionsOf(connected(0, 3), 'postgres')).toEqual([
      'Which variable holds the address of its database? It was given one by DATABASE_URL, and it connected to prod at db.example:5432.',
    ]);
  });

  it('takes what libpq’s variables do only for an app that connected by them', () => {
    expect(findingsOf(reconciled(service(), seen({ libpq: true, connections: 1 })).service.findings, 'postgres')[0]?.env).toMatchObject({
      host: 'PGHOST',
    });
    expect(findingsOf(reconciled(service(), seen({ libpq: true, connections: 0 })).service.findings, 'postgres')).toEqual([]);
    const led = [{ host: 'localhost', port: 5432, database: 'shop', led: true }];
    const byProbe = reconciled(service(), seen({ libpq: true, led, connections: 1 })).service;
    expect(findingsOf(byProbe.findings, 'postgres')[0]).toMatchObject({
      env: {},
      probe: true,
      because: expect.stringContaining('it names shop at localhost:5432, and the probe leads it elsewhere') as string,
    });
    expect(declaredTarget(byProbe, byProbe.findings)?.postgres).toEqual({ probe: true, database: 'shop', sql: [] });
  });

  it('does not say that a port is fixed while a variable for it was not tried', () => {
    const read = (name: string) => ({ name, value: null, place: 'Main.scala:3' });
    const of = (name: string) =>
      findingsOf(reconciled(service(), seen({ port: 3000, variables: [read(name)] })).service.findings, 'port')[0];
    expect(of('SHOP_HTTP_PORT')).toMatchObject({
      title: 'port 3000',
      sure: false,
      because: expect.stringContaining('SHOP_HTTP_PORT may set'),
    });
    expect(of('PGPORT')).toMatchObject({ title: 'always port 3000', sure: true });
  });

  it('says that a port is fixed when the app listens elsewhere than it was told', () => {
    const [fixed] = findingsOf(reconciled(service(), seen({ port: 3000 })).service.findings, 'port');
    expect(fixed).toMatchObject({ port: { fixed: 3000 }, because: 'seen when it ran: it listens there, whatever port it is given' });
  });

  it('gives a service that starts slowly four times as long, and one that does not no more than usual', () => {
    const answers = new Map([['GET /all', null]]);
    const timeoutOf = (startUpMs: number): number | undefined => {
      const { service: found } = reconciled(service(route('r.js:1', '/all')), seen({ answers, startUpMs }));
      return declaredTarget(found, found.findings)?.ready?.timeoutMs;
    };
    expect(timeoutOf(3_000)).toBeUndefined();
    expect(timeoutOf(31_000)).toBe(130_000);
    expect(timeoutOf(400_000)).toBe(600_000);
  });

  it('writes beside each part how it is known', () => {
    const { service: found } = reconciled(
      service(address, route('r.js:1', '/a')),
      seen({ connections: 1, answers: new Map([['GET /a', null]]) }),
    );
    const text = workspaceText([{ service: found, findings: found.findings }]);
    for (const comment of [
      'package.json: main; it came up',
      'r.js:1; answered well when it was asked once',
      'it connected to the database that it was given',
    ])
      expect(text).toContain(comment);
  });
});
