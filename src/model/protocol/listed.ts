import type { TargetState } from './protocol.ts';

/** The headings of lists of targets, in their order. */
export const targetGroups: readonly { origin: TargetState['origin']; heading: string }[] = [
  { origin: 'workspace', heading: 'This workspace' },
  { origin: 'sample', heading: 'Samples' },
  { origin: 'lab', heading: 'Lab' },
];

/**
 * What a list or a choice shows. The lab (targets for experiments and tests) is shown only by name: of it, only what `isNamed` or under way is
 * shown.
 */
export function listed<T extends { origin: string; state?: string }>(items: readonly T[], isNamed: (item: T) => boolean): T[] {
  return items.filter((item) => item.origin !== 'lab' || isNamed(item) || (item.state ?? 'stopped') !== 'stopped');
}
