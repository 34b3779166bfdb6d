import { failure, FailureError, isCancellation } from '../../../model/failure.ts';
import { liveKindOf } from '../../../model/setting.ts';
import type { TuneRequest, TuningMode } from '../../../model/tuning.ts';
import { probeProblem } from '../../probe/probeLaunch.ts';
import { LiveSettings } from '../../probe/liveSettings.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import { allRunning } from '../measuringBench.ts';
import type { MeasuringBench, WarmUpOutcome } from '../measuringBench.ts';
import { choosePlanMode, instancesSetting } from '../plan.ts';
import type { PlannedTrial } from '../plan.ts';
import type { ProcessPool } from '../processPool.ts';
import type { RunContext } from '../runContext.ts';
import type { TrialSighting } from '../trialRecord.ts';
import { resourceOf } from '../witnesses.ts';
import type { TunedResource } from '../witnesses.ts';
import { midpoint, trialWith } from './tunePlan.ts';
import type { TargetPlan } from './tunePlan.ts';
import { TuningSearch } from '../../statistics/tuningSearch.ts';
import type { TunedCandidate } from '../../statistics/tuningSearch.ts';

const probeTimeoutMs = 10_000;

/** What a tuned target needs of the run. */
export interface TunedTargetTools {
  request: TuneRequest;
  context: RunContext;
  bench: MeasuringBench;
  pool: ProcessPool;
  limits: { maxConnections: number | null; freeMemoryBytes: number };
  seed: number;
  warmUp: (planned: PlannedTrial, running: RunningTarget) => Promise<WarmUpOutcome | null>;
  begin: (phase: 'targets' | 'warmUp', message: string, expectedMs: number) => void;
  note: (message: string) => void;
}

/** A switch that did not work, and why: the block of that value cannot be measured. */
export interface SwitchProblem {
  problem: string;
}

/**
 * One target of a tuning: its processes, what was seen of each of its combinations, and the search over them. Knows how a combination is
 * brought about: by changing the running process, by turning to a process of its own, or by starting one anew.
 */
export class TunedTarget {
  readonly sightings = new Map<string, TrialSighting>();
  /** By trial: what the app had instead of the size that was asked for, as a sentence. */
  readonly ignored = new Map<string, string>();
  readonly search: TuningSearch;
  mode: TuningMode = 'live';
  modeReason = '';
  /** The warm-up of a live process did not become steady; what that means is the gate’s to say. */
  unsteadyReason: string | null = null;
  #live: LiveSettings | null = null;
  #liveProcess: PlannedTrial | null = null;
  #current: string | null = null;

  constructor(
    readonly plan: TargetPlan,
    private readonly tools: TunedTargetTools,
  ) {
    for (const planned of plan.trials) this.#add(planned);
    this.search = new TuningSearch(plan.candidates, {
      delta: tools.request.delta,
      seed: tools.seed,
      between: (a, b) => this.#between(a, b),
    });
  }

  get label(): string {
    const { target } = this.plan.declared;
    return target.label ?? target.id;
  }

  /** Names of the settings that vary here. */
  get varied(): string[] {
    return Object.keys(this.plan.candidates[0]?.values ?? {});
  }

  /** What the one setting that varies is in the app; null of several, or where waits say nothing of it. */
  get resource(): TunedResource | null {
    const [name, ...others] = this.varied;
    return name === undefined || others.length > 0 ? null : resourceOf(name, this.plan.declared.target.settings[name]);
  }

  trial(key: string): PlannedTrial {
    const planned = this.sightings.get(key)?.planned;
    if (planned === undefined) throw new RangeError(`${key} is no trial of ${this.label}`);
    return planned;
  }

  sighting(key: string): TrialSighting {
    const sighting = this.sightings.get(key);
    if (sighting === undefined) throw new RangeError(`${key} is no trial of ${this.label}`);
    return sighting;
  }

  /** The command of the process that measured a trial. */
  command(key: string): RunningTarget['command'] | undefined {
    return this.tools.pool.command((this.#liveProcess ?? this.trial(key)).process.key);
  }

  /** Starts and warms what is needed, in the best way there is; see the modes. */
  async prepare(): Promise<void> {
    const { request } = this.tools;
    const refusal = request.mode === 'auto' || request.mode === 'live' ? await this.#prepareLive() : `Asked for: ${request.mode}.`;
    if (refusal === null) return;
    if (request.mode === 'live')
      throw failure('not-live', `${this.label}: ${refusal}`, 'Leave the mode to Benchside, or measure each value in a process of its own.');
    await this.#prepareProcesses(refusal);
  }

  /** Brings a combination about and gives the process that has it. */
  async bring(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    if (this.mode === 'live') return this.#switch(planned);
    if (this.mode === 'restart-per-block') return this.#restart(planned);
    const running = this.tools.pool.get(planned.process.key) ?? (await this.#launchLate(planned));
    if ('problem' in running) return running;
    return allRunning(running) ? running : { problem: `${planned.name} has ended. Look at its log.` };
  }

  /** After a block: how the app deviates from what it was asked for, or null when it does not. */
  async deviation(planned: PlannedTrial): Promise<string | null> {
    if (this.#live === null) return null;
    for (const name of this.varied) {
      const message = await this.#live.deviation(name);
      if (message === null) continue;
      this.ignored.set(planned.key, message);
      return message;
    }
    return null;
  }

  async release(planned: PlannedTrial): Promise<void> {
    if (this.mode === 'restart-per-block') await this.tools.pool.stop(planned.process.key);
  }

  #add(planned: PlannedTrial): void {
    this.sightings.set(planned.key, { planned, warmUp: null, unsteadyReason: null, blocks: [], problems: [] });
  }

  #between(a: TunedCandidate, b: TunedCandidate): TunedCandidate | null {
    // A process of its own for one more value would cost a warm-up; live it costs nothing.
    if (this.mode !== 'live') return null;
    const middle = midpoint(a, b);
    if (middle === null) return null;
    const planned = trialWith(this.trial(b.key), middle.name, middle.value);
    if (!this.sightings.has(planned.key)) {
      this.plan.trials.push(planned);
      this.#add(planned);
    }
    return { key: planned.key, values: { ...b.values, [middle.name]: middle.value }, cost: (a.cost + b.cost) / 2 };
  }

  /** Why it cannot be done live; null when it is. */
  async #prepareLive(): Promise<string | null> {
    const { target } = this.plan.declared;
    const { context, pool, begin } = this.tools;
    if (context.probes === null) return 'Probes are switched off.';
    const problem = probeProblem(target.runtime, context.probes.assetsDir);
    if (problem !== null) return problem;
    for (const name of this.varied) {
      const spec = target.settings[name];
      if (name === instancesSetting && spec === undefined) return 'The number of processes cannot change while they run.';
      if (spec === undefined || liveKindOf(name, spec) === 'no') return `“${name}” takes effect at the start of the app only.`;
    }
    // Started with the largest size, so that the warm-up opens as many connections and threads as any block will need.
    const planned = this.trial(this.search.candidates.at(-1)?.key ?? '');
    begin('targets', `Starting ${this.label}`, 1_500);
    const running = await pool.launch(planned.process);
    const attached = await running.probe?.attached(probeTimeoutMs, context.signal);
    if (attached === null || attached === undefined) {
      await pool.stop(planned.process.key);
      return 'The probe did not come up in the app.';
    }
    begin('warmUp', `Warming up ${this.label}`, 0);
    const outcome = await this.tools.warmUp(planned, running);
    if (outcome === null) throw await endedFailure(planned, running);
    const live = await LiveSettings.find(running.probe, target.settings, planned.process.settings, 'The probe does not answer.');
    const fixed = this.varied.map((name) => live.problem(name)).find((message) => message !== null);
    if (fixed !== undefined && fixed !== null) {
      await pool.stop(planned.process.key);
      return fixed;
    }
    this.#live = live;
    this.#liveProcess = planned;
    this.#current = planned.key;
    this.mode = 'live';
    this.modeReason = 'One process, warmed once; its settings are changed while it runs.';
    this.unsteadyReason = outcome.unsteadyReason;
    // Rounds that take turns in one process meet whatever it still does alike: it flags the answer and voids no value.
    for (const sighting of this.sightings.values()) sighting.warmUp = { ...outcome.warmUp, steady: true };
    return null;
  }

  async #prepareProcesses(refusal: string): Promise<void> {
    const { request, pool, limits, begin, note } = this.tools;
    const processes = this.plan.trials.map(({ process }) => process);
    const chosen = choosePlanMode(processes, limits);
    this.mode = request.mode === 'restart-per-block' ? 'restart-per-block' : chosen.mode;
    this.modeReason = request.mode === 'auto' ? `Not live: ${refusal} ${chosen.reason}` : chosen.reason;
    if (request.mode === 'auto') note(`${this.label}: ${this.modeReason}`);
    if (this.mode === 'restart-per-block') return;
    begin('targets', `Starting ${processes.length} processes of ${this.label}`, processes.length * 1_500);
    await pool.launchAll(processes, () => undefined);
    for (const planned of this.plan.trials) {
      const running = pool.get(planned.process.key);
      if (running === undefined) continue;
      begin('warmUp', `Warming up ${planned.name}`, 0);
      this.#keepWarmUp(planned, await this.tools.warmUp(planned, running));
    }
  }

  #keepWarmUp(planned: PlannedTrial, outcome: WarmUpOutcome | null): void {
    if (outcome === null) return;
    const sighting = this.sighting(planned.key);
    if (sighting.warmUp !== null && !sighting.warmUp.steady) return;
    sighting.warmUp = outcome.warmUp;
    sighting.unsteadyReason = outcome.unsteadyReason;
  }

  async #switch(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    const running = this.tools.pool.get(this.#liveProcess?.process.key ?? '');
    if (running === undefined || !allRunning(running)) return { problem: `${this.label} has ended. Look at its log.` };
    if (this.#current === planned.key) return running;
    this.#current = null;
    for (const name of this.varied) {
      const value = planned.process.settings[name];
      if (typeof value !== 'number' || this.#live?.value(name) === value) continue;
      const change = await this.#live?.apply(name, value, this.tools.context.signal);
      if (change?.ok === true) continue;
      const message = `${name} ${value}: ${change?.message ?? 'the app did not take it.'}`;
      this.ignored.set(planned.key, message);
      return { problem: `${message} Measure it in a process of its own.` };
    }
    this.#current = planned.key;
    return running;
  }

  async #restart(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    this.tools.begin('targets', `Starting ${planned.name}`, 1_500);
    const running = await this.#launch(planned);
    if ('problem' in running) return running;
    this.tools.begin('warmUp', `Warming up ${planned.name}`, 0);
    this.#keepWarmUp(planned, await this.tools.warmUp(planned, running));
    return running;
  }

  async #launchLate(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    const running = await this.#launch(planned);
    if (!('problem' in running)) this.#keepWarmUp(planned, await this.tools.warmUp(planned, running));
    return running;
  }

  async #launch(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    try {
      return await this.tools.pool.launch(planned.process);
    } catch (error) {
      if (!(error instanceof FailureError) || isCancellation(error)) throw error;
      return { problem: `${error.message} ${error.failure.cure}` };
    }
  }
}

async function endedFailure(planned: PlannedTrial, running: RunningTarget): Promise<Error> {
  await running.child.exited;
  return failure(
    'target-exited',
    `${planned.process.name} ended while it was warmed up.`,
    'Look at its last output; correct the cause and tune again.',
    running.child.log.tail(30),
  );
}

/** A value that has had its first block only is not to be called invalid for want of a second. */
export function roundsSoFar({ blocks }: TrialSighting): number {
  return Math.min(2, Math.max(1, blocks.length));
}
