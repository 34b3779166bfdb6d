import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hear } from '../../../src/engine/targets/hearing.ts';
import { hasIpv6 } from '../../support/hasIpv6.ts';
import { loopbackCertificate } from '../../support/loopbackCertificate.ts';

const opened: { server: Server; sockets: Set<Socket> }[] = [];
const certificate = loopbackCertificate();

afterEach(() => {
  for (const { server, sockets } of opened.splice(0)) {
    server.close();
    for (const socket of sockets) socket.destroy();
  }
});

async function listening(server: Server, where: { host: string } | { path: string } = { host: '127.0.0.1' }): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  // What breaks off a connection is what is tried.
  server.on('sessionError', () => undefined).on('tlsClientError', () => undefined);
  opened.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen('path' in where ? where : { port: 0, ...where }, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? (address as AddressInfo).port : 0;
}

const plain = { host: '127.0.0.1', tls: false };

describe('how a server listens', () => {
  it('is heard in HTTP at 127.0.0.1, whatever the status', async () => {
    const port = await listening(createServer((_request, response) => response.writeHead(503).end()));
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: plain, status: 503 });
  });

  it.skipIf(!hasIpv6)('is heard at ::1 where nobody is at 127.0.0.1', async () => {
    const port = await listening(
      createServer((_request, response) => response.end()),
      { host: '::1' },
    );
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: { host: '::1', tls: false }, status: 200 });
  });

  it('is heard at a Unix socket', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'benchside-hear-'));
    await listening(
      createServer((_request, response) => response.end()),
      { path: path.join(folder, 'app-7.sock') },
    );
    const socketPath = path.join(folder, 'app-{port}.sock');
    expect(await hear({ port: 7, socketPath }, '/', undefined)).toEqual({ reach: { ...plain, socketPath }, status: 200 });
    expect(await hear({ port: 8, socketPath }, '/', undefined)).toMatchObject({ silence: 'refused' });
    rmSync(folder, { recursive: true });
  });

  it('is heard in HTTPS, with a certificate that it signed itself', async () => {
    const port = await listening(https.createServer(certificate, (_request, response) => response.end()));
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: { ...plain, tls: true }, status: 200 });
  });

  it('is heard in HTTPS where it says in HTTP that it is none', async () => {
    // As Go, Tomcat and nginx do.
    const secure = await listening(https.createServer(certificate, (_request, response) => response.end()));
    const port = await listening(
      net.createServer((socket) => {
        socket.once('data', (first) => {
          if (first[0] !== 22) return socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
          const behind = net.connect(secure, '127.0.0.1').on('error', () => socket.destroy());
          behind.write(first);
          return socket.pipe(behind).pipe(socket);
        });
      }),
    );
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: { ...plain, tls: true }, status: 200 });
  });

  it('stays what it is where it answers 400 and speaks no TLS', async () => {
    const port = await listening(createServer((_request, response) => response.writeHead(400).end()));
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: plain, status: 400 });
  });

  it('is told as HTTP/2 alone, with TLS and without; one that speaks HTTP/1.1 beside it is heard in that', async () => {
    const over = await listening(http2.createSecureServer(certificate));
    expect(await hear({ port: over }, '/', undefined)).toEqual({ reach: { ...plain, tls: true }, speaks: 'h2' });
    const clear = await listening(http2.createServer());
    expect(await hear({ port: clear }, '/', undefined)).toEqual({ reach: plain, speaks: 'h2c' });
    const both = await listening(http2.createSecureServer({ ...certificate, allowHTTP1: true }, (_request, response) => response.end()));
    expect(await hear({ port: both }, '/', undefined)).toEqual({ reach: { ...plain, tls: true }, status: 200 });
  });

  it('is told as none of these where it speaks something else', async () => {
    const port = await listening(net.createServer((socket) => socket.end('220 mail.example ESMTP\r\n')));
    expect(await hear({ port }, '/', undefined)).toEqual({ reach: plain, silence: 'broken' });
  });
});
