import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { processStat } from '../../src/engine/supervise/identity.ts';
import { appTarget, briefLoad, removeTemporaryFolders, TestEngine, writeWorkspaceFile } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { slowHalf } from '../support/testTags.ts';

// Generous against the 3 s that are promised: this machine may be busy with other things.
const endsWithinMs = 3_000;
let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start();
});
beforeEach(() => {
  engine.events.length = 0;
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

interface Cancelled {
  outcome: string;
  stored: boolean;
  runId: string;
  tookMs: number;
}

/** Starts a run, cancels it when `moment` has come, and sees that nothing is left running but PostgreSQL. */
async function cancelledAt(moment: () => Promise<unknown>, targets: string[], more: Record<string, unknown> = {}): Promise<Cancelled> {
  const run = engine.measure({ kind: 'run', targets, load: 'brief', ...more });
  run.catch(() => undefined);
  await moment();
  const asked = performance.now();
  expect(await engine.request('run/cancel', {})).toEqual({ cancelled: true });
  const outcome = await run;
  const tookMs = performance.now() - asked;
  const postgres = (await engine.catalog()).services[0]?.pid;
  const others = engine.processes().filter(({ pid }) => pid !== postgres);
  // A backend may end between both looks.
  expect(others.filter(({ pid }) => isLeft(pid, postgres ?? 0))).toEqual([]);
  expect(engine.runFolders().filter((name) => name.startsWith('.tmp-'))).toEqual([]);
  expect(await engine.request('run/cancel', {})).toEqual({ cancelled: false });
  return { ...outcome, tookMs };
}

/** Whether a process is there that is no backend of PostgreSQL. */
function isLeft(pid: number, postgres: number): boolean {
  const stat = processStat(pid);
  return stat !== null && !(postgres > 0 && stat.ppid === postgres);
}

const phase =
  (name: string): (() => Promise<unknown>) =>
  () =>
    engine.event('phase', (event) => event.phase === name);

describe('a benchmark that is cancelled', () => {
  const slow = 60_000;
  const good = appTarget('good', 'steadyService.mjs');
  // Its shutdown is not polite either.
  const stubborn = appTarget('stubborn', 'stubborn.mjs', { stopGraceMs: 20_000 });
  const never = appTarget('never', 'neverReady.mjs', { ready: { path: '/', timeoutMs: 60_000 } });
  const stored = appTarget('stored', 'steadyService.mjs', {
    postgres: { env: { url: 'DATABASE_URL' }, database: 'cancel_test', sql: ['slow.sql'] },
  });

  beforeAll(() => {
    writeWorkspaceFile(engine.workspaceDir, {
      targets: [good, stubborn, never, stored],
      loadProfiles: [briefLoad, { ...briefLoad, name: 'long', warmUp: { minS: 60, maxS: 90, jvmMaxS: 90 } }],
    });
    writeFileSync(path.join(engine.workspaceDir, 'slow.sql'), 'SELECT pg_sleep(60);');
  });

  it.each<[name: string, moment: () => Promise<unknown>, targets: string[], more: Record<string, unknown>]>([
    ['at once', async () => undefined, ['good'], {}],
    ['while it is prepared', phase('prepare'), ['good'], {}],
    ['while PostgreSQL is started', phase('services'), ['stored'], {}],
    ['while SQL is applied', () => engine.event('phase', (event) => event.doing.code === 'applying-sql'), ['stored'], {}],
    ['while targets are started', phase('targets'), ['never', 'good'], {}],
    ['while it is warmed up', phase('warmUp'), ['stubborn'], { load: 'long' }],
    ['while it is measured', () => engine.event('tick', ({ tick }) => tick.stage === 'measure'), ['stubborn', 'good'], { durationS: 30 }],
  ])('%s ends within 3 s, leaves nothing running and stores nothing', { timeout: slow }, async (_name, moment, targets, more) => {
    const { outcome, stored: kept, tookMs } = await cancelledAt(moment, targets, more);
    expect({ outcome, kept }).toEqual({ outcome: 'cancelled', kept: false });
    expect(tookMs).toBeLessThan(endsWithinMs);
    expect((await engine.request('runs/list', {})).runs).toEqual([]);
    expect(engine.events.at(-1)).toMatchObject({ type: 'finished', outcome: 'cancelled', stored: false, failure: null });
  });

  it('after a whole round is stored as cancelled, with what was measured', { timeout: slow, ...slowHalf }, async () => {
    const secondRound = (): Promise<unknown> =>
      engine.event('phase', ({ doing }) => doing.code === 'measuring-several' && doing.round.round === 2);
    const { outcome, stored: kept, runId, tookMs } = await cancelledAt(secondRound, ['good'], { rounds: 50, settings: { pool: [2, 4] } });
    expect({ outcome, kept }).toEqual({ outcome: 'cancelled', kept: true });
    expect(tookMs).toBeLessThan(endsWithinMs);
    const { run } = await engine.request('runs/get', { id: runId });
    expect(run).toMatchObject({
      state: 'cancelled',
      notes: expect.arrayContaining([{ code: 'cancelled', rounds: 1, of: 50 }]) as object[],
    });
    expect(run.plan.order).toHaveLength(1);
    expect(run.trials.map(({ blocks, requests }) => blocks.length >= 1 && requests > 0)).toEqual([true, true]);
  });

  it('by cancelling its request ends in the same way', { timeout: slow, ...slowHalf }, async () => {
    const controller = new AbortController();
    const run = engine.client.request(
      'measure/start',
      { request: { kind: 'run', targets: ['good'], load: 'brief', durationS: 30 } },
      controller.signal,
    );
    await engine.event('tick');
    controller.abort();
    expect(await run).toMatchObject({ outcome: 'cancelled', stored: false });
    await waitFor(() => engine.events.at(-1)?.type === 'finished');
  });
});
