import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseDistance } from '../../src/engine/services/distance/databaseDistance.ts';
import type { DatabaseAddress } from '../../src/engine/services/serverUrl.ts';
import { childEnvironment } from '../../src/engine/supervise/environment.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { failureOf, repositoryDir } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const program = path.join(repositoryDir, 'dist', 'distanceProxy.cjs');
const supervisor = new Supervisor();
/** Sends back what it gets. */
const echo = net.createServer({ noDelay: true }, (socket) => socket.on('error', () => undefined).pipe(socket));
const opened: net.Socket[] = [];
let server: DatabaseAddress;

beforeAll(async () => {
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as net.AddressInfo;
  server = { host: '127.0.0.1', port, user: '', password: '', database: '', external: false, mode: 'own', tls: null };
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await supervisor.stopAll();
});
afterAll(() => void echo.close());

function start(rttMs: number, to = server): Promise<DatabaseDistance> {
  return DatabaseDistance.start(supervisor, {
    rttMs,
    server: to,
    name: 'the echo',
    nodePath: process.execPath,
    program,
    env: childEnvironment(),
  });
}

async function connected({ address }: Pick<DatabaseDistance, 'address'>): Promise<net.Socket> {
  const socket = net.connect({ port: address.port, host: address.host, noDelay: true });
  await once(socket, 'connect');
  opened.push(socket);
  return socket.on('error', () => undefined);
}

/** One message there and back, in ms. */
async function pingMs(socket: net.Socket): Promise<number> {
  const startedMs = performance.now();
  socket.write('ping');
  await once(socket, 'data');
  return performance.now() - startedMs;
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * values.length)] ?? Number.NaN;
}

describe('the distance to a database', () => {
  it('lasts as long as was asked for, to a tenth of a ms, beside a path without it in the same run', longTest, async () => {
    const rtts = [0, 0.5, 2];
    const distances = await Promise.all(rtts.map((rtt) => start(rtt)));
    const sockets = await Promise.all(distances.map(connected));
    const times = rtts.map(() => [] as number[]);
    const rounds = 820;
    for (let round = 0; round < rounds; round += 1)
      for (const [index, socket] of sockets.entries()) {
        const ms = await pingMs(socket);
        // The first ones teach each of them how late its thread wakes.
        if (round >= 20) times[index]?.push(ms);
      }
    const [none = [], ...delayed] = times;
    for (const [index, own] of delayed.entries()) {
      const rtt = rtts[index + 1] ?? 0;
      // The quickest fiftieth, which nothing else delayed.
      const added = quantile(own, 0.02) - quantile(none, 0.02);
      expect(added, `${rtt} ms`).toBeGreaterThan(rtt - 0.1);
      expect(added, `${rtt} ms`).toBeLessThan(rtt + 0.15);
      expect(Math.min(...own), `${rtt} ms`).toBeGreaterThan(rtt - 0.05);
    }
    const [atNone, far] = await Promise.all([distances[0]?.stop(), distances[1]?.use()]);
    // What no statement was timed of has no cost to tell.
    expect(atNone).toBeNull();
    expect(far).toMatchObject({ messages: 2 * rounds, bytes: 8 * rounds });
  });

  it('keeps every byte in its order and lets as many through as without it', async () => {
    const pieces = Array.from({ length: 1_500 }, (_, index) => randomBytes(1 + ((index * 7919) % 20_000)));
    const whole = Buffer.concat(pieces);
    const passed = async (rttMs: number): Promise<{ ms: number; digest: string }> => {
      const distance = await start(rttMs);
      const socket = await connected(distance);
      const startedMs = performance.now();
      const hash = createHash('sha256');
      socket.on('data', (piece) => hash.update(piece));
      for (const piece of pieces) socket.write(piece);
      socket.end();
      await once(socket, 'end');
      const ms = performance.now() - startedMs;
      await distance.stop();
      return { ms, digest: hash.digest('hex') };
    };
    const [near, far] = [await passed(0), await passed(40)];
    const digest = createHash('sha256').update(whole).digest('hex');
    expect([near.digest, far.digest]).toEqual([digest, digest]);
    // A piece at a time would take 1,500 round trips; the distance is there once, for connecting and the way there and back.
    expect(far.ms).toBeGreaterThan(80);
    expect(far.ms - near.ms).toBeLessThan(10 * 40);
  });

  it('breaks off at both ends when one does', async () => {
    const distance = await start(1);
    const socket = await connected(distance);
    await pingMs(socket);
    const count = (): Promise<number> =>
      new Promise((resolve, reject) => echo.getConnections((error, all) => (error === null ? resolve(all) : reject(error))));
    await waitFor(async () => (await count()) === 1, { what: 'the end of earlier connections' });
    socket.resetAndDestroy();
    await waitFor(async () => (await count()) === 0, { what: 'the end of the other connection' });
    const nobody = await start(1, { ...server, port: 1 });
    const alone = await connected(nobody);
    await once(alone.resume(), 'close');
    await Promise.all([distance.stop(), nobody.stop()]);
  });

  it('ends with its owner, however that ends', async () => {
    const plan = JSON.stringify({ host: '127.0.0.1', port: server.port, rttMs: 1 });
    const owner = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}, ${JSON.stringify(plan)}], { stdio: ['pipe', 'inherit', 'inherit'] })`;
    const child = spawn(process.execPath, ['-e', owner], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { listening } = JSON.parse(String(line)) as { listening: number };
    const socket = await connected({ address: { ...server, port: listening } });
    await pingMs(socket);
    child.kill('SIGKILL');
    await once(socket.resume(), 'close');
    await waitFor(async () => (await connected({ address: { ...server, port: listening } }).catch(() => null)) === null, {
      what: 'the end of its port',
    });
  });

  it('is refused where the app checks the name of the host', async () => {
    expect(await failureOf(start(1, { ...server, tls: { mode: 'verify-full', rootCertificate: null } }))).toMatchObject({
      code: 'variant-database',
    });
  });
});
