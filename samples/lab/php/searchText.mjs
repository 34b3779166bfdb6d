import { readFileSync } from 'node:fs';

const BYTES = 4_194_304;
const WORDS_PER_LINE = 12;

/** The text that GET /search looks through, the same in every sample: the words of a list in an order that a congruential generator gives. */
export function searchText(wordsFile) {
  const words = readFileSync(wordsFile, 'ascii').trim().split(/\r?\n/);
  const bytes = Buffer.allocUnsafe(BYTES);
  let x = 20_260_101;
  for (let length = 0, i = 1; length < BYTES; i += 1) {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    length += bytes.write(words[(x >>> 16) % words.length] + (i % WORDS_PER_LINE === 0 ? '\n' : ' '), length, 'latin1');
  }
  return bytes;
}
