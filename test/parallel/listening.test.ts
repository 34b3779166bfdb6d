import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appTarget, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { hasIpv6 } from '../support/hasIpv6.ts';
import { loopbackCertificate } from '../support/loopbackCertificate.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 60_000;
const certificate = loopbackCertificate();
let engine: TestEngine;
let sockets: string;

const target = (way: string, more: Record<string, unknown> = {}): Record<string, unknown> =>
  appTarget(way, 'waysToListen.mjs', {
    env: { WAY: way, KEY: certificate.key, CERT: certificate.cert },
    settings: {},
    ready: { path: '/', timeoutMs: 10_000 },
    ...more,
  });

beforeAll(async () => {
  sockets = temporaryFolder('sock');
  engine = await TestEngine.start({
    file: {
      targets: [
        target('tls'),
        target('six'),
        target('socket', { port: { env: 'PORT', socket: path.join(sockets, 'app-{port}.sock') } }),
        target('base', { env: { WAY: 'base', BASE: '/shop' }, routes: [{ path: '/shop/products' }] }),
        target('h2'),
        target('h2c'),
        target('sse', { routes: [{ path: '/events' }] }),
        target('elsewhere', { ready: { path: '/', timeoutMs: 5_000 } }),
      ],
    },
  });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

describe('a service is measured however it listens', () => {
  it.skipIf(!hasIpv6)(
    'over TLS with a certificate of its own, at ::1 alone, at a Unix socket, and with everything below a base path',
    { timeout: slow, ...longTest },
    async () => {
      const run = await engine.run({ targets: ['tls', 'six', 'socket', 'base'], settings: {}, load: 'brief', rounds: 1 });
      expect(run.trials.map(({ target: id, requests, errors }) => ({ id, answered: requests > 20, errors: errors.total }))).toEqual(
        ['tls', 'six', 'socket', 'base'].map((id) => ({ id, answered: true, errors: 0 })),
      );
      // What it was asked for its answers is kept of each.
      expect(Object.values(run.plan.commands).map(({ answers }) => answers?.map(({ status }) => status))).toEqual([
        [200],
        [200],
        [200],
        [200],
      ]);
      expect(existsSync(sockets) ? readdirSync(sockets) : []).toEqual([]);
    },
  );

  it('at a fixed rate over TLS and at a Unix socket, too', { timeout: slow, ...slowHalf }, async () => {
    const run = await engine.run({ targets: ['tls', 'socket'], settings: {}, load: 'brief', rounds: 1, ratePerS: 100 });
    expect(run.trials.map(({ requests, errors }) => ({ answered: requests > 20, errors: errors.total }))).toEqual([
      { answered: true, errors: 0 },
      { answered: true, errors: 0 },
    ]);
  });

  it('also where nginx stands before it', { timeout: slow, ...slowHalf }, async () => {
    const request = { targets: ['tls', ...(hasIpv6 ? ['six'] : [])], settings: {}, load: 'brief', rounds: 1 };
    const run = await engine.run({ ...request, topology: { proxy: {} } });
    expect(run.trials.map(({ requests, errors }) => ({ answered: requests > 20, errors: errors.total }))).toEqual(
      request.targets.map(() => ({ answered: true, errors: 0 })),
    );
  });

  it('and is not given to k6 where k6 cannot reach it, before anything is started', async () => {
    const refused = await failureOf(
      engine.run({ targets: ['socket'], settings: {}, load: 'brief', connections: [2], generator: { kind: 'k6', processes: 1 } }),
    );
    expect([refused.code, refused.message]).toEqual([
      'k6-cannot',
      expect.stringContaining('k6 does not speak over Unix sockets, and socket'),
    ]);
    expect(engine.processes()).toEqual([]);
  });

  it('and is refused at once, by its right name, where no load can be put on it', { timeout: slow, ...longTest }, async () => {
    const startedAt = performance.now();
    for (const [id, words] of [
      ['h2', 'in HTTP/2 only (over TLS)'],
      ['h2c', 'in HTTP/2 only, without TLS (h2c)'],
    ] as const) {
      const failure = await failureOf(engine.run({ targets: [id], settings: {}, load: 'brief' }));
      expect(failure).toMatchObject({ code: 'speaks-http2', message: expect.stringContaining(words) as string });
    }
    const stream = await failureOf(engine.run({ targets: ['sse'], settings: {}, load: 'brief' }));
    expect(stream).toMatchObject({ code: 'route-fails', message: expect.stringContaining('a stream (text/event-stream)') as string });
    // None of them has waited for the end of a time-out, of which there are three.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    expect(engine.processes()).toEqual([]);
  });

  it('says where it listens instead of at the port that it was given', { timeout: slow, ...slowHalf }, async () => {
    const failure = await failureOf(engine.run({ targets: ['elsewhere'], settings: {}, load: 'brief' }));
    expect(failure).toMatchObject({
      code: 'target-not-ready',
      message: expect.stringMatching(/it listens on 127\.0\.0\.1:\d+, and not on port \d+, which it was given/) as string,
      cure: expect.stringContaining('"fixed"') as string,
    });
  });
});
