import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { plainReach } from '../../../src/engine/load/connection.ts';
import { answered } from '../../../src/engine/introspect/askAround.ts';
import type { ParameterRows, RowRanges } from '../../../src/engine/introspect/parameterRows.ts';

let server: Server | null = null;
afterEach(() => server?.close());

const ids = { min: 7, max: 9 };
const rows: ParameterRows = { table: 'items', column: 'id', parameter: ids, rows: 3 };

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
    const guesses = ['/items/:id', '/items'].map((path) => ({ method: 'GET', path, because: 'seen' }));
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
});
