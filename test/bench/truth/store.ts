import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { conditionSchema } from './conditions.ts';

/** One repetition, as measured. Nothing in it names the machine: it is kept in the repository. */
export const resultSchema = z.object({
  cell: z.string(),
  variant: z.string(),
  condition: conditionSchema,
  repeat: z.number().int().min(1),
  outcome: z.string(),
  measuringS: z.number().nullable().describe('from the begin of the first measured block to the end of the last'),
  windowsS: z
    .number()
    .nullable()
    .optional()
    .describe('the measured windows of all sides together, without what lies between them: turns, starts and warm-ups'),
  wholeS: z.number().describe('from calling the program to its end'),
  takenPercent: z.number().nullable().describe('CPU that other programs and the hypervisor took on the mean over the settings'),
  cores: z.number().int().nullable(),
  ratio: z.object({ mean: z.number(), ciLow: z.number().nullable(), ciHigh: z.number().nullable() }).optional(),
  value: z.union([z.number(), z.string()]).nullable().optional(),
  said: z.string().describe('the product’s own sentence, or why it failed'),
  with: z.string().optional().describe('further arguments that it was called with'),
  commit: z.string().nullable(),
});
export type Result = z.infer<typeof resultSchema>;
export type Key = Pick<Result, 'cell' | 'variant' | 'condition' | 'repeat'>;

/** What was measured so far: a line of JSON for each repetition in a file for each cell, written at once, so that nothing is lost when it is broken off. */
export class ResultStore {
  readonly results: Result[];

  constructor(
    cells: readonly string[],
    private readonly folder = path.join(repositoryDir, 'test', 'bench', 'truth', 'results'),
  ) {
    this.results = cells.flatMap((cell) => {
      const file = this.#file(cell);
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, 'utf8').split('\n');
      return lines.filter((line) => line !== '').map((line) => resultSchema.parse(JSON.parse(line)));
    });
  }

  has({ cell, variant, condition, repeat }: Key): boolean {
    return this.results.some((one) => one.cell === cell && one.variant === variant && one.condition === condition && one.repeat === repeat);
  }

  add(result: Result): void {
    mkdirSync(this.folder, { recursive: true });
    appendFileSync(this.#file(result.cell), `${JSON.stringify(resultSchema.parse(result))}\n`);
    this.results.push(result);
  }

  #file(cell: string): string {
    return path.join(this.folder, `${cell}.jsonl`);
  }
}
