import { type Node, type ParseError, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';

/** A text that people write as JSON: what it says, or what is wrong with it, as a phrase, and where. */
export type ReadJson = { tree: Node; value: unknown } | { offset: number; phrase: string };

/** Reads JSON in which comments and trailing commas are allowed. Never throws. */
export function readJsonText(text: string): ReadJson {
  try {
    const errors: ParseError[] = [];
    const tree = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined) return { offset: first.offset, phrase: syntaxPhrase(printParseErrorCode(first.error)) };
    return tree === undefined ? { offset: 0, phrase: 'it is empty' } : { tree, value: getNodeValue(tree) };
  } catch (error) {
    // The parser goes down with the text.
    if (error instanceof RangeError) return { offset: 0, phrase: 'it is nested too deeply' };
    throw error;
  }
}

/** As {@link readJsonText}: what a text says; null for one that cannot be read. */
export function jsonValue(text: string): unknown {
  const read = readJsonText(text);
  return 'value' in read ? read.value : null;
}

/** The node (with its key) at a path, or the nearest one above it, since an issue may speak of a key that is not there. */
export function nodeAt(tree: Node, where: readonly (string | number)[]): Node | undefined {
  for (let length = where.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, where.slice(0, length));
    // A value is found by its key, which is what the reader looks for.
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node;
  }
  return tree;
}

/** Line and column of an offset in a text, both from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The same as the suffix of a file’s name: ":3:14". */
export function placeSuffix(text: string, offset: number): string {
  const { line, column } = placeOf(text, offset);
  return `:${line}:${column}`;
}

/** A code of the JSON parser in words: "PropertyNameExpected" → "property name expected". */
function syntaxPhrase(code: string): string {
  return code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
