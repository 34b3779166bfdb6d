import path from 'node:path';
import { type Runtime, eachRuntime } from '../../../model/domain/runtimes.ts';
import { type FolderFiles, within } from '../folderFiles.ts';
import type { WayToStart } from './candidateSource.ts';

const shell = /^(?:ba|da|z)?sh$/;

/** Which probe a command gets: by its program, else by what a script calls, else by the files in its folder. A wrong one is not loaded by anything. */
export function runtimeOf(files: FolderFiles, { folder, command }: Pick<WayToStart, 'folder' | 'command'>): Runtime {
  const [program = '', option, line] = command;
  const name = path.posix.basename(program);
  const known = eachRuntime.find(([, { programs }]) => programs?.test(name) === true);
  if (known !== undefined) return known[0];
  const named = shell.test(name) && option !== '-c' ? (option ?? '') : program.includes('/') ? program : '';
  const script = named === '' || path.posix.isAbsolute(named) ? null : path.posix.normalize(within(folder, named));
  // So that what lies in `bin` can be read.
  if (script !== null) files.filesIn(path.posix.dirname(script));
  const text = script === null ? (option === '-c' ? (line ?? '') : '') : (files.text(script) ?? '');
  if (/\bjava\b|\$\{?JAVA/i.test(text)) return 'jvm';
  if (/\b(?:node|npm|npx|yarn|pnpm)\b/.test(text)) return 'node';
  return 'other';
}
