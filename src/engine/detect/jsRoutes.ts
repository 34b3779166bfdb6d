import { type FolderFiles, within } from './folderFiles.ts';
import { type Imported, firstOf, handlerPlace, importsOf, resolveImport } from './jsImports.ts';
import { joinPaths, mostSeenRoutes, pathRoute } from './pathRoute.ts';
import { remembered } from '../../model/domain/remembered.ts';
import type { Route } from '../../model/domain/target.ts';

/** A route that a file registers with a framework. */
export interface SeenRoute {
  route: Route;
  file: string;
  line: number;
  /** Where another file has the function that answers it. */
  handler?: { file: string; line: number };
  /** Its router, or the file that no other names, is mounted at a path that no file says. */
  isBelow?: true;
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
/** `use` of Express and Koa, `route` of Hono. */
const use =
  /(?:(?<![\w$])([A-Za-z_$][\w$]*)\s*)?\.(?:use|route)\s*\(\s*(['"`])(\/[^'"`]*)\2\s*,\s*(?:[\w$.]+\s*(?:\([^()]*\)\s*)?,\s*)*(?:(?!require\b)([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\5\s*\))/g;
const register =
  /\.register\s*\(\s*(?:(?!require\b)([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\2\s*\))\s*,\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/g;
const makesRouter = /\bRouter\s*\(/;
const exportsAny = /\bmodule\.exports\b|\bexport\s/;
const loads = /\b(?:from|require|import)[\s(]{0,8}(['"`])(\.[^'"`]*)\1/g;
const routerPrefix = /new\s+(?:Koa)?Router\s*\(\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/;
const mostStatements = 1_000;
const mostHandlers = 300;
/** A router is mounted at fewer places. */
const mostMounts = 20;
/** Routers within routers. */
const mostLevels = 4;
/** Names that carry `.get("/…")` and answer nothing: clients and maps. */
const notAServer =
  /^(?:axios|http|https|client|cache|map|params|headers|config|store|redis|agent|request|supertest|fetch|got|ky|searchParams|cy|page|test)$/i;
const controller = /@Controller\s*\(\s*(?:['"`]([^'"`]*)['"`])?/;
const nestVerb = /@(Get|Post|Put|Patch|Delete)\s*\(\s*(?:['"`]([^'"`]*)['"`]\s*)?\)/g;
/** LoopBack’s, in controllers that name whole paths. */
const loopbackVerb = /@(get|post|put|patch|del)\s*\(\s*(['"`])(\/[^'"`]*)\2/g;
const nestPrefix = /setGlobalPrefix\s*\(\s*['"`]([^'"`]+)['"`]/;

/** The routes that these files register with Express, Fastify, Koa's router, Hono, Nest and LoopBack, with what their routers are mounted at. */
export function jsRoutes(files: FolderFiles, sources: readonly string[]): SeenRoute[] {
  const imports = new Map(sources.map((file) => [file, importsOf(files, sources, file)]));
  const mounts = mountPoints(files, sources, imports);
  const loaded = loadedFiles(files, sources);
  let handlers = 0;
  const global = sources.map((file) => nestPrefix.exec(files.text(file) ?? '')?.[1]).find((prefix) => prefix !== undefined) ?? '';
  const seen: SeenRoute[] = [];
  for (const file of sources) {
    if (seen.length >= mostSeenRoutes) break;
    const text = files.source(file);
    const prefixes = mounts.get(file) ?? [''];
    const mayBeBelow = !mounts.has(file) && (makesRouter.test(text) || (exportsAny.test(text) && !loaded.has(file)));
    const localPrefixes = localMounts(text, imports.get(file));
    const own = routerPrefix.exec(text)?.[1] ?? '';
    /** @param given where the arguments of a call go on, of which the last one may name its handler; `router`: the name that the route is registered with */
    const tell = (
      method: string,
      written: string,
      at: number,
      { before = own, given, router = '' }: { before?: string; given?: number; router?: string } = {},
    ): void => {
      const local = localPrefixes(router);
      const isBelow = mayBeBelow && local === null;
      const handler = given === undefined || handlers >= mostHandlers ? null : handlerPlace(files, imports.get(file), text, given);
      if (handler !== null) handlers += 1;
      for (const prefix of prefixes.flatMap((one) => (local ?? ['']).map((inner) => joinPaths(one, inner)))) {
        const route = pathRoute(method, joinPaths(prefix, before, written));
        if (route === null || seen.length >= mostSeenRoutes) continue;
        const line = files.lineAt(file, at);
        seen.push({ route, file, line, ...(handler === null ? {} : { handler }), ...(isBelow ? { isBelow } : {}) });
      }
    };
    for (const { 0: call, 1: name = '', 2: method = '', 4: written = '', index } of text.matchAll(verb)) {
      if (!notAServer.test(name) && !(written === '' && own === '' && prefixes[0] === ''))
        tell(method, written, index, { given: index + call.length, router: name });
    }
    for (const { 0: call, 1: router = '', 3: written = '', 4: rest = '', index } of text.matchAll(chained)) {
      const from = index + call.length - rest.length;
      for (const { 0: one, 1: method = '', index: at } of rest.matchAll(/(get|post|put|patch|delete)\s*\(/g))
        if (/\.\s*$/.test(rest.slice(0, at))) tell(method, written, from + at, { given: from + at + one.length, router });
    }
    for (const { 1: options = '', index } of text.matchAll(fastifyRoute)) {
      const method = fastifyMethod.exec(options);
      const written = method === null ? null : fastifyPath.exec(options.slice(method.index + method[0].length));
      if (method !== null && written !== null) tell(method[1] ?? '', written[1] ?? '', index);
    }
    const nest = controller.exec(text);
    if (nest !== null)
      for (const { 1: method = '', 2: written = '', index } of text.matchAll(nestVerb))
        tell(method, written, index, { before: joinPaths(global, nest[1] ?? '') });
    for (const { 1: method = '', 3: written = '', index } of text.matchAll(loopbackVerb))
      tell(method === 'del' ? 'delete' : method, written, index);
  }
  return once(seen);
}

const mentioned = /(['"`])(\/[\w.~:-]{1,60}(?:\/[\w.~:-]{1,60}){0,6})\1/g;
const mostMentions = 100;

const dataFile = /(?<!(?:^|\/)(?:package|package-lock|tsconfig[^/]*))\.(?:json|ya?ml)$/;
const mostDataFiles = 100;

/** What a server may read its answers from, as one that plays others does. */
export function dataFiles(files: FolderFiles, folder: string): string[] {
  return files
    .under(folder)
    .filter((file) => dataFile.test(file))
    .slice(0, mostDataFiles);
}

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

/** The first of those with the same method and path; of routers whose whole paths are not known, of each file. */
export function once(seen: readonly SeenRoute[]): SeenRoute[] {
  const key = ({ route, file, isBelow }: SeenRoute): string => `${isBelow === true ? file : ''} ${route.method} ${route.path}`;
  return [...new Map([...seen].reverse().map((one) => [key(one), one])).values()].reverse();
}

type ImportsByFile = ReadonlyMap<string, ReadonlyMap<string, Imported>>;

/** The files that others of these name as what they load. */
function loadedFiles(files: FolderFiles, sources: readonly string[]): Set<string> {
  const known = new Set(sources);
  return new Set(
    sources.flatMap((file) =>
      [...firstOf(files.source(file).matchAll(loads), mostStatements)].flatMap(({ 2: to = '' }) => resolveImport(known, file, to) ?? []),
    ),
  );
}

/** A router of a file, as another file mounts it. */
interface Mount {
  by: string;
  prefix: string;
}

/** Which prefixes the router of a file is mounted at, with those of the routers that mount it. */
function mountPoints(files: FolderFiles, sources: readonly string[], imports: ImportsByFile): Map<string, string[]> {
  const mounts = mountsOf(files, sources, imports);
  let known = new Map<string, string[]>();
  // Each time one level more is known; a circle ends with the last one.
  for (let level = 0; level < mostLevels; level += 1) {
    const before = known;
    known = new Map(
      [...mounts].map(([file, own]) => {
        const all = own.flatMap(({ by, prefix }) => (before.get(by) ?? ['']).map((one) => joinPaths(one, prefix)));
        return [file, [...new Set(all)].slice(0, mostMounts)];
      }),
    );
  }
  return known;
}

function mountsOf(files: FolderFiles, sources: readonly string[], imports: ImportsByFile): Map<string, Mount[]> {
  const mounts = new Map<string, Mount[]>();
  const known = new Set(sources);
  for (const file of sources) {
    const text = files.source(file);
    const mount = (prefix: string, name: string | undefined, required: string | undefined): void => {
      const to = required === undefined ? imports.get(file)?.get(name ?? '')?.file : resolveImport(known, file, required);
      if (to === undefined || to === null || to === file) return;
      const at = mounts.get(to) ?? [];
      if (at.length < mostMounts) mounts.set(to, [...at, { by: file, prefix }]);
    };
    const localPrefixes = localMounts(text, imports.get(file));
    for (const { 1: by = '', 3: prefix = '', 4: name, 6: required } of firstOf(text.matchAll(use), mostStatements))
      for (const outer of localPrefixes(by) ?? ['']) mount(joinPaths(outer, prefix), name, required);
    for (const match of firstOf(text.matchAll(register), mostStatements)) mount(match[4] ?? '', match[1], match[3]);
  }
  return mounts;
}

/** Which prefixes a router is mounted at that is made in the same file, by its name there; null for a name that is mounted nowhere in it. */
function localMounts(text: string, imports: ReadonlyMap<string, Imported> | undefined): (name: string) => string[] | null {
  const mounts = new Map<string, { by: string; prefix: string }[]>();
  for (const { 1: by = '', 3: prefix = '', 4: name } of firstOf(text.matchAll(use), mostStatements)) {
    if (name === undefined || name === by || imports?.has(name) === true) continue;
    const at = mounts.get(name) ?? [];
    if (at.length < mostMounts) mounts.set(name, [...at, { by, prefix }]);
  }
  const known = new Map<string, string[] | null>();
  const prefixesOf = (name: string, level: number): string[] | null => remembered(known, `${level} ${name}`, () => mountedAt(name, level));
  const mountedAt = (name: string, level: number): string[] | null => {
    const own = mounts.get(name);
    if (own === undefined || level > mostLevels) return null;
    const all = own.flatMap(({ by, prefix }) => (prefixesOf(by, level + 1) ?? ['']).map((outer) => joinPaths(outer, prefix)));
    return [...new Set(all)].slice(0, mostMounts);
  };
  return (name) => prefixesOf(name, 0);
}
