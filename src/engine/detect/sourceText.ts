/** Comments are blanked, so that offsets stay. What looks like one within a string (`http://`) stays. Every character is read a few times at most. */
export function withoutComments(text: string): string {
  const pieces: string[] = [];
  /** Up to where a quote of this kind is known to find no other. */
  const unclosed = new Map<string, number>();
  let hasBlockEnds = true;
  let kept = 0;
  const blank = (from: number, to: number): void => {
    pieces.push(text.slice(kept, from), text.slice(from, to).replace(/[^\n]/g, ' '));
    kept = to;
  };
  const interesting = /['"`]|\/[*/]/g;
  for (let found = interesting.exec(text); found !== null; found = interesting.exec(text)) {
    const { 0: what, index } = found;
    if (what === '//') {
      const end = text.indexOf('\n', index);
      blank(index, end === -1 ? text.length : end);
      interesting.lastIndex = kept;
    } else if (what === '/*') {
      const end = hasBlockEnds ? text.indexOf('*/', index + 2) : -1;
      if (end === -1) hasBlockEnds = false;
      else blank(index, end + 2);
      interesting.lastIndex = end === -1 ? index + 1 : kept;
    } else if (index >= (unclosed.get(what) ?? 0)) {
      const end = endOfString(text, index);
      if (end.isClosed) interesting.lastIndex = end.at;
      else unclosed.set(what, end.at);
    }
  }
  return pieces.length === 0 ? text : `${pieces.join('')}${text.slice(kept)}`;
}

/** Where the string ends that begins here, or where it is known that it has no end on its line. */
function endOfString(text: string, start: number): { at: number; isClosed: boolean } {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === quote) return { at: at + 1, isClosed: true };
    if (character === '\n') return { at, isClosed: false };
    if (character === '\\') {
      at += 1;
      if (text[at] === '\n') return { at, isClosed: false };
    }
  }
  return { at: text.length, isClosed: false };
}
