import path from 'node:path';
import { type FolderFiles, within } from './folderFiles.ts';

const alias = /^[ \t]*([\w.-]{1,200})[ \t]*=[ \t]*(?:"([^"\n]{1,300})"|\{([^{}\n]{1,500})\}|\[([^[\]]{1,5000})\])/gm;
const reference = /\blibs\.([A-Za-z]\w{0,80}(?:\.[A-Za-z]\w{0,80}){0,10})/g;

/** The text of a Gradle build with what it names by its version catalog (`libs.ktor.server.core`) written out, on the same lines. */
export function withCatalog(files: FolderFiles, folder: string, text: string): string {
  const catalog = catalogOf(files, folder);
  if (catalog === null) return text;
  const names = namesIn(catalog);
  return text.replace(reference, (whole, accessor: string) => names.get(accessor.replace(/\.get(?:\..*)?$/, '')) ?? whole);
}

/** Of the project that a module belongs to, wherever that has it. */
function catalogOf(files: FolderFiles, folder: string): string | null {
  for (let at = folder; ; at = path.posix.dirname(at)) {
    const found = files.text(within(at, 'gradle/libs.versions.toml'));
    if (found !== null || at === '.') return found;
  }
}

/** By the name in a build, without `libs`: a module, a plugin, or the modules of a bundle, as a build that knows no catalog would write them. */
function namesIn(catalog: string): Map<string, string> {
  const sections = new Map(
    catalog.split(/^[ \t]*\[(?=\w+\][ \t]*\r?$)/m).map((section) => [section.slice(0, section.indexOf(']')), section] as const),
  );
  const names = new Map<string, string>();
  for (const [name, plain, table = ''] of entries(sections.get('libraries'))) {
    const [group, artifact] = [valueOf(table, 'group'), valueOf(table, 'name')];
    const module =
      plain ?? valueOf(table, 'module') ?? (group === undefined || artifact === undefined ? undefined : `${group}:${artifact}`);
    if (module !== undefined) names.set(name, `"${module}"`);
  }
  for (const [name, , , list = ''] of entries(sections.get('bundles'))) {
    const modules = [...list.matchAll(/"([^"\n]{1,200})"/g)].flatMap(([, one = '']) => names.get(accessorOf(one)) ?? []);
    names.set(`bundles.${name}`, modules.join(', '));
  }
  for (const [name, plain, table = ''] of entries(sections.get('plugins'))) {
    const id = plain?.split(':')[0] ?? valueOf(table, 'id');
    if (id !== undefined) names.set(`plugins.${name}`, `id("${id}")`);
  }
  return names;
}

/** The name of each entry as a build calls it, with its text, its table or its list. */
function entries(section = ''): [string, string | undefined, string | undefined, string | undefined][] {
  return [...section.matchAll(alias)].map(([, name = '', plain, table, list]) => [accessorOf(name), plain, table, list]);
}

function accessorOf(name: string): string {
  return name.replace(/[-_]/g, '.');
}

function valueOf(table: string, key: string): string | undefined {
  return new RegExp(`\\b${key}\\s{0,20}=\\s{0,20}"([^"]{1,200})"`).exec(table)?.[1];
}
