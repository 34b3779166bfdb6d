import type { MeasureKind } from './measureRequest.ts';

export const measureNouns: Readonly<Record<MeasureKind, string>> = {
  run: 'benchmark',
  tune: 'tuning',
  experiment: 'published experiment',
  diff: 'comparison of code',
  advise: 'search for what helps',
};

export const measureKinds = Object.keys(measureNouns) as [MeasureKind, ...MeasureKind[]];

export function isMeasureKind(name: unknown): name is MeasureKind {
  return typeof name === 'string' && Object.hasOwn(measureNouns, name);
}
