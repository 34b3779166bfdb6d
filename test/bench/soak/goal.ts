import type { GrownKinds } from './heapKinds.ts';

const mostMbPerHour = 1;

/** What a soak has found, as far as its goal is about it. */
export interface Soaked {
  grows: readonly { who: string; perHourMb: number; low: number }[];
  /** Absent without heap snapshots: what grew is not known by kind then. */
  kinds?: readonly Pick<GrownKinds, 'who' | 'objectsPerHourMb'>[] | undefined;
  counts: readonly { what: string; from: number; to: number }[];
}

/**
 * Whether nothing grew by more than the goal allows, and by what it is said: of all three by the whole heap, or of some by their own objects alone. Null where
 * the goal is missed.
 */
export function reachedBy(soaked: Soaked): 'heap' | 'objects' | null {
  if (moreDescriptors(soaked)) return null;
  const large = soaked.grows.filter(({ perHourMb }) => !(perHourMb <= mostMbPerHour));
  if (large.length === 0 && soaked.grows.length > 0) return 'heap';
  return large.length > 0 && large.every(({ who }) => steadyObjects(soaked, who)) ? 'objects' : null;
}

/** Whether something grew for sure: a line through few samples may have any slope, so that it is the lower end of its interval that counts. */
export function sureMiss(soaked: Soaked): boolean {
  return moreDescriptors(soaked) || soaked.grows.some(({ who, low }) => low > mostMbPerHour && !steadyObjects(soaked, who));
}

function steadyObjects({ kinds }: Soaked, who: string): boolean {
  const objectsPerHourMb = kinds?.find((one) => one.who === who)?.objectsPerHourMb;
  return objectsPerHourMb !== undefined && objectsPerHourMb <= mostMbPerHour;
}

function moreDescriptors({ counts }: Soaked): boolean {
  return counts.some(({ what, from, to }) => what.includes('descriptors') && to > from);
}
