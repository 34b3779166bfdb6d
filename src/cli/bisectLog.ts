import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failure } from '../model/failure.ts';

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
    if (!existsSync(this.file)) return [];
    return readFileSync(this.file, 'utf8')
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
      // After a kill in the middle of a line the next one begins anew.
      appendFileSync(this.file, `\n${JSON.stringify({ search: this.search, ...entry })}\n`);
    } catch (error) {
      throw failure('report-not-written', `${this.file} could not be written: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
}
