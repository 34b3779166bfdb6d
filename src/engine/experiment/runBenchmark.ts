import { copyFile } from 'node:fs/promises';
import { freemem } from 'node:os';
import { FailureError, isCancellation } from '../../model/failure.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { RecordingRecord } from '../../model/recording.ts';
import type { Environment, RunRequest } from '../../model/run.ts';
import type { RunTopology } from '../../model/topology.ts';
import { topologyPhrase } from '../../model/topologyText.ts';
import { warmUpTime } from '../../model/warmUpTime.ts';
import { systemCode } from '../runs/runFiles.ts';
import type { LineFile, RunWriter } from '../runs/runWriter.ts';
import { findNginx, nginxMissing } from '../services/nginx/findNginx.ts';
import type { Database } from '../services/postgresService.ts';
import { checkLadderLimits } from '../limits/ladderLimits.ts';
import { loadDuring } from '../record/underLoad.ts';
import { exitPhrase } from '../supervise/supervisor.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { findTarget } from '../targets/catalog.ts';
import { measureRawCost, rawCostFileName, rawCostPairs, rawCostWindowMs } from '../raw/rawCost.ts';
import { rawFileName } from '../raw/rawFile.ts';
import { RawRecorder } from '../raw/rawRecorder.ts';
import { GroupPool } from './groupPool.ts';
import { lookAtWaits } from './lookAtWaits.ts';
import { MeasuringBench } from './measuringBench.ts';
import { choosePlanMode, planRun } from './plan.ts';
import type { PlanMode, PlannedProcess, PlannedTrial, RunPlan } from './plan.ts';
import { ProcessPool } from './processPool.ts';
import { recordingMs, recordTrials } from './recordTrials.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import { composeRecord } from './composeRecord.ts';
import type { RunContext } from './runContext.ts';
import { RunProgress } from './runProgress.ts';
import { SharedData } from './sharedData.ts';
import { toldRun } from './toldRun.ts';
import type { RunOutcome } from './toldRun.ts';
import { emptyTrial, recordTrial } from './trialRecord.ts';
import type { TrialSighting } from './trialRecord.ts';

const hurryMs = 500;
/** Below this no limit of a common machine is near. */
const manyConnections = 256;
/** How long the start of one process is expected to take. */
const launchMs = 1500;

/** The processes are warm: the load needs no longer than its connections. */
const recordingSettleMs = 300;
/** A run that asks for no topology. */
const plainTopology: RunTopology = { proxy: null, cpuShare: null };

/** Does one run from beginning to end. Whatever happens, nothing that it started is left running and no half-written record stays. */
export async function runBenchmark(request: RunRequest, context: RunContext): Promise<RunOutcome> {
  const runId = context.store.newId();
  return toldRun(runId, context, async () => {
    const targets = [...new Set(request.targets)].map((id) => findTarget(context.declarations, id));
    const profile = loadProfileNamed(context.declarations, request.load);
    if (request.topology?.proxy != null && findNginx() === null) throw new FailureError(nginxMissing());
    const plan = planRun(targets, profile, request, request.topology);
    context.emit({ type: 'started', runId, title: plan.title, trials: plan.trials.map((planned) => emptyTrial(planned)) });
    return new BenchmarkRun(runId, request, targets, plan, context).execute();
  });
}

class BenchmarkRun {
  readonly #startedAt = new Date();
  readonly #progress: RunProgress;
  readonly #sightings: Map<string, TrialSighting>;
  readonly #notes: string[] = [];
  readonly #data: SharedData;
  #roundsDone = 0;
  #bench!: MeasuringBench;
  #pool!: GroupPool;
  #database: Database | null = null;
  #mode: PlanMode = { mode: 'process-per-setting', reason: '' };
  #ticks!: LineFile;
  #recordings: RecordingRecord[] = [];
  /** Of thread dumps, by trial. */
  #verdicts = new Map<string, Diagnosis>();
  #raw: RawRecorder | null = null;
  /** Access logs of the proxies, in the run's folder. */
  readonly #proxyLogs: string[] = [];

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
      if (this.request.raw !== undefined) this.#raw = new RawRecorder(this.request.raw, runId, writer.adopt(rawFileName));
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
    for (const note of await this.#tightLimits()) this.#note(note);
    if (this.request.topology !== undefined) this.#note(`Topology: ${topologyPhrase(this.#topology)}.`);
    if (this.#topology.proxy !== null && this.#raw !== null)
      this.#note('nginx wrote its access log for the raw samples, which costs it some CPU.');
    this.#pool = new GroupPool({
      ...{ pool: new ProcessPool(context, this.#database?.address ?? null), context, topology: this.#topology },
      note: (message) => this.#note(message),
      keepLog: this.#raw === null ? undefined : (file) => this.#keepProxyLog(writer, file),
    });
    const samples = writer.append('samples.ndjson');
    let bench: MeasuringBench | null = null;
    try {
      bench = await MeasuringBench.open({
        ...{
          runId: this.runId,
          context,
          progress: this.#progress,
          database: this.#database,
          load: plan.load,
          ticks: this.#ticks,
          samples,
          raw: this.#raw,
        },
        mixOf: (target) => plan.mixes.get(target)?.mix ?? [],
      });
      this.#bench = bench;
      if (this.#mode.mode === 'process-per-setting') {
        await this.#launchAll();
        for (const process of plan.processes) await this.#warmUp(process);
      }
      await this.#measureRounds(writer);
      await this.#lookAtWaits(writer);
      await this.#priceRaw(writer);
      await this.#record(writer);
    } finally {
      const cancelled = context.signal.aborted;
      if (!cancelled) this.#progress.begin('stop', 'Stopping the targets');
      await Promise.all([bench?.close(), this.#pool.stopAll(cancelled ? hurryMs : undefined)]);
    }
  }

  get #topology(): RunTopology {
    return this.request.topology ?? plainTopology;
  }

  /** What the raw samples are joined with: the times of each request at the proxy. */
  async #keepProxyLog(writer: RunWriter, file: string): Promise<void> {
    const name = `proxy-${this.#proxyLogs.length + 1}.jsonl`;
    try {
      await copyFile(file, writer.adopt(name));
      this.#proxyLogs.push(name);
    } catch (error) {
      this.#note(
        `nginx’s access log could not be kept, so that the raw samples are without their time there (${systemCode(error) ?? 'unknown cause'}).`,
      );
    }
  }

  /** What of this machine would spoil many connections, each with its cure; looked at before any of them is opened. */
  async #tightLimits(): Promise<string[]> {
    const connections = Math.max(...this.plan.trials.map((planned) => planned.connections));
    if (connections < manyConnections) return [];
    const { processes } = this.plan;
    const poolTotal = processes.reduce(
      (sum, { settings, instances }) => sum + instances * (typeof settings['pool'] === 'number' ? settings['pool'] : 0),
      0,
    );
    const maxConnections = this.#database?.facts.maxConnections ?? null;
    const instances = Math.min(...processes.map((process) => process.instances));
    const checks = await checkLadderLimits({
      connections,
      instances,
      throughProxy: this.#topology.proxy !== null,
      maxConnections,
      poolTotal,
    });
    return checks.filter(({ ok }) => !ok).map(({ message, cure }) => `${message}${cure === null ? '' : ` ${cure}`}`);
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
    const { expectedS } = warmUpTime(this.plan.load, process.declared.target.runtime);
    this.#progress.begin('warmUp', `Warming up ${process.name}`, expectedS * 1000);
    const outcome = await this.#bench.warmUp(planned, running);
    // It has ended by itself: that is said where it should have been measured.
    if (outcome === null) return;
    for (const trial of trials) {
      const sighting = this.#sighting(trial);
      // When a process is started anew for each block, the worst of its warm-ups counts.
      if (sighting.warmUp !== null && !sighting.warmUp.steady) continue;
      sighting.warmUp = outcome.warmUp;
      sighting.unsteadyReason = outcome.unsteadyReason;
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
          trial: recordTrial(this.#sighting(planned), this.#bench.observations, index + 1).trial,
        });
      }
      this.#roundsDone = index + 1;
    }
  }

  /** What raw samples cost, by windows of their own after everything was measured. */
  async #priceRaw(writer: RunWriter): Promise<void> {
    const raw = this.#raw;
    const [planned] = this.plan.trials;
    const running = planned === undefined ? undefined : this.#pool.get(planned.process.key);
    if (raw === null || this.request.raw === undefined || planned === undefined || running?.child.running !== true) return;
    const windowMs = Math.min(rawCostWindowMs, this.plan.load.durationS * 1000);
    this.#progress.begin('record', 'Measuring what raw samples cost', 2 * rawCostPairs * (windowMs + 500));
    try {
      raw.cost(
        await measureRawCost(this.request.raw, writer.scratch(rawCostFileName), (command) =>
          this.#bench.costWindow(planned, running, windowMs, command),
        ),
      );
    } catch (error) {
      if (isCancellation(error) || !(error instanceof FailureError)) throw error;
      this.#note(`What raw samples cost could not be measured: ${error.message}`);
    }
  }

  /** Thread dumps, where only they can tell what is waited for; after everything was measured. */
  async #lookAtWaits(writer: RunWriter): Promise<void> {
    if (this.#mode.mode === 'restart-per-block') return;
    const trials = this.plan.trials.map((planned) => ({
      planned,
      recorded: recordTrial(this.#sighting(planned), this.#bench.observations, this.plan.load.rounds),
    }));
    this.#verdicts = await lookAtWaits(trials, {
      bench: this.#bench,
      running: ({ process }) => this.#pool.get(process.key),
      writeFile: (name, text) => writer.writeFile(name, text),
      note: (message) => this.#note(message),
      signal: this.context.signal,
    });
  }

  /** A profiler never runs in a measured window: recording comes after all of them. */
  async #record(writer: RunWriter): Promise<void> {
    const { context, plan, request } = this;
    if (request.record === undefined) return;
    const restart = this.#mode.mode === 'restart-per-block';
    if (plan.processes.some(({ instances }) => instances > 1))
      this.#note('Of several instances the first was recorded, under its share of the load.');
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
        cpuTimeUs: () => this.#bench.cpuTimeUs(running.child.pid),
        during: (work) => loadDuring(this.#bench.generator, this.#bench.blockPlan(planned, running, 0), work, context.signal),
        block: (windowMs, onWindow) => this.#bench.block(planned, running, 1, { settleMs: recordingSettleMs, windowMs }, onWindow),
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
    sighting.blocks.push(await this.#bench.measure(planned, running, round));
  }

  async #noteEnd(sighting: TrialSighting, running: RunningTarget | undefined): Promise<void> {
    if (sighting.problems.length > 0 || sighting.blocks.some((block) => block.appEnded !== null)) return;
    const how = running === undefined ? 'is not running' : exitPhrase(await running.child.exited);
    sighting.problems.push(`${sighting.planned.process.name} ${how} before it could be measured. Look at its log.`);
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
    for (const note of this.#raw?.notes() ?? []) this.#note(note);
    if (!cancelled) this.#progress.begin('write', 'Writing the run');
    const roundsAsked = cancelled ? this.#roundsDone : plan.load.rounds;
    const recorded = [...this.#sightings.values()].map((sighting) => recordTrial(sighting, this.#bench.observations, roundsAsked));
    for (const [index, { trial, histogram }] of recorded.entries()) {
      trial.diagnosis = this.#verdicts.get(trial.key) ?? trial.diagnosis;
      if (trial.requests === 0) continue;
      trial.histogram = `latency-${index + 1}.hdr`;
      await writer.writeFile(trial.histogram, histogram);
    }
    for (const { file, text } of this.#pool.keptLogs()) await writer.writeLog(file, text);
    const record = composeRecord({
      ...{ runId: this.runId, request: this.request, plan, mode: this.#mode, pool: this.#pool, environment, cancelled, roundsAsked },
      ...{ startedAt: this.#startedAt, durationMs: this.#progress.elapsedMs, roundsDone: this.#roundsDone, notes: this.#notes },
      ...{
        trials: recorded.map(({ trial }) => trial),
        recordings: this.#recordings,
        labelOf: context.labelOf,
        raw: this.#raw?.record(this.#proxyLogs),
      },
    });
    await writer.commit(record);
  }
}
