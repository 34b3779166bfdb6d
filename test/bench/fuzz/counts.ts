import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';

const countedSchema = z.object({
  reader: z.string(),
  seed: z.string(),
  from: z.number(),
  to: z.number().describe('the number of the first input that was not read any more'),
  read: z.number(),
  refused: z.number(),
  failed: z.number(),
  slowestMs: z.number().describe('of processor time'),
  rssMb: z.number(),
});
/** What was counted of a slice of a reader's inputs. */
export type Counted = z.infer<typeof countedSchema>;

const file = path.join(repositoryDir, 'test', 'bench', 'fuzz', 'results', 'fuzz.jsonl');

export function readCounted(): Counted[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => countedSchema.parse(JSON.parse(line)));
}

export function keepCounted(counted: Counted): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(counted)}\n`);
}

/** What is kept, by reader, as a table of Markdown. */
export function countedTable(): string {
  const byReader = new Map<string, Counted[]>();
  for (const counted of readCounted()) byReader.set(counted.reader, [...(byReader.get(counted.reader) ?? []), counted]);
  const rows = [...byReader].map(([reader, slices]) => {
    const sum = (of: (slice: Counted) => number): number => slices.reduce((total, slice) => total + of(slice), 0);
    const most = (of: (slice: Counted) => number): number => Math.max(...slices.map(of));
    const [inputs, read, refused] = [sum(({ from, to }) => to - from), sum((slice) => slice.read), sum((slice) => slice.refused)];
    const cells = [inputs, read, refused].map((count) => count.toLocaleString('en'));
    return [reader, ...cells, sum(({ failed }) => failed), `${most(({ slowestMs }) => slowestMs)} ms`, `${most(({ rssMb }) => rssMb)} MB`];
  });
  return markdownTable([['reader', 'inputs', 'read', 'refused', 'failed', 'longest', 'most memory'], ...rows]);
}
