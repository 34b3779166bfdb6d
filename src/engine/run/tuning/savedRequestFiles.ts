import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Failure, failure } from '../../../model/domain/failure.ts';
import { type SavedRequest, type TuneRequest, savedRequestSchema } from '../../../model/domain/tuning.ts';
import { readBoundedText } from '../../files/boundedFile.ts';
import { readOwnAndBundled } from '../../files/ownAndBundled.ts';
import { nodeAt, placeSuffix, readJsonText } from '../../targets/jsonPlace.ts';
import { plainIssues, plainWords } from '../../targets/schemaIssues.ts';

/**
 * Where saved requests lie, which users call experiments: below the bundled files, and below a workspace's folder, where they can be committed with the code
 * they are about.
 */
export const experimentsFolder = path.join('profiles', 'experiments');
/** No experiment is as large as this; what is, is something else. */
const longestFile = 256 * 1024;
const mostFiles = 500;

export type ListedRequest = SavedRequest & { origin: 'bundled' | 'workspace' };

/** What there is, sorted by name, and what is wrong with the rest. One of the workspace takes precedence over a bundled one of the same name. */
export async function readSavedRequests(
  assetsDir: string,
  workspaceDir: string | null,
): Promise<{ savedRequests: ListedRequest[]; problems: Failure[] }> {
  const { own, bundled, problems } = await readOwnAndBundled<SavedRequest>(
    experimentsFolder,
    { assetsDir, workspaceDir },
    {
      most: mostFiles,
      read: (file, earlier) => {
        const one = readSavedRequest(file, { within: path.dirname(file) });
        const twin = earlier.some((other) => other.name === one.name);
        if (twin) throw problem(file, '', `name: “${one.name}” is already the name of another experiment here`);
        return one;
      },
      nameOf: ({ name }) => name,
    },
  );
  const listed = [
    ...own.map((one): ListedRequest => ({ ...one, origin: 'workspace' })),
    ...bundled.map((one): ListedRequest => ({ ...one, origin: 'bundled' })),
  ];
  return { savedRequests: listed.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** An experiment from its file, which may be a link, but not out of the folder `within`; fails as {@link parseSavedRequest} does. */
export function readSavedRequest(file: string, { within }: { within?: string } = {}): SavedRequest {
  let text: string;
  try {
    text = readBoundedText(file, { largestBytes: longestFile, ...(within === undefined ? {} : { within }) });
  } catch (error) {
    throw problem(file, '', `it cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  return parseSavedRequest(text, file);
}

/** An experiment from the text of `file` (comments and trailing commas are allowed); fails with `experiment-file`, which names file, line and field. */
export function parseSavedRequest(text: string, file: string): SavedRequest {
  if (text.length > longestFile) throw problem(file, '', 'it is too large to be an experiment');
  const read = readJsonText(text);
  if ('phrase' in read) throw problem(file, placeSuffix(text, read.offset), read.phrase);
  const { tree } = read;
  const parsed = savedRequestSchema.safeParse(read.value, { error: plainWords });
  if (parsed.success) return parsed.data;
  const [issue, ...others] = plainIssues(parsed.error).map(({ path: where, message }) => ({
    at: placeSuffix(text, nodeAt(tree, where)?.offset ?? 0),
    phrase: `${where.length === 0 ? '' : `${where.join('.')}: `}${message}`,
  }));
  const rest = others.slice(0, 20).map(({ at, phrase }) => `${path.basename(file)}${at}: ${phrase}`);
  throw problem(file, issue?.at ?? '', issue?.phrase ?? 'it is not an experiment', rest);
}

function problem(file: string, at: string, what: string, others: readonly string[] = []): Error {
  return failure('experiment-file', `${path.basename(file)}${at}: ${what}.`, 'Correct this in the file.', [file, ...others].join('\n'));
}

/** What is to be done, without what names and describes it. */
export function asTuneRequest(saved: SavedRequest): TuneRequest {
  const { $schema: _schema, name: _name, description: _description, ...request } = saved;
  return request;
}

/**
 * Writes an experiment into the workspace and returns the file. Fails with `no-workspace`, with `experiment-exists` (nothing is ever overwritten) and with
 * `experiment-not-written`.
 */
export async function saveRequest(workspaceDir: string | null, saved: SavedRequest): Promise<string> {
  if (workspaceDir === null)
    throw failure('no-workspace', 'There is no folder to save the experiment in.', 'Open the folder of your service first.');
  const folder = path.join(workspaceDir, experimentsFolder);
  // The schema allows nothing in a name that could lead out of the folder.
  const { name } = savedRequestSchema.parse(saved);
  const file = path.join(folder, `${name}.json`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${JSON.stringify(saved, null, 2)}\n`, { flag: 'wx' });
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw failure(
        'experiment-exists',
        `There is an experiment “${name}” already: ${file}.`,
        'Choose another name, or delete that file first.',
      );
    throw failure(
      'experiment-not-written',
      `The experiment could not be written to ${file}.`,
      'Make that folder writable for your user.',
      String(error),
    );
  }
}
