import { expect, it } from 'vitest';
import { diffsToFacts } from '../../../src/engine/runs/migrations.ts';
import { versionDiffSchema } from '../../../src/model/domain/versionDiff.ts';
import { diffHeadline, diffNotes, diffReasons } from '../../../src/model/presentation/diffWords.ts';

const side = (label: string) => ({ label, commit: null, trialKey: null });
const route = { route: 'GET /rare', share: 0.5, verdict: 'unknown', metrics: [], statements: [] };
const before = {
  kind: 'diff',
  base: side('main'),
  head: side('the working tree'),
  sameCode: false,
  verdict: 'worse',
  headline: 'It is slower.',
  reasons: ['It sends more.', 'It waits.'],
  metrics: [],
  statements: [],
  notes: ['The versions answered otherwise.'],
  routes: [
    { ...route, unknown: 'There was no time left.' },
    { ...route, unknown: null },
  ],
  answers: { asked: 1, differing: [{ route: 'GET /', what: 'bytes', before: 1, after: 2 }] },
  delta: 0.05,
};

it('the sentences of a comparison are kept as they were written, and nothing is said twice', () => {
  const { result } = diffsToFacts({ result: before }) as { result: unknown };
  const diff = versionDiffSchema.parse(result);
  expect(diffHeadline(diff)).toBe('It is slower.');
  expect(diffReasons(diff)).toEqual(['It sends more.', 'It waits.']);
  expect(diffNotes(diff)).toEqual(['The versions answered otherwise.']);
  expect(diff.routes?.map(({ unknown }) => unknown)).toEqual([{ code: 'recorded', sentence: 'There was no time left.' }, null]);
  expect(result).not.toHaveProperty('headline');
});

it('a comparison without notes and routes has none, and another result stays what it is', () => {
  const { notes: _notes, routes: _routes, ...bare } = before;
  expect(diffsToFacts({ result: bare })).toMatchObject({ result: { notes: [] } });
  expect(diffsToFacts({ result: bare })['result']).not.toHaveProperty('routes');
  expect(diffsToFacts({ result: { kind: 'tune', headline: 'x' } })).toEqual({ result: { kind: 'tune', headline: 'x' } });
});
