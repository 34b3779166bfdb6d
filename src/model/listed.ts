/**
 * What a list or a choice shows. The lab (what is planted for studies and tests) is there for who names it: of it, only what `isNamed` or under way is
 * shown.
 */
export function listed<T extends { origin: string; state?: string }>(items: readonly T[], isNamed: (item: T) => boolean): T[] {
  return items.filter((item) => item.origin !== 'lab' || isNamed(item) || (item.state ?? 'stopped') !== 'stopped');
}
