import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SampleStack, requireSamples, sampleNames, samplesDir } from '../support/samples.ts';
import type { Answer, Question, SampleApp, SampleName } from '../support/samples.ts';
import { slowHalf } from '../support/slowHalf.ts';
import { waitFor } from '../support/waitFor.ts';

// The contract of the workloads: what each must answer, and that both samples answer the same. Both share one database, so what changes it is done
// once by each, and ids, times and tokens are masked before the answers are compared.

const stack = new SampleStack();
const apps = new Map<SampleName, SampleApp>();
const app = (name: SampleName): SampleApp => apps.get(name) as SampleApp;
let store: Server;

beforeAll(async () => {
  requireSamples();
  store = await documentStore();
  await stack.start();
  await stack.applyPrepare();
  const environment = { DOCUMENT_STORE_URL: `http://127.0.0.1:${(store.address() as AddressInfo).port}` };
  for (const started of await Promise.all(sampleNames.map((name) => stack.app(name, environment)))) apps.set(started.name, started);
}, 40_000);

afterAll(async () => {
  await stack.applyPrepare();
  await stack.stop();
  await new Promise((resolve) => {
    store.close(resolve);
    store.closeAllConnections();
  });
}, 20_000);

/** A document store that has documents 1 to 9, and breaks off what asks for the tenth. */
function documentStore(): Promise<Server> {
  const server = createServer((request, response) => {
    const id = Number(/^\/documents\/doc-(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
    if (id === 10) {
      response.destroy();
      return;
    }
    const found = id >= 1 && id <= 9;
    const document = { _id: `doc-${id}`, _rev: '1-a', id, title: `Größe “${id}”`, body: 'é'.repeat(1_000) };
    response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(found ? document : { error: 'not_found', reason: 'missing' }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** What both must have in common of an answer. */
function comparable(answer: Answer): Record<string, unknown> {
  return {
    status: answer.status,
    contentType: answer.headers['content-type'],
    contentLength: answer.headers['content-length'],
    cacheControl: answer.headers['cache-control'],
    allow: answer.headers['allow'],
    location: answer.headers['location']?.replace(/\d+$/, '0'),
    cookie: answer.headers['set-cookie']?.map((line) => line.replace(/=[0-9a-f]{32};/, '=0;')),
    body: answer.text.replace(/"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"createdAt":""'),
  };
}

/** Asks both apps the same, checks that they agree, and gives the answer. */
async function both(target: string, question: Question = {}): Promise<Answer> {
  const answers = await Promise.all(sampleNames.map((name) => app(name).ask(target, question)));
  expect(comparable(answers[1] as Answer)).toEqual(comparable(answers[0] as Answer));
  return answers[0] as Answer;
}

/** Does the same with each app, one after the other, and checks that what it gives is equal. */
async function each<T>(work: (sample: SampleApp) => Promise<T>): Promise<T> {
  const results: T[] = [];
  for (const name of sampleNames) results.push(await work(app(name)));
  expect(results[1]).toEqual(results[0]);
  return results[0] as T;
}

const json = (body: unknown): Question => ({ method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
const refusal = (answer: Answer): [number, string] => [answer.status, (JSON.parse(answer.text) as { error: string }).error];

describe('the search', () => {
  it('finds what the regular expression says, in a text that is the same everywhere', async () => {
    const text = searchedText();
    expect(text).toHaveLength(4_194_304);
    for (const word of ['lantern', 'quiet', 'ing', 'a', 'unheardof']) {
      const matches = [...text.matchAll(new RegExp(`\\b${word}[a-z]*[ ]+[a-z]+ing\\b`, 'g'))];
      const answer = await both(`/search?word=${word}`);
      expect(answer.text).toBe(JSON.stringify({ word, matches: matches.length, first: matches[0]?.index ?? -1 }));
    }
    expect((await both('/search')).text).toBe((await both('/search?word=lantern')).text);
    expect((await both('/search?word=')).text).toBe((await both('/search?word=lantern')).text);
    expect(JSON.parse((await both('/search')).text)).toMatchObject({ word: 'lantern', matches: expect.any(Number) as unknown });
  });

  it.each(['Lantern', 'a1', 'a.b', '%61', 'abcdefghijklmnopqrstu', 'lantern%20x', '(a'])('refuses the word %s', async (word) => {
    expect(refusal(await both(`/search?word=${word}`))).toEqual([400, 'word must be 1 to 20 letters from a to z']);
  });

  it.each([
    ['node', 'worker'],
    ['node', 'process'],
    ['java', 'worker'],
  ] as [SampleName, string][])('answers the same when it runs apart: %s, %s', async (name, place) => {
    const apart = await stack.app(name, { SEARCH_IN: place, SEARCH_WORKERS: '2' });
    const answers = await Promise.all(['lantern', 'river', 'lantern', 'quiet', 'word'].map((word) => apart.ask(`/search?word=${word}`)));
    for (const [i, word] of ['lantern', 'river', 'lantern', 'quiet', 'word'].entries()) {
      expect(answers[i]?.text).toBe((await app('node').ask(`/search?word=${word}`)).text);
    }
    await apart.stop();
    expect(apart.child.running).toBe(false);
  });
});

/** The text that is searched, made here a second time. */
function searchedText(): string {
  const words = readFileSync(path.join(samplesDir, 'database/words.txt'), 'utf8').trim().split('\n');
  expect(words).toHaveLength(64);
  let x = 20_260_101;
  let text = '';
  for (let i = 1; text.length < 4_194_304; i += 1) {
    // Each word takes the next number, the first one the number after the seed.
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    text += `${words[(x >>> 16) % 64] ?? ''}${i % 12 === 0 ? '\n' : ' '}`;
  }
  return text.slice(0, 4_194_304);
}

describe('static files', () => {
  it.each([
    ['photo.jpg', 'image/jpeg'],
    ['assets/01.js', 'text/javascript; charset=utf-8'],
    ['assets/24.js', 'text/javascript; charset=utf-8'],
    ['assets/04.css', 'text/css; charset=utf-8'],
    ['assets/12.svg', 'image/svg+xml'],
    ['bundle.js', 'text/javascript; charset=utf-8'],
    ['bundle.css', 'text/css; charset=utf-8'],
  ])('are served as they are: %s', async (name, contentType) => {
    const answers = await Promise.all(sampleNames.map((sample) => app(sample).ask(`/static/${name}`)));
    const content = readFileSync(path.join(samplesDir, 'static', name));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': contentType,
        'content-length': String(content.length),
        'cache-control': 'no-store',
      });
      expect(answer.body.equals(content)).toBe(true);
    }
  });

  it('hold a photo of 3,200,000 bytes', async () => {
    expect((await app('node').ask('/static/photo.jpg')).body).toHaveLength(3_200_000);
  });

  it.each(['none.js', 'assets/99.js', 'assets', 'assets/', '', 'generate.mjs', '.gitignore', 'page.html', 'bundle', 'bundle.js/'])(
    'are not made up: %s',
    async (name) => {
      expect(refusal(await both(`/static/${name}`))).toEqual([404, 'not found']);
    },
  );

  it.each([
    '../database/001_schema.sql',
    '../static/bundle.js',
    '%2e%2e/database/words.txt',
    '..%2fbundle.js',
    'assets/../bundle.js',
    'assets%2f01.js',
    'bundle.js%00',
    '%00',
    '//bundle.js',
    '/etc/passwd',
    'assets\\01.js',
    '..\\static\\bundle.js',
  ])('are all there is: %s', async (name) => {
    for (const sample of sampleNames) expect([400, 404]).toContain((await app(sample).ask(`/static/${name}`)).status);
  });

  it('make a page of forty assets, or of two bundles', async () => {
    const page = await both('/page');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.text).toBe(readFileSync(path.join(samplesDir, 'static/page.html'), 'utf8'));
    const named = [...page.text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(new Set(named).size).toBe(40);
    const statuses = await Promise.all(named.map(async (target) => (await app('java').ask(target)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const bundled = await both('/page?bundle=1');
    expect(bundled.text).toBe(readFileSync(path.join(samplesDir, 'static/page-bundle.html'), 'utf8'));
    expect([...bundled.text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map((match) => match[1])).toEqual([
      '/static/bundle.css',
      '/static/bundle.js',
    ]);
    expect((await both('/page?bundle=0')).text).toBe(page.text);
    expect(refusal(await both('/page?bundle=2'))).toEqual([400, 'bundle must be a whole number from 0 to 1']);
  });
});

describe('the database workloads', () => {
  it('reports the ten sellers with the highest revenue of a category', async () => {
    const rows = JSON.parse((await both('/report?category=7')).text) as Record<string, unknown>[];
    expect(rows).toHaveLength(10);
    expect(Object.keys(rows[0] ?? {})).toEqual(['sellerId', 'seller', 'city', 'ads', 'averageCents', 'share']);
    const [best] = await stack.query(`
      SELECT seller_id AS "sellerId", count(*)::integer AS ads, round(avg(price_cents))::integer AS "averageCents" FROM ads WHERE category_id = 7
      GROUP BY seller_id ORDER BY sum(price_cents) DESC, seller_id LIMIT 1`);
    expect(rows[0]).toMatchObject(best ?? {});
    expect((await both('/report')).text).toBe((await both('/report?category=1')).text);
    expect(refusal(await both('/report?category=21'))).toEqual([400, 'category must be a whole number from 1 to 20']);
  });

  it('counts one row up, and one request at a time when it is the same row', async () => {
    const ask = async (sample: SampleApp, target: string): Promise<unknown> =>
      JSON.parse((await sample.ask(target, { method: 'POST' })).text);
    await each(async (sample) => {
      await stack.applyPrepare();
      return [await ask(sample, '/counters/7'), await ask(sample, '/counters/7?ms=1'), await ask(sample, '/counters/1000')];
    }).then((counts) =>
      expect(counts).toEqual([
        { id: 7, value: 1 },
        { id: 7, value: 2 },
        { id: 1000, value: 1 },
      ]),
    );
    await each(async (sample) => {
      await stack.applyPrepare();
      const started = performance.now();
      await Promise.all([1, 2, 3, 4].map(() => ask(sample, '/counters/1?ms=40')));
      expect(performance.now() - started).toBeGreaterThan(155);
      return ask(sample, '/counters/1');
    }).then((count) => expect(count).toEqual({ id: 1, value: 5 }));
    expect(refusal(await both('/counters/1001', { method: 'POST' }))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    expect(refusal(await both('/counters/1?ms=1001', { method: 'POST' }))).toEqual([400, 'ms must be a whole number from 0 to 1000']);
    expect((await both('/counters/1')).headers['allow']).toBe('POST');
  });

  it('checks out with a connection in hand, whether it waits or computes', async () => {
    const shape = /^\{"id":\d+,"ms":(\d+),"work":"(wait|compute)"\}$/;
    await each(async (sample) => {
      const answers: unknown[] = [];
      for (const query of ['', '?ms=0&work=wait', '?work=compute&ms=3', '?ms=&work=']) {
        const answer = await sample.ask(`/checkout${query}`);
        answers.push(answer.status, ...(shape.exec(answer.text)?.slice(1) ?? [answer.text]));
      }
      return answers;
    }).then((answers) => expect(answers).toEqual([200, '10', 'wait', 200, '0', 'wait', 200, '3', 'compute', 200, '10', 'wait']));
    expect(refusal(await both('/checkout?work=sleep'))).toEqual([400, 'work must be wait, compute or lock']);
    expect(refusal(await both('/checkout?ms=1001&work=sleep'))).toEqual([400, 'ms must be a whole number from 0 to 1000']);
  });

  it('asks with a second connection while it holds the first', async () => {
    const answer = await both('/nested?id=500');
    const [ad] = await stack.query<{ categoryId: number; inCategory: number }>(
      'SELECT category_id AS "categoryId", (SELECT count(*)::integer FROM ads AS other WHERE other.category_id = ads.category_id) AS "inCategory" FROM ads WHERE id = 500',
    );
    expect(answer.text).toBe(JSON.stringify({ id: 500, ...ad }));
    expect((await both('/nested')).text).toContain('{"id":1,');
    expect(refusal(await both('/nested?id=100001'))).toEqual([400, 'id must be a whole number from 1 to 100000']);
  });

  it.each(sampleNames)('holds on to the only connection, or waits for itself in vain, and goes on afterwards: %s', async (name) => {
    const single = await stack.app(name, { DB_POOL_SIZE: '1', DB_POOL_TIMEOUT_MS: '1000' });
    await single.ask('/ads/1');
    const started = performance.now();
    const statuses = await Promise.all([1, 2, 3].map(async () => (await single.ask('/checkout?ms=60')).status));
    expect(statuses).toEqual([200, 200, 200]);
    expect(performance.now() - started).toBeGreaterThan(175);
    expect(refusal(await single.ask('/nested'))).toEqual([503, 'the database is not available']);
    expect((await single.ask('/ads/1')).status).toBe(200);
    await single.stop();
  });

  it('keeps reviews, and lists the newest first', async () => {
    await stack.applyPrepare();
    const seeded = JSON.parse((await both('/reviews')).text) as { id: number }[];
    expect(seeded.map((review) => review.id)).toEqual([200, 199, 198, 197, 196, 195, 194, 193, 192, 191]);
    expect(Object.keys(seeded[0] ?? {})).toEqual(['id', 'rating', 'text', 'createdAt']);
    expect(JSON.parse((await both('/reviews?limit=100')).text)).toHaveLength(100);
    const text = 'Größe "7" \\ 🚲';
    await each(async (sample) => {
      await stack.applyPrepare();
      const created = await sample.ask('/reviews', json({ rating: 5, text }));
      expect(created.headers['location']).toBe('/reviews/201');
      expect(JSON.parse((await sample.ask('/reviews?limit=1')).text)).toEqual([JSON.parse(created.text)]);
      return comparable(created);
    }).then((created) => expect(created).toMatchObject({ status: 201, body: JSON.stringify({ id: 201, rating: 5, text, createdAt: '' }) }));
    await stack.applyPrepare();
    expect(JSON.parse((await both('/reviews?limit=1')).text)).toEqual(seeded.slice(0, 1));
  });

  it.each<[string, unknown, string]>([
    ['no object', [], 'the body must be a JSON object'],
    ['no rating', { text: 'x' }, 'rating must be a whole number from 1 to 5'],
    ['a rating of six', { rating: 6, text: 'x' }, 'rating must be a whole number from 1 to 5'],
    ['half a rating', { rating: 1.5, text: '' }, 'rating must be a whole number from 1 to 5'],
    ['no text', { rating: 1, text: '' }, 'text must be a text of 1 to 2000 characters'],
    ['a long text', { rating: 1, text: 'x'.repeat(2_001) }, 'text must be a text of 1 to 2000 characters'],
  ])('refuses a review with %s', async (_what, body, error) => {
    expect(refusal(await both('/reviews', json(body)))).toEqual([400, error]);
  });

  it('refuses reviews that are no JSON, or too large, or too many', async () => {
    expect(refusal(await both('/reviews', { method: 'POST', body: 'rating=5' }))).toEqual([400, 'the body must be JSON in UTF-8']);
    expect(refusal(await both('/reviews', json({ rating: 5, text: 'x'.repeat(70_000) })))).toEqual([
      413,
      'the body must not be larger than 65536 bytes',
    ]);
    expect(refusal(await both('/reviews?limit=101'))).toEqual([400, 'limit must be a whole number from 1 to 100']);
    expect((await both('/reviews', { method: 'DELETE' })).headers['allow']).toBe('GET, POST');
  });
});

describe('workloads without the database', () => {
  it('allocates, and keeps what it is told to keep', async () => {
    await each(async (sample) => {
      const answers = [];
      for (const query of ['?kb=1&keep=3', '?keep=3', '?kb=1&keep=1', '?kb=64&keep=0', '']) {
        answers.push((await sample.ask(`/allocate${query}`)).text);
      }
      return answers;
    }).then((answers) =>
      expect(answers).toEqual([
        '{"allocatedKb":1,"kept":1}',
        '{"allocatedKb":256,"kept":2}',
        '{"allocatedKb":1,"kept":1}',
        '{"allocatedKb":64,"kept":0}',
        '{"allocatedKb":256,"kept":0}',
      ]),
    );
    expect(refusal(await both('/allocate?kb=65537'))).toEqual([400, 'kb must be a whole number from 1 to 65536']);
    expect(refusal(await both('/allocate?keep=10001'))).toEqual([400, 'keep must be a whole number from 0 to 10000']);
  });

  it('lets one request in at a time where there is a lock', async () => {
    await each(async (sample) => {
      const started = performance.now();
      const answers = await Promise.all([1, 2, 3, 4].map(() => sample.ask('/locked?ms=40')));
      expect(performance.now() - started).toBeGreaterThan(155);
      return answers.map((answer) => answer.text);
    }).then((answers) => expect(new Set(answers)).toEqual(new Set(['{"waitedMs":40}'])));
    expect((await both('/locked')).text).toBe('{"waitedMs":5}');
    expect(refusal(await both('/locked?ms=-1'))).toEqual([400, 'ms must be a whole number from 0 to 1000']);
  });

  it('computes a fixed amount of work with one result', async () => {
    let x = 20_260_101;
    for (let i = 0; i < 300_000; i += 1) x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    expect((await both('/compute?ms=3')).text).toBe(JSON.stringify({ ms: 3, hash: x }));
    expect((await both('/compute?ms=0')).text).toBe('{"ms":0,"hash":20260101}');
    expect((await both('/compute')).text).toMatch(/^\{"ms":5,"hash":\d+\}$/);
    expect(refusal(await both('/compute?ms=1001'))).toEqual([400, 'ms must be a whole number from 0 to 1000']);
  });

  it('times itself when a request asks for it, and only then', async () => {
    for (const name of sampleNames) {
      const plain = await app(name).ask('/wait?ms=20', { headers: { 'X-Request-Id': 'a-1' } });
      expect(plain.headers['server-timing']).toBeUndefined();
      expect(plain.headers['x-request-id']).toBeUndefined();
      const timed = async (target: string): Promise<number[]> => {
        const answer = await app(name).ask(target, { headers: { 'X-Server-Timing': '1', 'X-Request-Id': 'a-1' } });
        expect(answer.headers['x-request-id']).toBe('a-1');
        const parts = /^app;dur=(\d+\.\d{3}), pool;dur=(\d+\.\d{3}), db;dur=(\d+\.\d{3})$/.exec(String(answer.headers['server-timing']));
        return (parts ?? []).slice(1).map(Number);
      };
      const [whole = 0, pool = -1, database = 0] = await timed('/wait?ms=20');
      expect(database).toBeGreaterThan(19);
      expect(pool).toBeGreaterThanOrEqual(0);
      expect(whole).toBeGreaterThanOrEqual(pool + database - 0.002);
      const [ofHello = 0, ...without] = await timed('/hello');
      expect(ofHello).toBeGreaterThan(0);
      expect(without).toEqual([0, 0]);
      expect((await timed('/nested')).every((ms) => ms >= 0)).toBe(true);
      expect(await timed('/none')).toHaveLength(3);
      expect(await timed('/static/bundle.css')).toHaveLength(3);
    }
  });
});

describe('accounts', () => {
  const cookieOf = (answer: Answer): string => /^session=[0-9a-f]{32}/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[0] ?? '';
  const password = 'correct horse Ünïcode';

  it('are opened, used and left, and hold uploads, and both samples know the same accounts', async () => {
    await each(async (sample) => {
      await stack.applyPrepare();
      const other = app(sample.name === 'node' ? 'java' : 'node');
      const answers: Answer[] = [];
      const ask = async (asked: SampleApp, target: string, question: Question = {}): Promise<Answer> => {
        const answer = await asked.ask(target, question);
        answers.push(answer);
        return answer;
      };
      const opened = await ask(sample, '/accounts', json({ name: 'band-1', password }));
      await ask(other, '/accounts', json({ name: 'band-1', password: 'another one' }));
      const entered = await ask(other, '/session', json({ name: 'band-1', password }));
      await ask(sample, '/session', json({ name: 'band-1', password: 'not this one' }));
      await ask(sample, '/session', json({ name: 'nobody', password }));
      const cookie = cookieOf(opened);
      expect(cookieOf(entered)).not.toBe(cookie);
      expect((await ask(other, '/account', { headers: { Cookie: cookie } })).text).toBe('{"id":1,"name":"band-1","uploads":0}');
      const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251));
      const uploaded = await ask(sample, '/uploads', {
        ...form('file', 'Größe 1.png', bytes),
        ...withCookie(form('file', 'x', bytes), cookie),
      });
      expect(uploaded.status).toBe(201);
      expect((await ask(sample, '/account', { headers: { Cookie: `a=b; ${cookieOf(entered)}` } })).text).toContain('"uploads":1');
      await ask(sample, '/session', { method: 'DELETE', headers: { Cookie: cookie } });
      await ask(other, '/account', { headers: { Cookie: cookie } });
      await ask(other, '/account', { headers: { Cookie: cookieOf(entered) } });
      return answers.map(comparable);
    }).then((answers) => {
      expect(answers.map((answer) => answer['status'])).toEqual([201, 409, 200, 401, 401, 200, 201, 200, 204, 401, 200]);
      expect(answers[0]).toMatchObject({ body: '{"id":1,"name":"band-1"}', cookie: ['session=0; Path=/; HttpOnly; SameSite=Lax'] });
      expect(answers[1]?.['body']).toBe('{"error":"the name is taken"}');
      expect(answers[3]?.['body']).toBe('{"error":"name or password is wrong"}');
      expect(answers[9]?.['body']).toBe('{"error":"not logged in"}');
    });
  });

  it.each<[string, unknown, string]>([
    ['a short name', { name: 'ab', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['capitals', { name: 'Band', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['no name', { password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['a line break after the name', { name: 'band\n', password: '12345678' }, 'name must be 3 to 40 lower-case letters, digits and dashes'],
    ['a short password', { name: 'band', password: '1234567' }, 'password must be a text of 8 to 200 characters'],
    ['a number for a password', { name: 'band', password: 12_345_678 }, 'password must be a text of 8 to 200 characters'],
  ])('are refused with %s', async (_what, body, error) => {
    expect(refusal(await both('/accounts', json(body)))).toEqual([400, error]);
    expect(refusal(await both('/session', json(body)))).toEqual([400, error]);
  });

  it('are for those who are logged in', async () => {
    for (const headers of [{}, { Cookie: 'session=1' }, { Cookie: `session=${'0'.repeat(32)}` }, { Cookie: 'session' }] as Record<
      string,
      string
    >[]) {
      expect(refusal(await both('/account', { headers }))).toEqual([401, 'not logged in']);
      const upload = form('file', 'a.txt', Buffer.from('a'));
      expect(refusal(await both('/uploads', { ...upload, headers: { ...upload.headers, ...headers } }))).toEqual([401, 'not logged in']);
    }
    expect(await both('/session', { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect((await both('/session')).headers['allow']).toBe('POST, DELETE');
    expect((await both('/account', { method: 'POST' })).headers['allow']).toBe('GET');
    expect((await both('/accounts')).headers['allow']).toBe('POST');
    expect((await both('/uploads')).headers['allow']).toBe('POST');
  });

  it('take files of up to 1 MiB, hashed, and refuse what is none', async () => {
    await stack.applyPrepare();
    const opened = await app('node').ask('/accounts', json({ name: 'uploader', password }));
    const cookie = cookieOf(opened);
    const upload = (question: Question): Promise<Answer[]> =>
      Promise.all(sampleNames.map((name) => app(name).ask('/uploads', withCookie(question, cookie))));
    const bytes = Buffer.alloc(1_048_576, 'a');
    for (const answer of await upload(form('file', 'largest.bin', bytes))) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(answer.status).toBe(201);
      expect(answer.text.replace(/"id":\d+/, '"id":0')).toBe(JSON.stringify({ id: 0, name: 'largest.bin', bytes: 1_048_576, sha256 }));
    }
    for (const answer of await upload(form('file', 'some/folder/name.txt', Buffer.alloc(0)))) {
      expect(JSON.parse(answer.text)).toMatchObject({ name: 'name.txt', bytes: 0 });
    }
    const refusals: [Question, [number, string]][] = [
      [form('file', 'larger.bin', Buffer.alloc(1_048_577)), [413, 'the file must not be larger than 1048576 bytes']],
      [form('other', 'a.txt', Buffer.from('a')), [400, 'the form has no file in the field file']],
      [form('file', 'x'.repeat(201), Buffer.from('a')), [400, 'the name of the file must have 1 to 200 characters']],
      [json({ file: 'a' }), [400, 'the body must be multipart/form-data']],
      [{ method: 'POST', body: 'a', headers: { 'Content-Type': 'multipart/form-data' } }, [400, 'the body must be multipart/form-data']],
      [
        { method: 'POST', body: 'no boundary in it', headers: { 'Content-Type': 'multipart/form-data; boundary=x' } },
        [400, 'the form cannot be read'],
      ],
    ];
    for (const [question, expected] of refusals) {
      const answers = await upload(question);
      expect(answers.map(refusal)).toEqual([expected, expected]);
    }
    expect((await both('/hello')).status).toBe(200);
  });

  function withCookie(question: Question, cookie: string): Question {
    return { ...question, headers: { ...question.headers, Cookie: cookie } };
  }

  /** A form with one text field and one file, as browsers send it. */
  function form(field: string, fileName: string, bytes: Buffer): Question {
    const boundary = '----benchside7Ma4YWxkTrZu0gW';
    const body = Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA title\r\n`),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    return { method: 'POST', body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
  }
});

describe('documents', () => {
  it('come from the store, without what is the store’s own', async () => {
    expect((await both('/documents/7')).text).toBe(JSON.stringify({ id: 7, title: 'Größe “7”', body: 'é'.repeat(1_000) }));
    expect(refusal(await both('/documents/11'))).toEqual([404, 'no such document']);
    expect(refusal(await both('/documents/10'))).toEqual([503, 'document store unavailable']);
    expect(refusal(await both('/documents/0'))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    expect(refusal(await both('/documents/1001'))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    const many = await Promise.all(Array.from({ length: 12 }, (_, i) => both(`/documents/${1 + (i % 9)}`)));
    expect(many.map((answer) => answer.status)).toEqual(many.map(() => 200));
  });

  it('come through an asynchronous client just as well; a search in a process is one in a thread there', async () => {
    const address = `http://127.0.0.1:${(store.address() as AddressInfo).port}/`;
    const java = await stack.app('java', { DOCUMENT_STORE_URL: address, DOCUMENT_CLIENT: 'async', SEARCH_IN: 'process' });
    expect((await java.ask('/search')).text).toBe((await app('node').ask('/search')).text);
    for (const id of [7, 11, 10, 1001]) {
      expect(comparable(await java.ask(`/documents/${id}`))).toEqual(comparable(await app('node').ask(`/documents/${id}`)));
    }
    await java.stop();
  });

  it.each(sampleNames)('are not to be had without a store: %s', async (name) => {
    const without = await stack.app(name);
    expect(refusal(await without.ask('/documents/1'))).toEqual([503, 'document store unavailable']);
    await without.stop();
  });
});

describe('pool libraries', () => {
  const quick: [SampleName, string][] = [
    ['node', 'pg-promise'],
    ['java', 'pgjdbc'],
  ];
  const others: [SampleName, string][] = [
    ['node', 'sequelize'],
    ['java', 'dbcp2'],
  ];
  it.each(quick)('answer alike: %s, %s', answersAlike);
  it.each(others)('answer alike: %s, %s', slowHalf, answersAlike);

  async function answersAlike(name: SampleName, library: string): Promise<void> {
    await stack.applyPrepare();
    const other = await stack.app(name, { DB_POOL_LIBRARY: library, DB_POOL_SIZE: '2', DB_POOL_TIMEOUT_MS: '400' });
    for (const target of [
      '/ads/6',
      '/ads?category=7&limit=20',
      '/ads/500/similar',
      '/report?category=2',
      '/reviews',
      '/nested?id=9',
      '/wait?ms=3',
    ]) {
      expect(comparable(await other.ask(target))).toEqual(comparable(await app('node').ask(target)));
    }
    const counted = await Promise.all(Array.from({ length: 6 }, () => other.ask('/counters/3', { method: 'POST' })));
    expect(counted.map((answer) => (JSON.parse(answer.text) as { value: number }).value).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const unknown = await other.ask('/ads', json({ title: 'A', description: '', categoryId: 4711, sellerId: 1, priceCents: 1 }));
    expect(refusal(unknown)).toEqual([400, 'categoryId or sellerId is unknown']);
    // Two connections, both held for longer than the third request waits.
    const held = [1, 2].map(() => other.ask('/wait?ms=1500'));
    await waitFor(async () => (await waiting()) === 2, { what: 'two statements wait' });
    expect(refusal(await other.ask('/ads/1'))).toEqual([503, 'the database is not available']);
    expect((await Promise.all(held)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await other.ask('/ads/1')).status).toBe(200);
    await other.stop();
  }

  async function waiting(): Promise<number> {
    const rows = await stack.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'bulletin-board' AND wait_event = 'PgSleep'`);
    return rows.length;
  }
});

describe.each(sampleNames)('settings of the workloads of %s', (name) => {
  it.each([
    ['SEARCH_IN', 'elsewhere'],
    ['SEARCH_WORKERS', '0'],
    ['DOCUMENT_STORE_URL', 'ftp://secret@127.0.0.1'],
    ['DOCUMENT_STORE_DB', 'a/b'],
    ['DOCUMENT_POOL_SIZE', '1001'],
    ['DB_POOL_LIBRARY', 'none'],
    ...(name === 'node' ? [['CLUSTER_WORKERS', '0']] : [['DOCUMENT_CLIENT', 'neither']]),
  ] as [string, string][])('exits with 1 and one line when %s is %s', async (variable, value) => {
    const child = await stack.launch(name, { [variable]: value });
    expect(await child.exited).toEqual({ code: 1, signal: null });
    await waitFor(() => child.log.text().endsWith('\n'), { what: 'the line' });
    const lines = child.log.text().trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(variable);
    expect(lines[0]).not.toContain('secret');
  });
});

describe('several workers of the Node sample', () => {
  it('share one port, are replaced when one dies, and leave together', async () => {
    const several = await stack.app('node', { CLUSTER_WORKERS: '2', DB_POOL_SIZE: '1' });
    const pids = (): string[] => [
      ...new Set([...several.child.log.text().matchAll(/worker (\d+) listens/g)].map((match) => match[1] ?? '')),
    ];
    await waitFor(() => pids().length === 2, { what: 'two workers' });
    expect((await several.ask('/ads/6')).text).toBe((await app('node').ask('/ads/6')).text);
    process.kill(Number(pids()[0]), 'SIGKILL');
    await waitFor(() => pids().length === 3, { what: 'a third worker' });
    expect((await several.ask('/hello')).status).toBe(200);
    process.kill(several.child.pid, 'SIGTERM');
    expect(await several.child.exited).toEqual({ code: 0, signal: null });
    for (const pid of pids()) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
