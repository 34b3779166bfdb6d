// Questions whose answers are known, asked through the command line, as the machine is and while other programs take its CPU; docs/truth.md says what came out.
// Resumable: what is in test/bench/truth/results is not measured again. Alone on the machine.
// Usage: node scripts/bench.mjs truth [--cell=copies,ladders,…] [--condition=as-is,half,bursts] [--variant=part of a name] [--times=10]
//   --list          what there is, and how much of it is done
//   --report        only writes docs/truth.md from what is stored
//   --minutes=60    begins no further repetition after that time
//   --with="…"      further arguments for run, tune and experiment, e.g. --with="--budget 120"
// The cell “simulation” measures nothing: it is computed, and always again, with --times trials of each app (400).
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { removeTemporaryFolders, repositoryDir } from '../../support/engine.ts';
import type { Cell } from './cell.ts';
import { bisections, expressCommits, jettyCommits } from './cells/commits.ts';
import { copies, tenPercent } from './cells/comparisons.ts';
import { keyCopies } from './cells/keyCopies.ts';
import { ladderCell } from './cells/ladders.ts';
import { planted } from './cells/planted.ts';
import { start } from './cells/start.ts';
import { experiments } from './cells/experiments.ts';
import { tunings } from './cells/tunings.ts';
import { type Condition, begin, conditionSchema } from './conditions.ts';
import { writeExperiments } from './experimentsPage.ts';
import { versions } from './cells/versions.ts';
import { page, writePage } from './report.ts';
import { readSimulation, simulateAll } from './simulation.ts';
import { ResultStore } from './store.ts';
import { makeWorkspace } from './workspace.ts';

const cells: readonly Cell[] = [
  copies,
  tenPercent,
  keyCopies,
  ladderCell,
  tunings,
  planted,
  experiments,
  start,
  versions,
  expressCommits,
  jettyCommits,
  bisections,
];
const { values } = parseArgs({
  options: {
    cell: { type: 'string' },
    condition: { type: 'string', default: conditionSchema.options.join(',') },
    variant: { type: 'string', default: '' },
    times: { type: 'string' },
    minutes: { type: 'string', default: '6000' },
    with: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const asked = values.cell?.split(',') ?? [...cells.map(({ name }) => name), 'simulation'];
const unknown = asked.filter((name) => name !== 'simulation' && !cells.some((cell) => cell.name === name));
if (unknown.length > 0) throw new Error(`Name cells of: ${cells.map(({ name }) => name).join(', ')}, simulation.`);
const chosen = cells.filter(({ name }) => asked.includes(name));
const conditions = values.condition.split(',').map((name) => conditionSchema.parse(name));
const extra = values.with.split(' ').filter((argument) => argument !== '');
const deadlineMs = performance.now() + 60_000 * Number(values.minutes);
const store = new ResultStore(cells.map(({ name }) => name));
const commit = headCommit();

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort(new Error('broken off')));

if (values.list) list();
else {
  try {
    if (!values.report) {
      if (asked.includes('simulation')) simulateAll(Number(values.times ?? 400));
      await measureAll();
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    console.log('Broken off; what was measured is kept.');
    process.exitCode = 130;
  } finally {
    removeTemporaryFolders();
  }
  writeExperiments(store.results);
  if (writePage(page(cells, store.results, readSimulation()))) console.log('docs/truth.md is written.');
}

function headCommit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: repositoryDir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

function timesOf(cell: Cell): number {
  return values.times === undefined ? cell.times : Number(values.times);
}

function variantsOf(cell: Cell): string[] {
  return cell.variants.filter((variant) => variant.includes(values.variant));
}

function list(): void {
  for (const cell of chosen) {
    console.log(`${cell.name}: ${cell.title}. Goal: ${cell.goal}`);
    for (const variant of variantsOf(cell)) {
      const done = conditions.map((condition) => {
        const count = store.results.filter(
          (one) => one.cell === cell.name && one.variant === variant && one.condition === condition,
        ).length;
        return `${condition} ${count}/${timesOf(cell)}`;
      });
      console.log(`   ${variant}: ${done.join(', ')}`);
    }
  }
}

/** Every repetition of everything once, before any twice: when it is broken off, all have been measured about as often. */
async function measureAll(): Promise<void> {
  const absent = new Map(
    chosen.flatMap((cell) => variantsOf(cell).map((variant) => [`${cell.name}|${variant}`, cell.missing?.(variant) ?? null])),
  );
  for (const sentence of new Set([...absent.values()].filter((one) => one !== null))) console.log(`Left out: ${sentence}`);
  const workspace = makeWorkspace();
  try {
    const most = Math.max(0, ...chosen.map(timesOf));
    for (let repeat = 1; repeat <= most; repeat += 1) {
      for (const cell of chosen.filter((one) => repeat <= timesOf(one))) {
        for (const condition of conditions) {
          const left = variantsOf(cell).filter(
            (variant) => absent.get(`${cell.name}|${variant}`) === null && !store.has({ cell: cell.name, variant, condition, repeat }),
          );
          // The planted cases are a bench of their own, which measures them in one go.
          for (const some of cell === planted ? [left] : left.map((variant) => [variant])) {
            if (some.length === 0 || performance.now() > deadlineMs) continue;
            await measure(cell, some, condition, repeat, workspace.folder);
          }
        }
      }
    }
  } finally {
    workspace.remove();
  }
}

async function measure(cell: Cell, variants: readonly string[], condition: Condition, repeat: number, workspace: string): Promise<void> {
  const end = begin(condition, 1000 * repeat + variants.length);
  try {
    await cell.measure(variants, { workspace, condition, repeat, extra, signal: stopped.signal }, (variant, measured) => {
      const key = { cell: cell.name, variant, condition, repeat };
      store.add({ ...key, ...measured, ...(extra.length === 0 ? {} : { with: extra.join(' ') }), commit });
      const seconds = `${measured.measuringS ?? '–'} s measuring, ${measured.wholeS} s whole, ${measured.takenPercent ?? '–'} % of the CPU taken`;
      console.log(
        `${measured.outcome.padEnd(10)} ${cell.name} · ${variant} · ${condition} · ${repeat}: ${measured.said.slice(0, 160)} (${seconds})`,
      );
    });
  } finally {
    await end();
  }
}
