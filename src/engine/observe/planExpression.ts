/** A column that a condition of a plan asks something of, as `alias.column` names it. */
export interface AskedColumn {
  alias: string;
  column: string;
  /** `equal`: to a value, or to a column of another table (`to`); `range`: less or more than a value. */
  how: 'equal' | 'range';
  to: { alias: string; column: string } | null;
}

/** An expression is cut into these; a name in quotes is one, with its quotes undone. */
type Token = { kind: 'name' | 'word' | 'text' | 'operator' | 'open' | 'close' | 'dot' | 'other'; text: string };

const tokenForms: readonly [Token['kind'], RegExp][] = [
  ['text', /^(?:[EB]?'(?:[^']|'')*')/],
  ['name', /^"(?:[^"]|"")*"/],
  ['word', /^[\p{L}_$][\p{L}\p{N}_$]*/u],
  ['other', /^\d+(?:\.\d+)?/],
  ['open', /^[([]/],
  ['close', /^[)\]]/],
  ['dot', /^\./],
  ['other', /^::/],
  ['operator', /^[=<>!~*+\-/%^&|#?@]+/],
  ['other', /^./su],
];
/** A longer condition is nobody’s by hand, and is not read. */
const longest = 20_000;

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = [];
  for (let rest = expression.slice(0, longest).trimStart(); rest !== '';) {
    const found = tokenForms.flatMap(([kind, form]) => {
      const text = form.exec(rest)?.[0];
      return text === undefined ? [] : [{ kind, text }];
    })[0];
    if (found === undefined) return tokens;
    tokens.push(found.kind === 'name' ? { kind: 'name', text: found.text.slice(1, -1).replaceAll('""', '"') } : found);
    rest = rest.slice(found.text.length).trimStart();
  }
  return tokens;
}

/** The parts between the outermost ANDs, without the parentheses around the whole. */
function conjuncts(tokens: readonly Token[]): Token[][] {
  let depth = 0;
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === 'open') depth += 1;
    if (token.kind === 'close') depth -= 1;
    if (depth === 0 && token.kind === 'word' && token.text === 'AND') parts.push([]);
    else parts.at(-1)?.push(token);
  }
  if (parts.length > 1) return parts.flatMap((part) => conjuncts(part));
  return isWrapped(tokens) ? conjuncts(tokens.slice(1, -1)) : [[...tokens]];
}

/** Whether one pair of parentheses is around all of it. */
function isWrapped(tokens: readonly Token[]): boolean {
  if (tokens[0]?.kind !== 'open') return false;
  let depth = 0;
  for (const [index, { kind }] of tokens.entries()) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (depth === 0) return index === tokens.length - 1;
  }
  return false;
}

/**
 * The columns of a condition that an index can answer. The condition is as EXPLAIN (VERBOSE) writes it, with the alias of its table before each column. Columns
 * under OR, NOT or in a function are left out.
 */
export function askedColumns(expression: string): AskedColumn[] {
  return conjuncts(tokensOf(expression)).flatMap(askedOf);
}

function askedOf(tokens: readonly Token[]): AskedColumn[] {
  if (tokens.some(({ kind, text }) => kind === 'word' && ['OR', 'NOT', 'IS', 'CASE', 'ALL'].includes(text))) return [];
  const operators = tokens.filter(({ kind }) => kind === 'operator').map(({ text }) => text);
  const [operator] = operators;
  if (operators.length !== 1 || operator === undefined) return [];
  const how = operator === '=' ? 'equal' : ['<', '>', '<=', '>='].includes(operator) ? 'range' : null;
  if (how === null) return [];
  const at = tokens.findIndex(({ kind }) => kind === 'operator');
  const [left, right] = [columnOf(tokens.slice(0, at)), columnOf(tokens.slice(at + 1))];
  if (left !== null && right !== null)
    return [
      { ...left, how, to: right },
      { ...right, how, to: left },
    ];
  return [left, right].flatMap((one) => (one === null ? [] : [{ ...one, how, to: null }]));
}

/** The one column that a side of a comparison is, perhaps with a cast; null of anything else, such as a function of a column. */
function columnOf(tokens: readonly Token[]): { alias: string; column: string } | null {
  const plain = isWrapped(tokens) ? tokens.slice(1, -1) : tokens;
  const bare = plain.findIndex(({ text, kind }) => kind === 'other' && text === '::');
  const [alias, dot, column, ...rest] = uncast(bare < 0 ? plain : plain.slice(0, bare));
  if (alias === undefined || dot?.kind !== 'dot' || column === undefined || rest.length > 0) return null;
  const isName = ({ kind }: Token): boolean => kind === 'name' || kind === 'word';
  return isName(alias) && isName(column) ? { alias: alias.text, column: column.text } : null;
}

function uncast(tokens: readonly Token[]): readonly Token[] {
  return isWrapped(tokens) ? tokens.slice(1, -1) : tokens;
}

/** A key of a sort that is a plain column, and whether it falls; null of any other. */
export function sortKey(text: string): { alias: string; column: string; falls: boolean } | null {
  const tokens = tokensOf(text);
  const end = tokens.findIndex(({ kind, text: word }) => kind === 'word' && ['DESC', 'ASC', 'NULLS', 'COLLATE'].includes(word));
  const column = columnOf(end < 0 ? tokens : tokens.slice(0, end));
  const rest = end < 0 ? [] : tokens.slice(end).map(({ text: word }) => word);
  if (column === null || rest.includes('NULLS') || rest.includes('COLLATE')) return null;
  return { ...column, falls: rest.includes('DESC') };
}

/** A column of a condition that is not compared itself, so that an index on it alone cannot answer the condition. */
export interface WrappedColumn {
  alias: string;
  column: string;
  /** `cast`: its value is converted (`to`: into which type); `pattern`: it is matched with LIKE; `expression`: a function or a calculation of it is compared. */
  how: 'cast' | 'pattern' | 'expression';
  to: string;
}

const comparing = new Set(['=', '<', '>', '<=', '>=']);
const matching = new Set(['~~', '~~*']);

/** The columns of a condition, as EXPLAIN (VERBOSE) writes it, that are only compared after a conversion, by a function, or with a pattern. Parts under OR are left out. */
export function wrappedColumns(expression: string): WrappedColumn[] {
  return conjuncts(tokensOf(expression)).flatMap((tokens) => {
    if (tokens.some(({ kind, text }) => kind === 'word' && ['OR', 'CASE'].includes(text))) return [];
    const at = tokens.findIndex(({ kind, text }) => kind === 'operator' && (comparing.has(text) || matching.has(text)));
    if (at < 0) return [];
    const isPattern = matching.has(tokens[at]?.text ?? '');
    return [tokens.slice(0, at), tokens.slice(at + 1)].flatMap((side) => wrappedIn(side, isPattern));
  });
}

function wrappedIn(side: readonly Token[], isPattern: boolean): WrappedColumn[] {
  const plain = columnOf(side);
  if (plain === null) return columnsIn(side).map((one) => ({ ...one, how: 'expression', to: '' }));
  if (isPattern) return [{ ...plain, how: 'pattern', to: '' }];
  const inner = isWrapped(side) ? side.slice(1, -1) : side;
  const cast = inner.findIndex(({ kind, text }) => kind === 'other' && text === '::');
  if (cast < 0) return [];
  const to = inner.slice(cast + 1).map(({ text }) => text);
  return [{ ...plain, how: 'cast', to: to.join(' ') }];
}

/** All columns with their alias, wherever they are in an expression. */
function columnsIn(tokens: readonly Token[]): { alias: string; column: string }[] {
  const isName = (token: Token | undefined): token is Token => token?.kind === 'name' || token?.kind === 'word';
  return tokens.flatMap((token, index) => {
    const [alias, column] = [tokens[index - 1], tokens[index + 1]];
    return token.kind === 'dot' && isName(alias) && isName(column) ? [{ alias: alias.text, column: column.text }] : [];
  });
}
