// Faults at random moments, and what is left of everything afterwards; docs/reliability.md says what came out. Linux only: it looks into /proc.
// Resumable: what is in test/bench/faults/results counts, and what was injected least often comes next.
// Usage: node scripts/bench.mjs faults [--injections=2000] [--minutes=60] [--parallel=2] [--fault=kill-engine,…] [--activity=run,…] [--phase=measure,…]
//   --kills=10000  kills a writer of the store so often instead, until so many kills are kept
//   --versions=200  kills the engine so often instead in a comparison of two versions of the code, until so many kills are kept
//   --list     what there is, and how often each was injected
//   --report   only writes docs/reliability.md from what is stored
//   --dry      prints each result instead of keeping it
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { SeededRandom } from '../../../src/engine/statistics/seededRandom.ts';
import { removeTemporaryFolders, repositoryDir, temporaryFolder } from '../../support/engine.ts';
import { endOwnedProcesses, startOwned } from '../../support/ownedProcesses.ts';
import { type Cell, allCells } from './faults.ts';
import { inject } from './injection.ts';
import { bundleWriter, killsSchema, killWriters } from './kills.ts';
import { Lane } from './lane.ts';
import { writeReport } from './report.ts';
import { resultFile, resultSchema } from './results.ts';
import { killComparisons, versionKillSchema } from './versionKills.ts';

const { values } = parseArgs({
  options: {
    injections: { type: 'string', default: '2000' },
    minutes: { type: 'string', default: '6000' },
    parallel: { type: 'string', default: '2' },
    fault: { type: 'string' },
    activity: { type: 'string' },
    phase: { type: 'string' },
    kills: { type: 'string' },
    versions: { type: 'string' },
    list: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const isAsked = (asked: string | undefined, name: string): boolean => asked === undefined || asked.split(',').includes(name);
const cells = allCells().filter(
  ({ fault, activity, phase }) => isAsked(values.fault, fault.name) && isAsked(values.activity, activity) && isAsked(values.phase, phase),
);
if (cells.length === 0) throw new Error(`Name faults of: ${[...new Set(allCells().map(({ fault }) => fault.name))].join(', ')}.`);
const file = resultFile('faults.jsonl', resultSchema);
const killsFile = resultFile('kills.jsonl', killsSchema);
const versionKillsFile = resultFile('versionKills.jsonl', versionKillSchema);
const keyOf = (cell: { fault: string; activity: string; phase: string }): string => `${cell.fault} ${cell.activity} ${cell.phase}`;
const counts = new Map<string, number>();
for (const result of file.read()) counts.set(keyOf(result), (counts.get(keyOf(result)) ?? 0) + 1);
const total = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);
const deadline = performance.now() + 60_000 * Number(values.minutes);
const random = new SeededRandom(Date.now() % 1_000_000_000);
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));

/** One of those that were injected least often. */
function nextCell(): Cell {
  const of = ({ fault, activity, phase }: Cell): number => counts.get(keyOf({ fault: fault.name, activity, phase })) ?? 0;
  const least = Math.min(...cells.map(of));
  const rare = cells.filter((cell) => of(cell) === least);
  const cell = rare[random.nextInteger(0, rare.length - 1)];
  if (cell === undefined) throw new Error('there is nothing to inject');
  const key = keyOf({ fault: cell.fault.name, activity: cell.activity, phase: cell.phase });
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return cell;
}

function headCommit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: repositoryDir, encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

async function prepare(): Promise<{ clientFile: string; javaClasses: string }> {
  const scratch = temporaryFolder('scratch');
  const [clientFile, javaClasses] = [path.join(scratch, 'client.mjs'), path.join(scratch, 'classes')];
  mkdirSync(javaClasses);
  await build({
    entryPoints: [path.join(repositoryDir, 'test/bench/faults/client.ts')],
    outfile: clientFile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    define: { 'import.meta.dirname': JSON.stringify(path.join(repositoryDir, 'test/support')) },
    logLevel: 'error',
  });
  const compiler = await startOwned('javac', ['-d', javaClasses, path.join(repositoryDir, 'test/bench/faults/apps/Hungry.java')]);
  await compiler.exited;
  return { clientFile, javaClasses };
}

/** What is broken off within a portion is not kept. */
const killsOfPortion = 40;

/** In portions, each in a store of its own. */
async function killAll(wanted: number): Promise<void> {
  const writer = await bundleWriter();
  const commit = headCommit();
  const done = (): number => killsFile.read().reduce((sum, { kills }) => sum + kills, 0);
  while (!stopped && done() < wanted && performance.now() < deadline) {
    const result = { ...(await killWriters(writer, Math.min(killsOfPortion, wanted - done()), random, Number(values.parallel))), commit };
    if (values.dry) console.log(JSON.stringify(result));
    else killsFile.add(result);
    if (values.dry) break;
    process.stderr.write('.');
  }
}

async function killAllComparisons(wanted: number): Promise<void> {
  const commit = headCommit();
  const open = wanted - versionKillsFile.read().length;
  const goesOn = (): boolean => !stopped && performance.now() < deadline;
  const took: Parameters<typeof killComparisons>[2] = (result) => {
    if (values.dry) console.log(JSON.stringify(result));
    else versionKillsFile.add({ ...result, commit });
    if (result.changed.length + result.left.length > 0) console.error(JSON.stringify(result));
    else process.stderr.write('.');
  };
  await killComparisons(open, random, took, goesOn);
}

async function injectAll(): Promise<void> {
  const places = await prepare();
  const commit = headCommit();
  const work = async (): Promise<void> => {
    const lane = new Lane(places);
    await lane.mount();
    try {
      while (!stopped && total() < Number(values.injections) && performance.now() < deadline) {
        const cell = nextCell();
        const injected = await inject(cell, lane, random);
        // What an engine said may name the folder of this copy of the repository, which is nobody's business.
        const result = { ...injected, said: injected.said?.replaceAll(`${repositoryDir}/`, '') ?? null, commit };
        if (values.dry) console.log(JSON.stringify(result));
        else file.add(result);
        if (result.left.length > 0 || !result.nextRun)
          console.error(
            `${result.fault} ${result.activity} ${result.phase} +${result.delayMs}: ${[...result.left, result.nextCode ?? ''].join('; ')}`,
          );
        else process.stderr.write('.');
      }
    } finally {
      await lane.unmount();
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, work));
}

if (values.list)
  for (const cell of cells)
    console.log(`${counts.get(keyOf({ ...cell, fault: cell.fault.name })) ?? 0}  ${keyOf({ ...cell, fault: cell.fault.name })}`);
else {
  try {
    if (values.kills !== undefined) await killAll(Number(values.kills));
    else if (values.versions !== undefined) await killAllComparisons(Number(values.versions));
    else if (!values.report) await injectAll();
  } finally {
    await endOwnedProcesses();
    removeTemporaryFolders();
  }
  if (!values.dry) writeReport(file.read(), killsFile.read(), versionKillsFile.read());
}
