import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FoundService } from '../../../src/model/domain/detection.ts';
import { plainReach } from '../../../src/engine/load/connection.ts';
import { askedBeside } from '../../../src/engine/introspect/askedOnce.ts';
import { OwnTime } from '../../../src/engine/observe/ownTime.ts';

const service: FoundService = { id: 'shop', label: 'shop', folder: '.', because: '', driver: null, findings: [], questions: [] };

/** The paths of the routes that are found in a service that answers some well, by what its process shows. */
async function foundIn(
  answers: (path: string) => boolean,
  shows: { paths?: readonly string[]; words?: readonly string[] },
): Promise<string[]> {
  const server = createServer(({ url = '' }, response) => void response.writeHead(answers(url) ? 200 : 404).end());
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = { ...plainReach, port: (server.address() as AddressInfo).port };
    const guessed = (shows.paths ?? []).map((path) => ({ method: 'GET', path, handler: null }));
    const seenInProcess = { guessed, words: shows.words ?? [], lookedUp: () => Promise.resolve([]) };
    const asking = { at, ranges: { known: new Map(), look: () => Promise.resolve() }, signal: AbortSignal.timeout(60_000) };
    const found = await askedBeside(service, [], seenInProcess, new Map(), { ...asking, own: new OwnTime(process.pid) });
    return found.map(({ route }) => route.path).sort();
  } finally {
    server.close();
  }
}

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
});
