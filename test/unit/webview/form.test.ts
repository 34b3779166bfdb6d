import { describe, expect, it } from 'vitest';
import type { RunRequest } from '../../../src/model/run.ts';
import { estimatePhrase, estimateRun } from '../../../webview/workbench/estimate.ts';
import { checkForm, chosenTargets, commonRoutes, settingFields } from '../../../webview/workbench/formCheck.ts';
import { exampleCatalog, exampleForm } from './examples.ts';

const chosen = (targets: string[]) => chosenTargets({ ...exampleForm, targets }, exampleCatalog, true);

describe('the fields of the form', () => {
  it('put pool and threads first and the rest under More settings', () => {
    const fields = settingFields(chosen(['java', 'node']));
    expect(fields.filter((field) => field.primary).map((field) => field.name)).toEqual(['pool', 'threads']);
    expect(fields.filter((field) => !field.primary).map((field) => field.name)).toEqual(['threadKind', 'poolTimeoutMs', 'heapMb']);
  });
  it('name the targets that take a setting when not all do', () => {
    const owners = Object.fromEntries(settingFields(chosen(['java', 'node'])).map((field) => [field.name, field.owners]));
    expect(owners['pool']).toEqual([]);
    expect(owners['threads']).toEqual(['Java']);
  });
  it('allow only what all chosen targets allow', () => {
    expect(settingFields(chosen(['java', 'shop']))[0]?.range).toEqual({ kind: 'number', min: 1, max: 64 });
  });
  it('show a target’s first setting when it has none of the usual ones', () => {
    const target = exampleCatalog.targets[0];
    if (!target) throw new Error('no target');
    const odd = {
      ...target,
      settings: {
        batch: { kind: 'number' as const, min: 1, max: 9, default: 3, env: 'BATCH' },
        other: { kind: 'number' as const, min: 1, max: 9, default: 3, env: 'OTHER' },
      },
    };
    expect(settingFields([odd]).map((field) => [field.label, field.primary])).toEqual([
      ['Batch', true],
      ['Other', false],
    ]);
  });
});

describe('checking the form', () => {
  it('makes the request that was typed', () => {
    expect(checkForm({ ...exampleForm, route: 'GET /ads/:id' }, exampleCatalog, true).request).toEqual({
      targets: ['java', 'node'],
      settings: { pool: [2, 4, 8] },
      load: 'steady',
      route: 'GET /ads/:id',
      connections: [32],
      durationS: 4,
      rounds: 3,
    });
  });
  it('leaves out what is empty, so that profile and targets decide', () => {
    const form = { ...exampleForm, values: {}, connections: '', durationS: '', rounds: '' };
    expect(checkForm(form, exampleCatalog, true).request).toEqual({ targets: ['java', 'node'], settings: {}, load: 'steady' });
  });
  it('does not send settings of targets that are not chosen', () => {
    const form = { ...exampleForm, targets: ['node'], values: { pool: '2', threads: '50' } };
    expect(checkForm(form, exampleCatalog, true).request?.settings).toEqual({ pool: [2] });
  });
  it('says what is wrong, with the name of the field', () => {
    const form = { ...exampleForm, values: { pool: '2, x' }, rounds: '0' };
    const check = checkForm(form, exampleCatalog, true);
    expect(check.request).toBeNull();
    expect(check.problems).toEqual({
      'setting:pool': 'Pool size: whole numbers between 1 and 256, separated by commas, such as 2, 4, 8 or 2..64.',
      rounds: 'Rounds: a whole number between 1 and 100.',
    });
  });
  it('asks for a target when none is chosen', () => {
    expect(checkForm({ ...exampleForm, targets: [] }, exampleCatalog, true).problems).toEqual({ targets: 'Choose at least one target.' });
  });
  it('does not start the workspace’s own targets while it is not trusted', () => {
    const form = { ...exampleForm, targets: ['node', 'shop'] };
    expect(checkForm(form, exampleCatalog, false).request?.targets).toEqual(['node']);
    expect(checkForm(form, exampleCatalog, true).request?.targets).toEqual(['node', 'shop']);
  });
  it('refuses a target that cannot be started, with its reason', () => {
    const problem = { code: 'no-java', message: 'No JDK was found.', cure: 'Install one.' };
    const catalog = {
      ...exampleCatalog,
      targets: exampleCatalog.targets.map((target) => (target.id === 'java' ? { ...target, problem } : target)),
    };
    expect(checkForm(exampleForm, catalog, true).problems).toEqual({ targets: 'Java cannot be started: No JDK was found.' });
  });
  it('lets a target that failed be tried again', () => {
    const problem = { code: 'target-exited', message: 'Java exited with code 3 before it was ready.', cure: 'Correct the command.' };
    const catalog = {
      ...exampleCatalog,
      targets: exampleCatalog.targets.map((target) => (target.id === 'java' ? { ...target, state: 'failed' as const, problem } : target)),
    };
    const { problems, request } = checkForm(exampleForm, catalog, true);
    expect(problems).toEqual({});
    expect(request?.targets).toContain('java');
  });
  it('refuses a route that not all targets answer, and a load profile that is gone', () => {
    expect(Object.keys(checkForm({ ...exampleForm, route: 'GET /gone', load: 'gone' }, exampleCatalog, true).problems)).toEqual([
      'load',
      'route',
    ]);
  });
  it('offers the routes that all chosen targets have', () => {
    const [java, node] = chosen(['java', 'node']);
    if (!java || !node) throw new Error('no targets');
    expect(commonRoutes([java, { ...node, routes: node.routes.slice(0, 2) }])).toEqual(['GET /ads/:id', 'GET /ads']);
  });
});

describe('the estimate', () => {
  const load = exampleCatalog.loadProfiles[0];
  if (!load) throw new Error('no load profile');
  const request: RunRequest = { targets: ['node'], settings: { pool: [2, 4, 8], threads: [50, 100] }, load: 'steady' };

  it('counts the trials of each target by the settings it takes', () => {
    expect(estimateRun({ ...request, targets: ['java', 'node'] }, chosen(['java', 'node']), load)).toMatchObject({ trials: 9, rounds: 3 });
  });
  it('adds the turns of every trial in every round, and one start and warm-up for each process', () => {
    const once = estimateRun(request, chosen(['node']), load);
    const twice = estimateRun({ ...request, connections: [16, 32] }, chosen(['node']), load);
    expect(twice.trials).toBe(2 * once.trials);
    expect(twice.durationMs - once.durationMs).toBe(3 * 3 * 5 * 1000);
  });
  it('is said in round figures', () => {
    expect(estimatePhrase({ trials: 6, rounds: 3, durationMs: 101_300 })).toBe('about 1 min 40 s: 6 trials × 3 rounds');
    expect(estimatePhrase({ trials: 1, rounds: 1, durationMs: 6_900 })).toBe('about 5 s: 1 trial × 1 round');
    expect(estimatePhrase({ trials: 10, rounds: 4, durationMs: 299_000 })).toBe('about 5 min: 10 trials × 4 rounds');
  });
});
