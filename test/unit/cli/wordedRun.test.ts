import { expect, it } from 'vitest';
import { wordedRun } from '../../../src/cli/wordedRun.ts';
import { exampleExperiment } from '../../support/experimentRecords.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';

it('prints what verdicts, steps and ladders say as sentences, and none of their codes', () => {
  const { record } = exampleExperiment();
  const said = { code: 'database-lock', active: 8, waiting: 7 } as const;
  const why = [{ code: 'database-lock-why', holdMs: 84 }, { code: 'probe-silent' }] as const;
  const because = { code: 'explained-before' } as const;
  const diagnosis = {
    kind: 'database-lock' as const,
    confident: true,
    said,
    why: [...why],
    evidence: [],
    ruledOut: [{ kind: 'cpu' as const, because }],
    actions: [],
    threadDumps: [],
  };
  const trials = [{ ...exampleTrial({ target: 'java' }), diagnosis }, exampleTrial({ target: 'node' })];
  const points = record.points.map((point) => ({ ...point, limitSaid: said }));
  const printed = wordedRun(exampleRun({ trials, result: { ...record, points } }));
  const headline = 'Locks in the database are the limit: of 8 sessions at work, 7 waited for a lock that another transaction held.';
  expect(printed).toMatchObject({
    trials: [
      {
        diagnosis: {
          kind: 'database-lock',
          headline,
          explanation: expect.stringMatching(/a request held its connection for 84\.0 ms\. .* were not seen\.$/) as string,
          ruledOut: [{ kind: 'cpu', because: 'Its signs are there too, but what comes before it explains them.' }],
        },
      },
      { diagnosis: null },
    ],
    result: {
      points: points.map(() => ({ limitSentence: headline })),
      ladders: [{ sign: { sentence: expect.stringMatching(/^There is a queue in front of a fixed-size resource/) as string } }],
    },
  });
  expect(JSON.stringify(printed)).not.toMatch(/"said"|"limitSaid"/);
});
