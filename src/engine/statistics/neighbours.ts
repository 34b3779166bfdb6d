import type { SettingValue, SettingValues } from '../../model/setting.ts';

interface Placed {
  values: SettingValues;
  cost: number;
}

/**
 * The nearest candidates that differ from `one` in a single setting: one step down and one step up in each. Words have the order in which
 * they first appear among the candidates, smallest cost first. Where a step leads to no candidate (a grid with holes), the next one counts.
 */
export function neighbours<C extends Placed>(candidates: readonly C[], one: C): { below: C[]; above: C[] } {
  const smallestFirst = [...candidates].sort((a, b) => a.cost - b.cost);
  const below: C[] = [];
  const above: C[] = [];
  for (const name of Object.keys(one.values)) {
    const positions = positionsOf(smallestFirst, name);
    const position = (candidate: C): number => positions.get(candidate.values[name] ?? '') ?? -1;
    const line = smallestFirst
      .filter((other) => Object.keys(one.values).every((key) => key === name || other.values[key] === one.values[key]))
      .sort((a, b) => position(a) - position(b));
    const place = line.indexOf(one);
    const [down, up] = [line[place - 1], line[place + 1]];
    if (place > 0 && down !== undefined) below.push(down);
    if (up !== undefined) above.push(up);
  }
  return { below, above };
}

function positionsOf(smallestFirst: readonly Placed[], name: string): Map<SettingValue, number> {
  const values = [...new Set(smallestFirst.flatMap((candidate) => candidate.values[name] ?? []))];
  if (values.every((value) => typeof value === 'number')) values.sort((a, b) => Number(a) - Number(b));
  return new Map(values.map((value, index) => [value, index]));
}
