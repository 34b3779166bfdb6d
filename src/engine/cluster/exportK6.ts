import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { Declarations } from '../targets/catalog.ts';
import { replaceFile, statOrNull, systemCode } from '../files/safeFiles.ts';
import { planFileName, scriptFileName } from '../k6/k6Plan.ts';
import type { ResultOf } from '../../model/protocol/protocol.ts';
import { type Exported, exportPlan } from './exportPlan.ts';
import { planResults, planTestRun, readme, roundsScript, valueScript } from './rounds.ts';

/** The limit of Kubernetes for a config map, minus room for keys and what is around them. */
const largestConfigMapBytes = 1024 * 1024 - 4096;

export interface ExportOptions {
  /** Absolute; made where there is none, and empty where there is one. */
  folder: string;
  /** Where the service is, as k6 asks it. */
  url: string;
  parallelism: number;
  assetsDir: string;
}

/** Writes a measurement as a folder for k6 and its operator. Fails with `k6-cannot`, `k6-too-large` and `k6-folder`, and as the plan of a run does. */
export async function exportK6(
  exported: Exported,
  declarations: Declarations,
  { folder, url, parallelism, assetsDir }: ExportOptions,
): Promise<ResultOf<'k6/export'>> {
  const { plan, notes } = exportPlan(exported, declarations, { url, parallelism });
  const script = await readFile(path.join(assetsDir, 'profiles', 'k6', scriptFileName), 'utf8');
  const json = `${JSON.stringify(plan)}\n`;
  const bytes = Buffer.byteLength(script) + Buffer.byteLength(json);
  if (bytes > largestConfigMapBytes)
    throw failure(
      'k6-too-large',
      `The script and its plan are ${bytes} bytes, and a config map of Kubernetes holds 1 MiB.`,
      'Export fewer values, fewer rounds or a shorter body.',
    );
  const files: [string, string][] = [
    [scriptFileName, script],
    [planFileName, json],
    ['testrun.yaml', planTestRun(plan, { test: 0, parallelism })],
    ['results.yaml', planResults(plan)],
    ['rounds.sh', roundsScript(plan)],
    ['value.sh', valueScript(plan)],
    ['README.md', readme(plan, { parallelism, notes })],
  ];
  await makeEmpty(folder);
  try {
    for (const [name, text] of files) await replaceFile(path.join(folder, name), Buffer.from(text));
  } catch (error) {
    throw unwritten(folder, error);
  }
  return { files: files.map(([name]) => name), notes, tests: plan.tests.length };
}

async function makeEmpty(folder: string): Promise<void> {
  try {
    const there = await statOrNull(folder);
    const cannot = (because: string): Error =>
      failure('k6-folder', `${folder} ${because}.`, 'Name a folder that does not exist yet, or an empty one.');
    if (there !== null && !there.isDirectory()) throw cannot('is not a folder');
    if (there !== null && (await readdir(folder)).length > 0) throw cannot('is not empty, and nothing is overwritten');
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritten(folder, error);
  }
}

function unwritten(folder: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  return failure('k6-folder', `${folder} cannot be written (${code}).`, 'Name a folder in one that exists and that you may write.');
}
