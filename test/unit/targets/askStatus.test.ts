import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { askStatus } from '../../../src/engine/targets/askStatus.ts';

const opened: Server[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ready`;
}

describe('asking a target whether it is ready', () => {
  it('gives the status, and follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await askStatus(url, undefined)).toBe(302);
    expect(asked).toEqual(['/ready']);
  });

  it('does not wait for the end of an answer, nor keep its connection', async () => {
    let closed = (): void => undefined;
    const connectionClosed = new Promise<void>((resolve) => (closed = resolve));
    const url = await serve((request, response) => {
      request.socket.once('close', closed);
      response.writeHead(200).write('it goes on');
    });
    expect(await askStatus(url, undefined)).toBe(200);
    await connectionClosed;
  });

  it('says in words that nobody answers, and that somebody is silent', async () => {
    const gone = await serve((_, response) => response.end());
    await new Promise((resolve) => opened.splice(0)[0]?.close(resolve));
    expect(await askStatus(gone, undefined)).toBe('it did not answer');
    expect(await askStatus(await serve(() => undefined), undefined)).toBe('it accepted the connection and did not answer within 2 s');
    expect(await askStatus('http://127.0.0.1:1/a b\u0000', undefined)).toBe('it did not answer');
  });

  it('ends with the reason of who asked', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort(new Error('cancelled')));
    await expect(askStatus(url, controller.signal)).rejects.toThrow('cancelled');
  });
});
