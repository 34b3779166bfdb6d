import type { MeasureKind } from './measureRequest.ts';

interface Named {
  noun: string;
  /** The view of the panel to which one that begins belongs; null: none, and the view stays. */
  view: 'tune' | 'experiments' | 'advise' | null;
  /** The key under which a workspace remembers the last request: what earlier versions stored is read again. */
  rememberedAs: `benchside.last${string}`;
}

/** The kinds of measurements, for those who read no schema of what is asked of each. */
export const measureKinds: Readonly<Record<MeasureKind, Named>> = {
  run: { noun: 'benchmark', view: 'tune', rememberedAs: 'benchside.lastRequest' },
  tune: { noun: 'tuning', view: 'tune', rememberedAs: 'benchside.lastTuning' },
  experiment: { noun: 'published experiment', view: 'experiments', rememberedAs: 'benchside.lastExperiment' },
  diff: { noun: 'comparison of code', view: null, rememberedAs: 'benchside.lastDiff' },
  advise: { noun: 'search for what helps', view: 'advise', rememberedAs: 'benchside.lastAdvice' },
};

export function isMeasureKind(name: unknown): name is MeasureKind {
  return typeof name === 'string' && Object.hasOwn(measureKinds, name);
}
