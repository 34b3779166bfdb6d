import type { CallTree } from '../../model/domain/callTree.ts';
import { headLineOf } from './changedLines.ts';
import { enclosing } from './functionRange.ts';
import type { CodeChange } from './touchedFunctions.ts';

const anonymous = '(anonymous)';
const unnamed = 'anonymous function';
/** A longer line was written by a program. */
const longestLine = 400;
const longestPart = 60;
/** How many lines before the function may hold the call that it is handed to. */
const linesOfCall = 3;

/** Where a function without a name begins: `function (`, `(a, b) =>`, `a =>`. */
const begins = /(?:\basync\s+)?(?:\bfunction\b\s*\*?\s*\(|\((?:[^()]|\([^()]*\))*\)\s*(?::[^=(),]+)?=>|[\w$]+\s*=>)/;
/** The call that it is an argument of, and the first argument of that where it is a string. */
const handedTo = /((?:\bnew\s+)?[\w$]+(?:\??\.[\w$]+)*)\s*\(\s*(?:(['"`][^'"`]*['"`])\s*,)?[^()]*$/;
/** What declares a function or a method with a name. */
const named = [
  /\bfunction\b\s*\*?\s*([\w$]+)/,
  /([\w$#]+)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/,
  /^\s*(?:(?:public|private|protected|static|async|get|set|override)\s+)*\*?(?!(?:if|for|while|switch|catch|with|return|function)\b)([\w$#]+)\s*\([^()]*\)\s*(?::[^{]+)?\{\s*$/,
];
const withLine = /^((?:anonymous function|callback of )[^]*) line \d+$/;

/**
 * Functions without a name are named by their source, “callback of app.get('/items') in routes”, and distinguished by their lines: for those of base the text
 * and the line are their places in head.
 */
export function withPlacesInNames(tree: CallTree, side: 'base' | 'head', code: CodeChange): CallTree {
  const { functions } = tree;
  const name = functions.name.map((text, func) => {
    const line = functions.line[func] ?? 0;
    if (text !== anonymous || line === 0) return text;
    const recorded = functions.file[func] ?? '';
    const file = code.relative(recorded);
    if (file === null) return `${unnamed} of ${recorded.split(/[\\/]/).at(-1) ?? recorded}:${line}`;
    const change = code.files.find((one) => (side === 'base' ? one.basePath : one.path) === file);
    const inHead = side === 'head' ? line : headLineOf(change?.hunks ?? [], line);
    return `${placeName(code.linesOf(change?.path ?? file) ?? [], inHead)} line ${inHead}`;
  });
  return { ...tree, functions: { ...functions, name } };
}

/** A name as it is shown with file and line. */
export function shownName(name: string): string {
  return withLine.exec(name)?.[1] ?? name;
}

/** What a function without a name that begins on a line is: “callback of rows.map in itemsOf”. */
function placeName(lines: readonly string[], line: number): string {
  const call = callAround(lines, line);
  let around: string | null = null;
  for (const above of enclosing(lines, line)) {
    around = nameIn(lines[above - 1] ?? '') ?? callAround(lines, above);
    if (around !== null) break;
  }
  return `${call === null ? unnamed : `callback of ${call}`}${around === null ? '' : ` in ${around}`}`;
}

function nameIn(text: string): string | null {
  if (text.length > longestLine) return null;
  for (const pattern of named) {
    const [, name] = pattern.exec(text) ?? [];
    if (name !== undefined) return name.slice(0, longestPart);
  }
  return null;
}

/** The call that a function which begins on a line is an argument of; null where it is none, or none begins there. */
function callAround(lines: readonly string[], line: number): string | null {
  const text = lines[line - 1] ?? '';
  const start = text.length > longestLine ? null : begins.exec(text);
  if (start === null) return null;
  let before = text.slice(0, start.index);
  for (let back = 2; before.trim() === '' && back < 2 + linesOfCall; back += 1) {
    const above = lines
      .slice(Math.max(0, line - back), line - 1)
      .map((one) => one.trim())
      .join(' ');
    if (above.length > longestLine) return null;
    if (handedTo.test(above)) before = above;
  }
  const [, callee, first] = handedTo.exec(before) ?? [];
  if (callee === undefined || /^(if|for|while|switch|catch|with|return|function)$/.test(callee)) return null;
  return `${callee}${first === undefined || first.length > longestPart ? '' : `(${first})`}`.slice(0, 2 * longestPart);
}
