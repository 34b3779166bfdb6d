import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { toFailure } from '../../../src/model/domain/failure.ts';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import type { Traffic } from '../../../src/model/domain/traffic.ts';
import { compileRoles } from '../../../src/engine/load/scenario/compileRoles.ts';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { readTraffic } from '../../../src/engine/traffic/readTraffic.ts';
import type { TrafficWishes } from '../../../src/engine/traffic/trafficDraft.ts';
import { trafficProfile } from '../../../src/engine/traffic/trafficProfile.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'benchside-traffic-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const reading: TrafficWishes = { writes: [], asRecorded: false };

function profileOf(text: string, wishes: TrafficWishes = reading): Traffic & { roles: NonNullable<ReturnType<typeof rolesOf>> } {
  const file = path.join(folder, 'traffic');
  writeFileSync(file, text);
  const { source, draft } = readTraffic([file], wishes);
  const traffic = trafficProfile(source, draft, null, { name: 'seen', asRecorded: wishes.asRecorded });
  const roles = rolesOf(traffic.text);
  // What is written can be walked.
  compileRoles(roles);
  return { ...traffic, roles };
}

function rolesOf(text: string) {
  return loadProfileSchema.parse(JSON.parse(text)).roles ?? [];
}

function logLine(client: string, request: string, { second = 0, status = 200 } = {}): string {
  return `${client} - - [10/Oct/2025:13:55:${String(second).padStart(2, '0')} +0200] "${request} HTTP/1.1" ${status} 123 "-" "agent"`;
}

interface Exchange {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  status?: number;
  answer?: unknown;
  setCookie?: string;
  type?: string;
}

function harOf(exchanges: readonly Exchange[]): string {
  const pairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }));
  const entries = exchanges.map(
    ({ method = 'GET', path: where, headers = {}, body, status = 200, answer, setCookie, type = 'application/json' }, at) => ({
      startedDateTime: new Date(Date.UTC(2025, 0, 1, 0, 0, at)).toISOString(),
      request: {
        method,
        url: `https://shop.example${where}`,
        headers: pairs(headers),
        ...(body === undefined ? {} : { postData: { mimeType: headers['content-type'], text: body } }),
      },
      response: {
        status,
        headers: pairs(setCookie === undefined ? {} : { 'set-cookie': setCookie }),
        content: {
          mimeType: type,
          ...(answer === undefined ? {} : { text: typeof answer === 'string' ? answer : JSON.stringify(answer) }),
        },
      },
    }),
  );
  return JSON.stringify({ log: { version: '1.2', creator: {}, entries } });
}

describe('routes of traffic', () => {
  it('have parameters where keys, numbered names or ever new names stand, and none where few names stand', () => {
    const lines = [
      ...['/items/1', '/items/22', '/items/3fa85f64-5717-4562-b3fc-2c963f66afa6', '/items/search'],
      ...['/orders/ORD-0001/lines', '/orders/ORD-0002/lines', '/orders/ORD-77/lines', '/api/v1/users', '/api/v2/users'],
      ...Array.from(
        { length: 300 },
        (_, n) =>
          `/articles/how-to-${['cook', 'sing', 'walk'][n % 3] ?? ''}-${String.fromCharCode(97 + (n % 26), 97 + (n % 25), 97 + (n % 7))}`,
      ),
    ].map((target) => logLine('10.0.0.1', `GET ${target}`));
    expect(new Set(profileOf(lines.join('\n')).routes.map(({ route }) => route))).toEqual(
      new Set([
        'GET /articles/:articleId',
        'GET /items/:itemId',
        'GET /items/search',
        'GET /orders/:orderId/lines',
        'GET /api/v1/users',
        'GET /api/v2/users',
      ]),
    );
  });

  it('have parameters where short keys stand that programs made, beside names that recur, and none for names with digits', () => {
    const visits = (target: string, times: number) => Array.from({ length: times }, () => target);
    const routesOf = (targets: readonly string[]) =>
      profileOf(targets.map((target) => logLine('10.0.0.1', `GET ${target}`)).join('\n'))
        .routes.map(({ route }) => route)
        .sort();
    // A few of them, in a short recording.
    expect(
      routesOf(['/s/x7Kq', '/s/9fQ2', '/s/b3Xa', '/s/aKxQ', '/s/list', '/gates/ab12/open', '/gates/cd34/open', '/gates/ef56/open']),
    ).toEqual(['GET /gates/:gateId/open', 'GET /s/:id', 'GET /s/list']);
    // Hundreds, most of them rare and a few hot, of letters and digits as a generator draws them; every fourth has no digit.
    const drawn = new SeededRandom(1);
    const key = () => Array.from({ length: 5 }, () => '0123456789abcdefghijklmnopqrstuvwxyz'.charAt(drawn.nextInteger(0, 35))).join('');
    const links = Array.from({ length: 400 }, (_, rank) => visits(`/links/${key()}/stats`, Math.ceil(60 / (rank + 1)))).flat();
    expect(routesOf([...links, ...visits('/links/mine/stats', 90), ...visits('/links/daily/stats', 90)])).toEqual([
      'GET /links/:linkId/stats',
      'GET /links/daily/stats',
      'GET /links/mine/stats',
    ]);
    // A handful, asked for again and again, of hexadecimal digits.
    expect(routesOf(['/t/3f2a91c', '/t/a07be44', '/t/9cd01f2', '/t/77e0b3a'].flatMap((target) => visits(target, 50)))).toEqual([
      'GET /t/:tId',
    ]);
    // Names: few, and asked for again and again.
    const named = [
      '/api/v1',
      '/api/v2',
      '/help/2fa',
      '/help/oauth2',
      '/help/i18n',
      '/help/3ds',
      '/help/utf8',
      '/hash/md5',
      '/hash/sha256',
      '/hash/aes128',
    ];
    expect(routesOf(named.flatMap((target) => visits(target, 40)))).toEqual(named.map((target) => `GET ${target}`).sort());
  });

  it('that only failed are no part of the load, and do not make parameters of names', () => {
    const probes = Array.from({ length: 300 }, (_, n) =>
      logLine('6.6.6.6', `GET /${'abcdefghij'.charAt(n % 10)}${'klmnopqrst'.charAt(n / 30)}.php`, { status: 404 }),
    );
    const { routes, roles } = profileOf([...probes, logLine('10.0.0.1', 'GET /health')].join('\n'));
    expect(routes.filter(({ left }) => left === null).map(({ route }) => route)).toEqual(['GET /health']);
    expect(routes.filter(({ left }) => left === 'fails').length).toBeGreaterThan(50);
    expect(roles.map(({ steps }) => steps.map(({ path: where }) => where))).toEqual([['/health']]);
  });
});

describe('sessions of traffic', () => {
  it('keep their order, and weigh as often as they were seen', () => {
    const walk = (client: string, targets: readonly string[]) =>
      targets.map((target, second) => logLine(client, `GET ${target}`, { second }));
    const text = [...walk('1.1.1.1', ['/a', '/b']), ...walk('2.2.2.2', ['/b', '/a']), ...walk('3.3.3.3', ['/a', '/b'])].join('\n');
    const { roles, sessions, ratePerS } = profileOf(text);
    expect({ sessions, ratePerS }).toEqual({ sessions: 3, ratePerS: 6 });
    expect(roles.map(({ weight, steps }) => [weight, ...steps.map(({ path: where }) => where)])).toEqual([
      [4, '/a', '/b'],
      [2, '/b', '/a'],
    ]);
  });

  it('of many courses keep the shares of the routes', () => {
    const lines = Array.from({ length: 4_000 }, (_, n) => {
      const route = (n * 7_919) % 10 < 6 ? 'list' : (n * 104_729) % 13 < 9 ? 'detail' : 'rare';
      return logLine(`10.0.${n % 97}.1`, `GET /${route}`, { second: n % 60 });
    });
    const { roles, routes } = profileOf(lines.join('\n'));
    const shares = new Map<string, number>();
    const weights = roles.reduce((sum, { weight }) => sum + weight, 0);
    for (const { weight, steps } of roles)
      for (const { path: where } of steps) shares.set(`GET ${where}`, (shares.get(`GET ${where}`) ?? 0) + weight / weights / steps.length);
    for (const { route, share } of routes) expect(shares.get(route)).toBeCloseTo(share, 1);
  });

  it('pause as they did, with as many users as there were, where that is asked for', () => {
    const lines = [0, 10, 30].map((second) => logLine('1.1.1.1', `GET /a${'x'.repeat(second / 10)}`, { second }));
    const { roles, text } = profileOf(lines.join('\n'), { ...reading, asRecorded: true });
    expect(roles[0]?.steps.map(({ thinkMs }) => thinkMs)).toEqual([
      { min: 5_000, max: 15_000 },
      { min: 10_000, max: 30_000 },
      { min: 0, max: 0 },
    ]);
    expect(loadProfileSchema.parse(JSON.parse(text)).connections).toBe(1);
  });
});

describe('a recorded session', () => {
  const json = { 'content-type': 'application/json' };
  it('takes a token of a page’s form and a cookie from the answers, and leaves out what signs out', () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { roles, secrets, text } = profileOf(
      harOf([
        {
          path: '/login',
          type: 'text/html',
          answer: '<form><input name="_csrf" value="k3j4h5k3j4h5"></form>',
          setCookie: 'sid=one111; Path=/',
        },
        {
          method: 'POST',
          path: '/login',
          headers: { ...form, cookie: 'sid=one111' },
          body: '_csrf=k3j4h5k3j4h5&name=ann&password=hunter22',
          status: 302,
          setCookie: 'sid=two222',
        },
        { path: '/account', headers: { cookie: 'sid=two222' }, answer: {} },
        { path: '/logout', headers: { cookie: 'sid=two222' }, status: 302, setCookie: 'sid=; Max-Age=0' },
      ]),
    );
    expect(roles[0]?.once.map(({ name, extract }) => [name, extract])).toEqual([
      ['GET /login', { csrf: 'regex:input name="_csrf" value="([^"\'<>\\s]+)' }],
      ['POST /login', {}],
    ]);
    expect(roles[0]?.once[1]?.body).toBe('_csrf={{csrf}}&name=ann&password=${env:TRAFFIC_PASSWORD}');
    expect(roles[0]?.steps.map(({ name }) => name)).toEqual(['GET /account']);
    expect(secrets.map(({ name }) => name)).toEqual(['TRAFFIC_PASSWORD']);
    for (const secret of ['hunter22', 'one111', 'two222', 'k3j4h5']) expect(text).not.toContain(secret);
  });

  it('names variables for tokens that no answer gave, and says which cookies are missing', () => {
    const { roles, secrets, notes } = profileOf(
      harOf([
        {
          path: '/orders?api_key=abcdef123',
          headers: { authorization: 'Bearer abc.def.ghi', cookie: 'old=1', 'sec-fetch-mode': 'cors' },
          answer: [],
        },
      ]),
    );
    expect(roles[0]?.steps[0]).toMatchObject({
      path: '/orders?api_key=${env:TRAFFIC_API_KEY}',
      headers: { authorization: 'Bearer ${env:TRAFFIC_AUTHORIZATION}' },
    });
    expect(secrets.map(({ field }) => field).sort()).toEqual(['api_key', 'authorization']);
    expect(notes).toContainEqual({ code: 'unknown-cookies', requests: 1 });
  });

  it('takes a value only from answers before the request that sends it', () => {
    const { roles } = profileOf(
      harOf([
        {
          method: 'POST',
          path: '/sign-in',
          headers: json,
          body: '{"username":"administrator7","password":"hunter22"}',
          answer: { username: 'administrator7' },
          setCookie: 'sid=one111; Path=/',
        },
        {
          method: 'POST',
          path: '/drafts',
          headers: { ...json, cookie: 'sid=one111' },
          body: '{"title":"a"}',
          answer: { draftId: '7d444840-9dc0-11d1-b245-5ffdce74fad2' },
        },
        {
          path: '/drafts/7d444840-9dc0-11d1-b245-5ffdce74fad2',
          headers: { cookie: 'sid=one111' },
          answer: { draftId: '7d444840-9dc0-11d1-b245-5ffdce74fad2' },
        },
        {
          method: 'POST',
          path: '/publish',
          headers: { ...json, cookie: 'sid=one111' },
          body: '{"draftId":"7d444840-9dc0-11d1-b245-5ffdce74fad2"}',
          answer: { draftId: '7d444840-9dc0-11d1-b245-5ffdce74fad2' },
        },
      ]),
      { ...reading, writes: 'all' },
    );
    expect(roles[0]?.once.map(({ body, extract }) => [body, extract])).toEqual([
      ['{ "username":"administrator7","password":"${env:TRAFFIC_PASSWORD}" }', {}],
    ]);
    expect(roles[0]?.steps.map(({ path: where, body, extract }) => [where, body, extract])).toEqual([
      ['/drafts', '{ "title":"a" }', { draftId: '/draftId' }],
      ['/drafts/{{draftId}}', undefined, {}],
      ['/publish', '{ "draftId":"{{draftId}}" }', {}],
    ]);
  });

  it('sends what was ticked with what its answers made, and braces as they were', () => {
    const exchanges: Exchange[] = [
      { method: 'POST', path: '/carts', headers: json, body: '{"note":"{{now}} {}","deep":{"a":{"b":1}}}', answer: { id: 71 } },
      { method: 'POST', path: '/lines', headers: json, body: '{"cartId":71,"count":71}', answer: {} },
      { path: '/carts/71', answer: {} },
    ];
    const { roles } = profileOf(harOf(exchanges), { ...reading, writes: 'all' });
    const [first, second, third] = roles[0]?.steps ?? [];
    expect(JSON.parse(first?.body ?? '')).toEqual({ note: '{{now}} {}', deep: { a: { b: 1 } } });
    expect(first?.extract).toEqual({ id: '/id' });
    expect(second?.body).toBe('{ "cartId":{{id}},"count":71 }');
    expect(third?.path).toBe('/carts/{{id}}');
    const { routes, roles: read } = profileOf(harOf(exchanges));
    expect(routes.filter(({ left }) => left === 'writes').map(({ route }) => route)).toEqual(['POST /carts', 'POST /lines']);
    expect(read[0]?.steps.map(({ path: where }) => where)).toEqual(['/carts/71']);
  });
});

describe('a file of traffic', () => {
  const forms: Readonly<Record<string, string>> = {
    'access log': [logLine('1.1.1.1', 'GET /items/7'), logLine('1.1.1.1', 'GET /items')].join('\n'),
    'HAR file': harOf([{ path: '/items/7' }, { path: '/items' }, { path: '/logo.png', type: 'image/png' }]),
    'JSON lines': ['/items/7', '/items']
      .map((uri, n) =>
        JSON.stringify({
          level: 30,
          ts: 1_750_000_000.5 + n,
          request: { method: 'GET', uri, remote_ip: '1.1.1.1' },
          duration: 0.2,
          status: 200,
        }),
      )
      .join('\n'),
    'OpenAPI file': 'openapi: 3.1.0\npaths:\n  /items/{id}:\n    get: {}\n  /items:\n    get: {}\n',
    'Postman collection': JSON.stringify({
      info: { _postman_id: 'x', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      variable: [{ key: 'base', value: 'http://localhost:3000' }],
      item: [
        { item: [{ request: { method: 'GET', url: { raw: '{{base}}/items/7' } } }] },
        { request: { method: 'GET', url: '{{other}}/items' } },
      ],
    }),
    '.http file':
      '@host = http://localhost:3000\n### one\nGET {{host}}/items/7\nAccept: application/json\n\n###\nGET {{elsewhere}}/items\n',
    'curl lines': "curl 'http://localhost:3000/items/7' \\\n  -H 'accept: */*'\ncurl -s localhost:3000/items | jq .\n",
    'OTLP spans': JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: ['/items/7', '/items'].map((where, n) => ({
                kind: 2,
                startTimeUnixNano: String(1_750_000_000_000_000_000n + BigInt(n)),
                attributes: [
                  { key: 'http.request.method', value: { stringValue: 'GET' } },
                  { key: 'url.path', value: { stringValue: where } },
                  { key: 'http.response.status_code', value: { intValue: '200' } },
                ],
              })),
            },
          ],
        },
      ],
    }),
  };
  it.each(Object.keys(forms))('that is a %s is known by its beginning, and says the same as any other', (name) => {
    const { source, routes } = profileOf(forms[name] ?? '');
    expect(source).toBe(name);
    expect(routes.map(({ route, left }) => [route.replace(/:\w+/, ':'), left]).sort()).toEqual([
      ['GET /items', null],
      ['GET /items/:', null],
    ]);
  });

  it('of curl is read as a shell reads it, with a body that is posted', () => {
    const { roles } = profileOf(`curl -X POST http://h/orders -H "Content-Type: application/json" --data-raw $'{"a":"it\\'s"}'`, {
      ...reading,
      writes: 'all',
    });
    expect(roles[0]?.steps[0]).toMatchObject({
      method: 'POST',
      path: '/orders',
      headers: { 'content-type': 'application/json' },
      body: '{ "a":"it\'s" }',
    });
  });

  it('that is none is refused with the forms that there are', () => {
    const file = path.join(folder, 'none');
    writeFileSync(file, 'Dear diary,\ntoday I ate a cake.\n');
    let failed: unknown;
    try {
      readTraffic([file], reading);
    } catch (error) {
      failed = error;
    }
    expect(toFailure(failed)).toMatchObject({ code: 'traffic-unknown', cure: expect.stringContaining('HAR file') as string });
  });
});
