import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { FoundService } from '../../../src/model/domain/detection.ts';
import type { ParameterRows } from '../../../src/engine/introspect/parameterRows.ts';
import { type ConnectionTarget, plainReach } from '../../../src/engine/load/connection.ts';
import { askedBeside, askEachOnce } from '../../../src/engine/introspect/askedOnce.ts';
import { OwnTime } from '../../../src/engine/observe/ownTime.ts';

const service: FoundService = { id: 'shop', label: 'shop', folder: '.', because: '', driver: null, findings: [], questions: [] };

/** Asks a service that answers some paths well, or with a status. */
async function ofService<T>(answers: (path: string) => boolean | number, work: (at: ConnectionTarget) => Promise<T>): Promise<T> {
  const status = (answer: boolean | number): number => (typeof answer === 'number' ? answer : answer ? 200 : 404);
  const server = createServer(({ url = '' }, response) => void response.writeHead(status(answers(url))).end());
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return await work({ ...plainReach, port: (server.address() as AddressInfo).port });
  } finally {
    server.close();
  }
}

interface Shown {
  paths?: readonly string[];
  words?: readonly string[];
  /** Those of the routes that its framework reports. */
  told?: readonly string[];
}

/** The paths of the routes that are found in a service that answers some well, by what its process shows. */
async function foundIn(answers: (path: string) => boolean | number, shows: Shown): Promise<string[]> {
  return (await besideIn(answers, shows)).found.map(({ route }) => route.path).sort();
}

function besideIn(answers: (path: string) => boolean | number, shows: Shown): ReturnType<typeof askedBeside> {
  return ofService(answers, async (at) => {
    const guessed = (shows.paths ?? []).map((path) => ({ method: 'GET', path, handler: null }));
    const seenInProcess = { guessed, words: shows.words ?? [], lookedUp: () => Promise.resolve([]) };
    const asking = { at, ranges: { known: new Map(), look: () => Promise.resolve() }, signal: AbortSignal.timeout(60_000) };
    const told = (shows.told ?? []).map((path) => ({ method: 'GET', path, handler: null }));
    return askedBeside(service, told, seenInProcess, new Map(), { ...asking, own: new OwnTime(process.pid) });
  });
}

/** What is known of the parameters of GET routes after each was asked for, and which were answered well. */
function askedFor(
  answers: (path: string) => boolean,
  paths: readonly string[],
  own = new OwnTime(process.pid),
): Promise<{ known: Map<string, ParameterRows>; well: string[] }> {
  return ofService(answers, async (at) => {
    const known = new Map<string, ParameterRows>();
    const routes = paths.map((path) => ({ method: 'GET', path, handler: null }));
    const signal = AbortSignal.timeout(60_000);
    const ranges = { known, look: () => Promise.resolve() };
    const asked = await askEachOnce(service, routes, { own, ranges, at, database: null, signal });
    return { known, well: [...asked.answers].flatMap(([name, wrong]) => (wrong === null ? [name] : [])) };
  });
}

describe('numbers in paths of which no column says what they can be', () => {
  it.each([1, 2, 25, 99, 100])('are those up to the last that is answered: %i', async (last) => {
    const answers = (path: string): boolean => Number(/^\/mails\/(\d+)$/.exec(path)?.[1] ?? last + 1) <= last;
    const { known, well } = await askedFor(answers, ['/mails/:id']);
    expect(known.get('/mails/:id id')).toEqual({ of: null, parameter: { min: 1, max: last }, rows: last });
    expect(well).toEqual(['GET /mails/:id']);
  });

  it('stay open where the time for asking ends before the last is known', async () => {
    const answers = (path: string): boolean => Number(/\d+$/.exec(path)?.[0] ?? 26) <= 25;
    // At the beginning, before the route is asked for, before 1 and before 100.
    const spentMs = [0, 0, 0, 0];
    const own = Object.assign(new OwnTime(process.pid), { spentMs: () => spentMs.pop() ?? 60_000 });
    const { known } = await askedFor(answers, ['/mails/:id'], own);
    expect([...known]).toEqual([]);
    expect(spentMs).toEqual([]);
  });

  it('stay open where 1 is not answered, and where there are two', async () => {
    const { known } = await askedFor((path) => path === '/mails/7' || path === '/a/1/b/1', ['/mails/:id', '/a/:x/b/:y']);
    expect([...known]).toEqual([]);
  });
});

describe('paths that a process holds', () => {
  it('are no routes where they are known ones with numbers for parameters', async () => {
    const paths = ['/todos', '/todos/1', '/todos/mine', '/todos/1/notes', '/lists/2/todos/3'];
    const told = ['/todos', '/todos/:id', '/lists/:list/todos/:id'];
    expect(await foundIn((path) => paths.includes(path), { paths, told })).toEqual(['/todos/1/notes', '/todos/mine']);
  });
});

describe('each route, asked once', () => {
  const ranges = { known: new Map(), look: () => Promise.resolve() };
  const routes = ['/at-once', '/late', '/never'].map((path) => ({ method: 'GET', path, handler: null }));

  it('is answered well where it is so the second time, and not where no answer comes', { timeout: 40_000 }, async () => {
    const asked = new Set<string | undefined>();
    const server = createServer(({ url }, response) => {
      if (url === '/at-once' || (url === '/late' && asked.has(url))) response.end();
      asked.add(url);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const at = { ...plainReach, port: (server.address() as AddressInfo).port };
      const context = { own: new OwnTime(process.pid), ranges, at, database: null, signal: AbortSignal.timeout(40_000) };
      const { answers } = await askEachOnce(service, routes, context);
      expect([...answers]).toEqual([
        ['GET /at-once', null],
        ['GET /late', null],
        ['GET /never', { status: null, words: 'was not answered within 5 s, nor when it was asked again' }],
      ]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('shows the clients of the database that there were at any time', async () => {
    const counts = [0, 3, 0, 0, 0, 0];
    const database = { query: () => Promise.resolve({ rows: [{ next: '7', clients: counts.shift() }] }) } as unknown as pg.Client;
    const { clients, writes } = await ofService(
      () => true,
      (at) => askEachOnce(service, routes, { own: new OwnTime(process.pid), ranges, at, database, signal: AbortSignal.timeout(9_000) }),
    );
    expect(clients).toBe(3);
    expect(writes.size).toBe(0);
  });
});

describe('routes that no framework reports', () => {
  it('are joined of a path and of the one below which it is mounted', async () => {
    const answers = (path: string): boolean => ['/orders', '/api/items', '/health'].includes(path) || /^\/orders\/\d+$/.test(path);
    expect(await foundIn(answers, { paths: ['/{id}', '/orders', '/items', '/api', '/health'] })).toEqual([
      '/api/items',
      '/health',
      '/orders',
      '/orders/:id',
    ]);
  });

  it('are none of the path of a known one with another name for its parameter, as a route of another method has it', async () => {
    const answers = (path: string): boolean => path === '/teams' || /^\/members\/\d+$/.test(path);
    expect(
      await foundIn(answers, { told: ['/members/:name'], paths: ['/members/{number}', '/members/:key', '/members/7', '/teams'] }),
    ).toEqual(['/teams']);
  });

  it('are not joined below a page that answers whatever lies below it', async () => {
    const answers = (path: string): boolean => path === '/orders' || path.startsWith('/app');
    expect(await foundIn(answers, { paths: ['/app', '/orders', '/{id}'] })).toEqual(['/app', '/orders']);
  });

  it('are words of the app’s own code, and what is below them, where else it answers only that it is up', async () => {
    const answers = (path: string): boolean => path === '/health' || /^\/countries(\/\d+)?$/.test(path);
    const words = ['select', 'countries', 'name'];
    expect(await foundIn(answers, { paths: ['/health'], words })).toEqual(['/countries', '/countries/:id', '/health']);
    expect(await foundIn((path) => answers(path) || path === '/orders', { paths: ['/orders'], words })).toEqual(['/orders']);
  });

  it('are those that fail by themselves where none is answered well, with what is wrong', async () => {
    const answers = (path: string): number => (/^\/orders(?:\/\d+)?$/.test(path) ? 500 : 404);
    const paths = ['/orders', '/orders/:id', '/items'];
    const { found, failing } = await besideIn(answers, { paths });
    expect(found.map(({ title, route }) => [title, route.weight])).toEqual([
      ['GET /orders', 0],
      ['GET /orders/:id', 0],
    ]);
    expect([...failing].map(([name, { status }]) => [name, status])).toEqual([
      ['GET /orders', 500],
      ['GET /orders/:id', 500],
    ]);
    expect(await foundIn((path) => (path === '/items' ? 200 : answers(path)), { paths })).toEqual(['/items']);
    // Where every path fails, that says of none that it is one.
    expect(await besideIn(() => 500, { paths })).toEqual({ found: [], failing: new Map() });
  });
});
