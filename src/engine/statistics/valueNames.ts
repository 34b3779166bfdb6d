import type { SettingValues } from '../../model/domain/setting.ts';

/** Candidates as people name them: "8", or "4 × 50" where several settings vary. */
export function valueNames(candidates: readonly { values: SettingValues }[], all: readonly { values: SettingValues }[]): string[] {
  const names = Object.keys(all[0]?.values ?? {});
  const varying = names.filter((name) => new Set(all.map(({ values }) => values[name])).size > 1);
  const shown = varying.length === 0 ? names : varying;
  return candidates.map(({ values }) => shown.map((name) => String(values[name])).join(' × '));
}
