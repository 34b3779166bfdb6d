import type { FolderFiles } from '../folderFiles.ts';

/** What people write to have something started is shorter; the parser takes seconds for megabytes. */
export const largestCharacters = 128 * 1024;

/** The line of a YAML file with a key, the first of its name; 1 where that is unknown. */
export function keyLine(files: FolderFiles, file: string, key: string): number {
  const lines = (files.text(file) ?? '').split('\n');
  const at = lines.findIndex((line) => {
    const plain = line.trimStart().replace(/^- +/, '').replace(/^["']/, '');
    return plain.startsWith(key) && /^["']?\s*:/.test(plain.slice(key.length));
  });
  return at === -1 ? 1 : at + 1;
}
