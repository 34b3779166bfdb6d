import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { capital } from '../../model/domain/sentence.ts';
import { type CarefulGit, type TreeEntry, deepestSubmodule, objectFolders, submoduleMode } from '../supervise/carefulGit.ts';

/** A tree of a repository that is to be written as files. */
export interface TreeSource {
  git: CarefulGit;
  /** The Git folder of the repository, and the top of its working tree. */
  gitDir: string;
  root: string;
  tree: string;
  /** Where objects of it lie that the repository does not have; null: the repository has them. */
  objects: string | null;
  /** As people name it. */
  label: string;
  /** Ours to fill. */
  scratch: string;
}

/** Files in Git LFS are kept as a few lines that name their content. */
const pointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\nsize (\d+)\n/;
const mostPointerBytes = 1024;

/**
 * Writes the files of a tree into a new folder: all of them, also those that an archive would leave out (`export-ignore`), the submodules as they are in it,
 * and the content of files in Git LFS. Nothing is fetched: fails with `version-incomplete` for what this clone does not have.
 */
export async function checkOut(source: TreeSource, into: string, depth = 0): Promise<void> {
  const { git, tree, objects, label, scratch } = source;
  const env: Record<string, string> = {
    GIT_INDEX_FILE: path.join(scratch, `${tree}.index`),
    ...(objects === null ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objectFolders([objects]) }),
  };
  mkdirSync(into, { recursive: true });
  const whole = ['-c', 'core.sparseCheckout=false'];
  const read = await git.run([...whole, 'read-tree', tree], env);
  const written =
    read.code === 0 ? await git.run([...whole, 'checkout-index', '--all', '--force', '--quiet', `--prefix=${into}/`], env) : read;
  if (written.code !== 0) {
    const isPartial = (await git.run(['config', '--get-regexp', String.raw`^remote\..*\.promisor$`])).code === 0;
    throw failure(
      'version-incomplete',
      `The files of ${label} could not be written.`,
      isPartial
        ? 'This clone is a partial one: fetch what it lacks, e.g. “git fetch --refetch --no-filter”, or check that version out once.'
        : 'Is there room on the disk? See what “git fsck” says.',
      written.text,
    );
  }
  const entries = await git.entries(tree, path.join(scratch, `${tree}.list`), env);
  const isUsed = async (filter: string): Promise<boolean> =>
    (await git.run(['grep', '-q', '-F', '-e', `filter=${filter}`, tree, '--', ':(top,glob)**/.gitattributes'], env)).code === 0;
  // Whether Git LFS is installed or not, what it would fetch is not fetched.
  if (await isUsed('lfs')) await putContents(source, entries, into);
  for (const { name, writes } of git.filters) {
    if (name === 'lfs' || !writes || !(await isUsed(name))) continue;
    throw failure(
      'version-incomplete',
      `${capital(label)} has files that Git’s filter “${name}” makes readable, and Benchside runs no program that a repository’s configuration names.`,
      `Compare versions without it: its line in .gitattributes says which files it is for.`,
    );
  }
  for (const entry of entries) if (entry.mode === submoduleMode) await checkOutSubmodule(source, entry, into, depth);
}

/** Puts the content of files in Git LFS in the place of the lines that name it. */
async function putContents(source: TreeSource, entries: readonly TreeEntry[], into: string): Promise<void> {
  const { git, label } = source;
  const stored = await git.path(['config', '--get', '--type=path', 'lfs.storage']);
  const store = path.resolve(await commonDirOf(source), stored === '' ? 'lfs' : stored, 'objects');
  for (const { mode, path: name } of entries) {
    const file = path.join(into, name);
    if (!mode.startsWith('100') || statSync(file).size > mostPointerBytes) continue;
    const [, oid, size] = pointer.exec(readFileSync(file, 'utf8')) ?? [];
    if (oid === undefined) continue;
    const content = path.join(store, oid.slice(0, 2), oid.slice(2, 4), oid);
    if (!existsSync(content) || statSync(content).size !== Number(size))
      throw failure(
        'version-incomplete',
        `${capital(label)} keeps ${name} in Git LFS, and this clone does not have its content.`,
        'Fetch it: “git lfs fetch --all”.',
      );
    const permissions = statSync(file).mode;
    rmSync(file);
    copyFileSync(content, file);
    if ((permissions & 0o100) !== 0) chmodSync(file, permissions);
  }
}

/** A submodule as its commit has it, from the repository that this clone keeps of it. */
async function checkOutSubmodule(source: TreeSource, { object, path: name }: TreeEntry, into: string, depth: number): Promise<void> {
  const { git, label, root, scratch } = source;
  const missing = (): Error =>
    failure(
      'version-incomplete',
      `${capital(label)} has the submodule ${name} at ${object.slice(0, 7)}, which this clone does not have.`,
      'Fetch it: “git submodule update --init --recursive”, for an older version with that one checked out.',
    );
  if (depth >= deepestSubmodule) throw missing();
  for (const gitDir of await repositoriesOf(source, name, into)) {
    const within = await git.named(gitDir, into);
    const found = await within.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${object}^{tree}`]);
    if (found.code !== 0) continue;
    const own = { git: within, gitDir, root: path.join(root, name), tree: found.text.trim(), objects: null, label, scratch };
    await checkOut(own, path.join(into, name), depth + 1);
    return;
  }
  throw missing();
}

/** Where this clone may keep a submodule: below its own repository by the name that .gitmodules gives it, or where it is checked out. */
async function repositoriesOf(source: TreeSource, name: string, into: string): Promise<string[]> {
  const { git, gitDir, root } = source;
  const declared = path.join(into, '.gitmodules');
  const listed = existsSync(declared)
    ? (await git.run(['config', '--file', declared, '--get-regexp', '^submodule\\..*\\.path$'])).text.split('\n')
    : [];
  const names = listed.flatMap((line) => {
    const [, key, value] = /^submodule\.(.*)\.path (.*)$/.exec(line) ?? [];
    return key !== undefined && value === name ? [key] : [];
  });
  const modules = [...new Set([gitDir, await commonDirOf(source)])].map((dir) => path.join(dir, 'modules'));
  const kept = modules.flatMap((dir) => names.map((one) => path.join(dir, one)).filter((one) => one.startsWith(`${dir}${path.sep}`)));
  const inside = path.join(root, name, '.git');
  return [...kept, inside].filter((dir) => existsSync(dir) && lstatSync(dir).isDirectory());
}

/** The Git folder that all working trees of a repository share. */
async function commonDirOf({ git, gitDir }: TreeSource): Promise<string> {
  return (await git.path(['rev-parse', '--path-format=absolute', '--git-common-dir'])) || gitDir;
}
