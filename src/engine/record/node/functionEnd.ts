import jsTokens from 'js-tokens';

/** Longest function that is searched; a longer one is treated as one without a known end. */
const maxLength = 4_000_000;

/**
 * Where the function of JavaScript that V8 says begins at `start` ends (offset behind its last character), or null where that is unknown. V8 gives the `(` of
 * the parameters, the one parameter of an arrow function, or `class`. Reads tokens and not grammar: it counts brackets.
 */
export function functionEnd(text: string, start: number): number | null {
  const tokens = codeFrom(text, start);
  const next = (): Token | null => tokens.next().value ?? null;
  let token = next();
  if (token?.value === 'class') {
    while (token !== null && token.value !== '{') token = next();
  } else {
    if (token?.value === '(' ? groupEnd(next) === null : token?.isName !== true) return null;
    token = next();
    if (token?.value === '=>') {
      token = next();
      if (token?.value !== '{') return expressionEnd(token, next, text.length > start + maxLength ? null : text.length);
    }
  }
  return token?.value === '{' ? groupEnd(next) : null;
}

/** Behind the bracket that closes the last one. */
function groupEnd(next: () => Token | null): number | null {
  let depth = 1;
  for (let token = next(); token !== null; token = next()) if ((depth += token.nesting) === 0) return token.end;
  return null;
}

/** Before the comma, the semicolon or the closing bracket that an expression ends at; else that is at `otherwise`. */
function expressionEnd(first: Token | null, next: () => Token | null, otherwise: number | null): number | null {
  let depth = 0;
  for (let token = first; token !== null; token = next()) {
    depth += token.nesting;
    if (depth < 0 || (depth === 0 && (token.value === ',' || token.value === ';'))) return token.start;
  }
  return depth === 0 ? otherwise : null;
}

interface Token {
  value: string;
  start: number;
  end: number;
  isName: boolean;
  /** 1 for an opening bracket, -1 for a closing one. */
  nesting: number;
}

const brackets: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, TemplateHead: 1, ')': -1, ']': -1, '}': -1, TemplateTail: -1 };
const blanks: ReadonlySet<string> = new Set(['WhiteSpace', 'LineTerminatorSequence', 'MultiLineComment', 'SingleLineComment']);

function* codeFrom(text: string, from: number): Generator<Token, undefined> {
  let end = from;
  for (const { type, value } of jsTokens(text.slice(from, from + maxLength))) {
    const start = end;
    end += value.length;
    const nesting = brackets[type === 'Punctuator' ? value : type] ?? 0;
    if (!blanks.has(type)) yield { value, start, end, isName: type === 'IdentifierName', nesting };
  }
}
