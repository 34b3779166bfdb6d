import path from 'node:path';
import { within } from './folderFiles.ts';
import type { FolderFiles } from './folderFiles.ts';
import { joinPaths, mostSeenRoutes, pathRoute } from './pathRoute.ts';
import type { Route } from '../../model/domain/target.ts';

/** A route that a file registers with a framework. */
export interface SeenRoute {
  route: Route;
  file: string;
  line: number;
}

const sourceEnding = /\.(?:[cm]?[jt]s)$/;
const testFile = /(?:^|\/)(?:test|tests|__tests__|spec)\/|\.(?:test|spec|d)\.[cm]?[jt]s$/;

/** Source files of JavaScript and TypeScript, without tests and declarations. A package keeps what it starts in `bin`, where others keep what was built. */
export function jsSources(files: FolderFiles, folder: string): string[] {
  return [...files.under(folder), ...files.filesIn(within(folder, 'bin'))].filter(
    (file) => sourceEnding.test(file) && !testFile.test(file),
  );
}

// Each of these is tried at few places and reads on from there to the next bracket or quote: an expression of quadratic cost in the text's length would keep
// the user waiting.

const verb = /(?<![\w$])([A-Za-z_$][\w$]*)\s*\.\s*(get|post|put|patch|delete)\s*\(\s*(['"`])(\/[^'"`]*|)\3/g;
const chained =
  /(?<![\w$])([A-Za-z_$][\w$]*)\s*\.\s*route\s*\(\s*(['"`])(\/[^'"`]*)\2\s*\)((?:\s*\.\s*(?:get|post|put|patch|delete)\s*\((?:[^()]|\([^()]*\))*\))+)/g;
const fastifyRoute = /\.route\s*\(\s*\{([^{}]*)/g;
const fastifyMethod = /\bmethod\s*:\s*['"`](\w+)['"`]/;
const fastifyPath = /\b(?:url|path)\s*:\s*['"`](\/[^'"`]*)['"`]/;
const use =
  /\.use\s*\(\s*(['"`])(\/[^'"`]*)\1\s*,\s*(?:[\w$.]+\s*(?:\([^()]*\)\s*)?,\s*)*(?:([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\4\s*\))/g;
const register =
  /\.register\s*\(\s*(?:([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\2\s*\))\s*,\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/g;
const routerPrefix = /new\s+(?:Koa)?Router\s*\(\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/;
/** What follows the names of an import. */
const importedFrom = /\bfrom\s*(['"`])(\.[^'"`]+)\1|=\s*require\s*\(\s*(['"`])(\.[^'"`]+)\3\s*\)/g;
/** A list of imported names is shorter. */
const longestImport = 2_000;
/** Imports of a file, and what it mounts. */
const mostStatements = 1_000;
/** A router is mounted at fewer places. */
const mostMounts = 20;
/** Names that carry `.get("/…")` and answer nothing: clients and maps. */
const notAServer =
  /^(?:axios|http|https|client|cache|map|params|headers|config|store|redis|agent|request|supertest|fetch|got|ky|searchParams|cy|page|test)$/i;
const controller = /@Controller\s*\(\s*(?:['"`]([^'"`]*)['"`])?/;
const nestVerb = /@(Get|Post|Put|Patch|Delete)\s*\(\s*(?:['"`]([^'"`]*)['"`]\s*)?\)/g;
const nestPrefix = /setGlobalPrefix\s*\(\s*['"`]([^'"`]+)['"`]/;

/** The routes that these files register with Express, Fastify, Koa's router, Hono and Nest, with what their routers are mounted at, one level deep. */
export function jsRoutes(files: FolderFiles, sources: readonly string[]): SeenRoute[] {
  const mounts = mountPoints(files, sources);
  const global = sources.map((file) => nestPrefix.exec(files.text(file) ?? '')?.[1]).find((prefix) => prefix !== undefined) ?? '';
  const seen: SeenRoute[] = [];
  for (const file of sources) {
    if (seen.length >= mostSeenRoutes) break;
    const text = files.source(file);
    const prefixes = mounts.get(file) ?? [''];
    const own = routerPrefix.exec(text)?.[1] ?? '';
    const tell = (method: string, written: string, at: number, before = own): void => {
      for (const prefix of prefixes) {
        const route = pathRoute(method, joinPaths(prefix, before, written));
        if (route !== null && seen.length < mostSeenRoutes) seen.push({ route, file, line: files.lineAt(file, at) });
      }
    };
    for (const { 1: name = '', 2: method = '', 4: written = '', index } of text.matchAll(verb)) {
      if (!notAServer.test(name) && !(written === '' && own === '' && prefixes[0] === '')) tell(method, written, index);
    }
    for (const { 3: written = '', 4: rest = '', index } of text.matchAll(chained))
      for (const [, method = ''] of rest.matchAll(/\.\s*(get|post|put|patch|delete)\s*\(/g)) tell(method, written, index);
    for (const { 1: options = '', index } of text.matchAll(fastifyRoute)) {
      const method = fastifyMethod.exec(options);
      const written = method === null ? null : fastifyPath.exec(options.slice(method.index + method[0].length));
      if (method !== null && written !== null) tell(method[1] ?? '', written[1] ?? '', index);
    }
    const nest = controller.exec(text);
    if (nest !== null)
      for (const { 1: method = '', 2: written = '', index } of text.matchAll(nestVerb))
        tell(method, written, index, joinPaths(global, nest[1] ?? ''));
  }
  return once(seen);
}

const mentioned = /(['"`])(\/[\w.~:-]{1,60}(?:\/[\w.~:-]{1,60}){0,6})\1/g;
const mostMentions = 100;

/** Texts of these files that can be paths, whatever the code does with them: all that the files of a server without a framework say. */
export function mentionedPaths(files: FolderFiles, sources: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of sources)
    for (const { 2: path = '' } of files.source(file).matchAll(mentioned)) {
      if (found.size >= mostMentions) return [...found];
      found.add(path);
    }
  return [...found];
}

/** The first of those with the same method and path. */
export function once(seen: readonly SeenRoute[]): SeenRoute[] {
  return [...new Map([...seen].reverse().map((one) => [`${one.route.method} ${one.route.path}`, one])).values()].reverse();
}

/** Which prefixes the router of a file is mounted at. */
function mountPoints(files: FolderFiles, sources: readonly string[]): Map<string, string[]> {
  const mounts = new Map<string, string[]>();
  const known = new Set(sources);
  for (const file of sources) {
    const text = files.source(file);
    const imports = new Map<string, string>();
    let readTo = 0;
    for (const match of firstOf(text.matchAll(importedFrom), mostStatements)) {
      const before = text.slice(Math.max(readTo, match.index - longestImport), match.index);
      readTo = match.index + match[0].length;
      const from = match[2] ?? match[4] ?? '';
      const name = match[2] === undefined ? requiredName(before) : importedName(before);
      const resolved = name === null ? null : resolveImport(known, file, from);
      if (name !== null && resolved !== null) imports.set(name, resolved);
    }
    const mount = (prefix: string, name: string | undefined, required: string | undefined): void => {
      const to = required === undefined ? imports.get(name ?? '') : resolveImport(known, file, required);
      if (to === undefined || to === null || to === file) return;
      const at = mounts.get(to) ?? [];
      if (at.length < mostMounts) mounts.set(to, [...at, prefix]);
    };
    for (const match of firstOf(text.matchAll(use), mostStatements)) mount(match[2] ?? '', match[3], match[5]);
    for (const match of firstOf(text.matchAll(register), mostStatements)) mount(match[4] ?? '', match[1], match[3]);
  }
  return mounts;
}

function* firstOf<T>(all: Iterable<T>, most: number): Iterable<T> {
  let count = 0;
  for (const one of all) {
    if (count === most) return;
    count += 1;
    yield one;
  }
}

/** The first name of the import statement at whose `from` this ends. */
function importedName(before: string): string | null {
  const names = before.slice(before.lastIndexOf('import'));
  return /['"`;]/.test(names) ? null : (/^import\s+\{?\s*([\w$]+)/.exec(names)?.[1] ?? null);
}

/** The first name that is declared by the statement at whose `=` this ends. */
function requiredName(before: string): string | null {
  const names = before.slice(Math.max(...['const', 'let', 'var'].map((word) => before.lastIndexOf(word)), 0));
  return /[=;]/.test(names) ? null : (/^(?:const|let|var)\s+(?:\{\s*)?([\w$]+)/.exec(names)?.[1] ?? null);
}

function resolveImport(sources: ReadonlySet<string>, from: string, to: string): string | null {
  const base = path.posix.join(path.posix.dirname(from), to);
  const stem = base.replace(/\.[cm]?[jt]s$/, '');
  const endings = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts'];
  const candidates = [base, ...endings.map((ending) => `${stem}${ending}`), ...endings.map((ending) => `${base}/index${ending}`)];
  return candidates.find((candidate) => sources.has(candidate)) ?? null;
}
