import { expect, it } from 'vitest';
import { diagnosisKindSchema } from '../../../src/model/diagnosis.ts';
import { confusionMatrix, counts, summary } from '../../bench/diagnosis/matrix.ts';
import { plantings } from '../../bench/diagnosis/plantings.ts';
import type { Planting } from '../../bench/diagnosis/plantings.ts';

const planted = (kind: Planting['kind'], more: Partial<Planting> = {}): Planting => ({
  name: 'a',
  target: 'node',
  kind,
  route: 'GET /',
  connections: 1,
  ...more,
});

it('counts what is right, what is right by exception, and what is wrong though confident', () => {
  const verdicts = [
    { planting: planted('gc'), kind: 'gc' as const, confident: true },
    { planting: planted('gc'), kind: 'cpu' as const, confident: true },
    { planting: planted('healthy', { alsoRight: ['client-limited'] }), kind: 'client-limited' as const, confident: false },
    { planting: planted('healthy'), kind: 'pool-limited' as const, confident: true },
    { planting: planted('healthy'), kind: null, confident: false },
  ];
  expect(counts(verdicts)).toEqual({ all: 5, right: 2, confidentlyWrong: 2, confidentlyWrongOfHealthy: 1 });
  expect(summary(verdicts)).toBe('2 of 5 right (40.0 %); confident and wrong: 2, of runs in which nothing was full: 1.');
  expect(confusionMatrix(verdicts).split('\n').slice(2)).toEqual([
    '| gc | node | **1** |  | 1 |  |  |  | 1 of 2 | 1 |',
    '| healthy | node |  |  |  | 1 | 1 | 1 | 1 of 3 | 0 |',
  ]);
});

it('plants at least fourteen kinds, those that both runtimes can have in both', () => {
  expect(new Set(plantings.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(14);
  const ofOne = diagnosisKindSchema.options.filter(
    (kind) => new Set(plantings.filter((one) => one.kind === kind).map(({ target }) => target)).size === 1,
  );
  expect(ofOne.sort()).toEqual(['application-lock', 'event-loop', 'oversubscribed', 'thread-pool', 'unknown-wait']);
  const names = plantings.map(({ target, kind, name }) => `${target} ${kind} ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
