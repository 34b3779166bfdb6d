import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ProfileNote } from '../../model/domain/profileNoteKinds.ts';
import { attempt } from '../../model/domain/attempt.ts';
import { failure } from '../../model/domain/failure.ts';
import { fileHead } from '../calltree/fileHead.ts';
import { formatOf } from '../calltree/formats/profileFormats.ts';
import { unpackProfile } from '../calltree/unpackProfile.ts';
import { readHead } from '../files/boundedFile.ts';

const mostFiles = 200;
const headBytes = 64 * 1024;
/** Where 0x has made one of the other, the first of these has most. */
const preferred = ['stack-ticks', 'v8-processed-log', 'v8-log'];

/**
 * The recording in a folder that a profiler made, such as those of 0x (`4711.0x`) and of Clinic Flame (`4711.clinic-flame`), and what must be said of the
 * choice; null where it is no folder. Fails with `profile-unknown` where there is none in it.
 */
export async function recordingInFolder(folder: string): Promise<{ file: string; note: ProfileNote | null } | null> {
  const stats = await stat(folder).catch(() => null);
  if (stats?.isDirectory() !== true) return null;
  const found: { file: string; rank: number; size: number }[] = [];
  for (const file of await filesIn(folder)) {
    const one = await recognised(file);
    if (one !== null) found.push({ file, ...one });
  }
  const [first, ...others] = found.sort((a, b) => a.rank - b.rank || b.size - a.size);
  if (first === undefined) {
    throw failure(
      'profile-unknown',
      `In the folder ${folder} is no recording of a format that is read here.`,
      'Name a file, or the folder that 0x or Clinic Flame made. Clinic’s Doctor and Bubbleprof keep no stacks.',
    );
  }
  const more = others.filter(({ rank }) => rank === first.rank).length;
  const name = path.relative(folder, first.file);
  return {
    file: first.file,
    note: more === 0 ? null : { code: 'largest-of-folder', count: more + 1, name },
  };
}

/** The files of a folder and of the folders in it. */
async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).slice(0, mostFiles)) {
    const file = path.join(folder, entry.name);
    if (entry.isFile()) files.push(file);
    else if (entry.isDirectory())
      for (const inner of (await readdir(file, { withFileTypes: true })).slice(0, mostFiles))
        if (inner.isFile()) files.push(path.join(file, inner.name));
  }
  return files.slice(0, mostFiles);
}

async function recognised(file: string): Promise<{ rank: number; size: number } | null> {
  const format = formatOf(fileHead(plain(readHead(file, headBytes))));
  if (format === null) return null;
  const rank = preferred.indexOf(format.id);
  return { rank: rank === -1 ? preferred.length : rank, size: (await stat(file)).size };
}

/** The beginning of a text in another encoding as UTF-8; of a packed file, which cannot be unpacked in part, as it is. */
function plain(head: Uint8Array): Uint8Array {
  return attempt(() => unpackProfile(head), head);
}
