import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  tierOfComparison,
  tierOfMetric,
  tierOfExperiment,
  tierOfVersions,
  tierPhrase,
  tierWords,
} from '../../../src/model/domain/answerTier.ts';
import {
  actionsBeside,
  askedAfter,
  stepsOfMetric,
  stepsOfRecommendation,
  stepsOfTuning,
} from '../../../src/model/presentation/nextStep.ts';
import { actionText } from '../../../src/model/domain/verdict/nextActions.ts';
import { headlineWithStatus, measuredPhrase } from '../../../src/model/presentation/runWords.ts';
import { type ExperimentRecord, shapeResultSchema } from '../../../src/model/domain/experiment.ts';
import { experimentSentence } from '../../../src/model/presentation/experimentTables.ts';
import { exampleDisturbedRun, exampleRecommendation, exampleRun, exampleTrial } from '../../support/runRecords.ts';
import { exampleDiagnosis, exampleExperiment } from '../../support/experimentRecords.ts';
import { exampleVersions } from '../../support/versionRecords.ts';
import { exampleAnswer, exampleTuning } from '../../support/tuningRecords.ts';

const ranks = { seen: 0, likely: 1, proven: 2 } as const;
const halfWidth = fc.double({ min: 0, max: 8, noNaN: true });
const around = (mean: number, half: number) => ({ mean, ciLow: mean * (1 - half), ciHigh: mean * (1 + half), blocks: [] });
const verdict = fc.constantFrom('better', 'worse', 'same', 'unknown');

describe('how sure an answer is', () => {
  it('is said with the same word below a headline and beside it', () => {
    for (const status of ['confirmed', 'plausible', 'undecided'] as const) {
      expect(
        headlineWithStatus({ facts: { code: 'recorded', sentence: 'Use pool size 8' }, settingNames: ['pool'], settingLabels: {}, status }),
      ).toMatch(/^Use pool size 8 \((proven|likely|only seen)\)$/);
    }
  });

  it('names its evidence, and none for what was only seen', () => {
    expect(tierPhrase('proven', [{ says: 'for' }, { says: 'for' }])).toBe('Proven · two kinds of evidence');
    expect(tierPhrase('likely', [{ says: 'for' }, { says: 'against' }])).toBe('Likely · one kind of evidence');
    expect(tierPhrase('likely', [{ says: 'open' }, { says: 'open' }])).toBe(tierWords.likely);
    expect(tierPhrase('seen', [{ says: 'open' }])).toBe(tierWords.seen);
  });

  it('of two versions is proven by what no clock counted, and by a function on changed lines', () => {
    const timed = {
      ...exampleVersions(),
      verdict: 'worse' as const,
      why: null,
      metrics: exampleVersions().metrics.filter(({ name }) => name === 'throughput'),
    };
    expect(tierOfVersions({ ...timed, verdict: 'unknown' })).toBe('seen');
    expect(tierOfVersions(timed)).toBe('likely');
    const counted = { id: 'statements' as const, name: 'statements per request', unit: '', base: 2, head: 22, ratio: null, exact: true };
    expect(tierOfVersions({ ...timed, metrics: [...timed.metrics, { ...counted, verdict: 'worse' }] })).toBe('proven');
    const touched = { name: 'load', file: 'a.js', line: 1, touched: true, event: 'cpu', unit: 'ns' as const, base: 1, head: 2, change: 1 };
    const why = (change: number) => ({ functions: [{ ...touched, change }], flame: null, excerpt: null, recordings: null });
    expect(tierOfVersions({ ...timed, why: why(1) })).toBe('proven');
    expect(tierOfVersions({ ...timed, why: why(-1) })).toBe('likely');
  });

  it('never rises when an interval gets wider, and no figure by itself is proven', () => {
    fc.assert(
      fc.property(halfWidth, halfWidth, fc.double({ min: 0.005, max: 0.5, noNaN: true }), (one, other, delta) => {
        const tier = (half: number) => ranks[tierOfMetric({ valid: true, throughput: around(1476, half) }, delta)];
        expect(tier(Math.max(one, other))).toBeLessThanOrEqual(tier(Math.min(one, other)));
        expect(tier(one)).toBeLessThan(ranks.proven);
      }),
    );
    expect(tierOfMetric({ valid: false, throughput: around(1000, 0) }, 0.05)).toBe('seen');
  });

  it('is only seen of an experiment that agrees over 1,476 ± 7,224 requests/s', () => {
    const { record } = exampleExperiment();
    const points = record.points.map((point) => ({ ...point, valid: true, throughput: around(1476, 7224 / 1476) }));
    expect(tierOfExperiment({ agrees: true, points }, 0.05)).toBe('seen');
    expect(tierOfExperiment({ agrees: true, points: points.map((point) => ({ ...point, throughput: around(1476, 0.02) })) }, 0.05)).toBe(
      'proven',
    );
    expect(tierOfExperiment({ agrees: null, points: [] }, 0.05)).toBe('seen');
  });

  it('never lets an experiment agree, or not, over intervals that could hold anything', () => {
    const { record } = exampleExperiment();
    const points = record.points.map((point) => ({ ...point, valid: true, throughput: around(1476, 3) }));
    expect(experimentSentence({ ...record, agrees: true, points }, 0.05)).toBe(
      'Looks like what was published; its widest interval is over ±100 %',
    );
    expect(experimentSentence({ ...record, agrees: false, points }, 0.05)).toMatch(
      /^Looks different from what was published; its widest interval is/,
    );
    const once = points.map((point) => ({ ...point, throughput: { mean: 1476, ciLow: null, ciHigh: null } }));
    expect(experimentSentence({ ...record, agrees: true, points: once }, 0.05)).toMatch(
      /^Looks like what was published, but was measured too rarely/,
    );
    expect(experimentSentence({ ...record, agrees: true, points: [] }, 0.05)).toBe('Agrees with the publication');
  });

  it('says of an experiment with an open rule what was seen, with its interval, instead of that nothing can be told', () => {
    // As records of before have it.
    const rule = { agrees: null, sentence: 'A over B: 1.2 [0.8 to 1.9] (at least 1.1 is asked for); open.', because: '' };
    const unseen = shapeResultSchema.parse({ ...rule, seen: 'A: too little' });
    const interval = { value: 1.2, low: 0.8, high: 1.9 };
    const seen = shapeResultSchema.parse({ ...rule, seen: 'A over B: 1.2 [0.8 to 1.9]', interval, moreSeconds: 40 });
    const sentence = (...shape: ExperimentRecord['shape']): string =>
      experimentSentence({ experiment: exampleExperiment().record.experiment, agrees: null, points: [], shape }, 0.05);
    expect(sentence(unseen, seen)).toBe('A over B: 1.2 [0.8 to 1.9]');
    expect(sentence(unseen)).toBe('A: too little');
    expect(sentence(shapeResultSchema.parse(rule))).toMatch(/^A over B: 1\.2 .* open$/);
    expect(sentence()).toBe('Nothing was seen of what it asks');
  });

  it('is higher of a difference that was measured in the same rounds, and never rises with an open figure', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ verdict }), { minLength: 1 }), (figures) => {
        const rank = (all: typeof figures, sameRun: boolean): number => ranks[tierOfComparison(all, sameRun)];
        expect(rank(figures, true)).toBeGreaterThanOrEqual(rank(figures, false));
        expect(rank([...figures, { verdict: 'unknown' }], true)).toBeLessThanOrEqual(rank(figures, true));
      }),
    );
    expect(tierOfComparison([{ verdict: 'unknown' }], true)).toBe('seen');
  });

  it('is not proven of what is the same by the mechanism alone', () => {
    expect(tierOfComparison([{ verdict: 'same' }], true)).toBe('proven');
    expect(tierOfComparison([{ verdict: 'same', byMechanism: 'pool' }], true)).toBe('likely');
  });
});

describe('the next step of an answer', () => {
  const words = (steps: readonly { words: string }[]): string[] => steps.map((step) => step.words);

  it('is to apply what is proven, and to measure on where that would decide', () => {
    const run = exampleDisturbedRun();
    expect(words(stepsOfRecommendation(exampleRecommendation({ status: 'confirmed', value: 8 }), run))).toEqual(['Apply to Java']);
    expect(words(stepsOfRecommendation(exampleRecommendation({ status: 'plausible', value: 8, moreSeconds: 38 }), run))).toEqual([
      'Run 40 s more',
      'Apply to Java',
    ]);
    expect(words(stepsOfTuning(exampleAnswer({ status: 'plausible', moreSeconds: 34 }), exampleTuning()))[0]).toBe('Run 40 s more');
  });

  it('is there for every answer, however little it says', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('confirmed' as const, 'plausible' as const, 'undecided' as const),
        fc.option(fc.integer({ min: 1, max: 1000 })),
        (status, moreSeconds) => {
          const value = status === 'undecided' ? null : 8;
          expect(stepsOfRecommendation(exampleRecommendation({ status, value, moreSeconds }), exampleRun())).not.toEqual([]);
          const values = value === null ? null : { pool: value };
          expect(stepsOfTuning(exampleAnswer({ status, values, moreSeconds }), exampleTuning())).not.toEqual([]);
        },
      ),
    );
  });

  it('is the cure where more of the same would not decide a tuning', () => {
    const run = exampleTuning();
    const target = exampleAnswer().target;
    const step = (more: Parameters<typeof exampleAnswer>[0], trials = run.trials): unknown =>
      stepsOfTuning(exampleAnswer({ status: 'undecided', values: null, moreSeconds: null, ...more }), { ...run, trials })[0];
    const refused = (was: string) => ({ gates: [{ code: 'recorded' as const, was, severity: 'refuse' as const, sentence: 'Because.' }] });
    expect(step(refused('errors'))).toEqual({ kind: 'cure', words: 'Show Its Output', cure: 'show-output', target });
    const ignored = { code: 'ignored' as const, severity: 'refuse' as const, seen: { code: 'by-hand' as const }, names: ['4'] };
    for (const gates of [refused('ignored').gates, [ignored]])
      expect(step({ gates })).toMatchObject({ kind: 'tune', request: { mode: 'process-per-setting' } });
    const generator = { kind: 'generator' as const, label: 'Let k6 put the load on, in 2 processes', processes: 2 };
    const saturated = [{ ...exampleTrial({ valid: false }), target, diagnosis: exampleDiagnosis({ actions: [generator] }) }];
    expect(step(refused('generator'), saturated)).toMatchObject({ kind: 'act', words: generator.label });
    expect(step({})).toMatchObject({ kind: 'tune', words: 'Run again for twice as long' });
  });

  it('is what the verdict proposes where one setting was measured, and to run again where nothing counts', () => {
    const trial = { ...exampleTrial(), diagnosis: exampleDiagnosis() };
    const run = exampleRun({ recommendations: [], trials: [trial] });
    expect(stepsOfMetric([trial], trial, run)).toMatchObject([
      { kind: 'act', trialKey: trial.key },
      { kind: 'advise', trialKey: trial.key },
    ]);
    expect(words(stepsOfMetric([trial], undefined, run))).toEqual(['Run again']);
  });

  it('is to try what could help where something limits that no button is for', () => {
    const limited = { ...exampleTrial(), diagnosis: exampleDiagnosis({ actions: [] }) };
    const run = exampleRun({ recommendations: [], trials: [limited] });
    expect(words(stepsOfMetric([limited], limited, run))).toEqual(['What would help?', 'Run again']);
    const healthy = { ...limited, diagnosis: exampleDiagnosis({ kind: 'healthy', actions: [] }) };
    expect(words(stepsOfMetric([healthy], healthy, run))).toEqual(['Run again']);
    expect(words(stepsOfMetric([limited], limited, { ...run, load: { ...run.load, ratePerS: 100 } }))).toEqual(['Run again']);
    expect(askedAfter(run, limited)).toMatchObject({
      from: run.id,
      target: limited.target,
      settings: limited.settings,
      load: run.request.load,
    });
  });

  it('is never to raise what the answer has just said', () => {
    const { actions } = exampleDiagnosis({
      actions: [
        { kind: 'set', label: 'Raise Pool size from 20 to 24', setting: 'pool', value: 24 },
        { kind: 'record', label: 'Record who waits', event: 'wall' },
      ],
    });
    expect(actionsBeside({ actions }, { pool: 8 }).map(({ action }) => actionText(action))).toEqual(['Record who waits']);
    expect(actionsBeside({ actions }, { threads: 8 })).toHaveLength(2);
  });
});

describe('what a result measured', () => {
  it('is one line', () => {
    expect(measuredPhrase(exampleDisturbedRun())).toMatch(/^pool 2–16 · .* · 32 connections · 1 min 51 s$/);
  });
});
