import { describe, expect, it } from 'vitest';
import { applicableAnswers, tuningHeadline } from '../../../../src/extension/applied/answerText.ts';
import type { Recommendation } from '../../../../src/model/domain/run.ts';
import { exampleRecommendation, exampleRun } from '../../../support/runRecords.ts';
import { exampleAnswer, exampleTuning } from '../../../support/tuningRecords.ts';

const java = exampleAnswer({
  target: 'java',
  targetLabel: 'Java',
  facts: { code: 'recorded', sentence: 'Use pool size 8' },
  values: { pool: 8 },
});
const node = exampleAnswer({
  target: 'node',
  targetLabel: 'Node',
  status: 'undecided',
  facts: { code: 'recorded', sentence: 'Can’t tell yet' },
  values: null,
});

describe('the answers of a tuning', () => {
  it('are said in a notification, with the target where there are several', () => {
    expect(tuningHeadline([java])).toBe('Use pool size 8');
    expect(tuningHeadline([java, node])).toBe('Java: Use pool size 8. Node: Can’t tell yet');
    expect(tuningHeadline([{ ...java, facts: { code: 'recorded', sentence: 'x'.repeat(1_000) } }])).toHaveLength(300);
  });

  it('can be applied where they recommend something', () => {
    const tuned = exampleTuning([java, node, { ...java, values: {} }]);
    expect(applicableAnswers(tuned)).toEqual([{ target: 'java', values: { pool: 8 } }]);
  });
});

describe('the answers of a run that compared values', () => {
  const applied = (part: Partial<Recommendation>) =>
    applicableAnswers(exampleRun({ recommendations: [exampleRecommendation({ target: 'java', setting: 'pool', ...part })] }));

  it('can be applied as those of a tuning', () => {
    expect(applied({ value: 8 })).toEqual([{ target: 'java', values: { pool: 8 } }]);
  });
  it('cannot where nothing is decided, or everything stays as it is', () => {
    expect(applied({ value: null })).toEqual([]);
    const facts = { code: 'not-limiting', what: 'pool', from: 1, busy: null, room: null, today: 10 } as const;
    expect(applied({ value: 1, facts })).toEqual([]);
  });
});
