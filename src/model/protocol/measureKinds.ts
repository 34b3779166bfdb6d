import type { MeasureKind } from './measureRequest.ts';

interface Named {
  noun: string;
  /** The view of the panel to which one that begins belongs; null: none, and the view stays. */
  view: 'tune' | 'experiments' | 'advise' | null;
}

/** The kinds of measurements, for those who read no schema of what is asked of each. */
export const measureKinds: Readonly<Record<MeasureKind, Named>> = {
  run: { noun: 'benchmark', view: 'tune' },
  tune: { noun: 'tuning', view: 'tune' },
  experiment: { noun: 'published experiment', view: 'experiments' },
  diff: { noun: 'comparison of code', view: null },
  advise: { noun: 'search for what helps', view: 'advise' },
};

export function isMeasureKind(name: unknown): name is MeasureKind {
  return typeof name === 'string' && Object.hasOwn(measureKinds, name);
}
