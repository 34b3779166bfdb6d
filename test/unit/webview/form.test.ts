import { describe, expect, it } from 'vitest';
import type { Form } from '../../../src/model/protocol/panel.ts';
import { formOfRun, formOfTune } from '../../../src/model/presentation/requestForms.ts';
import type { Catalog } from '../../../src/model/protocol/protocol.ts';
import type { RunRequest } from '../../../src/model/domain/run.ts';
import { estimatePhrase, estimateRun } from '../../../webview/form/estimate.ts';
import { type StartMessage, checkForm } from '../../../webview/form/formCheck.ts';
import { chosenTargets, commonRoutes, settingFields, variantFields } from '../../../webview/kit/fields/settingFields.ts';
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
    expect(checkForm({ ...exampleForm, route: 'GET /ads/:id' }, exampleCatalog, true).start?.request).toEqual({
      kind: 'run',
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
    expect(checkForm(form, exampleCatalog, true).start?.request).toEqual({
      kind: 'run',
      targets: ['java', 'node'],
      settings: {},
      load: 'steady',
    });
  });
  it('does not send settings of targets that are not chosen', () => {
    const form = { ...exampleForm, targets: ['node'], values: { pool: '2', threads: '50' } };
    expect(checkForm(form, exampleCatalog, true).start?.request.settings).toEqual({ pool: [2] });
  });
  it('says what is wrong, with the name of the field', () => {
    const form = { ...exampleForm, values: { pool: '2, x' }, rounds: '0' };
    const check = checkForm(form, exampleCatalog, true);
    expect(check.start).toBeNull();
    expect(check.problems).toEqual({
      'setting:pool': 'Pool size: “x” is no whole number. Type numbers such as 2, 4, 8 or 2..64.',
      rounds: 'Rounds: a whole number between 1 and 100.',
    });
  });
  it('has a field for what all chosen targets can have without declaring it, which the engine reads', () => {
    const variant = (key: string) => ({ key, meaning: 'A thing.', takes: 'words', example: `${key}=1,2` });
    const targets = exampleCatalog.targets.map((target) => ({
      ...target,
      variants: target.id === 'java' ? [variant('cores'), variant('jvm.gc')] : [variant('cores')],
    }));
    const values = { cores: '1, 2', 'jvm.gc': 'G1, ZGC' };
    const asked = (ids: string[]): unknown =>
      checkForm({ ...exampleForm, targets: ids, values }, { ...exampleCatalog, targets }, true).start?.request.settings;
    expect(asked(['java'])).toEqual({ cores: [1, 2], 'jvm.gc': ['G1', 'ZGC'] });
    expect(asked(['java', 'node'])).toEqual({ cores: [1, 2] });
    const ofAnyName = targets.map((target) => ({ ...target, variants: [variant('cores'), variant('postgres.<setting>')] }));
    expect(variantFields(ofAnyName).map(({ name }) => name)).toEqual(['cores']);
  });

  it('asks for a target when none is chosen', () => {
    expect(checkForm({ ...exampleForm, targets: [] }, exampleCatalog, true).problems).toEqual({ targets: 'Choose at least one target.' });
  });
  it('does not start the workspace’s own targets while it is not trusted', () => {
    const form = { ...exampleForm, targets: ['node', 'shop'] };
    expect(checkForm(form, exampleCatalog, false).start?.request.targets).toEqual(['node']);
    expect(checkForm(form, exampleCatalog, true).start?.request.targets).toEqual(['node', 'shop']);
  });
  it('refuses a target that cannot be started, with its reason', () => {
    const problem = { code: 'java-missing' as const, message: 'No JDK was found.', cure: 'Install one.' };
    const catalog = {
      ...exampleCatalog,
      targets: exampleCatalog.targets.map((target) => (target.id === 'java' ? { ...target, problem } : target)),
    };
    expect(checkForm(exampleForm, catalog, true).problems).toEqual({ targets: 'Java cannot be started: No JDK was found.' });
  });
  it('lets a target that failed be tried again', () => {
    const problem = {
      code: 'target-exited' as const,
      message: 'Java exited with code 3 before it was ready.',
      cure: 'Correct the command.',
    };
    const catalog = {
      ...exampleCatalog,
      targets: exampleCatalog.targets.map((target) => (target.id === 'java' ? { ...target, state: 'failed' as const, problem } : target)),
    };
    const { problems, start } = checkForm(exampleForm, catalog, true);
    expect(problems).toEqual({});
    expect(start?.request.targets).toContain('java');
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

describe('a budget', () => {
  const check = (part: Partial<Form>) =>
    checkForm({ ...exampleForm, budget: '2 min', durationS: '', rounds: '', ...part }, exampleCatalog, true);
  const started = (part: Partial<Form>): StartMessage | null => check(part).start;

  it('makes a search of a form in which a setting has two values or more', () => {
    expect(started({ slo: 'p99 <= 50 ms', confirm: true })).toEqual({
      type: 'measure',
      request: {
        kind: 'tune',
        targets: ['java', 'node'],
        settings: { pool: [2, 4, 8] },
        load: 'steady',
        connections: 32,
        budgetS: 120,
        delta: 0.05,
        mode: 'auto',
        confirm: true,
        slo: { p99Ms: 50 },
      },
    });
    expect(check({}).estimate).toBe(
      'a search of at most 2 min: 3 settings of Java and 3 settings of Node, with more rounds where they decide',
    );
  });
  it('keeps raw samples and records in a search as in a run, and confirms a run as a search', () => {
    const kept = { raw: true, rawShare: '0.1', record: true, confirm: true } as const;
    const asked = { raw: { share: 0.1 }, record: { seconds: 10 }, confirm: true };
    expect(started(kept)).toMatchObject({ request: { kind: 'tune', ...asked } });
    expect(started({ ...kept, budget: '' })).toMatchObject({ request: { kind: 'run', ...asked } });
  });
  it('is not used, and that is said, where no setting has two values', () => {
    expect(started({ values: { pool: '8' } })?.request.kind).toBe('run');
    expect(check({ values: { pool: '8' } }).estimate).toContain('this run has fixed rounds');
  });
  it('that is empty leaves the run as it was', () => {
    expect(started({ budget: ' ' })?.request.kind).toBe('run');
  });
  it('is read as people write it, and refused with an example', () => {
    expect(started({ budget: '90' })).toMatchObject({ request: { budgetS: 90 } });
    expect(started({ budget: '1 min 30 s' })).toMatchObject({ request: { budgetS: 90 } });
    expect(check({ budget: 'long' }).problems).toEqual({ budget: 'Budget: a time such as 90 s or 2 min is needed, from 1 s to 24 h.' });
  });
  it('offers the number of instances for every target, with the connections shared among them', () => {
    expect(started({ values: { instances: '1, 2, 4' }, totalConnections: '32' })).toMatchObject({
      request: { kind: 'tune', settings: { instances: [1, 2, 4] }, topology: { totalConnections: 32 } },
    });
    expect(Object.keys(check({ values: { instances: '17' } }).problems)).toEqual(['setting:instances']);
  });
  it('is wanted by what only a search knows', () => {
    expect(Object.keys(check({ budget: '', slo: 'p99 <= 50 ms' }).problems)).toEqual(['slo']);
  });
  it('goes with one number of connections and at most two settings', () => {
    expect(Object.keys(check({ connections: '16, 32' }).problems)).toEqual(['connections']);
    const three = { pool: '2, 4', threads: '20, 50', instances: '1, 2' };
    expect(Object.values(check({ values: three }).problems)).toEqual([
      'A search is over one or two settings: pool, threads and instances have several values. Give one value to all but two.',
    ]);
  });
  it('refuses an objective that cannot be read, with the reason', () => {
    expect(check({ slo: 'fast' }).problems['slo']).toMatch(/^Objective: /);
  });
});

describe('what stands around the instances', () => {
  const form = { ...exampleForm, targets: ['node'], values: { instances: '2, 4' } };
  const check = (part: Partial<Form>, catalog = exampleCatalog) => checkForm({ ...form, ...part }, catalog, true);
  const topology = (part: Partial<Form>) => {
    const request = check(part).start?.request;
    return request?.kind === 'run' ? request.topology : null;
  };

  it('is a part of the run: nginx, a share of the CPU, connections that the instances share', () => {
    expect(topology({})).toBeUndefined();
    expect(
      topology({ proxy: 'least-conn', upstreamKeepAlive: false, staticFiles: true, cpuShare: '0.5', totalConnections: '32' }),
    ).toMatchObject({
      proxy: { balance: 'least-conn', upstreamKeepAlive: false, staticFiles: true, clientKeepAlive: true, workers: 1 },
      cpuShare: 0.5,
      totalConnections: 32,
    });
    expect(topology({ cpuShare: '1' })).toEqual({ proxy: null, cpuShare: 1 });
    expect(check({ proxy: 'round-robin' }).start).toMatchObject({ request: { settings: { instances: [2, 4] } } });
  });
  it('needs nginx, and says how to get it', () => {
    const catalog = {
      ...exampleCatalog,
      proxyProblem: { code: 'nginx-missing' as const, message: 'There is no nginx.', cure: 'Install nginx.' },
    };
    expect(check({ proxy: 'round-robin' }, catalog).problems).toEqual({ proxy: 'There is no nginx. Install nginx.' });
    expect(check({ proxy: 'none' }, catalog).problems).toEqual({});
  });
  it('belongs to a search as well', () => {
    const search = { budget: '2 min', proxy: 'round-robin', cpuShare: '0.5' } as const;
    expect(check(search)).toMatchObject({
      problems: {},
      start: { request: { kind: 'tune', topology: { proxy: { balance: 'round-robin' }, cpuShare: 0.5 } } },
    });
  });
  it('is told what cannot be: a pool beside the total, fewer connections than instances', () => {
    expect(check({ totalConnections: '32', values: { pool: '4' } }).problems['totalConnections']).toContain('Leave the pool size empty');
    expect(check({ totalConnections: '3' }).problems['totalConnections']).toContain('3 cannot be shared among 4 instances');
    expect(Object.keys(check({ cpuShare: '0' }).problems)).toEqual(['cpuShare']);
  });
  it('makes a trial of each number of instances in the estimate', () => {
    expect(check({}).estimate).toContain('2 trials');
  });
});

describe('the load generator', () => {
  const withK6: Catalog = { ...exampleCatalog, k6Problem: null };
  const check = (part: Partial<Form>, catalog = withK6) => checkForm({ ...exampleForm, budget: '', ...part }, catalog, true);
  it('is asked for where k6 is chosen, of runs and of searches', () => {
    const generator = { kind: 'k6', processes: 2 };
    expect(check({ k6: '2' })).toMatchObject({ problems: {}, start: { request: { kind: 'run', generator } } });
    expect(check({ k6: '2', budget: '2 min', connections: '16' })).toMatchObject({ start: { request: { kind: 'tune', generator } } });
    expect(check({}).start?.request).not.toHaveProperty('generator');
  });
  it('is a problem where there is no k6, or raw samples are to be kept', () => {
    const k6Problem = { code: 'k6-missing' as const, message: 'There is no k6.', cure: 'Install it.' };
    expect(check({ k6: '1' }, { ...withK6, k6Problem }).problems).toEqual({ k6: 'There is no k6. Install it.' });
    expect(Object.keys(check({ k6: '1', raw: true }).problems)).toEqual(['k6']);
  });
});

describe('a flame graph afterwards', () => {
  it('is recorded of a run and of a search, and asked for again by the form of either', () => {
    const asked = (budget: string): StartMessage['request'] | undefined =>
      checkForm({ ...exampleForm, record: true, budget }, exampleCatalog, true).start?.request;
    const [run, search] = [asked(''), asked('2 min')];
    if (run?.kind !== 'run' || search?.kind !== 'tune') throw new Error('it starts something else');
    expect(run.record).toEqual(search.record);
    expect(formOfRun(run).record && formOfTune(search).record).toBe(true);
  });
});

describe('raw samples', () => {
  it('are kept where they are ticked, all or a share of them, by a search as well', () => {
    const started = (part: Partial<Form>) => checkForm({ ...exampleForm, ...part }, exampleCatalog, true).start;
    expect(started({})?.request).not.toHaveProperty('raw');
    expect(started({ raw: true })).toMatchObject({ request: { raw: { share: 1 } } });
    expect(started({ raw: true, rawShare: '0.01' })).toMatchObject({ request: { raw: { share: 0.01 } } });
    expect(started({ raw: true, rawShare: '0.1', budget: '2 min', rounds: '' })).toMatchObject({
      request: { kind: 'tune', raw: { share: 0.1 } },
    });
  });
});

describe('the estimate', () => {
  const load = exampleCatalog.loadProfiles[0];
  if (!load) throw new Error('no load profile');
  const request: RunRequest = { targets: ['node'], settings: { pool: [2, 4, 8], threads: [50, 100] }, load: 'steady' };

  it('counts the trials of each target by the settings it takes', () => {
    expect(estimateRun({ ...request, targets: ['java', 'node'] }, chosen(['java', 'node']), load)).toMatchObject({ trials: 9, rounds: 3 });
  });
  it('warms one process for sizes that its probe can move, and one for each set of what needs a restart', () => {
    const ofPools = (pools: number[], mode?: RunRequest['mode']): number =>
      estimateRun({ ...request, settings: { pool: pools }, ...(mode === undefined ? {} : { mode }) }, chosen(['node']), load).durationMs;
    const blocksMs = 3 * (load.settleS + load.durationS) * 1000;
    expect(ofPools([2, 4]) - ofPools([2])).toBeCloseTo(blocksMs, 6);
    expect(ofPools([2, 4], 'process-per-setting') - ofPools([2])).toBeGreaterThan(blocksMs + 1000);
  });
  it('adds the turns of every trial in every round, and one start and warm-up for each process', () => {
    const once = estimateRun(request, chosen(['node']), load);
    const twice = estimateRun({ ...request, connections: [16, 32] }, chosen(['node']), load);
    expect(twice.trials).toBe(2 * once.trials);
    expect(twice.durationMs - once.durationMs).toBe(3 * 3 * 5 * 1000);
  });
  it('knows what it takes at the most where rounds go on until it is decided', () => {
    const one = { ...request, settings: { pool: [2, 4, 8] }, budgetS: 600 };
    const mostOf = (changes: Partial<RunRequest>): number | null => estimateRun({ ...one, ...changes }, chosen(['node']), load).mostMs;
    expect(mostOf({})).toBe(estimateRun(one, chosen(['node']), load).durationMs - 3 * 3 * 5 * 1000 + 600_000);
    expect([mostOf({ rounds: 3 }), mostOf({ settings: {} }), mostOf({ settings: request.settings })]).toEqual([null, null, null]);
  });
  it('is the same beside the load profile and under the form, whatever is asked', () => {
    const told = (part: Partial<Form>) => {
      const { estimate, loadTimes } = checkForm({ ...exampleForm, ...part }, exampleCatalog, true);
      return [estimate?.split(/[:,]/)[0], loadTimes[exampleForm.load]];
    };
    const [one, several] = [told({ values: { pool: '4' } }), told({ values: { pool: '2, 4, 8, 16' } })];
    for (const [under, beside] of [one, several]) expect(under).toBe(beside);
    expect(one).not.toEqual(several);
    // A search is as long as its budget, whichever profile it has.
    expect(told({ values: { pool: '2, 4' }, budget: '2 min', rounds: '' })[1]).toBe('');
  });
  it('is as long as the stages of a load that has some', () => {
    const stages = [{ users: 8, seconds: 300 }];
    const [flat, staged] = [load, { ...load, stages }].map((one) => estimateRun({ ...request, rounds: 1 }, chosen(['node']), one));
    expect((staged?.durationMs ?? 0) - (flat?.durationMs ?? 0)).toBe(3 * (300 - load.durationS) * 1000);
  });
  it('is said in round figures', () => {
    expect(estimatePhrase({ trials: 6, rounds: 3, durationMs: 101_300, mostMs: null })).toBe('about 1 min 40 s: 6 trials × 3 rounds');
    expect(estimatePhrase({ trials: 1, rounds: 1, durationMs: 6_900, mostMs: null })).toBe('about 5 s: 1 trial × 1 round');
    expect(estimatePhrase({ trials: 10, rounds: 4, durationMs: 299_000, mostMs: null })).toBe('about 5 min: 10 trials × 4 rounds');
    expect(estimatePhrase({ trials: 3, rounds: 6, durationMs: 52_000, mostMs: 151_000 })).toBe(
      'about 50 s, at most 2 min 30 s: 3 trials, 6 rounds or more until it is decided',
    );
  });
});
