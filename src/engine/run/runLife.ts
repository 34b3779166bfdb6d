import { copyFile } from 'node:fs/promises';
import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { isCancellation, toFailure } from '../../model/domain/failure.ts';
import type { Generator } from '../../model/domain/generator.ts';
import type { RawRequest } from '../../model/domain/rawSample.ts';
import type { BlockGenerator } from '../k6/k6Block.ts';
import { K6Generator } from '../k6/k6Generator.ts';
import { requireCluster } from '../k6/kubectl.ts';
import { OperatorGenerator } from '../k6/operatorGenerator.ts';
import { childEnvironment } from '../supervise/environment.ts';
import type { Environment, RunRecord } from '../../model/domain/run.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { Measured } from '../../model/protocol/protocol.ts';
import { rawFileName } from '../raw/rawFile.ts';
import { RawRecorder } from '../raw/rawRecorder.ts';
import { systemCode } from '../files/safeFiles.ts';
import type { RunWriter } from '../runs/runWriter.ts';
import type { Database } from '../services/postgresService.ts';
import type { RunDatabase, SharedData } from './sharedData.ts';
import { type RunFacts, composeRecord } from './composeRecord.ts';
import type { GroupTopology } from './aroundProcess.ts';
import { type HarnessOptions, MeasuringHarness } from './measuringHarness.ts';
import type { PlannedProcess, PlannedTrial, RunPlan } from './plan.ts';
import { hurryMs, ProcessPool } from './processPool.ts';
import type { RunContext } from './runContext.ts';
import { RunProgress } from './runProgress.ts';
import { TrialStore } from './trialStore.ts';
import { type RecordedTrial, emptyTrial } from './trialRecord.ts';

/** The outcome of a run. A cancelled one is stored when at least one whole round was measured; `run` is its record, null where nothing was stored. */
export type RunOutcome = Pick<Measured, 'runId' | 'outcome' | 'stored' | 'run'>;

/** What is to be measured, before anything of it is started. */
export interface Measurement {
  /** Its load is the one that is put on. */
  plan: RunPlan;
  data: SharedData;
  topologyOf: (process: PlannedProcess) => GroupTopology;
  raw?: RawRequest | undefined;
  /** What puts the load of its blocks on; Benchside’s own by default. */
  generator?: Generator | undefined;
  /** What may be given up for a smaller setting, where it was asked for. */
  delta?: number;
  /** Steps of the progress, as far as they are known. */
  steps: number;
  /** What may come on top of the planned time while answers stay undecided, ms; left out: nothing. */
  undecidedMs?: number;
  /** What is being prepared. */
  preparing: Extract<Step, { code: 'preparing' }>['what'];
  notes?: readonly RunNote[];
  announce?: (runId: string) => void;
  /** Throws where a run would have no result: before anything is started, and once more when the database is known. */
  refuse?: (database: Database | null) => void;
  procedure: (run: RunUnderWay) => Procedure;
}

/** The steps of one kind of measurement, once everything that it needs is there. */
export interface Procedure {
  /** From the start of the first process to the last block. */
  measure(): Promise<void>;
  /** Whether enough was measured to be kept when it is cancelled. */
  readonly worthKeeping: boolean;
  /** What its record is made of in addition. */
  facts(end: RunEnd): Omit<RunFacts, keyof RunEnd>;
  /** What the record says otherwise, by what it says. */
  revise?(record: RunRecord): Partial<RunRecord>;
}

/** What every record is made of, whatever the procedure was. */
export type RunEnd = Pick<
  RunFacts,
  'runId' | 'environment' | 'startedAt' | 'durationMs' | 'cancelled' | 'notes' | 'trials' | 'raw' | 'labelOf'
>;

/** A run between its preparation and its end: what its procedure measures with. */
export class RunUnderWay {
  readonly trialStore: TrialStore;

  constructor(
    readonly runId: string,
    readonly context: RunContext,
    readonly progress: RunProgress,
    readonly writer: RunWriter,
    readonly database: RunDatabase | null,
    readonly raw: RawRecorder | null,
    readonly harness: MeasuringHarness,
    readonly pool: ProcessPool,
    plan: RunPlan,
    private readonly data: SharedData,
    readonly note: (note: RunNote) => void,
    /** Processes of this run in addition to those of its pool, with other probes; the caller stops them. */
    readonly furtherPool: (changes: Partial<Pick<RunContext, 'probes'>>) => ProcessPool,
  ) {
    this.trialStore = new TrialStore(plan.trials, harness.observations);
  }

  /** PostgreSQL's limit; null without a database. */
  get maxConnections(): number | null {
    return this.database?.facts.maxConnections ?? null;
  }

  /** The data is brought back to its first state when the load writes. Rejects when the run can no longer be stored, or PostgreSQL has ended. */
  async beforeRound(): Promise<void> {
    this.assertWorthwhile();
    if (this.database !== null) await this.data.beforeRound(this.database.address, this.context.signal);
  }

  /** A run that can no longer be stored, for want of space, need not continue; nor one whose database has ended. */
  assertWorthwhile(): void {
    this.context.postgres.assertAlive();
    if (this.writer.problem !== null) throw this.writer.problem;
  }

  /** Says what is known of a trial now. */
  tellTrial({ key }: PlannedTrial): void {
    this.context.emit({ type: 'trial', runId: this.runId, trial: this.trialStore.recorded(key).trial });
  }
}

/**
 * The one life of every measurement: prepare, services, harness, its procedure, compose, commit. Whatever happens, nothing that it started is left running and no
 * half-written record stays, and how it ended is reported. A cancelled one is stored when its procedure finds it worth keeping. What was cancelled is an outcome;
 * everything else that fails rejects.
 */
export async function performRun(context: RunContext, prepare: () => Measurement): Promise<RunOutcome> {
  const runId = context.store.newId();
  const { emit, signal } = context;
  try {
    const measurement = prepare();
    const { title, trials } = measurement.plan;
    const { delta } = measurement;
    const empty = trials.map((planned) => emptyTrial(planned));
    emit({ type: 'started', runId, title, trials: empty, ...(delta === undefined ? {} : { delta }) });
    measurement.announce?.(runId);
    const { outcome, stored, run } = await perform(runId, measurement, context);
    emit({ type: 'finished', runId, outcome, stored, failure: null });
    return { runId, outcome, stored, run };
  } catch (error) {
    const cancelled = isCancellation(error) && signal.aborted;
    const outcome = cancelled ? 'cancelled' : 'failed';
    emit({ type: 'finished', runId, outcome, stored: false, failure: cancelled ? null : toFailure(error) });
    if (cancelled) return { runId, outcome: 'cancelled', stored: false, run: null };
    throw error;
  }
}

async function perform(runId: string, measurement: Measurement, context: RunContext): Promise<RunOutcome> {
  const startedAt = new Date();
  const { plan, data, topologyOf } = measurement;
  const { signal, store, emit } = context;
  const progress = new RunProgress(runId, measurement.steps, plan.estimateMs, emit, measurement.undecidedMs);
  const notes = new Map<string, RunNote>();
  const note = (found: RunNote): void => {
    const known = JSON.stringify(found);
    if (notes.has(known)) return;
    notes.set(known, found);
    emit({ type: 'note', runId, note: found });
  };
  for (const found of measurement.notes ?? []) note(found);
  progress.begin('prepare', { code: 'preparing', what: measurement.preparing });
  measurement.refuse?.(null);
  const k6 = await k6For(measurement, context);
  const writer = await store.begin(runId);
  try {
    const [ticks, samples] = [writer.append('ticks.ndjson'), writer.append('samples.ndjson')];
    const raw = measurement.raw === undefined ? null : new RawRecorder(measurement.raw, runId, writer.adopt(rawFileName));
    const database = await startDatabase(data, context, {
      begin: (step) => progress.begin('services', step, 2000),
      say: (step) => progress.say('services', step),
      note,
      ...(measurement.refuse === undefined ? {} : { refuse: measurement.refuse }),
    });
    if (k6?.open !== undefined) {
      progress.say('services', { code: 'k6-volume' });
      await k6.open(signal);
    }
    const environment = { ...(await environmentOf(context, database)), ...(k6 === null ? {} : { generator: k6.phrase }) };
    signal.throwIfAborted();
    const proxyLogs = new ProxyLogs(writer, note);
    const newPool = (changes: Partial<Pick<RunContext, 'probes'>> = {}): ProcessPool =>
      new ProcessPool({ ...context, ...changes }, database?.address ?? null, note, {
        topologyOf,
        keepLog: raw === null ? undefined : (file) => proxyLogs.keep(file),
      });
    const pool = newPool();
    const harness = { runId, context, progress, database, load: plan.load, ticks, samples, raw, k6 };
    const { procedure, trialStore, cancelled } = await withHarness(harness, pool, {
      signal,
      stopping: () => progress.begin('stop', { code: 'stopping' }),
      work: async (open) => {
        const run = new RunUnderWay(runId, context, progress, writer, database, raw, open, pool, plan, data, note, newPool);
        const own = measurement.procedure(run);
        try {
          await own.measure();
          return { procedure: own, trialStore: run.trialStore, cancelled: false };
        } catch (error) {
          if (!isCancellation(error) || !signal.aborted || !own.worthKeeping) throw error;
          return { procedure: own, trialStore: run.trialStore, cancelled: true };
        }
      },
    });
    for (const found of raw?.notes() ?? []) note(found);
    if (!cancelled) progress.begin('write', { code: 'writing' });
    const recorded = trialStore.final();
    const rows = recorded.flatMap(({ trial, signals }) => (trial.requests === 0 ? [] : [signals?.causes.rowsChanged ?? null]));
    if (database !== null) for (const found of data.writeNotes(database.address, rows)) note(found);
    await writeTrials(writer, recorded, pool);
    const end = {
      runId,
      environment,
      startedAt,
      durationMs: progress.elapsedMs,
      cancelled,
      notes: [...notes.values()],
      trials: recorded.map(({ trial }) => trial),
      raw: raw?.record(proxyLogs.names),
      labelOf: context.labelOf,
    };
    const record = composeRecord({ ...end, ...procedure.facts(end) });
    const stored = await writer.commit({ ...record, ...procedure.revise?.({ ...record, files: [] }) });
    return { runId, outcome: cancelled ? 'cancelled' : 'complete', stored: true, run: stored };
  } finally {
    await Promise.all([writer.abandon(), k6?.close?.(), endData(data, context)]);
  }
}

/** Takes away what only this run needed of the database. A server that has ended needs nothing taken away: the next one looks for what was left. */
async function endData(data: SharedData, { postgres }: RunContext): Promise<void> {
  if (!data.copies || postgres.state.state !== 'running') return;
  const { address } = await postgres.database();
  await data.end(address).catch(() => undefined);
}

/** The k6 that puts the load on, where one is asked for. Fails with `k6-missing`, `kubectl-missing` and `k6-cluster`. */
async function k6For(
  { generator }: Measurement,
  { supervisor, assetsDir, cookieEnvironment, k6Params, signal }: RunContext,
): Promise<BlockGenerator | null> {
  if (generator === undefined) return null;
  if (generator.kind === 'k6-operator')
    return OperatorGenerator.find({ supervisor, choice: generator, cluster: requireCluster(k6Params), assetsDir }, signal);
  return K6Generator.find({ supervisor, choice: generator, assetsDir, program: k6Params.path, env: childEnvironment(cookieEnvironment) });
}

/** PostgreSQL with the data of the targets, when they want one. */
export async function startDatabase(
  data: SharedData,
  context: Pick<RunContext, 'postgres' | 'signal' | 'supervisor' | 'toolchain' | 'cookieEnvironment'>,
  tell: {
    begin: (step: Step) => void;
    say: (step: Step) => void;
    note: (note: RunNote) => void;
    refuse?: (database: Database) => void;
  },
): Promise<RunDatabase | null> {
  if (!data.wanted) return null;
  tell.begin({ code: 'starting-postgres' });
  const database = await context.postgres.database(context.signal);
  tell.refuse?.(database);
  // What PostgreSQL remarks on a file is a note, too, which says it once.
  await data.prepare(database.address, (step) => (step.code === 'sql-remark' ? undefined : tell.say(step)), context);
  for (const note of data.notesOn(database.address)) tell.note(note);
  return { ...database, databases: data.databasesOn(database.address) };
}

/** The machine as it is now, with the database that is used. */
export function environmentOf({ readEnvironment }: Pick<RunContext, 'readEnvironment'>, database: Database | null): Promise<Environment> {
  return readEnvironment({ postgresVersion: database?.facts.version ?? null, postgresSettings: database?.facts.settings ?? {} });
}

/** Does `work` with the load generator and the meters; when it has ended, however, they and every process of the pool are stopped, at once after `signal`. */
export async function withHarness<T>(
  options: HarnessOptions,
  pool: ProcessPool,
  { signal, stopping, work }: { signal: AbortSignal; stopping?: () => void; work: (harness: MeasuringHarness) => Promise<T> },
): Promise<T> {
  let harness: MeasuringHarness | null = null;
  try {
    harness = await MeasuringHarness.open(options);
    return await work(harness);
  } finally {
    if (!signal.aborted) stopping?.();
    await Promise.all([harness?.close(), pool.stopAll(signal.aborted ? hurryMs : undefined)]);
  }
}

/** The histograms of the trials, which learn their names by it, and what the processes printed. */
export async function writeTrials(
  writer: RunWriter,
  recorded: readonly RecordedTrial[],
  pool: Pick<ProcessPool, 'keptLogs'>,
): Promise<void> {
  for (const [index, { trial, histogram }] of recorded.entries()) {
    if (trial.requests === 0) continue;
    trial.histogram = `latency-${index + 1}.hdr`;
    await writer.writeFile(trial.histogram, histogram);
  }
  for (const { file, text } of pool.keptLogs()) await writer.writeLog(file, text);
}

/** Access logs of the proxies, in the run's folder: what raw samples are joined with are the times of each request there. */
class ProxyLogs {
  readonly names: string[] = [];
  #ended = 0;

  constructor(
    private readonly writer: RunWriter,
    private readonly note: (note: RunNote) => void,
  ) {}

  async keep(file: string): Promise<void> {
    // Several proxies end at once: each name is reserved before the first wait.
    this.#ended += 1;
    const name = `proxy-${this.#ended}.jsonl`;
    try {
      await copyFile(file, this.writer.adopt(name));
      this.names.push(name);
    } catch (error) {
      this.note({ code: 'proxy-log-lost', cause: systemCode(error) ?? 'unknown cause' });
    }
  }
}
