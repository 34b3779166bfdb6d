import { findingTexts, isOf } from '../../src/model/domain/findings.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { isSameProcess } from '../../src/engine/supervise/identity.ts';
import {
  type TestEngineOptions,
  appTarget,
  commandLine,
  failureOf,
  removeTemporaryFolders,
  TestEngine,
  untilGone,
} from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest, slowHalf } from '../support/testTags.ts';

let engine: TestEngine;

async function start(options: TestEngineOptions): Promise<TestEngine> {
  engine = await TestEngine.start(options);
  return engine;
}

afterEach(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

const slow = 60_000;
const good = appTarget('good', 'steadyService.mjs');
/** An app that wants the database and never asks it anything. */
const withDatabase = appTarget('app', 'steadyService.mjs', { postgres: { env: { url: 'DATABASE_URL' }, database: 'faults' } });

function trialOf(run: RunRecord, target: string): RunRecord['trials'][number] {
  const trial = run.trials.find((one) => one.target === target);
  if (trial === undefined) throw new Error(`no trial of ${target}`);
  return trial;
}

/** The pid of the process of this engine whose command line holds `text`. */
function pidOf(text: string): number {
  const found = engine.processes().filter(({ pid }) => commandLine(pid).includes(text));
  if (found.length === 0)
    throw new Error(
      `no process “${text}” among ${engine
        .processes()
        .map(({ pid }) => commandLine(pid))
        .join('; ')}`,
    );
  return Math.min(...found.map(({ pid }) => pid));
}

async function firstMeasuredTick(): Promise<void> {
  await engine.event('tick', ({ tick }) => tick.stage === 'measure');
}

describe('an app that misbehaves under load', () => {
  it('by answering 500 makes its trial invalid, and the reason says so', { timeout: slow, ...slowHalf }, async () => {
    const broken = appTarget('broken', 'steadyService.mjs', { routes: [{ path: '/fail', askFirst: false }] });
    const run = await (await start({ file: { targets: [broken] } })).run({ targets: ['broken'], load: 'brief' });
    const trial = trialOf(run, 'broken');
    expect(trial.valid).toBe(false);
    expect(trial.reasons).toContainEqual(expect.objectContaining({ code: 'requests-failed', kind: 'status5xx' }));
    expect(trial.errors.status5xx).toBeGreaterThan(0);
    expect(run.valid).toBe(false);
    expect(run.reasons[0]?.about).toContain('broken');
  });

  it(
    'by ending mid-run makes its own trial invalid with its exit and last words, and no other; the run is stored',
    { timeout: slow, ...longTest },
    async () => {
      const dying = appTarget('dying', 'diesAfter.mjs', { env: { REQUESTS: '300' } });
      const running = await start({ file: { targets: [good, dying] } });
      const run = await running.run({ targets: ['good', 'dying'], load: 'brief' });
      const reasons = findingTexts(trialOf(run, 'dying').reasons).join(' ');
      expect(trialOf(run, 'dying').valid).toBe(false);
      expect(reasons).toMatch(/exited with code 9/);
      const other = trialOf(run, 'good');
      expect(other.reasons.filter((reason) => isOf(reason, 'end'))).toEqual([]);
      expect(other.blocks).toHaveLength(2);
      expect(other.requests).toBeGreaterThan(0);
      expect((await running.request('runs/list', {})).runs).toMatchObject([{ kind: 'run', id: run.id, valid: false }]);
      expect(running.processes()).toEqual([]);
    },
  );

  it('by ending in its warm-up is not warmed up any further', { timeout: slow, ...slowHalf }, async () => {
    const dying = appTarget('dying', 'diesAfter.mjs', { env: { REQUESTS: '50' } });
    const patient = { name: 'patient', connections: 2, durationS: 0.5, settleS: 0, rounds: 1, warmUp: { minS: 0, maxS: 40, jvmMaxS: 40 } };
    const running = await start({ file: { targets: [dying], loadProfiles: [patient] } });
    const run = await running.run({ targets: ['dying'], load: 'patient' });
    expect(run.durationMs).toBeLessThan(20_000);
    expect(trialOf(run, 'dying')).toMatchObject({
      valid: false,
      requests: 0,
      reasons: [expect.objectContaining({ code: 'ended-before', exit: { code: 9, signal: null } }) as unknown],
    });
  });
});

describe('PostgreSQL that ends mid-run', () => {
  it('by a shutdown fails the run, with nothing stored, and is started again by the next one', { timeout: slow, ...slowHalf }, async () => {
    const running = await start({ file: { targets: [withDatabase] } });
    const run = failureOf(running.measure({ kind: 'run', targets: ['app'], load: 'brief', durationS: 2 }));
    await firstMeasuredTick();
    const postgres = (await running.catalog()).services[0];
    process.kill(postgres?.pid ?? 0, 'SIGINT');
    expect(await run).toMatchObject({ code: 'postgres-died', cure: expect.stringContaining('Run it again') as string });
    expect(running.runFolders()).toEqual([]);
    expect((await running.catalog()).services[0]).toMatchObject({ state: 'failed', problem: { code: 'postgres-died' } });
    const next = await running.run({ targets: ['app'], load: 'brief', rounds: 1 });
    expect(next.state).toBe('complete');
    expect((await running.catalog()).services[0]).toMatchObject({ state: 'running', problem: null });
  });

  it('in one of its processes makes the trial invalid that was measured then', { timeout: slow, ...slowHalf }, async () => {
    const running = await start({ file: { targets: [withDatabase] } });
    const run = running.run({ targets: ['app'], load: 'brief', rounds: 1, durationS: 2 });
    await firstMeasuredTick();
    process.kill(pidOf('walwriter'), 'SIGKILL');
    expect(trialOf(await run, 'app')).toMatchObject({
      valid: false,
      reasons: expect.arrayContaining([expect.objectContaining({ code: 'database-restarted' })]) as unknown[],
    });
  });
});

describe('the load generator', () => {
  it('that is killed mid-run fails the run, and everything is stopped', { timeout: slow, ...longTest }, async () => {
    const running = await start({ file: { targets: [good] } });
    const run = failureOf(running.measure({ kind: 'run', targets: ['good'], load: 'brief', durationS: 10 }));
    await firstMeasuredTick();
    const worker = pidOf('loadWorker.cjs');
    process.kill(worker, 'SIGKILL');
    expect(await run).toMatchObject({ code: 'load-generator-died', message: expect.stringContaining('SIGKILL') as string });
    expect(running.runFolders()).toEqual([]);
    expect(running.processes()).toEqual([]);
  });
});

describe('what is asked for while a benchmark runs', () => {
  it('is refused when it is another benchmark, even at the same moment', { timeout: slow, ...longTest }, async () => {
    const running = await start({ file: { targets: [good] } });
    const request = { targets: ['good'], load: 'brief', rounds: 1 };
    const both = await Promise.allSettled([running.measure({ kind: 'run', ...request }), running.measure({ kind: 'run', ...request })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ failure: { code: 'run-in-progress' } });
    expect((await running.request('runs/list', {})).runs).toHaveLength(1);
  });

  it('is done when it is to stop everything: the run ends, and nothing is left', { timeout: slow, ...slowHalf }, async () => {
    const running = await start({ file: { targets: [withDatabase] } });
    const run = running.measure({ kind: 'run', targets: ['app'], load: 'brief', durationS: 20 });
    await firstMeasuredTick();
    const before = running.processes();
    const { stopped } = await running.request('engine/stopEverything', {});
    expect(stopped).toBeGreaterThanOrEqual(3);
    expect(await run).toMatchObject({ outcome: 'cancelled', stored: false });
    await untilGone(before, 2_000);
    expect((await running.catalog()).services[0]?.state).toBe('stopped');
  });

  it('is a target once although it is named twice', { timeout: slow, ...slowHalf }, async () => {
    const running = await start({ file: { targets: [good] } });
    const run = await running.run({ targets: ['good', 'good'], load: 'brief', rounds: 1, connections: [2, 2] });
    expect(run.trials).toHaveLength(1);
    expect(running.processes()).toEqual([]);
  });
});

describe('a target that is started by hand', () => {
  it(
    'shows that it has ended by itself, with its last output, and what it printed without secrets',
    { timeout: slow, ...slowHalf },
    async () => {
      const word = 'Zq8printedCanary5xT';
      const running = await start({ file: { targets: [{ ...good, env: { SHOP_PASSWORD: word, DATABASE_WORD: word } }] } });
      const { port } = await running.request('target/start', { id: 'good', settings: { pool: 7 } });
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).json()).toEqual({ pool: '7', path: '/' });
      await fetch(`http://127.0.0.1:${port}/exit`).catch(() => undefined);
      const state = await waitFor(async () =>
        (await running.catalog()).targets.find(({ id, state }) => id === 'good' && state === 'failed'),
      );
      expect(state.problem).toMatchObject({ code: 'target-exited', message: expect.stringContaining('code 7') as string });
      const { text } = await running.request('target/log', { id: 'good' });
      expect(text).toContain('listening with pool 7');
      for (const told of [text, state.problem?.detail ?? '']) {
        expect(told).toContain('signing in with [redacted]');
        expect(told).not.toContain(word);
      }
    },
  );

  it('is gone when it was stopped while it was starting', { timeout: slow, ...slowHalf }, async () => {
    const running = await start({ file: { targets: [appTarget('late', 'neverReady.mjs')] } });
    const starting = failureOf(running.request('target/start', { id: 'late' }));
    const [app] = await waitFor(() => {
      const found = running.processes().filter(({ pid }) => commandLine(pid).includes('neverReady'));
      return found.length > 0 ? found : null;
    });
    await running.request('target/stop', { id: 'late' });
    expect(app === undefined || isSameProcess(app)).toBe(false);
    expect((await starting).code).toBe('cancelled');
    expect((await running.catalog()).targets.find(({ id }) => id === 'late')).toMatchObject({ state: 'stopped', problem: null });
  });
});
