import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Question, sampleNames } from '../support/samples.ts';
import { Twins } from '../support/twins.ts';

// The contract of the samples’ routes: what each must answer, and that both answer the same.

const twins = new Twins(sampleNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

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
      const answer = await twins.app(name).ask('/ads/%00');
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
    const answer = method === 'HEAD' ? await twins.first.ask(target, { method }) : await both(target, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']).toBe(allowed);
    expect((await twins.second.ask(target, { method })).status).toBe(405);
  });

  it('times itself when a request asks for it, and only then', async () => {
    for (const name of sampleNames) {
      const plain = await twins.app(name).ask('/wait?ms=20', { headers: { 'X-Request-Id': 'a-1' } });
      expect(plain.headers['server-timing']).toBeUndefined();
      expect(plain.headers['x-request-id']).toBeUndefined();
      const timed = async (target: string): Promise<number[]> => {
        const answer = await twins.app(name).ask(target, { headers: { 'X-Server-Timing': '1', 'X-Request-Id': 'a-1' } });
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
      expect(await timed('/none')).toHaveLength(3);
    }
  });
});
