export interface SqlSpan {
  start: number;
  end: number;
}

// Each alternative ends at its own sign or at the end of the text, so that nothing is searched twice.
const token = new RegExp(
  [
    String.raw`[eE]'(?:[^'\\]|\\[^]|'')*(?:'|\\?$)`,
    String.raw`'[^']*(?:'|$)`,
    String.raw`"[^"]*(?:"|$)`,
    String.raw`(?<tag>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?(?:\k<tag>|$)`,
    String.raw`[\w\u0080-\uffff][\w$\u0080-\uffff]*`,
    String.raw`[^]`,
  ].join('|'),
  'y',
);
const blank = /\s+|--[^\n]*/y;

/**
 * The statements of an SQL text, without the text between them; comments alone are none. Lexical rules: PostgreSQL's manual, section 4.1, with
 * `standard_conforming_strings` on.
 */
export function sqlStatements(text: string): SqlSpan[] {
  return [...sqlSpans(text)].filter(({ ofPsql }) => ofPsql !== true);
}

/** The statements from a place on, and the commands of psql before and within them: each is found when it is asked for. */
export function* sqlSpans(text: string, from = 0): Generator<SqlSpan & { ofPsql?: true }> {
  let current: SqlSpan | undefined;
  // A body by BEGIN ATOMIC has semicolons of its own, and CASE an END.
  let atomic = 0;
  let before = '';
  for (let at = from; at < text.length;) {
    const past = pastBlank(text, at);
    if (past > at) {
      at = past;
      continue;
    }
    token.lastIndex = at;
    const word = (token.exec(text)?.[0] ?? text[at] ?? ' ').toLowerCase();
    if (word === '\\') {
      // No statement has a backslash outside of its strings.
      const line = text.indexOf('\n', at);
      const end = line === -1 ? text.length : line;
      yield { start: at, end, ofPsql: true };
      at = end;
      continue;
    }
    at += word.length;
    if (word === ';' && atomic === 0) {
      if (current !== undefined) yield current;
      current = undefined;
      continue;
    }
    current = { start: current?.start ?? at - word.length, end: at };
    if (atomic > 0) atomic += word === 'case' ? 1 : word === 'end' ? -1 : 0;
    else if (word === 'atomic' && before === 'begin') atomic = 1;
    before = word;
  }
  if (current !== undefined) yield current;
}

/** The place behind blanks or one comment; block comments nest. */
function pastBlank(text: string, from: number): number {
  blank.lastIndex = from;
  if (blank.test(text)) return blank.lastIndex;
  if (!text.startsWith('/*', from)) return from;
  const edge = /\/\*|\*\//g;
  edge.lastIndex = from;
  let depth = 0;
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return edge.lastIndex;
  }
  return text.length;
}
