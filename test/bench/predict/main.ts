// Predictions for other surroundings compared with what was measured there, through the command line; docs/predictions.md says what came out.
// Resumable: what is in test/bench/predict/results is not measured again. Alone on the machine.
// Usage: node scripts/bench.mjs predict [--cell=part of a name] [--minutes=60] [--report: only writes docs/predictions.md] [--keep=folder of the runs]
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { type RunRecord, runRecordSchema } from '../../../src/model/domain/run.ts';
import { measuredService } from '../../../src/model/domain/prediction/measuredService.ts';
import { measuredSurroundings } from '../../../src/model/domain/prediction/predict.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { type Cell, cells } from './cells.ts';
import { page } from './page.ts';
import { type MeasuredCell, type Result, judged, measuredCellSchema } from './results.ts';

const file = path.join(repositoryDir, 'test', 'bench', 'predict', 'results', 'predict.jsonl');
const longestMs = 600_000;
const { values } = parseArgs({
  options: {
    cell: { type: 'string', default: '' },
    minutes: { type: 'string', default: '600' },
    report: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});

const measured = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => measuredCellSchema.parse(JSON.parse(line)))
  : [];

try {
  if (!values.report) measureAll();
} finally {
  removeTemporaryFolders();
}
writeFileSync(path.join(repositoryDir, 'docs', 'predictions.md'), page(measured, cells.length));
console.log('docs/predictions.md is written.');

function measureAll(): void {
  const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
  const workspace = values.keep ?? temporaryFolder('predict');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryDir, encoding: 'utf8' }).trim();
  for (const cell of cells) {
    if (measured.some((one) => one.cell === cell.id) || !cell.id.includes(values.cell) || performance.now() > deadlineMs) continue;
    const startedMs = performance.now();
    const found = measure(cell, workspace);
    const one: MeasuredCell = {
      cell: cell.id,
      kind: cell.kind,
      commit,
      spentS: Math.round((performance.now() - startedMs) / 1000),
      ...found,
    };
    measured.push(one);
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, `${JSON.stringify(one)}\n`);
    console.log(`${cell.id} (${one.spentS} s)${one.failed === null ? '' : `: ${one.failed}`}`);
    for (const {
      to,
      throughput: { mean, low, high },
      measured: truth,
      full,
      isIn,
    } of one.results.map(judged))
      console.log(`  ${isIn ? 'in ' : 'OUT'} ${to}: ${[mean, low, high, truth].map(Math.round).join(' ')} ${String(full)}`);
  }
}

function measure(cell: Cell, workspace: string): Pick<MeasuredCell, 'failed' | 'results'> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(repositoryDir, 'dist', 'cli.cjs'), 'run', '--json', '--workspace', workspace, ...cell.args],
    { encoding: 'utf8', timeout: longestMs, maxBuffer: 256 * 2 ** 20 },
  );
  const said = z.object({ run: z.object({ id: z.string() }) }).safeParse(safely(stdout));
  if (!said.success) return { failed: stderr.trim().split('\n').at(-1) ?? 'no answer', results: [] };
  const stored = readFileSync(path.join(workspace, '.benchside', 'runs', said.data.run.id, 'run.json'), 'utf8');
  const run = runRecordSchema.parse(JSON.parse(stored));
  const results = cell.pairs.flatMap((pair) => compared(pair, run) ?? []);
  return { failed: results.length === 0 ? 'no trial of it counts' : null, results };
}

/** Null where one of both was not measured. */
function compared({ from, to, changes }: Cell['pairs'][number], run: RunRecord): Result | null {
  const of = (key: string): RunRecord['trials'] =>
    run.trials.filter((trial) => trial.valid && key.split('|').every((part) => trial.key.split('|').includes(part)));
  const [truth] = of(to).sort((a, b) => b.connections - a.connections);
  if (truth === undefined || of(from).length === 0) return null;
  const service = measuredService(run, from);
  // The load and the proxy that delays are tools of the bench: what they take is no part of what is predicted.
  const clientMs = (truth.resources.generator.cpuUsPerRequest ?? 0) / 1000;
  // So is how long the proxy waits for a core: what is predicted is the distance that there was.
  const far = truth.distance === undefined ? {} : { rttMs: truth.distance.lastedMs };
  return { to, service, surroundings: { ...measuredSurroundings(service), ...changes, ...far, clientMs }, measured: truth.throughput.mean };
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
