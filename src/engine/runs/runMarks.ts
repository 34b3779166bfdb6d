import { join } from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import { type RunMarks, runMarksSchema } from '../../model/domain/run.ts';
import { readRegular } from '../files/boundedFile.ts';
import { replaceFile, statOrNull } from '../files/safeFiles.ts';

/** Next to `run.json`, which never changes. It moves with the run's folder into the trash and back. */
export const marksFileName = 'marks.json';

/** A file of marks beyond this was not written by Benchside. */
const largestMarksBytes = 64 * 1024;

export const noMarks: RunMarks = { name: null, tags: [], baseline: false };

/** The marks in a run's folder, and when they were written (ms since 1970). Without a file, or with a damaged one, there are none: never throws. */
export async function readMarks(folder: string): Promise<{ marks: RunMarks; writtenAtMs: number }> {
  try {
    const path = join(folder, marksFileName);
    const stats = await statOrNull(path);
    if (stats === null) return { marks: noMarks, writtenAtMs: 0 };
    const parsed = runMarksSchema.safeParse(JSON.parse((await readRegular(path, largestMarksBytes)).toString()));
    return parsed.success ? { marks: parsed.data, writtenAtMs: stats.mtimeMs } : { marks: noMarks, writtenAtMs: 0 };
  } catch {
    return { marks: noMarks, writtenAtMs: 0 };
  }
}

/** Replaces the marks in a run's folder as a whole: after a crash there are the old ones or the new ones. */
export async function writeMarks(folder: string, marks: RunMarks): Promise<void> {
  await replaceFile(join(folder, marksFileName), Buffer.from(`${JSON.stringify(marks)}\n`));
}

/**
 * Marks as they are kept: on one line, without blanks around, every tag once, an empty name as none.
 * Throws `run-marks` when they are too long or too many.
 */
export function tidyMarks(marks: RunMarks): RunMarks {
  const tidy = {
    name: marks.name === null ? null : oneLine(marks.name) || null,
    tags: [...new Set(marks.tags.map(oneLine))].filter((tag) => tag !== ''),
    baseline: marks.baseline,
  };
  const parsed = runMarksSchema.safeParse(tidy);
  if (parsed.success) return parsed.data;
  throw failure(
    'run-marks',
    'This name or these tags are too long, or there are too many tags.',
    'A name has at most 80 characters, a run at most 10 tags of at most 30 characters each.',
  );
}

function oneLine(text: string): string {
  // Control characters and marks that change the direction of writing would garble the lists of names.
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
