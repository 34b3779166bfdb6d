import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { diagnosisKindSchema } from '../../../src/model/domain/diagnosisKind.ts';
import { type Verdict, confusionMatrix, counts, doctorSummary, report, summary } from '../../bench/diagnosis/matrix.ts';
import { Measured } from '../../bench/diagnosis/measured.ts';
import { type Planting, plantings } from '../../bench/diagnosis/plantings.ts';
import { plantedTargets, targetId } from '../../bench/diagnosis/targets.ts';

const planted = (kind: Planting['kind'], more: Partial<Planting> = {}): Planting => ({
  name: 'a',
  target: 'node',
  kind,
  route: 'GET /',
  connections: 1,
  ...more,
});

const named = (planting: Planting, kind: Verdict['kind'], more: Partial<Verdict> = {}): Verdict => ({
  planting,
  kind,
  confident: false,
  condition: 'as it is',
  ...more,
});

const folder = mkdtempSync(path.join(tmpdir(), 'benchside-matrix-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('counts what is right, what is right by exception, and what is wrong though confident', () => {
  const verdicts = [
    named(planted('gc'), 'gc', { confident: true }),
    named(planted('gc'), 'cpu', { confident: true }),
    named(planted('healthy', { alsoRight: ['client-limited'] }), 'client-limited'),
    named(planted('healthy'), 'pool-limited', { confident: true }),
    named(planted('healthy'), null),
  ];
  expect(counts(verdicts)).toEqual({ all: 5, right: 2, confidentlyWrong: 2, confidentlyWrongOfHealthy: 1 });
  expect(summary(verdicts)).toBe('2 of 5 right (40.0 %); confident and wrong: 2, of runs in which nothing was full: 1.');
  expect(confusionMatrix(verdicts).split('\n').slice(2)).toEqual([
    '| gc | node | **1** |  | 1 |  |  |  | 1 of 2 | 1 |',
    '| healthy | node |  |  |  | 1 | 1 | 1 | 1 of 3 | 0 |',
  ]);
});

it('has a table for each condition that was measured under', () => {
  const verdicts = [named(planted('gc'), 'gc'), named(planted('gc'), 'cpu', { condition: 'bursts' })];
  const text = report(verdicts);
  expect(text.match(/^Condition: .*$/gm)).toEqual(['Condition: as it is', 'Condition: bursts']);
  expect(text).toContain('1 of 1 right');
  expect(text).toContain('0 of 1 right');
});

it('says beside each row what clinic doctor says of its plantings', () => {
  const [one, other, third] = [planted('gc'), planted('gc', { name: 'b' }), planted('gc', { name: 'c' })];
  const doctor = new Map([
    [one, 'gc'],
    [other, 'io'],
    [third, 'gc'],
  ]);
  const verdicts = [one, other, third, planted('cpu')].map((planting) => named(planting, planting.kind));
  expect(
    confusionMatrix(verdicts, doctor)
      .split('\n')
      .map((line) => line.split(' | ').at(-1)),
  ).toEqual(['clinic doctor says |', '--- |', 'gc (2), io |', '– |']);
});

it('counts how often doctor’s category is the one that would be right, where it has one at all', () => {
  const doctor = new Map([
    [planted('gc'), 'gc'],
    [planted('pool-limited'), 'io'],
    [planted('healthy'), 'io'],
    [planted('event-loop'), 'unknown'],
    [planted('network-or-payload'), 'io'],
  ]);
  expect(doctorSummary(doctor)).toBe('clinic doctor’s category is the right one for 2 of 4 plantings.');
});

it('keeps what was measured in a file, from which a later piece goes on', () => {
  const file = path.join(folder, 'measured.json');
  const [one, other] = plantings;
  if (one === undefined || other === undefined) throw new Error('nothing is planted');
  const first = new Measured(file, plantings);
  const verdict = { headline: 'Full.', tookS: 12, repeat: 1 };
  first.add({ ...named(one, one.kind, { confident: true }), ...verdict });
  first.addDoctor(other, null);
  const next = new Measured(file, plantings);
  expect(next.verdicts).toEqual(first.verdicts);
  expect([next.has(one, 1, 'as it is'), next.has(one, 2, 'as it is'), next.has(one, 1, 'busy'), next.has(other, 1, 'as it is')]).toEqual([
    ...[true, false],
    ...[false, false],
  ]);
  expect([...next.doctor]).toEqual([[other, null]]);
  expect(new Measured(file, plantings.slice(1)).verdicts).toEqual([]);
  expect(readFileSync(file, 'utf8')).not.toContain('GET /');
});

it('declares each form of a sample once, with the routes that are planted in it', () => {
  const targets = plantedTargets(plantings, new Map([[20, 'http://127.0.0.1:1']])) as {
    id: string;
    command: string[];
    routes: { path: string }[];
  }[];
  expect(new Set(targets.map(({ id }) => id))).toEqual(new Set(plantings.map(targetId)));
  expect(new Set(targets.map(({ id }) => id)).size).toBe(targets.length);
  const few = targets.find(({ id }) => id === 'node-planted-files-48');
  expect(few?.command.slice(0, 3)).toEqual(['sh', '-c', 'ulimit -n 48 && exec "$0" "$@"']);
  for (const planting of plantings) {
    const routes = targets.find(({ id }) => id === targetId(planting))?.routes.map((route) => route.path);
    expect(routes).toContain(planting.route.split(' ')[1]);
  }
});

it('plants every kind, those that both runtimes can have in both', () => {
  // Other programs are no bottleneck of the app: the bench causes them in addition to all others. PgBouncer is not on every machine: its study plants it.
  const kinds = diagnosisKindSchema.options.filter((kind) => kind !== 'busy-machine' && kind !== 'pgbouncer');
  expect(new Set(plantings.map(({ kind }) => kind))).toEqual(new Set(kinds));
  const ofOne = kinds.filter((kind) => new Set(plantings.filter((one) => one.kind === kind).map(({ target }) => target)).size === 1);
  expect(ofOne.sort()).toEqual(['event-loop', 'network-or-payload', 'one-core', 'oversubscribed', 'unknown-wait']);
  const names = plantings.map(({ target, kind, name }) => `${target} ${kind} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
