/** How many letters have to be added, removed or replaced to make one word of the other; letters of either case are the same. */
function distance(a: string, b: string): number {
  const [from, to] = [a.toLowerCase(), b.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at++) next.push(Math.min(row[at]! + (letter === to[at] ? 0 : 1), row[at + 1]! + 1, next[at]! + 1));
    row = next;
  }
  return row[to.length]!;
}

/** The word that was probably meant: the nearest one, where it differs in few of its letters. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  const most = Math.min(3, Math.floor(word.length / 2.5) || 1);
  if (word.length > 100) return null;
  const near = words.map((one) => ({ one, far: distance(word, one) })).filter(({ one, far }) => far <= most && far < one.length);
  return near.sort((a, b) => a.far - b.far)[0]?.one ?? null;
}
