import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/failure.ts';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * The file that a command's first word means: a path relative to `cwd`, or a program on `searchPath` (PATH).
 * Null when there is none that may be executed.
 */
export function findProgram(program: string, cwd: string, searchPath: string | undefined): string | null {
  if (program.includes('/') || program.includes('\\')) {
    const file = path.resolve(cwd, program);
    return isExecutable(file) ? file : null;
  }
  const endings = process.platform === 'win32' ? ['.exe', '.com', ''] : [''];
  for (const directory of (searchPath ?? '').split(path.delimiter)) {
    // A relative entry depends on the current folder.
    if (!path.isAbsolute(directory)) continue;
    for (const ending of endings) {
      const file = path.join(directory, program + ending);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

/** As {@link findProgram}, but fails with a sentence for people. */
export function requireProgram(program: string, cwd: string, searchPath: string | undefined, name: string): string {
  if (!existsSync(cwd)) {
    throw failure(
      'cwd-missing',
      `${name} cannot start: its working folder ${cwd} does not exist.`,
      'Correct "cwd" of the target in benchside.json.',
    );
  }
  const file = findProgram(program, cwd, searchPath);
  if (file === null) {
    throw failure(
      'program-not-found',
      `${name} cannot start: there is no program “${program}” that may be executed.`,
      program.includes('/')
        ? `Check the path (it is relative to ${cwd}) and its execute permission.`
        : `Install ${program}, or put it on the PATH, or name its full path in the settings.`,
    );
  }
  return file;
}
