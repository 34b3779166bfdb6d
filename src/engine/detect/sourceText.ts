import jsTokens from 'js-tokens';

/** Comments are blanked, so that offsets stay. Java and its like have those of JavaScript, and strings that are near enough. */
export function withoutComments(text: string): string {
  const pieces: string[] = [];
  let [kept, at] = [0, 0];
  for (const token of jsTokens(text)) {
    const start = at;
    at += token.value.length;
    if (token.type !== 'SingleLineComment' && (token.type !== 'MultiLineComment' || !token.closed)) continue;
    pieces.push(text.slice(kept, start), token.value.replace(/[^\n]/g, ' '));
    kept = at;
  }
  return pieces.length === 0 ? text : `${pieces.join('')}${text.slice(kept)}`;
}
