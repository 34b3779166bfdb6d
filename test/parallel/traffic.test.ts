import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadProfileSchema } from '../../src/model/domain/loadProfile.ts';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { appTarget, failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { startRecorder } from '../support/harRecorder.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

const slow = 120_000;
const password = 'correct horse "battery"';
const sql = path.join(repositoryDir, 'test/fixtures/apps/sessions.sql');
let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

async function shopEngine(env: Record<string, string> = {}): Promise<TestEngine> {
  const workspaceDir = temporaryFolder('shop');
  writeFileSync(path.join(workspaceDir, 'shop.sql'), readFileSync(sql));
  return TestEngine.start({
    workspaceDir,
    env,
    file: {
      targets: [
        appTarget('shop', 'sessions.mjs', {
          ready: { path: '/health' },
          routes: [{ path: '/health' }],
          postgres: { env: { url: 'DATABASE_URL' }, database: 'traffic_test', sql: ['shop.sql'] },
        }),
      ],
    },
  });
}

/** The load profile as a file of the workspace, with shorter blocks. */
function writeProfile(text: string, name: string): void {
  const folder = path.join(engine.workspaceDir, 'profiles');
  mkdirSync(folder, { recursive: true });
  const brief = { connections: 3, durationS: 1, settleS: 0.1, warmUp: { minS: 0, maxS: 1, jvmMaxS: 1 } };
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ ...(JSON.parse(text) as object), ...brief }));
}

/** How often each key is drawn, the commonest first, over all steps. */
function sharesOf(text: string): number[] {
  const shares = new Map<string, number>();
  for (const [, list = ''] of text.matchAll(/any:([^}]+)/g)) {
    const drawn = list.split(',').map((one) => ({ key: one.split('*')[0] ?? '', weight: Number(one.split('*')[1] ?? 1) }));
    const all = drawn.reduce((sum, { weight }) => sum + weight, 0);
    for (const { key, weight } of drawn) shares.set(key, (shares.get(key) ?? 0) + weight / all);
  }
  return [...shares.values()].sort((a, b) => b - a);
}

function stepsOf(run: RunRecord): { step: string; asked: boolean; errors: number; problem: string | null }[] {
  return run.trials.flatMap(({ steps }) =>
    steps.map(({ step, requests, errors, problem }) => ({ step, asked: requests > 0, errors, problem })),
  );
}

describe('a load profile from traffic', () => {
  it(
    'signs in once per user, walks the recorded session without an error, and holds no secret',
    { timeout: slow, ...longTest },
    async () => {
      engine = await shopEngine({ TRAFFIC_PASSWORD: password });
      const { port } = await engine.request('target/start', { id: 'shop', settings: {} });
      const recorder = startRecorder(port);
      const signedIn = await recorder.ask('POST', '/login', { body: { email: 'ann@example.org', password } });
      const { token } = (signedIn.body as { user: { token: string } }).user;
      const cookie = signedIn.cookie;
      const as = { headers: { authorization: `Bearer ${token}`, cookie } };
      await recorder.ask('GET', '/orders', as);
      await recorder.ask('GET', '/orders/7', as);
      const made = await recorder.ask('POST', '/orders', { ...as, body: { article: 14, quantity: 2 } });
      await recorder.ask('GET', `/orders/${(made.body as { id: number }).id}`, as);
      const har = path.join(engine.workspaceDir, 'session.har');
      writeFileSync(har, recorder.har());
      await engine.request('target/stop', { id: 'shop' });

      const reading = await engine.request('traffic/read', { files: [har], name: 'reading', target: 'shop' });
      expect(reading.routes.find(({ route }) => route === 'POST /orders')).toMatchObject({ left: 'writes' });
      expect(reading.routes.find(({ route }) => route === 'POST /login')).toMatchObject({ left: null });
      const traffic = await engine.request('traffic/read', { files: [har], name: 'session', target: 'shop', writes: ['POST /orders'] });
      for (const secret of ['correct horse', token, cookie]) expect(traffic.text).not.toContain(secret);
      expect(traffic.secrets).toEqual([{ name: 'TRAFFIC_PASSWORD', field: 'password', route: 'POST /login' }]);
      const [role] = loadProfileSchema.parse(JSON.parse(traffic.text)).roles ?? [];
      expect(role?.once.map(({ name }) => name)).toEqual(['POST /login']);
      expect(role?.steps.map(({ name, path: where }) => [name, where])).toEqual([
        ['GET /orders', '/orders'],
        ['GET /orders/:orderId', '/orders/{{any:7,51}}'],
        ['POST /orders', '/orders'],
        ['GET /orders/:orderId (2)', '/orders/{{id}}'],
      ]);

      for (const [name, { text }] of Object.entries({ reading, session: traffic })) writeProfile(text, name);
      for (const [load, count] of [
        ['profiles/session.json', 5],
        ['reading', 4],
      ] as const) {
        const run = await engine.run({ targets: ['shop'], load, rounds: 1 });
        expect(stepsOf(run)).toHaveLength(count);
        // Users sign in before the window begins.
        expect(stepsOf(run).filter(({ step, asked, errors }) => (!asked && step !== 'POST /login') || errors > 0)).toEqual([]);
        expect(run.trials.map(({ errors }) => errors.total)).toEqual([0]);
        expect(JSON.stringify(run)).not.toContain('correct horse');
      }
    },
  );

  it('is recorded by a proxy in front of the service, which keeps nothing of it', { timeout: slow, ...longTest }, async () => {
    engine = await shopEngine({ TRAFFIC_PASSWORD: password });
    const { port } = await engine.request('target/start', { id: 'shop', settings: {} });
    await engine.request('traffic/record', { port });
    expect(await failureOf(engine.request('traffic/stop', { name: 'empty' }))).toMatchObject({
      code: 'traffic-empty',
      message: 'No request was recorded.',
    });
    const proxy = await engine.request('traffic/record', { port });
    expect((await failureOf(engine.request('traffic/record', { port }))).code).toBe('traffic-recording');
    const client = startRecorder(proxy.port);
    const signedIn = await client.ask('POST', '/login', { body: { email: 'ann@example.org', password } });
    const { token } = (signedIn.body as { user: { token: string } }).user;
    const as = { headers: { authorization: `Bearer ${token}`, cookie: signedIn.cookie } };
    for (const where of ['/orders', '/orders/7']) expect((await client.ask('GET', where, as)).status).toBe(200);
    await engine.request('target/stop', { id: 'shop' });
    expect((await fetch(`http://127.0.0.1:${proxy.port}/orders`)).status).toBe(502);

    const traffic = await engine.request('traffic/stop', { name: 'recorded', target: 'shop' });
    expect(traffic.routes.map(({ route, left }) => [route, left])).toEqual(
      expect.arrayContaining([
        ['POST /login', null],
        ['GET /orders', null],
        ['GET /orders/:orderId', null],
      ]),
    );
    for (const secret of ['correct horse', token]) expect(traffic.text).not.toContain(secret);
    await expect(fetch(`http://127.0.0.1:${proxy.port}/orders`)).rejects.toThrow();
    expect((await failureOf(engine.request('traffic/stop', { name: 'recorded' }))).code).toBe('traffic-not-recording');
    expect((await failureOf(engine.request('traffic/record', { port: proxy.port }))).code).toBe('traffic-no-service');

    writeProfile(traffic.text, 'recorded');
    const run = await engine.run({ targets: ['shop'], load: 'recorded', rounds: 1 });
    expect(stepsOf(run).map(({ step }) => step)).toEqual(['POST /login', 'GET /orders', 'GET /orders/:orderId']);
    expect(run.trials.map(({ errors }) => errors.total)).toEqual([0]);
  });

  it('asks for rows that exist, as unevenly as the log did, where the log is of other data', { timeout: slow, ...slowHalf }, async () => {
    engine = await shopEngine();
    const lines: string[] = [];
    // The n-th article of 400 is asked for 1200 / n times, by numbers and by names that this database does not have.
    for (let n = 1; n <= 400; n += 1)
      for (let time = 0; time < 1200 / n; time += 1)
        for (const key of [900_000 + n, `elsewhere-${n}`]) {
          const at = `10/Oct/2025:13:${String(time % 60).padStart(2, '0')}:36 +0200`;
          lines.push(`10.0.0.${n % 250} - - [${at}] "GET /articles/${key} HTTP/1.1" 200 12 "-" "agent ${n % 7}"`);
        }
    lines.push('10.0.0.1 - - [10/Oct/2025:13:00:36 +0200] "GET /wp-login.php HTTP/1.1" 404 12 "-" "bot"');
    const log = path.join(engine.workspaceDir, 'access.log');
    writeFileSync(log, lines.join('\n'));
    const traffic = await engine.request('traffic/read', { files: [log], name: 'log', target: 'shop' });
    expect(traffic.routes.map(({ route, left }) => [route, left])).toEqual([
      ['GET /articles/:articleId', null],
      ['GET /wp-login.php', 'fails'],
    ]);
    expect(traffic.ids).toMatchObject([{ column: 'public.articles.slug' }]);
    const asked = sharesOf(traffic.text);
    expect((asked[0] ?? 0) / (asked[10] ?? 1)).toBeGreaterThan(3);
    expect(asked.length).toBeGreaterThan(150);
    writeProfile(traffic.text, 'log');
    const run = await engine.run({ targets: ['shop'], load: 'log', rounds: 1 });
    expect(run.trials.map(({ requests, errors }) => ({ some: requests > 0, errors: errors.total }))).toEqual([{ some: true, errors: 0 }]);
  });

  it('is refused before anything starts where a secret that it needs is not in the environment', { timeout: slow }, async () => {
    engine = await shopEngine();
    const step = { name: 'login', method: 'POST', path: '/login', body: '{"password":"${env:TRAFFIC_PASSWORD}"}' };
    writeProfile(JSON.stringify({ name: 'needs', rounds: 1, roles: [{ name: 'one', weight: 1, steps: [step] }] }), 'needs');
    const failure = await failureOf(engine.run({ targets: ['shop'], load: 'needs', rounds: 1 }));
    expect(failure).toMatchObject({ code: 'scenario-invalid' });
    expect(failure.message).toContain('TRAFFIC_PASSWORD');
    expect(engine.processes()).toEqual([]);
  });
});
