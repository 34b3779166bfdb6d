import path from 'node:path';
import * as z from 'zod';
import { parsedJson } from '../../files/parsedJson.ts';
import { type FolderFiles, within } from '../folderFiles.ts';
import { isBuilt } from '../nodeManifest.ts';
import { type WayToStart, byFile, rank } from './candidateSource.ts';
import { type Command, commandOf, commandWords, nodeWords } from './commandWords.ts';
import { programFile } from './nodeScripts.ts';

/** What an image starts, as its Dockerfile says. */
export const dockerfile = byFile(/(?:^|\/)(?:Dockerfile(?:\.[\w-]+)?|[\w-]+\.Dockerfile|Containerfile)$/, (files, file) => {
  const way = wayOf(files, file, path.posix.dirname(file), {});
  return way === null ? [] : [way];
});

/** What a service of compose changes of what its image starts. */
export interface ImageChanges {
  /** As compose has them: words, or a line. */
  command?: string[] | string | undefined;
  entrypoint?: string[] | string | undefined;
  env?: Readonly<Record<string, string>>;
}

interface Image {
  workdir: string;
  env: Record<string, string>;
  entrypoint: string[] | string | null;
  command: string[] | string | null;
  port: number | null;
  line: number;
}

/**
 * What an image starts, in the folder that it is built from; null where that is a file of the image alone. Words that lie in its working folder are those
 * of this folder.
 */
export function wayOf(files: FolderFiles, file: string, folder: string, changes: ImageChanges): WayToStart | null {
  const image = imageOf(files.text(file) ?? '');
  const started = startedBy(
    changes.entrypoint ?? image.entrypoint,
    changes.command ?? (changes.entrypoint === undefined ? image.command : null),
  );
  for (const { env, command } of started) {
    const here = asHere(files, folder, image.workdir, command);
    if (here === null) continue;
    const { port, line } = image;
    return {
      file,
      line,
      what: 'what the image starts',
      folder,
      command: nodeWords(here) ?? here,
      env: { ...image.env, ...changes.env, ...env },
      port,
      rank: rank.usual,
    };
  }
  return null;
}

/** Entry point and command together, then the command alone: many an entry point only prepares what the command then is. */
function startedBy(entrypoint: string[] | string | null, command: string[] | string | null): Command[] {
  const read = (given: string[] | string | null): Command | null => {
    if (given === null || given.length === 0) return null;
    if (typeof given === 'string') return commandOf(given.replace(/^exec\s+/, ''));
    const [shell, option, line] = given;
    // What a shell is given to read is read as that.
    if (given.length === 3 && /(?:^|\/)(?:ba)?sh$/.test(shell ?? '') && option === '-c')
      return commandOf((line ?? '').replace(/^exec\s+/, ''));
    return { env: {}, command: given };
  };
  const [before, own] = [read(entrypoint), read(command)];
  const whole =
    Array.isArray(entrypoint) && own !== null && before !== null
      ? { env: own.env, command: [...before.command, ...own.command] }
      : (before ?? own);
  return [whole, own].flatMap((one) => (one === null ? [] : [one]));
}

/** Programs that only pass on signals. */
const inits = /(?:^|\/)(?:tini|dumb-init|catatonit)$/;
/** Programs of this machine, by their names; what else an image has is not known to be here. */
const runtimes = new Set(['node', 'nodemon', 'tsx', 'java', 'npm', 'npx', 'yarn', 'pnpm', 'bun', 'deno']);

/** A command of an image as one of this folder; null where what it starts is not here. */
function asHere(files: FolderFiles, folder: string, workdir: string, given: readonly string[]): string[] | null {
  const inside = `${workdir.replace(/\/$/, '')}/`;
  let words = given.map((word) => (word.startsWith(inside) ? word.slice(inside.length) : word));
  if (inits.test(words[0] ?? '')) {
    const from = words.indexOf('--');
    words =
      from === -1
        ? words.slice(1).filter((word, index, rest) => !word.startsWith('-') || index > rest.findIndex((one) => !one.startsWith('-')))
        : words.slice(from + 1);
  }
  const [program = '', ...rest] = words;
  const plain = path.posix.basename(program);
  if (runtimes.has(plain) && (program === plain || path.posix.isAbsolute(program))) {
    const jar = rest.indexOf('-jar');
    if (plain === 'java') {
      const file = rest[jar + 1] ?? '';
      return jar !== -1 && !path.posix.isAbsolute(file) && files.isFile(within(folder, file)) ? ['java', '{arguments}', ...rest] : null;
    }
    if (plain !== 'node') return [plain, ...rest];
    const at = rest.findIndex((word) => /\.[cm]?[jt]s$|^[\w./-]+$/.test(word) && !word.startsWith('-'));
    const file = rest[at];
    const known = file !== undefined && (programFile(files, folder, file) !== null || isBuilt(file));
    return known ? ['node', ...rest] : null;
  }
  return program.includes('/') && !path.posix.isAbsolute(program) && files.isFile(within(folder, path.posix.normalize(program)))
    ? words
    : null;
}

const wordList = z.array(z.string());
const mostLines = 5_000;

/** What the last stage of a Dockerfile says; what a stage begins with is that of the stage that it names. */
function imageOf(text: string): Image {
  const stages = new Map<string, Image>();
  const empty: Image = { workdir: '/', env: {}, entrypoint: null, command: null, port: null, line: 1 };
  let image: Image = { ...empty, env: {} };
  for (const { words, line } of instructions(text)) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/s.exec(words) ?? [];
    switch (name.toUpperCase()) {
      case 'FROM': {
        const [, from = '', as] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(rest) ?? [];
        const base = stages.get(from.toLowerCase()) ?? empty;
        image = { ...base, env: { ...base.env } };
        if (as !== undefined) stages.set(as.toLowerCase(), image);
        break;
      }
      case 'WORKDIR':
        image.workdir = path.posix.resolve(image.workdir, rest.trim());
        break;
      case 'ENV':
        Object.assign(image.env, variables(rest));
        break;
      case 'EXPOSE':
        image.port = /^\d{1,5}/.test(rest) ? Number.parseInt(rest, 10) : image.port;
        break;
      case 'ENTRYPOINT':
        [image.entrypoint, image.command, image.line] = [execForm(rest), null, line];
        break;
      case 'CMD':
        [image.command, image.line] = [execForm(rest), line];
        break;
      default:
    }
  }
  return image;
}

function execForm(text: string): string[] | string {
  // Otherwise it is a line for a shell.
  return wordList.safeParse(parsedJson(text)).data ?? text;
}

/** `NAME=value OTHER="a b"`, or `NAME value`; what is made of other variables is left out. */
function variables(text: string): Record<string, string> {
  if (!/^[A-Za-z_]\w*=/.test(text.trim())) {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)\s+(.*)$/s.exec(text.trim()) ?? [];
    return name === '' || value.includes('$') ? {} : { [name]: value };
  }
  return Object.fromEntries(Object.entries(commandWords(`${text} x`)?.env ?? {}).filter(([, value]) => !value.includes('{port}')));
}

/** The instructions of a Dockerfile, each on one line, with the line on which it begins. */
function instructions(text: string): { words: string; line: number }[] {
  const found: { words: string; line: number }[] = [];
  let [pieces, begin]: [string[], number] = [[], 0];
  for (const [index, line] of text.split('\n').slice(0, mostLines).entries()) {
    if (/^\s*#/.test(line) || (pieces.length === 0 && line.trim() === '')) continue;
    if (pieces.length === 0) begin = index + 1;
    const goesOn = /\\\s*$/.exec(line);
    pieces.push(goesOn === null ? line : line.slice(0, goesOn.index));
    if (goesOn !== null) continue;
    found.push({ words: pieces.join(' ').trim(), line: begin });
    pieces = [];
  }
  return found;
}
