import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { untilReady } from '../../../src/engine/targets/readiness.ts';
import { declared } from '../../support/declaredTarget.ts';

let server: Server | null = null;
afterEach(() => server?.close());

/** Answers with these statuses, one after the other, the last one for ever. @returns how often it was asked until the target was ready */
async function askedUntilReady(statuses: readonly number[], method: 'GET' | 'POST'): Promise<number> {
  let asked = 0;
  server = createServer((_request, response) => {
    response.writeHead(statuses[Math.min(asked, statuses.length - 1)] ?? 500).end();
    asked += 1;
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const target = declared('service', { routes: [{ method, path: '/graphql' }], ready: { path: '/graphql' } });
  await untilReady(target, (server.address() as AddressInfo).port, AbortSignal.timeout(10_000));
  return asked;
}

describe('a target is ready', () => {
  it.each([400, 401, 405])('when a GET is answered with %i, where it is asked by other methods alone', async (status) => {
    expect(await askedUntilReady([503, 404, status], 'POST')).toBe(3);
  });

  it('when it has answered 404 for a while, where it is asked by other methods alone', async () => {
    expect(await askedUntilReady([404], 'POST')).toBeGreaterThan(3);
  });

  it('when a GET that it takes is answered well, and not before', async () => {
    expect(await askedUntilReady([503, 400, 200], 'GET')).toBe(3);
  });
});
