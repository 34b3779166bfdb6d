import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { failure, FailureError } from '../../model/domain/failure.ts';
import { childEnvironment } from './environment.ts';
import { runProgram } from './runTool.ts';
import type { Supervisor } from './supervisor.ts';
import { makeTemporaryFolder } from './temporaryFolder.ts';

export interface GitAnswer {
  code: number | null;
  text: string;
}

export interface GitStart {
  supervisor: Supervisor;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** A program that Git's configuration puts between stored files and those on disk, and whether it is asked where files are written. */
export interface GitFilter {
  name: string;
  writes: boolean;
}

/** The folder that holds `.git`, and whether what was found is a repository without a working tree: one that lies among the files of a clone like any folder. */
export interface FoundRepository {
  top: string;
  bare: boolean;
}

/**
 * A repository's configuration names programs, and whoever made the repository may have written it. These settings apply to Git's own children in submodules as
 * well: no monitor of the file system, no hook, no pager, no source of passwords, no protocol, no check of signatures, no bare repository.
 */
const careful = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.askPass=',
  'credential.helper=',
  'protocol.allow=never',
  'log.showSignature=false',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);

/** No lock is acquired, nobody is asked, and what a partial clone does not have is not fetched. */
const quiet = {
  LC_ALL: 'C',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
};

/** A variable without a value, for settings whose names may hold what ends a name on the command line. */
const nothing = 'BENCHSIDE_NOTHING';
/** The depth of submodules of submodules of …. */
export const deepestSubmodule = 8;
/** What a commit of another repository is kept as, with .gitmodules or without. */
export const submoduleMode = '160000';

/** A file, a link or a submodule, by its path from the top. */
export interface TreeEntry {
  mode: string;
  object: string;
  path: string;
}

/** The repository around a folder by what lies on disk, without Git: null when there is none. */
export function repositoryAround(dir: string): FoundRepository | null {
  for (let folder = path.resolve(dir); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, '.git'))) return { top: folder, bare: false };
    if (isFolder(path.join(folder, 'objects')) && isFolder(path.join(folder, 'refs')) && existsSync(path.join(folder, 'HEAD')))
      return { top: folder, bare: true };
    if (path.dirname(folder) === folder) return null;
  }
}

/** The one way to call Git: it reads, and starts none of the programs that a repository's configuration names. */
export class CarefulGit {
  private constructor(
    private readonly start: GitStart,
    private readonly dir: string,
    private readonly before: readonly string[],
    /** The filters of the repository and of the submodules that are checked out in it; none of them is run. */
    readonly filters: readonly GitFilter[],
  ) {}

  /** For the repository around a folder, which `repositoryAround` has found. Fails with `git-missing`. */
  static async around(start: GitStart, dir: string): Promise<CarefulGit> {
    return new CarefulGit(start, dir, [], await filtersOf(new CarefulGit(start, dir, [], []), 0));
  }

  /** For a repository that is named, such as that of a submodule. */
  async named(gitDir: string, workTree: string): Promise<CarefulGit> {
    const before = [`--git-dir=${gitDir}`, `--work-tree=${workTree}`];
    const bare = new CarefulGit(this.start, this.dir, before, []);
    return new CarefulGit(this.start, this.dir, before, [...this.filters, ...(await ownFilters(bare))]);
  }

  /** For another folder of the same repository, or a submodule in it. */
  at(dir: string): CarefulGit {
    return new CarefulGit(this.start, dir, this.before, this.filters);
  }

  /** Calls Git. Fails with `git-missing`, and with `program-stuck` when it does not end. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<GitAnswer> {
    const unfiltered = this.filters.flatMap(({ name }) => [
      ...['clean', 'smudge', 'process'].map((what) => `--config-env=filter.${name}.${what}=${nothing}`),
      `--config-env=filter.${name}.required=${nothing}No`,
    ]);
    // Within a hook Git says by its variables which repository and which index it means: here it is the one around the folder.
    const around = Object.fromEntries(Object.entries(childEnvironment({})).filter(([name]) => !name.startsWith('GIT_')));
    const argv = ['git', ...careful, ...unfiltered, ...this.before, ...args];
    const spec = {
      name: 'git',
      kind: 'tool',
      argv,
      cwd: this.dir,
      env: { ...around, ...quiet, [nothing]: '', [`${nothing}No`]: 'false', ...env },
    } as const;
    try {
      const { supervisor, timeoutMs, signal } = this.start;
      const { code, output } = await runProgram(supervisor, spec, { timeoutMs, signal });
      return { code, text: output };
    } catch (error) {
      if (!(error instanceof FailureError && error.failure.code === 'program-not-found')) throw error;
      throw failure('git-missing', 'git cannot be started on this machine.', 'Install git, or put it on the PATH.', error.message);
    }
  }

  /** A path that Git prints, which may begin or end with blanks and have line breaks; empty where it prints none. */
  async path(args: readonly string[]): Promise<string> {
    const { code, text } = await this.run(args);
    return code === 0 ? text.replace(/\n$/, '') : '';
  }

  /** All that a tree holds, or for null the index; nothing where Git cannot say. `file` is written. */
  async entries(tree: string | null, file: string, env: Readonly<Record<string, string>> = {}): Promise<TreeEntry[]> {
    const empty = (await this.run(['hash-object', '-t', 'tree', '/dev/null'])).text.trim();
    const options = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none', `--output=${file}`, empty];
    const command = tree === null ? ['diff-index', '--cached', ...options] : ['diff-tree', ...options, tree];
    const { code } = await this.run(command, env);
    if (code !== 0) return [];
    const parts = readFileSync(file, 'utf8').split('\0');
    return parts.flatMap((part, index): TreeEntry[] => {
      const [, mode, object] = /^:000000 (\d{6}) 0+ ([0-9a-f]+) A$/.exec(part) ?? [];
      const name = parts[index + 1];
      return mode === undefined || object === undefined || name === undefined ? [] : [{ mode, object, path: name }];
    });
  }
}

/** Those that the configuration of a repository and of its user names. */
async function ownFilters(git: CarefulGit): Promise<GitFilter[]> {
  const { code, text } = await git.run(['config', '-z', '--name-only', '--get-regexp', String.raw`^filter\.`]);
  if (code !== 0) return [];
  const found = new Map<string, GitFilter>();
  for (const key of text.split('\0')) {
    const [, name, what] = /^filter\.(.*)\.([a-z]+)$/s.exec(key) ?? [];
    if (name === undefined) continue;
    found.set(name, { name, writes: found.get(name)?.writes === true || what === 'smudge' || what === 'process' });
  }
  return [...found.values()];
}

/** Git's own children in submodules read the configuration there: what it names is not run either. */
async function filtersOf(git: CarefulGit, depth: number): Promise<GitFilter[]> {
  const own = await ownFilters(git);
  if (depth >= deepestSubmodule) return own;
  const top = await git.path(['rev-parse', '--show-toplevel']);
  if (top === '') return own;
  const scratch = makeTemporaryFolder('git');
  try {
    const within = git.at(top);
    for (const { mode, path: name } of await within.entries(null, path.join(scratch, 'index'))) {
      const dir = path.join(top, name);
      if (mode === submoduleMode && existsSync(path.join(dir, '.git'))) own.push(...(await filtersOf(git.at(dir), depth + 1)));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
  return [...new Map(own.map((filter) => [filter.name, filter])).values()];
}

/** Folders as the variable of alternate objects has them: in quotes, so that neither the separator between two of them nor the end of a line ends one. */
export function objectFolders(folders: readonly string[]): string {
  const quoted = (folder: string): string => `"${folder.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  return folders.map((folder) => (/[":\\\n]/.test(folder) && process.platform !== 'win32' ? quoted(folder) : folder)).join(path.delimiter);
}

function isFolder(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
