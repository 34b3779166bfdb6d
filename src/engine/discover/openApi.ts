import { parse } from 'yaml';
import * as z from 'zod';
import { pathRoute, joinPaths } from './pathRoute.ts';
import { once } from './jsRoutes.ts';
import type { SeenRoute } from './jsRoutes.ts';
import type { FolderFiles } from './folderFiles.ts';

const description = z.object({
  openapi: z.string().optional(),
  swagger: z.union([z.string(), z.number()]).optional(),
  basePath: z.string().optional(),
  servers: z.array(z.object({ url: z.string() })).optional(),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const named = /(?:^|\/)(?:openapi|swagger|api-docs?)[\w.-]*\.(?:json|ya?ml)$/i;

/** The routes that OpenAPI or Swagger files of a folder declare. What cannot be read as one says nothing. */
export function openApiRoutes(files: FolderFiles, folder: string): SeenRoute[] {
  return once(
    files
      .under(folder)
      .filter((file) => named.test(file))
      .flatMap((file) => {
        const text = files.text(file) ?? '';
        const read = readDescription(text);
        if (read === null) return [];
        const base = read.basePath ?? pathOf(read.servers?.[0]?.url ?? '');
        return Object.entries(read.paths).flatMap(([path, operations]) =>
          Object.keys(operations).flatMap((method) => {
            const route = pathRoute(method, joinPaths(base, path));
            return route === null ? [] : [{ route, file, line: lineOf(text, path) }];
          }),
        );
      }),
  );
}

function readDescription(text: string): z.infer<typeof description> | null {
  try {
    // Aliases are not followed: a few of them can stand for more than fits in memory.
    const read = description.safeParse(parse(text, { maxAliasCount: 0, logLevel: 'silent' }));
    return read.success && (read.data.openapi !== undefined || read.data.swagger !== undefined) ? read.data : null;
  } catch {
    return null;
  }
}

function pathOf(url: string): string {
  const path = url.startsWith('/') ? url : (/^\w+:\/\/[^/]+(\/.*)?$/.exec(url)?.[1] ?? '');
  return path.includes('{') ? '' : path;
}

function lineOf(text: string, path: string): number {
  const at = text.indexOf(path);
  return at === -1 ? 1 : text.slice(0, at).split('\n').length;
}
