import { realpathSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { homeFolder } from './homeFolder.ts';
import { findProgram } from './program.ts';

/** The PATH in two parts: what this machine offers, and what the folder that is worked in put before or between it. */
export interface SplitSearchPath {
  machine: string;
  /** Folders of the workspace, absolute, in their order. */
  workspace: string[];
}

/** Programs that Benchside starts by their names without a setting. */
const ours = ['node', 'java', 'git', 'npm', 'mvn', 'postgres', 'nginx', 'pgbouncer', 'openssl', 'setpriv'] as const;

/**
 * Who clones a repository has not asked for its `node`: a folder of the workspace on the PATH (`node_modules/.bin`, which npx puts first) and one that depends
 * on the current folder (`.`, or nothing between two colons) find no program for us. The home folder is nobody’s repository: where it is the workspace, only
 * folders of npm in it are left out.
 */
export function splitSearchPath(searchPath: string | undefined, workspaceDir: string | null): SplitSearchPath {
  const root = workspaceDir === null ? null : realPath(workspaceDir);
  const home = homeFolder(process.env);
  const holdsHome = root !== null && home !== null && isWithin(realPath(home), root);
  const machine: string[] = [];
  const workspace: string[] = [];
  for (const entry of (searchPath ?? '').split(path.delimiter)) {
    const folder = realPath(entry);
    const within = root !== null && isWithin(folder, root) && (!holdsHome || /(^|[/\\])node_modules[/\\]/.test(`${folder}${path.sep}`));
    if (!path.isAbsolute(entry)) {
      if (within) workspace.push(folder);
    } else if (within) workspace.push(entry);
    else machine.push(entry);
  }
  return { machine: machine.join(path.delimiter), workspace: [...new Set(workspace)] };
}

/** What to report of the programs that were skipped, one sentence each; `told` are those that were named in a setting or an option. */
export function passedOver({ machine, workspace }: SplitSearchPath, told: readonly string[]): string[] {
  return ours.flatMap((name) => {
    const found = told.includes(name) ? null : findProgram(name, '/', workspace.join(path.delimiter));
    if (found === null) return [];
    const other = findProgram(name, '/', machine);
    const instead = other === null ? 'no other one was found on the PATH' : `${other} is used`;
    const option =
      name === 'node' || name === 'java' ? ` If it is meant, name it with --${name} or in the setting “benchside.${name}Path”.` : '';
    return [`${found} belongs to this workspace and is passed over: ${instead}.${option}`];
  });
}

function isWithin(folder: string, root: string): boolean {
  const way = path.relative(root, folder);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function realPath(folder: string): string {
  return attempt(() => realpathSync(folder === '' ? '.' : folder), path.resolve(folder));
}
