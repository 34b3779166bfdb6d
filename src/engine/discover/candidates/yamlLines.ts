import type { FolderFiles } from '../folderFiles.ts';

/** What people write to have something started is shorter; the parser takes seconds for megabytes. */
export const largestCharacters = 128 * 1024;

/** The line on which a key of a YAML file stands, the first of its name; 1 where that cannot be told. */
export function keyLine(files: FolderFiles, file: string, key: string): number {
  const lines = (files.text(file) ?? '').split('\n');
  const at = lines.findIndex((line) => {
    const plain = line.trimStart().replace(/^- +/, '').replace(/^["']/, '');
    return plain.startsWith(key) && /^["']?\s*:/.test(plain.slice(key.length));
  });
  return at === -1 ? 1 : at + 1;
}
