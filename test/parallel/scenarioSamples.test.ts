import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import { loadProfileNamed } from '../../src/engine/run/loadProfileNamed.ts';
import { readDeclarations } from '../../src/engine/targets/catalog.ts';
import { steadyStages } from '../../src/engine/load/stages/stages.ts';
import { startLoadBench } from '../support/loadBench.ts';
import { runRoles } from '../support/rolesRun.ts';
import { repositoryDir, requireSamples, SampleStack } from '../support/samples.ts';

let stack: SampleStack;
let generator: LoadGenerator;
let end: () => Promise<void>;

beforeAll(async () => {
  requireSamples();
  stack = new SampleStack();
  await stack.start();
  ({ generator, end } = await startLoadBench());
});
afterAll(async () => {
  await end();
  await stack.stop();
});

describe('the roles of the lab', () => {
  it('walk through the sample without an error, and what they did is in its database', async () => {
    const { roles = [] } = loadProfileNamed(await readDeclarations(repositoryDir, null), 'roles');
    const { port } = await stack.app('lab-node');
    const hasty = roles.map((role) => ({ ...role, steps: role.steps.map((step) => ({ ...step, thinkMs: { min: 5, max: 20 } })) }));
    // So many that every user has walked through all steps, however fast the machine is.
    const enough = { stages: steadyStages(21, 30), settleMs: 200, requests: 600 };
    const run = () => runRoles(generator, { host: '127.0.0.1', port, roles: hasty, ...enough, timeoutMs: 10_000, seed: 5 });
    const first = await run();
    // A second pass signs up again, with other names.
    const second = await run();

    for (const { firstErrors, total, steps } of [first, second]) {
      expect(firstErrors).toEqual([]);
      expect(total.errors.total).toBe(0);
      expect(total.requests).toBeGreaterThan(20);
      expect(steps.map(({ role, step }) => `${role}: ${step}`)).toEqual([
        ...['list', 'ad', 'similar', 'reviews'].map((step) => `guest: ${step}`),
        ...['sign up', 'account', 'review', 'ad'].map((step) => `member: ${step}`),
        ...['sign up', 'log in', 'upload'].map((step) => `seller: ${step}`),
      ]);
    }
    const [counts] = await stack.query<{ members: number; sellers: number; uploads: number; bytes: number }>(
      `SELECT (SELECT count(*) FROM accounts WHERE name LIKE 'member-%')::int AS members, (SELECT count(*) FROM accounts WHERE name LIKE 'seller-%')::int AS sellers,
        (SELECT count(*) FROM uploads)::int AS uploads, (SELECT coalesce(max(bytes), 0) FROM uploads)::int AS bytes`,
    );
    expect(counts).toMatchObject({ members: 20, sellers: 2, bytes: 200_000 });
    expect(counts?.uploads).toBeGreaterThanOrEqual(2);
  });
});
