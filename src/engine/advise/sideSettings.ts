import type { SettingValue, SettingValues } from '../../model/domain/setting.ts';

/**
 * The sides of a comparison of changes with what is, the first of them, and all their values by name. Where one has a copy of the database with SQL of its own, each has a copy: of one side
 * alone it would lie otherwise on the disk and in memory.
 */
export function mergedSettings(
  base: SettingValues,
  changes: readonly SettingValues[],
): { sides: SettingValues[]; settings: Record<string, SettingValue[]> } {
  const copies = changes.some((change) => 'sql' in change);
  const sides = [{}, ...changes].map((change): SettingValues => ({ ...base, ...(copies ? { sql: 'none' } : {}), ...change }));
  const settings: Record<string, SettingValue[]> = {};
  for (const side of sides)
    for (const [name, value] of Object.entries(side)) settings[name] = [...new Set([...(settings[name] ?? []), value])];
  return { sides, settings };
}

/** Which of the changes a side has that was asked for these values: the one with most of them; -1 of what is. */
export function sideOf(asked: SettingValues, changes: readonly SettingValues[]): number {
  const [first] = changes
    .map((change, index) => ({ index, names: Object.entries(change) }))
    .filter(({ names }) => names.every(([name, value]) => asked[name] === value))
    .sort((a, b) => b.names.length - a.names.length);
  return first?.index ?? -1;
}
