import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { diagnosisKindSchema } from '../../../src/model/diagnosis.ts';
import { confusionMatrix, counts, doctorSummary, leavingVoidAside, report, summary } from '../../bench/diagnosis/matrix.ts';
import type { Verdict } from '../../bench/diagnosis/matrix.ts';
import { Measured } from '../../bench/diagnosis/measured.ts';
import { voidBecause } from '../../bench/diagnosis/plantedBench.ts';
import { plantings } from '../../bench/diagnosis/plantings.ts';
import type { Planting } from '../../bench/diagnosis/plantings.ts';
import { plantedTargets, targetId } from '../../bench/diagnosis/targets.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const planted = (kind: Planting['kind'], more: Partial<Planting> = {}): Planting => ({
  name: 'a',
  target: 'node',
  kind,
  route: 'GET /',
  connections: 1,
  ...more,
});

const named = (planting: Planting, kind: Verdict['kind'], more: Partial<Verdict> = {}): Verdict => ({
  ...{ planting, kind, confident: false, voidBecause: null, aside: null },
  ...more,
});

const stolen = 'The hypervisor took 8 % of the CPU for other machines, limit 2 %. Run again when the host is quieter.';
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
  expect(counts(verdicts)).toEqual({ all: 5, void: 0, right: 2, confidentlyWrong: 2, confidentlyWrongOfHealthy: 1 });
  expect(summary(verdicts)).toBe('2 of 5 right (40.0 %); confident and wrong: 2, of runs in which nothing was full: 1.');
  expect(confusionMatrix(verdicts).split('\n').slice(2)).toEqual([
    '| gc | node | **1** |  | 1 |  |  |  | 1 of 2 | 1 | 0 |',
    '| healthy | node |  |  |  | 1 | 1 | 1 | 1 of 3 | 0 | 0 |',
  ]);
});

it('leaves what the machine voided out of every share, whatever its verdict was, and counts it a second time by what it would have been', () => {
  const [collector, full] = [planted('gc'), planted('pool-limited')];
  const verdicts = [
    named(collector, 'gc', { confident: true }),
    named(collector, 'invalid', { confident: true, voidBecause: stolen, aside: 'gc' }),
    named(collector, 'gc', { voidBecause: 'Other programs used 60 % of the machine’s CPU.' }),
    named(full, 'invalid', { confident: true, voidBecause: stolen, aside: 'cpu' }),
    named(full, 'invalid', { confident: true, voidBecause: stolen }),
  ];
  expect(counts(verdicts)).toMatchObject({ all: 1, void: 4, right: 1, confidentlyWrong: 0 });
  expect(confusionMatrix(verdicts).split('\n').slice(2)).toEqual([
    '| gc | node | **1** |  | 1 of 1 | 1 | 2 |',
    '| pool-limited | node |  |  | 0 of 0 | 0 | 2 |',
  ]);
  expect(counts(leavingVoidAside(verdicts))).toMatchObject({ all: 5, void: 0, right: 3, confidentlyWrong: 0 });
  expect(report(verdicts)).toContain('| pool-limited | node |  |  | 1 | 1 | 0 of 2 | 0 | 0 |');
  expect(report(verdicts.slice(0, 1))).not.toContain('Every measurement');
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
  first.add({ ...named(one, 'invalid', { voidBecause: stolen, aside: one.kind }), ...verdict });
  first.add({ ...named(one, one.kind, { confident: true }), ...verdict });
  first.addDoctor(other, null);
  const next = new Measured(file, plantings);
  expect(next.verdicts).toEqual(first.verdicts);
  expect(next.attempts(one, 1).map(({ voidBecause: reason }) => reason)).toEqual([stolen, null]);
  expect([next.attempts(one, 2), next.attempts(other, 1)]).toEqual([[], []]);
  expect([...next.doctor]).toEqual([[other, null]]);
  expect(new Measured(file, plantings.slice(1)).verdicts).toEqual([]);
  expect(readFileSync(file, 'utf8')).not.toContain('GET /');
});

it('calls a measurement void for the machine alone, not for what was planted', () => {
  const trial = exampleTrial({ target: 'node', connections: 16, throughput: 100, p99Ms: 20 });
  const others = (otherPercent: number): typeof trial => ({
    ...trial,
    resources: { ...trial.resources, host: { ...trial.resources.host, otherPercent } },
  });
  expect(voidBecause({ ...trial, reasons: [stolen] })).toBe(stolen);
  expect(voidBecause({ ...trial, reasons: ['100 requests were answered with a server error (5xx).'] })).toBeNull();
  expect(voidBecause(others(39))).toBeNull();
  expect(voidBecause(others(40))).toBe('Other programs used 40 % of the machine’s CPU.');
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
  expect(new Set(plantings.map(({ kind }) => kind))).toEqual(new Set(diagnosisKindSchema.options));
  const ofOne = diagnosisKindSchema.options.filter(
    (kind) => new Set(plantings.filter((one) => one.kind === kind).map(({ target }) => target)).size === 1,
  );
  expect(ofOne.sort()).toEqual(['application-lock', 'event-loop', 'network-or-payload', 'oversubscribed', 'thread-pool', 'unknown-wait']);
  const names = plantings.map(({ target, kind, name }) => `${target} ${kind} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
