import type { SettingValue } from '../../src/model/domain/setting.ts';
import type { TunedSetting } from '../../src/model/domain/tuning.ts';

/** What a cell says and is tinted by. */
export type HeatMetric = 'throughput' | 'openP99';

/** How much of the hue each tint has, in percent, from none to strong. */
export const tintShares = [0, 5, 9, 13, 17, 21, 25, 30, 36] as const;
const tints = tintShares.length - 1;
/** Below this share of the best every cell has the same faint tint: it is out of the question either way. */
const faintest = 0.5;

/** The tint of a cell, 0 (faint) … the last of {@link tintShares}: the better, the stronger. `ratio` is the cell's figure over the best. */
export function tintOf(ratio: number | null, metric: HeatMetric): number {
  if (ratio === null || !(ratio > 0)) return 0;
  const goodness = metric === 'throughput' ? ratio : 1 / ratio;
  return Math.round(Math.min(1, Math.max(0, (goodness - faintest) / (1 - faintest))) * tints);
}

/** The distinct values of one of the settings, numbers in rising order. */
export function gridValues(settings: readonly TunedSetting[], name: string): SettingValue[] {
  const values = [...new Set(settings.flatMap((setting) => setting.values[name] ?? []))];
  return values.every((value) => typeof value === 'number') ? values.sort((a, b) => a - b) : values;
}
