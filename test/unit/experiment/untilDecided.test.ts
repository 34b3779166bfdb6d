import { recorded } from '../../support/recorded.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { compare, fewestMissingRounds, holds, missingRounds } from '../../../src/engine/strategies/experiment/estimate.ts';
import { readExperiments } from '../../../src/engine/run/experiment/experimentFiles.ts';
import { planExperiment } from '../../../src/engine/run/experiment/experimentPlan.ts';
import { type BlockMetrics, isHopeless } from '../../../src/engine/strategies/experiment/measuredPoint.ts';
import type { JudgedRule } from '../../../src/engine/strategies/experiment/shape.ts';
import { trialSeconds } from '../../../src/engine/strategies/experiment/experimentTime.ts';
import { measureRounds } from '../../../src/engine/run/experiment/measureRounds.ts';
import { MirroredOrder } from '../../../src/engine/strategies/experiment/untilDecided.ts';
import { workspaceFileSchema } from '../../../src/model/domain/target.ts';
import { examplePoint } from '../../support/measuredPoints.ts';

/** Standard normal, by Box and Muller. */
function normal(random: SeededRandom): number {
  const uniform = (): number => (random.nextInteger(0, 999_999) + 0.5) / 1_000_000;
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

interface Outcome {
  agrees: boolean | null;
  rounds: number;
}

/** A rule “at least 1.15” looked at after each round from the third on, until it is decided or 24 rounds are spent; blocks scatter by 8 %, rounds by 20 %. */
function decide(trueRatio: number, random: SeededRandom): Outcome {
  const [a, b, taken]: [number[], number[], number[]] = [[], [], []];
  for (let round = 1; round <= 24; round += 1) {
    const shared = 0.2 * normal(random);
    const stolen = Math.min(0.5, Math.abs(0.1 * normal(random)));
    taken.push(stolen);
    a.push(1000 * trueRatio * Math.exp(shared + 0.08 * normal(random)) * (1 - stolen));
    b.push(1000 * Math.exp(shared + 0.08 * normal(random)) * (1 - stolen));
    if (round < 3) continue;
    const points = [a, b].map((values, index) =>
      examplePoint({ variant: index === 0 ? 'a' : 'b', level: 8, figures: { throughput: values }, taken }),
    );
    const estimate = compare('throughput', points[0] as (typeof points)[0], points[1] as (typeof points)[0]);
    const agrees = estimate === null ? null : holds(estimate, { min: 1.15 });
    if (agrees !== null) return { agrees, rounds: round };
  }
  return { agrees: null, rounds: 24 };
}

function outcomes(trueRatio: number, count: number): Outcome[] {
  const random = new SeededRandom(Math.round(1000 * trueRatio));
  return Array.from({ length: count }, () => decide(trueRatio, random));
}

describe('rounds until a rule is decided', () => {
  it('call a ratio at the very edge of what is asked for wrongly in about 4 % of experiments on either side, all looks together', () => {
    const seen = outcomes(1.15, 300);
    const share = (agrees: boolean): number => seen.filter((one) => one.agrees === agrees).length / seen.length;
    expect(share(true)).toBeLessThanOrEqual(0.075);
    expect(share(false)).toBeLessThanOrEqual(0.075);
  });

  it('are few where a ratio is far from the edge, and decide it rightly', () => {
    for (const [ratio, agrees] of [
      [1.5, true],
      [0.9, false],
    ] as const) {
      const seen = outcomes(ratio, 60);
      const right = seen.filter((one) => one.agrees === agrees);
      expect(right.length).toBeGreaterThanOrEqual(58);
      const rounds = right.map((one) => one.rounds).sort((a, b) => a - b);
      expect(rounds[30]).toBeLessThanOrEqual(8);
    }
  });

  it('are foretold within a factor of four where the figure stays where it is', () => {
    const alternating = (n: number, value: number): number[] => Array.from({ length: n }, (_, i) => value * (i % 2 === 0 ? 1.1 : 0.9));
    const steady = (n: number): number[] => Array.from({ length: n }, () => 100);
    const at = (n: number): ReturnType<typeof compare> =>
      compare(
        'throughput',
        examplePoint({ variant: 'a', level: 8, figures: { throughput: alternating(n, 122) } }),
        examplePoint({ variant: 'b', level: 8, figures: { throughput: steady(n) } }),
      );
    const early = at(4);
    if (early === null) throw new Error('nothing could be compared');
    const missing = missingRounds(early, { min: 1.15 }) ?? 0;
    expect(missing).toBeGreaterThan(0);
    const needed = Array.from({ length: 60 }, (_, index) => 4 + 2 * index).find((n) => {
      const estimate = at(n);
      return estimate !== null && holds(estimate, { min: 1.15 }) === true;
    });
    expect(needed).toBeDefined();
    expect((missing + 4) / (needed ?? 1)).toBeGreaterThan(0.25);
    expect((missing + 4) / (needed ?? 1)).toBeLessThan(4);
    const fewest = fewestMissingRounds(early, { min: 1.15 }) ?? 0;
    expect(fewest).toBeGreaterThan(0);
    expect(fewest).toBeLessThan(missing);
  });

  it('do not correct away a difference whose side leaves more of the CPU to other programs', () => {
    // Two instances use both cores, one leaves half of them to another program: what that program takes is no reason for the difference.
    const jitter = [0.02, -0.01, 0.01, -0.02, 0.015, -0.005, 0, 0.01];
    const points = (['two', 'one'] as const).map((variant) =>
      examplePoint({
        variant,
        level: 64,
        figures: { throughput: jitter.map((part, round) => (variant === 'two' ? 1700 : 1000) * (1 + (round % 2 === 0 ? part : -part))) },
        taken: jitter.map((part) => (variant === 'two' ? 0.35 : 0.6) + part),
      }),
    );
    const [two, one] = points;
    if (two === undefined || one === undefined) throw new Error('there are two points');
    const estimate = compare('throughput', two, one);
    expect(estimate?.value).toBeCloseTo(1.7, 1);
    expect(estimate?.low).toBeGreaterThan(1.6);
  });

  it('let what was taken from the threads of one side reach as far as its throughput has been seen to follow it', () => {
    // The threads of one side queued for the CPU longer than those of the other; what others took changes from round to round.
    const waves = [0.05, 0.6, 0.3, 0.7, 0.1, 0.5, 0.2, 0.65];
    const reach = (follows: number): number => {
      const [a, b] = (['a', 'b'] as const).map((variant, side) =>
        examplePoint({
          variant,
          level: 64,
          leftAlone: variant === 'a' ? 1.3 : 1,
          figures: {
            throughput: waves.map((_, round) => 96 * (1 + (round % 2 === 0 ? 0.002 : -0.002)) * (1 - takenAt(side, round)) ** follows),
          },
          taken: waves.map((_, round) => takenAt(side, round)),
        }),
      );
      if (a === undefined || b === undefined) throw new Error('there are two points');
      return (compare('throughput', a, b)?.high ?? Infinity) / (compare('throughput', a, b)?.value ?? 1);
    };
    // Always somewhat more at one side, so that it is no chance.
    const takenAt = (side: number, round: number): number => (waves[round] ?? 0) + (side === 0 ? 0.1 + (round % 3) / 50 : 0);
    expect(reach(0)).toBeLessThan(1.05);
    expect(reach(1)).toBeGreaterThan(1.28);
  });

  it('contain exactly what is asked for, and each second one mirrors the one before', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 1000 }), (items, seed) => {
        const order = new MirroredOrder<number>(seed);
        const [first, second] = [order.next(items), order.next(items)];
        expect([...first].sort()).toEqual([...items].sort());
        expect(second).toEqual([...first].reverse());
        expect([...order.next(items.slice(1))].sort()).toEqual([...items.slice(1)].sort());
        expect([...order.next(items)].sort()).toEqual([...items].sort());
      }),
    );
  });
});

/** Of C2, whose two variants are measured at four levels: what its rounds measured, `round:key`, on a clock that only measuring moves. */
async function measured(options: {
  /** By how many rounds of it were measured. */
  rule: (rounds: number) => Partial<JudgedRule>;
  spareMs: number;
  block?: Partial<BlockMetrics>;
}): Promise<{ round: number; key: string }[]> {
  const root = path.resolve(import.meta.dirname, '../../..');
  const { experiments } = await readExperiments(root);
  const experiment = experiments.find(({ id }) => id === 'C2');
  if (experiment === undefined) throw new Error('C2 is bundled');
  const lab = workspaceFileSchema.parse(JSON.parse(readFileSync(path.join(root, 'samples', 'lab', 'benchside.json'), 'utf8')));
  const targets = lab.targets.map((target) => ({ target, origin: 'lab' as const, baseDir: path.join(root, 'samples', 'lab') }));
  const planned = planExperiment(experiment, experiment.short, experiment.variants, {
    targets,
    loadProfiles: [],
    postgresUrl: null,
    problems: [],
    starts: '',
  });
  const blockMs = 1000 * trialSeconds(experiment.short);
  const seen: { round: number; key: string }[] = [];
  const progress = {
    get elapsedMs(): number {
      return seen.length * blockMs;
    },
    begin: () => undefined,
    setRemaining: () => undefined,
    setOpen: () => undefined,
  };
  const blocks = (key: string): BlockMetrics[] =>
    seen
      .filter((one) => one.key === key)
      .map(({ round }) => ({ round, taken: null, valid: true, reasons: [], requests: 100, errors: 0, figures: {}, ...options.block }));
  const rule = (): JudgedRule => ({
    agrees: null,
    rule: { rule: 'value', figure: 'users', variant: 'two', at: 'last', because: '' },
    found: { code: 'value', value: 1 },
    stuck: null,
    because: '',
    interval: null,
    moreSeconds: 10,
    soonestSeconds: 10,
    openKeys: ['two|c=50', 'pool|c=50'],
    ...options.rule(blocks('two|c=50').length),
  });
  await measureRounds(
    {
      plan: experiment.short,
      experiment: planned,
      progress,
      blocks,
      errorsCount: false,
      beforeRound: () => Promise.resolve(),
      assertWorthwhile: () => undefined,
      roundBegins: () => undefined,
      deadlineMs: planned.run.order.flat().length * blockMs + options.spareMs,
      rules: () => [rule()],
      about: () => 'this',
      measurement: () => ({ problems: [] }),
    },
    planned.variants.map((variant) => ({ planned: variant })),
    {
      step: (name, round) => ({ code: 'measuring', name, round }),
      measure: (one, round) => Promise.resolve(void seen.push({ round, key: one.key })),
    },
  );
  return seen;
}

describe('further rounds of an experiment', () => {
  const further = (seen: { round: number; key: string }[]): string[] => seen.filter(({ round }) => round > 3).map(({ key }) => key);

  it('measure only what an open rule compares, and end when it is decided', async () => {
    const seen = await measured({ spareMs: 1e6, rule: (rounds) => (rounds < 7 ? {} : { agrees: true, openKeys: [] }) });
    expect(seen.filter(({ round }) => round <= 3)).toHaveLength(24);
    expect(further(seen)).toHaveLength(8);
    expect(new Set(further(seen))).toEqual(new Set(['two|c=50', 'pool|c=50']));
  });

  it('are none where every rule is decided', async () => {
    expect(further(await measured({ spareMs: 1e6, rule: () => ({ agrees: false, openKeys: [] }) }))).toEqual([]);
  });

  it('end with the time that there is', async () => {
    // A block takes 3.4 s: three rounds of two fit into 21 s, four do not.
    expect(further(await measured({ spareMs: 21_000, rule: () => ({ moreSeconds: 100 }) }))).toHaveLength(6);
  });

  it('have as much more time as others took of the machine, up to twice as much', async () => {
    const beside = (taken: number): Promise<{ key: string }[]> =>
      measured({ spareMs: 1000, rule: () => ({ moreSeconds: 60, soonestSeconds: 1 }), block: { taken } });
    // 24 blocks of 3.4 s are planned: 83 s, of which a machine that is left alone has nothing left for more rounds.
    const counts = await Promise.all([0, 0.2, 0.5, 0.9].map(async (taken) => (await beside(taken)).length));
    expect(counts).toEqual([24, 30, 48, 48]);
  });

  it('go on past it for what is foretold to be decided within half a minute, and no longer than that', async () => {
    const soon = (until: number) => (rounds: number) => (rounds < until ? { moreSeconds: 4 } : { agrees: true as const, openKeys: [] });
    expect(further(await measured({ spareMs: 21_000, rule: soon(8) }))).toHaveLength(10);
    expect(further(await measured({ spareMs: 21_000, rule: soon(100) }))).toHaveLength(14);
  });

  it('are given up more slowly where others had the CPU while a block was discarded: the next may fall between two bursts', () => {
    const block = (valid: boolean, taken: number | null, round: number): BlockMetrics => ({
      round,
      taken,
      valid,
      reasons: valid ? [] : [{ code: 'generator-cpu', value: 95, limit: 90 }],
      requests: 100,
      errors: 0,
      figures: {},
    });
    const blocks = (lost: number, taken: number | null, counted = 0): BlockMetrics[] =>
      Array.from({ length: lost + counted }, (_, index) => block(index >= lost, taken, index + 1));
    expect(isHopeless(blocks(3, null), false)).toBe(true);
    expect(isHopeless(blocks(3, 0), false)).toBe(true);
    expect(isHopeless(blocks(3, 0, 3), false)).toBe(false);
    expect(isHopeless(blocks(11, 0.75), false)).toBe(false);
    expect(isHopeless(blocks(12, 0.75), false)).toBe(true);
    expect(isHopeless(blocks(12, 0.75, 3), false)).toBe(false);
  });

  it('are not taken of what is discarded again and again, nor without end of what no time would decide', async () => {
    const block = { valid: false, reasons: recorded('The load generator was saturated.') };
    expect(further(await measured({ spareMs: 1e6, rule: () => ({}), block }))).toEqual([]);
    expect(further(await measured({ spareMs: 1e6, rule: () => ({ moreSeconds: null, soonestSeconds: null }) }))).toHaveLength(12);
  });

  it('are taken while there is time, where some luck would decide in it, however long it seems to take', async () => {
    // A round of two takes 6.8 s, so that eight fit into 61 s.
    const late = (soonestS: number) => (rounds: number) => ({ moreSeconds: 1e5, soonestSeconds: soonestS - 6.8 * Math.max(0, rounds - 3) });
    const many = { spareMs: 61_000 };
    expect(further(await measured({ ...many, rule: late(60) }))).toHaveLength(16);
    // Not even luck would help: no more are taken than what few rounds foretell could be wrong by.
    expect(further(await measured({ ...many, rule: late(62) }))).toHaveLength(12);
  });
});
