import type { SettingValues } from '../../model/domain/setting.ts';

interface Placed {
  values: SettingValues;
  cost: number;
}

/**
 * The nearest candidates that differ from `one` in a single setting: one step down and one step up in each, by the order of smallness. Where a step leads to no
 * candidate (a grid with holes), the next one counts.
 */
export function neighbours<C extends Placed>(candidates: readonly C[], one: C): { below: C[]; above: C[] } {
  const names = Object.keys(one.values);
  const lines = names.map((name) =>
    candidates
      .filter((other) => names.every((key) => key === name || other.values[key] === one.values[key]))
      .sort((a, b) => a.cost - b.cost),
  );
  return {
    below: lines.flatMap((line) => line.findLast(({ cost }) => cost < one.cost) ?? []),
    above: lines.flatMap((line) => line.find(({ cost }) => cost > one.cost) ?? []),
  };
}
