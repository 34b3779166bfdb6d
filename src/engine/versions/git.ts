import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import type { VersionNames } from '../../model/protocol/versionDiffRequest.ts';
import type { RunContext } from '../run/runContext.ts';
import { type GitAnswer, CarefulGit, objectFolders, repositoryAround } from '../supervise/carefulGit.ts';
import type { Supervisor } from '../supervise/supervisor.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { checkOut } from './checkOut.ts';
import { type FileChange, parsePatch } from './changedLines.ts';

/** A state of the code: a commit, or the working tree as it is now. */
export interface Version {
  /** As people name it: "main (3f2a91c)", "the working tree". */
  label: string;
  /** Null: the working tree. */
  commit: string | null;
  /** The tree of the whole repository; equal trees are the same code. */
  tree: string;
  /** Where objects of a tree lie that the repository does not have; null: the repository has them. */
  objects: string | null;
}

const gitMs = 60_000;
/** The limit of each kind, in a list to choose from. */
const mostNames = 50;
const mostPatchBytes = 16_000_000;

/**
 * A repository that is only read. Nothing of it is written: neither index, refs nor objects, and no lock is acquired. What the working tree holds is written as
 * a tree into a folder of our own.
 */
export class Repository {
  private constructor(
    private readonly git: CarefulGit,
    /** The top of the working tree. */
    readonly root: string,
    private readonly gitDir: string,
    private readonly scratch: string,
  ) {}

  /** The repository around a folder. `scratch` is an empty folder that it may fill. Fails with `git-missing` and `no-repository`. */
  static async around(supervisor: Supervisor, dir: string, scratch: string, signal: AbortSignal): Promise<Repository> {
    const cure = 'Open a folder of a clone, or name one with --workspace.';
    const found = repositoryAround(dir);
    if (found === null) throw failure('no-repository', `${dir} is not in a Git repository.`, cure);
    if (found.bare) throw failure('no-repository', `${dir} is a bare repository: it has no working tree.`, cure);
    const git = await CarefulGit.around({ supervisor, signal, timeoutMs: gitMs }, dir);
    const inside = await git.run(['rev-parse', '--is-inside-work-tree']);
    // One at a time: a path may have a line break.
    const root = await git.path(['rev-parse', '--show-toplevel']);
    const gitDir = await git.path(['rev-parse', '--absolute-git-dir']);
    if (inside.code !== 0 || inside.text.trim() !== 'true')
      throw failure('no-repository', `${dir} is not in the working tree of a Git repository.`, cure, inside.text);
    if (realpathSync(root) !== realpathSync(found.top))
      throw failure('no-repository', `The repository of ${dir} says that its working tree is another folder, ${root}.`, cure);
    return new Repository(git.at(realpathSync(root)), realpathSync(root), gitDir, scratch);
  }

  /** A folder within the repository, relative to its top. */
  within(dir: string): string {
    return path.relative(this.root, realpathSync(dir));
  }

  /** The commit that a name means, with its tree. Fails with `unknown-version`. */
  async version(name: string): Promise<Version & { commit: string }> {
    const { code, text } = await this.git.run(['rev-parse', '--verify', '--end-of-options', `${name}^{commit}`]);
    const commit = text.trim();
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(commit)) {
      const shallow = (await this.git.run(['rev-parse', '--is-shallow-repository'])).text.trim() === 'true';
      throw failure(
        'unknown-version',
        `There is no commit, branch or tag “${name}” here.`,
        shallow
          ? 'This clone is shallow: fetch more of it, e.g. “git fetch --unshallow”.'
          : (await this.git.run(['ls-files', '--error-unmatch', '--', `:(top,literal)${name}`])).code === 0
            ? `“${name}” is a file. Name a commit, a branch or a tag.`
            : 'Fetch it, or name another one (“git log --oneline --all” lists them).',
      );
    }
    const tree = (await this.git.run(['rev-parse', '--verify', `${commit}^{tree}`])).text.trim();
    const short = commit.slice(0, 7);
    // Whole ids within a name, such as that of the commit before one, are as long as the rest of the sentence.
    const shown = name.replace(/[0-9a-f]{40,64}/g, (id) => id.slice(0, 7));
    return { label: commit.startsWith(name) ? short : `${shown} (${short})`, commit, tree, objects: null };
  }

  /** Where two branches parted. Fails with `unknown-version` when they share nothing. */
  async mergeBase(a: string, b: string): Promise<Version> {
    const [one, other] = [await this.version(a), await this.version(b)];
    const { code, text } = await this.git.run(['merge-base', one.commit, other.commit]);
    if (code !== 0)
      throw failure(
        'unknown-version',
        `${a} and ${b} have no commit in common here.`,
        'If this clone is shallow, fetch more of it: “git fetch --unshallow”.',
      );
    return { ...(await this.version(text.trim())), label: `the merge base of ${a} and ${b} (${text.trim().slice(0, 7)})` };
  }

  /** Whether a commit is another one, or comes before it. */
  async isAncestor(commit: string, other: string): Promise<boolean> {
    return (await this.git.run(['merge-base', '--is-ancestor', commit, other])).code === 0;
  }

  /** The working tree with what is changed and new in it; what Git ignores is left out. */
  async workingTree(): Promise<Version> {
    const objects = path.join(this.scratch, 'objects');
    mkdirSync(objects, { recursive: true });
    const index = path.join(this.scratch, 'index');
    const theirs = path.join(this.gitDir, 'index');
    if (existsSync(theirs)) copyFileSync(theirs, index);
    const common = await this.git.path(['rev-parse', '--path-format=absolute', '--git-path', 'objects']);
    const env = { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: objectFolders([common]) };
    // No filter is run. A file in Git LFS that was changed goes in as it is: storing it away would write into the user’s repository.
    const added = await this.git.run(['add', '--all', '.'], env);
    await this.#assertCleanSubmodules(index);
    const written = added.code === 0 ? await this.git.run(['write-tree'], env) : added;
    if (written.code !== 0)
      throw failure('unknown-version', 'The working tree cannot be read by Git.', 'See what “git status” says.', written.text);
    return { label: 'the working tree', commit: null, tree: written.text.trim(), objects };
  }

  /** What is changed within a submodule is in no tree of this repository. */
  async #assertCleanSubmodules(index: string): Promise<void> {
    const { text } = await this.git.run(['status', '--porcelain=v2', '--untracked-files=no', '--ignore-submodules=untracked'], {
      GIT_INDEX_FILE: index,
    });
    const [, changed] = /^[12] .. S.M. .* (\S+)$/m.exec(text) ?? [];
    if (changed !== undefined)
      throw failure(
        'version-incomplete',
        `The working tree has changes within the submodule ${changed} that are not committed.`,
        'Commit them there: a version has a submodule as one of its commits.',
      );
  }

  /** Writes the files of a version into a new folder. Fails with `version-incomplete` for what this clone does not have. */
  async checkOut({ tree, objects, label }: Version, into: string): Promise<void> {
    await checkOut({ git: this.git, gitDir: this.gitDir, root: this.root, tree, objects, label, scratch: this.scratch }, into);
  }

  /**
   * The commits after one version up to another, along first parents, from the oldest. Fails with `unknown-version` where the older one is no ancestor of the
   * newer, or nothing lies between.
   */
  async commitsBetween(good: string, bad: string): Promise<ResultOf<'diff/commits'>> {
    const [older, newer] = [await this.version(good), await this.version(bad)];
    const isOlder = await this.isAncestor(older.commit, newer.commit);
    const commits = await this.#commits('--first-parent', '--reverse', `${older.commit}..${newer.commit}`);
    if (!isOlder || commits.length === 0)
      throw failure(
        'unknown-version',
        `${newer.label} does not come after ${older.label}.`,
        'Name an older commit that was fast, then a newer one that is slow. If this clone is shallow, fetch more of it: “git fetch --unshallow”.',
      );
    return { good: older.commit, bad: newer.commit, commits };
  }

  /** What versions are called here, the most recent first. */
  async names(): Promise<VersionNames> {
    const refs = async (...under: string[]): Promise<string[]> => {
      const { code, text } = await this.git.run([
        'for-each-ref',
        '--sort=-committerdate',
        `--count=${mostNames}`,
        '--format=%(symref) %(refname:short)',
        ...under,
      ]);
      // What points to another ref, as origin/HEAD does, is that one. No name has a blank.
      return code !== 0 ? [] : text.split('\n').flatMap((line) => /^ ?(\S+)$/.exec(line)?.[1] ?? []);
    };
    return {
      branches: await refs('refs/heads', 'refs/remotes'),
      tags: await refs('refs/tags'),
      commits: await this.#commits(`--max-count=${mostNames}`, 'HEAD'),
    };
  }

  /** What differs between two versions, file by file; empty where that is too much to read. */
  async changes(base: Version, head: Version): Promise<FileChange[]> {
    const patch = path.join(this.scratch, 'changes.patch');
    const options = ['-p', '-U0', '-M', '--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/'];
    const { code } = await this.#difference(base, head, [...options, `--output=${patch}`]);
    return code !== 0 || statSync(patch).size > mostPatchBytes ? [] : parsePatch(readFileSync(patch, 'utf8'));
  }

  /** The paths in which two versions differ, of whatever kind; null where Git cannot say. */
  async changedPaths(base: Version, head: Version): Promise<string[] | null> {
    const { code, text } = await this.#difference(base, head, ['-z', '--name-only', '--no-renames']);
    return code === 0 ? text.split('\0').filter((name) => name !== '') : null;
  }

  /** Calls `git diff-tree`, with the objects that only these versions have. */
  #difference(base: Version, head: Version, options: readonly string[]): Promise<GitAnswer> {
    const objects = [base, head].flatMap((version) => version.objects ?? []);
    const env = objects.length === 0 ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectFolders(objects) };
    return this.git.run(['-c', 'core.quotePath=false', 'diff-tree', '-r', ...options, base.tree, head.tree], env);
  }

  /** What `git log` lists by these arguments; nothing where it cannot. */
  async #commits(...args: string[]): Promise<VersionNames['commits']> {
    const { code, text } = await this.git.run(['log', '--no-color', '--no-show-signature', '--format=%H %s', ...args]);
    if (code !== 0) return [];
    return text.split('\n').flatMap((line) => {
      const [, commit, subject] = /^([0-9a-f]{40,64}) (.*)$/.exec(line) ?? [];
      return commit === undefined ? [] : [{ commit, subject: subject ?? '' }];
    });
  }
}

/**
 * Does something with the repository around a folder, which is only read. Fails with `untrusted`, since a repository's own configuration can make Git start
 * programs, and as `Repository` does.
 */
export async function inRepository<T>(
  { supervisor, signal, trusted }: Pick<RunContext, 'supervisor' | 'signal' | 'trusted'>,
  workspaceDir: string,
  work: (repository: Repository) => Promise<T>,
): Promise<T> {
  if (!trusted) throw failure('untrusted', 'The repository of a workspace that is not trusted is not asked.', 'Trust the workspace first.');
  const scratch = makeTemporaryFolder('versions');
  try {
    return await work(await Repository.around(supervisor, workspaceDir, scratch, signal));
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
