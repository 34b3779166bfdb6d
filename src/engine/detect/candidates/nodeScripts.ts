import path from 'node:path';
import { readJsonText } from '../../targets/jsonPlace.ts';
import { findNodeAtLocation } from 'jsonc-parser';
import { seenFrom, within } from '../folderFiles.ts';
import type { FolderFiles } from '../folderFiles.ts';
import { jsSources } from '../jsRoutes.ts';
import { isBuilt, nodeRequires, readManifest } from '../nodeManifest.ts';
import type { Manifest } from '../nodeManifest.ts';
import { rank } from './candidateSource.ts';
import type { CandidateSource, WayToStart } from './candidateSource.ts';
import { commandWords, nodeWords, programOf } from './commandWords.ts';
import { Scripts } from './servesByWords.ts';

/** What npm runs automatically. */
const ofNpm = /^(?:dependencies|(?:pre|post)?(?:install|pack|prepare|publish|version)|prepublishOnly|prepare|uninstall)$/;
const mostScripts = 200;

/**
 * The scripts of each package.json that can be a service by what they run, after what was built where all are for development; where there is none, its
 * `main`, its `bin` and the file that can be its entry.
 */
export const nodeScripts: CandidateSource = (files) => {
  const manifests = files.paths.filter((file) => path.posix.basename(file) === 'package.json');
  const folders = [...new Set(['.', ...manifests.map((file) => path.posix.dirname(file))])];
  return folders.flatMap((folder) => {
    const manifest = readManifest(files, folder);
    const scripts = manifest === null ? [] : scriptsOf(files, folder, manifest);
    if (scripts.some((way) => way.rank !== rank.development)) return scripts;
    if (scripts.length > 0) return [...builtFiles(files, folder, manifest), ...scripts];
    const named = manifest === null ? [] : namedFiles(files, folder, manifest);
    return named.length > 0 ? named : entryFiles(files, folder, manifest);
  });
};

function scriptsOf(files: FolderFiles, folder: string, manifest: Manifest): WayToStart[] {
  const { scripts } = manifest;
  const file = within(folder, 'package.json');
  const [lineOf, all] = [linesOf(files, file), new Scripts(scripts)];
  return Object.entries(scripts)
    .slice(0, mostScripts)
    .flatMap(([name, text]) => {
      const hook = /^(?:pre|post)(.+)$/.exec(name)?.[1];
      if (ofNpm.test(name) || (hook !== undefined && Object.hasOwn(scripts, hook)) || !all.canServe(text)) return [];
      const read = commandWords(text);
      const plain = read === null || Object.hasOwn(scripts, `pre${name}`) ? null : nodeWords(read.words);
      const command = plain ?? ['npm', 'run', name];
      const way: WayToStart = {
        file,
        line: lineOf(['scripts', name]),
        what: `scripts.${name}`,
        folder,
        command,
        env: plain === null ? {} : (read?.env ?? {}),
        rank: rankOf(name),
        ...nodeRequires(files, folder, manifest, plain === null ? null : programOf(plain)),
      };
      return [way];
    });
}

function rankOf(script: string): number {
  if (/(?:^|:)(?:dev|develop|development|watch|debug|storybook|preview)\b/.test(script)) return rank.development;
  if (/^start(?::prod(?:uction)?)?$/.test(script)) return rank.meant;
  return /^(?:start|serve|server|web|api|prod)/.test(script) ? rank.usual : rank.possible;
}

/** What `main` and `bin` name, where it is there. */
function namedFiles(files: FolderFiles, folder: string, manifest: Manifest): WayToStart[] {
  const file = within(folder, 'package.json');
  const lineOf = linesOf(files, file);
  const bins = typeof manifest.bin === 'string' ? [['bin', manifest.bin] as const] : Object.entries(manifest.bin ?? {});
  const named = [
    ...(manifest.main === undefined ? [] : [{ what: 'main', place: ['main'], program: manifest.main }]),
    ...bins.map(([name, program]) => ({
      what: name === 'bin' ? 'bin' : `bin.${name}`,
      place: typeof manifest.bin === 'string' ? ['bin'] : ['bin', name],
      program,
    })),
  ];
  return named.flatMap(({ what, place, program }) => {
    const there = isBuilt(program) ? program : programFile(files, folder, program);
    return there === null ? [] : [callOf(files, folder, manifest, there, { file, line: lineOf(place), what, rank: rank.usual })];
  });
}

/** The program that a build wrote into each of the folders that builds write into, else into the part of that folder that is for the server. */
function builtFiles(files: FolderFiles, folder: string, manifest: Manifest | null): WayToStart[] {
  return ['build', 'dist', '.output'].flatMap((built) => {
    const programs = [built, `${built}/server`].map((one) =>
      files.filesIn(within(folder, one)).find((file) => /^(?:index|server|entry)\.[cm]?js$/.test(path.posix.basename(file))),
    );
    const file = programs.find((one) => one !== undefined);
    if (file === undefined) return [];
    return [callOf(files, folder, manifest, seenFrom(folder, file), { file, line: 1, what: 'what was built', rank: rank.usual })];
  });
}

const entryNames = ['server', 'app', 'main', 'index', 'start', 'www'];

/** The only program of a folder, else those that are called as one that is started. */
function entryFiles(files: FolderFiles, folder: string, manifest: Manifest | null): WayToStart[] {
  const own = jsSources(files, folder).filter((file) => path.posix.dirname(file) === folder && /(?<!\.config)\.[cm]?js$/.test(file));
  const [only] = own;
  if (only !== undefined && own.length === 1)
    return [
      callOf(files, folder, manifest, path.posix.basename(only), {
        file: only,
        line: 1,
        what: 'the only program of its folder',
        rank: rank.usual,
      }),
    ];
  const inSource = files.under(folder).filter((file) => path.posix.dirname(file) === within(folder, 'src'));
  return [...own, ...inSource]
    .filter((file) => /\.[cm]?js$/.test(file) && entryNames.includes(path.posix.basename(file).replace(/\.[cm]?js$/, '')))
    .map((file) =>
      callOf(files, folder, manifest, seenFrom(folder, file), {
        file,
        line: 1,
        what: 'called as what is started',
        rank: rank.possible,
      }),
    );
}

function callOf(
  files: FolderFiles,
  folder: string,
  manifest: Manifest | null,
  program: string,
  place: Pick<WayToStart, 'file' | 'line' | 'what' | 'rank'>,
): WayToStart {
  return { ...place, folder, command: ['node', program], ...nodeRequires(files, folder, manifest, program) };
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
