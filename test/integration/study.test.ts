import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StudyFile } from '../../src/model/study.ts';
import { studyFileSchema } from '../../src/model/study.ts';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { slowHalf } from '../support/slowHalf.ts';

let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

const bundled = (id: string): StudyFile =>
  studyFileSchema.parse(JSON.parse(readFileSync(path.join(repositoryDir, 'profiles/experiments/published', `${id}.json`), 'utf8')));

/** A workspace with a study of its own, made from a bundled one. */
function workspaceWith(study: object): string {
  const workspaceDir = temporaryFolder('workspace');
  const folder = path.join(workspaceDir, 'profiles', 'experiments', 'published');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(study));
  return workspaceDir;
}

describe('a published experiment', () => {
  it('kills an instance behind nginx, counts the errors and the seconds, and leaves nothing running', { timeout: 120_000 }, async () => {
    engine = await TestEngine.start({});
    const { runId, stored } = await engine.request('study/start', { id: 'B3', form: 'short' });
    expect(stored).toBe(true);
    const { run } = await engine.request('runs/get', { id: runId });
    const { study } = run;
    const point = study?.points[0];
    expect(point?.figures.errorShare).toBeLessThan(0.05);
    expect(run.trials[0]?.requests).toBeGreaterThan(1000);
    const throughput = study?.series.find(({ label }) => label === 'Throughput');
    expect(throughput?.marks.map(({ label }) => label)).toEqual(['an instance was killed', 'an instance was added']);
    expect(throughput?.points.length).toBeGreaterThan(40);
    expect(study?.shape).toHaveLength(2);
    const { studies } = await engine.request('studies/list', {});
    expect(studies.find(({ id }) => id === 'B3')?.lastRunId).toBe(runId);
    await engine.request('engine/stopEverything', {});
    expect(engine.processes().length).toBeLessThanOrEqual(1);
  });

  it(
    'finds the client pool of two by itself, whatever the ladder looks like on this machine',
    { timeout: 120_000, ...slowHalf },
    async () => {
      const c1 = bundled('c1');
      const brief = { ...c1, id: 'X1', short: { kind: 'ladder', levels: [8, 24], rounds: 2, blockS: 1.5, settleS: 0.5 } };
      engine = await TestEngine.start({ workspaceDir: workspaceWith(brief) });
      const { runId } = await engine.request('study/start', { id: 'X1', form: 'short' });
      const { run } = await engine.request('runs/get', { id: runId });
      const valid = run.study?.points.filter((point) => point.valid) ?? [];
      for (const { limit } of valid) expect(limit).toBe('outbound-pool');
      // Two connections that each take 20 ms or more: no more than 100 requests a second can come through.
      for (const { figures } of run.study?.points ?? []) expect(figures.throughput).toBeLessThanOrEqual(102);
      expect(run.trials.every(({ diagnosis }) => diagnosis !== null)).toBe(true);
    },
  );

  it('says which arm cannot be started, and why, and stores nothing', { timeout: 60_000 }, async () => {
    const b2 = bundled('b2');
    const broken = { ...b2, id: 'X2', arms: b2.arms.map((arm) => ({ ...arm, settings: { poolLibrary: 'pg-native' } })) };
    engine = await TestEngine.start({ workspaceDir: workspaceWith(broken) });
    const failure = await failureOf(engine.request('study/start', { id: 'X2', form: 'short' }));
    expect(failure.code).toBe('target-exited');
    expect(failure.detail).toMatch(/pg-native/);
    expect((await engine.request('runs/list', {})).runs).toEqual([]);
  });

  it('is refused with the cure when a program is missing, and the others can still be run', { timeout: 30_000 }, async () => {
    const env = { PATH: temporaryFolder('no-programs'), JAVA_HOME: '' };
    engine = await TestEngine.start({ env, nodePath: process.execPath });
    const { studies, problems } = await engine.request('studies/list', {});
    expect(problems).toEqual([]);
    expect(studies.find(({ id }) => id === 'A2')?.missing.map(({ need }) => need)).toEqual(['java']);
    expect(studies.find(({ id }) => id === 'B2')?.missing).toEqual([]);
    const refused = await failureOf(engine.request('study/start', { id: 'A2', form: 'short' }));
    expect(refused.code).toBe('study-needs');
    expect(refused.cure).toMatch(/JDK/);
    expect((await failureOf(engine.request('study/start', { id: 'Z9', form: 'short' }))).code).toBe('study-unknown');
  });
});
