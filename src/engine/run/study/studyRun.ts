import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { isCancellation } from '../../../model/failure.ts';
import { runRequestSchema } from '../../../model/run.ts';
import type { Environment } from '../../../model/run.ts';
import type { StepFigures } from '../../../model/scenario.ts';
import type { Arm, StudyFile, StudyRecord, StudyRequest, StudySeries } from '../../../model/study.ts';
import { warmUpTime } from '../../../model/warmUpTime.ts';
import { documentEnvironment } from '../backingServices.ts';
import { composeRecord } from '../composeRecord.ts';
import { MeasuringBench } from '../measuringBench.ts';
import type { PlannedTrial } from '../plan.ts';
import { ProcessPool } from '../processPool.ts';
import type { RunContext } from '../runContext.ts';
import { RunProgress } from '../runProgress.ts';
import { SharedData } from '../sharedData.ts';
import { toldRun } from '../toldRun.ts';
import type { RunOutcome } from '../toldRun.ts';
import { emptyTrial, recordTrial } from '../trialRecord.ts';
import type { BlockSighting, RecordedTrial, TrialSighting } from '../trialRecord.ts';
import type { LineFile, RunWriter } from '../../runs/runWriter.ts';
import { DocumentStore } from '../../services/documents/documentStore.ts';
import type { DocumentStoreOptions } from '../../services/documents/documentStore.ts';
import type { Database } from '../../services/postgresService.ts';
import { composeStudy, errorsCountIn, judgeFindings } from '../../strategies/study/composeStudy.ts';
import type { StudyFindings } from '../../strategies/study/composeStudy.ts';
import { ladderNotes } from './ladderNotes.ts';
import { measureArms } from './measureArms.ts';
import type { BlockFigures, OwnFigures } from '../../strategies/study/measuredPoint.ts';
import { pointOf } from '../../strategies/study/points.ts';
import { StudyArm } from './studyArm.ts';
import type { MeasureTools } from './studyMeasures.ts';
import { missingNeeds } from './studyNeeds.ts';
import { planOf, planStudy } from './studyPlan.ts';
import type { PlannedStudy } from './studyPlan.ts';
import { deadlineMs, measuredSeconds } from '../../strategies/study/studyTime.ts';

const hurryMs = 500;
/** What the document store waits before it answers: one that answers at once hides the queue before it. */
const documentLatencyMs = 20;

/** Repeats a published experiment. As with every run, nothing that it started is left running and no half-written record stays. */
export async function runStudy(request: StudyRequest, study: StudyFile, context: RunContext): Promise<RunOutcome> {
  const runId = context.store.newId();
  return toldRun(runId, context, async () => {
    const chosen = study.arms.filter((arm) => missingNeeds(arm.needs, context.toolchain).length === 0);
    const plan = planOf(study, request);
    const planned = planStudy(study, plan, chosen, context.declarations);
    context.emit({ type: 'started', runId, title: planned.run.title, trials: planned.run.trials.map((trial) => emptyTrial(trial)) });
    const run = new StudyRun(runId, request, { ...study, [request.form]: plan }, planned, context);
    run.tell('nothing measured yet');
    for (const arm of study.arms.filter((one) => !chosen.includes(one))) run.leaveOut(arm);
    return run.execute();
  });
}

function documentOptions({ toolchain, assetsDir, cookieEnvironment, signal }: RunContext): DocumentStoreOptions {
  const env = { ...toolchain.programEnvironment('node'), ...cookieEnvironment };
  return { nodePath: toolchain.node, assetsDir, latencyMs: documentLatencyMs, env, signal };
}

class StudyRun {
  readonly #startedAt = new Date();
  readonly #progress: RunProgress;
  readonly #sightings: Map<string, TrialSighting>;
  readonly #notes: string[] = [];
  readonly #unsteady: string[] = [];
  readonly #data: SharedData;
  readonly #extra = new Map<string, OwnFigures>();
  readonly #blockFigures = new WeakMap<BlockSighting, BlockFigures>();
  readonly #latest = new Map<string, { blocks: number; problems: number; recorded: RecordedTrial }>();
  readonly #series: StudySeries[] = [];
  readonly #steps: StepFigures[] = [];
  readonly #cores = new Map<string, number | null>();
  #blocks = 0;
  #roundsDone: number;
  #bench!: MeasuringBench;
  #pool!: ProcessPool;
  #database: Database | null = null;
  #ticks!: LineFile;

  constructor(
    private readonly runId: string,
    private readonly request: StudyRequest,
    private readonly study: StudyFile,
    private readonly planned: PlannedStudy,
    private readonly context: RunContext,
  ) {
    const { run, arms } = planned;
    this.#roundsDone = run.load.rounds;
    this.#progress = new RunProgress(runId, 4 + 2 * arms.length + run.trials.length * run.load.rounds, run.estimateMs, context.emit);
    const targets = [...new Set(arms.map(({ process }) => process.declared))];
    const mixes = new Map(
      targets.map(({ target }) => [
        target.id,
        { mix: arms.filter(({ arm }) => arm.target === target.id).flatMap(({ arm }) => run.mixes.get(arm.name)?.mix ?? []) },
      ]),
    );
    this.#data = new SharedData(targets, mixes);
    this.#sightings = new Map(
      run.trials.map((one) => [one.key, { planned: one, warmUp: null, unsteadyReason: null, blocks: [], problems: [] }]),
    );
  }

  /** Says that an arm is not measured, and how to get what it lacks. */
  leaveOut(arm: Arm): void {
    for (const { message, cure } of missingNeeds(arm.needs, this.context.toolchain))
      this.#note(`${arm.label} is left out. ${message} ${cure}`);
  }

  async execute(): Promise<RunOutcome> {
    const { context, runId } = this;
    this.#progress.begin('prepare', 'Reading this machine and preparing the experiment');
    const writer = await context.store.begin(runId);
    const folder = await mkdtemp(path.join(tmpdir(), 'benchside-study-'));
    try {
      this.#ticks = writer.append('ticks.ndjson');
      await this.#prepareDatabase();
      const { facts } = this.#database ?? {};
      const environment = await context.readEnvironment({
        postgresVersion: facts?.version ?? null,
        postgresSettings: facts?.settings ?? {},
      });
      context.signal.throwIfAborted();
      let cancelled = false;
      try {
        await this.#measure(writer, folder);
      } catch (error) {
        if (!isCancellation(error) || !context.signal.aborted || this.#blocks < this.planned.run.trials.length) throw error;
        cancelled = true;
      }
      await this.#write(writer, environment, cancelled);
      return { runId, outcome: cancelled ? 'cancelled' : 'complete', stored: true };
    } finally {
      await writer.abandon();
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #prepareDatabase(): Promise<void> {
    const { signal } = this.context;
    if (!this.#data.wanted) return;
    this.#progress.begin('services', 'Starting PostgreSQL', 2000);
    this.#database = await this.context.postgres.database(signal);
    await this.#data.prepare(this.#database.address, (message) => this.#progress.say('services', message), signal);
    if (this.#data.note !== null) this.#note(this.#data.note);
  }

  async #measure(writer: RunWriter, folder: string): Promise<void> {
    const { context, planned, study } = this;
    for (const note of await ladderNotes(study, this.request.form, planned, this.#database?.facts.maxConnections ?? null)) this.#note(note);
    let bench: MeasuringBench | null = null;
    let documents: DocumentStore | null = null;
    const running: StudyArm[] = [];
    try {
      if (study.needs.includes('documents')) documents = await DocumentStore.start(context.supervisor, documentOptions(context));
      const environment =
        documents === null
          ? {}
          : documentEnvironment(
              planned.arms.map(({ process }) => process.declared),
              documents.url,
            );
      this.#pool = new ProcessPool(
        { ...context, cookieEnvironment: { ...context.cookieEnvironment, ...environment } },
        this.#database?.address ?? null,
      );
      bench = await MeasuringBench.open({
        ...{ runId: this.runId, context, progress: this.#progress, database: this.#database, load: planned.run.load, ticks: this.#ticks },
        samples: writer.append('samples.ndjson'),
        mixOf: (_target, trial) => planned.run.mixes.get(trial.process.key)?.mix ?? [],
      });
      this.#bench = bench;
      // Those that cannot run at once are measured one after the other.
      const turns = study.interleaved ? [planned.arms] : planned.arms.map((arm) => [arm]);
      for (const [turn, arms] of turns.entries()) {
        const started: StudyArm[] = [];
        for (const arm of arms) {
          this.#progress.begin('targets', `Starting ${arm.arm.label}`, 1500);
          const one = await StudyArm.start(arm, { context, pool: this.#pool, folder, note: (message) => this.#note(message) });
          running.push(one);
          started.push(one);
          this.#cores.set(arm.arm.name, one.coresAvailable);
        }
        for (const one of started) await this.#warmUp(one);
        this.#noteUnsteady();
        await measureArms(this.#tools(bench, started, turns.length - turn), started);
        if (turns.length > 1) for (const one of started) await one.stop();
      }
    } finally {
      const cancelled = context.signal.aborted;
      if (!cancelled) this.#progress.begin('stop', 'Stopping what was started');
      await bench?.close();
      if (cancelled) await this.#pool?.stopAll(hurryMs);
      await Promise.all(running.map((arm) => arm.stop()));
      await this.#pool?.stopAll(cancelled ? hurryMs : undefined);
      await documents?.stop();
    }
  }

  /** For arms that run now; `turnsLeft` with them share the time that is left for further rounds. */
  #tools(bench: MeasuringBench, arms: readonly StudyArm[], turnsLeft: number): MeasureTools {
    const plan = this.study[this.request.form];
    const plannedMs =
      1000 *
      measuredSeconds(
        plan,
        arms.map(({ planned }) => planned.arm),
      );
    const nowMs = this.#progress.elapsedMs;
    const lastMs = deadlineMs(this.request.form, nowMs, plannedMs * turnsLeft);
    return {
      ...{ plan, study: this.planned, context: this.context, bench, progress: this.#progress },
      ...{ extra: this.#extra, series: this.#series, steps: this.#steps },
      deadlineMs: nowMs + (lastMs - nowMs) / turnsLeft,
      rules: () => judgeFindings(this.#findings(this.#allRecorded().map(({ trial }) => trial))).rules,
      blocks: (key) => this.#figuresOf(key),
      errorsCount: errorsCountIn(this.study, this.request.form),
      roundBegins: (round) => {
        this.#roundsDone = Math.max(this.#roundsDone, round);
        this.#progress.setSteps(4 + 2 * this.planned.arms.length + this.planned.run.trials.length * this.#roundsDone);
      },
      sighting: (planned) => this.#sighting(planned),
      recorded: (planned) => this.#recorded(this.#sighting(planned)).trial,
      note: (message) => this.#note(message),
      beforeRound: async () => {
        if (this.#database !== null) await this.#data.beforeRound(this.#database.address, this.context.signal);
      },
      told: (planned) => this.#told(planned),
    };
  }

  /** Puts load on an arm at its middle level until its throughput is steady. */
  async #warmUp(arm: StudyArm): Promise<void> {
    const { trials, process } = arm.planned;
    const planned = trials[Math.floor((trials.length - 1) / 2)];
    if (planned === undefined) return;
    const { expectedS } = warmUpTime(this.planned.run.load, process.declared.target.runtime);
    this.#progress.begin('warmUp', `Warming up ${process.name}`, expectedS * 1000);
    const outcome = await this.#bench.warmUp({ ...planned, connections: Math.min(planned.connections, 64) }, arm.running);
    if (outcome?.unsteadyReason != null) this.#unsteady.push(process.name);
  }

  /** Arms take turns in short rounds, so that what still changes falls on all alike: it is said once, and voids nothing. */
  #noteUnsteady(): void {
    const names = this.#unsteady.splice(0);
    if (names.length > 0)
      this.#note(`Still changing a little after the warm-up, which the mirrored rounds share out evenly: ${names.join(', ')}.`);
  }

  #sighting(planned: PlannedTrial): TrialSighting {
    const sighting = this.#sightings.get(planned.key);
    if (sighting === undefined) throw new Error(`no sighting of ${planned.key}`);
    return sighting;
  }

  #told(planned: PlannedTrial): void {
    this.#blocks += 1;
    this.context.emit({ type: 'trial', runId: this.runId, trial: this.#recorded(this.#sighting(planned)).trial });
    this.tell(`${this.#blocks} ${this.#blocks === 1 ? 'block' : 'blocks'} measured`);
  }

  /** What is known so far. */
  tell(stage: string): void {
    this.context.emit({ type: 'study', runId: this.runId, stage, record: this.#record(this.#allRecorded().map(({ trial }) => trial)) });
  }

  /** Kept until a trial has a further block: a record of all is made after each. */
  #recorded(sighting: TrialSighting): RecordedTrial {
    const { planned, blocks, problems } = sighting;
    const known = this.#latest.get(planned.key);
    if (known?.blocks === blocks.length && known.problems === problems.length) return known.recorded;
    const recorded = recordTrial(sighting, this.#bench.observations, blocks.length);
    this.#latest.set(planned.key, { blocks: blocks.length, problems: problems.length, recorded });
    return recorded;
  }

  #allRecorded(): RecordedTrial[] {
    return [...this.#sightings.values()]
      .filter(({ blocks, problems }) => blocks.length > 0 || problems.length > 0)
      .map((sighting) => this.#recorded(sighting));
  }

  /** The figures of each block of a trial, as if it were the only one. */
  #figuresOf(key: string): BlockFigures[] {
    const sighting = this.#sightings.get(key);
    const arm = this.planned.arms.find(({ trials }) => trials.some((one) => one.key === key));
    if (sighting === undefined || arm === undefined) return [];
    const { planned } = sighting;
    return sighting.blocks.map((block) => {
      const known = this.#blockFigures.get(block);
      if (known !== undefined) return known;
      const { trial } = recordTrial(
        { planned, warmUp: null, unsteadyReason: null, blocks: [block], problems: [] },
        this.#bench.observations,
        1,
      );
      const coresAvailable = this.#cores.get(arm.arm.name) ?? null;
      const { figures } = pointOf(trial, { arm: arm.arm.name, level: planned.connections, coresAvailable });
      const taken = block.disturbance == null ? null : block.disturbance.takenPercent / 100;
      const { valid, reasons, requests, errors } = trial;
      const made = { round: block.round, taken, valid, reasons, requests, errors: errors.total, figures };
      this.#blockFigures.set(block, made);
      return made;
    });
  }

  #findings(trials: readonly RecordedTrial['trial'][]): StudyFindings {
    const arms = this.planned.arms.map(({ arm, trials: own }) => ({
      ...{ name: arm.name, label: arm.label, coresAvailable: this.#cores.get(arm.name) ?? null },
      trials: own.map(({ key, connections }) => ({ key, level: connections })),
    }));
    return {
      study: this.study,
      form: this.request.form,
      arms,
      trials,
      blocks: new Map(trials.map(({ key }) => [key, this.#figuresOf(key)])),
      extra: this.#extra,
      series: this.#series,
      steps: this.#steps,
      cores: cpus().length,
    };
  }

  #record(trials: readonly RecordedTrial['trial'][]): StudyRecord {
    return composeStudy(this.#findings(trials));
  }

  #note(message: string): void {
    if (this.#notes.includes(message)) return;
    this.#notes.push(message);
    this.context.emit({ type: 'note', runId: this.runId, message });
  }

  async #write(writer: RunWriter, environment: Environment, cancelled: boolean): Promise<void> {
    const { planned, context } = this;
    if (!cancelled) this.#progress.begin('write', 'Writing the run');
    // Anew: what was sampled after a trial’s last block was told belongs to it as well.
    this.#latest.clear();
    const recorded = this.#allRecorded();
    for (const [index, { trial, histogram }] of recorded.entries()) {
      if (trial.requests === 0) continue;
      trial.histogram = `latency-${index + 1}.hdr`;
      await writer.writeFile(trial.histogram, histogram);
    }
    for (const { file, text } of this.#pool.keptLogs()) await writer.writeLog(file, text);
    const trials = recorded.map(({ trial }) => trial);
    const record = composeRecord({
      ...{ runId: this.runId, plan: planned.run, pool: this.#pool, environment, cancelled, trials, notes: this.#notes },
      request: runRequestSchema.parse({ targets: [...new Set(planned.arms.map(({ arm }) => arm.target))] }),
      mode: {
        mode: 'process-per-setting',
        reason: this.study.interleaved
          ? 'All arms run at once, and the load turns from one to the next.'
          : 'The arms are measured one after the other.',
      },
      ...{
        startedAt: this.#startedAt,
        durationMs: this.#progress.elapsedMs,
        roundsDone: this.#roundsDone,
        roundsAsked: planned.run.load.rounds,
      },
      ...{ recordings: [], labelOf: context.labelOf, study: this.#record(trials) },
    });
    const withIntervals = record.study === null ? record : { ...record, study: this.#record(record.trials) };
    await writer.commit(withIntervals);
  }
}
