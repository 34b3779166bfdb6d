/** How sentences are put together where they are made. Nothing is learned from one here: what it says does not matter. */

/** Without its full stop, to go into another. */
export function withoutStop(sentence: string): string {
  return sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
}

/** With a capital, to begin one. */
export function capital(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** Without the capital that it begins with, to go into another; a name such as PostgreSQL keeps its own. */
export function uncapital(sentence: string): string {
  return /^[A-Z][a-z]* /.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
