import { expect, it } from 'vitest';
import { wordedRun } from '../../../src/cli/wordedRun.ts';
import { exampleExperiment } from '../../support/experimentRecords.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';

it('prints what verdicts, steps and ladders say as sentences, and none of their codes', () => {
  const { record } = exampleExperiment();
  const said = { code: 'database-lock', active: 8, waiting: 7, lockedOn: null } as const;
  const why = [{ code: 'database-lock-why', holdMs: 84, lockedOn: null }, { code: 'probe-silent' }] as const;
  const because = { code: 'explained-before' } as const;
  const diagnosis = {
    kind: 'database-lock' as const,
    confident: true,
    said,
    why: [...why],
    evidence: [
      {
        what: { code: 'sessions-for-lock' as const, part: 7, whole: 8 },
        value: 0.875,
        unit: 'share' as const,
        threshold: { is: '≥' as const, limit: 0.3 },
        met: true,
        source: null,
      },
    ],
    ruledOut: [{ kind: 'cpu' as const, because }],
    actions: [{ kind: 'record' as const, event: 'wall' as const, label: { code: 'which-statement' as const } }],
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
          evidence: [{ what: 'active sessions that wait for a lock', value: '7.0 of 8.0', threshold: '≥ 30 %', met: true, source: null }],
          actions: [{ kind: 'record', event: 'wall', label: 'Record a wall-clock flame graph: which statement waits?' }],
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
  expect(JSON.stringify(printed)).not.toMatch(/"said"|"limitSaid"|"which-statement"|"sessions-for-lock"/);
});
