import { existsSync, lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { isProbeFile, kindCode } from '../../calltree/frameKind.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { type Origin as ClassOrigin, withLibraries } from './classOrigins.ts';
import { type NpmPackage, packageAbove, packageOf } from '../files/packageFolders.ts';
import { realPath } from '../supervise/smallFile.ts';

/** Whose the scripts of a folder are: `null`, the app's own, or of a package by its name and version. `installed`: it lies in `node_modules`. */
interface Origin extends ClassOrigin {
  installed: boolean;
}

const own: Origin = { library: null, installed: false };
/** A package in the innermost `node_modules` of a path. */
const inModules = /^(.*[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+))(?:[/\\]|$)/;
const longestPath = 4_096;
const mostFolders = 5_000;
const mostMembers = 500;
const changeable: readonly number[] = [kindCode('app'), kindCode('dependency')];

/**
 * A recording of Node with the origin of each function, by where its script was loaded from. The app's are those below the workspace, or in its repository,
 * that are in no `node_modules`, and those of packages that it links to from there (members of one workspace, in any folder). All others belong to a package,
 * which is named with its version as on this disk (`pg 8.13`). Of a recording without a script below the workspace only the packages of `node_modules` are
 * named.
 *
 * @param roots folders of the workspace, absolute
 */
export function withPackageOrigins(tree: CallTree, roots: readonly string[]): CallTree {
  const { file, kind: recorded } = tree.functions;
  const origins = new PackageOrigins(roots);
  const isScript = (func: number): boolean => {
    const at = file[func] ?? '';
    return at.length <= longestPath && path.isAbsolute(at) && changeable.includes(recorded[func] as number) && !isProbeFile(at);
  };
  const found = file.map((at, func) => (isScript(func) ? origins.of(at) : null));
  origins.linkMembers();
  const ofFunction = found.map((origin) => origin?.() ?? null);
  const isOfWorkspace = ofFunction.includes(own);
  const known = ofFunction.map((origin) => (isOfWorkspace || origin?.installed === true ? origin : null));
  return known.every((origin) => origin === null) && !isOfWorkspace ? tree : withLibraries(tree, known);
}

class PackageOrigins {
  /** Under their given names, and under the names that links lead to; those within others first. */
  readonly #roots: string[];
  /** By folder; its origin is known once all folders were seen, as members of the workspace link to each other. */
  readonly #byFolder = new Map<string, () => Origin>();
  /** Packages outside of the workspace and of `node_modules`, by their folder. */
  readonly #outside = new Map<string, { of: NpmPackage; isMember: boolean }>();

  constructor(roots: readonly string[]) {
    const named = roots.map((root) => path.resolve(root));
    const real = named.map((root) => realPath(root) ?? root);
    this.#roots = [...new Set([...named, ...real, ...real.flatMap(repositoryOf)])].sort((a, b) => b.length - a.length);
  }

  of(file: string): () => Origin {
    const folder = path.dirname(file);
    return remembered(this.#byFolder, folder, () => (this.#byFolder.size < mostFolders ? this.#find(file, folder) : () => unknown));
  }

  /** Finds which packages outside of the workspace are linked to from it, or from others that are. */
  linkMembers(): void {
    const homes = new Set(this.#roots.flatMap(withParents));
    for (let found = true; found;) {
      found = false;
      for (const one of this.#outside.values()) {
        if (one.isMember || !isLinkedFrom(homes, one.of)) continue;
        one.isMember = found = true;
        for (const home of withParents(one.of.folder)) homes.add(home);
      }
    }
  }

  #find(file: string, folder: string): () => Origin {
    const root = this.#roots.find((one) => isWithin(folder, one)) ?? '';
    const [, within = '', name = ''] = inModules.exec(folder.slice(root.length)) ?? [];
    if (within === '' && root !== '') return () => own;
    if (within !== '') {
      const installed = `${root}${within}`;
      if (root !== '' && isLink(installed) && inModules.exec(realPath(installed) ?? installed) === null) return () => own;
      const origin = { library: called(packageOf(installed), name.replaceAll('\\', '/')), installed: true };
      return () => origin;
    }
    const above = packageAbove(file);
    const other = { library: called(above, path.basename(file)), installed: false };
    if (above === null || above.name === '') return () => other;
    const known = this.#outside.get(above.folder) ?? { of: above, isMember: false };
    if (this.#outside.size < mostMembers) this.#outside.set(above.folder, known);
    return () => (known.isMember ? own : other);
  }
}

const unknown: Origin = { library: 'a library', installed: false };

/** Whether a `node_modules` of one of these folders has a link to a package. */
function isLinkedFrom(homes: ReadonlySet<string>, { folder, name }: NpmPackage): boolean {
  const real = realPath(folder);
  for (const home of homes) {
    const link = path.join(home, 'node_modules', name);
    if (isLink(link) && realPath(link) === real) return true;
  }
  return false;
}

function called(of: NpmPackage | null, otherwise: string): string {
  const name = of?.name || otherwise;
  const version = /^\d+\.\d+/.exec(of?.version ?? '')?.[0];
  return version === undefined ? name : `${name} ${version}`;
}

function withParents(folder: string): string[] {
  const found = [folder];
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) found.push(path.dirname(at));
  return found;
}

/** The repository that a folder is in; not one that holds all that a user has. */
function repositoryOf(folder: string): string[] {
  const found = withParents(folder).find((one) => existsSync(path.join(one, '.git')));
  return found === undefined || isWithin(homedir(), found) ? [] : [found];
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`);
}

function isLink(file: string): boolean {
  return attempt(() => lstatSync(file).isSymbolicLink(), false);
}
