/** Lines that one version has in place of those of the other; line numbers from 1. A hunk without lines of head lies behind the line `headStart`. */
export interface Hunk {
  baseStart: number;
  headStart: number;
  /** Removed lines, and added ones. */
  gone: string[];
  added: string[];
}

/** The change of a file. `path` is relative to the repository’s top, with slashes, as head names it; of a file that is gone, as base did. */
export interface FileChange {
  path: string;
  /** As base names it; null: base has no such file. */
  basePath: string | null;
  hunks: Hunk[];
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads what `git diff -U0` writes with the prefixes `a/` and `b/`. Files without lines (binary ones, changed modes) have no hunks. */
export function parsePatch(patch: string): FileChange[] {
  const files: FileChange[] = [];
  let file: FileChange | null = null;
  let hunk: Hunk | null = null;
  // Within a hunk a line that looks like a header is one of the file.
  let [gone, added] = [0, 0];
  for (const line of patch.split('\n')) {
    if (hunk !== null && (gone > 0 || added > 0)) {
      if (gone > 0 && line.startsWith('-')) {
        hunk.gone.push(line.slice(1));
        gone -= 1;
      } else if (added > 0 && line.startsWith('+')) {
        hunk.added.push(line.slice(1));
        added -= 1;
      }
      continue;
    }
    if (line.startsWith('diff --git ')) {
      file = { path: '', basePath: null, hunks: [] };
      files.push(file);
      hunk = null;
    } else if (file !== null && line.startsWith('--- ')) {
      file.basePath = sideOf(line.slice(4), 'a/');
      file.path = file.basePath ?? '';
    } else if (file !== null && line.startsWith('+++ ')) {
      file.path = sideOf(line.slice(4), 'b/') ?? file.path;
    } else if (file !== null) {
      const found = hunkHead.exec(line);
      if (found === null) continue;
      hunk = { baseStart: Number(found[1]), headStart: Number(found[3]), gone: [], added: [] };
      file.hunks.push(hunk);
      [gone, added] = [Number(found[2] ?? 1), Number(found[4] ?? 1)];
    }
  }
  return files.filter(({ path }) => path !== '');
}

/** A name as Git quotes it when it holds what would break a line. */
function sideOf(text: string, prefix: string): string | null {
  const name = text.replace(/\t$/, '');
  if (name === '/dev/null') return null;
  const plain = name.startsWith('"') ? name.slice(1, -1).replace(/\\(["\\])/g, '$1') : name;
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : null;
}

/** Where a line of base is in head, as far as the hunks say: a line that is gone is where the hunk is. */
export function headLineOf(hunks: readonly Hunk[], baseLine: number): number {
  let moved = 0;
  for (const { baseStart, headStart, gone, added } of hunks) {
    // Without lines of base a hunk lies behind the line that it names.
    const behind = gone.length === 0 ? baseStart : baseStart + gone.length - 1;
    if (baseLine > behind) moved += added.length - gone.length;
    else if (gone.length > 0 && baseLine >= baseStart)
      return Math.max(1, headStart + Math.min(baseLine - baseStart, Math.max(0, added.length - 1)));
    else break;
  }
  return baseLine + moved;
}

/** The lines of head that a hunk touched: those that are new; where lines are only gone, the two around them. */
export function touchedLines({ headStart, added }: Hunk): number[] {
  return added.length === 0 ? [headStart, headStart + 1].filter((line) => line > 0) : added.map((_, index) => headStart + index);
}
