import { describe, expect, it } from 'vitest';
import { applicableAnswers, tuningHeadline } from '../../../../src/extension/applied/answerText.ts';
import { exampleAnswer } from '../../../support/tuningRecords.ts';

const java = exampleAnswer({ target: 'java', targetLabel: 'Java', headline: 'Use pool size 8', values: { pool: 8 } });
const node = exampleAnswer({ target: 'node', targetLabel: 'Node', status: 'undecided', headline: 'Can’t tell yet', values: null });

describe('the answers of a tuning', () => {
  it('are said in a notification, with the target where there are several', () => {
    expect(tuningHeadline([java])).toBe('Use pool size 8');
    expect(tuningHeadline([java, node])).toBe('Java: Use pool size 8. Node: Can’t tell yet');
    expect(tuningHeadline([{ ...java, headline: 'x'.repeat(1_000) }])).toHaveLength(300);
  });

  it('can be applied where they recommend something', () => {
    expect(applicableAnswers([java, node, { ...java, values: {} }])).toEqual([java]);
  });
});
