import { type SettingSpecs, type SettingValues, todayOf } from '../../model/domain/setting.ts';

/**
 * With the combination that is in use today, where a declared number varies and today's is none of them; in the order of the numbers where one setting
 * varies alone. What is in use is what is declared as the default.
 */
export function withToday(asked: readonly SettingValues[], specs: SettingSpecs): SettingValues[] {
  const [first] = asked;
  const varied = Object.keys(first ?? {}).filter((name) => new Set(asked.map((values) => values[name])).size > 1);
  const today = new Map(varied.map((name) => [name, todayOf(specs[name])] as const));
  if (first === undefined || varied.length === 0 || [...today.values()].includes(null)) return [...asked];
  const own: SettingValues = { ...first };
  for (const [name, value] of today) if (value !== null) own[name] = value;
  if (asked.some((values) => varied.every((name) => values[name] === own[name]))) return [...asked];
  const [name, ...others] = varied;
  const place = name === undefined || others.length > 0 ? -1 : asked.findIndex((values) => Number(values[name]) > Number(own[name]));
  return place < 0 ? [...asked, own] : [...asked.slice(0, place), own, ...asked.slice(place)];
}
