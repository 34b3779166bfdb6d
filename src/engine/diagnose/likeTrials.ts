import type { Trial } from '../../model/run.ts';

/** Settings that two trials have differently. */
export function differing(a: Trial, b: Trial): string[] {
  const names = new Set([...Object.keys(a.settings), ...Object.keys(b.settings)]);
  return [...names].filter((name) => a.settings[name] !== b.settings[name]);
}

/** Whether nothing follows from its figures for another trial. */
export function isVoid({ diagnosis }: Trial): boolean {
  return diagnosis === null || diagnosis.kind === 'invalid' || diagnosis.kind === 'pool-exhausted' || diagnosis.kind === 'connection-leak';
}

/** How often as much a pool of `many` would bring as one of `few`, were the pool all that limits `trial`: no more of it can be used than its load wants at once. */
export function wantedGain(trial: Trial, few: number, many: number): number {
  return Math.min(many, trial.connections * Math.max(1, trial.pool?.perRequest ?? 1)) / few;
}
