import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';
import type { RunRecord } from '../../model/domain/run.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { settingLabel } from '../../model/domain/setting.ts';
import { targetSchema } from '../../model/domain/target.ts';
import { readBounded } from '../files/boundedFile.ts';
import { type K6Plan, k6PlanSchema, planFileName } from '../k6/k6Plan.ts';
import type { K6Block } from '../k6/k6Blocks.ts';
import { k6Measurement } from '../k6/k6Measurement.ts';
import { readInThread } from '../k6/k6Thread.ts';
import { stepMetrics } from '../load/scenario/stepMetrics.ts';
import { composeRecord } from '../run/composeRecord.ts';
import type { PlannedProcess, PlannedTrial, RunPlan } from '../run/plan.ts';
import type { RunContext } from '../run/runContext.ts';
import { writeTrials } from '../run/runLife.ts';
import { TrialStore } from '../run/trialStore.ts';
import type { Declarations } from '../targets/catalog.ts';
import { exportedRun, exportPlan } from './exportPlan.ts';

const largestPlanBytes = 4 * 1024 * 1024;
const deepestFolder = 4;
const mostFiles = 10_000;
const routesFile = 'k6-routes.ndjson';

export interface ImportOptions extends Pick<RunContext, 'store' | 'assetsDir' | 'declarations' | 'readEnvironment' | 'signal'> {
  /** The run that was exported, in place of its plan. */
  as: RunRecord | null;
  onProgress: (step: Step, fraction: number) => void;
}

type Planned = Pick<
  K6Plan,
  'request' | 'load' | 'title' | 'target' | 'routes' | 'settleS' | 'durationS' | 'trials' | 'tests' | 'traffic'
> & { id: string | null };

/**
 * A run from the files of k6’s runners, by the plan of its export: a file or a folder of them each. Fails with `k6-plan` when there is none, or another one
 * than there should be, and with `k6-csv` or `k6-files` as `readK6Blocks` does.
 */
export async function importK6(paths: readonly string[], options: ImportOptions): Promise<RunRecord> {
  const { store, signal, onProgress, assetsDir } = options;
  const found = await findFiles(paths);
  const plan = options.as === null ? await readPlan(found.plans) : planOfRun(options.as, options.declarations);
  const totalBytes = found.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const read = await readInThread(
    path.join(assetsDir, 'dist', 'k6Worker.cjs'),
    {
      files: found.tables,
      id: plan.id,
      tests: plan.tests.length,
      settleMs: plan.settleS * 1000,
      windowMs: plan.durationS * 1000,
      open: plan.traffic.open !== null,
    },
    {
      signal,
      onProgress: (file, bytes) => {
        const before = found.tables.slice(0, file).reduce((sum, one) => sum + one.bytes, 0);
        const fraction = Math.min(1, (before + bytes) / Math.max(1, totalBytes));
        onProgress({ code: 'reading-file', file: found.tables[file]?.name ?? '' }, fraction);
      },
    },
  );
  const writer = await store.begin(store.newId());
  try {
    const run = planned(plan);
    const trialStore = new TrialStore(run.trials, []);
    const routes = writer.append(routesFile);
    const beganUs = Math.min(...read.blocks.flatMap(({ runners }) => runners.map(({ startUs }) => startUs)));
    const endedUs = Math.max(...read.blocks.flatMap(({ runners }) => runners.map(({ endUs }) => endUs)));
    for (const block of read.blocks) noteBlock(block, { plan, run, trialStore, beganUs, add: (line) => routes.add(line) });
    const recorded = trialStore.final();
    await writeTrials(writer, recorded, { keptLogs: () => [] });
    const environment = await options.readEnvironment({ postgresVersion: null, postgresSettings: {} });
    const generator = generatorPhrase(read.blocks);
    const record = composeRecord({
      runId: writer.id,
      request: plan.request,
      plan: run,
      mode: { mode: 'restart-per-block', reasons: [{ code: 'k6-elsewhere' }] },
      commandOf: () => ({ argv: ['k6', 'run', 'script.js'], cwd: '', env: [] }),
      environment: { ...environment, generator },
      startedAt: new Date(beganUs / 1000),
      durationMs: (endedUs - beganUs) / 1000,
      cancelled: false,
      notes: notesOf(plan, read.blocks, generator),
      trials: recorded.map(({ trial }) => trial),
      recordings: [],
      labelOf: (_target, setting) => settingLabel(setting, plan.target.settings[setting]),
    });
    signal.throwIfAborted();
    return await writer.commit(record);
  } finally {
    await writer.abandon();
  }
}

function noteBlock(
  block: K6Block,
  of: { plan: Planned; run: RunPlan; trialStore: TrialStore; beganUs: number; add: (line: object) => void },
): void {
  const { plan, run, trialStore, beganUs, add } = of;
  const test = plan.tests[block.test];
  const trial = run.trials[test?.trial ?? -1];
  if (test === undefined || trial === undefined) return;
  const { result, discardReasons } = k6Measurement(block, plan, trial.connections);
  const startMs = (block.windowStartUs - beganUs) / 1000;
  trialStore.of(trial.key).blocks.push({
    round: test.round,
    startMs,
    endMs: startMs + result.windowMs,
    result,
    discardReasons,
    cpuUs: { appCpuUs: null, postgresCpuUs: null, generatorCpuUs: null },
    probe: null,
    ended: null,
    postgresRestarted: false,
  });
  for (const figures of stepMetrics(result.scenario?.steps ?? [])) add({ round: test.round, trialKey: trial.key, ...figures });
}

/** The plan of the export as that of a run, of a target that is only known by it. */
function planned({ target, trials, tests, title, load, routes }: Planned): RunPlan {
  const declared = {
    target: targetSchema.parse({ ...target, command: ['k6'], routes: [{ path: '/' }] }),
    origin: 'workspace' as const,
    baseDir: '',
  };
  const own = trials.map(({ key, name, connections, instances, settings, asked }): PlannedTrial => {
    const process: PlannedProcess = { key: key.replace(/\|c=\d+$/, ''), name, declared, settings, asked, instances, routes };
    return { key, name, process, connections };
  });
  const order: PlannedTrial[][] = [];
  for (const { round, trial } of tests) {
    while (order.length < round) order.push([]);
    const found = own[trial];
    if (found !== undefined) order[round - 1]?.push(found);
  }
  return {
    title,
    load,
    trials: own,
    processes: [...new Map(own.map(({ process }) => [process.key, process])).values()],
    order,
    mixes: new Map([[target.id, { mix: [], phrases: routes, asks: [] }]]),
    estimateMs: 0,
  };
}

function generatorPhrase(blocks: readonly K6Block[]): string {
  const counts = [...new Set(blocks.map(({ runners }) => runners.length))].sort((a, b) => a - b);
  return `k6, ${counts.join(' or ')} ${counts.length === 1 && counts[0] === 1 ? 'runner' : 'runners'}`;
}

function notesOf({ tests }: Planned, blocks: readonly K6Block[], generator: string): RunNote[] {
  const missing = tests.length - blocks.length;
  return [
    { code: 'k6-imported', generator },
    { code: 'k6-latency' },
    ...(missing === 0 ? [] : [{ code: 'k6-tests-missing', count: missing, of: tests.length } as const]),
  ];
}

function planOfRun(record: RunRecord, declarations: Declarations): Planned {
  const { plan } = exportPlan(exportedRun(record), declarations, { url: '', parallelism: 1 });
  return { ...plan, id: null, traffic: { ...plan.traffic, stages: plan.traffic.stages === null ? null : [...plan.traffic.stages] } };
}

async function readPlan(files: readonly string[]): Promise<Planned> {
  const [file] = files;
  if (file === undefined)
    throw failure(
      'k6-plan',
      'None of these is the plan.json of an export.',
      'Name the plan.json of the exported folder with the CSV files, or the run that was exported (--as).',
    );
  if (files.length > 1) throw failure('k6-plan', `There are ${files.length} files ${planFileName} among these.`, 'Name one of them.');
  let document: unknown;
  try {
    document = JSON.parse((await readBounded(file, { largestBytes: largestPlanBytes })).toString('utf8'));
  } catch (error) {
    throw damagedPlan(error instanceof Error ? error.message : String(error));
  }
  const parsed = k6PlanSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw damagedPlan(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  const { trials, tests } = parsed.data;
  if (tests.some(({ trial }) => trial >= trials.length)) throw damagedPlan('a test is of a trial that it does not have');
  if (new Set(trials.map(({ key }) => key)).size < trials.length) throw damagedPlan('two trials have the same key');
  return parsed.data;
}

function damagedPlan(why: string): Error {
  return failure(
    'k6-plan',
    `The ${planFileName} cannot be used: ${why}.`,
    'Name the one that “benchside export k6” has written, of this version.',
  );
}

interface Found {
  plans: string[];
  tables: { path: string; name: string; bytes: number }[];
}

/** The plan and the CSV files that are named, or lie in the folders that are. */
async function findFiles(paths: readonly string[]): Promise<Found> {
  const found: Found = { plans: [], tables: [] };
  for (const one of paths) await look(one, 0, found);
  const [first] = found.tables;
  if (first === undefined)
    throw failure('k6-files', 'None of these is a CSV file of k6.', 'Name files that end in .csv or .csv.gz, or a folder with some.');
  const twice = found.tables.find((table, index) => found.tables.findIndex((other) => other.path === table.path) !== index);
  if (twice !== undefined) throw failure('k6-files', `${twice.name} is named twice.`, 'Name each file once.');
  return found;
}

async function look(file: string, depth: number, found: Found): Promise<void> {
  const name = path.basename(file);
  const stats = await stat(file).catch(() => null);
  if (stats === null) throw failure('k6-files', `There is no ${name}.`, 'Name files and folders that exist.');
  if (stats.isDirectory()) {
    if (depth > deepestFolder) return;
    for (const entry of (await readdir(file)).sort()) {
      const isOurs = entry === planFileName || /\.csv(\.gz)?$/.test(entry);
      const below = path.join(file, entry);
      if (isOurs || (await stat(below).catch(() => null))?.isDirectory() === true) await look(below, depth + 1, found);
    }
    return;
  }
  if (name === planFileName || name.endsWith('.json')) found.plans.push(file);
  else found.tables.push({ path: file, name, bytes: stats.size });
  if (found.tables.length > mostFiles) throw failure('k6-files', `There are more than ${mostFiles} files.`, 'Import fewer at a time.');
}
