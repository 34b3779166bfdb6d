import type { Step } from '../../model/domain/progress/stepKinds.ts';
import { findingSeen } from '../../model/domain/findings.ts';
import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import { type LiveRefusal, refusalText } from '../../model/domain/liveRefusal.ts';
import type { ModeReason } from '../../model/domain/modeReason.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { failure, FailureError, isCancellation } from '../../model/domain/failure.ts';
import { liveKindOf } from '../../model/domain/setting.ts';
import type { TuningMode } from '../../model/domain/tuning.ts';
import { isLockedUpIn } from '../diagnose/lockUp.ts';
import { LiveSettings } from '../probe/liveSettings.ts';
import { probeProblem } from '../probe/probeLaunch.ts';
import type { ProbeWindow } from '../probe/probeWindow.ts';
import type { DeclaredTarget } from '../targets/catalog.ts';
import { movesThroughput } from './unsteady.ts';
import type { Unsteady } from '../../model/domain/warmUpFinding.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { launchMs } from './blockTime.ts';
import { allRunning, portsOf } from './runningTargets.ts';
import type { WarmUpOutcome } from './measuringHarness.ts';
import { type PlannedProcess, type PlannedTrial, choosePlanMode, instancesSetting } from './plan.ts';
import type { ProcessPool, StartedCommand } from './processPool.ts';
import type { RunContext } from './runContext.ts';
import type { TrialMeasurement } from './trialRecord.ts';

const probeTimeoutMs = 10_000;
/** More connections would meet the load generator's limits, or the machine's, before the processes are warm. */
export const mostConnectionsTogether = 512;

export interface TrialProcessTools {
  context: Pick<RunContext, 'probes' | 'signal'>;
  /** How it is to be done; `auto` takes the first that is possible of live, a process for each setting, a restart for each block. */
  mode: TuningMode | 'auto';
  pool: ProcessPool;
  limits: { maxConnections: number | null; freeMemoryBytes: number };
  /** Why no setting can be changed live here (a proxy, instances); null when nothing speaks against it. */
  notLive: LiveRefusal | null;
  /** Warms one process, or several at once; see `MeasuringHarness.warmUp`. */
  warmUp: (planned: PlannedTrial, running: readonly RunningTarget[], options?: { briefly?: boolean }) => Promise<WarmUpOutcome | null>;
  begin: (phase: 'targets' | 'warmUp', step: Step, expectedMs: number) => void;
  note: (note: RunNote) => void;
}

/** A switch that did not work, and why: the block of that value cannot be measured. */
export interface SwitchProblem {
  problem: PlainFinding;
}

/**
 * The processes behind the trials of one target. Knows how a trial is activated: by changing the running process, by switching to a process of its own, or by a
 * restart; and that what runs has the values that were asked for.
 */
export class TrialProcesses {
  /** By trial: what the app had instead of the size that was asked for. */
  readonly ignored = new Map<string, PlainFinding>();
  mode: TuningMode = 'process-per-setting';
  modeReasons: readonly ModeReason[] = [];
  /** What still changed of a live process at the end of its warm-up; null where nothing did. */
  unsteady: Unsteady | null = null;
  #live: LiveSettings | null = null;
  #liveProcess: PlannedProcess | null = null;
  #current: string | null = null;
  /** Trials that the live process was once resized to: that it takes them is known. */
  readonly #resized = new Set<string>();
  #turnedTo: PlannedTrial | null = null;

  constructor(
    readonly declared: DeclaredTarget,
    /** The trials as they are now: a search may add some. */
    private readonly trials: () => readonly TrialMeasurement[],
    private readonly tools: TrialProcessTools,
  ) {}

  get label(): string {
    return this.declared.target.label ?? this.declared.target.id;
  }

  /** The command of the process that measured a trial. */
  command({ process }: PlannedTrial): StartedCommand | undefined {
    return this.tools.pool.command((this.#liveProcess ?? process).key);
  }

  /** The process of a trial as it runs now, whatever it is set to; undefined when it does not run. */
  running({ process }: PlannedTrial): RunningTarget | undefined {
    return this.tools.pool.get((this.#liveProcess ?? process).key);
  }

  /** Starts and warms what is needed, in the best way there is; see the modes. Not `warm`: the caller warms processes of its own, of several targets at once. */
  async prepare(warm = true): Promise<void> {
    const { mode } = this.tools;
    const refusal = mode === 'auto' || mode === 'live' ? await this.#prepareLive() : ({ code: 'asked-otherwise', mode } as const);
    if (refusal === null) return;
    if (mode === 'live')
      throw failure(
        'not-live',
        `${this.label}: ${refusalText(refusal)}`,
        'Leave the mode to Benchside, or measure each value in a process of its own.',
      );
    await this.#prepareProcesses(refusal, warm);
  }

  /** Whether something prevents quick switching: a PgBouncer is watched over whole blocks. */
  get notSliced(): boolean {
    return this.mode === 'restart-per-block' || this.declared.target.postgres?.bouncer !== undefined;
  }

  /** Whether one process serves all trials, and is switched between them. */
  get turned(): boolean {
    return this.mode === 'live';
  }

  /**
   * Switches the live process to a trial while nothing is in progress: the first time by resizing, later by lending no more than that where the pool can. Fails
   * with what the app did not accept, or has reset since it was switched to the trial before.
   */
  async turn(planned: PlannedTrial): Promise<void> {
    const { signal } = this.tools.context;
    const known = this.#resized.has(planned.key);
    const setBack = known || this.#turnedTo === null ? null : await this.deviation(this.#turnedTo);
    this.#turnedTo = planned;
    const turned =
      setBack === null
        ? await this.#switch(planned, (live, name, value) => (known ? live.turn(name, value, signal) : live.apply(name, value, signal)))
        : { problem: setBack };
    if ('problem' in turned) throw failure('not-live', findingSeen(turned.problem), 'Measure each value in a process of its own.');
    this.#resized.add(planned.key);
  }

  /** After slices: whether the live process really had the size of each of these trials, by the largest of them. */
  async hadAll(planned: readonly PlannedTrial[]): Promise<boolean> {
    const largest = planned.reduce((most, one) =>
      sizeOf(one.process, this.#varied()) > sizeOf(most.process, this.#varied()) ? one : most,
    );
    await this.turn(largest);
    return (await this.deviation(largest)) === null;
  }

  /** Brings a trial about and returns the process that has it. */
  async activate(planned: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    if (this.mode === 'live') return this.#switch(planned);
    const { pool, begin } = this.tools;
    const restarts = this.mode === 'restart-per-block';
    if (restarts) begin('targets', { code: 'starting', name: planned.process.name }, launchMs);
    const running = (restarts ? undefined : pool.get(planned.process.key)) ?? (await this.#launchLate(planned));
    if ('problem' in running) return running;
    const problem = pool.notInForce(planned.process.key);
    if (problem !== null) return { problem };
    return allRunning(running) ? running : { problem: { code: 'has-ended', name: planned.process.name } };
  }

  /** After a block: how the app deviates from what it was asked for, or null when it does not. */
  async deviation(planned: PlannedTrial): Promise<PlainFinding | null> {
    if (this.#live === null) return null;
    for (const name of this.#varied()) {
      const message = await this.#live.deviation(name);
      if (message === null) continue;
      const ignored = { code: 'setting-not-in-force', message } as const;
      this.ignored.set(planned.key, ignored);
      return ignored;
    }
    return null;
  }

  /** After a block. A live process whose pool has locked itself up would affect the next block: it is restarted. */
  async release(planned: PlannedTrial, probe: ProbeWindow | null = null): Promise<void> {
    if (this.mode === 'restart-per-block') await this.tools.pool.stop(planned.process.key);
    else if (this.mode === 'live' && probe !== null && isLockedUpIn(probe)) await this.renew(planned);
  }

  /** Restarts the live process, so that nothing of what it is stuck with affects what comes next. One that runs already is left alone. */
  async renew(planned: PlannedTrial): Promise<void> {
    const live = this.#liveProcess;
    if (live === null || this.declared.target.running !== undefined) return;
    await this.tools.pool.stop(live.key);
    this.tools.note({ code: 'stuck', target: this.label, name: planned.process.name });
    const refusal = await this.#prepareLive();
    if (refusal !== null)
      throw failure('not-live', `${this.label}: ${refusalText(refusal)}`, 'Measure each value in a process of its own.');
  }

  /** Names of the settings of which the trials have several values. */
  #varied(): string[] {
    const processes = this.#processes();
    const names = new Set(processes.flatMap(({ asked }) => Object.keys(asked)));
    return [...names].filter((name) => new Set(processes.map(({ settings, asked }) => asked[name] ?? settings[name])).size > 1);
  }

  #processes(): PlannedProcess[] {
    return [...new Map(this.trials().map(({ planned: { process } }) => [process.key, process])).values()];
  }

  /** The trial of these processes with most connections: a process is warmed under the largest load that it will have. */
  #heaviest(keys: readonly string[]): PlannedTrial {
    const own = this.trials().flatMap(({ planned }) => (keys.includes(planned.process.key) ? [planned] : []));
    return own.reduce((most, one) => (one.connections > most.connections ? one : most));
  }

  /** Why it cannot be done live; null when it is. */
  async #prepareLive(): Promise<LiveRefusal | null> {
    const { target } = this.declared;
    const { context, pool, begin, notLive } = this.tools;
    const varied = this.#varied();
    // The console of a PgBouncer needs no probe, and one PgBouncer serves all instances.
    const byProbe = varied.some((name) => {
      const spec = target.settings[name];
      return spec === undefined || liveKindOf(name, spec) !== 'bouncer';
    });
    if (byProbe) {
      if (notLive !== null) return notLive;
      if (context.probes === null) return { code: 'probes-off' };
      const problem = probeProblem(target.runtime, context.probes.assetsDir);
      if (problem !== null) return problem;
    }
    if (varied.length === 0) return notLive ?? { code: 'nothing-varies' };
    if (target.running !== undefined && target.runtime !== 'jvm') return { code: 'runs-already' };
    for (const name of varied) {
      const spec = target.settings[name];
      if (name === instancesSetting && spec === undefined) return { code: 'instances-vary' };
      if (spec === undefined || liveKindOf(name, spec) === 'no') return { code: 'at-start-only', setting: name };
    }
    // Started with the largest size, so that the warm-up opens as many connections and threads as any block will need.
    const process = this.#processes().reduce((most, one) => (sizeOf(one, varied) > sizeOf(most, varied) ? one : most));
    const planned = this.#heaviest([process.key]);
    begin('targets', { code: 'starting', name: this.label }, launchMs);
    const running = await pool.launch(process);
    const attached = await running.probe?.attached(probeTimeoutMs, context.signal);
    if (byProbe && (attached === null || attached === undefined)) {
      await pool.stop(process.key);
      return { code: 'probe-absent' };
    }
    begin('warmUp', { code: 'warming-up', name: this.label, processes: 1 }, 0);
    // What one size has warmed, switching between sizes continues to warm; a stuck process is switched no more.
    const outcome = await this.tools.warmUp(planned, [running], { briefly: this.mode !== 'live' && !this.notSliced });
    if (outcome === null) throw await endedFailure(planned, running);
    const live = await LiveSettings.find(running, target.settings, process.settings, { code: 'probe-silent' });
    const fixed = varied.map((name) => live.problem(name)).find((problem) => problem !== null);
    if (fixed != null) {
      await pool.stop(process.key);
      return fixed;
    }
    if (target.running !== undefined) {
      const refused = await this.#setAll(live, varied, process);
      if (refused !== null) {
        await pool.stop(process.key);
        return refused;
      }
    }
    this.#live = live;
    this.#liveProcess = process;
    this.#current = process.key;
    this.mode = 'live';
    this.modeReasons = [{ code: 'one-process' }];
    this.unsteady = outcome.unsteady;
    for (const measurement of this.trials()) {
      measurement.warmUp = outcome.warmUp;
      measurement.unsteady = outcome.unsteady;
    }
    return null;
  }

  /** Brings a process that runs already to the values that one which is started has from its start. Why not, if it did not take them. */
  async #setAll(live: LiveSettings, varied: readonly string[], { settings }: PlannedProcess): Promise<LiveRefusal | null> {
    for (const name of varied) {
      const value = settings[name];
      const change = typeof value === 'number' ? await live.apply(name, value, this.tools.context.signal) : null;
      if (change?.ok === true) continue;
      return change?.message ?? { code: 'no-number', setting: name };
    }
    return null;
  }

  async #prepareProcesses(refusal: LiveRefusal, warm: boolean): Promise<void> {
    const { mode, pool, limits, begin } = this.tools;
    const processes = this.#processes();
    const { running, settings: specs } = this.declared.target;
    if (
      running !== undefined &&
      processes.some(
        ({ asked, instances }) => instances > 1 || Object.entries(asked).some(([name, value]) => specs[name]?.default !== value),
      )
    )
      throw failure(
        'not-live',
        `${this.label} runs already, and nothing of it is started again. ${refusalText(refusal)}`,
        'Ask for several values of one setting, which are changed while it runs; or let Benchside start it, by a command.',
      );
    const chosen = choosePlanMode(processes, limits);
    this.mode = mode === 'restart-per-block' ? 'restart-per-block' : chosen.mode;
    this.modeReasons = mode === 'auto' && processes.length > 1 ? [{ code: 'not-live', why: refusal }, chosen.reason] : [chosen.reason];
    if (this.mode === 'restart-per-block') return;
    begin(
      'targets',
      processes.length === 1
        ? { code: 'starting', name: processes[0]?.name ?? this.label }
        : { code: 'starting-several', count: processes.length, target: this.label },
      processes.length * launchMs,
    );
    await pool.launchAll(processes);
    if (!warm) return;
    const started = processes.flatMap((process) => {
      const running = pool.get(process.key);
      return running === undefined ? [] : [{ process, running }];
    });
    // Nothing is measured yet that they could disturb, and while one waits the CPU is there for the others. The load is shared evenly among all ports.
    const alike = new Set(started.map(({ running }) => portsOf(running).length)).size === 1;
    const { connections } = this.#heaviest(started.map(({ process }) => process.key));
    const atOnce = alike ? Math.max(1, Math.floor(mostConnectionsTogether / connections)) : 1;
    for (let from = 0; from < started.length; from += atOnce) await this.#warm(started.slice(from, from + atOnce));
  }

  async #warm(together: readonly { process: PlannedProcess; running: RunningTarget }[]): Promise<void> {
    const [first, ...others] = together;
    if (first === undefined) return;
    const keys = together.map(({ process }) => process.key);
    const name = others.length === 0 ? first.process.name : this.label;
    this.tools.begin('warmUp', { code: 'warming-up', name, processes: together.length }, 0);
    const outcome = await this.tools.warmUp(
      this.#heaviest(keys),
      together.map(({ running }) => running),
    );
    // They have ended on their own: that is reported where they should have been measured.
    if (outcome !== null) this.warmed(outcome, keys);
  }

  /** Notes what still changes in the live process after `ms` of switching between trials; null where nothing does. */
  turnedFor(ms: number, unsteady: Unsteady | null): void {
    this.unsteady = unsteady;
    for (const measurement of this.trials()) {
      measurement.unsteady = unsteady;
      if (measurement.warmUp === null) continue;
      measurement.warmUp = { ...measurement.warmUp, durationMs: measurement.warmUp.durationMs + ms, steady: !movesThroughput(unsteady) };
    }
  }

  /** Notes how the processes of these keys were warmed, which are those of the outcome. */
  warmed(outcome: WarmUpOutcome, keys: readonly string[]): void {
    for (const measurement of this.trials()) {
      if (!keys.includes(measurement.planned.process.key)) continue;
      // When a process is restarted for each block, the worst of its warm-ups counts.
      if (measurement.warmUp !== null && !measurement.warmUp.steady) continue;
      measurement.warmUp = outcome.warmUp;
      measurement.unsteady = outcome.unsteady;
      measurement.warmedThroughput = outcome.each[keys.indexOf(measurement.planned.process.key)];
    }
  }

  async #switch(
    planned: PlannedTrial,
    change = (live: LiveSettings, name: string, value: number) => live.apply(name, value, this.tools.context.signal),
  ): Promise<RunningTarget | SwitchProblem> {
    const { process } = planned;
    const running = this.tools.pool.get(this.#liveProcess?.key ?? '');
    if (running === undefined || !allRunning(running)) return { problem: { code: 'has-ended', name: this.label } };
    if (this.#current === process.key) return running;
    this.#current = null;
    for (const name of this.#varied()) {
      const value = process.settings[name];
      const live = this.#live;
      if (typeof value !== 'number' || live === null || live.value(name) === value) continue;
      const { ok, message: refusal } = await change(live, name, value);
      if (ok) continue;
      const problem = { code: 'setting-refused', setting: name, value, why: refusal, round: null } as const;
      this.ignored.set(planned.key, problem);
      return { problem };
    }
    this.#current = process.key;
    return running;
  }

  async #launchLate({ process }: PlannedTrial): Promise<RunningTarget | SwitchProblem> {
    try {
      const running = await this.tools.pool.launch(process);
      await this.#warm([{ process, running }]);
      return running;
    } catch (error) {
      if (!(error instanceof FailureError) || isCancellation(error)) throw error;
      const { code, message, cure } = error.failure;
      return { problem: { code: 'not-started', failure: code, message, remedy: cure, round: null } };
    }
  }
}

/** The product of the values that vary: what is largest in it opens as many connections and threads as any other needs. */
function sizeOf({ asked }: PlannedProcess, varied: readonly string[]): number {
  return varied.reduce((product, name) => product * Math.max(1, Number(asked[name] ?? 1)), 1);
}

async function endedFailure(planned: PlannedTrial, running: RunningTarget): Promise<Error> {
  await running.child.exited;
  return failure(
    'target-exited',
    `${planned.process.name} ended while it was warmed up.`,
    'Look at its last output; correct the cause and run again.',
    running.child.log.tail(30),
  );
}
