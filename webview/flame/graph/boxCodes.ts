import { categories } from '../core/colours.ts';
import type { FlameNames, Layout, SearchResult } from '../core/layout.ts';
import { packageColours, packageHues } from './packages.ts';

export type ColourBy = 'category' | 'tier' | 'package';

/** What the codes of a layout mean, and with that which colours they get. */
export type CodeScheme = ColourBy | 'change';

/** Codes from here on are the faded form of the code 128 below. */
export const fadedFrom = 128;

/** Steps of the diverging scale on each side of “no change”. */
export const changeSteps = 32;
export const noChangeCode = changeSteps;

export function schemeOf(layout: Layout, colourBy: ColourBy): CodeScheme {
  if (layout.diff !== null) return 'change';
  return colourBy === 'tier' && layout.tier === null ? 'category' : colourBy;
}

/** Code of a change of self weight: 0 for the largest decrease, 64 for the largest increase. A square root, so that small changes show. */
export function changeCode(change: number, maxChange: number): number {
  if (change === 0 || !(maxChange > 0)) return noChangeCode;
  const size = Math.ceil(Math.sqrt(Math.min(1, Math.abs(change) / maxChange)) * changeSteps);
  return noChangeCode + (change > 0 ? size : -size);
}

/**
 * A colour index of one byte for each box, so that painting is one lookup. Boxes that a search did not find are faded,
 * but never the root.
 */
export function boxCodes(layout: Layout, names: FlameNames | null, scheme: CodeScheme, search: SearchResult | null): Uint8Array {
  const codes = plainCodes(layout, names, scheme);
  if (search === null || search.matches.length !== layout.boxCount) return codes;
  const { matches } = search;
  for (let box = 1; box < codes.length; box++) if (matches[box] === 0) codes[box]! += fadedFrom;
  return codes;
}

function plainCodes(layout: Layout, names: FlameNames | null, scheme: CodeScheme): Uint8Array {
  const { boxCount, diff } = layout;
  if (scheme === 'change' && diff !== null) {
    const codes = new Uint8Array(boxCount);
    const { selfA, selfB, maxChange } = diff;
    for (let box = 0; box < boxCount; box++) codes[box] = changeCode(selfA[box]! - selfB[box]!, maxChange);
    return codes;
  }
  if (scheme === 'tier' && layout.tier !== null) return layout.tier.slice();
  if (scheme === 'package' && names !== null) {
    const { hueOfFunction } = packageColours(layout, names);
    const { func } = layout;
    const codes = new Uint8Array(boxCount).fill(packageHues);
    for (let box = 0; box < boxCount; box++) if (func[box]! >= 0) codes[box] = hueOfFunction[func[box]!] ?? packageHues;
    return codes;
  }
  const codes = layout.category.slice();
  // The root represents all stacks; it is no frame of any kind.
  if (boxCount > 0) codes[0] = rootCode;
  return codes;
}

/** The root's code where the colour shows the kind. */
export const rootCode = categories.length;
