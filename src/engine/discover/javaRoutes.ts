import { lineAt } from './folderFiles.ts';
import type { FolderFiles } from './folderFiles.ts';
import { once, withoutComments } from './jsRoutes.ts';
import type { SeenRoute } from './jsRoutes.ts';
import { joinPaths, pathRoute } from './pathRoute.ts';

/** Sources of Java and Kotlin, without tests. */
export function javaSources(files: FolderFiles, folder: string): string[] {
  return files.under(folder).filter((file) => /\.(?:java|kt)$/.test(file) && !/(?:^|\/)src\/test\//.test(file));
}

const spring = /@(Get|Post|Put|Patch|Delete)Mapping\b(?:\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\))?/g;
const springRequest = /@RequestMapping\s*\(([^()]*)\)/g;
const jaxVerb = /@(GET|POST|PUT|PATCH|DELETE)\b/g;
/** As far as the statement goes; braces within quotes do not end it. */
const lastWords = /(?:"[^"\n]*"|[^;{}"])*$/;
const firstWords = /^(?:"[^"\n]*"|[^;{}"])*/;
const servlet = /\.(?:addServlet|addServletWithMapping)\s*\([^;]*?,\s*"(\/[^"]*)"\s*\)/g;
const webServlet = /@WebServlet\s*\(\s*(?:[^)]*?(?:urlPatterns|value)\s*=\s*)?\{?\s*"(\/[^"]*)"/g;

/** The routes that Spring MVC, JAX-RS, servlets and Javalin-like calls are told of in these files. */
export function javaRoutes(files: FolderFiles, sources: readonly string[]): SeenRoute[] {
  return once(
    sources.flatMap((file) => {
      const text = withoutComments(files.text(file) ?? '');
      const seen: SeenRoute[] = [];
      const tell = (method: string, path: string, at: number): void => {
        const route = pathRoute(method, path);
        if (route !== null) seen.push({ route, file, line: lineAt(text, at) });
      };
      const declared = /\b(?:class|interface)\s+\w+/.exec(text)?.index ?? 0;
      if (/@(?:Rest)?Controller\b/.test(text)) {
        const base = [...text.matchAll(springRequest)].find(({ index }) => index < declared)?.[1] ?? '';
        for (const { 1: method = '', 2: given = '', index } of text.matchAll(spring))
          for (const path of quoted(given)) tell(method, joinPaths(quoted(base)[0] ?? '', path), index);
        for (const { 1: given = '', index } of text.matchAll(springRequest)) {
          const method = /RequestMethod\.(\w+)/.exec(given)?.[1];
          if (index > declared && method !== undefined)
            for (const path of quoted(given)) tell(method, joinPaths(quoted(base)[0] ?? '', path), index);
        }
      }
      for (const { 1: method = '', index } of text.matchAll(jaxVerb)) {
        if (!/\b(?:javax|jakarta)\.ws\.rs\b/.test(text)) break;
        const base = /@Path\s*\(\s*"([^"]*)"\s*\)/.exec(text.slice(0, declared))?.[1] ?? '';
        // The path of a method stands beside its verb, before or after it.
        const around = `${lastWords.exec(text.slice(Math.max(0, index - 300), index))?.[0] ?? ''}${firstWords.exec(text.slice(index, index + 300))?.[0] ?? ''}`;
        if (index > declared) tell(method, joinPaths(base, /@Path\s*\(\s*"([^"]*)"\s*\)/.exec(around)?.[1] ?? ''), index);
      }
      for (const { 1: path = '', index } of [...text.matchAll(servlet), ...text.matchAll(webServlet)])
        tell('GET', path.replace(/\/\*$/, ''), index);
      return seen;
    }),
  );
}

/** The paths that an annotation was given; one without any stands for its class’s path. Media types and the like are no paths. */
function quoted(given: string): string[] {
  const paths = [
    ...given.replace(/\b(?:produces|consumes|headers|params|name)\s*=\s*(?:\{[^}]*\}|"[^"]*"|[\w.]+)/g, '').matchAll(/"([^"]*)"/g),
  ].map(([, path = '']) => path);
  return paths.length === 0 ? [''] : paths;
}
