import type { DiagnosisKind } from '../../../src/model/domain/diagnosisKind.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanInterference } from '../../../src/model/domain/interference.ts';
import {
  blocksInTime,
  byWhomPhrase,
  conditionSentence,
  interferenceSentence,
  interferencePhrase,
  estimateFigure,
  hasInterference,
  runInterference,
  interferencePercentPhrase,
  whilePhrase,
} from '../../../src/model/presentation/interferenceWords.ts';
import { isWide, noiseFloorPhrase } from '../../../src/model/domain/intervalWidth.ts';
import type { EvidenceItem } from '../../../src/model/domain/answerEvidence.ts';
import { disagreement } from '../../../src/model/presentation/evidenceWords.ts';
import { presentedRun, runTable } from '../../../src/model/presentation/runTable.ts';
import { panelHead } from '../../../webview/workbench/panelHead.ts';
import { initialState, readSavedState } from '../../../webview/workbench/panelState.ts';
import { exampleDisturbedRun, exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { runBadge } from '../../../src/model/presentation/runWords.ts';

const steal = { takenPercent: 17.4, stealPercent: 11, otherPercent: 6.4 };
const disturbed = exampleDisturbedRun();

describe('interference in words', () => {
  it('is told beside a figure only where it is noticeable', () => {
    expect(whilePhrase(steal)).toBe('while interference took 17 % of the CPU');
    expect(whilePhrase({ takenPercent: 4.9, stealPercent: 0, otherPercent: 4.9 })).toBe('');
    expect(whilePhrase(null)).toBe('');
    expect(interferencePhrase(17.4)).toBe('interference: 17 % of the CPU');
    expect([0, 0.3, 1.6].map(interferencePercentPhrase)).toEqual(['0 %', '< 1 %', '2 %']);
  });

  it('comes with an estimate of the machine left alone, which says that it is one', () => {
    const trial = exampleTrial({ disturbances: [steal], noiseAdjusted: 9_137 });
    expect(conditionSentence(trial)).toBe(
      'Measured while interference took 17 % of the CPU; about 9,100 req/s without interference, estimated from CPU per request.',
    );
    expect(conditionSentence(exampleTrial({ noiseAdjusted: 9_137 }))).toBe(
      'About 9,100 req/s without interference, estimated from CPU per request.',
    );
    expect(conditionSentence(exampleTrial())).toBe('');
  });

  it('has no estimate where something else than all cores together is the limit', () => {
    const limitedBy = (kind: DiagnosisKind): string => {
      const trial = exampleTrial({ disturbances: [steal], noiseAdjusted: 9_137 });
      const said = { code: 'unseen-wait', several: true, of: null } as const;
      return conditionSentence({
        ...trial,
        diagnosis: { kind, confident: true, said, why: [], evidence: [], ruledOut: [], actions: [], threadDumps: [] },
      });
    };
    expect(limitedBy('cpu')).toContain('about 9,100 req/s without interference');
    expect(limitedBy('database-cpu')).toContain('about 9,100 req/s without interference');
    for (const kind of ['event-loop', 'unknown-wait', 'pool-limited', 'outbound-service'] as const)
      expect(limitedBy(kind)).toBe('Measured while interference took 17 % of the CPU.');
  });

  it('gives an estimate no more than two digits, within 5 % of its value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (value) => {
        const shown = estimateFigure(value).replaceAll(',', '');
        expect(shown.replace(/0+$/, '').length).toBeLessThanOrEqual(2);
        expect(Math.abs(Number(shown) - value)).toBeLessThanOrEqual(value * 0.05);
      }),
    );
  });

  it('names who took it, with figures only where it was more than one', () => {
    expect(byWhomPhrase(steal)).toBe('11 % by other machines on the same host and 6 % by other programs');
    expect(byWhomPhrase({ takenPercent: 72, stealPercent: 0, otherPercent: 72 })).toBe('by other programs');
    expect(byWhomPhrase({ takenPercent: 11, stealPercent: 11, otherPercent: 0.1 })).toBe('by other machines on the same host');
    expect(byWhomPhrase({ takenPercent: 0.2, stealPercent: 0.1, otherPercent: 0.1 })).toBe('');
  });

  it('of a run is the mean of the blocks that count, by how long each was', () => {
    const counted = disturbed.trials.flatMap((trial) => trial.blocks.filter((block) => block.valid));
    expect(runInterference(disturbed.trials)).toEqual(meanInterference(counted));
    expect(runInterference([])).toBeNull();
  });

  it('over a run says how much, by whom, when most, and what was left out', () => {
    expect(interferenceSentence(disturbed.trials)).toMatch(
      /^On average interference took \d+ % of the CPU, \d+ % by other machines on the same host and \d+ % by other programs\. 24 of 24 blocks lost 5 % or more, the most \d+ % at 1 min 5 s\. 1 block was discarded\.$/,
    );
    expect(interferenceSentence(exampleRun().trials)).toBe('On average interference took 2 % of the CPU.');
  });

  it('has its blocks in the order in which they were measured, of whatever trial', () => {
    const starts = blocksInTime(disturbed.trials).map(({ block }) => block.startMs);
    expect(starts).toHaveLength(24);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect([hasInterference(disturbed.trials), hasInterference(exampleRun().trials)]).toEqual([true, false]);
  });
});

describe('the head of a disturbed run', () => {
  const state = initialState(readSavedState(null));
  it('has a chip with the figure; that of a calm run has none', () => {
    expect(panelHead({ ...state, run: disturbed }, new Date()).disturbed).toBe('interference: 19 % of the CPU');
    expect(panelHead({ ...state, run: exampleRun() }, new Date()).disturbed).toBeNull();
  });
  it('says “so far” while it goes on', () => {
    const progress = {
      runId: 'a',
      title: 'Pool size',
      delta: 0.05,
      trials: [exampleTrial({ disturbances: [steal] })],
      phase: null,
      open: [],
      timeMs: 0,
      ticks: [],
      observations: [],
      errors: 0,
      notes: [],
      found: null,
      finished: null,
    };
    expect(panelHead({ ...state, progress }, new Date()).disturbed).toBe('interference so far: 17 % of the CPU');
  });
  it('never reads “not valid” because of the interference', () => {
    expect(runBadge(disturbed).text).not.toContain('not valid');
    expect(runBadge({ ...disturbed, noiseFloorPercent: null }).text).not.toContain('not valid');
  });
});

describe('a green tick', () => {
  it('stands only where the run tells apart what is asked for', () => {
    const kind = (noiseFloorPercent: number | null, trials = disturbed.trials): string =>
      runBadge({ ...disturbed, noiseFloorPercent, trials }).kind;
    expect([kind(2.6), kind(5), kind(5.1)]).toEqual(['good', 'good', 'warning']);
    expect(kind(null)).toBe('warning');
    expect(kind(null, exampleRun().trials)).toBe('good');
    const bare = exampleTrial();
    expect(kind(null, [{ ...bare, throughput: { ...bare.throughput, ciLow: null, ciHigh: null } }])).toBe('plain');
  });
  it('gives a noise floor in figures only as far as they mean anything', () => {
    expect([2.61, 12.4, 1_330].map(noiseFloorPhrase)).toEqual(['±2.6 %', '±12 %', 'over ±100 %']);
  });
  it('needs an interval within ±5 % of its mean', () => {
    expect(isWide({ mean: 100, ciLow: 95, ciHigh: 105 }, 0.05)).toBe(false);
    expect(isWide({ mean: 100, ciLow: 94, ciHigh: 105 }, 0.05)).toBe(true);
    expect(isWide({ mean: 100, ciLow: 94, ciHigh: 105 }, 0.1)).toBe(false);
    expect(isWide({ mean: 100, ciLow: null, ciHigh: null }, 0.05)).toBe(true);
  });
});

describe('the table of a disturbed run', () => {
  it('has beside each figure what was taken, and the estimate marked as one', () => {
    const { columns, rows } = runTable(presentedRun(disturbed));
    const cell = (id: string): string | undefined => rows[0]?.cells[columns.findIndex((column) => column.id === id)]?.text;
    expect(columns.map((column) => column.id).slice(2, 6)).toEqual(['throughput', 'interval', 'taken', 'leftAlone']);
    expect([cell('taken'), cell('leftAlone')]).toEqual(['14 %', '≈ 2,000']);
  });
  it('of a calm run has neither column', () => {
    const ids = runTable(presentedRun(exampleRun())).columns.map((column) => column.id);
    expect(ids).not.toContain('taken');
    expect(ids).not.toContain('leftAlone');
  });
});

describe('two kinds of evidence', () => {
  const item = (kind: EvidenceItem['kind'], says: EvidenceItem['says']): EvidenceItem => ({ kind, says, code: 'recorded', sentence: '' });
  it('disagree where one speaks for the value and the other against it, not where one is open', () => {
    expect(disagreement([item('figures', 'for'), item('mechanism', 'against')])).toContain('disagree');
    expect(disagreement([item('figures', 'open'), item('mechanism', 'for')])).toBe('');
    expect(disagreement([])).toBe('');
  });
});
