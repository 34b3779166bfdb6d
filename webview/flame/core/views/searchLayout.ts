import type { SearchResult } from '../layout.ts';
import type { SearchIndex } from './boxColumns.ts';

/**
 * Searches a layout for functions. Boxes below a match are not counted again.
 * @param functions 1 for each function that matches.
 */
export function searchLayout({ box, func, level, w, total }: SearchIndex, functions: Uint8Array): SearchResult {
  const count = box.length;
  const matches = new Uint8Array(count);
  const order = new Uint32Array(count);
  let found = 0;
  let matchedWeight = 0;
  /** Level of the match that the boxes at hand are below of. */
  let coveredFrom = Infinity;
  for (let visit = 1; visit < count; visit += 1) {
    const at = level[visit] as number;
    if (at <= coveredFrom) coveredFrom = Infinity;
    const own = func[visit] as number;
    if (functions[own] !== 1) continue;
    const matching = box[visit] as number;
    matches[matching] = 1;
    order[found] = matching;
    found += 1;
    if (coveredFrom !== Infinity) continue;
    matchedWeight += w[visit] as number;
    coveredFrom = at;
  }
  return {
    matches,
    order: order.slice(0, found),
    matchedWeight,
    matchedShare: total > 0 ? matchedWeight / total : 0,
  };
}
