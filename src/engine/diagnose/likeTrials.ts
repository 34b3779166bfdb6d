import type { Diagnosis } from '../../model/domain/diagnosis.ts';
import type { Trial } from '../../model/domain/run.ts';
import { type Difference, blockStatistics, countedBlocks } from '../statistics/blockStatistics.ts';
import { thresholds } from './thresholds.ts';

/** From here on another trial brought clearly more: the lower end of the interval of the ratio. */
export const clearly = 1.05;

export function differing(a: Trial, b: Trial): string[] {
  const names = new Set([...Object.keys(a.settings), ...Object.keys(b.settings)]);
  return [...names].filter((name) => a.settings[name] !== b.settings[name]);
}

/** Whether two trials are the same under one load but for one setting, such as the size of a pool. */
export function differInOne(a: Trial, b: Trial): boolean {
  return a.target === b.target && a.connections === b.connections && differing(a, b).length === 1;
}

/** Whether nearly all connections of the pool are in use, and requests wait for one. */
export function isPoolFull({ pool }: Trial): boolean {
  return pool?.max != null && pool.busy >= thresholds.threadsBusy.limit * pool.max && pool.pending >= thresholds.waiting.limit;
}

/** Whether nothing follows from its figures for another trial. */
export function isDiscarded({ diagnosis }: Trial): boolean {
  return diagnosis === null || diagnosis.kind === 'invalid' || diagnosis.kind === 'pool-exhausted' || diagnosis.kind === 'connection-leak';
}

/**
 * How many times as much a pool of `many` would bring as one of `few`, if the pool were all that limits `trial`: its load uses only as many connections as it
 * wants at once.
 */
export function wantedGain(trial: Trial, few: number, many: number): number {
  return Math.min(many, trial.connections * Math.max(1, trial.pool?.perRequest ?? 1)) / few;
}

/** By how much `better` brought more than `trial` over the rounds of their run; null where that is not clear. */
export function clearlyMore(trial: Trial, better: Trial): Difference | null {
  const both = [trial, better].map(({ key, blocks }) => ({ key, blocks: countedBlocks(blocks) }));
  const difference = blockStatistics(both).difference(better.key, trial.key);
  return difference === null || difference.ciLow < clearly ? null : difference;
}

/** The next step to a setting of a trial that did better. */
export function useOf(trial: Trial, better: Trial): Diagnosis['actions'] {
  const [setting] = differing(trial, better);
  const value = setting === undefined ? undefined : better.settings[setting];
  if (setting === undefined || value === undefined) return [];
  return [{ kind: 'set', label: { code: 'use-better', value }, setting, value }];
}
