/** The value of a key; where the map has none it is made and kept. */
export function remembered<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The number of a key, from 0 in the order in which they were first asked for. */
export function numberIn<Key>(numbers: Map<Key, number>, key: Key): number {
  return remembered(numbers, key, () => numbers.size);
}
