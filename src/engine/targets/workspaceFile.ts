import { createScanner } from 'jsonc-parser';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../model/domain/failure.ts';
import { type WorkspaceFile, workspaceFileSchema } from '../../model/domain/target.ts';
import { largestTextBytes, readBoundedText, UnreadFile } from '../files/boundedFile.ts';
import { startedBy } from '../files/startedBy.ts';
import { nodeAt, placeSuffix, readJsonText } from './jsonPlace.ts';
import { plainIssues, plainWords } from './schemaIssues.ts';

export const workspaceFileName = 'benchside.json';

/** Longer lists are of no use to a person, and checking and drawing them takes seconds. */
const most = { targets: 500, loadProfiles: 500, values: 50_000 } as const;
const mostProblems = 20;

/** A file that declares targets: what it says (null when it cannot be used) and what is wrong with it. */
export interface LoadedWorkspaceFile {
  file: string;
  baseDir: string;
  content: WorkspaceFile | null;
  problems: Failure[];
  /** Digest of what it starts. */
  starts: string;
}

/** The result for a file that could not be read at all. */
export function unusableWorkspaceFile(file: string, { message, cure }: Failure): LoadedWorkspaceFile {
  const problems: Failure[] = [{ code: 'workspace-file', message, cure, detail: file }];
  return { file, baseDir: path.dirname(file), content: null, problems, starts: startedBy('').sha256 };
}

/** Reads a `benchside.json` (comments and trailing commas are allowed); null when there is none. Problems name file, line and column. */
export function loadWorkspaceFile(file: string): LoadedWorkspaceFile | null {
  if (!existsSync(file)) return null;
  const loaded: LoadedWorkspaceFile = { file, baseDir: path.dirname(file), content: null, problems: [], starts: startedBy('').sha256 };
  const name = path.basename(file);
  const problem = (at: string, message: string): Failure => ({
    code: 'workspace-file',
    message: `${name}${at}: ${message}.`,
    cure: `Correct ${name}; the editor underlines what its schema does not allow.`,
    detail: file,
  });
  let text: string;
  try {
    text = readBoundedText(file, { largestBytes: largestTextBytes, within: loaded.baseDir });
  } catch (error) {
    loaded.problems.push(problem('', unreadPhrase(error)));
    return loaded;
  }
  const tooMany = (what: string): LoadedWorkspaceFile => {
    const cure = `Keep in ${name} what belongs to this folder, and move the rest to a benchside.json in a folder of its own.`;
    loaded.problems.push({ ...problem('', what), cure });
    return loaded;
  };
  if (hasMoreValuesThan(text, most.values)) return tooMany(`it holds more than ${most.values} values`);
  loaded.starts = startedBy(text).sha256;
  const read = readJsonText(text);
  if ('phrase' in read) {
    loaded.problems.push(problem(placeSuffix(text, read.offset), read.phrase));
    return loaded;
  }
  const { tree } = read;
  for (const part of ['targets', 'loadProfiles'] as const) {
    const count = lengthOf(read.value, part);
    if (count > most[part]) return tooMany(`${part}: it declares ${count}, and at most ${most[part]} are read`);
  }
  const parsed = workspaceFileSchema.safeParse(read.value, { error: plainWords });
  if (!parsed.success) {
    loaded.problems.push(
      ...plainIssues(parsed.error, mostProblems).map(({ path: where, message }) => {
        const phrase = where.length === 0 ? '' : `${where.join('.')}: `;
        return problem(placeSuffix(text, nodeAt(tree, where)?.offset ?? 0), `${phrase}${message}`);
      }),
    );
    return loaded;
  }
  const { targets, loadProfiles } = parsed.data;
  for (const { part, key, words, names } of [
    { part: 'targets', key: 'id', words: 'targets have the id', names: targets.map(({ id }) => id) },
    { part: 'loadProfiles', key: 'name', words: 'load profiles have the name', names: loadProfiles.map(({ name: own }) => own) },
  ]) {
    const twice = names.findIndex((one, index) => names.indexOf(one) !== index);
    if (twice === -1) continue;
    loaded.problems.push(problem(placeSuffix(text, nodeAt(tree, [part, twice, key])?.offset ?? 0), `two ${words} “${names[twice]}”`));
    return loaded;
  }
  loaded.content = parsed.data;
  return loaded;
}

/** The scanner's numbers of closing brackets, commas and colons, and of the end. */
const punctuation: ReadonlySet<number> = new Set([2, 4, 5, 6]);
const endOfText = 17;

/** Counts before anything is made of the text: a tree of it takes a hundred times its memory. */
function hasMoreValuesThan(text: string, count: number): boolean {
  const scanner = createScanner(text, true);
  let seen = 0;
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (!punctuation.has(token)) seen += 1;
    // Each value may have a key.
    if (seen > 2 * count) return true;
  }
  return false;
}

function lengthOf(value: unknown, part: string): number {
  const list = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  return Array.isArray(list) ? list.length : 0;
}

/** What was wrong, to continue from the file's name. */
function unreadPhrase(error: unknown): string {
  if (error instanceof UnreadFile) return `it ${error.message}`;
  return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
