import { describe, expect, it } from 'vitest';
import {
  formWithConnections,
  formWithGenerator,
  formWithInstances,
  recordingOf,
  runWith,
  tuneWith,
} from '../../../../src/extension/actions/actionRequests.ts';
import { experimentDescription, experimentDetail } from '../../../../src/extension/experiments/experimentTexts.ts';
import { recordingRequestSchema } from '../../../../src/model/domain/recording.ts';
import { formOfRun } from '../../../../src/model/presentation/requestForms.ts';
import { runRequestSchema } from '../../../../src/model/domain/run.ts';
import { tuneRequestSchema } from '../../../../src/model/domain/tuning.ts';
import { exampleRun, exampleRunId, exampleTrial } from '../../../support/runRecords.ts';
import { exampleListedExperiments, exampleExperiment } from '../../../support/experimentRecords.ts';

const run = exampleRun();
const trial = exampleTrial({ settings: { pool: 2, threads: 50 }, connections: 32 });

describe('what a verdict’s action asks for', () => {
  it('is the same trial with one setting changed', () => {
    const request = runRequestSchema.parse(runWith(run, trial, { setting: 'pool', value: 8 }));
    expect(request).toEqual({
      targets: ['java'],
      settings: { pool: [8], threads: [50] },
      load: 'steady',
      route: '/ads/:id',
      connections: [32],
      rounds: 3,
      seed: 7,
    });
  });
  it('asks for the options of the run again, a search for those that it knows', () => {
    const asked = { ...run, request: { ...run.request, ratePerS: 200, delta: 0.1, budgetS: 600, durationS: 30 } };
    expect(runWith(asked, trial, { setting: 'pool', value: 8 })).toMatchObject({ ratePerS: 200, delta: 0.1, durationS: 30 });
    const search = tuneRequestSchema.parse(tuneWith(asked, trial, { setting: 'pool', values: [2, 8] }));
    expect(search).toMatchObject({ delta: 0.1, seed: 7, budgetS: 120 });
    expect(search).not.toHaveProperty('blockS');
  });
  it('is a search over the values, the other settings as they were', () => {
    const request = tuneRequestSchema.parse(tuneWith(run, trial, { setting: 'pool', values: [2, 8, 32] }));
    expect(request).toMatchObject({ settings: { pool: [2, 8, 32], threads: [50] }, connections: 32, budgetS: 120 });
  });
  it('is a form with other load, to be looked at', () => {
    const form = formWithConnections(run, trial, { connections: 128 });
    expect(form).toMatchObject({ targets: ['java'], connections: '128', budget: '', values: { pool: '2', threads: '50' } });
  });
  it('is the form of the whole run under k6, to be looked at, and what follows from a run of k6 is k6’s, too', () => {
    expect(formWithGenerator(run, trial, { processes: 2 })).toMatchObject({ k6: '2', raw: false, values: formOfRun(run.request).values });
    const generator = { kind: 'k6', processes: 2 } as const;
    const asked = { ...run, request: { ...run.request, generator } };
    expect(runWith(asked, trial, { setting: 'pool', value: 8 })).toMatchObject({ generator });
    expect(tuneWith(asked, trial, { setting: 'pool', values: [2, 8] })).toMatchObject({ generator });
    expect(formWithConnections(asked, trial, { connections: 128 }).k6).toBe('2');
  });
  it('is the form of a search for more instances, which only a search may have', () => {
    const form = formWithInstances(run, trial, { instances: 2 });
    expect(form).toMatchObject({ budget: '2 min', connections: '32', values: { instances: '1, 2' } });
  });
  it('is a recording of the event under the load of the trial', () => {
    const request = recordingRequestSchema.parse(recordingOf(run, trial, { event: 'pool-wait' }));
    expect(request).toMatchObject({
      subject: { id: 'java', settings: { pool: 2, threads: 50 }, load: 'steady', connections: 32 },
      events: ['poolWait'],
    });
  });
  it('is under the route of the variant, where the trial is of an experiment', () => {
    const { record, trials } = exampleExperiment();
    const [first] = trials;
    const studied = exampleRun({ result: record, trials });
    expect(first && runWith(studied, first, { setting: 'documentPool', value: 150 })).toMatchObject({
      route: 'GET /documents/:id',
      settings: { documentPool: [150] },
      connections: [10],
    });
  });
});

describe('an experiment in the list of the command', () => {
  it('says how long it takes and what came out last, or what is missing', () => {
    const listed = exampleListedExperiments(exampleRunId);
    const texts = Object.fromEntries(
      listed.map((experiment) => [experiment.id, [experimentDescription(experiment), experimentDetail(experiment)]]),
    );
    expect(texts['C1']?.[0]).toBe('about 1 min 50 s · agreed last time');
    expect(texts['E1']?.[0]).toBe('about 1 min 50 s · did not agree last time');
    expect(texts['C2']).toEqual(['about 45 s', 'What does a pool of 150 change?']);
    expect(texts['B3']?.[1]).toMatch(/^nginx is not on the PATH\. Install it/);
  });
});
