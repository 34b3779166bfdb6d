import type { MetricName, ExperimentPoint } from '../../src/model/domain/experiment.ts';
import type { MeasuredPoint } from '../../src/engine/strategies/experiment/measuredPoint.ts';

/** Blocks that scatter by about ±1 % in the same way in each row of six rounds. */
const scatter = [1, 1.01, 0.99, 1.005, 0.995, 1];

export interface ExamplePoint extends Partial<Omit<MeasuredPoint, 'point' | 'samples' | 'ranges'>> {
  variant: string;
  level: number;
  /** By figure: what it was in each round; a number stands for six rounds near it. */
  figures: Partial<Record<MetricName, number | readonly number[]>>;
  taken?: readonly number[];
  ranges?: Partial<Record<MetricName, readonly [number, number]>>;
  point?: Partial<ExperimentPoint>;
}

/** A point as it was measured in mirrored rounds. */
export function examplePoint({ variant, level, figures, taken, ranges, point, ...more }: ExamplePoint): MeasuredPoint {
  const values = Object.entries(figures).map(([name, value]): [MetricName, readonly number[]] => [
    name as MetricName,
    typeof value === 'number' ? scatter.map((factor, index) => value * (index % 2 === level % 2 ? factor : 2 - factor)) : (value ?? []),
  ]);
  const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
  return {
    key: `${variant}|${level}`,
    target: 'node',
    samples: new Map(
      values
        .filter(([name]) => ranges?.[name] === undefined)
        .map(([name, some]) => [name, some.map((value, index) => ({ round: index + 1, value, taken: taken?.[index] ?? null }))]),
    ),
    ranges: new Map(Object.entries(ranges ?? {}) as [MetricName, readonly [number, number]][]),
    counts: { errors: 0, attempts: 0, rounds: 0 },
    limitConfident: true,
    leftAlone: 1,
    ...more,
    point: {
      variant,
      level,
      trialKey: `${variant}|${level}`,
      valid: true,
      reasons: [],
      limit: null,
      limitSaid: null,
      throughput: null,
      figures: Object.fromEntries(values.map(([name, some]) => [name, mean(some)])),
      ...point,
    },
  };
}
