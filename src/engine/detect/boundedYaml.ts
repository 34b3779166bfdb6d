import { parse } from 'yaml';

/** Deeper than anybody writes by hand. The parser goes down its own stack, and takes the whole process with it when that ends. */
const deepest = 64;
const largestCharacters = 512 * 1024;

/** A key that may be a collection, wherever one can begin: the parser takes twice as long for each one within another. */
const explicitKey = /(?:^|[[{,:?-])[ \t]*(?:[!&]\S{0,100}[ \t]+){0,4}\?(?:[ \t]|$)/m;

/** A node has one tag and one anchor at the most; the parser notes a fault for each additional one. */
const thirdProperty = /(?:^|[ \t])(?:[!&]\S{0,100}[ \t]+){3}/m;

/**
 * What a YAML file of at most so many characters says; null for other content, and for nesting or keys that nobody writes. Aliases are not followed: a few of
 * them can expand to more than fits in memory.
 */
export function readYaml(text: string, largest: number = largestCharacters): unknown {
  if (text.length > largest || explicitKey.test(text) || thirdProperty.test(text) || depthOf(text) > deepest) return null;
  try {
    // Comparing keys costs the square of their number, and so does locating each fault.
    return parse(text, { maxAliasCount: 0, logLevel: 'silent', uniqueKeys: false, prettyErrors: false }) as unknown;
  } catch {
    return null;
  }
}

/** How deep it can be nested at most: by brackets anywhere, and by its lines’ columns and dashes. */
function depthOf(text: string): number {
  const columns: number[] = [];
  let [brackets, depth] = [0, 0];
  for (const line of text.split('\n')) {
    const dashes = /^[ \t]*((?:-[ \t]+)*)/.exec(line);
    const column = (dashes?.[0].length ?? 0) - (dashes?.[1]?.length ?? 0);
    while ((columns.at(-1) ?? -1) >= column) columns.pop();
    if (column < line.length) columns.push(column);
    const onLine = (dashes?.[1]?.match(/-/g) ?? []).length;
    for (const bracket of line.match(/[[\]{}]/g) ?? []) {
      brackets = bracket === '[' || bracket === '{' ? brackets + 1 : Math.max(0, brackets - 1);
      depth = Math.max(depth, columns.length + onLine + brackets);
    }
    depth = Math.max(depth, columns.length + onLine + brackets);
  }
  return depth;
}
