import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { repositoryDir } from '../../support/engine.ts';
import { markdownTable } from '../../support/markdownTable.ts';
import type { Subject } from './subjects.ts';

const resultSchema = z.object({
  subject: z.string(),
  kernelMs: z.number().describe('CPU time of the target and of all that belongs to it, by the kernel, while it was recorded'),
  recordedMs: z.number().describe('CPU time in the recording'),
  recorderMs: z.number().describe('that of the recorder itself, which is in no stack'),
  sentence: z.string().describe('what the flame graph says first'),
});
export type CoverageResult = z.infer<typeof resultSchema>;

/** From this share on nothing that matters is missing. */
const goal = 0.9;
const file = path.join(repositoryDir, 'test', 'bench', 'coverage', 'results', 'coverage.jsonl');

/** All that was recorded, in that order. Of a subject that was recorded more than once the last one counts. */
export function readResults(): CoverageResult[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => resultSchema.parse(JSON.parse(line)));
}

export function addResult(result: CoverageResult): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(resultSchema.parse(result))}\n`);
}

/** Writes docs/coverage.md from what is stored. */
export function writePage(subjects: readonly Subject[]): void {
  const newest = new Map(readResults().map((one) => [one.subject, one]));
  const found = subjects.flatMap(({ name, what }) => {
    const result = newest.get(name);
    return result === undefined ? [] : [{ what, ...result, share: (result.recordedMs + result.recorderMs) / result.kernelMs }];
  });
  const rows = found.map(({ what, kernelMs, recordedMs, recorderMs, share, sentence }) => [
    what,
    `${(kernelMs / 1000).toFixed(2)} s`,
    `${(recordedMs / 1000).toFixed(2)} s`,
    `${(recorderMs / 1000).toFixed(2)} s`,
    `${(100 * share).toFixed(0)} %`,
    share >= goal ? 'yes' : '**no**',
    sentence,
  ]);
  const reached = found.filter(({ share }) => share >= goal).length;
  const text = `# What of the CPU time is in a recording

<!-- Written by \`npm run bench coverage\` from test/bench/coverage/results. Change the bench, not this page. -->

\`npm run bench coverage\` measures services with \`--record\` and holds the CPU time in the recording against what the kernel counted of the target and of all that belongs to it in the same time. Goal: at least ${100 * goal} %, with what the recorder itself used. The services are those of [in the field](field.md), the two samples, a cluster and worker threads.

**${reached} of ${found.length} reach the goal.**

${markdownTable([['what', 'by the kernel', 'in the recording', 'the recorder itself', 'share', 'reached', 'what the flame graph says first'], ...rows])}
`;
  writeFileSync(path.join(repositoryDir, 'docs', 'coverage.md'), text);
}
