import * as z from 'zod';
import { type RunSummary, runSummarySchema } from '../../model/domain/run.ts';
import { baselineCandidateSchema, digestRun } from './baseline.ts';
import { readRun } from './readRun.ts';
import { readMarks } from './runMarks.ts';
import { summarizeRun } from './summarizeRun.ts';

/** What the list of runs needs of one: a thousandth of its record. */
export const listedRunSchema = z.object({
  summary: runSummarySchema,
  baseline: baselineCandidateSchema.nullable().describe('null for a run that cannot be read'),
});
export type ListedRun = z.infer<typeof listedRunSchema>;

/** Reads the whole record of the run in `folder` for the list; null when there is no such folder. Never throws. */
export async function readListedRun(folder: string, id: string): Promise<ListedRun | null> {
  const reading = await readRun(folder, id);
  if ('record' in reading) {
    const { record } = reading;
    const { marks, writtenAtMs } = await readMarks(folder);
    return {
      summary: summarizeRun(record, marks),
      baseline: { id: record.id, digest: digestRun(record), pinnedAtMs: marks.baseline ? writtenAtMs : null },
    };
  }
  if (reading.problem === 'missing') return null;
  return { summary: unreadable(id, reading.problem === 'newer' ? 'newer' : 'damaged', reading.reason), baseline: null };
}

export function unreadable(id: string, problem: 'damaged' | 'newer', reason: string): RunSummary {
  return { kind: 'unreadable', id, problem, reason };
}
