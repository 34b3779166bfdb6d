import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workspaceFileSchema } from '../../src/model/domain/target.ts';
import { type Answer, type Question, type SampleApp, labNames, samplesDir } from '../support/samples.ts';
import { Twins, comparable, json, refusal } from '../support/twins.ts';

// The contract of the lab’s routes with a limit of their own: what each must answer, and that both programs answer the same.

const twins = new Twins(labNames);
const { stack } = twins;
const both = (target: string, question?: Question): Promise<Answer> => twins.both(target, question);

beforeAll(() => twins.start(), 40_000);
afterAll(() => twins.stop(), 20_000);

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
    await twins
      .each(async (sample) => {
        await stack.applyPrepare();
        return [await ask(sample, '/counters/7'), await ask(sample, '/counters/7?ms=1'), await ask(sample, '/counters/1000')];
      })
      .then((counts) =>
        expect(counts).toEqual([
          { id: 7, value: 1 },
          { id: 7, value: 2 },
          { id: 1000, value: 1 },
        ]),
      );
    await twins
      .each(async (sample) => {
        await stack.applyPrepare();
        const started = performance.now();
        await Promise.all([1, 2, 3, 4].map(() => ask(sample, '/counters/1?ms=40')));
        expect(performance.now() - started).toBeGreaterThan(155);
        return ask(sample, '/counters/1');
      })
      .then((count) => expect(count).toEqual({ id: 1, value: 5 }));
    expect(refusal(await both('/counters/1001', { method: 'POST' }))).toEqual([400, 'id must be a whole number from 1 to 1000']);
    expect(refusal(await both('/counters/1?ms=1001', { method: 'POST' }))).toEqual([400, 'ms must be a whole number from 0 to 1000']);
    expect((await both('/counters/1')).headers['allow']).toBe('POST');
  });

  it('checks out with a connection in hand, whether it waits or computes', async () => {
    const shape = /^\{"id":\d+,"ms":(\d+),"work":"(wait|compute)"\}$/;
    await twins
      .each(async (sample) => {
        const answers: unknown[] = [];
        for (const query of ['', '?ms=0&work=wait', '?work=compute&ms=3', '?ms=&work=']) {
          const answer = await sample.ask(`/checkout${query}`);
          answers.push(answer.status, ...(shape.exec(answer.text)?.slice(1) ?? [answer.text]));
        }
        return answers;
      })
      .then((answers) => expect(answers).toEqual([200, '10', 'wait', 200, '0', 'wait', 200, '3', 'compute', 200, '10', 'wait']));
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

  it.each(labNames)('holds on to the only connection, or waits for itself in vain, and goes on afterwards: %s', async (name) => {
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
    await twins
      .each(async (sample) => {
        await stack.applyPrepare();
        const created = await sample.ask('/reviews', json({ rating: 5, text }));
        expect(created.headers['location']).toBe('/reviews/201');
        expect(JSON.parse((await sample.ask('/reviews?limit=1')).text)).toEqual([JSON.parse(created.text)]);
        return comparable(created);
      })
      .then((created) => expect(created).toMatchObject({ status: 201, body: JSON.stringify({ id: 201, rating: 5, text, createdAt: '' }) }));
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
    await twins
      .each(async (sample) => {
        const answers = [];
        for (const query of ['?kb=1&keep=3', '?keep=3', '?kb=1&keep=1', '?kb=64&keep=0', '']) {
          answers.push((await sample.ask(`/allocate${query}`)).text);
        }
        return answers;
      })
      .then((answers) =>
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
    await twins
      .each(async (sample) => {
        const started = performance.now();
        const answers = await Promise.all([1, 2, 3, 4].map(() => sample.ask('/locked?ms=40')));
        expect(performance.now() - started).toBeGreaterThan(155);
        return answers.map((answer) => answer.text);
      })
      .then((answers) => expect(new Set(answers)).toEqual(new Set(['{"waitedMs":40}'])));
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

  it('are timed when a request asks for it', async () => {
    for (const name of labNames) {
      for (const target of ['/nested', '/static/bundle.css']) {
        const timed = await twins.app(name).ask(target, { headers: { 'X-Server-Timing': '1' } });
        expect(timed.headers['server-timing']).toMatch(/^app;dur=\d+\.\d{3}, pool;dur=\d+\.\d{3}, db;dur=\d+\.\d{3}$/);
      }
    }
  });
});

describe('the declaration of the lab', () => {
  const file = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(samplesDir, 'lab/benchside.json'), 'utf8')));

  it('declares both programs with the same routes, those of the samples first', () => {
    expect(file.targets.map((target) => target.id)).toEqual(['lab-node', 'lab-java', 'php']);
    expect(file.targets[1]?.routes).toEqual(file.targets[0]?.routes);
    const { targets } = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(samplesDir, 'benchside.json'), 'utf8')));
    expect(file.targets[0]?.routes.slice(0, targets[0]?.routes.length)).toEqual(targets[0]?.routes);
  });

  it('names routes that both answer with success', async () => {
    // Documents need a store, and counters count on: each has a test of its own.
    const routes = file.targets[0]?.routes.filter((route) => !/^\/(documents|counters)\//.test(route.path)) ?? [];
    for (const route of routes) {
      const fill = (text: string): string =>
        text.replace(/:([a-z]+)/g, (whole, name: string) => {
          const parameter = route.parameters[name];
          return parameter !== undefined && 'max' in parameter ? String(parameter.max) : whole;
        });
      const answer = await both(fill(route.path), {
        method: route.method,
        ...(route.body === undefined ? {} : { body: fill(route.body) }),
      });
      expect([200, 201]).toContain(answer.status);
    }
    await stack.applyPrepare();
  });
});
