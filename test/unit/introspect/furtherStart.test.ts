import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { furtherStart, mayAnswer } from '../../../src/engine/introspect/furtherStart.ts';
import { plainReach } from '../../../src/engine/load/connection.ts';
import { BoundedLog } from '../../../src/engine/supervise/boundedLog.ts';
import type { FoundService } from '../../../src/model/domain/detection.ts';

/** Of no process, so that it never computes. */
const idle = 999_999_999;
const signal = AbortSignal.timeout(60_000);
const service: FoundService = {
  id: 'shop',
  label: 'Shop',
  folder: '.',
  because: '',
  driver: null,
  findings: [],
  questions: [],
  mentions: ['/stop', '/items/:id', '/books'],
};

let server: Server | null = null;
let timer: NodeJS.Timeout | undefined;
afterEach(() => {
  clearInterval(timer);
  server?.close();
});

/** A server that answers with `status`, and what it was asked. */
async function served(status: () => number) {
  const asked: string[] = [];
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.writeHead(status()).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { asked, place: async () => Promise.resolve({ ...plainReach, port }) };
}

describe('a service that listens', () => {
  const routes = mayAnswer(service, [], []);

  it('is waited for while it answers 404 to everything and prints', async () => {
    const startedMs = performance.now();
    const sinceStart = (): number => performance.now() - startedMs;
    const { place } = await served(() => (sinceStart() < 4_000 ? 404 : 200));
    const log = new BoundedLog();
    timer = setInterval(() => log.append('deploying\n'), 100);
    expect(await furtherStart({ pgid: idle, log }, routes, { place, signal })).toBeGreaterThan(3_500);
    expect(sinceStart()).toBeGreaterThan(4_000);
  });

  it('is not waited for where it says nothing more, and looked at again where it answered in the meantime', async () => {
    const never = await served(() => 404);
    const startedMs = performance.now();
    expect(await furtherStart({ pgid: idle, log: new BoundedLog() }, routes, { place: never.place, signal })).toBe(0);
    expect(performance.now() - startedMs).toBeGreaterThan(2_000);
    server?.close();
    const beganMs = performance.now();
    const later = await served(() => (performance.now() - beganMs < 1_000 ? 503 : 200));
    expect(await furtherStart({ pgid: idle, log: new BoundedLog() }, routes, { place: later.place, signal })).toBeGreaterThan(900);
  });

  it('has come up where it refuses one of the routes that it holds, which are asked before those with parameters', async () => {
    const { asked, place } = await served(() => 401);
    const told = [{ method: 'POST', path: '/orders', handler: null }];
    const all = mayAnswer(service, told, [{ method: 'GET', path: '/authors', handler: null }]);
    expect(all.map(({ path }) => path)).toEqual(['/authors', '/books', '/items/:id']);
    expect(await furtherStart({ pgid: idle, log: new BoundedLog() }, all, { place, signal })).toBeNull();
    expect(asked).toEqual(['/authors']);
  });
});
