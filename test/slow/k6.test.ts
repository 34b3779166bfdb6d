import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RequestSequence } from '../../src/engine/load/requestSequence.ts';
import { blockSeed, SeededRandom } from '../../src/engine/statistics/seededRandom.ts';
import type { ParamsInput } from '../../src/model/protocol/protocol.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { appTarget, briefLoad, commandLine, failureOf, removeTemporaryFolders, temporaryFolder, TestEngine } from '../support/engine.ts';
import { hasIpv6 } from '../support/hasIpv6.ts';
import { loopbackCertificate } from '../support/loopbackCertificate.ts';
import { waitFor } from '../support/waitFor.ts';
import { AskedService, k6Program, runK6, withoutK6 } from '../support/k6.ts';

const mixed = [
  { path: '/ads/:id', weight: 60, parameters: { id: { min: 1, max: 100_000 } } },
  { path: '/ads?category=:category&limit=:limit', weight: 30, parameters: { limit: { min: 1, max: 9 }, category: { min: 1, max: 20 } } },
  { method: 'POST' as const, path: '/ads', weight: 10, body: '{"category": :category}', parameters: { category: { min: 1, max: 20 } } },
];
const step = (name: string, changes: object): object => ({ name, ...changes });
const shopper = {
  name: 'shopper',
  weight: 1,
  once: [step('sign up', { method: 'POST', path: '/users', body: '{"name": "{{unique}}"}', extract: { user: '/id' } })],
  steps: [
    step('front', { path: '/front', assets: true }),
    step('look', { path: '/ads/{{random:1-100000}}', headers: { 'X-User': '{{user}}' }, extract: { seen: 'header:X-Seen' } }),
    step('send', {
      method: 'POST',
      path: '/pictures/{{seen}}',
      multipart: [
        { name: 'title', text: 'of {{iteration}}' },
        { name: 'file', fileName: 'a.bin', bytes: 50 },
      ],
      thinkMs: { min: 5, max: 10 },
    }),
  ],
};
const quick = { ...briefLoad, durationS: 1.5, settleS: 0.2, rounds: 1, warmUp: { minS: 0, maxS: 1, jvmMinS: 0, jvmMaxS: 1 } };
const { key: KEY, cert: CERT } = loopbackCertificate();
const listeningBy = (WAY: string): object =>
  appTarget(WAY, 'waysToListen.mjs', { env: { WAY, KEY, CERT }, settings: {}, ready: { path: '/' } });
const file = {
  targets: [appTarget('svc', 'steadyService.mjs', { routes: mixed }), listeningBy('tls'), ...(hasIpv6 ? [listeningBy('six')] : [])],
  loadProfiles: [
    quick,
    { ...quick, name: 'rated', ratePerS: 50 },
    { ...quick, name: 'shoppers', roles: [shopper] },
    {
      ...quick,
      name: 'ramped',
      stages: [
        { users: 4, seconds: 0.5 },
        { users: 4, seconds: 1.2 },
      ],
    },
  ],
};

type Asks = Partial<Extract<ParamsInput<'k6/export'>['of'], { request: object }>['request']>;

describe.skipIf(k6Program === null)(`the exported script and the real k6 (left out where ${withoutK6})`, () => {
  let engine: TestEngine;
  let service: AskedService | undefined;
  beforeAll(async () => {
    engine = await TestEngine.start({ file, env: { BENCHSIDE_K6: k6Program ?? '' } });
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  afterAll(async () => {
    await engine.dispose();
    removeTemporaryFolders();
  });

  const exported = async (asks: Asks): Promise<string> => {
    const folder = path.join(temporaryFolder('k6'), 'out');
    const request = { targets: ['svc'], settings: { pool: [4] }, load: 'brief', ...asks };
    await engine.request('k6/export', { of: { request }, folder, url: 'http://127.0.0.1:1', parallelism: 1 });
    return folder;
  };
  const imported = async (folder: string): Promise<RunRecord> =>
    (await engine.request('k6/import', { files: [path.join(folder, 'plan.json'), path.join(folder, 'results')], as: null })).run;

  it('asks in a closed loop what Benchside asks with the same seed, and the shares are those of the mix', async () => {
    service = new AskedService(() => ({ afterMs: 2 }));
    const folder = await exported({ connections: 4 });
    await runK6(folder, await service.start());
    const seen = service.asked.map(({ method, url, body }) => `${method} ${url} ${body.toString()}`);
    const weights = { requests: mixed.map((route) => ({ method: 'GET' as const, headers: {}, ...route })) };
    const sequence = new RequestSequence(weights.requests, blockSeed(1, 1), '127.0.0.1');
    const own = seen.map(() => {
      const { method, path: asked, body } = sequence.nextParts();
      return `${method} ${asked} ${body ?? ''}`;
    });
    expect(seen.length).toBeGreaterThan(100);
    expect([...seen].sort()).toEqual([...own].sort());

    const run = await imported(folder);
    const steps = run.trials[0]?.steps ?? [];
    const total = steps.reduce((sum, { requests }) => sum + requests, 0);
    expect(total).toBe(run.trials[0]?.requests);
    for (const [name, share] of [
      ['GET /ads/:id', 0.6],
      ['GET /ads?category=:category&limit=:limit', 0.3],
      ['POST /ads', 0.1],
    ] as const) {
      const measured = (steps.find((one) => one.step === name)?.requests ?? 0) / total;
      // One in a hundred, or four standard deviations where fewer requests tell no more.
      expect(Math.abs(measured - share), name).toBeLessThan(Math.max(0.01, 4 * Math.sqrt((share * (1 - share)) / total)));
    }
    expect(run.environment.generator).toBe('k6, 1 runner');
    // The virtual users had one request under way nearly all the time, as our connections have: throughput × latency ÷ connections.
    expect(run.trials[0]?.blocks[0]?.generator.littleRatio).toBeGreaterThan(0.6);
    expect(run.trials[0]?.blocks[0]?.generator.littleRatio).toBeLessThan(1.05);
  });

  it.each([2, 4, 8])('is merged from %i runners to the percentiles of one sorted list of all samples', async (runners) => {
    service = new AskedService(({ url }) => ({ afterMs: 1 + (url.length % 7) }));
    const folder = await exported({ connections: 8 });
    await runK6(folder, await service.start(), { runners });
    const [block] = (await imported(folder)).trials.flatMap(({ blocks }) => blocks);
    const rows = readdirSync(path.join(folder, 'results')).flatMap((name) =>
      gunzipSync(readFileSync(path.join(folder, 'results', name)))
        .toString()
        .split('\n')
        .map((line) => line.split(',')),
    );
    const starts = rows.filter(([metric]) => metric === 'benchside_started').map(([, , value]) => 1000 * Number(value));
    const from = Math.max(...starts) + 1_200_000;
    const to = Math.min(...starts) + 2_700_000;
    const inside = rows.filter(([metric, time]) => metric === 'http_req_duration' && Number(time) >= from && Number(time) < to);
    const sorted = inside.map(([, , value]) => Number(value)).sort((a, b) => a - b);
    expect(block?.requests).toBe(sorted.length);
    for (const [share, value] of [
      [0.5, block?.latencyMs?.p50],
      [0.99, block?.latencyMs?.p99],
    ] as const) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      expect(Math.abs((value ?? 0) - exact)).toBeLessThanOrEqual(0.001 * exact + 0.001);
    }
  });

  it('asks at a fixed rate, and by users who come and go', async () => {
    service = new AskedService();
    const url = await service.start();
    const rated = await exported({ load: 'rated' });
    await runK6(rated, url);
    const run = await imported(rated);
    // 50 a second for 1.5 s; one lies at either edge.
    expect(Math.abs((run.trials[0]?.blocks[0]?.open?.intended ?? 0) - 75)).toBeLessThanOrEqual(2);
    const ramped = await exported({ load: 'ramped' });
    await runK6(ramped, url);
    expect((await imported(ramped)).trials[0]?.requests).toBeGreaterThan(10);
  });

  it('agrees with Benchside on what an objective is worth', async () => {
    service = new AskedService(() => ({ afterMs: 5 }));
    const url = await service.start();
    for (const [slo, code, passed] of [
      [{ p99Ms: 900, errorShare: 0.01, throughput: 1 }, 0, true],
      [{ p50Ms: 1 }, 99, false],
    ] as const) {
      const folder = await exported({ connections: 4, slo });
      expect(await runK6(folder, url)).toEqual([code]);
      const [trial] = (await imported(folder)).trials;
      expect(trial?.slo?.rows.map((row) => row.passed)).toContain(trial?.valid === true ? passed : null);
    }
  });

  it('walks roles with cookies, extracted values, uploads and what pages embed, and draws what Benchside’s users draw', async () => {
    service = new AskedService(({ url }) => {
      if (url === '/users') return { body: '{"id": 7}', headers: { 'set-cookie': 'session=s1; Path=/' } };
      if (url === '/front')
        return {
          body: '<script src="/a.js"></script><img src="b.png"><img src="http://elsewhere/x.png">',
          headers: { 'content-type': 'text/html' },
        };
      return url.startsWith('/ads/') ? { headers: { 'x-seen': url.slice(5) } } : {};
    });
    const folder = await exported({ load: 'shoppers', connections: 3 });
    await runK6(folder, await service.start());
    const { asked } = service;
    const of = (start: string): typeof asked => asked.filter(({ url }) => url.startsWith(start));
    expect(of('/users').map(({ body }) => body.toString())).toHaveLength(3);
    expect(new Set(of('/users').map(({ body }) => body.toString())).size).toBe(3);
    expect(of('/ads/').every(({ headers }) => headers.cookie === 'session=s1')).toBe(true);
    // Each user fetches each file once, as with a cache.
    expect([of('/a.js').length, of('/b.png').length]).toEqual([3, 3]);
    for (const user of [1, 2, 3]) {
      const seen = of('/ads/').filter(({ headers }) => headers['x-user'] === String(user));
      const random = new SeededRandom(blockSeed(blockSeed(1, 1), user));
      const own = seen.map((_one, index) => {
        random.seek(index + 1);
        return `/ads/${random.nextInteger(1, 100_000)}`;
      });
      expect(seen.length).toBeGreaterThan(3);
      expect(seen.map(({ url }) => url)).toEqual(own);
    }
    const [upload] = of('/pictures/');
    expect(of('/ads/').map(({ url }) => url.slice(5))).toContain(upload?.url.slice('/pictures/'.length));
    const random = new SeededRandom(50);
    const bytes = Buffer.alloc(52);
    for (let at = 0; at < 52; at += 4) bytes.writeUInt32LE(random.nextUint32(), at);
    expect(upload?.body.includes(bytes.subarray(0, 50))).toBe(true);
    expect(upload?.body.toString('latin1')).toMatch(/name="title"\r\n\r\nof \d+\r\n/);
    const run = await imported(folder);
    // Who signs up and fetches what pages embed does so once, mostly before the window.
    const steps = run.trials[0]?.steps.map(({ role, step: name }) => `${role}: ${name}`) ?? [];
    expect(steps.filter((name) => !/assets|sign up/.test(name))).toEqual(['shopper: front', 'shopper: look', 'shopper: send']);
  });

  it(
    'puts the load of a run on in place of Benchside’s own generator, and leaves nothing running when it is cancelled',
    { timeout: 120_000 },
    async () => {
      const request = { targets: ['svc'], settings: { pool: [4] }, load: 'brief', route: '/', connections: [8], rounds: 1 };
      const run = await engine.run({ ...request, generator: { kind: 'k6', processes: 2 } });
      expect(run.environment.generator).toMatch(/^k6 v\d.*, 2 processes on this machine$/);
      const [trial] = run.trials;
      expect(trial?.requests).toBeGreaterThan(20);
      expect(trial?.errors.total).toBe(0);
      expect(trial?.resources.generator.cpuUsPerRequest).toBeGreaterThan(0);

      const long = engine.measure({ kind: 'run', ...request, durationS: 60, generator: { kind: 'k6', processes: 2 } });
      const k6s = (): number[] => engine.processes().flatMap(({ pid }) => (/(^|\/)k6 run/.test(commandLine(pid)) ? [pid] : []));
      await waitFor(() => k6s().length === 2, { timeoutMs: 60_000, what: 'two k6' });
      await engine.request('run/cancel', {});
      expect((await long).outcome).toBe('cancelled');
      expect(k6s()).toEqual([]);
    },
  );

  it('puts it on over TLS with a self-signed certificate, and at ::1 alone', { timeout: 120_000 }, async () => {
    const targets = ['tls', ...(hasIpv6 ? ['six'] : [])];
    const run = await engine.run({
      targets,
      settings: {},
      load: 'brief',
      connections: [4],
      rounds: 1,
      generator: { kind: 'k6', processes: 1 },
    });
    expect(run.trials.map(({ requests, errors }) => ({ answered: requests > 20, errors: errors.total }))).toEqual(
      targets.map(() => ({ answered: true, errors: 0 })),
    );
  });

  it('is refused in place of our own generator where it cannot do the same', async () => {
    const request = { targets: ['svc'], settings: { pool: [4] }, load: 'brief', connections: [2], rounds: 1 };
    const refusals: [object, RegExp][] = [
      [{ generator: { kind: 'k6', processes: 3 } }, /3 processes of k6 cannot share 2 connections/],
      [{ generator: { kind: 'k6', processes: 1 }, raw: { share: 1 } }, /Raw samples are kept by Benchside’s own generator/],
    ];
    for (const [changes, message] of refusals) {
      const refused = await failureOf(engine.measure({ kind: 'run', ...request, ...changes }));
      expect([refused.code, refused.message]).toEqual(['k6-cannot', expect.stringMatching(message)]);
    }
  });

  it.each(['node', 'java'])('puts the mix of the sample %s on it without an error', { timeout: 240_000 }, async (target) => {
    const { port } = await engine.request('target/start', { id: target });
    try {
      const folder = await exported({ targets: [target], settings: { pool: [4] }, connections: 4 });
      await runK6(folder, `http://127.0.0.1:${port}`, { runners: 2 });
      const [trial] = (await imported(folder)).trials;
      expect(trial?.errors.total).toBe(0);
      expect(trial?.steps.length).toBeGreaterThan(2);
      expect(trial?.requests).toBeGreaterThan(20);
    } finally {
      await engine.request('target/stop', { id: target });
    }
  });
});
