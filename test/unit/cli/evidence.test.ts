import { wordedEvidence } from '../../../src/cli/wordedRun.ts';
import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import { interferenceLines, runCondition, evidenceLines } from '../../../src/cli/answerLines.ts';
import { tuneDocument, tuneText } from '../../../src/cli/tuneDocument.ts';
import type { RunRecord } from '../../../src/model/domain/run.ts';
import type { EvidenceItem } from '../../../src/model/domain/answerEvidence.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { exampleAnswer, exampleTuned, exampleTuning } from '../../support/tuningRecords.ts';

const evidence: EvidenceItem[] = [
  { kind: 'figures', says: 'for', code: 'recorded', sentence: '8 has 98 % of the best.' },
  { kind: 'mechanism', says: 'open', code: 'recorded', sentence: 'A request waits 6 % of its time for a connection.' },
];
const taken = { takenPercent: 17.4, stealPercent: 12, otherPercent: 5.4 };

/** A tuning whose trial of pool 4 is discarded, with these blocks and reasons. */
function withVoid(change: Partial<RunRecord['trials'][number]>): RunRecord {
  const zero = { valid: false, reasons: [], ratioToBest: null, throughput: { mean: 0, ciLow: null, ciHigh: null } };
  const run = exampleTuning([exampleAnswer({ settings: [exampleTuned(4, 0, 0, zero), exampleTuned(8, 7885, 0.95)] })]);
  return {
    ...run,
    trials: run.trials.map((trial) =>
      trial.target === 'java' && trial.settings['pool'] === 4 ? { ...trial, valid: false, ...change } : trial,
    ),
  };
}

describe('what a terminal says of an answer', () => {
  it('are its evidence by name, each with what it says', () => {
    expect(evidenceLines(evidence)).toEqual([
      '  Figures (for it): 8 has 98 % of the best.',
      '  Mechanism (open): A request waits 6 % of its time for a connection.',
    ]);
    expect(evidenceLines([])).toEqual([]);
  });

  it('are its evidence under the headline of a tuning, and in its document', () => {
    const run = exampleTuning([exampleAnswer({ evidence: evidence })]);
    const lines = tuneText(run).split('\n');
    const at = lines.indexOf('Java: Use pool size 8 (proven)');
    expect(lines.slice(at + 1, at + 3)).toEqual(evidenceLines(evidence));
    expect(tuneDocument(run)?.recommendation.evidence).toEqual(evidence.map(wordedEvidence));
  });

  it('is under what it was measured, where that is noticeable', () => {
    const trials = [exampleTrial({ settings: { pool: 2 } }), { ...exampleTrial({ settings: { pool: 4 } }), interference: taken }];
    expect(interferenceLines(exampleRun({ trials }), trials)).toEqual([
      '~ Java · pool 4: Measured while interference took 17 % of the CPU.',
    ]);
    const disturbed = trials.map((trial) => ({ ...trial, blocks: trial.blocks.map((block) => ({ ...block, interference: taken })) }));
    expect(runCondition(disturbed)).toMatch(/^while interference took 17 % of the CPU, 12 % by other machines/);
    expect(runCondition(trials.slice(0, 1))).toBe('');
  });
});

describe('a discarded value of a tuning', () => {
  it('has the figure of its blocks, without an interval, and the reason of its trial', () => {
    const run = withVoid({ reasons: recorded('The load generator was saturated.') });
    const [value] = tuneDocument(run)?.settings ?? [];
    expect(value).toMatchObject({ valid: false, reasons: ['The load generator was saturated.'] });
    expect(value?.throughput.mean).toBeCloseTo(4172, 0);
    expect(value?.throughput).toMatchObject({ ciLow: null, ciHigh: null });
    expect(value?.ratioToBest.mean).toBeCloseTo(4172 / 8321, 3);
    expect(tuneText(run)).toMatch(/4,172 +– .* not valid\n/);
    expect(tuneText(run)).toContain('! pool 4: The load generator was saturated.');
  });

  it('has the reasons of its blocks where its trial has none, and never no reason', () => {
    const blocks = exampleTrial().blocks.map((block) => ({ ...block, valid: false, reasons: recorded('12 requests were reset.') }));
    expect(tuneDocument(withVoid({ reasons: [], blocks }))?.settings[0]?.reasons).toEqual(['12 requests were reset.']);
    expect(tuneDocument(withVoid({ reasons: [], blocks: [] }))?.settings[0]?.reasons).toEqual([
      'It was discarded, and no reason was recorded.',
    ]);
  });
});
