import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FailureError } from '../../src/model/domain/failure.ts';
import { type Role, type StepMetrics, roleSchema } from '../../src/model/domain/scenario.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { RolesPlan } from '../../src/engine/load/scenario/rolesPlan.ts';
import { steadyStages } from '../../src/engine/load/stages/stages.ts';
import { startLoadBench } from '../support/loadBench.ts';
import { runRoles } from '../support/rolesRun.ts';
import { type AppHandler, type UserApp, startUserApp } from '../support/userApp.ts';
import { waitFor } from '../support/waitFor.ts';

let generator: LoadGenerator;
let end: () => Promise<void>;
let app: UserApp | undefined;

beforeAll(async () => {
  ({ generator, end } = await startLoadBench());
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
});
afterAll(() => end());

async function start(handler: AppHandler): Promise<UserApp> {
  app = await startUserApp(handler);
  return app;
}

function role(changes: { name?: string; weight?: number; once?: object[]; steps: object[] }): Role {
  return roleSchema.parse({ name: 'guest', weight: 1, ...changes });
}

function plan(port: number, roles: Role[], changes: Partial<RolesPlan> = {}): RolesPlan {
  return { host: '127.0.0.1', port, roles, stages: steadyStages(3, 1), settleMs: 100, timeoutMs: 2000, seed: 7, ...changes };
}

function step(steps: readonly StepMetrics[], name: string): StepMetrics {
  const found = steps.find((figures) => figures.step === name);
  if (found === undefined) throw new Error(`no figures of ${name}`);
  return found;
}

const json = (value: unknown): [number, Record<string, string>, string] => [
  200,
  { 'content-type': 'application/json' },
  JSON.stringify(value),
];

/** Accounts with sessions in cookies; an upload needs the session and is hashed. */
function accounts(): AppHandler {
  const sessions = new Map<string, string>();
  return (request, response) => {
    const reply = (status: number, headers: Record<string, string>, body: string): void =>
      void response.writeHead(status, headers).end(body);
    const session = /session=([^;]+)/.exec(request.cookie ?? '')?.[1] ?? '';
    if (request.path === '/accounts') {
      const { name } = JSON.parse(request.body) as { name: string };
      if ([...sessions.values()].includes(name)) return reply(409, {}, '{}');
      const token = createHash('md5').update(name).digest('hex');
      sessions.set(token, name);
      return reply(201, { 'set-cookie': `session=${token}; Path=/; HttpOnly; SameSite=Lax` }, JSON.stringify({ id: sessions.size, name }));
    }
    const name = sessions.get(session);
    if (name === undefined) return reply(401, {}, '{"error":"log in first"}');
    if (request.path === '/account') return reply(...json({ id: 5, name, tags: [{ key: 'a/b' }] }));
    if (request.path === '/uploads') return reply(201, {}, JSON.stringify({ bytes: request.body.length, name }));
    return reply(...json({ path: request.path }));
  };
}

describe('a role', () => {
  it('signs up once, keeps its cookie, extracts values, fills templates and uploads a file', async () => {
    const { port, seen } = await start(accounts());
    const band = role({
      name: 'band',
      once: [
        {
          name: 'sign up',
          method: 'POST',
          path: '/accounts',
          body: '{"name":"band-{{unique}}","password":"secret {{user}}"}',
          expect: [201],
        },
      ],
      steps: [
        { name: 'account', path: '/account', extract: { id: '/id', tag: '/tags/0/key', owner: 'regex:"name":"([a-z0-9-]+)"' } },
        { name: 'album', path: '/albums/{{id}}/{{tag}}?by={{owner}}&n={{iteration}}&r={{random:3-4}}' },
        {
          name: 'upload',
          method: 'POST',
          path: '/uploads',
          expect: [201],
          multipart: [
            { name: 'title', text: 'of {{owner}}' },
            { name: 'file', fileName: 'a.mp3', contentType: 'audio/mpeg', bytes: 5000 },
          ],
        },
      ],
    });
    // Long enough for several turns of each of the three on a machine that others keep busy.
    const result = await runRoles(generator, plan(port, [band], { stages: steadyStages(3, 3) }));

    expect(result.firstErrors).toEqual([]);
    expect(result.total.errors.total).toBe(0);
    expect(seen.filter(({ path }) => path === '/accounts').length).toBe(3);
    const albums = seen.filter(({ path }) => path.startsWith('/albums'));
    expect(albums.length).toBeGreaterThan(5);
    for (const { path } of albums) expect(path).toMatch(/^\/albums\/5\/a%2Fb\?by=band-[a-z0-9]+-[123]&n=\d+&r=[34]$/);
    expect(new Set(albums.map(({ cookie }) => cookie)).size).toBe(3);
    const upload = seen.find(({ path }) => path === '/uploads');
    expect(upload?.contentType).toMatch(/^multipart\/form-data; boundary=/);
    expect(upload?.body).toMatch(/name="title"\r\n\r\nof band-[a-z0-9]+-[123]\r\n/);
    expect(upload?.body).toMatch(/name="file"; filename="a.mp3"\r\nContent-Type: audio\/mpeg\r\n/);
    expect(upload?.body.length).toBeGreaterThan(5000);
    // The steps and the block count the same requests.
    const { steps } = result;
    expect(steps.map(({ step: name }) => name)).toEqual(['sign up', 'account', 'album', 'upload']);
    expect(steps.reduce((sum, { requests }) => sum + requests, 0)).toBe(result.total.requests);
    expect(step(steps, 'upload').p99Ms).toBeGreaterThan(0);
    await waitFor(() => app?.open() === 0, { what: 'all connections closed' });
  });

  it('says which step could not extract which value, counts an error, and goes on with the next iteration', async () => {
    const { port, seen } = await start((request, response) => response.end(request.path === '/list' ? '{"items":[]}' : 'no'));
    const guest = role({
      steps: [
        { name: 'list', path: '/list', extract: { id: '/id' }, thinkMs: { min: 5, max: 5 } },
        { name: 'one', path: '/one/{{id}}' },
      ],
    });
    const result = await runRoles(generator, plan(port, [guest], { stages: steadyStages(1, 0.5) }));

    const sentence = 'Step ‘list’ of role ‘guest’ could not extract ‘id’: no /id in the answer.';
    expect(result.firstErrors).toEqual([sentence]);
    expect(step(result.steps, 'list')).toMatchObject({ requests: 0, problem: sentence });
    expect(step(result.steps, 'list').errors).toBe(result.total.errors.total);
    expect(result.total.errors.unexpected).toBeGreaterThan(1);
    expect(result.total.requests).toBe(0);
    expect(seen.every(({ path }) => path === '/list')).toBe(true);
  });

  it('counts statuses by what the step expects, and answers that do not come in time', async () => {
    const { port } = await start((request, response) => {
      if (request.path === '/never') return;
      response.writeHead(request.path === '/gone' ? 410 : 200).end('x');
    });
    const guest = role({
      steps: [
        { name: 'gone', path: '/gone', expect: [410] },
        { name: 'plain', path: '/plain', expect: [201] },
        { name: 'never', path: '/never' },
      ],
    });
    const { steps, total } = await runRoles(generator, plan(port, [guest], { stages: steadyStages(2, 3), settleMs: 0, timeoutMs: 600 }));

    expect(step(steps, 'gone').errors).toBe(0);
    expect(step(steps, 'gone').requests).toBeGreaterThan(3);
    expect(step(steps, 'plain')).toMatchObject({
      requests: 0,
      problem: 'Step ‘plain’ of role ‘guest’ was answered with 200 instead of 201.',
    });
    expect(step(steps, 'never').problem).toBe('Step ‘never’ of role ‘guest’ got no answer: it took longer than 600 ms.');
    expect(total.errors.timeout).toBe(step(steps, 'never').errors);
    expect(total.errors.timeout).toBeGreaterThanOrEqual(6);
    expect(total.requests).toBe(step(steps, 'gone').requests);
  });

  it('fetches what a page embeds, six at a time, once per user unless the answer forbids to keep it', async () => {
    const firstSix: (() => void)[] = [];
    let underWay = 0;
    let most = 0;
    const page = `<html><head><link rel="stylesheet" href="/a.css"><link rel=icon href="/icon"><script src="b.js?v=1&amp;w=2"></script>
      <script src="http://elsewhere.invalid/c.js"></script></head><body>${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `<img src="img/${n}.png">`).join('')}</body></html>`;
    const { port, seen } = await start((request, response) => {
      if (request.path === '/shop/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      underWay += 1;
      most = Math.max(most, underWay);
      const answer = (): void => {
        underWay -= 1;
        response.writeHead(200, request.path === '/a.css' ? { 'cache-control': 'no-store' } : {}).end('x');
      };
      // The first are answered when six are under way, however late a busy machine sends them, and while a seventh would be seen.
      if (firstSix.length === 6) setTimeout(answer, 30);
      else if (firstSix.push(answer) === 6) setTimeout(() => firstSix.forEach((one) => one()), 30);
    });
    const guest = role({ steps: [{ name: 'page', path: '/shop/', assets: true, thinkMs: { min: 100, max: 100 } }] });
    const { steps, total } = await runRoles(generator, plan(port, [guest], { stages: steadyStages(1, 1.5), settleMs: 0 }));

    const count = (path: string): number => seen.filter((request) => request.path === path).length;
    expect(count('/shop/')).toBeGreaterThan(2);
    expect(count('/shop/b.js?v=1&w=2')).toBe(1);
    expect(count('/shop/img/8.png')).toBe(1);
    expect(count('/a.css')).toBeGreaterThan(1);
    expect(count('/icon') + count('/c.js')).toBe(0);
    expect(most).toBe(6);
    // What was under way at the end was seen and is not counted.
    expect(Math.abs(step(steps, 'page (assets)').requests - 9 - count('/a.css'))).toBeLessThanOrEqual(1);
    // A page has answered before the rest of it is there: the user may be on the way at the end.
    expect([0, 1]).toContain(total.requests - step(steps, 'page').requests - step(steps, 'page (assets)').requests);
    // The first visit waits for two rounds of six; the page alone takes no time.
    expect(step(steps, 'page').maxMs).toBeGreaterThan(55);
    expect(step(steps, 'page (assets)').p50Ms).toBeLessThan(step(steps, 'page').maxMs ?? 0);
  });

  it('thinks between steps, and several roles share the users by weight', async () => {
    const { port, seen } = await start((_request, response) => response.end('x'));
    const of = (name: string, weight: number): Role =>
      role({ name, weight, steps: [{ name: 'look', path: `/${name}/{{user}}`, thinkMs: { min: 180, max: 220 } }] });
    const result = await runRoles(
      generator,
      plan(port, [of('registered', 10), of('guest', 10), of('band', 1)], { stages: steadyStages(21, 1.1) }),
    );

    const users = (name: string): number => new Set(seen.filter(({ path }) => path.startsWith(`/${name}/`)).map(({ path }) => path)).size;
    expect([users('registered'), users('guest'), users('band')]).toEqual([10, 10, 1]);
    expect(result.meanUsers).toBeCloseTo(21, 1);
    // 21 users, about five requests/s each.
    expect(result.total.throughput).toBeGreaterThan(40);
    expect(result.total.throughput).toBeLessThan(21 / 0.18 + 1);
    expect(result.total.generator.littleRatio).toBeNull();
  });

  it('refuses a scenario that makes no sense with a sentence that names the step', async () => {
    const { port } = await start((_request, response) => response.end('x'));
    const bad = role({ steps: [{ name: 'one', path: '/one/{{id}}' }] });
    const error: unknown = await runRoles(generator, plan(port, [bad])).catch((reason: unknown) => reason);
    expect(error instanceof FailureError && error.failure).toMatchObject({
      code: 'scenario-invalid',
      message: 'Step ‘one’ of role ‘guest’ uses ‘id’, which no step before it extracts.',
    });
    // The generator is as good as before.
    const good = role({ steps: [{ name: 'one', path: '/one' }] });
    expect((await runRoles(generator, plan(port, [good], { stages: steadyStages(1, 1) }))).total.requests).toBeGreaterThan(0);
  });

  it('counts refused connections and does not ask without end', async () => {
    const { port, stop } = await startUserApp((_request, response) => response.end('x'));
    await stop();
    const guest = role({ steps: [{ name: 'one', path: '/one' }] });
    const { total, steps } = await runRoles(generator, plan(port, [guest], { stages: steadyStages(2, 1) }));
    expect(total.requests).toBe(0);
    expect(total.errors.refused).toBeGreaterThan(4);
    expect(total.errors.refused).toBeLessThan(2 * 20);
    expect(step(steps, 'one').problem).toBe('Step ‘one’ of role ‘guest’ got no answer: the connection was refused.');
  });
});
