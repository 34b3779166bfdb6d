import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';

/** One injection, and what came of it. Nothing in it names the machine: it is kept in the repository. */
export const resultSchema = z.object({
  fault: z.string(),
  activity: z.string(),
  phase: z.string(),
  target: z.string(),
  reached: z.boolean().describe('whether the phase was reached at all: an activity may end before it'),
  injected: z.boolean().describe('false: there was nothing to do it to at that moment'),
  delayMs: z.number().describe('from the begin of the phase to the fault'),
  processes: z.number().describe('that ran for the engine at that moment'),
  ended: z.string().nullable().describe('how the activity ended: its outcome or the code of its failure; null: nobody was told'),
  said: z.string().nullable().default(null).describe('what was said of a failure that nobody had thought of'),
  endedMs: z.number().nullable().describe('from the fault to the end of an activity whose engine lives on'),
  cleanUpMs: z
    .number()
    .nullable()
    .describe('from the fault, or from when the client left, until nothing of it ran but the engine’s guardian; null: never within 30 s'),
  guardianMs: z
    .number()
    .nullable()
    .default(null)
    .describe('from the same moment until the engine’s guardian had ended, too; null: not measured, or never'),
  alone: z
    .boolean()
    .nullable()
    .default(null)
    .describe('whether the next engine was started only when nothing ran any more; null: before engines had a guardian'),
  nextEngineMs: z
    .number()
    .nullable()
    .default(null)
    .describe('from the same moment until the next engine had started, had cleared up, and answered; null: not measured'),
  starved: z.number().nullable().default(null).describe('share of that time in which somebody on the machine waited for a processor'),
  nice: z.number().nullable().default(null).describe('the priority of all that took part, as `nice` has it'),
  left: z.array(z.string()),
  nextRun: z.boolean().describe('whether the next run was complete and stored'),
  nextCode: z.string().nullable(),
  wholeMs: z.number(),
  commit: z.string().nullable().default(null),
});
export type Result = z.infer<typeof resultSchema>;

const folder = path.join(repositoryDir, 'test', 'bench', 'faults', 'results');

/** A file of one line of JSON for each result, written at once, so that nothing is lost when the bench is broken off. */
export function resultFile<T extends z.ZodType>(name: string, schema: T): { read(): z.infer<T>[]; add(result: z.infer<T>): void } {
  const file = path.join(folder, name);
  return {
    read: () =>
      existsSync(file)
        ? readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => schema.parse(JSON.parse(line)))
        : [],
    add: (result) => {
      mkdirSync(folder, { recursive: true });
      appendFileSync(file, `${JSON.stringify(schema.parse(result))}\n`);
    },
  };
}
