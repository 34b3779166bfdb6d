import { findingText } from '../../src/model/domain/findings.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../src/model/domain/run.ts';
import { rawRequestSchema } from '../../src/model/domain/rawSample.ts';
import { type ExperimentFile, experimentFileSchema } from '../../src/model/domain/experiment.ts';
import { failureOf, removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { longTest, slowHalf } from '../support/testTags.ts';
import { resultOf } from '../support/resultOf.ts';
import { shapeWords } from '../../src/model/presentation/shapeWords.ts';

let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

const bundled = (id: string): ExperimentFile =>
  experimentFileSchema.parse(JSON.parse(readFileSync(path.join(repositoryDir, 'profiles/experiments/published', `${id}.json`), 'utf8')));

/** A workspace with a study of its own, made from a bundled one. */
function workspaceWith(experiment: object): string {
  const workspaceDir = temporaryFolder('workspace');
  const folder = path.join(workspaceDir, 'profiles', 'experiments', 'published');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(experiment));
  return workspaceDir;
}

/** What holds on any machine: a rule is held or not by an interval that lies on one side, and an open one says what it knows. */
function expectHonest(run: RunRecord): void {
  const { shape, experiment } = resultOf(run, 'experiment');
  expect(shape.length).toBeGreaterThan(0);
  for (const rule of shape) {
    const { agrees, interval } = rule;
    const { sentence } = shapeWords(rule, experiment);
    expect(sentence).toMatch(/\.$/);
    if (agrees === null) expect(sentence).toMatch(/open|too little that is valid|no verdict could be reached|only likely/);
    if (interval?.low != null && interval.high !== null) {
      expect(interval.low).toBeLessThanOrEqual(interval.value);
      expect(interval.high).toBeGreaterThanOrEqual(interval.value);
    }
  }
  for (const { blocks } of run.trials) {
    expect(blocks.length).toBeGreaterThan(0);
    // CPU that other programs used discards no block.
    for (const { reasons } of blocks)
      for (const reason of reasons) expect(findingText(reason)).not.toMatch(/hypervisor|other programs|CPU limit/);
  }
}

describe('a published experiment', () => {
  it(
    'kills an instance behind nginx, counts the errors and the seconds, and leaves nothing running',
    { timeout: 240_000, ...slowHalf },
    async () => {
      const b3 = bundled('b3');
      // Half a minute of the study in seven seconds: killed after two, added after four.
      const schedule = [
        { atS: 2, action: 'kill' },
        { atS: 4, action: 'add' },
      ];
      const variants = b3.variants.map((variant) => ({ ...variant, topology: { ...variant.topology, schedule } }));
      const brief = { ...b3, id: 'X3', variants, short: { kind: 'outage', connections: 32, durationS: 7 } };
      engine = await TestEngine.start({ workspaceDir: workspaceWith(brief) });
      const { runId, stored } = await engine.measure({ kind: 'experiment', id: 'X3', form: 'short' });
      expect(stored).toBe(true);
      const { run } = await engine.request('runs/get', { id: runId });
      const experiment = resultOf(run, 'experiment');
      const point = experiment.points[0];
      expect(point?.figures.errorShare).toBeGreaterThanOrEqual(0);
      expect(point?.figures.errorShare).toBeLessThan(1);
      expect(run.trials[0]?.requests).toBeGreaterThan(0);
      const throughput = experiment.series.filter(({ label }) => label === 'Throughput');
      expect(throughput).toHaveLength(1);
      expect(throughput[0]?.marks.map(({ label }) => label)).toEqual(['an instance was killed', 'an instance was added']);
      // A window of 7 s in ticks of 250 ms; a late tick takes two places.
      expect(throughput[0]?.points.length).toBeGreaterThan(14);
      expect(experiment.shape).toHaveLength(2);
      expectHonest(run);
      const { experiments } = await engine.request('experiments/list', {});
      expect(experiments.find(({ id }) => id === 'X3')?.lastRunId).toBe(runId);
      await engine.request('engine/stopEverything', {});
      expect(engine.processes().length).toBeLessThanOrEqual(1);
    },
  );

  it(
    'finds the client pool of two by itself, whatever the machine does meanwhile, and says of each rule what it rests on',
    { timeout: 240_000, ...slowHalf },
    async () => {
      const c1 = bundled('c1');
      // A rule that is sure after few blocks: how long an open one is pursued is tried elsewhere.
      const shape = c1.shape.map((one) => (one.rule === 'flat' ? { ...one, withinPercent: 40 } : one));
      const brief = { ...c1, id: 'X1', shape, short: { kind: 'ladder', levels: [8, 24], rounds: 3, blockS: 1, settleS: 0.3 } };
      engine = await TestEngine.start({ workspaceDir: workspaceWith(brief) });
      const { runId } = await engine.measure({ kind: 'experiment', id: 'X1', form: 'short' });
      const { run } = await engine.request('runs/get', { id: runId });
      const points = resultOf(run, 'experiment').points;
      expect(points).toHaveLength(2);
      for (const { limit, valid } of points) expect({ limit, valid }).toEqual({ limit: 'outbound-pool', valid: true });
      // Two connections that each take 20 ms or more: no more than 100 requests a second can come through.
      for (const { figures } of points) expect(figures.throughput).toBeLessThanOrEqual(102);
      const rounds = run.trials.map(({ blocks }) => blocks.map(({ round }) => round));
      for (const measured of rounds) expect(measured.slice(0, 3)).toEqual([1, 2, 3]);
      expectHonest(run);
      expect(resultOf(run, 'experiment').shape.at(-1)?.agrees).toBe(true);
      const rounded = engine.events.flatMap((event) => (event.type === 'phase' && 'round' in event.doing ? [event.doing.round] : []));
      expect(rounded).toContainEqual({ code: 'planned', round: 1, of: 3, more: true });
    },
  );

  it(
    'keeps raw samples, and a recording of each variant at its largest load, as a run does',
    { timeout: 240_000, ...slowHalf },
    async () => {
      const c1 = bundled('c1');
      const brief = { ...c1, id: 'X4', short: { kind: 'ladder', levels: [8, 24], rounds: 1, blockS: 1, settleS: 0.3 } };
      engine = await TestEngine.start({ workspaceDir: workspaceWith({ ...brief, shape: c1.shape.slice(-1) }) });
      const { runId } = await engine.measure({
        kind: 'experiment',
        id: 'X4',
        form: 'short',
        raw: rawRequestSchema.parse({}),
        record: { events: ['cpu'], seconds: 1 },
      });
      const { run } = await engine.request('runs/get', { id: runId });
      const measured = run.trials.flatMap(({ blocks }) => blocks).reduce((sum, { requests }) => sum + requests, 0);
      expect(measured).toBeGreaterThan(0);
      expect(run.raw?.rows).toBeGreaterThanOrEqual(measured);
      expect(run.raw?.costs.length).toBeGreaterThan(0);
      const largest = run.trials.filter(({ connections }) => connections === 24).map(({ key }) => key);
      expect(run.recordings.map(({ trialKey }) => trialKey)).toEqual(largest);
      expect(run.files.map(({ name }) => name)).toEqual(
        expect.arrayContaining(run.recordings.flatMap(({ files }) => files.map(({ name }) => name))),
      );
    },
  );

  it('says which variant cannot be started, and why, and stores nothing', { timeout: 60_000, ...longTest }, async () => {
    const b2 = bundled('b2');
    const broken = { ...b2, id: 'X2', variants: b2.variants.map((variant) => ({ ...variant, settings: { poolLibrary: 'pg-native' } })) };
    engine = await TestEngine.start({ workspaceDir: workspaceWith(broken) });
    const failure = await failureOf(engine.measure({ kind: 'experiment', id: 'X2', form: 'short' }));
    expect(failure.code).toBe('target-exited');
    expect(failure.detail).toMatch(/pg-native/);
    expect((await engine.request('runs/list', {})).runs).toEqual([]);
  });

  it('is refused with the cure when a program is missing, and the others can still be run', { timeout: 30_000 }, async () => {
    const env = { PATH: temporaryFolder('no-programs'), JAVA_HOME: '' };
    engine = await TestEngine.start({ env, nodePath: process.execPath });
    const { experiments, problems } = await engine.request('experiments/list', {});
    expect(problems).toEqual([]);
    expect(experiments.find(({ id }) => id === 'A2')?.missing.map(({ need }) => need)).toEqual(['java']);
    expect(experiments.find(({ id }) => id === 'B2')?.missing).toEqual([]);
    const refused = await failureOf(engine.measure({ kind: 'experiment', id: 'A2', form: 'short' }));
    expect(refused.code).toBe('published-needs');
    expect(refused.cure).toMatch(/JDK/);
    expect((await failureOf(engine.measure({ kind: 'experiment', id: 'Z9', form: 'short' }))).code).toBe('published-unknown');
  });
});
