import * as z from 'zod';
import { settingValuesSchema } from '../../model/domain/setting.ts';
import { runSummarySchema } from '../../model/domain/run.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import { digestRun } from './baseline.ts';
import { readRun } from './readRun.ts';
import { readMarks } from './runMarks.ts';
import { summarizeRun } from './summarizeRun.ts';

const digestSchema = z.object({
  targets: z.string(),
  machine: z.string(),
  delta: z.number(),
  trials: z.array(
    z.object({
      target: z.string(),
      settings: settingValuesSchema,
      connections: z.number(),
      requests: z.string(),
      throughput: z.object({ n: z.number(), mean: z.number(), variance: z.number() }),
    }),
  ),
});

/** What the list of runs needs of one: a thousandth of its record. */
export const listedRunSchema = z.object({
  summary: runSummarySchema,
  baseline: z
    .object({ id: z.string(), digest: digestSchema, pinnedAtMs: z.number().nullable() })
    .nullable()
    .describe('null for a run that cannot be read'),
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

/** The row of a run that cannot be read. */
export function unreadable(id: string, problem: 'damaged' | 'newer', reason: string): RunSummary {
  return { kind: 'unreadable', id, problem, reason };
}
