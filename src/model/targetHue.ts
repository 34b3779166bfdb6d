/** How many hues a target may have. What waits for the pool has one of its own, which is no target's. */
export const targetHueCount = 5;

/** Those of the samples, which everybody sees first, are far apart. */
const ofSamples: Readonly<Record<string, number>> = { java: 0, node: 1 };

/** A hue and a shape together: so many can be told apart. */
const markCount = 30;

/**
 * The mark of a target, for ever: in every view, run, comparison, report and theme, whatever else is shown there. It follows from the id alone.
 * Its hue is `mark % targetHueCount`; of several targets with one hue the shapes differ, nearly always, and their names stand beside them.
 */
export function targetMarkOf(id: string): number {
  const known = Object.hasOwn(ofSamples, id) ? ofSamples[id] : undefined;
  if (known !== undefined) return known;
  // FNV-1a, with its last bits mixed: neighbours such as “shop-1” and “shop-2” have nothing in common.
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % markCount;
}
