import type { StartPart } from '../../model/domain/startup.ts';

const mostParts = 10;
/** Of the whole: smaller parts are counted among the others. */
const leastShare = 0.005;

/** Sums times by their names: those that take most, and the rest as one. */
export function partsByTime(times: readonly { name: string; ms: number; classes?: number }[]): StartPart[] {
  const sums = new Map<string, { ms: number; classes: number | null }>();
  let total = 0;
  for (const { name, ms, classes } of times) {
    const sum = sums.get(name) ?? { ms: 0, classes: classes === undefined ? null : 0 };
    sums.set(name, { ms: sum.ms + ms, classes: sum.classes === null ? null : sum.classes + (classes ?? 0) });
    total += ms;
  }
  const parts = [...sums].map(([name, sum]): StartPart => ({ name, ...sum, share: total === 0 ? 0 : sum.ms / total }));
  parts.sort((a, b) => b.ms - a.ms);
  const shown = parts.filter(({ share }) => share >= leastShare).slice(0, mostParts);
  const rest = parts.filter((part) => !shown.includes(part));
  if (rest.length === 0) return shown;
  const sumOf = (value: (part: StartPart) => number): number => rest.reduce((sum, part) => sum + value(part), 0);
  const classes = rest.some((part) => part.classes !== null) ? sumOf((part) => part.classes ?? 0) : null;
  return [...shown, { name: '(others)', ms: sumOf(({ ms }) => ms), share: sumOf(({ share }) => share), classes }];
}
