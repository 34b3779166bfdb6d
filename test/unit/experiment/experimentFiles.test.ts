import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProfileSchema } from '../../../src/model/domain/loadProfile.ts';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';
import { findExperiments, parseExperiment, readExperiments } from '../../../src/engine/run/experiment/experimentFiles.ts';
import { planExperiment } from '../../../src/engine/run/experiment/experimentPlan.ts';
import { experimentSeconds } from '../../../src/engine/strategies/experiment/experimentTime.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the published experiments', () => {
  it('are bundled, all of them, and can be read', async () => {
    const { experiments, problems } = await readExperiments(root);
    expect(problems).toEqual([]);
    const ids = [
      'A1',
      'A2',
      'A3',
      'A4',
      'A5',
      'A6',
      'B1',
      'B2',
      'B3',
      'C1',
      'C2',
      'C3',
      'C4',
      'D1',
      'D2',
      'D3',
      'D4',
      'E1',
      'E2',
      'E3',
      'E4',
      'E5',
      'P1',
      'V1',
    ];
    expect(experiments.map(({ id }) => id)).toEqual(ids);
  });

  it('have a short form of at most three minutes, and a full one that takes longer', async () => {
    const { experiments } = await readExperiments(root);
    for (const experiment of experiments) {
      expect(experimentSeconds(experiment, experiment.short), experiment.id).toBeLessThanOrEqual(180);
      expect(experimentSeconds(experiment, experiment.full), experiment.id).toBeGreaterThan(
        experimentSeconds(experiment, experiment.short),
      );
    }
  });

  it('are found by id, by the letter of their publication, and named when there is none', async () => {
    const { experiments } = await readExperiments(root);
    expect(findExperiments(experiments, 'c2').map(({ id }) => id)).toEqual(['C2']);
    expect(findExperiments(experiments, 'C').map(({ id }) => id)).toEqual(['C1', 'C2', 'C3', 'C4']);
    expect(() => findExperiments(experiments, 'X9')).toThrow(/no published experiment “X9”/);
  });

  it('can be planned on the lab’s targets: every target, setting and route that they name is there', async () => {
    const { experiments } = await readExperiments(root);
    const lab = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(root, 'samples', 'lab', 'benchside.json'), 'utf8')));
    const targets = lab.targets.map((target) => ({ target, origin: 'lab' as const, baseDir: path.join(root, 'samples', 'lab') }));
    const declarations = { targets, loadProfiles: [], postgresUrl: null, problems: [], starts: '' };
    for (const experiment of experiments) {
      for (const form of ['short', 'full'] as const) {
        const { run, variants } = planExperiment(experiment, experiment[form], experiment.variants, declarations);
        expect(
          variants.map(({ variant }) => variant.name),
          experiment.id,
        ).toEqual(experiment.variants.map(({ name }) => name));
        expect(new Set(run.trials.map(({ key }) => key)).size, experiment.id).toBe(run.trials.length);
        expect(loadProfileSchema.safeParse(run.load).success, experiment.id).toBe(true);
      }
    }
  });

  it('lead from one step to the next without a gap', async () => {
    const { experiments } = await readExperiments(root);
    const next = (id: string): string | undefined => experiments.find((experiment) => experiment.id === id)?.then;
    expect([next('C1'), next('C2'), next('C3'), next('C4')]).toEqual(['C2', 'C3', 'C4', undefined]);
  });

  it('name the file and the field where one is wrong', () => {
    expect(() => parseExperiment('{', 'x1.json')).toThrow(/x1\.json: it is not JSON/);
    expect(() => parseExperiment('{"id":"X1"}', 'x1.json')).toThrow(/x1\.json: title/);
  });
});
