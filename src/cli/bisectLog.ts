import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { failure } from '../model/domain/failure.ts';
import type { VersionMetric } from '../model/domain/versionDiff.ts';
import { readBoundedText } from '../engine/files/boundedFile.ts';
import { type Change, type Seen, pooled } from './bisection.ts';
import { writing } from './terminal.ts';

/** A line has a few hundred bytes. */
const mostBytes = 16 * 1024 * 1024;
/** Flags absent on Windows count as 0 there. */
const noFollow = constants.O_NOFOLLOW ?? 0;

const changeSchema = z.object({ change: z.number(), error: z.number().positive() });

/** One comparison of a bisection, a line of its log. */
const entrySchema = z.object({
  search: z.string().describe('what is searched, and how it is measured: only lines of the same search count'),
  commit: z.string(),
  finding: z.enum(['good', 'bad', 'skipped', 'open']),
  run: z.string().nullable(),
  sentence: z.string(),
  changes: z
    .partialRecord(z.enum(['throughput', 'cpu']), changeSchema)
    .default({})
    .describe('by how much it is worse than the good version, on a logarithm'),
});
export type BisectEntry = z.infer<typeof entrySchema>;

/** Half of a 95 % interval, in standard errors. */
const halfInterval = 1.96;

/** What a comparison says of a commit in addition to its verdict. */
export function changesOf(metrics: readonly VersionMetric[]): BisectEntry['changes'] {
  const changeOf = (id: 'throughput' | 'cpu', sign: 1 | -1): BisectEntry['changes'] => {
    const ratio = metrics.find((metric) => metric.id === id && metric.counts !== false)?.ratio;
    if (ratio?.ciLow == null || ratio.ciHigh === null || ratio.ciLow <= 0) return {};
    const error = Math.log(ratio.ciHigh / ratio.ciLow) / (2 * halfInterval);
    return error > 0 ? { [id]: { change: sign * Math.log(ratio.mean), error } } : {};
  };
  return { ...changeOf('throughput', -1), ...changeOf('cpu', 1) };
}

/**
 * What was seen of each commit. Of throughput and CPU per request, the one that shows the bad version more clearly counts. All comparisons of a commit count.
 */
export function seenIn(entries: readonly BisectEntry[], bad: string): Map<string, Seen> {
  const changeIn = (commit: string, id: 'throughput' | 'cpu'): Change | null =>
    entries.filter((entry) => entry.commit === commit).reduce<Change | null>((all, { changes }) => pooled(all, changes[id] ?? null), null);
  const standsOut = (id: 'throughput' | 'cpu'): number => {
    const found = changeIn(bad, id);
    return found === null ? -Infinity : found.change / found.error;
  };
  const id = standsOut('cpu') > standsOut('throughput') ? 'cpu' : 'throughput';
  return new Map(entries.map(({ commit, finding }) => [commit, { finding, change: changeIn(commit, id) }]));
}

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

  /** Writes a line, and gives all there are. */
  add(entry: Omit<BisectEntry, 'search'>): BisectEntry[] {
    writing('report-not-written', `${this.file} could not be written`, () => {
      mkdirSync(path.dirname(this.file), { recursive: true });
      // Not through a link, which a cloned repository may bring along.
      const descriptor = openSync(this.file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600);
      try {
        // After a kill in the middle of a line the next entry begins a new line.
        writeSync(descriptor, `\n${JSON.stringify({ search: this.search, ...entry })}\n`);
      } finally {
        closeSync(descriptor);
      }
    });
    return this.entries();
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
