import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { whyText } from '../../src/model/domain/tuningAnswers.ts';
import { findingTexts } from '../../src/model/domain/findings.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import type { TuneRequest } from '../../src/model/domain/tuning.ts';
import {
  appTarget,
  commandLine,
  failureOf,
  removeTemporaryFolders,
  repositoryDir,
  TestEngine,
  writeWorkspaceFile,
} from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { waitFor } from '../support/waitFor.ts';
import { resultOf } from '../support/resultOf.ts';

const slow = 60_000;
/** Blocks of half a second: their figures are of no worth, and come soon. */
const load = {
  name: 'brief',
  connections: 4,
  durationS: 0.5,
  settleS: 0.1,
  warmUp: { minS: 0, maxS: 1, jvmMinS: 1, jvmMaxS: 1 },
  timeoutMs: 1_000,
};
const warmed = { ...load, name: 'warmed', warmUp: { minS: 2, maxS: 3, jvmMaxS: 3 } };
const sampleDir = path.join(repositoryDir, 'samples/node');
let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start();
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

function start(targets: unknown[] = []): void {
  engine.events.length = 0;
  writeWorkspaceFile(engine.workspaceDir, { targets, loadProfiles: [load, warmed] });
}

function request(more: Partial<TuneRequest>): TuneRequest {
  return {
    targets: ['node'],
    settings: { pool: [1, 2] },
    load: 'brief',
    route: '/wait?ms=5',
    blockS: 0.5,
    budgetS: 11,
    delta: 0.05,
    mode: 'auto',
    confirm: false,
    ...more,
  };
}

async function tune(more: Partial<TuneRequest>): Promise<RunRecord> {
  const { runId } = await engine.measure({ kind: 'tune', ...request(more) });
  return (await engine.request('runs/get', { id: runId })).run;
}

describe('a tuning that cannot lead to an answer', () => {
  it.each<[string, Partial<TuneRequest>, string, RegExp]>([
    ['of a single value', { settings: { pool: [4] } }, 'tune-range', /no setting has two values/],
    ['of a setting that the target does not have', { settings: { poool: [1, 2] } }, 'setting-unknown', /poool/],
    [
      'of three settings at once',
      { settings: { pool: [1, 2], poolTimeoutMs: [500, 1000], heapMb: [64, 128] } },
      'tune-range',
      /3 settings vary/,
    ],
    ['of a value outside of the range', { settings: { pool: [0, 2] } }, 'setting-value', /cannot be 0/],
    ['of an unknown load profile', { load: 'gentle' }, 'unknown-load-profile', /gentle/],
    ['of an unknown target', { targets: ['nobody'] }, 'target-unknown', /nobody/],
    [
      'within too short a budget',
      { budgetS: 3, settings: { pool: [1, 2, 4, 8] } },
      'budget-short',
      /3 s are too short .* take about \d+ s/,
    ],
    [
      'of more connections than PostgreSQL allows',
      { settings: { pool: [250], instances: [1, 2] }, budgetS: 60 },
      'pool-too-large',
      /500 connections, and PostgreSQL allows \d+/,
    ],
  ])('%s is refused with a sentence and a cure', { timeout: slow }, async (_name, more, code, message) => {
    start();
    const failure = await failureOf(engine.measure({ kind: 'tune', ...request(more) }));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
    expect(failure.cure.length).toBeGreaterThan(10);
    expect(engine.runFolders()).toEqual([]);
  });
});

/** The Node sample as a service whose pool no variable sizes. */
async function setsHardPool(mode: TuneRequest['mode']): Promise<void> {
  start([
    appTarget('hard', '', {
      command: ['node', path.join(sampleDir, 'server.mjs')],
      ready: { path: '/health', timeoutMs: 20_000 },
      routes: [{ path: '/wait?ms=5' }],
      settings: { pool: { default: 10, live: 'pool' } },
      postgres: { env: { url: 'DATABASE_URL' }, database: 'hard', sql: [] },
    }),
  ]);
  const run = await tune({ targets: ['hard'], settings: { pool: [1, 4] }, mode });
  expect(run.plan.mode).toBe(mode);
  expect(run.trials.map(({ settings, pool }) => [settings['pool'], pool?.max])).toEqual([
    [1, 1],
    [4, 4],
  ]);
  expect(run.trials.every(({ valid, requests }) => valid && requests > 0)).toBe(true);
}

describe('a tuning', () => {
  it('changes the running process where it can, and is stored as a run with an answer', { timeout: slow }, async () => {
    start();
    const run = await tune({ settings: { pool: [1, 4] } });
    expect(run.plan.mode).toBe('live');
    expect(new Set(Object.values(run.plan.commands).map(({ argv }) => argv.join(' '))).size).toBe(1);
    expect(resultOf(run, 'tune').answers).toHaveLength(1);
    expect(run.trials.map(({ settings, pool }) => [settings['pool'], pool?.max])).toEqual([
      [1, 1],
      [4, 4],
    ]);
    // Of each request of the route, those at the edges of slices too.
    for (const { pool } of run.trials) expect(pool?.perRequest).toBeCloseTo(1, 1);
    expect(run.plan.order.length).toBeGreaterThanOrEqual(2);
    expect(engine.events.some((event) => event.type === 'tuning' && event.answers[0]?.settings.length === 2)).toBe(true);
    expect(engine.events.at(-1)).toMatchObject({ type: 'finished', outcome: 'complete', stored: true });
  });

  it('gives a pool that only code sizes what is asked for, by the probe', { timeout: slow, ...longTest }, () => setsHardPool('live'));
  it('gives it in processes of their own, too', { timeout: slow, ...slowHalf }, () => setsHardPool('process-per-setting'));

  it(
    'gives each value a process of its own where nothing in the app can be resized, and says so',
    { timeout: slow, ...slowHalf },
    async () => {
      start([appTarget('plain', 'steadyService.mjs')]);
      const run = await tune({ targets: ['plain'], settings: { pool: [1, 2] }, route: '/' });
      expect(run.plan.mode).toBe('process-per-setting');
      expect(noteTexts(run.notes).join(' ')).toMatch(/Not live: The probe sees no connection pool/);
      expect(run.trials.every(({ requests }) => requests > 0)).toBe(true);
    },
  );

  it('warms processes that each have a value at the same time', { timeout: slow, ...slowHalf }, async () => {
    start([appTarget('loaded', 'whenLoaded.mjs')]);
    const run = await tune({
      targets: ['loaded'],
      settings: { pool: [1, 2] },
      load: 'warmed',
      route: '/',
      mode: 'process-per-setting',
      budgetS: 20,
    });
    const folder = path.join(engine.workspaceDir, '.benchside', 'runs', run.id);
    const times = run.files
      .filter(({ name }) => name.startsWith('process-'))
      .map(({ name }) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as { fromMs: number; toMs: number });
    // Both, and what is in use today.
    expect(times).toHaveLength(3);
    expect(Math.max(...times.map(({ fromMs }) => fromMs))).toBeLessThan(Math.min(...times.map(({ toMs }) => toMs)));
    const [one, two] = run.trials.map(({ warmUp }) => warmUp);
    expect(one?.durationMs).toBeGreaterThanOrEqual(1_900);
    expect(two).toEqual(one);
  });

  it('shares the load among instances, and the connections among their pools', { timeout: slow, ...slowHalf }, async () => {
    start();
    const run = await tune({
      settings: { instances: [1, 2] },
      topology: { proxy: null, cpuShare: null, totalConnections: 8 },
      mode: 'process-per-setting',
    });
    expect(run.trials.map(({ settings }) => settings)).toEqual([
      { instances: 1, pool: 8 },
      { instances: 2, pool: 4 },
    ]);
    expect(run.trials.map(({ pool }) => pool?.max)).toEqual([8, 8]);
    expect(run.trials.every(({ requests, errors }) => requests > 0 && errors.total === 0)).toBe(true);
  });

  it('notices an app that sets its pool back, and recommends nothing', { timeout: slow, ...slowHalf }, async () => {
    start([
      appTarget('stubborn', 'stubbornPool.cjs', {
        env: { PG_FROM: path.join(sampleDir, 'server.mjs') },
        settings: { pool: { min: 1, max: 64, default: 3, env: 'POOL' } },
      }),
    ]);
    const run = await tune({ targets: ['stubborn'], settings: { pool: [2, 3] }, route: '/' });
    const ignored = run.trials.find(({ settings }) => settings['pool'] === 2);
    expect(ignored?.valid).toBe(false);
    expect(findingTexts(ignored?.reasons ?? []).join(' ')).toMatch(/The pool says that its size is 3|set its pool to 3 instead of 2/);
    expect(resultOf(run, 'tune').answers[0]).toMatchObject({ status: 'undecided', values: null });
  });

  it('keeps what was measured when it is cancelled after a round, and leaves nothing running', { timeout: slow, ...slowHalf }, async () => {
    start();
    const outcome = engine.measure({ kind: 'tune', ...request({ settings: { pool: [1, 4] }, budgetS: 60 }) });
    await waitFor(
      () => engine.events.some((event) => event.type === 'phase' && event.doing.code === 'round' && event.doing.round.round === 2),
      {
        timeoutMs: 40_000,
        what: 'the second round',
      },
    );
    await engine.request('run/cancel', {});
    const { runId, run: told, ...rest } = await outcome;
    expect(rest).toEqual({ outcome: 'cancelled', stored: true });
    const { run } = await engine.request('runs/get', { id: runId });
    expect(told).toEqual(run);
    expect(run.state).toBe('cancelled');
    expect(resultOf(run, 'tune').stage).toEqual({ code: 'cancelled', rounds: 1 });
    expect(run.trials.filter(({ requests }) => requests > 0)).toHaveLength(3);
    const left = engine.processes().map(({ pid }) => commandLine(pid));
    expect(left.filter((line) => !line.includes('postgres'))).toEqual([]);
  });
});

describe('a run', () => {
  it(
    'confirms its answer in fresh processes, where the values were set in one that was changed',
    { timeout: slow, ...slowHalf },
    async () => {
      start();
      const more = { targets: ['node'], load: 'brief', route: '/wait?ms=5', rounds: 3, confirm: true };
      const changed = await engine.run({ ...more, settings: { pool: [1, 4] } });
      expect(changed.plan.mode).toBe('live');
      expect(changed.recommendations.map(whyText).join(' ')).toMatch(/[Ff]resh process(es)? .*pool 4/);
      const apart = await engine.run({ ...more, settings: { pool: [1, 4] }, mode: 'process-per-setting' });
      expect(apart.notes).toContainEqual(expect.objectContaining({ code: 'fresh-already' }));
    },
  );

  it('goes on at a fixed rate until p99 is decided, or its budget is spent', { timeout: slow, ...slowHalf }, async () => {
    start();
    const run = await engine.run({
      targets: ['node'],
      load: 'brief',
      route: '/wait?ms=5',
      settings: { pool: [1, 4] },
      ratePerS: 80,
      budgetS: 12,
    });
    const rounds = engine.events.flatMap((event) => (event.type === 'phase' && 'round' in event.doing ? [event.doing.round] : []));
    expect(rounds[0]).toMatchObject({ code: 'planned', round: 1, more: true });
    const further = rounds.some((round) => typeof round === 'object' && round?.code === 'added');
    const verdict = run.recommendations[0];
    // Decided within the rounds of the plan, or pursued beyond them.
    expect(further || verdict?.status === 'confirmed').toBe(true);
    expect(run.trials.every(({ openLoop }) => openLoop?.rate === 80)).toBe(true);
  });
});
