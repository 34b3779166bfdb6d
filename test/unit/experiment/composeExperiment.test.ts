import type { Finding } from '../../../src/model/domain/findingKinds.ts';
import { recorded } from '../../support/recorded.ts';
import { describe, expect, it } from 'vitest';
import type { Trial } from '../../../src/model/domain/run.ts';
import { type ExperimentFile, experimentFileSchema } from '../../../src/model/domain/experiment.ts';
import { type ExperimentFindings, composeExperiment } from '../../../src/engine/strategies/experiment/composeExperiment.ts';
import type { BlockMetrics, ExtraMetrics } from '../../../src/engine/strategies/experiment/measuredPoint.ts';
import { exampleTrial } from '../../support/runRecords.ts';
import { experimentSummary, shapeWords } from '../../../src/model/presentation/shapeWords.ts';

const because = 'the study found so';
const variant = (name: string): object => ({ name, label: name.toUpperCase(), target: 'java' });
const ladder = { kind: 'ladder', levels: [10, 50, 100] };

function experiment(changes: object = {}): ExperimentFile {
  return experimentFileSchema.parse({
    id: 'X1',
    title: 'An example',
    asks: 'Does it?',
    source: 'nobody',
    notToday: 'because',
    variants: [variant('before'), variant('after')],
    short: ladder,
    full: ladder,
    published: [{ caption: 'c', columns: ['a'], rows: [[1]] }],
    shape: [{ rule: 'ratio', figure: 'throughput', of: 'after', to: 'before', min: 1.5, because }],
    ...changes,
  });
}

function trial(name: string, level: number, throughput: number, changes: Partial<Trial> = {}): Trial {
  return { ...exampleTrial({ target: 'java', settings: {}, throughput, p99Ms: 20 }), key: `${name}|${level}`, ...changes };
}

function findings(of: ExperimentFile, trials: Trial[], changes: Partial<ExperimentFindings> = {}): ExperimentFindings {
  const variants = of.variants.map(({ name, label }) => ({
    name,
    label,
    coresAvailable: null,
    trials: [10, 50, 100].map((level) => ({ key: `${name}|${level}`, level })),
  }));
  const blocks = new Map(trials.map((one) => [one.key, blocksOf(one)]));
  return { experiment: of, form: 'short', variants, trials, blocks, extra: new Map(), series: [], steps: [], cores: 2, ...changes };
}

/** The blocks of a trial alone; one that is discarded makes all of them so. */
function blocksOf(one: Trial): BlockMetrics[] {
  return one.blocks.map((block) => ({
    round: block.round,
    taken: block.interference === null ? null : block.interference.takenPercent / 100,
    valid: one.valid && block.valid,
    reasons: one.valid ? block.reasons : one.reasons,
    requests: block.requests,
    errors: block.errors.total,
    figures: { throughput: block.throughput, meanMs: block.latencyMs?.mean ?? null },
  }));
}

const all = [10, 50, 100].flatMap((level) => [trial('before', level, 1000), trial('after', level, 2500)]);

describe('what a study found', () => {
  it('has a point for each variant and level, a ladder for each variant, and before against after where there are two', () => {
    const record = composeExperiment(findings(experiment(), all));
    expect(record.points.map(({ variant: name, level }) => `${name} ${level}`)).toEqual([
      'before 10',
      'before 50',
      'before 100',
      'after 10',
      'after 50',
      'after 100',
    ]);
    expect(record.points.every(({ trialKey }) => trialKey !== null)).toBe(true);
    expect(record.ladders.map((one) => one.variant)).toEqual(['before', 'after']);
    expect(record.success[0]).toMatchObject({ word: 'success', change: '+150 %' });
    expect(record.agrees).toBe(true);
    expect(experimentSummary(record)).toMatch(/agrees with what was published: 1 of 1 rule held/);
  });

  it('does not judge a rule about a variant that this machine cannot run', () => {
    const of = experiment({
      shape: [
        { rule: 'ratio', figure: 'throughput', of: 'after', to: 'before', min: 1.5, because },
        { rule: 'flat', figure: 'throughput', variant: 'before', withinPercent: 10, because },
      ],
    });
    const complete = findings(of, all);
    const record = composeExperiment({ ...complete, variants: complete.variants.filter(({ name }) => name === 'before') });
    expect(record.shape).toHaveLength(1);
    expect(record.agrees).toBe(true);
  });

  it('leaves a rule open when every measurement is discarded, and says which and why', () => {
    const reason = 'The load generator was saturated.';
    const record = composeExperiment(
      findings(
        experiment(),
        all.map((one) => ({ ...one, valid: false, reasons: recorded(reason) })),
      ),
    );
    expect(record.agrees).toBe(null);
    expect(record.points[0]).toMatchObject({ valid: false, reasons: recorded(reason) });
    expect(record.shape.map((one) => shapeWords(one, record.experiment).sentence)).toEqual([expect.stringContaining(reason)]);
    expect(experimentSummary(record)).toBe('0 of 1 rule held, and one is open: throughput of AFTER over BEFORE.');
  });

  it('counts blocks of which CPU was taken away: a rule over them is decided by their interval', () => {
    const disturbed = all.map((one) => ({
      ...one,
      blocks: one.blocks.map((block, index) => ({
        ...block,
        interference: { takenPercent: 15 + 5 * index, stealPercent: 15 + 5 * index, otherPercent: 0 },
      })),
    }));
    const record = composeExperiment(findings(experiment(), disturbed));
    expect(record.points.every(({ valid }) => valid)).toBe(true);
    expect(record.agrees).toBe(true);
  });

  it('says of an open rule its interval and about how much longer would decide, and never calls it held', () => {
    const scattered = (name: string, values: number[]): Trial => {
      const one = trial(name, 100, 1000);
      const [first] = one.blocks;
      if (first === undefined) throw new Error('the example has no block');
      return { ...one, blocks: values.map((throughput, index) => ({ ...first, round: index + 1, throughput })) };
    };
    const record = composeExperiment(
      findings(experiment(), [scattered('before', [1000, 400, 900, 700]), scattered('after', [1700, 1100, 900, 1500])]),
    );
    expect(record.agrees).toBe(null);
    const [rule] = record.shape;
    expect(rule?.interval?.low).toBeLessThan(1.5);
    expect(rule?.interval?.high).toBeGreaterThan(1.5);
    expect(record.shape.map((one) => shapeWords(one, record.experiment).sentence)).toEqual([expect.stringMatching(/open/)]);
    expect(experimentSummary(record)).toMatch(/^0 of 1 rule held, and one is open: throughput of AFTER over BEFORE\./);
  });

  it('says why it may not agree today when it does not', () => {
    const record = composeExperiment(
      findings(experiment({ shape: [{ rule: 'ratio', figure: 'throughput', of: 'before', to: 'after', min: 1.5, because }] }), all),
    );
    expect(record.agrees).toBe(false);
    expect(experimentSummary(record)).toMatch(/does not agree.*Why it may not: because/);
  });

  it('counts errors as a figure, not as a fault, where an instance is killed', () => {
    const outage = { kind: 'outage', connections: 10, durationS: 15 };
    const of = experiment({
      variants: [variant('before')],
      short: outage,
      full: outage,
      shape: [{ rule: 'value', figure: 'errorShare', variant: 'before', max: 0.01, because }],
    });
    const extra = new Map<string, ExtraMetrics>([['before|10', { figures: { recoveryS: 1.5 }, ranges: { recoveryS: [1.25, 1.75] } }]]);
    const errors = { code: 'requests-failed', kind: 'reset', count: 18, attempts: 9000, limit: 0.001 } as const;
    const died = { code: 'app-restarted' } as const;
    const withReasons = (...reasons: Finding[]): ReturnType<typeof composeExperiment> => {
      const one = trial('before', 10, 900, { valid: false, reasons });
      const blocks = one.blocks.map((block) => ({ ...block, requests: 8982, errors: { ...block.errors, reset: 18, total: 18 } }));
      return composeExperiment(findings(of, [{ ...one, blocks }], { extra }));
    };
    const record = withReasons(errors);
    expect(withReasons(errors, died).points[0]?.valid).toBe(false);
    expect(withReasons(errors, died).agrees).toBe(null);
    expect(record.points[0]).toMatchObject({ valid: true, figures: { errorShare: 0.002, recoveryS: 1.5 } });
    expect(record.agrees).toBe(true);
  });
});
