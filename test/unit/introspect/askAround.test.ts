import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { plainReach } from '../../../src/engine/load/connection.ts';
import { answered, askAround, graphqlRoutes } from '../../../src/engine/introspect/askAround.ts';
import { wrongAnswer } from '../../../src/engine/targets/askRoutes.ts';
import { firstAnswer } from '../../../src/engine/targets/firstAnswer.ts';
import type { ParameterRows, RowRanges } from '../../../src/engine/introspect/parameterRows.ts';

let server: Server | null = null;
afterEach(() => server?.close());

const ids = { min: 7, max: 9 };
const rows: ParameterRows = { of: { table: 'items', column: 'id' }, parameter: ids, rows: 3 };

/** A service that makes its table at the first request, and has rows 7 to 9. */
async function lazyService(): Promise<{ port: number; ranges: RowRanges }> {
  let made = false;
  server = createServer((request, response) => {
    made = true;
    const id = /^\/items\/(\d+)$/.exec(request.url ?? '')?.[1];
    const isThere = id === undefined ? request.url === '/items' : Number(id) >= ids.min && Number(id) <= ids.max;
    response.writeHead(isThere ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const known = new Map<string, ParameterRows>();
  const look = async (paths: readonly string[]): Promise<void> => {
    if (made) for (const path of paths) known.set(`${path} id`, rows);
    return Promise.resolve();
  };
  return { port: (server.address() as AddressInfo).port, ranges: { known, look } };
}

describe('what a service answers', () => {
  it('is drawn from the rows of tables that it makes at its first request', async () => {
    const { port, ranges } = await lazyService();
    const guesses = ['/items/:id', '/items'].map((path) => ({ path, because: 'seen' }));
    const found = await answered(guesses, {
      at: { ...plainReach, port },
      ranges,
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    });
    expect(found.map(({ route }) => [route.path, route.parameters])).toEqual([
      ['/items', {}],
      ['/items/:id', { id: { min: 7, max: 9 } }],
    ]);
  });

  it('is no redirect, and no part of the pages that a build wrote', async () => {
    server = createServer(({ url = '' }, response) => {
      if (url === '/account') return void response.writeHead(302, { Location: 'http://127.0.0.1:80/login' }).end();
      const type = url.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/html';
      response.writeHead(200, { 'Content-Type': type, ...(url === '/a1b2.br' ? { 'Cache-Control': 'public, immutable' } : {}) }).end('x');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const at = { ...plainReach, port: (server.address() as AddressInfo).port };
    const guesses = ['/account', '/app.js', '/a1b2.br', '/books'].map((path) => ({ path, because: 'linked' }));
    const asking = {
      at,
      ranges: { known: new Map(), look: async () => undefined },
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    };
    expect((await answered(guesses, asking)).map(({ route }) => route.path)).toEqual(['/books']);
    const request = { method: 'GET' as const, path: '/account', headers: {}, weight: 1, parameters: {} };
    const wrong = async (path: string) => wrongAnswer(await firstAnswer(at, { ...request, path }, undefined));
    expect(await wrong('/account')).toEqual({ status: 302, words: 'was redirected to /login (302)' });
    expect(await wrong('/books')).toBeNull();
    expect(await graphqlRoutes(asking, [])).toEqual([]);
  });

  it('is asked for with the number that was answered well, where nothing else says which exist', async () => {
    server = createServer(({ url = '' }, response) => void response.writeHead(Number(url.split('/')[2]) > 20 ? 200 : 404).end());
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const [found] = await answered([{ path: '/quotes/:id', because: 'seen' }], {
      at: { ...plainReach, port: (server.address() as AddressInfo).port },
      ranges: { known: new Map(), look: async () => undefined },
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    });
    const id = found?.route.parameters['id'];
    expect(id).toMatchObject({ min: expect.any(Number) as number });
    if (id === undefined || !('min' in id)) throw new Error('no number');
    expect([id.max, id.min > 20, found?.sure]).toEqual([id.min, true, false]);
  });

  it('is a GraphQL query, wherever one of the usual places answers it', async () => {
    server = createServer(({ url, method }, response) => {
      const isThere = method === 'POST' && url === '/api/graphql';
      response.writeHead(isThere ? 200 : 404, { 'Content-Type': 'application/json' }).end('{"data":{"__typename":"Query"}}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const at = { ...plainReach, port: (server.address() as AddressInfo).port };
    const asking = {
      at,
      ranges: { known: new Map(), look: async () => undefined },
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    };
    expect((await graphqlRoutes(asking, [])).map(({ title, sure }) => [title, sure])).toEqual([['POST /api/graphql', false]]);
  });

  it('is a GraphQL query at each mount that answers one by GET, and nothing is posted to any other', async () => {
    const posted: string[] = [];
    server = createServer(({ url = '', method, headers }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
      if (method === 'POST') posted.push(pathname);
      const isOne = ['/shop', '/office'].includes(pathname);
      // As Apollo’s guard against forms of other sites.
      const isAsked = method === 'POST' || (searchParams.has('query') && headers['content-type'] === 'application/json');
      const status = isOne ? (isAsked ? 200 : 400) : pathname === '/orders' ? 200 : 404;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(isOne ? '{"data":{"__typename":"Query"}}' : '{}');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const asking = {
      at: { ...plainReach, port: (server.address() as AddressInfo).port },
      ranges: { known: new Map(), look: async () => undefined },
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    };
    const found = await graphqlRoutes(asking, ['/shop', '/orders', '/shop', '/office', '/files/*', '/logout']);
    expect(found.map(({ title }) => title)).toEqual(['POST /shop', 'POST /office']);
    expect(posted).not.toContain('/orders');
  });

  it('is one route of what its first page links to with many numbers', async () => {
    server = createServer((request, response) => {
      const links = [3, 4, 9].map((id) => `<a href="/items/${id}">`).join('');
      const isThere = request.url === '/' || /^\/items\/[3-9]$/.test(request.url ?? '');
      response.writeHead(isThere ? 200 : 404).end(request.url === '/' ? links : '');
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const found = await askAround({
      at: { ...plainReach, port: (server.address() as AddressInfo).port },
      ranges: { known: new Map(), look: async () => Promise.resolve() },
      isOver: () => false,
      signal: AbortSignal.timeout(60_000),
    });
    expect(found.map(({ route, sure }) => [route.path, route.parameters, sure])).toEqual([
      ['/', {}, true],
      ['/items/:id', { id: { min: 3, max: 9 } }, false],
    ]);
  });
});
