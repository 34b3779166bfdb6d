import { join } from 'node:path';
import { type ParsedRun, parseRun } from './parseRun.ts';
import { readRegular } from '../files/boundedFile.ts';
import { assertFileName, statOrNull } from '../files/safeFiles.ts';
import { recordFileName } from './runWriter.ts';

/** A `run.json` beyond this was not written by Benchside; reading it would only fill the memory. */
const largestRecordBytes = 64 * 1024 * 1024;

/** Reads and checks the `run.json` in `folder`, and that the run's files are there in their sizes. Never throws. */
export async function readRun(folder: string, id: string): Promise<ParsedRun | { problem: 'missing'; reason: string }> {
  try {
    const stats = await statOrNull(folder);
    if (stats === null) return { problem: 'missing', reason: 'there is no such run' };
    if (stats.isSymbolicLink()) return { problem: 'damaged', reason: 'the folder is a link, which is not followed' };
    if (!stats.isDirectory()) return { problem: 'damaged', reason: 'there is a file where the folder should be' };
    let text = '';
    const unread = await fileProblem(recordFileName, async () => {
      text = (await readRegular(join(folder, recordFileName), largestRecordBytes)).toString();
      return null;
    });
    if (unread !== null) return { problem: 'damaged', reason: unread };
    const parsed = parseRun(text, id);
    if (!('record' in parsed)) return parsed;
    for (const file of parsed.record.files) {
      const reason = await fileProblem(file.name, async () => {
        const fileStats = await statOrNull(join(folder, file.name));
        if (fileStats === null) return 'is missing';
        if (!fileStats.isFile()) return 'is not a file';
        return fileStats.size === file.bytes ? null : `has ${fileStats.size} bytes instead of ${file.bytes}`;
      });
      if (reason !== null) return { problem: 'damaged', reason };
    }
    return parsed;
  } catch (error) {
    return { problem: 'damaged', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** `null` when `check` finds nothing wrong, else a reason that names the file. Never throws. */
export async function fileProblem(name: string, check: () => Promise<string | null>): Promise<string | null> {
  try {
    assertFileName(name);
    const problem = await check();
    return problem === null ? null : `${name} ${problem}`;
  } catch (error) {
    return `${name.slice(0, 60)} ${error instanceof Error ? error.message : String(error)}`;
  }
}
