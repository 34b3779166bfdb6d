import { describe, expect, it } from 'vitest';
import {
  firstRunOf,
  formOf,
  loadChoices,
  poolRange,
  presetPoolSizes,
  requestOf,
  targetItems,
} from '../../../../src/extension/benchmark/answers.ts';
import { emptyForm } from '../../../../src/model/presentation/emptyForm.ts';
import { defaultForm, fitForm } from '../../../../src/model/presentation/formChoice.ts';
import { runRequestSchema } from '../../../../src/model/domain/run.ts';
import type { Form } from '../../../../src/model/protocol/panel.ts';
import type { Catalog } from '../../../../src/model/protocol/protocol.ts';
import { catalog, noJava, target } from '../catalogs.ts';

/** Rows of targets, without the headings. */
const rowsOf = (of: Catalog, form: Pick<Form, 'targets'>) =>
  targetItems(of, form, []).flatMap(({ target: shown, picked, detail }) =>
    shown === undefined ? [] : [{ id: shown.id, group: shown.origin, picked, detail }],
  );
const java = target({ id: 'java', label: 'Java sample', runtime: 'jvm' });
const own = target({ id: 'mine', label: 'My service', origin: 'workspace' });

describe('the questions on the first day', () => {
  it('choose every sample that can be started, the steady load and three pool sizes', () => {
    const form = defaultForm(catalog([target(), java]));
    expect(form).toMatchObject({ targets: ['node', 'java'], load: 'steady' });
    expect(presetPoolSizes(form)).toBe('2, 4, 8');
  });

  it('leave out a sample that lacks something', () => {
    expect(defaultForm(catalog([target(), { ...java, problem: noJava }])).targets).toEqual(['node']);
  });

  it('leave out what is planted for studies and tests, even while it runs', () => {
    const planted = target({ id: 'php', origin: 'lab' });
    expect(rowsOf(catalog([target(), planted]), { targets: [] }).map(({ id }) => id)).toEqual(['node']);
    expect(rowsOf(catalog([target(), planted]), { targets: ['php'] }).map(({ id, group }) => [id, group])).toEqual([
      ['node', 'sample'],
      ['php', 'lab'],
    ]);
    expect(defaultForm(catalog([target(), java, { ...planted, state: 'running' }])).targets).toEqual(['node', 'java']);
  });

  it('choose the workspace’s own target when there is one', () => {
    expect(defaultForm(catalog([target(), own])).targets).toEqual(['mine']);
  });
});

describe('the last answers', () => {
  const remembered = formOf({ targets: ['java', 'gone'], load: 'smoke', poolSizes: '4, 16' }, defaultForm(catalog([target(), java])));

  it('come back as they were given', () => {
    const form = fitForm(remembered, catalog([target(), java]));
    expect(form).toMatchObject({ targets: ['java'], load: 'smoke' });
    expect(presetPoolSizes(form)).toBe('4, 16');
  });

  it('fall back where the workspace no longer has them', () => {
    const form = fitForm({ ...remembered, targets: ['gone'], load: 'evening' }, catalog([target(), java]));
    expect(form).toMatchObject({ targets: ['node', 'java'], load: 'steady' });
  });

  it('leave nothing hidden from the panel’s form in the next run', () => {
    const before = { ...remembered, connections: '64', route: '/hello', values: { pool: '2', threads: '10' } };
    expect(formOf({ targets: ['node'], load: 'steady', poolSizes: '8' }, before)).toEqual({
      ...emptyForm,
      targets: ['node'],
      load: 'steady',
      values: { pool: '8' },
    });
  });
});

describe('the target step', () => {
  it('lists the workspace’s own first and says why one cannot be started', () => {
    const choices = rowsOf(catalog([target(), { ...java, problem: noJava }, own]), {
      ...defaultForm(catalog([target()])),
      targets: ['node', 'java'],
    });
    expect(choices.map(({ id, picked }) => ({ id, picked }))).toEqual([
      { id: 'mine', picked: false },
      { id: 'node', picked: true },
      { id: 'java', picked: false },
    ]);
    expect(choices[2]?.detail).toContain('No Java was found. Install a JDK 17 or later.');
  });

  it('still chooses a target that failed before: it can be tried again', () => {
    const failed = target({
      state: 'failed',
      problem: { code: 'target-exited', message: 'It ended at once.', cure: 'Look at its output.' },
    });
    expect(rowsOf(catalog([failed]), defaultForm(catalog([failed])))[0]?.picked).toBe(true);
  });
});

describe('the load step', () => {
  it('has last time’s profile first, so that Enter takes it again', () => {
    const all = catalog([target()]);
    expect(loadChoices(all, { ...defaultForm(all), load: 'steady' }).map(({ name }) => name)).toEqual(['steady', 'smoke']);
    expect(loadChoices(all, defaultForm(all))[0]?.detail).toContain('16 connections · 3 rounds of 4 s');
  });

  it('speaks of one round', () => {
    const all = catalog([target()]);
    const once = { ...all, loadProfiles: all.loadProfiles.map((profile) => ({ ...profile, rounds: 1 })) };
    expect(loadChoices(once, defaultForm(once))[0]?.detail).toContain('1 round of 4 s');
  });
});

describe('the pool step', () => {
  it('takes what all chosen targets take', () => {
    const small = target({ id: 'small', settings: { pool: { kind: 'number', default: 4, min: 2, max: 16, env: 'POOL' } } });
    expect(poolRange([target(), small])).toEqual({ min: 2, max: 16 });
  });

  it('is left out when no chosen target has a pool', () => {
    expect(poolRange([target({ settings: {} })])).toBeNull();
  });
});

describe('the request', () => {
  it('is one that the engine understands', () => {
    const request = requestOf({ targets: ['node'], load: 'steady', sizes: [2, 4] });
    expect(runRequestSchema.parse(request)).toEqual({ targets: ['node'], load: 'steady', settings: { pool: [2, 4] } });
    expect(runRequestSchema.parse(requestOf({ targets: ['node'], load: 'steady', sizes: null })).settings).toEqual({});
  });
});

describe('the first run of a service that was just set up', () => {
  const profiles = catalog([own]).loadProfiles;
  const asked = { loadProfiles: [...profiles, { ...profiles[0]!, name: 'quick' }] };

  it('takes the quick load, and the sizes of the form as far as it takes them', () => {
    const form = defaultForm(catalog([own]));
    expect(firstRunOf(asked, own, form)).toEqual({ targets: ['mine'], load: 'quick', poolSizes: '2, 4, 8', sizes: [2, 4, 8] });
  });

  it('compares no sizes where it has no pool, and takes the load of the form where there is no quick one', () => {
    const bare = target({ id: 'mine', origin: 'workspace', settings: {} });
    const form = { ...emptyForm, load: 'steady' };
    expect(firstRunOf({ loadProfiles: [] }, bare, form)).toEqual({ targets: ['mine'], load: 'steady', poolSizes: null, sizes: null });
  });
});
