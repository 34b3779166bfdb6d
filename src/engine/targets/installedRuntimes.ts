import path from 'node:path';
import { namesIn, readSmallFile, realPath } from '../supervise/smallFile.ts';
import { homeFolder } from '../supervise/homeFolder.ts';
import { findProgram } from '../supervise/program.ts';
import { atHome, javaFeature, javaProgram } from './toolchain.ts';

/** A program of a runtime and which version it is, such as 21 of “21.0.4”. */
export interface InstalledRuntime {
  program: string;
  feature: number;
}

interface Installations {
  /** Which version a program is; null where no file of its installation says so. */
  feature: (program: string) => number | null;
  /** From the folder of an installation. */
  program: string;
  /** The variable of the folder that is preferred. */
  home?: string;
  /** Folders of installations, with `*` for any name; `~` is the user’s home. */
  folders: readonly string[];
}

const jdks: Installations = {
  feature: javaFeature,
  program: path.join('bin', process.platform === 'win32' ? 'java.exe' : 'java'),
  home: 'JAVA_HOME',
  folders: [
    '/usr/lib/jvm/*',
    '/usr/java/*',
    '/opt/java/*',
    '/Library/Java/JavaVirtualMachines/*/Contents/Home',
    'C:/Program Files/Java/*',
    'C:/Program Files/Eclipse Adoptium/*',
    '~/.sdkman/candidates/java/*',
    '~/.jdks/*',
    '~/.gradle/jdks/*',
    '~/.local/share/mise/installs/java/*',
    '~/.asdf/installs/java/*',
  ],
};

const nodes: Installations = {
  feature: nodeMajor,
  program: process.platform === 'win32' ? 'node.exe' : path.join('bin', 'node'),
  folders: [
    '~/.nvm/versions/node/*',
    '~/.local/share/fnm/node-versions/*/installation',
    '~/.volta/tools/image/node/*',
    '~/.local/share/mise/installs/node/*',
    '~/.asdf/installs/nodejs/*',
    '~/.nodenv/versions/*',
    '/usr/local/n/versions/node/*',
    '/opt/homebrew/opt/node@*',
    '/usr/local/opt/node@*',
  ],
};

/** The `java` of a feature version (`17`), the first that is found, or of a JDK’s folder or program; null where there is none. */
export const installedJava = (value: string): string | null => installed(value, jdks);
/** The `node` of a major version (`22`), or of its folder or program; null where there is none. */
export const installedNode = (value: string): string | null => installed(value, nodes);

/** Which version of Java or Node a program is; null where no file of its installation says so. */
export const featureOf = (program: string): number | null => jdks.feature(program) ?? nodes.feature(program);

export const installedJavas = (): InstalledRuntime[] => allOf(jdks);
export const installedNodes = (): InstalledRuntime[] => allOf(nodes);

function installed(value: string, kind: Installations): string | null {
  if (/^\d+$/.test(value)) return allOf(kind).find(({ feature }) => feature === Number(value))?.program ?? null;
  const file = path.resolve(atHome(value));
  const program =
    kind === jdks ? javaProgram(file) : [path.join(file, kind.program), file].find((one) => findProgram(one, '/', undefined) !== null);
  return program === undefined ? null : findProgram(program, '/', undefined);
}

/** Of each version the first: of the preferred folder, of the search path, then of the usual folders. */
function allOf({ feature, program, home, folders }: Installations): InstalledRuntime[] {
  const preferred = home === undefined ? undefined : process.env[home];
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = [
    ...(preferred === undefined || preferred === '' ? [] : [path.join(preferred, program)]),
    ...onPath.map((folder) => path.join(folder, path.basename(program))),
    ...folders.flatMap(expanded).map((folder) => path.join(folder, program)),
  ];
  const found = new Map<number, InstalledRuntime>();
  for (const candidate of candidates) {
    if (findProgram(candidate, '/', undefined) === null) continue;
    const version = feature(candidate);
    if (version !== null && !found.has(version)) found.set(version, { program: candidate, feature: version });
  }
  return [...found.values()].sort((a, b) => a.feature - b.feature);
}

/** The folders that a pattern means, those with the latest names first. */
function expanded(pattern: string): string[] {
  const home = homeFolder(process.env);
  if (pattern.startsWith('~') && home === null) return [];
  const [before = '', after] = pattern.replace(/^~/, home ?? '').split('*');
  if (after === undefined) return [before];
  const [folder, prefix] = before.endsWith('/') ? [before, ''] : [path.dirname(before), path.basename(before)];
  return namesIn(folder)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(folder, name, after));
}

/** By the header or the package that comes with it, or the name of its folder. */
function nodeMajor(program: string): number | null {
  const real = realPath(program);
  if (real === null || !/^node(\.exe)?$/.test(path.basename(real))) return null;
  const folder = process.platform === 'win32' ? path.dirname(real) : path.dirname(path.dirname(real));
  const said =
    /^#define NODE_MAJOR_VERSION (\d+)/m.exec(readSmallFile(path.join(folder, 'include', 'node', 'node_version.h')) ?? '')?.[1] ??
    /^v?(\d+)\.\d+\.\d+$/.exec(path.basename(folder))?.[1] ??
    /"version": "(\d+)\./.exec(readSmallFile(path.join(folder, 'package.json')) ?? '')?.[1] ??
    (real === realPath(process.execPath) ? /^v(\d+)/.exec(process.version)?.[1] : undefined);
  return said === undefined ? null : Number(said);
}
