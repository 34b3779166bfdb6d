import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';

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

/** The folders for programs that an environment names: Windows writes the name of that variable as it likes. */
export function searchPathOf(env: Readonly<NodeJS.ProcessEnv>): string | undefined {
  return env['PATH'] ?? Object.entries(env).find(([name]) => process.platform === 'win32' && name.toUpperCase() === 'PATH')?.[1];
}

/**
 * A command that can be started without a shell: on Windows npm and npx are scripts for one, so that the program in them is started, by the Node in their
 * folder. Any other command is itself.
 */
export function withoutShell(argv: readonly string[], searchPath: string | undefined, platform = process.platform): readonly string[] {
  const [, name] = /^(np[mx])(?:\.cmd)?$/i.exec(argv[0] ?? '') ?? [];
  if (platform !== 'win32' || name === undefined) return argv;
  const folder = (searchPath ?? '').split(';').find((one) => existsSync(npmProgram(one, name)));
  return folder === undefined ? argv : [path.join(folder, 'node.exe'), npmProgram(folder, name), ...argv.slice(1)];
}

function npmProgram(folder: string, name: string): string {
  return path.join(folder, 'node_modules', 'npm', 'bin', `${name.toLowerCase()}-cli.js`);
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
