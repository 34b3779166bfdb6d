import { type FolderFiles, seenFrom } from './folderFiles.ts';
import type { SeenRoute } from './jsRoutes.ts';
import { readManifest } from './nodeManifest.ts';
import { mostSeenRoutes, pathRoute } from './pathRoute.ts';

/** How a framework makes a route of a file. */
interface FileRoutes {
  /** The dependency that does. */
  package: string;
  /** The files, seen from the folder of the package, with the path in the first group that took part. */
  files: RegExp;
  /** Methods are in the name of a file (Nitro), are its exports in capitals, or are whatever its one handler takes. */
  methods: 'name' | 'exports' | 'handler';
}

const script = '[cm]?[jt]sx?';
const kinds: readonly FileRoutes[] = [
  { package: 'next', files: new RegExp(`^(?:src/)?pages/(?!_|404\\.|500\\.)(.+)\\.${script}$`), methods: 'handler' },
  { package: 'next', files: new RegExp(`^(?:src/)?app/(?:(.*)/)?page\\.${script}$`), methods: 'handler' },
  { package: 'next', files: new RegExp(`^(?:src/)?app/(?:(.*)/)?route\\.${script}$`), methods: 'exports' },
  { package: 'nuxt', files: new RegExp(`^server/(?:(api/.+)|routes/(.+))\\.${script}$`), methods: 'name' },
  { package: 'nuxt', files: /^(?:app\/)?pages\/(.+)\.vue$/, methods: 'handler' },
  { package: 'nitropack', files: new RegExp(`^(?:server/)?(?:(api/.+)|routes/(.+))\\.${script}$`), methods: 'name' },
  { package: '@sveltejs/kit', files: /^src\/routes\/(?:(.*)\/)?\+server\.[jt]s$/, methods: 'exports' },
  { package: '@sveltejs/kit', files: /^src\/routes\/(?:(.*)\/)?\+page\.svelte$/, methods: 'handler' },
  { package: 'astro', files: /^src\/pages\/(.+)\.(?:astro|md|mdx)$/, methods: 'handler' },
  { package: 'astro', files: /^src\/pages\/(.+)\.[jt]s$/, methods: 'exports' },
];
const exported =
  /\bexport\s+(?:async\s+)?(?:function|const|let)\s+(GET|POST|PUT|PATCH|DELETE)\b|\bexport\s*\{[^{}]*\b(GET|POST|PUT|PATCH|DELETE)\b/g;
/** What a handler for all methods compares the method with, or registers a handler for. */
const takesGet = /['"`]GET['"`]|\.get\s*\(/;
const takesOther = /['"`](?:POST|PUT|PATCH|DELETE)['"`]|\.(?:post|put|patch|delete)\s*\(/;
const named = /\.(get|post|put|patch|delete)$/i;

/** The routes that frameworks make of the files of a package by their names. */
export function fileRoutes(files: FolderFiles, folder: string): SeenRoute[] {
  const manifest = readManifest(files, folder);
  const used = kinds.filter((kind) => (manifest?.dependencies[kind.package] ?? manifest?.devDependencies[kind.package]) !== undefined);
  if (used.length === 0) return [];
  const seen: SeenRoute[] = [];
  for (const file of files.under(folder))
    for (const kind of used) {
      const match = kind.files.exec(seenFrom(folder, file));
      if (match === null || seen.length >= mostSeenRoutes) continue;
      const written = match[1] ?? match[2] ?? '';
      for (const { method, at } of methodsOf(files, file, written, kind)) {
        const route = pathRoute(method, pathOf(written.replace(kind.methods === 'name' ? named : /$^/, '')));
        if (route !== null) seen.push({ route, file, line: files.lineAt(file, at) });
      }
    }
  return seen;
}

function methodsOf(files: FolderFiles, file: string, written: string, { methods }: FileRoutes): { method: string; at: number }[] {
  if (methods === 'name') return [{ method: named.exec(written)?.[1] ?? 'GET', at: 0 }];
  const text = files.source(file);
  if (methods === 'exports')
    return [...text.matchAll(exported)].map(({ 1: one, 2: other, index }) => ({ method: one ?? other ?? '', at: index }));
  // A page takes GET alone; a handler says by what it compares what it takes.
  return takesOther.test(text) && !takesGet.test(text) ? [] : [{ method: 'GET', at: 0 }];
}

/** Groups and slots are in the name of a folder, and not in the path; an index is its folder. */
function pathOf(written: string): string {
  const parts = written.split('/').filter((part) => !/^\([^().]+\)$|^@/.test(part));
  return parts.join('/').replace(/(?:^|\/)index$/, '');
}
