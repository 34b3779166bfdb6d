import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failure } from '../model/failure.ts';
import { readBoundedText } from '../engine/files/boundedFile.ts';

/** A line has a few hundred bytes. */
const mostBytes = 16 * 1024 * 1024;
/** Flags absent on Windows count as 0 there. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** One comparison of a bisection, a line of its log. */
const entrySchema = z.object({
  search: z.string().describe('what is searched, and how it is measured: only lines of the same search count'),
  commit: z.string(),
  finding: z.enum(['good', 'bad', 'skipped']),
  run: z.string().nullable(),
  sentence: z.string(),
});
export type BisectEntry = z.infer<typeof entrySchema>;

/** What was found so far, a line each, so that a bisection that was ended goes on where it was. */
export class BisectLog {
  constructor(
    private readonly file: string,
    private readonly search: string,
  ) {}

  /** Lines that cannot be read (the last, after a kill) are as if they were not there. */
  entries(): BisectEntry[] {
    return this.#text()
      .split('\n')
      .flatMap((line): BisectEntry[] => {
        try {
          const parsed = entrySchema.safeParse(JSON.parse(line));
          return parsed.success && parsed.data.search === this.search ? [parsed.data] : [];
        } catch {
          return [];
        }
      });
  }

  add(entry: Omit<BisectEntry, 'search'>): void {
    try {
      mkdirSync(path.dirname(this.file), { recursive: true });
      // Not through a link, which a cloned repository may bring along.
      const descriptor = openSync(this.file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600);
      try {
        // After a kill in the middle of a line the next one begins anew.
        writeSync(descriptor, `\n${JSON.stringify({ search: this.search, ...entry })}\n`);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw failure('report-not-written', `${this.file} could not be written: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  #text(): string {
    try {
      return readBoundedText(this.file, { largestBytes: mostBytes, within: path.dirname(this.file) });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw failure('report-not-written', `${this.file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
}
