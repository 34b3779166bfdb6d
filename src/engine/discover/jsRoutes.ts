import path from 'node:path';
import { lineAt } from './folderFiles.ts';
import type { FolderFiles } from './folderFiles.ts';
import { joinPaths, pathRoute } from './pathRoute.ts';
import type { Route } from '../../model/target.ts';

/** A route that a framework is told of in a file. */
export interface SeenRoute {
  route: Route;
  file: string;
  line: number;
}

const sourceEnding = /\.(?:[cm]?[jt]s)$/;
const testFile = /(?:^|\/)(?:test|tests|__tests__|spec)\/|\.(?:test|spec|d)\.[cm]?[jt]s$/;

/** Source files of JavaScript and TypeScript, without tests and declarations. */
export function jsSources(files: FolderFiles, folder: string): string[] {
  return files.under(folder).filter((file) => sourceEnding.test(file) && !testFile.test(file));
}

const verb = /\b([A-Za-z_$][\w$]*)\s*\.\s*(get|post|put|patch|delete)\s*\(\s*(['"`])(\/[^'"`]*|)\3/g;
const chained =
  /\b([A-Za-z_$][\w$]*)\s*\.\s*route\s*\(\s*(['"`])(\/[^'"`]*)\2\s*\)((?:\s*\.\s*(?:get|post|put|patch|delete)\s*\((?:[^()]|\([^()]*\))*\))+)/g;
const fastifyRoute = /\.route\s*\(\s*\{[^{}]*?\bmethod\s*:\s*['"`](\w+)['"`][^{}]*?\b(?:url|path)\s*:\s*['"`](\/[^'"`]*)['"`]/g;
const use =
  /\.use\s*\(\s*(['"`])(\/[^'"`]*)\1\s*,\s*(?:[\w$.]+\s*(?:\([^()]*\))?\s*,\s*)*(?:([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\4\s*\))/g;
const register =
  /\.register\s*\(\s*(?:([A-Za-z_$][\w$]*)|require\s*\(\s*(['"`])([^'"`]+)\2\s*\))\s*,\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/g;
const routerPrefix = /new\s+(?:Koa)?Router\s*\(\s*\{[^{}]*?\bprefix\s*:\s*['"`](\/[^'"`]*)['"`]/;
const imported =
  /import\s+(?:\{?\s*([\w$]+)[^'"`;]*?)\s+from\s*(['"`])(\.[^'"`]+)\2|(?:const|let|var)\s+(?:\{\s*)?([\w$]+)[^=;]*=\s*require\s*\(\s*(['"`])(\.[^'"`]+)\5\s*\)/g;
/** Names that carry `.get("/…")` and answer nothing: clients and maps. */
const notAServer =
  /^(?:axios|http|https|client|cache|map|params|headers|config|store|redis|agent|request|supertest|fetch|got|ky|searchParams|cy|page|test)$/i;
const controller = /@Controller\s*\(\s*(?:['"`]([^'"`]*)['"`])?[^)]*\)/;
const nestVerb = /@(Get|Post|Put|Patch|Delete)\s*\(\s*(?:['"`]([^'"`]*)['"`])?\s*\)/g;
const nestPrefix = /setGlobalPrefix\s*\(\s*['"`]([^'"`]+)['"`]/;

/** The routes that Express, Fastify, Koa's router, Hono and Nest are told of in these files, with what their routers are mounted at, one level deep. */
export function jsRoutes(files: FolderFiles, sources: readonly string[]): SeenRoute[] {
  const mounts = mountPoints(files, sources);
  const global = sources.map((file) => nestPrefix.exec(files.text(file) ?? '')?.[1]).find((prefix) => prefix !== undefined) ?? '';
  const seen: SeenRoute[] = [];
  for (const file of sources) {
    const text = withoutComments(files.text(file) ?? '');
    const prefixes = mounts.get(file) ?? [''];
    const own = routerPrefix.exec(text)?.[1] ?? '';
    const tell = (method: string, written: string, at: number, before = own): void => {
      for (const prefix of prefixes) {
        const route = pathRoute(method, joinPaths(prefix, before, written));
        if (route !== null) seen.push({ route, file, line: lineAt(text, at) });
      }
    };
    for (const { 1: name = '', 2: method = '', 4: written = '', index } of text.matchAll(verb)) {
      if (!notAServer.test(name) && !(written === '' && own === '' && prefixes[0] === '')) tell(method, written, index);
    }
    for (const { 3: written = '', 4: rest = '', index } of text.matchAll(chained))
      for (const [, method = ''] of rest.matchAll(/\.\s*(get|post|put|patch|delete)\s*\(/g)) tell(method, written, index);
    for (const { 1: method = '', 2: written = '', index } of text.matchAll(fastifyRoute)) tell(method, written, index);
    const nest = controller.exec(text);
    if (nest !== null)
      for (const { 1: method = '', 2: written = '', index } of text.matchAll(nestVerb))
        tell(method, written, index, joinPaths(global, nest[1] ?? ''));
  }
  return once(seen);
}

/** The first of those with the same method and path. */
export function once(seen: readonly SeenRoute[]): SeenRoute[] {
  return [...new Map([...seen].reverse().map((one) => [`${one.route.method} ${one.route.path}`, one])).values()].reverse();
}

/** Which prefixes the router of a file is mounted at. */
function mountPoints(files: FolderFiles, sources: readonly string[]): Map<string, string[]> {
  const mounts = new Map<string, string[]>();
  for (const file of sources) {
    const text = withoutComments(files.text(file) ?? '');
    const imports = new Map<string, string>();
    for (const match of text.matchAll(imported)) {
      const name = match[1] ?? match[4];
      const from = match[3] ?? match[6];
      const resolved = from === undefined ? null : resolveImport(sources, file, from);
      if (name !== undefined && resolved !== null) imports.set(name, resolved);
    }
    const mount = (prefix: string, name: string | undefined, required: string | undefined): void => {
      const to = required === undefined ? imports.get(name ?? '') : resolveImport(sources, file, required);
      if (to !== undefined && to !== null && to !== file) mounts.set(to, [...(mounts.get(to) ?? []), prefix]);
    };
    for (const match of text.matchAll(use)) mount(match[2] ?? '', match[3], match[5]);
    for (const match of text.matchAll(register)) mount(match[4] ?? '', match[1], match[3]);
  }
  return mounts;
}

function resolveImport(sources: readonly string[], from: string, to: string): string | null {
  const base = path.posix.join(path.posix.dirname(from), to);
  const stem = base.replace(/\.[cm]?[jt]s$/, '');
  const endings = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts'];
  const candidates = [base, ...endings.map((ending) => `${stem}${ending}`), ...endings.map((ending) => `${base}/index${ending}`)];
  return candidates.find((candidate) => sources.includes(candidate)) ?? null;
}

/** Comments are blanked, so that offsets stay. What looks like one within a string (`http://`) stays. */
export function withoutComments(text: string): string {
  return text.replace(/(['"`])(?:\\.|(?!\1)[^\\\n])*\1|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (found) =>
    found.startsWith('/') ? found.replace(/[^\n]/g, ' ') : found,
  );
}
