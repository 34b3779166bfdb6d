import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { attempt } from '../../../model/domain/attempt.ts';
import { failure } from '../../../model/domain/failure.ts';

export const staticName = 'static';
const mostBytes = 1_000_000_000;
const mostEntries = 100_000;

/**
 * Puts a folder whose files the proxy answers into the proxy's own, under a name that needs no quoting. Returns that name. As root the files are copied, since
 * workers that are not root may not enter the folders around them. No link in it is followed. Fails with `static-folder-missing`, and with
 * `static-folder-large`.
 */
export async function placeStatic(folder: string, staticDir: string | null, asRoot: boolean): Promise<string> {
  const stats = staticDir === null ? undefined : lstatSync(staticDir, { throwIfNoEntry: false });
  const place = path.join(folder, staticName);
  if (staticDir === null || stats?.isDirectory() !== true)
    throw failure(
      'static-folder-missing',
      staticDir === null
        ? 'The proxy is to answer /static/ itself, but the target names no folder for it.'
        : stats?.isSymbolicLink() === true
          ? `The proxy is to answer /static/ itself, but ${staticDir} is a link, and links are not followed.`
          : `The proxy is to answer /static/ itself, but there is no folder ${staticDir}.`,
      'Make the folder (for the lab’s targets: node samples/lab/static/generate.mjs), or let the target answer /static/.',
    );
  rmSync(place, { recursive: true, force: true });
  if (asRoot) await copyFolder(realpathSync(staticDir), place);
  else symlinkSync(realpathSync(staticDir), place);
  return staticName;
}

/** Copies the regular files of a folder, as long as each lies in it when it is open. */
async function copyFolder(from: string, to: string): Promise<void> {
  let [bytes, entries] = [0, 0];
  const copy = async (relative: string): Promise<void> => {
    mkdirSync(path.join(to, relative), { mode: 0o755 });
    for (const entry of readdirSync(path.join(from, relative), { withFileTypes: true })) {
      const name = path.join(relative, entry.name);
      if (entry.isDirectory()) await copy(name);
      if (!entry.isFile()) continue;
      const descriptor = openSync(path.join(from, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const { size } = fstatSync(descriptor);
      bytes += size;
      entries += 1;
      if (bytes > mostBytes || entries > mostEntries || !isStillAt(descriptor, path.join(from, name))) {
        closeSync(descriptor);
        throw failure(
          'static-folder-large',
          `${from} could not be copied for the proxy: ${bytes > mostBytes || entries > mostEntries ? 'it holds more than 1 GB or 100,000 files' : `${name} was replaced meanwhile`}.`,
          'Run Benchside as another user than root, whose proxy reads the folder itself, or let the target answer /static/.',
        );
      }
      // A file that grows meanwhile is copied up to its former size.
      const source = createReadStream('', { fd: descriptor, end: Math.max(0, size - 1) });
      await pipeline(source, createWriteStream(path.join(to, name), { mode: 0o644, flags: 'wx' }));
    }
  };
  await copy('');
}

/** Whether an open file is the one of that path, without a link on the way: a folder above it may have been replaced by one. */
function isStillAt(descriptor: number, file: string): boolean {
  if (process.platform !== 'linux') return realpathSync(file) === file;
  return attempt(() => readlinkSync(`/proc/self/fd/${descriptor}`) === file, false);
}
