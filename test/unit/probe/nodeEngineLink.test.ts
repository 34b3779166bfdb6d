import { mkdtempSync, rmSync } from 'node:fs';
import { type Server, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { FromProbe, ToProbe } from '../../../src/model/domain/probe.ts';
import { EngineLink } from '../../../src/probe/node/engineLink.ts';
import { waitFor } from '../../support/waitFor.ts';

const hello: FromProbe = { type: 'hello', protocol: 1, token: 't', runtime: 'node', pid: 1, version: 'v20', main: 'a.js' };
const long: FromProbe = { type: 'applied', answer: 1, ok: false, max: null, effective: null, tookMs: 0, message: 'x'.repeat(200_000) };
const sockets: Socket[] = [];
let server: Server | null = null;

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = null;
});

/** An engine that does with a connection what the test says; on Windows, pipes have names of another kind. */
async function listen(connected: (socket: Socket) => void): Promise<{ connect: { path: string }; token: string }> {
  const listening = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    connected(socket);
  });
  server = listening;
  const file = mkdtempSync(path.join(tmpdir(), 'benchside-link-'));
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(file)}` : path.join(file, 's');
  await new Promise<void>((resolve) => listening.listen(address, resolve));
  listening.on('close', () => rmSync(file, { recursive: true, force: true }));
  return { connect: { path: address }, token: 't' };
}

describe('the connection to the engine', () => {
  it('says hello first, and takes only messages that make sense', async () => {
    let said = '';
    const address = await listen((socket) => {
      socket.setEncoding('utf8').on('data', (text: string) => (said += text));
      const lines = [
        'no JSON',
        'null',
        '{"type":"get"}',
        '{"type":"get","id":1}',
        '{"type":"set","id":2,"what":"pool","poolId":"pg-1","max":0,"timeoutMs":10}',
        '{"type":"set","id":3,"what":"pool","poolId":"pg-1","max":4,"timeoutMs":10,"more":true}',
        '{"type":"lend","id":4,"poolId":"pg-1","limit":0}',
        '{"type":"lend","id":4,"poolId":"pg-1"}',
        '{"type":"lend","id":5,"poolId":"pg-1","limit":2}',
        '{"type":"lend","id":6,"poolId":"pg-1","limit":null}',
      ];
      const text = `${lines.join('\n')}\n`;
      // In two parts, as a stream may come.
      socket.write(text.slice(0, 30));
      socket.write(text.slice(30));
    });
    const received: ToProbe[] = [];
    new EngineLink(
      address,
      hello,
      (message) => received.push(message),
      () => undefined,
    );
    await waitFor(() => received.length === 4 && said !== '');
    expect(JSON.parse(said)).toEqual(hello);
    expect(received).toEqual([
      { type: 'get', id: 1 },
      { type: 'set', id: 3, what: 'pool', poolId: 'pg-1', max: 4, timeoutMs: 10 },
      { type: 'lend', id: 5, poolId: 'pg-1', limit: 2 },
      { type: 'lend', id: 6, poolId: 'pg-1', limit: null },
    ]);
  });

  it('is over when the engine ends it, and nothing is ready after that', async () => {
    const address = await listen((socket) => socket.on('data', () => socket.destroy()));
    let over = false;
    const link = new EngineLink(
      address,
      hello,
      () => undefined,
      () => (over = true),
    );
    await waitFor(() => over);
    expect(link.ready()).toBe(false);
    link.answer(hello);
  });

  it('is made again where the engine did not wait for its hello', async () => {
    let [connections, said] = [0, ''];
    const address = await listen((socket) => {
      connections += 1;
      if (connections === 1) socket.destroy();
      else socket.setEncoding('utf8').on('data', (text: string) => (said += text));
    });
    new EngineLink(
      address,
      hello,
      () => undefined,
      () => undefined,
    );
    await waitFor(() => said !== '');
    expect(JSON.parse(said)).toEqual(hello);
  });

  it('to an engine that reads nothing makes no reports pile up, and is dropped in the end', async () => {
    let connections = 0;
    const address = await listen((socket) => {
      connections += 1;
      socket.pause();
    });
    const link = new EngineLink(
      address,
      hello,
      () => undefined,
      () => undefined,
      100_000,
    );
    await waitFor(() => link.ready());
    // Until what the system keeps for a reader is full.
    for (let sent = 0; link.ready() && sent < 100; sent += 1) link.answer(long);
    expect(link.ready()).toBe(false);
    await waitFor(() => link.ready() && connections === 2, { what: 'it gave up and came again' });
  });
});
