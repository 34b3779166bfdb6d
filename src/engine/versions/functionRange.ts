/** Lines from the first to the last, from 1. */
export interface LineRange {
  first: number;
  last: number;
}

/** What begins a block within a function rather than the function. */
const inner = /^\s*(\}\s*)?(if|else|for|while|do|switch|case|default|try|catch|finally|synchronized|with)\b/;

/**
 * The lines of a function that is declared on a line, by the indentation of the text: it ends before the next line with no more indentation, or with it where
 * that line closes it. Good for code as formatters write it; a profiler reports where a function begins, never where it ends.
 */
export function rangeFrom(lines: readonly string[], declared: number): LineRange {
  const depth = indentOf(lines[declared - 1]) ?? 0;
  for (let line = declared + 1; line <= lines.length; line += 1) {
    const text = lines[line - 1] ?? '';
    const own = indentOf(text);
    if (own === null || own > depth) continue;
    // The end of a list of parameters, or of what the function is an argument of.
    if (own === depth && /^\s*[)\]}].*[{(,]\s*$/.test(text)) continue;
    const closes = own === depth && /^\s*[)\]}]/.test(text);
    return { first: declared, last: closes ? line : Math.max(declared, line - 1) };
  }
  return { first: declared, last: Math.max(declared, lines.length) };
}

/**
 * The lines of the function around a line that was seen executing, where its declaration is unknown (a JVM’s): the block around it that is none of control
 * flow.
 */
export function rangeAround(lines: readonly string[], seen: number): LineRange {
  for (const line of enclosing(lines, seen)) return rangeFrom(lines, line);
  return { first: seen, last: seen };
}

/** The lines that open the blocks around a line, the innermost first, by how the text is indented. */
export function* enclosing(lines: readonly string[], inside: number): Generator<number> {
  let depth = indentOf(lines[inside - 1]) ?? 0;
  for (let line = inside - 1; line >= 1 && depth > 0; line -= 1) {
    const text = lines[line - 1] ?? '';
    const own = indentOf(text);
    if (own === null || own >= depth) continue;
    depth = own;
    if (!inner.test(text) && /\{\s*$/.test(text)) yield line;
  }
}

/** Null for a blank line. A tab counts as four. */
function indentOf(text: string | undefined): number | null {
  if (text === undefined || text.trim() === '') return null;
  const blank = /^[ \t]*/.exec(text)?.[0] ?? '';
  return [...blank].reduce((sum, character) => sum + (character === '\t' ? 4 : 1), 0);
}
