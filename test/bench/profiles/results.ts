import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { goal } from './compare.ts';

const resultSchema = z.object({
  id: z.string(),
  format: z.string().describe('as which it was read'),
  program: z.string(),
  reference: z.string(),
  event: z.string(),
  kilobytes: z.number(),
  totalReference: z.number(),
  totalOurs: z.number(),
  totalOffPercent: z.number(),
  worstPoints: z.number(),
  functions: z.array(z.object({ name: z.string(), reference: z.number(), ours: z.number() })),
  notes: z.array(z.string()),
});
export type Result = z.infer<typeof resultSchema>;

const file = path.join(repositoryDir, 'test', 'bench', 'profiles', 'results', 'profiles.jsonl');

/** What was compared so far, a line of JSON for each file of the corpus. Nothing in it names the machine. */
export class ResultStore {
  readonly #results = new Map<string, Result>();

  constructor() {
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const result = resultSchema.parse(JSON.parse(line));
      this.#results.set(result.id, result);
    }
  }

  get results(): Result[] {
    return [...this.#results.values()];
  }

  has(id: string): boolean {
    return this.#results.has(id);
  }

  put(result: Result): void {
    this.#results.set(result.id, resultSchema.parse(result));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, this.results.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
}

/** Whether a total and the first functions are as near as is wanted. */
export function isReached({ totalOffPercent, worstPoints }: Pick<Result, 'totalOffPercent' | 'worstPoints'>): boolean {
  return Math.abs(totalOffPercent) <= goal.totalPercent && worstPoints <= goal.points;
}
