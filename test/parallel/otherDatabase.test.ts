import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briefLoad, removeTemporaryFolders, repositoryDir, temporaryFolder, writeWorkspaceFile } from '../support/engine.ts';
import { longTest } from '../support/testTags.ts';

const slow = 120_000;
/** More than a start, a look and each route once takes; a load of a second is hundreds. */
const mostAttempts = 60;
/** An address of this machine that is none of its loopback: another one, as far as a program can tell. */
const elsewhere = Object.values(networkInterfaces())
  .flat()
  .find((one) => one !== undefined && one.family === 'IPv4' && !one.internal)?.address;
let attempts = 0;
/** How long it takes to sign in and be refused. */
let heldMs = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => undefined).on('data', () => void setTimeout(() => socket.destroy(), heldMs));
  }).listen(0, elsewhere ?? '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  removeTemporaryFolders();
});

/** A service that reads where its database is from a file of its own, and connects for each request. */
function service(): string {
  const folder = temporaryFolder('shop');
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'shop', main: 'server.js', dependencies: { express: '5', pg: '8' } }),
  );
  writeFileSync(path.join(folder, '.env'), `DB=${elsewhere}:${(server.address() as AddressInfo).port}\n`);
  mkdirSync(path.join(folder, 'node_modules/express'), { recursive: true });
  writeFileSync(
    path.join(folder, 'server.js'),
    `const [host, port] = require('node:fs').readFileSync(__dirname + '/.env', 'utf8').trim().slice(3).split(':');
    const routes = { get: () => undefined };
    routes.get('/', () => undefined);
    const app = require('node:http').createServer((request, response) => {
      const socket = require('node:net').connect(Number(port), host, () => socket.write('hello'));
      socket.on('error', () => undefined).on('close', () => response.end('{}'));
    });
    app.listen(process.env.PORT);`,
  );
  return folder;
}

async function benchside(folder: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(repositoryDir, 'dist/cli.cjs'), ...args, '--workspace', folder], {
    env: { ...process.env, BENCHSIDE_STORAGE: path.join(folder, 'storage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

describe.skipIf(process.platform !== 'linux' || elsewhere === undefined)(
  'a service whose own configuration points to another machine',
  () => {
    it('gets no load, and is told with where it connects to, until that was agreed to', { timeout: slow, ...longTest }, async () => {
      const folder = service();
      writeWorkspaceFile(folder, {
        targets: [{ id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }] }],
        loadProfiles: [briefLoad],
      });
      const peer = `${elsewhere}:${(server.address() as AddressInfo).port}`;
      const refused = await benchside(folder, 'run', '--target', 'shop', '--load', 'brief', '--rounds', '1');
      expect(refused.said).toContain(`shop connects to ${peer}, and no database of that address was named.`);
      expect(refused.said).toContain(`--allow-host ${elsewhere}`);
      expect(refused.code).toBe(1);
      expect(attempts).toBeLessThan(mostAttempts);
      const agreed = await benchside(
        folder,
        'run',
        '--target',
        'shop',
        '--load',
        'brief',
        '--rounds',
        '1',
        '--allow-host',
        String(elsewhere),
      );
      expect(agreed.code, agreed.said).toBe(0);
      expect(attempts).toBeGreaterThan(mostAttempts);
      // It is remembered.
      expect((await benchside(folder, 'run', '--target', 'shop', '--load', 'brief', '--rounds', '1')).code).toBe(0);
    });

    it('is refused for that where it does not come up because of it', { timeout: slow }, async () => {
      const folder = service();
      const { port } = server.address() as AddressInfo;
      writeFileSync(
        path.join(folder, 'server.js'),
        `const socket = require('node:net').connect(${port}, '${elsewhere}', () => socket.write('hello'));
        socket.on('close', () => { throw new Error('the database refuses it'); });`,
      );
      heldMs = 300;
      writeWorkspaceFile(folder, { targets: [{ id: 'shop', runtime: 'node', command: ['node', 'server.js'], routes: [{ path: '/' }] }] });
      const refused = await benchside(folder, 'run', '--target', 'shop');
      expect(refused.said).toContain(`shop connects to ${elsewhere}:${port}, and no database of that address was named.`);
      expect(refused.said).not.toContain('before it was ready');
      expect(refused.code).toBe(1);
    });

    it('is not looked at further by “init -y”, which agrees to nothing on another machine', { timeout: slow }, async () => {
      const folder = service();
      attempts = 0;
      heldMs = 150;
      const { said } = await benchside(folder, 'init', '-y');
      expect(said).toMatch(/shop connects to /);
      expect(attempts).toBeLessThan(mostAttempts);
      expect(existsSync(path.join(folder, 'storage/agreed-servers.json'))).toBe(false);
      if (existsSync(path.join(folder, 'benchside.json')))
        expect(readFileSync(path.join(folder, 'benchside.json'), 'utf8')).toContain('shop');
    });
  },
);
