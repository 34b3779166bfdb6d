import { freemem } from 'node:os';
import { FailureError, isCancellation, toFailure } from '../../model/failure.ts';
import type { Observation } from '../../model/observation.ts';
import type { RecordingRecord } from '../../model/recording.ts';
import type { Environment, RunRequest, WarmUp } from '../../model/run.ts';
import { warmUpTime } from '../../model/warmUpTime.ts';
import { LoadGenerator } from '../load/loadGenerator.ts';
import type { BlockPlan } from '../load/loadGenerator.ts';
import type { LoadTick } from '../load/loadProtocol.ts';
import { blockSeed } from '../load/seededRandom.ts';
import { RunSampler } from '../observe/runSampler.ts';
import type { LineFile, RunWriter } from '../runs/runWriter.ts';
import type { Database } from '../services/postgresService.ts';
import { loadDuring } from '../record/underLoad.ts';
import { childEnvironment } from '../supervise/environment.ts';
import { exitPhrase } from '../supervise/supervisor.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { findTarget } from '../targets/catalog.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { choosePlanMode, planRun } from './plan.ts';
import type { PlanMode, PlannedProcess, PlannedTrial, RunPlan } from './plan.ts';
import { ProcessPool } from './processPool.ts';
import { recordingMs, recordTrials } from './recordTrials.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import { composeRecord } from './composeRecord.ts';
import type { RunContext } from './runContext.ts';
import { RunProgress } from './runProgress.ts';
import { SharedData } from './sharedData.ts';
import { steadyAtCap, steadyState } from './steadyState.ts';
import { emptyTrial, recordTrial } from './trialRecord.ts';
import type { BlockSighting, TrialSighting } from './trialRecord.ts';

const tickMs = 500;
const hurryMs = 500;
/** How long the start of one process is expected to take. */
const launchMs = 1500;

/** The processes are warm: the load needs no longer than its connections. */
const recordingSettleMs = 300;

/** What became of a run. A cancelled one is stored when at least one whole round was measured. */
export interface RunOutcome {
  runId: string;
  outcome: 'complete' | 'cancelled';
  stored: boolean;
}

/** Does one run from beginning to end. Whatever happens, nothing that it started is left running and no half-written record stays. */
export async function runBenchmark(request: RunRequest, context: RunContext): Promise<RunOutcome> {
  const runId = context.store.newId();
  try {
    const targets = [...new Set(request.targets)].map((id) => findTarget(context.declarations, id));
    const profile = loadProfileNamed(context.declarations, request.load);
    const plan = planRun(targets, profile, request);
    context.emit({ type: 'started', runId, title: plan.title, trials: plan.trials.map((planned) => emptyTrial(planned)) });
    const outcome = await new BenchmarkRun(runId, request, targets, plan, context).execute();
    context.emit({ type: 'finished', runId, outcome: outcome.outcome, stored: outcome.stored, failure: null });
    return outcome;
  } catch (error) {
    const cancelled = isCancellation(error) && context.signal.aborted;
    context.emit({
      type: 'finished',
      runId,
      outcome: cancelled ? 'cancelled' : 'failed',
      stored: false,
      failure: cancelled ? null : toFailure(error),
    });
    if (cancelled) return { runId, outcome: 'cancelled', stored: false };
    throw error;
  }
}

/** CPU time in µs since each process began; null where it is not known. */
interface CpuMeters {
  app: number | null;
  generator: number | null;
  postgres: number | null;
}

function difference(before: number | null | undefined, after: number | null | undefined): number | null {
  return before == null || after == null ? null : after - before;
}

class BenchmarkRun {
  readonly #startedAt = new Date();
  readonly #progress: RunProgress;
  readonly #sightings: Map<string, TrialSighting>;
  readonly #observations: Observation[] = [];
  readonly #notes: string[] = [];
  readonly #data: SharedData;
  #roundsDone = 0;
  #sampler!: RunSampler;
  #generator!: LoadGenerator;
  #pool!: ProcessPool;
  #database: Database | null = null;
  #mode: PlanMode = { mode: 'process-per-setting', reason: '' };
  #ticks!: LineFile;
  #recordings: RecordingRecord[] = [];

  constructor(
    private readonly runId: string,
    private readonly request: RunRequest,
    targets: readonly DeclaredTarget[],
    private readonly plan: RunPlan,
    private readonly context: RunContext,
  ) {
    const steps = 4 + plan.processes.length + plan.trials.length * plan.load.rounds;
    this.#progress = new RunProgress(runId, steps, plan.estimateMs, context.emit);
    this.#data = new SharedData(targets, plan.mixes);
    this.#sightings = new Map(
      plan.trials.map((planned) => [planned.key, { planned, warmUp: null, unsteadyReason: null, blocks: [], problems: [] }]),
    );
  }

  async execute(): Promise<RunOutcome> {
    const { context, runId } = this;
    this.#progress.begin('prepare', 'Reading this machine and preparing the run');
    const writer = await context.store.begin(runId);
    try {
      this.#ticks = writer.append('ticks.ndjson');
      await this.#prepareServices();
      const environment = await context.readEnvironment({
        postgresVersion: this.#database?.facts.version ?? null,
        postgresSettings: this.#database?.facts.settings ?? {},
      });
      context.signal.throwIfAborted();
      let cancelled = false;
      try {
        await this.#measure(writer);
      } catch (error) {
        if (!isCancellation(error) || !context.signal.aborted || this.#roundsDone === 0) throw error;
        cancelled = true;
      }
      await this.#write(writer, environment, cancelled);
      return { runId, outcome: cancelled ? 'cancelled' : 'complete', stored: true };
    } finally {
      await writer.abandon();
    }
  }

  async #prepareServices(): Promise<void> {
    const { signal } = this.context;
    if (!this.#data.wanted) return;
    this.#progress.begin('services', 'Starting PostgreSQL', 2000);
    const database = await this.context.postgres.database(signal);
    this.#database = database;
    await this.#data.prepare(database.address, (message) => this.#progress.say('services', message), signal);
    if (this.#data.note !== null) this.#note(this.#data.note);
  }

  async #measure(writer: RunWriter): Promise<void> {
    const { context, plan } = this;
    this.#mode = choosePlanMode(plan.processes, {
      maxConnections: this.#database?.facts.maxConnections ?? null,
      freeMemoryBytes: freemem(),
    });
    if (this.#mode.mode === 'restart-per-block') this.#note(this.#mode.reason);
    this.#pool = new ProcessPool(context, this.#database?.address ?? null);
    const samples = writer.append('samples.ndjson');
    this.#sampler = new RunSampler({
      elapsedMs: () => this.#progress.elapsedMs,
      postgresPids: () => context.postgres.rootPids,
      database: this.#database === null ? null : this.#database.address,
      onSample: (observation) => {
        this.#observations.push(observation);
        samples.add(observation);
        context.emit({ type: 'observation', runId: this.runId, observation });
      },
    });
    try {
      this.#generator = await LoadGenerator.start(context.supervisor, {
        nodePath: context.toolchain.node,
        workerPath: context.loadWorkerPath,
        env: childEnvironment({ ...context.toolchain.programEnvironment('node'), ...context.cookieEnvironment }),
      });
      this.#sampler.start(this.#generator.pid);
      if (this.#mode.mode === 'process-per-setting') {
        await this.#launchAll();
        for (const process of plan.processes) await this.#warmUp(process);
      }
      await this.#measureRounds(writer);
      await this.#record(writer);
    } finally {
      await this.#sampler.stop();
      const cancelled = context.signal.aborted;
      if (!cancelled) this.#progress.begin('stop', 'Stopping the targets');
      await Promise.all([this.#generator?.stop(), this.#pool.stopAll(cancelled ? hurryMs : undefined)]);
    }
  }

  async #launchAll(): Promise<void> {
    const { processes } = this.plan;
    this.#progress.begin(
      'targets',
      `Starting ${processes.length === 1 ? (processes[0]?.name ?? 'the target') : `${processes.length} processes`}`,
      processes.length * launchMs,
    );
    let count = 0;
    await this.#pool.launchAll(processes, (process) => {
      count += 1;
      if (processes.length > 1) this.#progress.say('targets', `Started ${process.name} (${count} of ${processes.length})`);
    });
  }

  /** Puts load on a process until its throughput is steady. With a ladder, at its largest number of connections. */
  async #warmUp(process: PlannedProcess): Promise<void> {
    const trials = this.plan.trials.filter((trial) => trial.process === process);
    const planned = trials.reduce((most, trial) => (trial.connections > most.connections ? trial : most));
    const running = this.#pool.get(process.key);
    if (running === undefined) return;
    const { minS, maxS, expectedS } = warmUpTime(this.plan.load, process.declared.target.runtime);
    const maxMs = maxS * 1000;
    this.#progress.begin('warmUp', `Warming up ${process.name}`, expectedS * 1000);
    const throughput = (ticks: readonly LoadTick[]): number[] =>
      ticks.filter((tick) => tick.windowMs > tickMs / 2).map((tick) => tick.throughput);
    const outcome = await this.#underLoad(planned, running, async () =>
      this.#generator.warmUp(this.#blockPlan(planned, running, 0), {
        minMs: minS * 1000,
        maxMs,
        isSteady: (ticks) => !running.child.running || steadyState(throughput(ticks), tickMs).steady,
        onTick: (tick) => this.#tick(planned, tick),
        signal: this.context.signal,
      }),
    );
    // It has ended by itself: that is said where it should have been measured.
    if (!running.child.running) return;
    const values = throughput(outcome.ticks);
    const last = steadyAtCap(values, tickMs);
    const steady = outcome.steady || last.steady;
    const record: WarmUp = { durationMs: outcome.durationMs, steady, throughput: values, tickMs };
    for (const trial of trials) {
      const sighting = this.#sighting(trial);
      // When a process is started anew for each block, the worst of its warm-ups counts.
      if (sighting.warmUp !== null && !sighting.warmUp.steady) continue;
      sighting.warmUp = record;
      sighting.unsteadyReason = steady ? null : last.reason;
    }
  }

  async #measureRounds(writer: RunWriter): Promise<void> {
    const { order, load } = this.plan;
    const blockMs = (load.settleS + load.durationS) * 1000 + 400;
    const restart = this.#mode.mode === 'restart-per-block';
    const costMs = ({ process }: PlannedTrial): number =>
      blockMs + (restart ? launchMs + warmUpTime(load, process.declared.target.runtime).expectedS * 1000 : 0);
    let leftMs = order.flat().reduce((sum, planned) => sum + costMs(planned), 0);
    if (restart) this.#progress.setSteps(4 + 3 * order.flat().length);
    for (const [index, round] of order.entries()) {
      this.context.postgres.assertAlive();
      if (this.#database !== null) await this.#data.beforeRound(this.#database.address, this.context.signal);
      for (const planned of round) {
        // A run that cannot be stored any more, for want of space, need not go on.
        if (writer.problem !== null) throw writer.problem;
        this.#progress.setRemaining(leftMs + 1500);
        if (restart) {
          this.#progress.begin('targets', `Starting ${planned.name}`, launchMs);
          if (await this.#relaunch(planned, index)) await this.#warmUp(planned.process);
        }
        this.#progress.begin('measure', `Measuring ${planned.name}, round ${index + 1} of ${order.length}`, blockMs);
        await this.#measureBlock(planned, index + 1);
        if (restart) await this.#pool.stop(planned.process.key);
        leftMs -= costMs(planned);
        this.context.emit({
          type: 'trial',
          runId: this.runId,
          trial: recordTrial(this.#sighting(planned), this.#observations, index + 1).trial,
        });
      }
      this.#roundsDone = index + 1;
    }
  }

  /** A profiler never runs in a measured window: recording comes after all of them. */
  async #record(writer: RunWriter): Promise<void> {
    const { context, plan, request } = this;
    if (request.record === undefined) return;
    const restart = this.#mode.mode === 'restart-per-block';
    this.#progress.setRemaining(recordingMs(plan.trials, request.record) + 1500);
    this.#recordings = await recordTrials({
      recorders: context.recorders,
      request: request.record,
      trials: plan.trials,
      process: async (planned) => {
        if (restart) {
          if (!(await this.#relaunch(planned, plan.load.rounds))) return null;
          await this.#warmUp(planned.process);
        }
        const running = this.#pool.get(planned.process.key);
        return running?.child.running === true ? running : null;
      },
      underLoad: (planned, running) => ({
        pid: running.child.pid,
        connections: planned.connections,
        cpuTimeUs: () => this.#sampler.cpuTimeUs(running.child.pid),
        during: (work) => loadDuring(this.#generator, this.#blockPlan(planned, running, 0), work, context.signal),
        block: (windowMs, onWindow) => {
          context.postgres.assertAlive();
          const block = { ...this.#blockPlan(planned, running, 1), settleMs: recordingSettleMs, windowMs };
          return this.#generator.runBlock(block, { signal: context.signal, ...(onWindow === undefined ? {} : { onWindow }) });
        },
      }),
      begin: (message, expectedMs) => this.#progress.begin('record', message, expectedMs),
      note: (message) => this.#note(message),
      writeFile: (name, bytes) => writer.writeFile(name, bytes),
      done: async (planned) => {
        if (restart) await this.#pool.stop(planned.process.key);
      },
      signal: context.signal,
    });
  }

  /** Starts a process anew for its block. One that started in an earlier round and does not now costs its own trial, not the run. */
  async #relaunch(planned: PlannedTrial, round: number): Promise<boolean> {
    try {
      await this.#pool.launch(planned.process);
      return true;
    } catch (error) {
      if (round === 0 || !(error instanceof FailureError) || isCancellation(error)) throw error;
      this.#sighting(planned).problems.push(`Round ${round + 1}: ${error.message} ${error.failure.cure}`);
      return false;
    }
  }

  async #measureBlock(planned: PlannedTrial, round: number): Promise<void> {
    const sighting = this.#sighting(planned);
    const running = this.#pool.get(planned.process.key);
    if (running === undefined || !running.child.running) {
      await this.#noteEnd(sighting, running);
      return;
    }
    const crashesBefore = this.context.postgres.crashRestarts;
    const block: Pick<BlockSighting, 'startMs' | 'endMs'> = { startMs: 0, endMs: 0 };
    const meters: Promise<CpuMeters>[] = [];
    const result = await this.#underLoad(planned, running, () =>
      this.#generator.runBlock(this.#blockPlan(planned, running, round), {
        onTick: (tick) => this.#tick(planned, tick),
        onWindow: (edge) => {
          block[edge === 'open' ? 'startMs' : 'endMs'] = this.#progress.elapsedMs;
          meters.push(this.#readMeters(running));
        },
        signal: this.context.signal,
      }),
    );
    this.context.postgres.assertAlive();
    const [before, after] = await Promise.all(meters);
    sighting.blocks.push({
      round,
      ...block,
      result,
      cpuUs: {
        appCpuUs: difference(before?.app, after?.app),
        postgresCpuUs: difference(before?.postgres, after?.postgres),
        generatorCpuUs: difference(before?.generator, after?.generator),
      },
      appEnded: running.child.running ? null : await this.#endPhrase(planned, running, round),
      postgresRestarted: this.context.postgres.crashRestarts > crashesBefore,
    });
  }

  /** CPU time so far of all that works on a request. Read at the edges of a window: samples of a second straddle them. */
  async #readMeters(running: RunningTarget): Promise<CpuMeters> {
    const [app, generator, ...postgres] = await Promise.all(
      [running.child.pid, this.#generator.pid, ...this.context.postgres.rootPids].map((pid) => this.#sampler.cpuTimeUs(pid)),
    );
    return { app: app ?? null, generator: generator ?? null, postgres: postgres[0] ?? null };
  }

  /** Says who is under load while `work` goes on, so that samples are attributed to it. PostgreSQL's end breaks the run off. */
  async #underLoad<T>(planned: PlannedTrial, running: RunningTarget, work: () => Promise<T>): Promise<T> {
    this.context.postgres.assertAlive();
    this.#sampler.attribute(planned.key, running.child.pid);
    try {
      return await work();
    } finally {
      this.#sampler.attribute(null, null);
    }
  }

  async #endPhrase(planned: PlannedTrial, running: RunningTarget, round: number): Promise<string> {
    const exit = await running.child.exited;
    const last = running.child.log.tail(1);
    return `${planned.name} ${exitPhrase(exit)} during round ${round}. Look at its log${last === '' ? '' : `; its last line is: ${last}`}.`;
  }

  async #noteEnd(sighting: TrialSighting, running: RunningTarget | undefined): Promise<void> {
    if (sighting.problems.length > 0 || sighting.blocks.some((block) => block.appEnded !== null)) return;
    const how = running === undefined ? 'is not running' : exitPhrase(await running.child.exited);
    sighting.problems.push(`${sighting.planned.process.name} ${how} before it could be measured. Look at its log.`);
  }

  #blockPlan(planned: PlannedTrial, running: RunningTarget, round: number): BlockPlan {
    const { load, mixes } = this.plan;
    return {
      host: '127.0.0.1',
      port: running.port,
      connections: planned.connections,
      settleMs: load.settleS * 1000,
      windowMs: load.durationS * 1000,
      timeoutMs: load.timeoutMs,
      tickMs,
      // The same requests in the same order for all settings of a round; others in the next round.
      seed: blockSeed(load.seed, round),
      mix: mixes.get(planned.process.declared.target.id)?.mix ?? [],
    };
  }

  #tick(planned: PlannedTrial, { elapsedMs: _sinceStage, ...tick }: LoadTick): void {
    const timed = { ...tick, timeMs: this.#progress.elapsedMs, trialKey: planned.key };
    this.#ticks.add(timed);
    this.context.emit({ type: 'tick', runId: this.runId, tick: timed });
  }

  #sighting(planned: PlannedTrial): TrialSighting {
    const sighting = this.#sightings.get(planned.key);
    if (sighting === undefined) throw new Error(`no sighting of ${planned.key}`);
    return sighting;
  }

  #note(message: string): void {
    this.#notes.push(message);
    this.context.emit({ type: 'note', runId: this.runId, message });
  }

  async #write(writer: RunWriter, environment: Environment, cancelled: boolean): Promise<void> {
    const { plan, context } = this;
    if (!cancelled) this.#progress.begin('write', 'Writing the run');
    const roundsAsked = cancelled ? this.#roundsDone : plan.load.rounds;
    const recorded = [...this.#sightings.values()].map((sighting) => recordTrial(sighting, this.#observations, roundsAsked));
    for (const [index, { trial, histogram }] of recorded.entries()) {
      if (trial.requests === 0) continue;
      trial.histogram = `latency-${index + 1}.hdr`;
      await writer.writeFile(trial.histogram, histogram);
    }
    for (const [index, process] of plan.processes.entries()) {
      const log = this.#pool.logs.get(process.key);
      if (log !== undefined && log !== '') await writer.writeLog(`process-${index + 1}.log`, log);
    }
    const record = composeRecord({
      ...{ runId: this.runId, request: this.request, plan, mode: this.#mode, pool: this.#pool, environment, cancelled, roundsAsked },
      ...{ startedAt: this.#startedAt, durationMs: this.#progress.elapsedMs, roundsDone: this.#roundsDone, notes: this.#notes },
      ...{ trials: recorded.map(({ trial }) => trial), recordings: this.#recordings, labelOf: context.labelOf },
    });
    await writer.commit(record);
  }
}
