import * as z from 'zod';
import { readYaml } from './boundedYaml.ts';
import { pathRoute, joinPaths } from './pathRoute.ts';
import { type SeenRoute, once } from './jsRoutes.ts';
import type { FolderFiles } from './folderFiles.ts';
import { parsedJson } from '../files/parsedJson.ts';

const description = z.object({
  openapi: z.string().optional(),
  swagger: z.union([z.string(), z.number()]).optional(),
  basePath: z.string().optional(),
  servers: z.array(z.object({ url: z.string() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const named = /(?:^|\/)(?:openapi|swagger|api-docs?)[\w.-]*\.(?:json|ya?ml)$/i;
const mayBeOne = /\.(?:json|ya?ml)$/i;
/** Its version is the first thing that a description says, mostly after a comment. */
const saysSo = /^[ \t{]*["']?(?:openapi|swagger)["']?[ \t]*:/m;
/** Files of any name that are looked into, in the folder itself and in those right below it. */
const mostLookedInto = 50;

/** A service has one description, or a few versions of it. */
const mostDescriptions = 5;
/** Of one description. */
const mostPaths = 500;

/** The routes that OpenAPI or Swagger files of a folder declare. What cannot be read as one says nothing. */
export function openApiRoutes(files: FolderFiles, folder: string): SeenRoute[] {
  return once(
    descriptions(files, folder)
      .slice(0, mostDescriptions)
      .flatMap((file) => {
        const text = files.text(file) ?? '';
        return describedOperations(text).flatMap(({ method, path, written }) => {
          const route = pathRoute(method, path);
          return route === null ? [] : [{ route, file, line: files.lineAt(file, Math.max(0, text.indexOf(written))) }];
        });
      }),
  );
}

/** Those whose name says it first, then those that begin as one. */
function descriptions(files: FolderFiles, folder: string): string[] {
  const all = files.under(folder);
  const byName = all.filter((file) => named.test(file));
  const depth = folder === '.' ? 0 : folder.split('/').length;
  const others = all.filter((file) => mayBeOne.test(file) && !byName.includes(file) && file.split('/').length <= depth + 2);
  return [...byName, ...others.slice(0, mostLookedInto).filter((file) => saysSo.test(files.head(file)))];
}

/** The operations of a description: `path` with the base before it, `written` as the file has it. Empty where it is none. */
export function describedOperations(text: string): { method: string; path: string; written: string }[] {
  const read = readDescription(text);
  if (read === null) return [];
  const base = read.basePath ?? pathOf(read.servers?.[0]?.url ?? '');
  return Object.entries(read.paths)
    .slice(0, mostPaths)
    .flatMap(([written, operations]) => Object.keys(operations).map((method) => ({ method, path: joinPaths(base, written), written })));
}

function readDescription(text: string): z.infer<typeof description> | null {
  // JSON is YAML too, and read in a hundredth of the time.
  const read = description.safeParse(parsedJson(text) ?? readYaml(text));
  return read.success && (read.data.openapi !== undefined || read.data.swagger !== undefined) ? read.data : null;
}

function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : (/^\w+:\/\/[^/]+(\/.*)?$/.exec(url)?.[1] ?? '');
  return path.includes('{') ? '' : path;
}
