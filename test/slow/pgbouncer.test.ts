import { evidenceText } from '../../src/model/domain/answerEvidence.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { findingTexts } from '../../src/model/domain/findings.ts';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPgBouncer } from '../../src/engine/services/bouncer/findPgBouncer.ts';
import { FailureError } from '../../src/model/domain/failure.ts';
import { removeTemporaryFolders, TestEngine } from '../support/engine.ts';
import { waitFor } from '../support/waitFor.ts';
import { resultOf } from '../support/resultOf.ts';

let engine: TestEngine;
beforeAll(async () => {
  const loadProfiles = [
    { name: 'short', connections: 64, durationS: 2, settleS: 0.5, rounds: 2, warmUp: { minS: 1, maxS: 3 }, timeoutMs: 5000 },
  ];
  engine = await TestEngine.start({ file: { loadProfiles } });
});
afterAll(async () => {
  await engine.dispose();
  removeTemporaryFolders();
});

const minutes = 240_000;
/** Holds a connection while PostgreSQL waits. */
const common = { targets: ['node'], load: 'short', route: 'GET /wait?ms=20' };

/** Of this engine’s processes those that are PgBouncer. */
function bouncers(of = engine): number[] {
  return of.processes().flatMap(({ pid }) => (readComm(pid) === 'pgbouncer' ? [pid] : []));
}

function readComm(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

describe.skipIf(findPgBouncer() === null)('a service behind PgBouncer', { timeout: minutes }, () => {
  it('waits for its pool in transaction mode, which the verdict names; PostgreSQL sees no more sessions than that', async () => {
    const settings = { bouncerPool: [8], pool: [32], instances: [2], preparedStatements: ['no'] };
    const run = await engine.run({ ...common, settings, topology: { proxy: null, cpuShare: null, bouncer: { mode: 'transaction' } } });
    const [trial] = run.trials;
    expect(trial?.errors.total).toBe(0);
    expect(trial?.diagnosis).toMatchObject({ kind: 'pgbouncer' });
    expect(trial?.diagnosis?.said).toMatchObject({ code: 'bouncer-full', max: 8 });
    expect(trial?.bouncer?.poolSize).toBe(8);
    expect(trial?.bouncer?.busy).toBeGreaterThan(7);
    expect(trial?.bouncer?.transactionsPerRequest).toBeCloseTo(1, 1);
    // Little’s law for PgBouncer’s queue: 64 connections of the load, of which 8 are at work.
    expect(trial?.bouncer?.waiting).toBeGreaterThan(30);
    const states = Object.entries(trial?.resources.sessions ?? {}).filter(([name]) => name !== 'CPU' && !name.includes(':'));
    expect(states.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(8);
    expect(run.files.map(({ name }) => name)).toContain('pgbouncer-1.log');
    expect(bouncers()).toEqual([]);
  });

  it('has as many as it asks for in session mode, named statements and all', async () => {
    const settings = { bouncerPool: [16], pool: [8], instances: [2] };
    const run = await engine.run({ ...common, settings, topology: { proxy: null, cpuShare: null, bouncer: { mode: 'session' } } });
    const [trial] = run.trials;
    expect(trial?.errors.total).toBe(0);
    expect(trial?.bouncer).toMatchObject({ mode: 'session', poolSize: 16 });
    expect(trial?.bouncer?.waiting).toBeLessThan(1);
    expect(trial?.diagnosis?.kind).not.toBe('pgbouncer');
  });

  it('that prepares its statements by name is told so, with what helps', async () => {
    const topology = { proxy: null, cpuShare: null, bouncer: { mode: 'transaction' as const } };
    // Whether its statements meet each other while it starts already, or only under load, is chance.
    const told = await engine.run({ ...common, settings: { bouncerPool: [2], pool: [8] }, topology }).then(
      ({ notes, trials }) =>
        [...noteTexts(notes), ...trials.flatMap((trial) => findingTexts([...trial.reasons, ...trial.notes]))].join('\n'),
      (error: unknown) => {
        if (!(error instanceof FailureError)) throw error;
        return `${error.failure.message}\n${error.failure.cure}`;
      },
    );
    expect(told).toContain('prepares statements by name');
    expect(told).toContain('prepareThreshold=0');
    expect(bouncers()).toEqual([]);
  });

  it('has the size of its pool found like any other, in one process, by waits that PgBouncer counts', async () => {
    const { runId } = await engine.measure({
      kind: 'tune',
      ...common,
      settings: { bouncerPool: [2, 8, 32, 64], pool: [64], preparedStatements: ['no'] },
      budgetS: 60,
      topology: { proxy: null, cpuShare: null, bouncer: { mode: 'transaction' } },
    });
    const { run } = await engine.request('runs/get', { id: runId });
    const answer = resultOf(run, 'tune').answers[0];
    expect(run.plan.modeReasons).toEqual([{ code: 'one-process' }]);
    expect(Number(answer?.values?.['bouncerPool'])).toBeGreaterThanOrEqual(8);
    const share = (size: number): number => {
      const trial = run.trials.find(({ settings }) => settings['bouncerPool'] === size);
      return Math.min(...(trial?.blocks.map(({ waits }) => waits?.bouncer ?? 1) ?? []));
    };
    // With 2 of 64 nearly all wait; with 64 nobody can, once PgBouncer has opened them, which it does one at a time.
    expect(share(2)).toBeGreaterThan(0.7);
    expect(share(64)).toBeLessThan(0.1);
    expect(answer?.evidence.map(evidenceText).join(' ')).toContain('PgBouncer');
  });

  it('leaves no PgBouncer behind when the engine is killed in the midst of a run', async () => {
    const own = await TestEngine.start({ file: {} });
    const running = own
      .run({
        ...common,
        load: 'smoke',
        durationS: 60,
        settings: { bouncerPool: [4], preparedStatements: ['no'] },
        topology: { proxy: null, cpuShare: null, bouncer: { mode: 'transaction' } },
      })
      .catch(() => undefined);
    const pids = await waitFor(() => (bouncers(own).length > 0 ? bouncers(own) : null), { timeoutMs: 60_000, what: 'PgBouncer runs' });
    process.kill(own.client.pid, 'SIGKILL');
    await running;
    await waitFor(() => pids.every((pid) => readComm(pid) !== 'pgbouncer'), { what: 'it has ended' });
    await own.dispose();
  });

  it('shares a budget of connections as the law says', async () => {
    const { runId } = await engine.measure({ kind: 'experiment', id: 'P1' });
    const { run } = await engine.request('runs/get', { id: runId });
    expect(resultOf(run, 'experiment').points).toHaveLength(6);
    expect(resultOf(run, 'experiment').shape.filter(({ agrees }) => agrees === false)).toEqual([]);
    expect(resultOf(run, 'experiment').points.find(({ variant }) => variant === 'transaction')?.limit).toBe('pgbouncer');
    expect(bouncers()).toEqual([]);
  });
});
