import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../model/domain/attempt.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { classifyJava, kindCode } from '../../calltree/frameKind.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { readPieces } from '../files/boundedFile.ts';
import { type Piece, type ZipEntry, contentOf, unpacked, zipEntries } from '../files/zipArchive.ts';
import { foldersBelow } from './sourceFinder.ts';

/** Where the classes of a package were loaded from: `null`, the app itself, or a library by the name and version of its archive, '' where that is not known. */
export type Origin = { library: string | null };

const own: Origin = { library: null };
const anyLibrary: Origin = { library: '' };
const mainClass = /^Main-Class: *([\p{L}\p{N}_$.]+)/mu;
const largestManifestBytes = 65_536;
/** Parts of an archive that hold the classes of the app which it is of: of Spring Boot, and of a web application. */
const ownPart = /^(?:BOOT-INF|WEB-INF)\/classes\//;
const nestedArchive = /^(?:BOOT-INF|WEB-INF)\/lib(?:-provided)?\/[^/]+\.jar$|^lib\/[^/]+\.jar$/;
/** Where builds put what they make of the sources of a folder, and not what it needs. */
const buildOutput = /(?:^|\/)(?:target|build\/libs|out|quarkus-app\/app)\/[^/]+\.(?:jar|war)$/;
const mavenPart = /^META-INF\/maven\/([^/]+\/[^/]+)\/pom\.properties$/;
const sourceFolders = ['src/main/java', 'src/main/kotlin', 'src/main/scala', 'src/main/groovy', 'src'];
const passedOver: ReadonlySet<string> = new Set(['node_modules', 'target', 'build', 'out', 'dist', 'bin', 'src']);
const mostFolders = 2_000;
const deepest = 3;
const className = /^(?:[\p{L}\p{N}_$]+[./])+[\p{L}_$][\p{L}\p{N}_$]*(?:[./][\p{L}\p{N}_$<>]+)$/u;

/**
 * A recording of a JVM with the origin of each function, by where its class was loaded from. The app's are those of folders on its class path, of
 * `BOOT-INF/classes` and `WEB-INF/classes`, of what the workspace's build made, and those whose sources are in the workspace. All others are of a library,
 * which is called by its archive. A class of unknown origin keeps its kind.
 *
 * @param classPath absolute paths of folders and archives
 * @param roots folders of the workspace, absolute
 */
export function withOrigins(tree: CallTree, classPath: readonly string[], roots: readonly string[]): CallTree {
  if (classPath.length === 0) return tree;
  const origins = new ClassOrigins(classPath, roots);
  const isOfClass = (name: string): boolean =>
    name.length <= 1024 && className.test(name) && classifyJava(name) !== 'runtime' && classifyJava(name) !== 'waiting';
  const found = tree.functions.name.map((name) => (isOfClass(name) ? origins.of(name) : null));
  return withLibraries(tree, found);
}

/** A recording whose functions, where an origin is known, are the app's own or of a library. */
export function withLibraries(tree: CallTree, origins: readonly (Origin | null)[]): CallTree {
  const kind = tree.functions.kind.slice();
  const library = origins.map((_origin, func) => tree.functions.library?.[func] ?? '');
  for (const [func, origin] of origins.entries()) {
    if (origin === null) continue;
    kind[func] = kindCode(origin.library === null ? 'app' : 'dependency');
    library[func] = origin.library ?? '';
  }
  return { ...tree, functions: { ...tree.functions, kind, library } };
}

class ClassOrigins {
  readonly #byPackage = new Map<string, Origin>();
  readonly #sources: string[];
  readonly #known = new Map<string, Origin | null>();

  constructor(
    classPath: readonly string[],
    private readonly roots: readonly string[],
  ) {
    for (const entry of classPath) this.#add(entry, classPath.length === 1);
    this.#sources = roots.flatMap(sourceFoldersOf);
  }

  /** The origin of a method by its full name; null where nothing is known of its class. */
  of(method: string): Origin | null {
    // Classes that are made at run time for a class, such as its lambdas and proxies, are in its package.
    const parts = method
      .replace(/\$\$.*$/, '.made')
      .replaceAll('.', '/')
      .split('/');
    const name = parts.slice(0, -2).join('/');
    return remembered(this.#known, name, () => this.#find(name));
  }

  #find(name: string): Origin | null {
    const found = this.#byPackage.get(name) ?? null;
    if (found?.library === null) return found;
    return name !== '' && this.#sources.some((folder) => existsSync(path.join(folder, name))) ? own : found;
  }

  /** `isWhole`: it is all that the app was started with. */
  #add(entry: string, isWhole: boolean): void {
    if (isFolder(entry)) {
      for (const name of packagesBelow(entry)) this.#byPackage.set(name, own);
      return;
    }
    archived(entry, (piece, entries) => {
      const inner = entries.filter(({ name }) => nestedArchive.test(name));
      for (const name of packagesOf(entries, ownPart)) this.#byPackage.set(name, own);
      for (const one of inner) this.#addLibrary(nested(piece, one), { library: libraryOf(path.posix.basename(one.name)) });
      if (inner.length > 0) return;
      // Into which others were merged: the app is what the class that it starts with shares its name with.
      const domain = isWhole ? domainOf(mainOf(piece, entries)) : null;
      if (domain !== null && [...packagesOf(entries)].some((name) => !isWithin(name, domain))) {
        for (const name of packagesOf(entries)) this.#byPackage.set(name, isWithin(name, domain) ? own : anyLibrary);
        return;
      }
      const parts = new Set(entries.flatMap(({ name }) => mavenPart.exec(name)?.[1] ?? []));
      if (parts.size > 1) return;
      const isBuilt = this.roots.some((root) => entry.startsWith(`${root}${path.sep}`)) && buildOutput.test(entry);
      this.#addLibrary(entries, isBuilt ? own : { library: libraryOf(path.basename(entry)) });
    });
  }

  /** The class path is searched in its order, except for what is the app's own. */
  #addLibrary(entries: readonly ZipEntry[], origin: Origin): void {
    for (const name of packagesOf(entries)) if (origin.library === null || !this.#byPackage.has(name)) this.#byPackage.set(name, origin);
  }
}

/** @param part of the names of those that count */
function packagesOf(entries: readonly ZipEntry[], part = /^/): Set<string> {
  const packages = new Set<string>();
  for (const { name } of entries) {
    if (!name.endsWith('.class') || !part.test(name)) continue;
    const file = name.replace(part, '').replace(/^META-INF\/versions\/\d+\//, '');
    if (file.includes('/')) packages.add(file.slice(0, file.lastIndexOf('/')));
  }
  return packages;
}

/** The package of the class that an archive is started with; '' where it names none. */
function mainOf(piece: Piece, entries: readonly ZipEntry[]): string {
  const manifest = entries.find(({ name }) => name === 'META-INF/MANIFEST.MF');
  const text = manifest === undefined ? null : attempt(() => unpacked(piece, manifest, largestManifestBytes), null);
  const name = mainClass.exec(text?.toString('utf8') ?? '')?.[1] ?? '';
  return name.split('.').slice(0, -1).join('/');
}

/** By convention a package begins with the domain of who wrote it: its first two parts. Null for no package. */
function domainOf(name: string): string | null {
  return name === '' ? null : name.split('/').slice(0, 2).join('/');
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || name.startsWith(`${outer}/`);
}

/** Calls `use` with the list of an archive; not for a file that is none, or cannot be read. */
function archived(file: string, use: (piece: Piece, entries: readonly ZipEntry[]) => void): void {
  const read = (): void =>
    readPieces(file, null, (piece, bytes) => {
      const entries = zipEntries(piece, { start: 0, bytes });
      if (entries !== null) use(piece, entries);
    });
  attempt(read, undefined);
}

/** The files of an archive that is stored unpacked in another; none for one that is packed. */
function nested(piece: Piece, entry: ZipEntry): readonly ZipEntry[] {
  const place = entry.isStored ? contentOf(piece, entry) : null;
  return (place === null ? null : zipEntries(piece, place)) ?? [];
}

/** Folders with class files below one, as names of packages. */
function packagesBelow(top: string): string[] {
  const packages: string[] = [];
  for (const { folder, entries } of foldersBelow([top], () => true, mostFolders)) {
    const name = path.relative(top, folder).replaceAll(path.sep, '/');
    if (name !== '' && entries.some((entry) => entry.name.endsWith('.class'))) packages.push(name);
  }
  return packages;
}

/** The folders of sources of a workspace and of its modules. */
function sourceFoldersOf(root: string): string[] {
  const isEntered = (name: string, depth: number): boolean => depth < deepest && !name.startsWith('.') && !passedOver.has(name);
  const folders = Array.from(foldersBelow([root], isEntered, mostFolders), ({ folder }) => folder);
  return folders.flatMap((folder) => sourceFolders.map((one) => path.join(folder, one)).filter(isFolder));
}

/** `thymeleaf-spring6-3.1.3.RELEASE.jar` is `thymeleaf-spring6 3.1`. */
function libraryOf(file: string): string {
  const stem = file.replace(/\.[a-z]+$/i, '');
  const parts = /^(.+?)[-_](\d+(?:\.\d+)?)(?:[.\-_].*)?$/.exec(stem);
  return parts === null ? stem : `${parts[1]} ${parts[2]}`;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
