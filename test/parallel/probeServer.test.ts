import { existsSync, statSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyDurations, probeProtocolVersion } from '../../src/model/domain/probe.ts';
import { ProbeServer } from '../../src/engine/probe/probeServer.ts';

let server: ProbeServer;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = await ProbeServer.start();
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

const report = {
  timeUs: 1,
  pools: [],
  threadPools: [],
  eventLoop: null,
  gc: null,
  heap: null,
  http: null,
  threads: 3,
  resources: null,
  notes: [],
};

/** A connection to the server's address, the lines that come over it, and whether it was closed. */
function dial(address: string): { socket: Socket; lines: string[]; closed: Promise<void> } {
  const socket = connect(address.replace(/^unix:/, ''));
  sockets.push(socket);
  const lines: string[] = [];
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => lines.push(...text.split('\n').filter((line) => line !== '')));
  socket.on('error', () => undefined);
  return { socket, lines, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
}

function hello(token: string, pid = 4242): string {
  return `${JSON.stringify({ type: 'hello', protocol: probeProtocolVersion, token, runtime: 'node', pid, version: 'v20.0.0', main: 'app.js' })}\n`;
}

describe('the engine’s end of the probes’ channel', () => {
  it('hands over the inspector session that it asked a probe for, once, and turns away who shows another token', async () => {
    const group = server.expect();
    const address = group.env['BENCHSIDE_PROBE_ADDRESS'] ?? '';
    const { socket, lines } = dial(address);
    socket.write(hello(group.env['BENCHSIDE_PROBE_TOKEN'] ?? ''));
    const session = await group.attached(5_000);
    const asked = session?.inspect();
    await expect.poll(() => lines.length).toBe(1);
    const { id, type, token } = JSON.parse(lines[0] ?? '{}') as { id: number; type: string; token: string };
    expect(type).toBe('inspect');
    const first = (shown: string): string => `${JSON.stringify({ type: 'inspector', token: shown })}\n`;
    const stranger = dial(address);
    stranger.socket.write(first('another'));
    await stranger.closed;
    const own = dial(address);
    own.socket.write(`${first(token)}{"id":7}\n`);
    socket.write(`${JSON.stringify({ type: 'inspecting', answer: id, problem: null })}\n`);
    const messages: string[] = [];
    (await asked)?.listen(
      (message) => messages.push(message),
      () => undefined,
    );
    await expect.poll(() => messages).toEqual(['{"id":7}']);
    const again = dial(address);
    again.socket.write(first(token));
    await again.closed;
  });

  it('takes a probe that shows its token, asks it and gives its answers', async () => {
    const group = server.expect();
    const { socket, lines } = dial(group.env['BENCHSIDE_PROBE_ADDRESS'] ?? '');
    socket.write(hello(group.env['BENCHSIDE_PROBE_TOKEN'] ?? ''));
    const session = await group.attached(5_000);
    expect(session?.hello).toMatchObject({ pid: 4242, runtime: 'node' });
    const asked = session?.get();
    await expect.poll(() => lines.length).toBe(1);
    const { id } = JSON.parse(lines[0] ?? '{}') as { id: number };
    socket.write(`${JSON.stringify({ type: 'report', answer: id, report })}\n`);
    expect(await asked).toEqual(report);
    expect(emptyDurations.count).toBe(0);
  });

  it('turns away whoever has no token, a wrong one, or one of an app that has ended', async () => {
    const group = server.expect();
    const address = group.env['BENCHSIDE_PROBE_ADDRESS'] ?? '';
    const ended = server.expect();
    ended.close();
    for (const first of [
      hello('0'.repeat(48)),
      hello(ended.env['BENCHSIDE_PROBE_TOKEN'] ?? ''),
      '{"type":"report"}\n',
      'GET / HTTP/1.1\n\n',
    ]) {
      const { socket, closed } = dial(address);
      socket.write(first);
      await closed;
    }
    expect(group.sessions).toEqual([]);
  });

  it('closes the connection of a probe that sends what is not understood, and says that it is gone', async () => {
    const group = server.expect();
    const { socket, closed } = dial(group.env['BENCHSIDE_PROBE_ADDRESS'] ?? '');
    socket.write(hello(group.env['BENCHSIDE_PROBE_TOKEN'] ?? ''));
    const session = await group.attached(5_000);
    const refused = expect(session?.get(5_000)).rejects.toMatchObject({ failure: { code: 'probe-silent' } });
    socket.write('{"type":"report","answer":1,"report":{"pools":"many"}}\n');
    await closed;
    await refused;
    expect(session?.open).toBe(false);
    expect(group.sessions).toEqual([]);
  });

  it('does not grow with a line that never ends', async () => {
    const group = server.expect();
    const { socket, closed } = dial(group.env['BENCHSIDE_PROBE_ADDRESS'] ?? '');
    const piece = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent < 6 && !socket.destroyed; sent += 1) socket.write(piece);
    await closed;
  });

  it.skipIf(process.platform === 'win32')('listens where only this user can enter, and leaves nothing there', async () => {
    const file = (server.expect().env['BENCHSIDE_PROBE_ADDRESS'] ?? '').replace(/^unix:/, '');
    const folder = path.dirname(file);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    await server.close();
    expect(existsSync(folder)).toBe(false);
    server = await ProbeServer.start();
  });

  it('says so when no probe comes in time', async () => {
    expect(await server.expect().attached(50)).toBeNull();
  });
});
