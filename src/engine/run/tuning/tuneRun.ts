import { freemem } from 'node:os';
import { failure, isCancellation } from '../../../model/failure.ts';
import type { RunRequest, Trial } from '../../../model/run.ts';
import type { TuneRequest, TuningAnswer } from '../../../model/tuning.ts';
import { warmUpTime } from '../../../model/warmUpTime.ts';
import type { LineFile, RunWriter } from '../../runs/runWriter.ts';
import type { Database } from '../../services/postgresService.ts';
import { findTarget } from '../../targets/catalog.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import { loadProfileNamed } from '../loadProfileNamed.ts';
import { MeasuringBench } from '../measuringBench.ts';
import type { BlockChanges, WarmUpOutcome } from '../measuringBench.ts';
import { blockOverheadS } from '../plan.ts';
import type { PlannedTrial } from '../plan.ts';
import { ProcessPool } from '../processPool.ts';
import type { RunContext } from '../runContext.ts';
import { RunProgress } from '../runProgress.ts';
import { SharedData } from '../sharedData.ts';
import { toldRun } from '../toldRun.ts';
import type { RunOutcome } from '../toldRun.ts';
import { emptyTrial, recordTrial } from '../trialRecord.ts';
import type { BlockSighting } from '../trialRecord.ts';
import { confirmFresh } from './tuneConfirm.ts';
import { OpenLoopStage } from '../../strategies/search/tuneOpenLoop.ts';
import { answerOf } from './tuneEvidence.ts';
import { composeTuning } from './tuneRecord.ts';
import { blockLengthS, leastBudgetS, openLoopShare, planTuning } from './tunePlan.ts';
import type { TunePlan } from './tunePlan.ts';
import { roundsSoFar, TunedTarget } from './tunedTarget.ts';
import { blocksNeeded } from '../../statistics/tuningSearch.ts';

const hurryMs = 500;
/** Preparing, services, targets, warming up, stopping, writing. */
const preparingSteps = 6;
/** After a live switch the size is verified; what is left to settle is the queue. */
const liveSettleS = 0.4;
/** The most of the budget that warming up may take, beyond the least: what is left of it is a drift that mirrored rounds meet alike. */
const warmUpShare = 0.12;
/** Sessions that PostgreSQL keeps for its superuser, and ours. */
const reservedSessions = 8;

/**
 * Finds which value of a setting to use: rounds over the candidates, narrowed to those that decide, until the answer is known or the budget
 * is spent; then p99 at a fixed rate. Like a plain run it leaves nothing behind, and is stored whole or not at all. A cancelled one is stored
 * when a whole round was measured.
 */
export async function runTuning(request: TuneRequest, context: RunContext): Promise<RunOutcome> {
  const runId = context.store.newId();
  return toldRun(runId, context, async () => {
    const targets = [...new Set(request.targets)].map((id) => findTarget(context.declarations, id));
    const plan = planTuning(targets, loadProfileNamed(context.declarations, request.load), request);
    context.emit({ type: 'started', runId, title: plan.run.title, trials: plan.run.trials.map((planned) => emptyTrial(planned)) });
    return new TuneRun(runId, request, plan, context).execute();
  });
}

class TuneRun {
  readonly #startedAt = new Date();
  readonly #progress: RunProgress;
  readonly #data: SharedData;
  readonly #notes: string[] = [];
  readonly #order: string[][] = [];
  readonly #targets: TunedTarget[] = [];
  readonly #openLoop = new Map<TunedTarget, OpenLoopStage>();
  readonly #confirmations = new Map<TunedTarget, string>();
  #probeCost: string | null = null;
  #bench!: MeasuringBench;
  #pool!: ProcessPool;
  #database: Database | null = null;
  #stage = 'Preparing';
  #settleS = 1;
  #blockS = 4;

  constructor(
    private readonly runId: string,
    private readonly request: TuneRequest,
    private readonly plan: TunePlan,
    private readonly context: RunContext,
  ) {
    this.#progress = new RunProgress(runId, preparingSteps, request.budgetS * 1000, context.emit);
    this.#data = new SharedData(
      plan.targets.map(({ declared }) => declared),
      plan.run.mixes,
    );
    this.#settleS = Math.min(
      plan.run.load.settleS,
      request.mode === 'auto' || request.mode === 'live' ? liveSettleS : plan.run.load.settleS,
    );
  }

  async execute(): Promise<RunOutcome> {
    const { context, runId } = this;
    this.#progress.begin('prepare', 'Preparing the tuning');
    this.#assertBudget();
    const writer = await context.store.begin(runId);
    try {
      const ticks = writer.append('ticks.ndjson');
      await this.#prepareServices();
      const environment = await context.readEnvironment({
        postgresVersion: this.#database?.facts.version ?? null,
        postgresSettings: this.#database?.facts.settings ?? {},
      });
      context.signal.throwIfAborted();
      let cancelled = false;
      try {
        await this.#measure(writer, ticks);
      } catch (error) {
        if (!isCancellation(error) || !context.signal.aborted || this.#order.length === 0) throw error;
        cancelled = true;
      }
      if (!cancelled) this.#progress.begin('write', 'Writing the run');
      await this.#write(writer, environment, cancelled);
      return { runId, outcome: cancelled ? 'cancelled' : 'complete', stored: true };
    } finally {
      await writer.abandon();
    }
  }

  /** A budget that could not lead to any claim is refused before anything is started. */
  #assertBudget(): void {
    const live = this.request.mode === 'auto' || this.request.mode === 'live';
    const processes = live ? this.plan.targets.length : this.plan.run.trials.length;
    const least = leastBudgetS(this.plan, processes, this.#settleS, this.request.blockS);
    if (this.request.budgetS >= least) return;
    throw failure(
      'budget-short',
      `${this.request.budgetS} s are too short to say anything of ${this.plan.run.trials.length} values: warming up and three rounds take about ${least} s.`,
      `Allow ${least} s or more, or name fewer values.`,
    );
  }

  async #prepareServices(): Promise<void> {
    const { signal } = this.context;
    if (!this.#data.wanted) return;
    this.#progress.begin('services', 'Starting PostgreSQL', 2_000);
    this.#database = await this.context.postgres.database(signal);
    const { maxConnections } = this.#database.facts;
    for (const { process } of this.plan.run.trials) {
      const wanted = Number(process.settings['pool'] ?? 0) * process.instances;
      if (process.declared.target.postgres === undefined || wanted <= maxConnections - reservedSessions) continue;
      throw failure(
        'pool-too-large',
        `${process.name} wants ${wanted} connections, and PostgreSQL allows ${maxConnections}, of which ${reservedSessions} are kept back.`,
        `Name pools of at most ${Math.floor((maxConnections - reservedSessions) / process.instances)}, or raise max_connections of the server.`,
      );
    }
    await this.#data.prepare(this.#database.address, (message) => this.#progress.say('services', message), signal);
    if (this.#data.note !== null) this.#note(this.#data.note);
  }

  async #measure(writer: RunWriter, ticks: LineFile): Promise<void> {
    const { context, plan } = this;
    this.#pool = new ProcessPool(context, this.#database?.address ?? null);
    let bench: MeasuringBench | null = null;
    try {
      bench = await MeasuringBench.open({
        ...{
          runId: this.runId,
          context,
          progress: this.#progress,
          database: this.#database,
          load: this.#load(),
          ticks,
          samples: writer.append('samples.ndjson'),
        },
        mixOf: (target) => plan.run.mixes.get(target)?.mix ?? [],
      });
      this.#bench = bench;
      for (const target of plan.targets) {
        const tuned = new TunedTarget(target, this.#tools(bench));
        this.#targets.push(tuned);
        await tuned.processes.prepare();
        if (this.request.mode === 'auto' && tuned.processes.mode !== 'live') this.#note(`${tuned.label}: ${tuned.processes.modeReason}`);
      }
      if (this.#targets.some(({ processes }) => processes.mode !== 'live')) this.#settleS = plan.run.load.settleS;
      const leftS = this.#leftS();
      this.#blockS = this.request.blockS ?? blockLengthS(plan, leftS, this.#settleS);
      const blocks = this.#targets.map((tuned) => leftS / this.#targets.length / this.#blockCostS(tuned));
      this.#progress.setSteps(preparingSteps + Math.ceil(blocks.reduce((sum, one) => sum + one, 0)));
      await this.#search(writer, leftS);
      await this.#compareAtRate(writer);
      if (this.request.confirm) await this.#confirm();
      this.#tell(
        this.#targets.every(({ search }) => search.finding().decided)
          ? `Decided after ${this.#order.length} rounds`
          : `Ended after ${this.#order.length} rounds`,
      );
    } finally {
      const cancelled = context.signal.aborted;
      if (!cancelled) this.#progress.begin('stop', 'Stopping the targets');
      await Promise.all([bench?.close(), this.#pool.stopAll(cancelled ? hurryMs : undefined)]);
    }
  }

  /** The profile with a warm-up that leaves most of the budget for measuring. */
  #load(): TunePlan['run']['load'] {
    const { load } = this.plan.run;
    const processes = this.request.mode === 'process-per-setting' ? this.plan.run.trials.length : this.plan.targets.length;
    const most = Math.max(1, (this.request.budgetS * warmUpShare) / processes);
    const { minS, maxS, jvmMinS, jvmMaxS } = load.warmUp;
    const cap = (least: number, limit: number): number => Math.max(least, Math.min(limit, most));
    return { ...load, warmUp: { minS, maxS: cap(minS, maxS), jvmMinS, jvmMaxS: cap(Math.max(minS, jvmMinS), jvmMaxS) } };
  }

  #tools(bench: MeasuringBench): ConstructorParameters<typeof TunedTarget>[1] {
    const { context, request, plan } = this;
    return {
      ...{ request, context, pool: this.#pool, seed: plan.run.load.seed, mode: request.mode, notLive: null },
      limits: { maxConnections: this.#database?.facts.maxConnections ?? null, freeMemoryBytes: freemem() },
      warmUp: (planned: PlannedTrial, running: RunningTarget): Promise<WarmUpOutcome | null> => bench.warmUp(planned, running),
      begin: (phase, message, expectedMs) => {
        const warmUpMs =
          phase === 'warmUp' ? warmUpTime(this.#load(), plan.targets[0]?.declared.target.runtime ?? 'node').expectedS * 1000 : expectedMs;
        this.#progress.begin(phase, message, warmUpMs);
      },
      note: (message) => this.#note(message),
    };
  }

  #leftS(): number {
    return this.request.budgetS - this.#progress.elapsedMs / 1000;
  }

  /** Seconds that one block of a target takes, switching and starting included. */
  #blockCostS(tuned: TunedTarget): number {
    const measured = this.#settleS + this.#blockS + blockOverheadS;
    return tuned.processes.mode === 'restart-per-block'
      ? measured + 1.5 + warmUpTime(this.#load(), tuned.plan.declared.target.runtime).expectedS
      : measured;
  }

  /** Rounds, the targets taking turns, until each is decided or the time for searching is over. */
  async #search(writer: RunWriter, leftS: number): Promise<void> {
    // A start that took longer than was thought must not leave a run that says nothing: the fewest rounds for a claim are always measured.
    const leastS = this.#targets.reduce(
      (sum, tuned) => sum + (blocksNeeded(tuned.search.candidates.length).claim + 1) * this.#blockCostS(tuned),
      0,
    );
    const searchS = leftS * (1 - openLoopShare);
    if (searchS < leastS)
      this.#note(
        `Starting and warming up took long: ${leastS > leftS ? `the budget is exceeded by about ${Math.ceil(leastS - leftS)} s` : 'no time is left to compare p99'}, so that there are enough rounds for a claim.`,
      );
    const endS = this.#progress.elapsedMs / 1000 + Math.max(searchS, leastS);
    const active = new Set(this.#targets);
    while (active.size > 0) {
      if (this.#database !== null) await this.#data.beforeRound(this.#database.address, this.context.signal);
      for (const tuned of [...active]) {
        const secondsLeft = (endS - this.#progress.elapsedMs / 1000) / active.size;
        const round = tuned.search.nextRound(Math.floor(secondsLeft / this.#blockCostS(tuned)));
        if (round === null) {
          active.delete(tuned);
          continue;
        }
        this.#stage =
          this.#targets.length > 1 ? `${tuned.label}, ${round.stage.charAt(0).toLowerCase()}${round.stage.slice(1)}` : round.stage;
        this.#progress.setRemaining(this.#leftS() * 1000);
        const keys: string[] = [];
        for (const candidate of round.candidates) {
          if (writer.problem !== null) throw writer.problem;
          await this.#block(tuned, tuned.trial(candidate.key), round.round);
          keys.push(candidate.key);
        }
        this.#order.push(keys);
      }
    }
  }

  async #block(tuned: TunedTarget, planned: PlannedTrial, round: number): Promise<void> {
    const sighting = tuned.sighting(planned.key);
    this.#progress.begin('measure', `${this.#stage}: ${planned.name}`, this.#blockCostS(tuned) * 1000);
    const seen = await this.#measured(tuned, planned, round, {});
    if (typeof seen === 'string') {
      if (!sighting.problems.includes(seen)) sighting.problems.push(seen);
      tuned.search.record(round, planned.key, null);
    } else {
      sighting.blocks.push(seen);
      const { trial } = recordTrial(sighting, this.#bench.observations, roundsSoFar(sighting));
      const block = trial.blocks.at(-1);
      tuned.search.observe(round, planned.key, block ?? null, tuned.resource);
      this.context.emit({ type: 'trial', runId: this.runId, trial });
    }
    this.#tell(this.#stage);
  }

  /** Brings a combination about and puts load on it; or says why that could not be done. */
  async #measured(tuned: TunedTarget, planned: PlannedTrial, round: number, changes: BlockChanges): Promise<BlockSighting | string> {
    this.context.postgres.assertAlive();
    const running = await tuned.processes.bring(planned);
    if ('problem' in running) return running.problem;
    const seen = await this.#bench.measure(planned, running, round, {
      settleMs: this.#settleS * 1000,
      windowMs: this.#blockS * 1000,
      ...changes,
    });
    const deviation = await tuned.processes.deviation(planned);
    await tuned.processes.release(planned, seen.probe);
    return deviation ?? seen;
  }

  /** p99 of those that matter, at a rate that the best can carry easily. It may take its share of the budget, also where the search ended early. */
  async #compareAtRate(writer: RunWriter): Promise<void> {
    for (const [index, tuned] of this.#targets.entries()) {
      const leastWindowS = tuned.processes.mode === 'restart-per-block' ? this.#blockS : undefined;
      const stage = new OpenLoopStage(tuned.search, this.plan.connections, leastWindowS);
      this.#openLoop.set(tuned, stage);
      const shareS = Math.min(this.#leftS(), openLoopShare * this.request.budgetS) / (this.#targets.length - index);
      const endS = this.#progress.elapsedMs / 1000 + shareS;
      const costS = this.#blockCostS(tuned) - this.#blockS + stage.windowS;
      const windowsLeft = (): number => Math.floor((endS - this.#progress.elapsedMs / 1000) / costS);
      for (let window = stage.next(windowsLeft()); window !== null; window = stage.next(windowsLeft())) {
        if (writer.problem !== null) throw writer.problem;
        const { key, round, again } = window;
        this.#stage = `p99 at ${Math.round(stage.ratePerS)} requests/s, round ${round}${again ? ', once more' : ''}`;
        const planned = tuned.trial(key);
        this.#progress.setRemaining(windowsLeft() * costS * 1000);
        this.#progress.begin('measure', `${this.#stage}: ${planned.name}`, costS * 1000);
        const seen = await this.#measured(tuned, planned, 999 + round, { open: stage.open, windowMs: stage.windowS * 1000 });
        if (typeof seen !== 'string') stage.record(round, key, seen);
        this.#tell(this.#stage);
      }
    }
  }

  async #confirm(): Promise<void> {
    for (const tuned of this.#targets) {
      this.#stage = `Fresh processes of ${tuned.label}`;
      const confirmed = await confirmFresh(tuned, {
        pool: this.#pool,
        bench: this.#bench,
        blockMs: this.#blockS * 1000,
        settleMs: this.plan.run.load.settleS * 1000,
        context: this.context,
        database: this.#database?.address ?? null,
        delta: this.request.delta,
        begin: (message, expectedMs) => this.#progress.begin('measure', message, expectedMs),
      });
      if (confirmed === null) continue;
      this.#confirmations.set(tuned, confirmed.sentence);
      if (confirmed.probeCost !== null) this.#probeCost = confirmed.probeCost;
    }
  }

  #note(message: string): void {
    this.#notes.push(message);
    this.context.emit({ type: 'note', runId: this.runId, message });
  }

  #tell(stage: string): void {
    this.context.emit({
      type: 'tuning',
      runId: this.runId,
      stage,
      spentS: this.#progress.elapsedMs / 1000,
      budgetS: this.request.budgetS,
      answers: this.#answers(),
    });
    this.#stage = stage;
  }

  #trials(tuned: TunedTarget): { trial: Trial; histogram: string }[] {
    return [...tuned.sightings.values()]
      .filter((sighting) => sighting.blocks.length + sighting.problems.length > 0)
      .map((sighting) => recordTrial(sighting, this.#bench.observations, roundsSoFar(sighting)));
  }

  #answers(recorded?: ReadonlyMap<TunedTarget, Trial[]>): TuningAnswer[] {
    return this.#targets.map((tuned) => {
      return answerOf({
        tuned,
        trials: recorded?.get(tuned) ?? this.#trials(tuned).map(({ trial }) => trial),
        openLoop: this.#openLoop.get(tuned) ?? null,
        confirmation: this.#confirmations.get(tuned) ?? null,
        maxConnections: this.#database?.facts.maxConnections ?? null,
        reservedSessions,
        blockCostS: this.#blockCostS(tuned),
        delta: this.request.delta,
        seed: this.plan.run.load.seed,
        finished: recorded !== undefined,
        labelOf: (setting) => this.context.labelOf(tuned.plan.declared.target.id, setting),
      });
    });
  }

  async #write(writer: RunWriter, environment: Parameters<typeof composeTuning>[0]['environment'], cancelled: boolean): Promise<void> {
    const byTarget = new Map<TunedTarget, Trial[]>();
    let file = 0;
    for (const tuned of this.#targets) {
      const recorded = this.#trials(tuned);
      for (const { trial, histogram } of recorded) {
        if (trial.requests === 0) continue;
        file += 1;
        trial.histogram = `latency-${file}.hdr`;
        await writer.writeFile(trial.histogram, histogram);
      }
      byTarget.set(
        tuned,
        recorded.map(({ trial }) => trial),
      );
    }
    for (const { file, text } of this.#pool.keptLogs()) await writer.writeLog(file, text);
    await writer.commit(
      composeTuning({
        runId: this.runId,
        request: this.request,
        runRequest: this.#runRequest(),
        plan: this.plan,
        targets: this.#targets,
        answers: this.#answers(byTarget),
        trials: byTarget,
        order: this.#order,
        stage: this.#stage,
        probeCost: this.#probeCost,
        blockS: this.#blockS,
        settleS: this.#settleS,
        environment,
        cancelled,
        startedAt: this.#startedAt,
        durationMs: this.#progress.elapsedMs,
        notes: this.#notes,
      }),
    );
  }

  /** The same as a plain run: what “Run Again” repeats. */
  #runRequest(): RunRequest {
    const { targets, settings, load, route } = this.request;
    return { targets, settings, load, connections: [this.plan.connections], ...(route === undefined ? {} : { route }) };
  }
}
