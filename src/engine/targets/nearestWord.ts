import leven from 'leven';

/** A longer text is no misspelled key. */
const longestWord = 100;

/** The word that was probably meant: the nearest one by edit distance, letters of either case alike, where it differs in few of its letters. */
export function nearestWord(word: string, words: readonly string[]): string | null {
  if (word.length > longestWord) return null;
  const most = Math.min(3, Math.floor(word.length / 2.5) || 1);
  const near = words
    .map((one) => ({ one, far: leven(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= most && far < one.length);
  return near.sort((a, b) => a.far - b.far)[0]?.one ?? null;
}
