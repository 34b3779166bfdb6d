import { describe, expect, it } from 'vitest';
import { emptyForm } from '../../../../src/model/presentation/emptyForm.ts';
import { formOfRun, formOfTune } from '../../../../src/model/presentation/requestForms.ts';
import {
  firstValuesText,
  parseBudget,
  parseTuneValues,
  presetAnswers,
  presetBudgetText,
  presetValuesText,
  tunables,
  tuneFormOf,
  tuneOffer,
  tuneRequestOf,
  type Tunable,
} from '../../../../src/extension/tuning/tuneChoices.ts';
import { runRequestSchema } from '../../../../src/model/domain/run.ts';
import { mostInstances } from '../../../../src/model/domain/topology.ts';
import { tuneRequestSchema } from '../../../../src/model/domain/tuning.ts';
import { target } from '../catalogs.ts';

const java = target({
  id: 'java',
  label: 'Java',
  runtime: 'jvm',
  settings: {
    kind: { kind: 'choice', label: 'Threads', choices: ['platform', 'virtual'], default: 'platform', env: 'KIND' },
    threads: { kind: 'number', label: 'Request threads', default: 200, min: 8, max: 1024, env: 'THREADS' },
    pool: { kind: 'number', label: 'Pool size', default: 8, min: 1, max: 64, env: 'POOL' },
    fixed: { kind: 'number', default: 3, min: 3, max: 3, env: 'FIXED' },
  },
});
const named = (name: string): Tunable => {
  const found = tunables(java).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};
const pool = named('pool');

describe('a tuning of a service that was just set up', () => {
  it('takes its first setting, with the values and the time that would be offered', () => {
    const form = { ...emptyForm, budget: '1 min' };
    expect(presetAnswers(java, tuneOffer(form, undefined))).toEqual({
      target: java,
      tunable: pool,
      valuesText: '2..64',
      budgetText: '1 min',
    });
  });

  it('is asked for where there is nothing that takes more than one value', () => {
    const fixed = target({ settings: { instances: { kind: 'number', default: 1, min: 1, max: 1 } } });
    expect(presetAnswers(fixed, tuneOffer(emptyForm, undefined))).toBeNull();
  });
});

describe('what can be tuned of a target', () => {
  it('begins with the pool and the threads, ends with the number of processes, and leaves out what takes one value only', () => {
    expect(tunables(java).map(({ name }) => name)).toEqual(['pool', 'threads', 'kind', 'instances']);
  });

  it('does not offer the number of processes twice where a target has a setting of that name', () => {
    const own = target({ settings: { instances: { kind: 'number', default: 2, min: 1, max: 4, env: 'N' } } });
    expect(tunables(own)).toMatchObject([{ name: 'instances', takes: { max: 4 } }]);
    expect(named('instances').takes).toMatchObject({ max: mostInstances });
  });
});

describe('the values that are offered', () => {
  it('are doublings around the default, or all words of a choice', () => {
    expect(firstValuesText(pool)).toBe('2..64');
    expect(firstValuesText(named('threads'))).toBe('32..1024');
    expect(firstValuesText(named('instances'))).toBe('1..8');
    expect(firstValuesText(named('kind'))).toBe('platform, virtual');
  });

  it('are at least two, whatever the range', () => {
    for (const [min, max, standard] of [
      [1, 2, 1],
      [5, 7, 6],
      [0, 3, 0],
      [63, 64, 64],
      [1, 1000, 999],
    ] as const) {
      const takes = { kind: 'number', min, max, default: standard } as const;
      const text = firstValuesText({ ...pool, takes });
      expect(parseTuneValues(text, { takes }), text).toMatchObject({ ok: true });
    }
  });

  it('are those typed last for the setting that was tuned last, as long as they fit', () => {
    const last = tuneRequestSchema.parse({ targets: ['java'], settings: { threads: [8], pool: [2, 4] } });
    const form = { ...emptyForm, targets: ['java'], values: { pool: '2, 4', threads: '8' }, budget: '90 s' };
    const offer = tuneOffer(form, last);
    expect(offer).toMatchObject({ targetId: 'java', setting: 'pool' });
    expect(presetValuesText(pool, offer)).toBe('2, 4');
    expect(presetValuesText(named('threads'), offer)).toBe('32..1024');
    expect(presetValuesText(pool, { ...offer, form: { ...form, values: { pool: '200' } } })).toBe('2..64');
    expect(presetBudgetText(offer)).toBe('90 s');
    expect(presetBudgetText(tuneOffer(emptyForm, undefined))).toBe('2 min');
  });
});

describe('values as typed', () => {
  it('are refused with the reason when there is nothing to find out, or a value is none', () => {
    expect(parseTuneValues('8', pool)).toMatchObject({ ok: false, problem: expect.stringContaining('at least two') });
    expect(parseTuneValues('64..2', pool)).toMatchObject({ ok: false });
    expect(parseTuneValues('2..128', pool)).toMatchObject({ ok: false, problem: expect.stringContaining('1 to 64') });
    expect(parseTuneValues('', pool)).toMatchObject({ ok: false });
    expect(parseTuneValues('platform, green', named('kind'))).toMatchObject({ ok: false, problem: expect.stringContaining('green') });
  });

  it('of a choice are its words, each once', () => {
    expect(parseTuneValues('Virtual, platform, virtual', named('kind'))).toEqual({ ok: true, value: ['virtual', 'platform'] });
  });
});

describe('what was answered', () => {
  const answers = { target: java, tunable: pool, valuesText: '2..16', budgetText: '90 s' };

  it('becomes a request with what is applied to the other settings', () => {
    const request = tuneRequestSchema.parse(tuneRequestOf(answers, 'steady', { threads: 50, pool: 8 }));
    expect(request).toMatchObject({ targets: ['java'], settings: { threads: [50], pool: [2, 4, 8, 16] }, load: 'steady', budgetS: 90 });
  });

  it('is what the form shows', () => {
    expect(tuneFormOf(answers, 'evening', { threads: 50, pool: 8 })).toEqual({
      ...emptyForm,
      targets: ['java'],
      values: { threads: '50', pool: '2..16' },
      load: 'evening',
      budget: '90 s',
    });
  });
});

describe('the form of a stored run', () => {
  it('holds all that was asked for, so that one value can be changed', () => {
    const request = runRequestSchema.parse({
      targets: ['java'],
      settings: { pool: [2, 4] },
      load: 'smoke',
      route: 'GET /hello',
      connections: [8, 16],
      rounds: 3,
      durationS: 1.5,
      record: {},
    });
    expect(formOfRun(request)).toMatchObject({
      targets: ['java'],
      values: { pool: '2, 4' },
      load: 'smoke',
      route: 'GET /hello',
      connections: '8, 16',
      rounds: '3',
      durationS: '1.5',
      record: true,
      budget: '',
    });
  });

  it('of a run has its raw samples and what stood around its instances', () => {
    const around = { proxy: { balance: 'least-conn', staticFiles: true }, cpuShare: 0.5, totalConnections: 16 };
    const form = formOfRun(
      runRequestSchema.parse({ targets: ['java'], settings: { instances: [2] }, raw: { share: 0.05 }, topology: around }),
    );
    expect(form).toMatchObject({ values: { instances: '2' }, raw: true, rawShare: '0.1', proxy: 'least-conn', upstreamKeepAlive: true });
    expect(form).toMatchObject({ staticFiles: true, cpuShare: '0.5', totalConnections: '16' });
    expect(formOfRun(runRequestSchema.parse({ targets: ['java'] }))).toMatchObject({ raw: false, proxy: 'none', cpuShare: '' });
  });

  it('of a tuning has its budget and its objective in words that are understood again', () => {
    const request = tuneRequestSchema.parse({
      targets: ['java'],
      settings: { pool: [2, 4], kind: ['virtual'] },
      budgetS: 90,
      confirm: true,
      slo: { p99Ms: 50 },
      totalConnections: 32,
      raw: { share: 0.1 },
      record: {},
    });
    const form = formOfTune(request);
    expect(form).toMatchObject({ raw: true, rawShare: '0.1', record: true });
    expect(form).toMatchObject({ values: { pool: '2, 4', kind: 'virtual' }, budget: '1 min 30 s', confirm: true, totalConnections: '32' });
    expect(form.slo).toContain('p99');
    expect(parseBudget(form.budget)).toEqual({ ok: true, value: 90 });
  });
});
