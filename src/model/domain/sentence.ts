/** Composes sentences where they are shown. No code reads them: their wording is free. */

/** Without its full stop, to go into another. */
export function withoutStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
}

/** With its end, to be a sentence of its own. */
export function withStop(phrase: string): string {
  const trimmed = phrase.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** With a capital, to begin one; “p99” stays as it is written everywhere. */
export function capital(phrase: string): string {
  return /^p\d/.test(phrase) ? phrase : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** Without the capital that it begins with, to go into another; a name such as PostgreSQL keeps its own. */
export function uncapital(sentence: string): string {
  return /^[A-Z][a-z]* /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}

/** In lines of at most so many characters, broken between words; a longer word has a line of its own. */
export function wrapped(sentence: string, widest: number): string[] {
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > widest) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
