import path from 'node:path';
import { readJsonText } from '../../targets/jsonPlace.ts';
import { findNodeAtLocation } from 'jsonc-parser';
import * as z from 'zod';
import { parsedJson } from '../../files/parsedJson.ts';
import { type FolderFiles, seenFrom, within } from '../folderFiles.ts';
import { jsSources } from '../jsRoutes.ts';
import { type Manifest, isBuilt, isInstalled, nodeRequires, readManifest } from '../nodeManifest.ts';
import { type CandidateSource, type WayToStart, rank } from './candidateSource.ts';
import { commandWords, nodeWords, programAt, programOf, tsNodeLoaders } from './commandWords.ts';
import { Scripts } from './servesByWords.ts';

/** What npm runs automatically. */
const ofNpm = /^(?:dependencies|(?:pre|post)?(?:install|pack|prepare|publish|version)|prepublishOnly|prepare|uninstall)$/;
/** What brings a database up to date, whatever tool does it. */
const ofTables = /^(?:db[:-])?(?:migrat(?:e|ions?)|seed(?:s|er|ing)?)(?:[:-]|$)/i;
const mostScripts = 200;

/**
 * The scripts of each package.json that can be a service by what they run, after what was built where all are for development; where there is none, its
 * `main`, its `bin` and the file that can be its entry.
 */
export const nodeScripts: CandidateSource = (files) => {
  const manifests = files.paths.filter((file) => path.posix.basename(file) === 'package.json');
  const folders = [...new Set(['.', ...manifests.map((file) => path.posix.dirname(file))])];
  return folders.flatMap((folder) => {
    const place = { files, folder, manifest: readManifest(files, folder) };
    const scripts = scriptsOf(place);
    if (scripts.some((way) => way.rank < rank.development)) return scripts;
    if (scripts.length > 0) return [...builtFiles(place), ...scripts];
    const named = namedFiles(place);
    return named.length > 0 ? named : entryFiles(place);
  });
};

/** A folder with what its package.json says. */
interface Place {
  files: FolderFiles;
  folder: string;
  manifest: Manifest | null;
}

function scriptsOf(place: Place): WayToStart[] {
  const { files, folder, manifest } = place;
  if (manifest === null) return [];
  const { scripts } = manifest;
  const file = within(folder, 'package.json');
  const [lineOf, all, executed] = [linesOf(files, file), new Scripts(scripts), nodemonExecutes(files, folder)];
  return Object.entries(scripts)
    .slice(0, mostScripts)
    .flatMap(([name, text]): WayToStart[] => {
      const hook = /^(?:pre|post)(.+)$/.exec(name)?.[1];
      if (ofNpm.test(name) || ofTables.test(name) || (hook !== undefined && Object.hasOwn(scripts, hook)) || !all.canServe(text)) return [];
      const wayOf = (line: string, otherwise: (words: readonly string[]) => string[] | null): WayToStart[] => {
        const read = commandWords(line);
        const plain = read === null || Object.hasOwn(scripts, `pre${name}`) ? null : callOfNode(place, read.words, executed);
        const command = plain ?? otherwise(read?.words ?? []);
        if (command === null) return [];
        const env = command[0] === 'npm' ? {} : (read?.env ?? {});
        const requires = nodeRequires(files, folder, manifest, plain === null ? null : programOf(plain));
        const isMissing = plain !== null && isLeftOut(place, plain);
        const said = { file, line: lineOf(['scripts', name]), what: `scripts.${name}`, rank: isMissing ? rank.missing : rankOf(name) };
        return [{ ...said, folder, command, env, ...requires }];
      };
      const last = ofTests.test(name) ? null : afterContainers(scripts, text);
      const alone = last === null ? [] : wayOf(last, ([program, ...rest]) => installedCall(all, program, rest));
      return [...alone, ...wayOf(text, () => ['npm', 'run', name])];
    });
}

/** Whether a build has written its folder without the program of this call: another build would leave it out as well. */
function isLeftOut({ files, folder }: Place, [, ...words]: readonly string[]): boolean {
  const program = words[programAt(words)] ?? '';
  const [built = ''] = path.posix.normalize(program).split('/');
  return isBuilt(program) && files.isThere(within(folder, built)) && programFile(files, folder, program) === null;
}

const ofTests = /(?:^|:)(?:e2e|tests?)\b/;
const startsContainers = /\b(?:docker|docker-compose|podman)\b/;

/** What a script runs last, after it has started its database and the like in containers; null for any other script. A run has a database without them. */
function afterContainers(scripts: Readonly<Record<string, string>>, text: string): string | null {
  const parts = text.split('&&').map((part) => part.trim());
  const called = parts.slice(0, -1).map((part) => scripts[/^(?:npm|yarn|pnpm)(?: run)? ([\w:.-]+)$/.exec(part)?.[1] ?? ''] ?? part);
  return called.some((part) => startsContainers.test(part)) ? (parts.at(-1) ?? null) : null;
}

/** The program of a package as npx calls it; null for what is no such program, or ends. */
function installedCall(all: Scripts, program: string | undefined, rest: readonly string[]): string[] | null {
  const isPlain = program !== undefined && /^[a-z][\w-]*$/.test(program) && !/^(?:npm|npx|yarn|pnpm|sh|bash)$/.test(program);
  return isPlain && all.wordsServe([program, ...rest]) ? ['npx', '--no-install', program, ...rest] : null;
}

const ofNodemon = z.object({ exec: z.unknown(), execMap: z.unknown() }).partial();
const nodemonConfigs = z.object({ nodemonConfig: ofNodemon }).partial();

/** What a file says that nodemon executes in place of Node; null where none does, and `by a table` where that depends on the program. */
function nodemonExecutes(files: FolderFiles, folder: string): { exec: string } | 'by a table' | null {
  const jsonOf = (name: string): unknown => parsedJson(files.text(within(folder, name)) ?? '');
  const configs = [ofNodemon.safeParse(jsonOf('nodemon.json')).data, nodemonConfigs.safeParse(jsonOf('package.json')).data?.nodemonConfig];
  const [said] = configs.filter((one) => one?.exec !== undefined || one?.execMap !== undefined);
  if (said === undefined) return null;
  return typeof said.exec === 'string' ? { exec: said.exec } : 'by a table';
}

const [nestProgram, nestBelowSource] = ['dist/main.js', 'dist/src/main.js'];

/** The call of Node that a script comes to; null where what is around it is needed. */
function callOfNode({ files, folder }: Place, words: readonly string[], executed: ReturnType<typeof nodemonExecutes>): string[] | null {
  const [program = '', ...rest] = words;
  const isOther = program === 'nodemon' && executed !== null && !rest.some((word) => /^(?:-x|--exec)$/.test(word));
  if (isOther && executed === 'by a table') return null;
  const call = nodeWords(isOther && executed !== 'by a table' ? [program, '--exec', executed.exec, ...rest] : words);
  // Nest looks there first: files compiled from outside of `src` move its program.
  if (program === 'nest' && call !== null && files.isFile(within(folder, nestBelowSource)))
    return call.map((word) => (word === nestProgram ? nestBelowSource : word));
  const needsTsNode = call?.some((word) => (tsNodeLoaders as readonly string[]).includes(word)) === true;
  return needsTsNode && !isInstalled(files, folder, 'ts-node') ? null : call;
}

function rankOf(script: string): number {
  if (/(?:^|:)(?:dev|develop|development|watch|debug|storybook|preview)\b/.test(script)) return rank.development;
  if (ofTests.test(script)) return rank.testing;
  if (/^start(?::prod(?:uction)?)?$/.test(script)) return rank.meant;
  return /^(?:start|serve|server|web|api|prod)/.test(script) ? rank.usual : rank.possible;
}

/** What `main` and `bin` name, where it is there. */
function namedFiles(place: Place): WayToStart[] {
  const { files, folder, manifest } = place;
  const file = within(folder, 'package.json');
  const lineOf = linesOf(files, file);
  const [main, bin] = [manifest?.main, manifest?.bin];
  const bins = typeof bin === 'string' ? [] : Object.entries(bin ?? {});
  const named = [
    ...(main === undefined ? [] : [{ keys: ['main'], program: main }]),
    ...(typeof bin === 'string' ? [{ keys: ['bin'], program: bin }] : []),
    ...bins.map(([name, program]) => ({ keys: ['bin', name], program })),
  ];
  return named.flatMap(({ keys, program }) => {
    const there = isBuilt(program) ? program : programFile(files, folder, program);
    return there === null ? [] : [callOf(place, there, { file, line: lineOf(keys), what: keys.join('.') })];
  });
}

/** The program that a build wrote into each of the folders that builds write into, else into the part of that folder that is for the server. */
function builtFiles(place: Place): WayToStart[] {
  const { files, folder } = place;
  return ['build', 'dist', '.output'].flatMap((built) => {
    const programs = [built, `${built}/server`].map((one) =>
      files.filesIn(within(folder, one)).find((file) => /^(?:index|server|entry)\.[cm]?js$/.test(path.posix.basename(file))),
    );
    const file = programs.find((one) => one !== undefined);
    return file === undefined ? [] : [callOf(place, seenFrom(folder, file), { file, what: 'what was built' })];
  });
}

const entryNames = ['server', 'app', 'main', 'index', 'start', 'www'];

/** The only program of a folder, else those that are called as one that is started. */
function entryFiles(place: Place): WayToStart[] {
  const { files, folder } = place;
  const own = jsSources(files, folder).filter((file) => path.posix.dirname(file) === folder && /(?<!\.config)\.[cm]?js$/.test(file));
  const [only] = own;
  if (only !== undefined && own.length === 1)
    return [callOf(place, path.posix.basename(only), { file: only, what: 'the only program of its folder' })];
  const inSource = files.under(folder).filter((file) => path.posix.dirname(file) === within(folder, 'src'));
  return [...own, ...inSource]
    .filter((file) => /\.[cm]?js$/.test(file) && entryNames.includes(path.posix.basename(file).replace(/\.[cm]?js$/, '')))
    .map((file) => callOf(place, seenFrom(folder, file), { file, what: 'called as what is started', rank: rank.possible }));
}

function callOf(
  { files, folder, manifest }: Place,
  program: string,
  said: Pick<WayToStart, 'file' | 'what'> & Partial<Pick<WayToStart, 'line' | 'rank'>>,
): WayToStart {
  const requires = nodeRequires(files, folder, manifest, program);
  return { line: 1, rank: rank.usual, ...said, folder, command: ['node', program], ...requires };
}

/** The file that a path means to Node, relative to the folder; null where there is none. */
export function programFile(files: FolderFiles, folder: string, named: string): string | null {
  const program = path.posix.normalize(named).replace(/\/$/, '');
  if (program.startsWith('..') || path.posix.isAbsolute(program)) return null;
  const forms = [
    program,
    ...['.js', '.cjs', '.mjs'].map((ending) => `${program}${ending}`),
    program === '.' ? 'index.js' : `${program}/index.js`,
  ];
  return forms.find((form) => /[^/.]/.test(form) && files.isFile(within(folder, form))) ?? null;
}

/** Where things are in a file of JSON; line 1 where that is unknown. */
export function linesOf(files: FolderFiles, file: string): (place: readonly (string | number)[]) => number {
  const read = readJsonText(files.text(file) ?? '');
  return (place) => {
    const node = 'tree' in read ? findNodeAtLocation(read.tree, [...place]) : undefined;
    return node === undefined ? 1 : files.lineAt(file, node.offset);
  };
}
