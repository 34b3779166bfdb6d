import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadProfileSchema } from '../../../src/model/loadProfile.ts';
import { workspaceFileSchema } from '../../../src/model/target.ts';
import { findStudies, parseStudy, readStudies } from '../../../src/engine/run/study/studyFiles.ts';
import { planStudy } from '../../../src/engine/run/study/studyPlan.ts';
import { studySeconds } from '../../../src/engine/strategies/study/studyTime.ts';

const root = path.resolve(import.meta.dirname, '../../..');

describe('the published experiments', () => {
  it('are bundled, all of them, and can be read', async () => {
    const { studies, problems } = await readStudies(root);
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
    expect(studies.map(({ id }) => id)).toEqual(ids);
  });

  it('have a short form of at most three minutes, and a full one that takes longer', async () => {
    const { studies } = await readStudies(root);
    for (const study of studies) {
      expect(studySeconds(study, study.short), study.id).toBeLessThanOrEqual(180);
      expect(studySeconds(study, study.full), study.id).toBeGreaterThan(studySeconds(study, study.short));
    }
  });

  it('are found by id, by the letter of their publication, and named when there is none', async () => {
    const { studies } = await readStudies(root);
    expect(findStudies(studies, 'c2').map(({ id }) => id)).toEqual(['C2']);
    expect(findStudies(studies, 'C').map(({ id }) => id)).toEqual(['C1', 'C2', 'C3', 'C4']);
    expect(() => findStudies(studies, 'X9')).toThrow(/no published experiment “X9”/);
  });

  it('can be planned on the lab’s targets: every target, setting and route that they name is there', async () => {
    const { studies } = await readStudies(root);
    const lab = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(root, 'samples', 'lab', 'benchside.json'), 'utf8')));
    const targets = lab.targets.map((target) => ({ target, origin: 'lab' as const, baseDir: path.join(root, 'samples', 'lab') }));
    const declarations = { targets, loadProfiles: [], postgresUrl: null, problems: [], starts: '' };
    for (const study of studies) {
      for (const form of ['short', 'full'] as const) {
        const { run, arms } = planStudy(study, study[form], study.arms, declarations);
        expect(
          arms.map(({ arm }) => arm.name),
          study.id,
        ).toEqual(study.arms.map(({ name }) => name));
        expect(new Set(run.trials.map(({ key }) => key)).size, study.id).toBe(run.trials.length);
        expect(loadProfileSchema.safeParse(run.load).success, study.id).toBe(true);
      }
    }
  });

  it('lead from one step to the next without a gap', async () => {
    const { studies } = await readStudies(root);
    const next = (id: string): string | undefined => studies.find((study) => study.id === id)?.then;
    expect([next('C1'), next('C2'), next('C3'), next('C4')]).toEqual(['C2', 'C3', 'C4', undefined]);
  });

  it('name the file and the field where one is wrong', () => {
    expect(() => parseStudy('{', 'x1.json')).toThrow(/x1\.json: it is not JSON/);
    expect(() => parseStudy('{"id":"X1"}', 'x1.json')).toThrow(/x1\.json: title/);
  });
});
