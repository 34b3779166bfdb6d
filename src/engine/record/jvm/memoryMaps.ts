import { readFileSync } from 'node:fs';
import { attempt } from '../../../model/domain/attempt.ts';

const deletedMark = ' (deleted)';

/** The files that a process has mapped, each once, those that were deleted since too; null when that may not be read. */
export function mapsOf(pid: number): string[] | null {
  const text = attempt(() => readFileSync(`/proc/${pid}/maps`, 'utf8'), null);
  return text === null ? null : mappedFiles(text);
}

/** The paths in a text of the form of /proc/<pid>/maps: whatever begins with a slash in the sixth column. */
export function mappedFiles(text: string): string[] {
  const files = new Set<string>();
  for (const line of text.split('\n')) {
    const slash = line.indexOf('/');
    if (slash < 0) continue;
    const file = line.slice(slash);
    files.add(file.endsWith(deletedMark) ? file.slice(0, -deletedMark.length) : file);
  }
  return [...files];
}
