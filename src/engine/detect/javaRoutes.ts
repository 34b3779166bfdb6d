import type { FolderFiles } from './folderFiles.ts';
import { type SeenRoute, once } from './jsRoutes.ts';
import { basePaths } from './jvmBasePaths.ts';
import { routerRoutes } from './jvmRouters.ts';
import { joinPaths, mostSeenRoutes, pathRoute } from './pathRoute.ts';

/** Sources of Java, Kotlin, Scala and Groovy, without tests. */
export function javaSources(files: FolderFiles, folder: string): string[] {
  return files.under(folder).filter((file) => /\.(?:java|kt|scala|groovy)$/.test(file) && !/(?:^|\/)src\/test\//.test(file));
}

const packaged = /^[ \t]*package[ \t]+([A-Za-z_][\w.]{0,200})/m;
const mostPackages = 50;

/** The packages of sources, without those within another of them. Classes in them are the app’s own, whichever class starts it. */
export function javaPackages(files: FolderFiles, sources: readonly string[]): string[] {
  const named = sources.flatMap((file) => packaged.exec(files.source(file))?.[1] ?? []);
  const all = [...new Set(named)].sort();
  return all.filter((one) => !all.some((other) => one.startsWith(`${other}.`))).slice(0, mostPackages);
}

const spring = /@(Get|Post|Put|Patch|Delete)Mapping\b(?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?/g;
const springRequest = /@RequestMapping\s*\(([^()]*)\)/g;
const controller = /@Controller\b(?:\s*\(([^()]*)\))?/;
const micronaut = /@(Get|Post|Put|Patch|Delete)\b(?:\s*\(([^()]*)\))?/g;
const jaxPath = /@Path\s*\(\s*(?:value\s*=\s*)?"([^"]*)"\s*\)/;
const jaxVerb = /@(GET|POST|PUT|PATCH|DELETE)\b/g;
const parts = /"[^"\n]*"|[;{}"]/g;
/** The path of a method is looked for within this distance around its verb. */
const nearCharacters = 300;
/** An annotation is shorter. */
const longestGiven = 2_000;
const servlet = /\.(?:addServlet|addServletWithMapping)\s*\([^;]{0,400}?,\s*"(\/[^"]*)"\s*\)/g;
const webServlet = /@WebServlet\s*\(\s*(?:[^)]{0,400}?(?:urlPatterns|value)\s*=\s*)?\{?\s*"(\/[^"]*)"/g;

/** The routes that Spring MVC, JAX-RS, servlets and routers such as those of Javalin declare in these files. */
export function javaRoutes(files: FolderFiles, folder: string, sources: readonly string[]): SeenRoute[] {
  const above = basePaths(files, folder, sources);
  return once([
    ...routerRoutes(files, sources),
    ...sources.flatMap((file) => {
      const text = files.source(file);
      const seen: SeenRoute[] = [];
      const tell = (method: string, path: string, at: number): void => {
        const route = pathRoute(method, path);
        if (route !== null && seen.length < mostSeenRoutes) seen.push({ route, file, line: files.lineAt(file, at) });
      };
      const declared = /\b(?:class|interface)\s+\w+/.exec(text)?.index ?? 0;
      if (/@(?:Rest)?Controller\b/.test(text)) {
        const given = [...text.matchAll(springRequest)].find(({ index }) => index < declared)?.[1] ?? '';
        const base = joinPaths(above.controllers, quoted(given)[0] ?? '');
        for (const { 1: method = '', 2: own = '', index } of text.matchAll(spring))
          for (const path of quoted(own)) tell(method, joinPaths(base, path), index);
        for (const { 1: given = '', index } of text.matchAll(springRequest)) {
          const method = /RequestMethod\.(\w+)/.exec(given)?.[1];
          if (index > declared && method !== undefined) for (const path of quoted(given)) tell(method, joinPaths(base, path), index);
        }
      }
      if (/\bio\.micronaut\.http\.annotation\b/.test(text)) {
        const base = joinPaths(above.controllers, quoted(controller.exec(text)?.[1] ?? '')[0] ?? '');
        for (const { 1: method = '', 2: own = '', index } of controller.test(text) ? text.matchAll(micronaut) : [])
          for (const path of quoted(own)) tell(method, joinPaths(base, path.replace(/\{\?[^{}]*\}$/, '')), index);
      }
      // A client of another service has these annotations, too.
      const isJax = /\b(?:javax|jakarta)\.ws\.rs\b/.test(text) && !/@RegisterRestClient\b/.test(text);
      const jaxBase = isJax ? joinPaths(above.resources, jaxPath.exec(text.slice(0, declared))?.[1] ?? '') : '';
      for (const { 1: method = '', index } of isJax ? text.matchAll(jaxVerb) : []) {
        if (seen.length >= mostSeenRoutes) break;
        // The path of a method is next to its verb, before or after it.
        const around = `${lastWords(text.slice(Math.max(0, index - nearCharacters), index))}${firstWords(text.slice(index, index + nearCharacters))}`;
        if (index > declared) tell(method, joinPaths(jaxBase, jaxPath.exec(around)?.[1] ?? ''), index);
      }
      for (const { 1: path = '', index } of [...text.matchAll(servlet), ...text.matchAll(webServlet)])
        // What serves resources of JAX-RS is no route of its own.
        if (joinPaths(path.replace(/\*$/, '')) !== above.resources || above.resources === '/')
          tell('GET', path.replace(/\/\*$/, ''), index);
      return seen;
    }),
  ]);
}

/** The statement that ends here; what is within quotes does not end it. */
function lastWords(text: string): string {
  let from = 0;
  for (const { 0: part, index } of text.matchAll(parts)) if (part.length === 1) from = index + 1;
  return text.slice(from);
}

/** The statement that begins here. */
function firstWords(text: string): string {
  for (const { 0: part, index } of text.matchAll(parts)) if (part.length === 1) return text.slice(0, index);
  return text;
}

/** The paths that an annotation was given; without any, it is its class’s path. Media types and the like are no paths. */
function quoted(given: string): string[] {
  const paths = [
    ...given
      .slice(0, longestGiven)
      .replace(/\b(?:produces|consumes|processes|headers|params|name)\s*=\s*(?:\{[^}]*\}|"[^"]*"|[\w.]+)/g, '')
      .matchAll(/"([^"]*)"/g),
  ].map(([, path = '']) => path);
  return paths.length === 0 ? [''] : paths;
}
