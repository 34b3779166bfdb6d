import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/target.ts';
import { isPortFree } from '../../src/engine/services/freePort.ts';
import { DatabaseProxy } from '../support/databaseProxy.ts';
import { SampleStack, requireSamples, sampleNames, samplesDir } from '../support/samples.ts';
import type { Answer, Question, SampleApp, SampleName } from '../support/samples.ts';
import { slowHalf } from '../support/slowHalf.ts';
import { waitFor } from '../support/waitFor.ts';

const stack = new SampleStack();
let node: SampleApp;
let java: SampleApp;
const app = (name: SampleName): SampleApp => (name === 'node' ? node : java);

beforeAll(async () => {
  requireSamples();
  await stack.start();
  [node, java] = await Promise.all([stack.app('node'), stack.app('java')]);
}, 40_000);

afterAll(async () => {
  await stack.stop();
}, 20_000);

/** What both must have in common of an answer; ids and times of new rows differ by nature. */
function comparable(answer: Answer): Record<string, unknown> {
  const masked =
    answer.status === 201 ? answer.text.replace(/"id":\d+/, '"id":0').replace(/"createdAt":"[^"]*"/, '"createdAt":""') : answer.text;
  return {
    status: answer.status,
    contentType: answer.headers['content-type'],
    contentLength: answer.headers['content-length'],
    allow: answer.headers['allow'],
    location: answer.headers['location']?.replace(/\d+$/, '0'),
    body: masked,
  };
}

/** Asks both apps the same, checks that they agree, and gives the answer. */
async function both(target: string, question: Question = {}): Promise<Answer> {
  const [fromNode, fromJava] = await Promise.all([node.ask(target, question), java.ask(target, question)]);
  expect(comparable(fromJava)).toEqual(comparable(fromNode));
  if (fromNode.status !== 201) expect(fromJava.body.equals(fromNode.body)).toBe(true);
  expect(Number(fromNode.headers['content-length'])).toBe(fromNode.body.length);
  return fromNode;
}

const newAd = { title: 'A bicycle', description: 'Two wheels.', categoryId: 1, sellerId: 2, priceCents: 12_300 };
const post = (body: unknown): Promise<Answer> =>
  both('/ads', { method: 'POST', body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) });

describe('both samples answer alike', () => {
  it('says hello without the database', async () => {
    const answer = await both('/hello');
    expect(answer).toMatchObject({ status: 200, text: 'Hello, world!' });
    expect(answer.headers['content-type']).toBe('text/plain');
  });

  it('is healthy when the database can be reached', async () => {
    expect(await both('/health')).toMatchObject({ status: 200, text: '{"status":"ok"}' });
  });

  it('gives an advertisement by its id', async () => {
    const answer = await both('/ads/6');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual([
      'id',
      'title',
      'description',
      'categoryId',
      'sellerId',
      'priceCents',
      'createdAt',
    ]);
    expect(JSON.parse(answer.text)).toMatchObject({
      id: 6,
      createdAt: expect.stringMatching(/^202[45]-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
    });
  });

  it('gives the same bytes for three hundred advertisements, with quotes and accents among them', async () => {
    let unusual = 0;
    for (let id = 1; id <= 100_000; id += 333) {
      const answer = await both(`/ads/${id}`);
      expect(answer.status).toBe(200);
      if (/\\"|é|'/.test(answer.text)) unusual += 1;
    }
    expect(unusual).toBeGreaterThan(10);
  });

  it.each([
    '/ads/100000000',
    '/ads/2147483647',
    '/ads/100000000/similar',
    '/',
    '/ads/',
    '/ads/1/',
    '/ads/1/other',
    '/ads/1/similar/',
    '/adverts',
    '/hello/',
    '//ads',
    '/health2',
  ])('knows nothing of %s', async (target) => {
    expect((await both(target)).status).toBe(404);
  });

  it.each(['abc', '1.5', '-1', '0', '01', '+1', '1e3', '2147483648', '99999999999999999999', '%31', '1%2F2', '%c3%28', '1;x=2', '..%2f1'])(
    'refuses the id %s',
    async (id) => {
      expect((await both(`/ads/${id}`)).status).toBe(400);
      expect((await both(`/ads/${id}/similar`)).status).toBe(400);
    },
  );

  it('refuses a NUL in the path, and keeps quiet about the reason', async () => {
    for (const name of sampleNames) {
      const answer = await app(name).ask('/ads/%00');
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/^\{"error":"[^"]*"\}$/);
    }
  });

  it('lists the newest of a category, newest first', async () => {
    const answer = await both('/ads?category=7&limit=20');
    const ads = JSON.parse(answer.text) as { categoryId: number; createdAt: string }[];
    expect(ads).toHaveLength(20);
    expect(ads.every((ad) => ad.categoryId === 7)).toBe(true);
    expect(ads.map((ad) => ad.createdAt)).toEqual(
      ads
        .map((ad) => ad.createdAt)
        .sort()
        .reverse(),
    );
  });

  it('lists all categories when none is named, and 20 when no limit is', async () => {
    const ads = JSON.parse((await both('/ads')).text) as { categoryId: number }[];
    expect(ads).toHaveLength(20);
    expect(new Set(ads.map((ad) => ad.categoryId)).size).toBeGreaterThan(1);
    expect((await both('/ads?category=&limit=')).text).toBe((await both('/ads')).text);
    expect(JSON.parse((await both('/ads?limit=100&category=20')).text)).toHaveLength(100);
    expect(JSON.parse((await both('/ads?x=1&category=3&limit=1&limit=9')).text)).toHaveLength(1);
  });

  it('gives an empty list for a category that has no advertisement', async () => {
    expect(await both('/ads?category=4711')).toMatchObject({ status: 200, text: '[]' });
  });

  it.each([
    'category=bicycles',
    'category=-1',
    'category=0',
    'category=1.0',
    'category=2147483648',
    'limit=0',
    'limit=101',
    'limit=ten',
    'limit=1&category=%zz',
    'limit=%31',
  ])('refuses the list with %s', async (query) => {
    expect((await both(`/ads?${query}`)).status).toBe(400);
  });

  it('gives ten similar advertisements of the same category', async () => {
    for (const id of [1, 2, 500, 54_321, 100_000]) {
      const ad = JSON.parse((await both(`/ads/${id}`)).text) as { categoryId: number };
      const similar = JSON.parse((await both(`/ads/${id}/similar`)).text) as { id: number }[];
      expect(similar).toHaveLength(10);
      expect(similar.some((other) => other.id === id)).toBe(false);
      const categories = await stack.query<{ category: number }>('SELECT DISTINCT category_id AS category FROM ads WHERE id = ANY($1)', [
        similar.map((other) => other.id),
      ]);
      expect(categories).toEqual([{ category: ad.categoryId }]);
    }
  });

  it('waits in the database for as long as it is asked to', async () => {
    const started = performance.now();
    expect(await both('/wait?ms=120')).toMatchObject({ status: 200, text: '{"waitedMs":120}' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(119);
    expect((await both('/wait?ms=0')).status).toBe(200);
  });

  it.each(['/wait', '/wait?ms=', '/wait?ms=10001', '/wait?ms=-1', '/wait?ms=5.5', '/wait?ms=soon', '/wait?msx=5'])(
    'refuses %s',
    async (target) => {
      expect((await both(target)).status).toBe(400);
    },
  );

  it.each([
    ['DELETE', '/ads/1', 'GET'],
    ['POST', '/ads/abc', 'GET'],
    ['PUT', '/ads', 'GET, POST'],
    ['POST', '/ads/1/similar', 'GET'],
    ['POST', '/hello', 'GET'],
    ['PATCH', '/wait', 'GET'],
    ['HEAD', '/health', 'GET'],
  ])('does not allow %s %s', async (method, target, allowed) => {
    const answer = method === 'HEAD' ? await node.ask(target, { method }) : await both(target, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe(allowed);
    expect((await java.ask(target, { method })).status).toBe(405);
  });
});

describe('POST /ads', () => {
  it('inserts the advertisement and gives it back', async () => {
    const answer = await post(newAd);
    expect(answer.status).toBe(201);
    const created = JSON.parse(answer.text) as { id: number };
    expect(created).toMatchObject(newAd);
    expect(created.id).toBeGreaterThan(100_000);
    expect(answer.headers['location']).toBe(`/ads/${created.id}`);
    expect((await both(`/ads/${created.id}`)).text).toBe(answer.text);
  });

  it('keeps every character that can be stored, and writes it back in the same bytes', async () => {
    const controls = Array.from({ length: 31 }, (_, i) => String.fromCharCode(i + 1)).join('');
    const title = `„Größe" \\ / 'x' 日本 🚲 \u007f \u2028`;
    const answer = await post({ ...newAd, title, description: `${controls}"\\ \ufffd \ufeff é e\u0301 🇺🇳` });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text)).toMatchObject({ title, description: `${controls}"\\ \ufffd \ufeff é e\u0301 🇺🇳` });
    expect(answer.text).toBe(JSON.stringify(JSON.parse(answer.text)));
  });

  it('takes JSON in any form that means the same', async () => {
    expect(
      (
        await post(
          '\n{ "priceCents" : 1.230e4, "title":"\\ud83d\\udeb2", "description":"", "sellerId":2.0, "categoryId":1, "extra":[{"a":null}], "title":"last" }\t',
        )
      ).text,
    ).toContain('"title":"last","description":"","categoryId":1,"sellerId":2,"priceCents":12300');
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect((await post(JSON.stringify(newAd).replace('{', `{"deep":${nested},"long":${'9'.repeat(5_000)},`))).status).toBe(201);
    expect((await post({ ...newAd, title: 'x'.repeat(200), description: 'y'.repeat(10_000), priceCents: 0 })).status).toBe(201);
  });

  it.each<[string, unknown]>([
    ['nothing', ''],
    ['no JSON', 'title=A'],
    ['half of a JSON text', '{"title":"A"'],
    ['two JSON texts', `${JSON.stringify(newAd)}{}`],
    ['a trailing comma', '{"title":"A",}'],
    ['a comment', '{/* */}'],
    ['a raw line break in a text', '{"title":"a\nb"}'],
    ['single quotes', "{'title':'A'}"],
    ['a leading zero', '{"priceCents":01}'],
    ['NaN', '{"priceCents":NaN}'],
    ['a byte order mark', `\ufeff${JSON.stringify(newAd)}`],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])],
    ['a list', [newAd]],
    ['null', 'null'],
    ['a text', '"A"'],
    ['an empty object', {}],
    ['an empty title', { ...newAd, title: '' }],
    ['a title that is too long', { ...newAd, title: 'x'.repeat(201) }],
    ['a title that is a number', { ...newAd, title: 1 }],
    ['a NUL in the title', { ...newAd, title: 'a\0b' }],
    ['half of a surrogate pair', JSON.stringify({ ...newAd, title: '@' }).replace('@', '\\ud83d')],
    ['a description that is too long', { ...newAd, description: 'x'.repeat(10_001) }],
    ['no description', { ...newAd, description: undefined }],
    ['a price with a fraction', { ...newAd, priceCents: 1.5 }],
    ['a negative price', { ...newAd, priceCents: -1 }],
    ['a price that is too high', { ...newAd, priceCents: 1_000_000_001 }],
    ['a price beyond all numbers', JSON.stringify(newAd).replace('12300', '1e999')],
    ['a price in a text', { ...newAd, priceCents: '100' }],
    ['a category that does not exist', { ...newAd, categoryId: 4711 }],
    ['a seller that does not exist', { ...newAd, sellerId: 2_000_000_000 }],
    ['an id that is too high', { ...newAd, sellerId: 2_147_483_648 }],
  ])('refuses %s', async (_what, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) as unknown });
  });

  it('refuses a body of more than 64 KiB, whether its length is announced or not, and goes on on the same connection', async () => {
    const large = JSON.stringify({ ...newAd, extra: 'x'.repeat(64 * 1024) });
    expect((await post(large)).status).toBe(413);
    expect((await both('/ads', { method: 'POST', body: large, headers: { 'Transfer-Encoding': 'chunked' } })).status).toBe(413);
    const fits = JSON.stringify({ ...newAd, extra: '' });
    expect((await post(fits.replace('"extra":""', `"extra":"${'x'.repeat(64 * 1024 - Buffer.byteLength(fits))}"`))).status).toBe(201);
    expect((await both('/hello')).status).toBe(200);
  });

  it('leaves nothing behind once the data was prepared for the next run, and numbers anew', async () => {
    await post(newAd);
    await stack.applyPrepare();
    expect(await stack.query('SELECT count(*)::int AS ads, max(id) AS last FROM ads')).toEqual([{ ads: 100_000, last: 100_000 }]);
    const created = JSON.parse((await node.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) })).text) as { id: number };
    expect(created.id).toBe(100_001);
    await stack.applyPrepare();
  });
});

describe('the database', () => {
  it('holds the same 100,000 advertisements on every machine', async () => {
    await stack.applyPrepare();
    const [counts] = await stack.query<Record<string, unknown>>(`
      SELECT (SELECT count(*)::int FROM ads) AS ads, (SELECT count(*)::int FROM categories) AS categories, (SELECT count(*)::int FROM sellers) AS sellers,
             (SELECT md5(string_agg(concat_ws('|', id, title, description, category_id, seller_id, price_cents, extract(epoch FROM created_at)::bigint), ',' ORDER BY id)) FROM ads) AS digest`);
    expect(counts).toEqual({ ads: 100_000, categories: 20, sellers: 2_000, digest: 'edff5fe7f79eb9facaacc713a7c010de' });
  });

  it('answers every statement of the samples from an index', async () => {
    const plans = statements('node')
      .filter((text) => text.includes('FROM ads'))
      .map((text) => {
        const values = text.includes('category_id = $1') ? [7, 20] : [text.includes('LIMIT $1') ? 20 : 4_321];
        return stack.query<Record<string, string>>(
          `EXPLAIN ${values.reduce((filled: string, value, i) => filled.replaceAll(`$${i + 1}`, String(value)), text)}`,
        );
      });
    expect(plans).toHaveLength(4);
    for (const rows of await Promise.all(plans)) {
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index Scan/);
      expect(plan).not.toMatch(/(Seq|Bitmap Heap) Scan on (ads|sellers)/);
    }
  });

  it('is asked the same statements by both', () => {
    expect(statements('java').map((text) => text.replace(/\?/g, '$'))).toEqual(
      statements('node').map((text) => text.replace(/\$\d/g, '$')),
    );
    expect(statements('node')).toHaveLength(7);
  });
});

/** The SQL texts in a sample's source, in order, with plain spaces. */
function statements(name: SampleName): string[] {
  const file = name === 'node' ? 'node/database.mjs' : 'java/src/main/java/bulletin/Database.java';
  const source = readFileSync(path.join(samplesDir, file), 'utf8');
  const literals = name === 'node' ? source.matchAll(/`([^`]*)`|'(SELECT [^']*)'/g) : source.matchAll(/"""([\s\S]*?)"""|"(SELECT [^"]*)"/g);
  return [...literals]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/\s+/g, ' ').trim())
    .filter((text) => /^(SELECT|INSERT) /.test(text));
}

describe('the declaration of the samples', () => {
  const file = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(samplesDir, 'benchside.json'), 'utf8')));

  it('declares both with the same routes, the primary key first', () => {
    expect(file.targets.map((target) => target.id)).toEqual(['node', 'java', 'php']);
    expect(file.targets[1]?.routes).toEqual(file.targets[0]?.routes);
    expect(file.targets[0]?.routes[0]).toMatchObject({ method: 'GET', path: '/ads/:id' });
  });

  it('names routes that both answer with success', async () => {
    // Documents need a store, and counters count on: samplesWorkloads.test.ts tries both.
    const routes = file.targets[0]?.routes.filter((route) => !/^\/(documents|counters)\//.test(route.path)) ?? [];
    for (const route of routes) {
      const fill = (text: string): string =>
        text.replace(/:([a-z]+)/g, (whole, name: string) => String(route.parameters[name]?.max ?? whole));
      const answer = await both(fill(route.path), {
        method: route.method,
        ...(route.body === undefined ? {} : { body: fill(route.body) }),
      });
      expect([200, 201]).toContain(answer.status);
    }
    await stack.applyPrepare();
  });
});

describe.each(sampleNames)('%s under faults', (name) => {
  it('answers 503 when no connection comes free in time, and 200 again afterwards', async () => {
    const small = await stack.app(name, { DB_POOL_SIZE: '1', DB_POOL_TIMEOUT_MS: '300' });
    expect((await small.ask('/wait?ms=1')).status).toBe(200);
    const unlock = await stack.lockAds();
    const holding = small.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) });
    await stack.untilOneWaits('Lock');
    const started = performance.now();
    const refused = await small.ask('/ads/1');
    expect(refused.status).toBe(503);
    expect(refused.text).toBe('{"error":"the database is not available"}');
    expect(performance.now() - started).toBeGreaterThan(250);
    expect((await small.ask('/hello')).status).toBe(200);
    await unlock();
    expect((await holding).status).toBe(201);
    expect((await small.ask('/ads/1')).status).toBe(200);
    await small.stop();
  });

  it('waits for a database that is not there at the start, and comes back when one was lost', async () => {
    const proxy = await DatabaseProxy.start(stack.databasePort, 'refuse');
    const lonely = await stack.app(name, { DB_POOL_TIMEOUT_MS: '500' }, proxy.port);
    try {
      const answered = async (status: number, target: string): Promise<boolean> => (await lonely.ask(target)).status === status;
      expect(await answered(503, '/health')).toBe(true);
      expect(await answered(503, '/ads/1')).toBe(true);
      await proxy.become('pass');
      await waitFor(() => answered(200, '/health'), { what: 'health after the database came' });
      // in the middle of a statement
      const interrupted = lonely.ask('/wait?ms=10000');
      await stack.untilOneWaits('PgSleep');
      await proxy.become('silent');
      expect((await interrupted).status).toBe(503);
      expect(await answered(503, '/ads/1')).toBe(true);
      await proxy.become('pass');
      await waitFor(() => answered(200, '/ads/1'), { what: 'an advertisement after the database came back' });
      expect(lonely.child.running).toBe(true);
      expect(lonely.child.log.text()).toMatch(/WARN .*the database is not available/);
    } finally {
      await lonely.stop();
      await proxy.stop();
    }
  });

  it('survives that the server ends its sessions', async () => {
    await Promise.all([1, 2, 3].map(() => app(name).ask('/wait?ms=20')));
    await stack.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'bulletin-board'`);
    await waitFor(async () => (await app(name).ask('/ads/1')).status === 200, { what: 'an advertisement' });
    expect(app(name).child.running).toBe(true);
  });

  it('tells the client nothing of an error inside, and the log everything', async () => {
    await stack.query('ALTER TABLE categories RENAME TO hidden');
    try {
      const answer = await app(name).ask('/ads/1/similar');
      expect(answer).toMatchObject({ status: 500, text: '{"error":"internal error"}' });
      await waitFor(() => /GET \/ads\/1\/similar failed[\s\S]*categories/.test(app(name).child.log.text()), { what: 'the log line' });
    } finally {
      await stack.query('ALTER TABLE hidden RENAME TO categories');
    }
    expect((await app(name).ask('/ads/1/similar')).status).toBe(200);
  });

  it.each(['SIGTERM'] as const)('finishes what it has begun and exits with 0 on %s', leaves);
  it.each(['SIGINT'] as const)('finishes what it has begun and exits with 0 on %s', slowHalf, leaves);

  async function leaves(signal: NodeJS.Signals): Promise<void> {
    const leaving = await stack.app(name);
    await leaving.ask('/hello');
    const unlock = await stack.lockAds();
    const inFlight = leaving.ask('/ads', { method: 'POST', body: JSON.stringify(newAd) });
    await stack.untilOneWaits('Lock');
    process.kill(leaving.child.pid, signal);
    await waitFor(() => isPortFree(leaving.port), { what: 'it takes no new connections' });
    await unlock();
    expect((await inFlight).status).toBe(201);
    expect(await leaving.child.exited).toEqual({ code: 0, signal: null });
    expect(leaving.child.log.text()).toMatch(/INFO .*stopped/);
  }

  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['DB_POOL_SIZE', '0'],
    ['DB_POOL_SIZE', '-4'],
    ['DB_POOL_TIMEOUT_MS', '1.5'],
    [name === 'node' ? 'DATABASE_URL' : 'DATABASE_JDBC_URL', 'mysql://secret@127.0.0.1/x'],
    ['HOST', '256.256.256.256'],
    ...(name === 'java'
      ? [
          ['HTTP_THREADS_MAX', '3'],
          ['HTTP_THREADS_MIN', '51'],
          ['HTTP_THREADS_KIND', 'green'],
        ]
      : []),
  ] as [string, string][])('exits with 1 and one line when %s is %s', async (variable, value) => {
    const child = await stack.launch(name, { [variable]: value });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => child.log.text().endsWith('\n'), { what: 'the line' });
    const lines = child.log.text().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable === 'HOST' ? value : variable);
    expect(lines[0]).not.toContain('secret');
  });

  it('exits with 1 and one line when its port is taken', async () => {
    const child = await stack.launch(name, { PORT: String(app(name).port) });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => /^bulletin-board: cannot listen on .*: .*in use.*\n$/i.test(child.log.text()), {
      what: 'the line',
      timeoutMs: 1_000,
    });
  });
});

describe('threads of the Java sample', () => {
  it('are virtual where the JDK has them, and one line says so where it has not', async () => {
    const child = await stack.launch('java', { HTTP_THREADS_KIND: 'virtual' });
    const outcome = await waitFor(() => (child.running ? /listening on .*virtual threads/.exec(child.log.text())?.[0] : 'ended'), {
      what: 'it listens or ends',
    });
    if (outcome === 'ended') {
      expect(await child.exited).toEqual({ code: 1, signal: null });
      await waitFor(
        () => /^bulletin-board: HTTP_THREADS_KIND=virtual needs Java 21 or later, but this is Java \d+\.\n$/.test(child.log.text()),
        { what: 'the line' },
      );
    } else {
      await child.stop();
    }
  });

  it('are few, and the service answers nevertheless', async () => {
    const few = await stack.app('java', { HTTP_THREADS_MAX: '4', HTTP_THREADS_MIN: '1' });
    const answers = await Promise.all(Array.from({ length: 16 }, () => few.ask('/wait?ms=20')));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    await few.stop();
  });
});
