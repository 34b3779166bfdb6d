import { describe, expect, it } from 'vitest';
import { soFarOf } from '../../../src/model/presentation/soFar.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const unmeasured = (pool: number) => ({
  ...exampleTrial({ settings: { pool } }),
  blocks: [],
  throughput: { mean: 0, ciLow: null, ciHigh: null, blocks: [] },
});

describe('what is known so far', () => {
  it('has a place for each target before anything is measured', () => {
    expect(soFarOf([unmeasured(2), unmeasured(4)])).toMatchObject([{ target: 'java', sentence: 'Nothing measured yet', seen: false }]);
  });

  it('names what has the most, and of how many that is known', () => {
    const [found] = soFarOf([exampleTrial({ settings: { pool: 8 }, throughput: 8000 }), unmeasured(16)]);
    expect(found?.sentence).toBe('So far pool 8 has the most');
    expect(found?.figures).toContain('1 of 2 settings measured.');
    expect(soFarOf([exampleTrial({ throughput: 8000 })])[0]?.sentence).toBe('So far 8,000 requests/s');
  });

  it('names those between which an answer is open once rounds are added for them, and one truth only', () => {
    const trials = [2, 4, 8].map((pool) => exampleTrial({ settings: { pool }, throughput: 1000 * pool }));
    const [found] = soFarOf(
      trials,
      [trials[0], trials[2]].flatMap((trial) => trial?.key ?? []),
    );
    expect(found?.sentence).toBe('Pool 2 and pool 8 are still open');
    expect(found?.figures).toMatch(/^Pool 8 has the most so far, 8,000 req\/s;/);
  });

  it('counts the rounds of those that are still measured, as the line above the cards does', () => {
    const whole = exampleTrial({ settings: { pool: 2 } });
    const [block] = whole.blocks;
    if (block === undefined) throw new Error('the example has a block');
    const measured = (pool: number, rounds: number) => ({
      ...exampleTrial({ settings: { pool } }),
      key: `pool=${pool}`,
      blocks: Array.from({ length: rounds }, () => block),
    });
    const trials = [measured(2, 6), measured(8, 6), measured(10, 4)];
    expect(soFarOf(trials, ['pool=2', 'pool=8'])[0]?.figures).toContain('6 rounds complete.');
    expect(soFarOf(trials)[0]?.figures).toContain('4 rounds complete.');
  });
});
