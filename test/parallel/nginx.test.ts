import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type RequestListener, type Server, Agent, createServer, request } from 'node:http';
import { Agent as TlsAgent, createServer as createTlsServer, request as tlsRequest } from 'node:https';
import type { ListenOptions, Socket } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../src/model/domain/failure.ts';
import { type Proxy, proxySchema } from '../../src/model/domain/topology.ts';
import { type NginxOptions, NginxProxy } from '../../src/engine/services/nginx/nginxProxy.ts';
import type { Reach } from '../../src/engine/load/connection.ts';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { Supervisor } from '../../src/engine/supervise/supervisor.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../support/engine.ts';
import { hasIpv6 } from '../support/hasIpv6.ts';
import { loopbackCertificate } from '../support/loopbackCertificate.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const supervisor = new Supervisor();
const instances: Instance[] = [];
afterEach(async () => {
  await Promise.all(instances.splice(0).map((instance) => instance.close()));
  await supervisor.stopAll();
  expect(supervisor.children.size).toBe(0);
});
afterAll(removeTemporaryFolders);

/** An app that says who it is, and counts. */
interface Instance {
  name: string;
  port: number;
  requests: number;
  connections: number;
  lastHeaders: IncomingHttpHeaders;
  /** Answers the request for /hold that is under way. */
  release?: () => void;
  close(): Promise<void>;
}

async function instance(
  name: string,
  {
    answer = true,
    tls,
    at = { host: '127.0.0.1', port: 0 },
  }: { answer?: boolean; tls?: { key: string; cert: string }; at?: ListenOptions } = {},
): Promise<Instance> {
  const sockets = new Set<Socket>();
  const answered: RequestListener = (incoming, outgoing) => {
    made.requests += 1;
    made.lastHeaders = incoming.headers;
    if (!answer) return void incoming.socket.destroy();
    if (incoming.url === '/hold') made.release = () => outgoing.end(name);
    else incoming.resume().on('end', () => outgoing.end(name));
  };
  const server: Server = tls === undefined ? createServer(answered) : createTlsServer(tls, answered);
  server.on('connection', (socket) => {
    made.connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // As many may wait to be accepted as a test connects at once.
  const backlog = 2_048;
  await new Promise<void>((resolve) => server.listen({ ...at, backlog }, resolve));
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
    return closed;
  };
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 1;
  const made: Instance = { name, port, requests: 0, connections: 0, lastHeaders: {}, close };
  instances.push(made);
  return made;
}

function start(proxy: Partial<Proxy>, upstreams: readonly Instance[], more: Partial<NginxOptions> = {}): Promise<NginxProxy> {
  const options = {
    proxy: proxySchema.parse(proxy),
    upstreamPorts: upstreams.map(({ port }) => port),
    staticDir: null,
    folder: temporaryFolder('nginx'),
  };
  return NginxProxy.start(supervisor, { ...options, ...more });
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(
  proxy: NginxProxy,
  target: string,
  { method = 'GET', headers = {}, agent }: { method?: string; headers?: Record<string, string>; agent?: Agent } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: proxy.port, path: target, method, headers };
    const ca = proxy.certificate === null ? '' : readFileSync(proxy.certificate, 'utf8');
    const outgoing = proxy.tls ? tlsRequest({ ...options, agent: new TlsAgent({ ca }) }) : request({ ...options, agent: agent ?? false });
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }));
    });
    outgoing.once('error', reject);
    outgoing.end(method === 'POST' ? 'x' : undefined);
  });
}

async function askOften(proxy: NginxProxy, times: number, agent?: Agent): Promise<string[]> {
  const answers: string[] = [];
  for (let i = 0; i < times; i += 1) {
    const { status, body } = await ask(proxy, '/', agent === undefined ? {} : { agent });
    answers.push(status === 200 ? body.toString() : String(status));
  }
  return answers;
}

/** The processes whose group is led by this one, from /proc. */
function group(leader: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === leader;
      } catch {
        return false;
      }
    });
}

describe('nginx before several instances', () => {
  it('gives each its turn, keeps connections to them, and passes on the host and the request’s id', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => instance(name)));
    const proxy = await start({}, [a!, b!, c!]);
    const answers = await askOften(proxy, 30);
    for (const name of ['a', 'b', 'c']) expect(answers.filter((answer) => answer === name)).toHaveLength(10);
    expect(a!.connections).toBe(1);
    await ask(proxy, '/', { headers: { 'X-Request-Id': 'mine' } });
    expect([a!, b!, c!].map(({ lastHeaders }) => lastHeaders['x-request-id'])).toContain('mine');
    expect(a!.lastHeaders.host).toBe(`127.0.0.1:${proxy.port}`);
  });

  it('opens a connection to an instance for every request when it is told to keep none', async () => {
    const only = await instance('a');
    const proxy = await start({ upstreamKeepAlive: false }, [only]);
    await askOften(proxy, 5);
    expect(only.connections).toBe(5);
  });

  it.each([
    [true, 'keep-alive'],
    [false, 'close'],
  ])('keeps the connections of clients: %s', async (clientKeepAlive, connection) => {
    const proxy = await start({ clientKeepAlive }, [await instance('a')]);
    const agent = new Agent({ keepAlive: true });
    const { headers } = await ask(proxy, '/', { agent });
    agent.destroy();
    expect(headers.connection).toBe(connection);
  });

  it('sends the next request where the fewest are under way when asked to', async () => {
    const [busy, free] = await Promise.all([instance('busy'), instance('free')]);
    const proxy = await start({ balance: 'least-conn' }, [busy!, free!]);
    const held = ask(proxy, '/hold');
    const holder = await waitFor(() => [busy!, free!].find(({ release }) => release !== undefined));
    const other = holder === busy ? 'free' : 'busy';
    expect(await askOften(proxy, 6)).toEqual(Array.from({ length: 6 }, () => other));
    holder.release?.();
    expect((await held).body.toString()).toBe(holder.name);
  });

  it('loses nothing when an instance is gone: its requests go to the next, and it is left out after max_fails failures', async () => {
    const [a, b, broken] = await Promise.all([instance('a'), instance('b'), instance('broken', { answer: false })]);
    const proxy = await start({ maxFails: 2, failTimeoutS: 60 }, [a!, b!, broken!]);
    const answers = await askOften(proxy, 30);
    expect(new Set(answers)).toEqual(new Set(['a', 'b']));
    expect(broken!.requests).toBe(2);
  });

  it('asks a broken instance for ever when max_fails is 0, and answers a POST that broke off with 502 instead of repeating it', async () => {
    const [a, broken] = await Promise.all([instance('a'), instance('broken', { answer: false })]);
    const proxy = await start({ maxFails: 0 }, [a!, broken!]);
    expect(new Set(await askOften(proxy, 20))).toEqual(new Set(['a']));
    expect(broken!.requests).toBe(10);
    const posts = [await ask(proxy, '/', { method: 'POST' }), await ask(proxy, '/', { method: 'POST' })];
    expect(posts.map(({ status }) => status).sort()).toEqual([200, 502]);
  });

  it('changes its list while clients ask, without one failed request', async () => {
    const [a, b] = await Promise.all([instance('a'), instance('b')]);
    const proxy = await start({ workers: 2 }, [a!]);
    let asking = true;
    const asked = (async () => {
      const answers: string[] = [];
      while (asking) answers.push(...(await askOften(proxy, 1)));
      return answers;
    })();
    await proxy.setUpstreams([b!.port]);
    const before = a!.requests;
    expect(new Set(await askOften(proxy, 20))).toEqual(new Set(['b']));
    await Promise.all([proxy.setUpstreams([a!.port]), proxy.setUpstreams([a!.port, b!.port])]);
    asking = false;
    expect(new Set(await askOften(proxy, 20))).toEqual(new Set(['a', 'b']));
    expect(before).toBeGreaterThan(0);
    expect((await asked).filter((answer) => answer !== 'a' && answer !== 'b')).toEqual([]);
    expect(await failureCode(proxy.setUpstreams([]))).toBe('proxy-no-instances');
    expect(new Set(await askOften(proxy, 4))).toEqual(new Set(['a', 'b']));
  });
});

describe('what nginx answers itself', () => {
  it('is /static/ from the folder it was given, whatever that is called, and nothing outside of it', async () => {
    const staticDir = path.join(temporaryFolder('static'), 'a "folder" with $name; {');
    mkdirSync(staticDir);
    writeFileSync(path.join(staticDir, '01.js'), 'let one = 1;');
    writeFileSync(path.join(path.dirname(staticDir), 'secret.txt'), 'secret');
    const app = await instance('app');
    const proxy = await start({ staticFiles: true }, [app], { staticDir });
    const { status, headers, body } = await ask(proxy, '/static/01.js');
    expect([status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'no-store',
      'let one = 1;',
    ]);
    expect((await ask(proxy, '/static/none.js')).status).toBe(404);
    for (const outside of ['/static/../secret.txt', '/static/%2e%2e/secret.txt', '/static/..%2fsecret.txt', '/static../secret.txt']) {
      expect((await ask(proxy, outside)).body.toString()).not.toContain('secret');
    }
    expect((await ask(proxy, '/')).body.toString()).toBe('app');
  });

  it('is nothing that a link in that folder leads to, and its workers are never root', async () => {
    const staticDir = path.join(temporaryFolder('static'), 'static');
    const outside = temporaryFolder('outside');
    writeFileSync(path.join(outside, 'secret.txt'), 'secret');
    mkdirSync(path.join(staticDir, 'deep'), { recursive: true });
    writeFileSync(path.join(staticDir, 'deep', 'own.txt'), 'its own');
    symlinkSync(path.join(outside, 'secret.txt'), path.join(staticDir, 'file.txt'));
    symlinkSync(outside, path.join(staticDir, 'folder'));
    const proxy = await start({ staticFiles: true, workers: 2 }, [await instance('app')], { staticDir });
    expect((await ask(proxy, '/static/deep/own.txt')).body.toString()).toBe('its own');
    // Links that are made while it runs, too.
    symlinkSync(path.join(outside, 'secret.txt'), path.join(staticDir, 'later.txt'));
    for (const name of ['file.txt', 'folder/secret.txt', 'later.txt']) {
      const { status, body } = await ask(proxy, `/static/${name}`);
      expect([403, 404]).toContain(status);
      expect(body.toString()).not.toContain('secret');
    }
    // A body that is kept in a file until its instance has taken it.
    const large = await fetch(`http://127.0.0.1:${proxy.port}/`, { method: 'POST', body: 'x'.repeat(1_000_000) });
    expect([large.status, await large.text()]).toEqual([200, 'app']);
    const users = (): number[] => {
      const children = readFileSync(`/proc/${proxy.pid}/task/${proxy.pid}/children`, 'utf8').split(' ').filter(Boolean);
      return children.map((pid) => Number(/^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]));
    };
    // Each gives up being root before it takes its first connection: on a busy machine one may not have come so far.
    await waitFor(() => users().length >= 2 && !users().includes(0), { what: 'no worker is root' });
    const linked = path.join(temporaryFolder('static'), 'static');
    symlinkSync(staticDir, linked);
    expect(await failureCode(start({ staticFiles: true }, [await instance('b')], { staticDir: linked }))).toBe('static-folder-missing');
  });

  it('is refused with a sentence when there is no such folder', async () => {
    expect(await failureCode(start({ staticFiles: true }, [await instance('a')]))).toBe('static-folder-missing');
  });
});

describe('the proxy', () => {
  it('speaks TLS with a certificate of its own, which a client can check', async () => {
    const proxy = await start({ tls: true }, [await instance('a')]);
    expect(proxy.tls).toBe(true);
    expect((await ask(proxy, '/')).body.toString()).toBe('a');
    await expect(
      new Promise((resolve, reject) => tlsRequest({ host: '127.0.0.1', port: proxy.port }, resolve).once('error', reject).end()),
    ).rejects.toThrow(/self-signed|certificate/);
  });

  it('speaks to instances as they listen: over TLS with a certificate of their own, at ::1 alone, at a Unix socket', async () => {
    const folder = temporaryFolder('sock');
    const socketPath = path.join(folder, 'app "{port}".sock');
    const plain = { host: '127.0.0.1', tls: false };
    const socket = await instance('socket', { at: { path: socketPath.replace('{port}', '1'), writableAll: true } });
    const ways: [Instance, Reach][] = [
      [await instance('tls', { tls: loopbackCertificate() }), { ...plain, tls: true }],
      [socket, { ...plain, socketPath }],
    ];
    if (hasIpv6) ways.push([await instance('six', { at: { host: '::1', port: 0 } }), { ...plain, host: '::1' }]);
    // As root nginx’s workers are another user, who has to enter it.
    chmodSync(folder, 0o755);
    for (const [one, upstreamReach] of ways) {
      const proxy = await start({}, [one], { upstreamReach });
      expect([one.name, (await ask(proxy, '/')).body.toString()]).toEqual([one.name, one.name]);
    }
    chmodSync(folder, 0o700);
    const closed = start({}, [socket], { upstreamReach: { ...plain, socketPath } });
    if (process.getuid?.() === 0) expect(await failureCode(closed)).toBe('socket-not-usable');
    else expect((await ask(await closed, '/')).status).toBe(200);
  });

  it('logs every request with its id and times when asked to, and keeps the log when it is stopped', async () => {
    const folder = temporaryFolder('nginx');
    const [a, broken] = await Promise.all([instance('a'), instance('broken', { answer: false })]);
    const proxy = await start({ maxFails: 0 }, [a!, broken!], { folder, log: true });
    const began = Date.now();
    await ask(proxy, '/ads/1', { headers: { 'X-Request-Id': 'request-"1"' } });
    await ask(proxy, '/ads/2');
    await ask(proxy, '/ads/3');
    await proxy.stop();
    const lines = readFileSync(proxy.accessLog, 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as Record<'start' | 'request_time' | 'bytes' | 'status', number> & {
            id: string;
            upstream_response_time: string;
          },
      );
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ id: 'request-"1"', status: 200 });
    expect(lines[1]?.id).toMatch(/^[0-9a-f]{32}$/);
    // A second instance was tried for one of them.
    expect(lines.some((line) => line.upstream_response_time.includes(','))).toBe(true);
    for (const { start: startS, request_time: requestS, bytes } of lines) {
      expect(startS * 1_000).toBeGreaterThanOrEqual(began - 5);
      expect(startS * 1_000).toBeLessThanOrEqual(Date.now());
      expect(requestS).toBeLessThan(10);
      expect(bytes).toBeGreaterThan(100);
    }
    expect(readdirSync(folder)).toEqual(['access.jsonl']);
  });

  it('listens on loopback alone and leaves no process, port or file when it is stopped, also when its master was killed', async () => {
    const folder = temporaryFolder('nginx');
    const proxy = await start({ workers: 2 }, [await instance('a')], { folder });
    const listeners = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .filter((line) => line.includes(`:${proxy.port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`));
    expect(listeners.length).toBeGreaterThan(0);
    for (const line of listeners) expect(line).toContain('0100007F:');
    expect(group(proxy.pid)).toHaveLength(3);
    process.kill(proxy.pid, 'SIGKILL');
    await proxy.child.exited;
    await waitFor(() => group(proxy.pid).length === 0);
    await proxy.stop();
    expect(await isPortFree(proxy.port)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends with all its workers when the process that started it is killed', longTest, async () => {
    const [folder, script] = [temporaryFolder('nginx'), path.join(temporaryFolder('owner'), 'owner.cjs')];
    const contents = `
      import { NginxProxy } from './src/engine/services/nginx/nginxProxy.ts';
      import { proxySchema } from './src/model/domain/topology.ts';
      import { Supervisor } from './src/engine/supervise/supervisor.ts';
      const options = { proxy: proxySchema.parse({ workers: 2 }), upstreamPorts: [1], staticDir: null, folder: process.argv[2] };
      void NginxProxy.start(new Supervisor(), options).then(({ pid }) => console.log(pid));`;
    const stdin = { contents, resolveDir: repositoryDir, loader: 'ts' as const };
    await build({ stdin, outfile: script, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
    const owner = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const master = Number(line.toString());
    expect(group(master)).toHaveLength(3);
    owner.kill('SIGKILL');
    await waitFor(() => group(master).length === 0, { timeoutMs: 3_000 });
  });

  it('holds 1,200 clients at once on one worker', longTest, async () => {
    const app = await instance('a');
    const proxy = await start({}, [app]);
    const agent = new Agent({ keepAlive: true, maxSockets: 1_200 });
    const answers = await Promise.all(Array.from({ length: 1_200 }, () => ask(proxy, '/', { agent })));
    agent.destroy();
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1_200);
    expect(existsSync(path.join(path.dirname(proxy.accessLog), 'access.jsonl'))).toBe(false);
  });
});

async function failureCode(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof FailureError ? error.failure.code : String(error)),
  );
}
