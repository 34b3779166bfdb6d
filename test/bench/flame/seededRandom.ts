/** Numbers from 0 to 1 that are the same on every machine: mulberry32. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A pool of names as they occur in code, each a few words long. */
export function wordPool(random: () => number, count: number, make: (word: () => string) => string): string[] {
  const syllables = [
    're',
    'quest',
    'order',
    'price',
    'table',
    'find',
    'load',
    'map',
    'batch',
    'row',
    'cache',
    'item',
    'page',
    'query',
    'user',
    'cart',
    'log',
    'key',
  ];
  const word = (): string => {
    const first = syllables[Math.floor(random() * syllables.length)] ?? 'a';
    const second = syllables[Math.floor(random() * syllables.length)] ?? 'b';
    return `${first}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
  };
  const seen = new Set<string>();
  while (seen.size < count) {
    const name = make(word);
    seen.add(seen.has(name) ? `${name}${seen.size}` : name);
  }
  return [...seen];
}

/** Some names are much more frequent than others, as in real code. */
export function skewedIndex(random: () => number, length: number): number {
  return Math.min(length - 1, Math.floor(power(random()) * length));
}

/** x to the power of 2.5; a square root, unlike a power, has the same last digit on every machine. */
function power(x: number): number {
  return x * x * Math.sqrt(x);
}
