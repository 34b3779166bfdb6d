/** Runs up to this length are sorted by insertion. */
const runLength = 24;

/**
 * Sorts items [from, to) by their keys, the smallest key first; of equal keys the last one comes first. Keys move with their items.
 * With a stack that is emptied from its end, the largest key comes first then, and equal ones in the order in which they were pushed.
 */
export function sortByKey(items: Int32Array, keys: Float64Array, from: number, to: number): void {
  if (to - from < 2) return;
  for (let start = from; start < to; start += runLength) insertionSort(items, keys, start, Math.min(start + runLength, to));
  if (to - from <= runLength) return;
  const otherItems = new Int32Array(to - from);
  const otherKeys = new Float64Array(to - from);
  for (let width = runLength; width < to - from; width *= 2) {
    for (let start = from; start < to; start += 2 * width) {
      merge(items, keys, start, Math.min(start + width, to), Math.min(start + 2 * width, to), otherItems, otherKeys, start - from);
    }
    items.set(otherItems, from);
    keys.set(otherKeys, from);
  }
}

function insertionSort(items: Int32Array, keys: Float64Array, from: number, to: number): void {
  for (let index = from + 1; index < to; index += 1) {
    const item = items[index] as number;
    const key = keys[index] as number;
    let at = index;
    while (at > from && (keys[at - 1] as number) >= key) {
      items[at] = items[at - 1] as number;
      keys[at] = keys[at - 1] as number;
      at -= 1;
    }
    items[at] = item;
    keys[at] = key;
  }
}

function merge(
  items: Int32Array,
  keys: Float64Array,
  from: number,
  middle: number,
  to: number,
  intoItems: Int32Array,
  intoKeys: Float64Array,
  into: number,
): void {
  let left = from;
  let right = middle;
  for (let at = into; at < into + (to - from); at += 1) {
    const takeRight = right < to && (left >= middle || (keys[right] as number) <= (keys[left] as number));
    const source = takeRight ? right : left;
    intoItems[at] = items[source] as number;
    intoKeys[at] = keys[source] as number;
    if (takeRight) right += 1;
    else left += 1;
  }
}
