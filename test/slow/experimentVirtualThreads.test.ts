import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import { type ExperimentFile, experimentFileSchema } from '../../src/model/domain/experiment.ts';
import { javaFeature } from '../../src/engine/targets/toolchain.ts';
import { findProgram } from '../../src/engine/supervise/program.ts';
import { newerJdks } from '../fixtures/jvmProbe/jdks.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder, TestEngine } from '../support/engine.ts';
import { resultOf } from '../support/resultOf.ts';

let engine: TestEngine;

afterEach(() => engine.dispose());
afterAll(removeTemporaryFolders);

const bundled = (): ExperimentFile =>
  experimentFileSchema.parse(JSON.parse(readFileSync(path.join(repositoryDir, 'profiles/experiments/published/v1.json'), 'utf8')));
const here = javaFeature(findProgram('java', '/', process.env['PATH']) ?? '') ?? 0;
const [newer] = newerJdks;

describe('virtual threads over a database pool', () => {
  it.skipIf(newer === undefined || newer.major < 24)(
    'let through what the pool lets through, on one carrier too, where few platform threads hold it back',
    { timeout: 400_000 },
    async () => {
      engine = await TestEngine.start({ env: { JAVA_HOME: path.dirname(newer?.binDir ?? '') } });
      const { runId } = await engine.measure({ kind: 'experiment', id: 'V1', form: 'short' });
      const { run } = await engine.request('runs/get', { id: runId });
      const experiment = resultOf(run, 'experiment');
      expect(experiment.points.map(({ variant }) => variant)).toEqual(bundled().variants.map(({ name }) => name));
      // A busy machine may leave a comparison open; what the mechanism says never fails.
      expect(experiment.shape.filter(({ agrees }) => agrees === false)).toEqual([]);
      expect(experiment.shape.filter(({ agrees }) => agrees === true).length).toBeGreaterThanOrEqual(6);
      const of = (variant: string): number => experiment.points.find((point) => point.variant === variant)?.figures.throughput ?? NaN;
      expect(of('virtual-4')).toBeLessThanOrEqual(210);
      expect(of('virtual-16')).toBeLessThanOrEqual(840);
      expect(of('few')).toBeLessThan(400);
      expect(of('monitor')).toBeGreaterThan(120);
      expect(run.notes.filter(({ code }) => code === 'variant-left-out')).toEqual([]);
    },
  );

  it.skipIf(here >= 21)('are left out with the reason on a JDK that has none, and the rest is measured', { timeout: 240_000 }, async () => {
    const brief = { ...bundled(), id: 'X1', short: { kind: 'ladder', levels: [64], rounds: 2, blockS: 1, settleS: 0.3 } };
    const workspaceDir = temporaryFolder('workspace');
    const folder = path.join(workspaceDir, 'profiles', 'experiments', 'published');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'mine.json'), JSON.stringify(brief));
    engine = await TestEngine.start({ workspaceDir });
    const { runId } = await engine.measure({ kind: 'experiment', id: 'X1', form: 'short' });
    const { run } = await engine.request('runs/get', { id: runId });
    expect(resultOf(run, 'experiment').points.map(({ variant }) => variant)).toEqual(['platform-4', 'platform-16', 'few']);
    expect(noteTexts(run.notes)).toContainEqual(
      `Virtual threads · pool 4 is left out. Virtual threads came with JDK 21; the Java here is ${here}. Install a JDK 21 or later and name it in “benchside.javaPath”, or by --java.`,
    );
    expect(resultOf(run, 'experiment').points.at(-1)?.limit).toBe('thread-pool');
  });
});
