import { describe, expect, it } from 'vitest';
import { comparisonText } from '../../../src/cli/compareCommand.ts';
import { type ComparedMetric, type Comparison, comparisonSchema } from '../../../src/model/domain/comparison.ts';
import { exampleTrial } from '../../support/runRecords.ts';

const faster: ComparedMetric = {
  ratio: { mean: 1.12, ciLow: 1.08, ciHigh: 1.16 },
  verdict: 'better',
  of: 'throughput',
  delta: 0.05,
  moreRounds: null,
  method: [{ code: 'same-rounds', rounds: 8 }],
};
const unclear: ComparedMetric = {
  ...faster,
  of: 'p99',
  ratio: { mean: 0.96, ciLow: 0.9, ciHigh: 1.02 },
  verdict: 'unknown',
  cure: 'rounds',
  moreRounds: 3,
};

function comparison(more: Partial<Comparison> = {}): Comparison {
  const side = (id: string): Comparison['a'] =>
    comparisonSchema.shape.a.parse({ id, title: `Run ${id}`, name: id, short: id, startedAt: '2025-06-02T14:02:09.000Z' });
  return {
    a: side('one'),
    b: side('two'),
    delta: 0.05,
    sameRun: false,
    differences: [
      { what: 'CPU', a: 'Old', b: 'New', severity: 'warning' },
      { what: 'Free memory', a: '1', b: '2', severity: 'info' },
    ],
    rows: [
      {
        label: 'Java · pool 8',
        a: exampleTrial({ throughput: 1000 }),
        b: exampleTrial({ throughput: 1120, p99Ms: 9.4 }),
        throughputRatio: 1.12,
        p99Ratio: 0.96,
        cpuPerRequestRatio: 0.9,
        throughput: faster,
        p99: unclear,
        cpuPerRequest: null,
        curves: null,
      },
    ],
    ...more,
  };
}

describe('a comparison on a terminal', () => {
  const lines = comparisonText(comparison()).split('\n');

  it('begins with the verdict, and with what was different anyway, warnings marked', () => {
    expect(lines.slice(0, 7)).toEqual([
      'Two is 12 % faster than one (8 – 16 %). They ran on different machines or systems, which alone can explain a difference.',
      '',
      'one: Run one (2025-06-02T14:02:09.000Z)',
      'two: Run two (2025-06-02T14:02:09.000Z)',
      '',
      '! CPU: Old → New',
      '· Free memory: 1 → 2',
    ]);
  });

  it('shows each ratio with its interval and its verdict as a word', () => {
    const row = lines.find((line) => line.startsWith('Java · pool 8  '))?.replace(/ {2,}/g, ' | ');
    expect(row).toBe(
      'Java · pool 8 | 1,000 | 1,120 | +12 % | +8.0 to +16 % | better | 9.81 | 9.40 | −4.0 % | −10 to +2.0 % | undecided | 109 | 109 | −10 % | – | –',
    );
  });

  it('names what its columns stand under, each above the first of them', () => {
    const at = lines.findIndex((line) => line.startsWith('Setting'));
    const [groups = '', titles = ''] = lines.slice(at - 1, at + 1);
    expect(groups.trim().split(/ {2,}/)).toEqual(['req/s', 'p99 ms', 'CPU µs/req']);
    const starts = ['req/s', 'p99 ms', 'CPU µs/req'].map((group) => groups.indexOf(group));
    for (const start of starts) expect(titles.slice(start).trim()).toMatch(/^one /);
  });

  it('says the verdicts as sentences, and what they rest on', () => {
    expect(lines.slice(-3)).toEqual([
      'Java · pool 8: two is 12 % faster than one (8 – 16 %).',
      'Java · pool 8: p99 of two looks 4 % lower (−10 to +2 %); about 3 more rounds would decide.',
      '· The same 8 rounds: paired blocks on logarithms.',
    ]);
  });

  it('says what to do where the two have nothing in common', () => {
    expect(comparisonText(comparison({ rows: [] }))).toContain('name one of each with --trial');
  });
});
