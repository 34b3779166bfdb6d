import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseSettings,
  recordingRequestOf,
  rememberAnswers,
  secondsProblem,
  settingsText,
  subjectChoices,
  subjectPhrase,
  whatChoices,
  type RecordAnswers,
  type Subject,
} from '../../../../src/extension/recordings/recordChoices.ts';
import {
  localProcessSchema,
  recorderStateSchema,
  recordingRequestSchema,
  type LocalProcess,
  type RecorderState,
} from '../../../../src/model/domain/recording.ts';
import { catalog, noJava, target } from '../catalogs.ts';
import { firstRecordMemory, recordMemorySchema } from '../../../../src/extension/services/lastAnswers.ts';

const settings = {
  pool: { kind: 'number' as const, label: 'Pool size', default: 8, min: 1, max: 64, env: 'POOL' },
  threads: { kind: 'choice' as const, choices: ['platform', 'virtual'], default: 'platform', env: 'THREADS' },
};

function process(changes: Partial<LocalProcess>): LocalProcess {
  return localProcessSchema.parse({
    pid: 4711,
    runtime: 'jvm',
    title: 'shop.Main',
    command: 'java shop.Main',
    version: '21.0.4',
    targetId: null,
    problem: null,
    ...changes,
  });
}

function recorder(changes: Partial<RecorderState>): RecorderState {
  const abilities = { attach: true, relaunch: false, lines: true, heap: false, waits: true };
  const state = {
    id: 'v8',
    label: 'V8 inspector',
    description: 'built in',
    runtime: 'node',
    abilities,
    events: ['cpu', 'database'],
    installed: true,
    installBytes: null,
    problem: null,
  };
  return recorderStateSchema.parse({ ...state, ...changes });
}

const relaunching = { attach: false, relaunch: true, lines: false, heap: false, waits: false };
const recorders = [
  recorder({}),
  recorder({
    id: 'clinic-doctor',
    label: 'clinic doctor',
    abilities: relaunching,
    events: [],
    installed: false,
    installBytes: 45 * 1024 * 1024,
  }),
  recorder({
    id: 'clinic-bubbleprof',
    label: 'clinic bubbleprof',
    abilities: relaunching,
    events: [],
    problem: { code: 'internal', message: 'It is not supported.', cure: 'Use the database event.' },
  }),
  recorder({ id: 'jfr', label: 'JDK Flight Recorder', runtime: 'jvm' }),
];
const nodeSubject: Subject = { kind: 'target', target: target() };

describe('what can be recorded', () => {
  it('lists targets first, then processes by runtime, each group under a heading', () => {
    const choices = subjectChoices(catalog([target({ id: 'shop', origin: 'workspace' }), target()]), [
      process({ runtime: 'node', pid: 12 }),
      process({}),
    ]);
    expect(choices.map(({ heading, value }) => [heading, value.kind === 'target' ? value.target.id : value.process.pid])).toEqual([
      ['Targets of this workspace', 'shop'],
      ['Samples', 'node'],
      ['Running Java processes', 4711],
      ['Running Node processes', 12],
    ]);
  });

  it('begins with the process that is debugged, which is not there twice', () => {
    const debugged = process({ runtime: 'node', pid: 12 });
    const choices = subjectChoices(catalog([target()]), [debugged, process({})], debugged);
    expect(choices.map(({ heading, value }) => [heading, value.kind === 'target' ? value.target.id : value.process.pid])).toEqual([
      ['What you are debugging now', 12],
      ['Samples', 'node'],
      ['Running Java processes', 4711],
    ]);
  });

  it('leaves out what cannot be recorded, and says why where there is nothing else', () => {
    const mixed = subjectChoices(catalog([target({ problem: noJava }), target({ id: 'shop', origin: 'workspace' })]), [
      process({ problem: noJava }),
    ]);
    expect(mixed.map(({ value }) => value.kind === 'target' && value.target.id)).toEqual(['shop']);
    const choices = subjectChoices(catalog([target({ problem: noJava }), target({ id: 'go', runtime: 'other' })]), [
      process({ problem: noJava }),
    ]);
    expect(choices.map(({ problem }) => problem)).toEqual([
      `${noJava.message} ${noJava.cure}`,
      'Only Node and Java targets can be recorded.',
      `${noJava.message} ${noJava.cure}`,
    ]);
    expect(choices[2]?.detail).toContain(noJava.message);
  });

  it('offers everything cheap first, then single events, then other recorders that can be used', () => {
    const choices = whatChoices(nodeSubject, recorders);
    expect(choices.map(({ label }) => label)).toEqual(['Everything that costs little', 'CPU', 'Waiting for the database', 'clinic doctor']);
    expect(choices[0]).toMatchObject({ description: 'V8 inspector · attach · lines · waits', value: { recorder: null, events: [] } });
    expect(choices[3]).toMatchObject({ problem: null, description: 'relaunch · fetched when you agree, about 45.0 MiB' });
  });

  it('does not offer for a running process what must start it', () => {
    const choices = whatChoices({ kind: 'process', process: process({ runtime: 'node' }) }, recorders);
    expect(choices.some(({ label }) => label === 'clinic doctor')).toBe(false);
    expect(choices[0]?.problem).toBe(null);
  });
});

describe('settings as typed', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.constantFrom('platform', 'virtual'), (pool, threads) => {
        const values = { pool, threads };
        expect(parseSettings(settingsText({ settings }, values), { settings })).toEqual({ ok: true, value: values });
      }),
    );
  });

  it('are words, by the labels of the settings, and names are understood as well', () => {
    const worded = { settings: { ...settings, poolTimeoutMs: { kind: 'number' as const, default: 2000, min: 1, max: 60_000, env: 'T' } } };
    const text = settingsText(worded, { pool: 10 });
    expect(text).toBe('pool size 10, threads platform, pool timeout (ms) 2000');
    expect(parseSettings(text, worded)).toEqual({ ok: true, value: { pool: 10, threads: 'platform', poolTimeoutMs: 2000 } });
    expect(parseSettings('Pool size = 3, poolTimeoutMs=5', worded)).toEqual({ ok: true, value: { pool: 3, poolTimeoutMs: 5 } });
  });

  it('never throws and never lets a wrong value through', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseSettings(text, { settings });
        if (parsed.ok) expect(Object.keys(parsed.value).every((name) => name in settings)).toBe(true);
        else expect(parsed.problem.length).toBeGreaterThan(0);
      }),
    );
  });

  it.each([
    ['pool=0', 'Pool size 0 is outside 1 to 64.'],
    ['pool=two', 'Pool size is a whole number, such as 8.'],
    ['threads=green', 'threads is one of platform, virtual.'],
    ['size=2', 'There is no setting “size”; there are: pool size, threads.'],
    ['constructor=2', 'There is no setting “constructor”; there are: pool size, threads.'],
    ['pool=2, pool=3', 'Pool size is there twice.'],
    ['2', '“2” is not a setting. Type for example pool size 8, threads platform.'],
  ])('says what is wrong with %s', (text, problem) => {
    expect(parseSettings(text, { settings })).toEqual({ ok: false, problem });
  });

  it('takes seconds that a recording may last', () => {
    expect(['1', '10', ' 600 ', '2.5'].map(secondsProblem)).toEqual([undefined, undefined, undefined, undefined]);
    expect(['', '0', '601', 'ten', 'Infinity'].every((text) => secondsProblem(text) !== undefined)).toBe(true);
  });
});

describe('what was answered', () => {
  const answers: RecordAnswers = {
    subject: { kind: 'target', target: target({ settings }) },
    settings: 'pool=2',
    load: 'steady',
    what: { recorder: null, events: ['cpu'] },
    seconds: 5,
  };

  it('becomes a request that the engine takes', () => {
    const request = { subject: { kind: 'target', id: 'node', settings: { pool: 2 }, load: 'steady' }, events: ['cpu'], seconds: 5 };
    expect(recordingRequestSchema.parse(recordingRequestOf(answers))).toEqual(request);
    const attached = recordingRequestOf({
      ...answers,
      subject: { kind: 'process', process: process({}) },
      what: { recorder: recorders[3] ?? null, events: [] },
    });
    expect(recordingRequestSchema.parse(attached)).toEqual({
      subject: { kind: 'process', pid: 4711 },
      recorder: 'jfr',
      events: [],
      seconds: 5,
    });
    expect(subjectPhrase({ ...answers, settings: 'pool=8, threads=platform' })).toBe('node · pool 8');
    expect(subjectPhrase({ ...answers, settings: 'pool=2, threads=virtual' })).toBe('node · pool 2 · threads virtual');
  });

  it('is remembered by target, and a process leaves the target of last time as it was', () => {
    const memory = rememberAnswers({ ...answers, load: null }, firstRecordMemory);
    expect(recordMemorySchema.parse(memory)).toEqual({
      targetId: 'node',
      settings: { node: 'pool=2' },
      loads: { node: null },
      what: { recorder: null, events: ['cpu'] },
      seconds: 5,
    });
    const after = rememberAnswers({ ...answers, subject: { kind: 'process', process: process({}) }, seconds: 30 }, memory);
    expect(after).toEqual({ ...memory, seconds: 30 });
  });
});
