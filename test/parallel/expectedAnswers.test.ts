import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { MixRequest } from '../../src/engine/load/loadProtocol.ts';
import { blockPlan, startLoadBench } from '../support/loadBench.ts';
import { type AppHandler, type UserApp, startUserApp } from '../support/userApp.ts';

const apps: UserApp[] = [];
let generator: LoadGenerator;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ generator, end } = await startLoadBench());
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.stop();
});
afterAll(() => end());

async function serving(handler: AppHandler): Promise<UserApp> {
  const app = await startUserApp(handler);
  apps.push(app);
  return app;
}

const query: MixRequest = { method: 'POST', path: '/graphql', headers: {}, body: '{"query":"{ a }"}', weight: 1, parameters: {} };
const items: MixRequest = { method: 'GET', path: '/items', headers: {}, weight: 1, parameters: {}, expect: { body: { json: '$.items' } } };
const rates = [
  ['a closed loop', {}],
  ['an open loop', { open: { ratePerS: 200, maxInFlight: 100 } }],
] as const;

describe.each(rates)('answers of %s', (_of, plan) => {
  it('that are errors within a good status are counted as what was not expected', async () => {
    const app = await serving((_request, response) => response.end('{"errors":[{"message":"no"}],"data":null}'));
    const { requests, errors } = await generator.runBlock(blockPlan(app.port, { ...plan, mix: [query] }));
    expect(errors.unexpected).toBeGreaterThan(10);
    // The first ones may have been right for all that was known: not every body is read.
    expect(requests).toBeLessThan(0.05 * errors.unexpected + 5);
    expect(errors.total).toBe(errors.unexpected);
  });

  it('that turn wrong under load are seen, and those of another route stay right', async () => {
    let asked = 0;
    const app = await serving((request, response) => {
      if (request.path === '/items') asked += 1;
      response.end(request.path === '/items' && asked > 20 ? '{}' : '{"items":[]}');
    });
    const other: MixRequest = { method: 'GET', path: '/other', headers: {}, weight: 1, parameters: {} };
    const { requests, errors } = await generator.runBlock(blockPlan(app.port, { ...plan, mix: [items, other], windowMs: 800 }));
    expect(errors.unexpected).toBeGreaterThan(10);
    expect(requests).toBeGreaterThan(10);
    expect(errors.total).toBe(errors.unexpected);
  });

  it('by a rate limit have a name of their own', async () => {
    const app = await serving((_request, response) => response.writeHead(429, { 'retry-after': '1' }).end());
    const { requests, errors } = await generator.runBlock(blockPlan(app.port, plan));
    expect(requests).toBe(0);
    expect(errors.limited).toBeGreaterThan(10);
    expect(errors.total).toBe(errors.limited);
  });

  it('of a status that is expected are right', async () => {
    const app = await serving((_request, response) => response.writeHead(404).end());
    const missing: MixRequest = { method: 'GET', path: '/gone', headers: {}, weight: 1, parameters: {}, expect: { status: [404] } };
    const { requests, errors } = await generator.runBlock(blockPlan(app.port, { ...plan, mix: [missing] }));
    expect(errors.total).toBe(0);
    expect(requests).toBeGreaterThan(10);
  });
});
