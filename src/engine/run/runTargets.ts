import type { Step } from '../../model/domain/progress/stepKinds.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import { isSame } from '../../model/domain/findings.ts';
import { freemem } from 'node:os';
import { FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { LiveRefusal } from '../../model/domain/liveRefusal.ts';
import { type ModeReason, jointReasons } from '../../model/domain/modeReason.ts';
import type { MixRequest } from '../load/loadProtocol.ts';
import type { Block } from '../../model/domain/run.ts';
import type { TuningMode } from '../../model/domain/tuning.ts';
import { warmUpTime } from '../../model/domain/warmUpTime.ts';
import { grouped } from '../../model/domain/grouped.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { blockTimeMs, launchMs, settleSeconds } from './blockTime.ts';
import type { GroupTopology } from './aroundProcess.ts';
import { allRunning, instancesOf } from './runningTargets.ts';
import type { BlockChanges, WarmUpOutcome } from './measuringHarness.ts';
import { type PlannedProcess, type PlannedTrial, blockOverheadS, choosePlanMode, serverConnections } from './plan.ts';
import type { StartedCommand } from './processPool.ts';
import type { RunUnderWay } from './runLife.ts';
import { SeededRandom } from '../statistics/seededRandom.ts';
import { type SideSpeed, planSlices, speedOf } from './sliceLength.ts';
import { littleOfTurned, movesThroughput, unsteadyOf } from './unsteady.ts';
import { type WarmPass, partOfRequest, stillWarming, warmPasses } from './warmPasses.ts';
import { type TrialProcessTools, mostConnectionsTogether, TrialProcesses } from './trialProcesses.ts';
import { type SlicedSide, isHung, measureSliced } from './slicedRound.ts';
import type { BlockMeasurement, TrialMeasurement } from './trialRecord.ts';
import type { WarmTrials } from './warmTrials.ts';

export interface RunTargetsOptions extends Pick<TrialProcessTools, 'mode'> {
  /** The same around the instances of every process. */
  topology: GroupTopology;
  /**
   * The trials are versions of one thing, or one with several values: all are warmed at once. One that waits while the next is warmed has lost some of its own
   * warmth when the rounds begin, and would be called slower for it.
   */
  alike?: boolean;
}

/** What was measured together in slices. */
interface Turned {
  sides: readonly SlicedSide[];
  seen: readonly BlockMeasurement[];
}

/** How long each size is under load in a turn of the warm-up. */
const warmedEachMs = 400;
/** A block in place of slices is no shorter. */
const shortestBlockS = 1;

/** Why a block does not count: its trial could not be activated, or it was measured and the app did not have the requested values. */
interface Unseen {
  why: PlainFinding;
  measured: boolean;
}

/** The targets of a run, each with the processes behind its trials, which are activated and measured here. */
export class RunTargets implements WarmTrials {
  readonly #processes = new Map<string, TrialProcesses>();
  /** How often the processes were started, from 1. */
  #start = 1;
  readonly #random = new SeededRandom(1);
  /** requests/s in the last turn of the warm-up, by trial. */
  readonly #warmed = new Map<string, number | undefined>();
  /** How the first start's warm-ups ended, by the first of the processes that were warmed together. */
  readonly #firstWarmUps = new Map<number, WarmUpOutcome>();
  /** Targets whose requests hung while the load switched between sizes. */
  readonly #stuck = new Set<PlannedTrial['process']['declared']>();

  constructor(
    private readonly run: RunUnderWay,
    private readonly options: RunTargetsOptions,
    /** The load of the blocks; a search finds their length when the processes are there. */
    public load: LoadProfile,
  ) {}

  get all(): readonly TrialProcesses[] {
    return [...this.#processes.values()];
  }

  /** Starts and warms the processes of each target, in the best way there is. */
  async prepare(): Promise<void> {
    const { load } = this;
    const { context, harness, pool, trialStore, progress, note, maxConnections } = this.run;
    const all = [...new Map(trialStore.measurements.map(({ planned: { process } }) => [process.key, process])).values()];
    const targets = [...new Set(all.map(({ declared }) => declared))];
    // Two targets with the same fixed port cannot run side by side, whatever else is possible.
    const ports = choosePlanMode(all, { maxConnections: null, freeMemoryBytes: Number.POSITIVE_INFINITY });
    const apart = targets.length > 1 && ports.mode === 'restart-per-block';
    let connections = 0;
    for (const declared of targets) {
      const own = (): TrialMeasurement[] => trialStore.measurements.filter(({ planned }) => planned.process.declared === declared);
      const { expectedS } = warmUpTime(load, declared.target.runtime);
      const processes = new TrialProcesses(declared, own, {
        context,
        pool,
        note,
        mode: apart ? 'restart-per-block' : this.options.mode,
        limits: { maxConnections: maxConnections === null ? null : maxConnections - connections, freeMemoryBytes: freemem() },
        notLive: this.#notLive(own()),
        warmUp: (planned, running, options) =>
          pool.unlimited([planned.process.key], () => harness.warmUp(planned, running, { ...options, forThroughput: this.#forThroughput })),
        begin: (phase, step, expectedMs) => progress.begin(phase, step, phase === 'warmUp' ? expectedS * 1000 : expectedMs),
      });
      this.#processes.set(declared.target.id, processes);
      await processes.prepare(this.options.alike !== true);
      if (processes.turned && !processes.notSliced && harness.notSliced === null) await this.#warmInTurns(processes, own());
      const started = all.filter((process) => process.declared === declared);
      connections += connectionsOf(started, processes.mode);
    }
    if (this.options.alike === true) await this.#warmAtOnce();
  }

  /** Of versions and of values that change what a request costs the CPU time is compared. */
  get #forThroughput(): boolean {
    return this.options.alike !== true;
  }

  /** Stops every process and starts it again, all warmed at once. One that does not start is reported where it is measured. */
  async startAnew(): Promise<void> {
    const { pool, progress } = this.run;
    const processes = this.#startedOnce();
    progress.begin('targets', { code: 'starting-again' }, processes.length * launchMs);
    for (const { key } of processes) await pool.stop(key);
    this.#start += 1;
    try {
      await pool.launchAll(processes);
    } catch (error) {
      if (!(error instanceof FailureError) || isCancellation(error)) throw error;
      return;
    }
    await this.#warmAtOnce();
  }

  /** Collects the whole heap of each process that a probe is in, and notes what is in use then. */
  async collect(): Promise<void> {
    for (const measurement of this.run.trialStore.measurements) {
      const running = this.run.pool.get(measurement.planned.process.key);
      const sessions = running === undefined ? [] : instancesOf(running).flatMap(({ probe }) => probe?.sessions ?? []);
      const reports = await Promise.all(sessions.map((session) => session.collect().catch(() => null)));
      const bytes = reports.flatMap((report) => report?.heap?.usedBytes ?? []);
      if (bytes.length > 0) measurement.afterFullBytes = bytes.reduce((sum, one) => sum + one, 0);
    }
  }

  /** How long restarting and warming all of them takes, in ms; null where each block has processes of its own. */
  get startMs(): number | null {
    if (this.startsAnew) return null;
    const warmMs = this.all.map(({ declared }) => 1000 * warmUpTime(this.load, declared.target.runtime).expectedS);
    return this.all.length * launchMs + Math.max(0, ...warmMs);
  }

  /** The processes that continue from block to block. */
  #startedOnce(): PlannedProcess[] {
    const planned = this.run.trialStore.measurements.map(({ planned: { process } }) => process);
    return [...new Map(planned.map((process) => [process.key, process])).values()].filter(
      ({ declared }) => this.ofTarget(declared.target.id).mode !== 'restart-per-block',
    );
  }

  async #warmAtOnce(): Promise<void> {
    const { harness, pool, progress, trialStore } = this.run;
    const processes = this.#startedOnce();
    const started = processes.flatMap(({ key }) => {
      const running = pool.get(key);
      return running === undefined ? [] : [{ key, running }];
    });
    for (const measurement of trialStore.measurements) {
      const startUpMs = pool.get(measurement.planned.process.key)?.startUpMs;
      if (startUpMs !== undefined) (measurement.startUpMs ??= []).push(startUpMs);
    }
    const [first] = trialStore.measurements;
    if (first === undefined) return;
    const { expectedS } = warmUpTime(this.load, first.planned.process.declared.target.runtime);
    const atOnce = Math.max(1, Math.floor(mostConnectionsTogether / first.planned.connections));
    for (let from = 0; from < started.length; from += atOnce) {
      const some = started.slice(from, from + atOnce);
      const keys = some.map(({ key }) => key);
      progress.begin('warmUp', { code: 'warming-up', name: null, processes: some.length }, expectedS * 1000);
      const earlier = this.#firstWarmUps.get(from) ?? null;
      const running = some.map((one) => one.running);
      const outcome = await pool.unlimited(keys, () => harness.warmUp(first.planned, running, { earlier }));
      if (outcome === null) continue;
      if (earlier === null) this.#firstWarmUps.set(from, outcome);
      for (const one of this.all) one.warmed(outcome, keys);
    }
  }

  /**
   * Turns the load between the sizes of one process until the CPU time of a request levels off: what was compiled, opened and cached for the size that it was
   * started with is not all that the others need. Nothing of it is recorded. With the warm-up at that size it lasts as long as the load profile allows.
   */
  async #warmInTurns(processes: TrialProcesses, measurements: readonly TrialMeasurement[]): Promise<void> {
    const { progress, harness } = this.run;
    const heaviestFirst = measurements.map(({ planned }) => planned).sort((a, b) => b.connections - a.connections);
    const sizes = [...new Map([...heaviestFirst].reverse().map((planned) => [planned.process.key, planned])).values()];
    const warmedMs = Math.max(0, ...measurements.map(({ warmUp }) => warmUp?.durationMs ?? 0));
    const longestMs = 1000 * warmUpTime(this.load, processes.declared.target.runtime).maxS - warmedMs;
    const passes: WarmPass[] = [];
    const startedMs = progress.elapsedMs;
    for (let turns = 1; ; turns += 1) {
      const step = { code: 'warming-in-turns', names: sizes.map(({ name }) => name) } as const;
      const turned = await this.#turnThrough(sizes, 1, { phase: 'warmUp', step, eachMs: warmedEachMs });
      if (turned === null) {
        const [planned] = heaviestFirst;
        const running = planned === undefined ? undefined : processes.running(planned);
        if (planned !== undefined && running !== undefined) await harness.warmUp(planned, [running]);
        return;
      }
      for (const [index, { planned }] of turned.sides.entries()) this.#warmed.set(planned.key, turned.seen[index]?.result.throughput);
      passes.push(
        ...warmPasses(turned.seen.map(({ slices }, index) => ({ slices, connections: turned.sides[index]?.planned.connections ?? 1 }))),
      );
      const why = passes.length === 0 ? null : stillWarming(passes);
      const unsteady = unsteadyOf(why, this.#forThroughput ? partOfRequest(passes) : null, littleOfTurned);
      const spentMs = progress.elapsedMs - startedMs;
      const nextEndsMs = spentMs * (1 + 1 / turns);
      if (unsteady === null || !movesThroughput(unsteady) || nextEndsMs > longestMs) return processes.turnedFor(spentMs, unsteady);
      progress.say('warmUp', { code: 'warming-on', why: unsteady.why });
    }
  }

  of({ process }: PlannedTrial): TrialProcesses {
    return this.ofTarget(process.declared.target.id);
  }

  ofTarget(id: string): TrialProcesses {
    const processes = this.#processes.get(id);
    if (processes === undefined) throw new Error(`no processes of ${id}`);
    return processes;
  }

  get startsAnew(): boolean {
    return this.all.some(({ mode }) => mode === 'restart-per-block');
  }

  release(planned: PlannedTrial): Promise<void> {
    return this.of(planned).release(planned);
  }

  async warm(planned: PlannedTrial): Promise<RunningTarget | null> {
    const running = await this.of(planned).activate(planned);
    return 'problem' in running ? null : running;
  }

  /** What a block of a trial takes, in ms. */
  blockMs(planned: PlannedTrial): number {
    return blockTimeMs(this.of(planned).mode, this.load, planned.process.declared.target.runtime);
  }

  /** Brings a trial about and puts load on it. Returns what was seen, or why there is nothing that counts. */
  async see(planned: PlannedTrial, round: number, step: Step, changes: BlockChanges = {}): Promise<BlockMeasurement | Unseen> {
    const { harness, progress } = this.run;
    const { load } = this;
    const processes = this.of(planned);
    const running = await processes.activate(planned);
    if ('problem' in running) return { why: await this.#why(planned, running.problem, round), measured: false };
    const block = { settleMs: settleSeconds(processes.mode, load) * 1000, windowMs: load.durationS * 1000, ...changes };
    progress.begin('measure', step, block.settleMs + block.windowMs + 1000 * blockOverheadS);
    const seen = await harness.measure(planned, running, round, block);
    const deviation = await processes.deviation(planned);
    await processes.release(planned, seen.probe);
    if (this.#start > 1) seen.start = this.#start;
    return deviation === null ? seen : { why: deviation, measured: true };
  }

  /** Puts another mix on trials that each have a process of their own, in slices, for nobody’s record; null where that cannot be. */
  async seeTogether(
    trials: readonly PlannedTrial[],
    round: number,
    step: Step,
    { mix, eachMs, before = [] }: { mix: readonly MixRequest[]; eachMs: number; before?: readonly BlockMeasurement[] },
  ): Promise<BlockMeasurement[] | null> {
    const { harness, progress } = this.run;
    if (harness.notSliced !== null || this.startsAnew) return null;
    const brought = await this.#activateAll(trials, round);
    if (brought.length < trials.length || trials.some((planned) => this.of(planned).notSliced || this.of(planned).turned)) return null;
    const sides = brought.map((side, index) => ({ ...side, speed: speedOf(before[index]?.result.throughput, side.planned.connections) }));
    const planned = planSlices(sides, { alike: true, eachMs, random: this.#random });
    progress.begin('measure', step, planned.expectedMs);
    return measureSliced(harness, { sides: planned.sides, order: planned.order, round, mix });
  }

  /**
   * Measures the trials of a round together, in slices, for their records, and reports them. Null where that is not possible: then each is measured alone. A
   * trial that could not be activated is null in the result, and its record says why.
   */
  async measureTogether(
    trials: readonly PlannedTrial[],
    round: number,
    step: Step,
  ): Promise<ReadonlyMap<PlannedTrial, Block | null> | null> {
    const { harness, trialStore } = this.run;
    if (harness.notSliced !== null || this.startsAnew || trials.some(({ process }) => this.ofTarget(process.declared.target.id).notSliced))
      return null;
    const found = new Map<PlannedTrial, Block | null>(trials.map((planned) => [planned, null]));
    const sliced: Turned[] = [];
    // Statements of targets that share a database are distinguished only by when they were sent.
    const groups = this.options.alike === true ? [trials] : [...grouped(trials, ({ process }) => process.declared).values()];
    // What is compared with nothing else, or got stuck in slices, is measured in blocks.
    if (groups.some((group) => group.length < 2 || group.some(({ process }) => this.#stuck.has(process.declared)))) return null;
    for (const group of groups) {
      const turned = await this.#turnThrough(group, round, { phase: 'measure', step, eachMs: this.load.durationS * 1000 });
      if (turned === null) return null;
      sliced.push(turned);
    }
    for (const { sides, seen } of sliced) {
      for (const [index, { planned }] of sides.entries()) {
        const measurement = seen[index];
        if (measurement === undefined) continue;
        if (this.#start > 1) measurement.start = this.#start;
        trialStore.of(planned.key).blocks.push(measurement);
      }
      for (const { planned } of sides) {
        this.run.tellTrial(planned);
        found.set(planned, trialStore.recorded(planned.key).trial.blocks.at(-1) ?? null);
      }
    }
    return found;
  }

  /** Measures trials of one target in slices; null where that is not possible, and each is to be measured alone from now on. */
  async #turnThrough(
    group: readonly PlannedTrial[],
    round: number,
    { phase, step, eachMs }: { phase: 'measure' | 'warmUp'; step: Step; eachMs: number },
  ): Promise<Turned | null> {
    const { harness, progress } = this.run;
    const brought = await this.#activateAll(group, round);
    const alike = group.every((planned) => sameConcurrency(planned, group[0]));
    // Warming only needs a slice in which the size is used.
    const speed = (planned: PlannedTrial): SideSpeed => (phase === 'warmUp' ? speedOf(undefined, 0) : this.#speedOf(planned));
    const { sides, order, expectedMs } = planSlices(
      brought.map((side) => ({ ...side, speed: speed(side.planned) })),
      { alike, eachMs, random: this.#random },
    );
    const [first] = sides;
    if (first === undefined) return { sides: [], seen: [] };
    progress.begin(phase, step, expectedMs);
    const processes = this.of(first.planned);
    const turn = processes.turned ? { turn: (planned: PlannedTrial) => processes.turn(planned) } : {};
    const measured = await measureSliced(harness, { sides, order, round, ...turn }).catch(asNotLive);
    const had = measured === null || !processes.turned || (await processes.hadAll(group).catch(asNotLive));
    const seen = had === true ? measured : null;
    // Requests that hang with one size would hang on with the next: such a process is restarted, and each size measured alone.
    const hung = seen !== null && isHung(seen);
    if (seen !== null && !(processes.turned && hung)) return { sides, seen };
    this.#stuck.add(first.planned.process.declared);
    this.load = { ...this.load, durationS: Math.max(shortestBlockS, this.load.durationS) };
    if (hung) await processes.renew(first.planned);
    return null;
  }

  async #activateAll(group: readonly PlannedTrial[], round: number): Promise<{ planned: PlannedTrial; running: RunningTarget }[]> {
    const brought: { planned: PlannedTrial; running: RunningTarget }[] = [];
    for (const planned of group) {
      const processes = this.of(planned);
      const live = processes.turned ? processes.running(planned) : undefined;
      const running = live !== undefined && allRunning(live) ? live : await processes.activate(planned);
      if ('problem' in running) this.#problem(planned, await this.#why(planned, running.problem, round));
      else brought.push({ planned, running });
    }
    return brought;
  }

  /** A reason why a trial could not be measured is reported once, and for a process that has ended, where it did. */
  #problem(planned: PlannedTrial, why: PlainFinding): void {
    const { blocks, problems } = this.run.trialStore.of(planned.key);
    if (problems.length === 0 && blocks.every(({ ended }) => ended === null)) problems.push(why);
    this.run.tellTrial(planned);
  }

  /** By its last round, or by its warm-up. */
  #speedOf({ key, connections }: PlannedTrial): SideSpeed {
    const { blocks, warmUp, warmedThroughput } = this.run.trialStore.of(key);
    const last = blocks.at(-1)?.result.throughput ?? this.#warmed.get(key) ?? warmedThroughput;
    // One process for all values was warmed at one of them.
    const warmed = this.all.some(({ turned }) => turned) ? 0 : (warmUp?.throughput.at(-1) ?? 0);
    return speedOf(last ?? (warmed > 0 ? warmed : undefined), connections);
  }

  /** Measures a block of a trial for its record, and reports it. Null when it could not be measured, which its record says. */
  async measure(planned: PlannedTrial, round: number, step: Step): Promise<Block | null> {
    const { trialStore } = this.run;
    const { blocks, problems } = trialStore.of(planned.key);
    const seen = await this.see(planned, round, step);
    if (!('why' in seen)) blocks.push(seen);
    else if (!seen.measured) this.#problem(planned, seen.why);
    else if (!problems.some((problem) => isSame(problem, seen.why))) problems.push(seen.why);
    this.run.tellTrial(planned);
    return 'why' in seen ? null : (trialStore.recorded(planned.key).trial.blocks.at(-1) ?? null);
  }

  /** How it was done, for the record: one mode where all targets had the same. */
  mode(): { mode: TuningMode; reasons: ModeReason[] } {
    const { all } = this;
    const modes = new Set(all.map(({ mode }) => mode));
    return { mode: modes.size === 1 ? (all[0]?.mode ?? 'process-per-setting') : 'process-per-setting', reasons: jointReasons(all) };
  }

  /** How the process that measured a trial was started; live, that is one process for all. */
  command(planned: PlannedTrial): StartedCommand | undefined {
    return this.#processes.get(planned.process.declared.target.id)?.command(planned);
  }

  /** How a process has ended, if it did; else in which round the problem occurred. */
  async #why(planned: PlannedTrial, problem: PlainFinding, round: number): Promise<PlainFinding> {
    const running = this.of(planned).running(planned);
    if (running !== undefined && !running.child.running)
      return { code: 'ended-before', name: planned.process.name, exit: await running.child.exited };
    return 'round' in problem && round > 1 ? { ...problem, round } : problem;
  }

  /** Why settings cannot be changed live in this run whatever the app is; null when nothing speaks against it. */
  #notLive(measurements: readonly TrialMeasurement[]): LiveRefusal | null {
    const { proxy, cpuShare } = this.options.topology;
    if (proxy !== null || cpuShare !== null) return { code: 'around-it' };
    return measurements.some(({ planned }) => planned.process.instances > 1) ? { code: 'several-instances' } : null;
  }
}

/** Null for an app that did not accept a size: the block of that size reports it. */
function asNotLive(error: unknown): null {
  if (error instanceof FailureError && error.failure.code === 'not-live') return null;
  throw error;
}

/** Whether as many requests run side by side in both. */
function sameConcurrency(a: PlannedTrial, b: PlannedTrial | undefined): boolean {
  return b !== undefined && a.connections === b.connections && JSON.stringify(a.process.asked) === JSON.stringify(b.process.asked);
}

/** Database connections that the processes of a target may hold at once. */
function connectionsOf(processes: readonly PlannedProcess[], mode: TuningMode): number {
  const each = processes.map(serverConnections);
  return mode === 'process-per-setting' ? each.reduce((sum, one) => sum + one, 0) : Math.max(0, ...each);
}
