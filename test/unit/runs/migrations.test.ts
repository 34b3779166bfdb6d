import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSchemaVersion } from '../../../src/model/domain/run.ts';
import { migrate, migrations } from '../../../src/engine/runs/migrations.ts';
import { parseRun } from '../../../src/engine/runs/parseRun.ts';
import { type WordedVerdict, wordedVerdict } from '../../support/wordedVerdict.ts';

const corpus = new URL('../../fixtures/runs/', import.meta.url).pathname;

describe('records of every released version', () => {
  it('have examples', () => {
    const versions = readdirSync(corpus).sort();
    expect(versions).toEqual(Array.from({ length: runSchemaVersion }, (_, index) => `v${index + 1}`).sort());
  });

  const files = readdirSync(corpus).flatMap((version) => readdirSync(join(corpus, version)).map((name) => `${version}/${name}`));
  it.each(files)('%s is read by the current code', (file) => {
    const text = readFileSync(join(corpus, file), 'utf8');
    const { id } = JSON.parse(text) as { id: string };
    expect(parseRun(text, id)).toMatchObject({ record: { id, schemaVersion: runSchemaVersion } });
  });

  it.each(['v4', 'v5', 'v6'])('of %s have their verdicts in the words in which they were written', (version) => {
    const text = readFileSync(join(corpus, version, 'experiment.json'), 'utf8');
    const old = JSON.parse(text) as { id: string; trials: { diagnosis: WordedVerdict | null }[] };
    const parsed = parseRun(text, old.id);
    const read = 'record' in parsed ? parsed.record.trials.map(({ diagnosis }) => diagnosis && wordedVerdict(diagnosis)) : [];
    expect(read.filter((one) => one !== null).length).toBeGreaterThan(0);
    expect(read).toEqual(old.trials.map(({ diagnosis }) => diagnosis));
  });
});

describe('migrate', () => {
  it('has a step from each older version', () => {
    for (let version = 1; version < runSchemaVersion; version += 1) expect(migrations[version]).toBeTypeOf('function');
  });

  it('goes step by step and raises the version', () => {
    const steps = {
      1: (record: Readonly<Record<string, unknown>>) => ({ ...record, trail: ['1→2'] }),
      2: (record: Readonly<Record<string, unknown>>) => ({ ...record, trail: [...(record['trail'] as string[]), '2→3'] }),
    };
    expect(migrate({ schemaVersion: 1, kept: true }, 1, steps, 3)).toEqual({ schemaVersion: 3, kept: true, trail: ['1→2', '2→3'] });
  });

  it('keeps sentences of records as findings that tell of nothing else, and knows whose they are', () => {
    const reason = 'The load generator was saturated (event loop busy 97 %).';
    const trial = {
      reasons: [reason],
      notes: ['a note'],
      blocks: [{ reasons: [reason] }],
      diagnosis: { kind: 'invalid', headline: 'It says nothing: the load generator was saturated (event loop busy 97 %).' },
    };
    const recorded = { code: 'recorded', sentence: reason };
    const of = { schemaVersion: 1, reasons: [`Java · pool 2: ${reason}`, 'cancelled'], notes: ['a note'], trials: [trial] };
    expect(migrate({ ...of, tuning: null, study: { points: [{ reasons: [reason] }] } }, 1, migrations, 2)).toEqual({
      schemaVersion: 2,
      reasons: [
        { ...recorded, about: 'Java · pool 2' },
        { code: 'recorded', sentence: 'cancelled' },
      ],
      notes: ['a note'],
      trials: [
        {
          reasons: [recorded],
          notes: [{ code: 'recorded', sentence: 'a note' }],
          blocks: [{ reasons: [recorded] }],
          diagnosis: { ...trial.diagnosis, tells: [recorded] },
        },
      ],
      tuning: null,
      study: { points: [{ reasons: [recorded] }] },
    });
  });

  it('keeps notes of a run, and what was said of how values were set and confirmed, as sentences that tell of nothing else', () => {
    const item = { kind: 'figures', says: 'for', sentence: 'It carried more.' };
    const gate = { id: 'errors', severity: 'refuse', sentence: 'Many failed.' };
    const answer = { targetLabel: 'Java', modeReason: 'Not live.', confirmation: 'Confirmed.', gates: [gate], witnesses: [item] };
    const of = {
      schemaVersion: 2,
      recommendations: [{ witnesses: [item] }, {}],
      notes: ['Cancelled after 1 round.', 'Java: Not live.'],
      plan: { mode: 'live', modeReason: '' },
      tuning: { probeCost: 'It costs 1 %.', answers: [answer, { ...answer, targetLabel: 'Node', confirmation: null }] },
    };
    const recorded = (sentence: string): object => ({ code: 'recorded', sentence });
    const witnesses = [{ ...item, code: 'recorded' }];
    const gates = [{ code: 'recorded', was: 'errors', severity: 'refuse', sentence: 'Many failed.' }];
    expect(migrate(of, 2, migrations, 3)).toEqual({
      schemaVersion: 3,
      notes: [recorded('Cancelled after 1 round.'), { code: 'mode', about: 'Java', why: [recorded('Not live.')] }],
      plan: { mode: 'live', modeReasons: [] },
      recommendations: [{ witnesses }, {}],
      tuning: {
        probeCost: recorded('It costs 1 %.'),
        answers: [
          { targetLabel: 'Java', modeReasons: [recorded('Not live.')], confirmation: recorded('Confirmed.'), gates, witnesses },
          { targetLabel: 'Node', modeReasons: [recorded('Not live.')], confirmation: null, gates, witnesses },
        ],
      },
    });
  });

  it('keeps what a measurement found as one result of its kind, with δ and the objective of a tuning as those of its run', () => {
    const of = { schemaVersion: 3, request: { targets: ['java'] }, delta: 0.05, plan: { mode: 'live' }, trials: [{ valid: true }] };
    const migrated = (found: object): object => migrate({ ...of, tuning: null, study: null, ...found }, 3, migrations, 4);
    const plain = { ...of, schemaVersion: 4 };
    expect(migrated({})).toEqual({ ...plain, result: { kind: 'run' } });
    expect(migrated({ trials: [{ valid: false }] })).toEqual({ ...plain, trials: [{ valid: false }], result: { kind: 'live' } });
    expect(migrated({ study: { form: 'short' } })).toEqual({ ...plain, result: { kind: 'study', form: 'short' } });
    expect(migrated({ versions: { verdict: 'same' } })).toEqual({ ...plain, result: { kind: 'diff', verdict: 'same' } });
    const slo = { p99Ms: 50 };
    expect(migrated({ tuning: { request: { delta: 0.1, slo }, answers: [] } })).toEqual({
      ...plain,
      delta: 0.1,
      request: { targets: ['java'], slo },
      result: { kind: 'tune', request: { delta: 0.1, slo }, answers: [] },
    });
  });

  it('has the words of the glossary for interference, evidence and what an experiment compares, whatever a setting is called', () => {
    const of = JSON.parse(readFileSync(join(corpus, 'v4', 'experiment.json'), 'utf8')) as Readonly<Record<string, unknown>>;
    const today: unknown = JSON.parse(readFileSync(join(corpus, 'v5', 'experiment.json'), 'utf8'));
    expect(migrate(of, 4, migrations, 5)).toEqual(today);
    expect(JSON.stringify(today)).not.toMatch(/"(?:arms?|arms-[a-z-]+|study|disturbance|undisturbed|witnesses)"/);
    const settings = { arm: 'left', witnesses: 3, study: 'x' };
    const points = [{ arm: 'a', settings }];
    const result = { kind: 'study', study: { arms: [{ name: 'a', settings }] }, points };
    expect(migrate({ result }, 4, migrations, 5)).toMatchObject({
      result: { kind: 'experiment', experiment: { variants: [{ name: 'a', settings }] }, points: [{ variant: 'a', settings }] },
    });
  });

  it('keeps the sentences of an answer as codes, and the facts of a headline', () => {
    const facts = { code: 'rounds-missing', rounds: 1 };
    const answer = { headline: 'Use pool size 8', why: 'It is the best.', whyLine: 'It holds 1 ms.' };
    const recorded = (sentence: string): object => ({ code: 'recorded', sentence });
    const migrated = (result: object): object => migrate({ recommendations: [{ ...answer, whyLine: '' }], result }, 5, migrations, 6);
    const recommendations = [{ facts: recorded('Use pool size 8'), why: [recorded('It is the best.')] }];
    expect(migrated({ kind: 'run' })).toEqual({ schemaVersion: 6, recommendations, result: { kind: 'run' } });
    const several = { ...answer, facts, settingNames: ['pool', 'threads'] };
    expect(migrated({ kind: 'tune', answers: [{ ...several, settingNames: ['pool'] }, several] })).toMatchObject({
      result: {
        answers: [
          { settingNames: ['pool'], facts, why: [recorded('It is the best.'), recorded('It holds 1 ms.')] },
          { facts: recorded('Use pool size 8') },
        ],
      },
    });
  });

  it('gives the sentences of verdicts the names of their codes', () => {
    const diagnosis = {
      kind: 'cpu',
      headline: 'It is full.',
      explanation: 'No setting makes cores.',
      ruledOut: [{ kind: 'gc', because: 'No.' }],
    };
    const points = [
      { level: 1, limitSentence: 'It is full.' },
      { level: 2, limitSentence: null },
    ];
    const ladders = [{ variant: 'a', sign: { sign: 'scales', sentence: 'It scales.' } }];
    const of = {
      trials: [
        { key: 'a', diagnosis },
        { key: 'b', diagnosis: null },
        { key: 'c', diagnosis: { ...diagnosis, explanation: '' } },
      ],
    };
    const worded = { kind: 'cpu', said: 'It is full.', ruledOut: [{ kind: 'gc', because: 'No.' }] };
    const migrated = {
      schemaVersion: 7,
      trials: [
        { key: 'a', diagnosis: { ...worded, why: ['No setting makes cores.'] } },
        { key: 'b', diagnosis: null },
        { key: 'c', diagnosis: { ...worded, why: [] } },
      ],
    };
    expect(migrate({ ...of, result: { kind: 'experiment', points, ladders } }, 6, migrations, 7)).toEqual({
      ...migrated,
      result: {
        kind: 'experiment',
        points: [
          { level: 1, limitSaid: 'It is full.' },
          { level: 2, limitSaid: null },
        ],
        ladders: [{ variant: 'a', sign: { sign: 'scales', said: 'It scales.' } }],
      },
    });
    expect(migrate({ ...of, result: { kind: 'run' } }, 6, migrations, 7)).toEqual({ ...migrated, result: { kind: 'run' } });
  });

  it('says when a step is missing', () => {
    expect(() => migrate({ schemaVersion: 1 }, 1, {}, 2)).toThrow(/version 1/);
  });
});
