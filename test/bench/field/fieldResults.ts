import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';

export const steps = ['build', 'offer', 'find', 'declare', 'measure', 'done'] as const;

/** One service, and what the product made of it. Nothing in it names the machine: it is kept in the repository. */
export const resultSchema = z.object({
  service: z.string(),
  runtime: z.enum(['node', 'jvm']),
  built: z.boolean().describe('false: it could not be installed or built here, which says nothing of the product'),
  offered: z
    .enum(['same', 'other', 'nothing'])
    .describe('without a command: what a developer types among the ways to start it, others, or none'),
  found: z.boolean().describe('started by its command, seen to listen, and on which port'),
  port: z.string().nullable().describe('the variable that tells it, or the one that it always uses'),
  declared: z.boolean().describe('written to benchside.json without an edit'),
  questions: z.number().describe('that a person is asked beyond “start it?” and “write it?”; each is answered by what is proposed'),
  open: z.array(z.string()).describe('what the file says is still to be looked at'),
  routes: z.object({ found: z.number(), of: z.number() }).describe('of those that answer a GET without signing in'),
  measured: z.boolean().describe('a first run with a valid trial and no request that failed'),
  requestsPerS: z.number().nullable(),
  database: z.boolean().nullable().describe('whether its address was found; null where it uses none'),
  poolFound: z.boolean().nullable().describe('null where it has none whose size can be set'),
  poolMoved: z.boolean().nullable().describe('measured with two sizes that were in force'),
  seconds: z.object({ build: z.number(), init: z.number(), run: z.number() }),
  step: z.enum(steps).describe('how far it came'),
  said: z.string().describe('the last lines where it did not come to its end'),
  left: z.number().describe('processes that were left over'),
  load: z
    .number()
    .nullable()
    .default(null)
    .describe('processes that wanted to run on each core at its end, over a minute; null: not noted'),
  commit: z.string().nullable(),
});
export type FieldResult = z.infer<typeof resultSchema>;

const folder = path.join(repositoryDir, 'test', 'bench', 'field', 'results');

/** Everything that was tried, in the order of the files and their lines. Of a service that was tried more than once the last one counts. */
export function readResults(): FieldResult[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

/** Written at once, so that nothing is lost when the bench is broken off. */
export function addResult(result: FieldResult): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(path.join(folder, `${result.runtime}.jsonl`), `${JSON.stringify(resultSchema.parse(result))}\n`);
}

/** The last lines of what was said, without what names the machine. */
export function lastLines(text: string, lines = 6): string {
  let clean = text;
  for (const place of [repositoryDir, tmpdir(), homedir()]) if (place.length > 2) clean = clean.replaceAll(place, '…');
  clean = clean.replace(new RegExp(`\\b${hostname().replace(/\W/g, '\\$&')}\\b`, 'g'), '…');
  const told = clean
    .replace(/\bhttps?:\/\/(?!localhost|127\.0\.0\.1)[^\s/]+/g, 'https://…')
    .replace(/\u001b\[[\d;]*m/g, '')
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter((line) => line !== '');
  // A stack pushes what it is about out of sight.
  const error = told.slice(0, -lines).findLast((line) => /^(?:\w*Error|Cause)\b.*: |^error: /i.test(line));
  return [...(error === undefined ? [] : [error]), ...told.slice(-lines)].join('\n').slice(0, 1_000);
}
