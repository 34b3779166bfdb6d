import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ConnectionTarget, plainReach } from '../../../src/engine/load/connection.ts';
import { askStatus } from '../../../src/engine/targets/askStatus.ts';

const opened: Server[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<ConnectionTarget> {
  const server = createServer(listener);
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { ...plainReach, port: (server.address() as AddressInfo).port };
}

describe('asking a target whether it is ready', () => {
  it('gives the status, and follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const at = await serve((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect(await askStatus(at, '/ready', undefined)).toBe(302);
    expect(asked).toEqual(['/ready']);
  });

  it('does not wait for the end of an answer, nor keep its connection', async () => {
    let closed = (): void => undefined;
    const connectionClosed = new Promise<void>((resolve) => (closed = resolve));
    const at = await serve((request, response) => {
      request.socket.once('close', closed);
      response.writeHead(200).write('it goes on');
    });
    expect(await askStatus(at, '/ready', undefined)).toBe(200);
    await connectionClosed;
  });

  it('says that nobody answers, that somebody is silent, and that somebody speaks otherwise', async () => {
    const gone = await serve((_, response) => response.end());
    await new Promise((resolve) => opened.splice(0)[0]?.close(resolve));
    expect(await askStatus(gone, '/ready', undefined)).toBe('refused');
    expect(await askStatus(await serve(() => undefined), '/ready', undefined)).toBe('late');
    expect(await askStatus(await serve((request) => request.socket.end('220 mail.example ESMTP\r\n')), '/ready', undefined)).toBe('broken');
  });

  it('ends with the reason of who asked', async () => {
    const controller = new AbortController();
    const at = await serve(() => controller.abort(new Error('cancelled')));
    await expect(askStatus(at, '/ready', controller.signal)).rejects.toThrow('cancelled');
  });
});
