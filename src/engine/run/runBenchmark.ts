import { copyFile } from 'node:fs/promises';
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
import { findTarget } from '../targets/catalog.ts';
import { measureRawCost, rawCostFileName, rawCostPairs, rawCostWindowMs } from '../raw/rawCost.ts';
import { rawFileName } from '../raw/rawFile.ts';
import { RawRecorder } from '../raw/rawRecorder.ts';
import { GroupPool } from './groupPool.ts';
import { lookAtWaits } from './recording/lookAtWaits.ts';
import { MeasuringBench } from './measuringBench.ts';
import { blockOverheadS, planRun } from './plan.ts';
import type { PlannedTrial, RunPlan } from './plan.ts';
import { ProcessPool } from './processPool.ts';
import { recordingMs, recordTrials } from './recording/recordTrials.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import { composeRecord } from './composeRecord.ts';
import type { RunContext } from './runContext.ts';
import { RunProgress } from './runProgress.ts';
import { RunSchedule } from '../strategies/rounds/runSchedule.ts';
import type { ScheduledRound } from '../strategies/rounds/runSchedule.ts';
import { SharedData } from './sharedData.ts';
import { toldRun } from './toldRun.ts';
import type { RunOutcome } from './toldRun.ts';
import { RunTargets } from './runTargets.ts';
import type { TrialProcesses } from './trialProcesses.ts';
import { emptyTrial, recordTrial } from './trialRecord.ts';
import type { TrialSighting } from './trialRecord.ts';

const hurryMs = 500;
/** Below this no limit of a common machine is near. */
const manyConnections = 256;
/** How long the start of one process is expected to take. */
const launchMs = 1500;
/** After a live switch the size is verified; what is left to settle is the queue. */
const liveSettleS = 0.4;
/** Without a budget of its own a run may take so many times its fewest rounds. */
const budgetFactor = 4;

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
  /** What was measured, in order. */
  readonly #order: PlannedTrial[][] = [];
  #targets!: RunTargets;
  #bench!: MeasuringBench;
  #pool!: GroupPool;
  #database: Database | null = null;
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
        if (!isCancellation(error) || !context.signal.aborted || this.#order.length === 0) throw error;
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
      this.#targets = new RunTargets([...this.#sightings.values()], {
        ...{ context, bench, pool: this.#pool, topology: this.#topology, mode: this.request.mode ?? 'auto', load: plan.load },
        maxConnections: this.#database?.facts.maxConnections ?? null,
        begin: (phase, message, expectedMs) => this.#progress.begin(phase, message, expectedMs),
        note: (message) => this.#note(message),
      });
      await this.#targets.prepare();
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

  async #measureRounds(writer: RunWriter): Promise<void> {
    const { load, trials, order } = this.plan;
    const blockMs = (planned: PlannedTrial): number => this.#blockMs(planned);
    const least = order.flat().reduce((sum, planned) => sum + blockMs(planned), 0);
    const { budgetS = load.budgetS, rounds, raw } = this.request;
    // Where every request is kept, users come and go, or throughput is the rate, what is measured is fixed beforehand.
    const fixed = raw !== undefined || load.stages !== undefined || load.requests !== undefined || load.ratePerS !== undefined;
    const adaptive = rounds === undefined && !fixed && trials.length > 1;
    const budgetMs = budgetS === undefined ? budgetFactor * least : budgetS * 1000;
    const schedule = new RunSchedule(this.plan, { adaptive, budgetMs, blockMs });
    const startedMs = this.#progress.elapsedMs;
    const spentMs = (): number => this.#progress.elapsedMs - startedMs;
    this.#progress.setSteps(
      6 + this.#targets.count * 2 + Math.ceil(schedule.remainingMs(0) / Math.max(1, least / Math.max(1, order.flat().length))),
    );
    for (let round = schedule.next(0); round !== null; round = schedule.next(spentMs())) {
      this.context.postgres.assertAlive();
      if (this.#database !== null) await this.#data.beforeRound(this.#database.address, this.context.signal);
      for (const planned of round.trials) {
        // A run that cannot be stored any more, for want of space, need not go on.
        if (writer.problem !== null) throw writer.problem;
        this.#progress.setRemaining(schedule.remainingMs(spentMs()) + 1500);
        const sighting = this.#sighting(planned);
        const before = sighting.blocks.length;
        await this.#measureBlock(planned, round);
        const { trial } = recordTrial(sighting, this.#bench.observations, round.round);
        schedule.observe(planned, round.round, sighting.blocks.length > before ? (trial.blocks.at(-1) ?? null) : null);
        this.context.emit({ type: 'trial', runId: this.runId, trial });
      }
      this.#order.push([...round.trials]);
    }
  }

  /** What a block takes, switching or starting included. */
  #blockMs(planned: PlannedTrial): number {
    const { load } = this.plan;
    const processes = this.#targets.of(planned);
    const measuredMs = this.#measuredMs(processes);
    const startMs = launchMs + warmUpTime(load, planned.process.declared.target.runtime).expectedS * 1000;
    return processes.mode === 'restart-per-block' ? measuredMs + startMs : measuredMs;
  }

  #measuredMs(processes: TrialProcesses): number {
    return (this.#settleS(processes) + this.plan.load.durationS + blockOverheadS) * 1000;
  }

  /** A process that goes on running has nothing to settle but its queue. */
  #settleS({ mode }: TrialProcesses): number {
    return mode === 'live' ? Math.min(this.plan.load.settleS, liveSettleS) : this.plan.load.settleS;
  }

  /** What raw samples cost, by windows of their own after everything was measured. */
  async #priceRaw(writer: RunWriter): Promise<void> {
    const raw = this.#raw;
    const [planned] = this.plan.trials;
    if (raw === null || this.request.raw === undefined || planned === undefined) return;
    const running = await this.#targets.warm(planned);
    if (running === null) return;
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
    if (this.#targets.mode().mode === 'restart-per-block') return;
    const trials = this.plan.trials.map((planned) => ({
      planned,
      recorded: recordTrial(this.#sighting(planned), this.#bench.observations, this.#order.length),
    }));
    this.#verdicts = await lookAtWaits(trials, {
      bench: this.#bench,
      running: (planned) => this.#targets.warm(planned),
      writeFile: (name, text) => writer.writeFile(name, text),
      note: (message) => this.#note(message),
      signal: this.context.signal,
    });
  }

  /** A profiler never runs in a measured window: recording comes after all of them. */
  async #record(writer: RunWriter): Promise<void> {
    const { context, plan, request } = this;
    if (request.record === undefined) return;
    if (plan.processes.some(({ instances }) => instances > 1))
      this.#note('Of several instances the first was recorded, under its share of the load.');
    this.#progress.setRemaining(recordingMs(plan.trials, request.record) + 1500);
    this.#recordings = await recordTrials({
      recorders: context.recorders,
      request: request.record,
      trials: plan.trials,
      process: (planned) => this.#targets.warm(planned),
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
      done: (planned) => this.#targets.of(planned).release(planned),
      signal: context.signal,
    });
  }

  async #measureBlock(planned: PlannedTrial, { round, stage }: ScheduledRound): Promise<void> {
    const sighting = this.#sighting(planned);
    const processes = this.#targets.of(planned);
    const running = await processes.bring(planned);
    if ('problem' in running) {
      await this.#noteProblem(sighting, running.problem, round);
      return;
    }
    this.#progress.begin('measure', `Measuring ${planned.name}, ${stage}`, this.#measuredMs(processes));
    const seen = await this.#bench.measure(planned, running, round, { settleMs: this.#settleS(processes) * 1000 });
    const deviation = await processes.deviation(planned);
    await processes.release(planned, seen.probe);
    if (deviation === null) sighting.blocks.push(seen);
    else if (!sighting.problems.includes(deviation)) sighting.problems.push(deviation);
  }

  /** Why a block could not be measured, once for each reason; of a process that has ended, how. */
  async #noteProblem(sighting: TrialSighting, problem: string, round: number): Promise<void> {
    const { planned, problems, blocks } = sighting;
    if (problems.length > 0 || blocks.some((block) => block.appEnded !== null)) return;
    const running = this.#targets.of(planned).running(planned);
    const ended = running !== undefined && !running.child.running;
    const how = ended
      ? `${planned.process.name} ${exitPhrase(await running.child.exited)} before it could be measured. Look at its log.`
      : null;
    problems.push(how ?? (round > 1 ? `Round ${round}: ${problem}` : problem));
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
    const roundsAsked = this.#order.length;
    const recorded = [...this.#sightings.values()].map((sighting) => recordTrial(sighting, this.#bench.observations, roundsAsked));
    for (const [index, { trial, histogram }] of recorded.entries()) {
      trial.diagnosis = this.#verdicts.get(trial.key) ?? trial.diagnosis;
      if (trial.requests === 0) continue;
      trial.histogram = `latency-${index + 1}.hdr`;
      await writer.writeFile(trial.histogram, histogram);
    }
    for (const { file, text } of this.#pool.keptLogs()) await writer.writeLog(file, text);
    const record = composeRecord({
      ...{
        runId: this.runId,
        request: this.request,
        plan: { ...plan, order: this.#order },
        mode: this.#targets.mode(),
        pool: this.#targets,
        environment,
      },
      ...{ cancelled, roundsAsked },
      ...{ startedAt: this.#startedAt, durationMs: this.#progress.elapsedMs, roundsDone: this.#order.length, notes: this.#notes },
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
