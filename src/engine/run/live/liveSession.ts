import type { LiveEnd } from '../../../model/domain/progress/liveEndKinds.ts';
import type { Step } from '../../../model/domain/progress/stepKinds.ts';
import { type Failure, failure, FailureError, isCancellation, toFailure } from '../../../model/domain/failure.ts';
import type { LiveChange, LiveControl, LiveEvent, LiveRequest } from '../../../model/protocol/live.ts';
import type { Environment } from '../../../model/domain/run.ts';
import type { RunEvent, Tick } from '../../../model/protocol/runEvent.ts';
import type { RunNote } from '../../../model/domain/runNoteKinds.ts';
import type { SettingValue, SettingValues } from '../../../model/domain/setting.ts';
import type { LoadTick } from '../../load/loadProtocol.ts';
import type { Database } from '../../services/postgresService.ts';
import { pause } from '../../supervise/pause.ts';
import { exitPhrase } from '../../../model/domain/exitWords.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { MeasuringHarness, WarmUpOutcome } from '../measuringHarness.ts';
import { ProcessPool } from '../processPool.ts';
import type { RunContext } from '../runContext.ts';
import { environmentOf, startDatabase, withHarness } from '../runLife.ts';
import { RunProgress } from '../runProgress.ts';
import { SharedData } from '../sharedData.ts';
import { LiveChanges } from './liveChanges.ts';
import { liveControls, movableControl } from './liveControls.ts';
import { type LivePlan, findLiveSettings, planLive } from './liveLaunch.ts';
import { LiveMeters } from './liveMeters.ts';
import { keepSession, liveTrialKey } from './liveRecord.ts';
import { LiveSegments } from './liveSegments.ts';

/** One sample per tick. Short enough that a whole one lies within two seconds of any change, wherever the change falls. */
const tickMs = 750;
/** After a change the queues in front of the pool drain; what is measured meanwhile belongs to neither value. */
const settleMs = 1_000;
/** The block of load outlasts the session, which ends it. */
const spareS = 60;

/** All that exists while the load runs. */
interface Running {
  live: LivePlan;
  running: RunningTarget;
  pool: ProcessPool;
  harness: MeasuringHarness;
  changes: LiveChanges;
  segments: LiveSegments;
  controls: LiveControl[];
  warmUp: WarmUpOutcome | null;
  environment: Environment;
}

/**
 * Load that keeps running on one target while its settings are moved by hand. It ends automatically: after `maxS`, when the target ends, when it is stopped;
 * nothing that it started is left running then. What was measured between the changes can be kept as a run at any time, even after the end.
 */
export class LiveSession {
  readonly #startedAt = new Date();
  readonly #progress: RunProgress;
  readonly #ticks: Tick[] = [];
  readonly #notes: RunNote[] = [];
  readonly #ended = new AbortController();
  /** Aborted by the end of the session, whatever brought it about. */
  readonly #signal: AbortSignal;
  /** Whatever takes laps or changes something, one after the other. */
  #turns: Promise<void> = Promise.resolve();
  /** Samples are composed one after the other, so that each covers the time since the one before. */
  #sampling: Promise<void> = Promise.resolve();
  /** Ends the settling after a change early, because another change was asked for. */
  #hurry = new AbortController();
  #state: Running | null = null;
  #endReason: LiveEnd | null = null;
  #endFailure: Failure | null = null;
  #over = false;
  #kept: { runId: string; segments: number } | null = null;
  #log = '';
  #durationMs: number | null = null;

  constructor(
    private readonly request: LiveRequest,
    private readonly context: RunContext,
    private readonly onEvent: (event: LiveEvent) => void,
  ) {
    this.#progress = new RunProgress('live', 1, 0, () => undefined);
    this.#signal = AbortSignal.any([context.signal, this.#ended.signal]);
  }

  /** Carries the session out, from the launch to the end; returns the run as which it was kept last, if it was. Rejects when it could not be, or broke. */
  async run(): Promise<string | null> {
    const cancelled = (): void => this.#end({ code: 'cancelled' });
    this.context.signal.addEventListener('abort', cancelled, { once: true });
    try {
      await this.#perform();
    } catch (error) {
      // The load is ended by the end of the session: that is no failure.
      if (!(isCancellation(error) && this.#ended.signal.aborted)) this.#end({ code: 'broken' }, toFailure(error));
    } finally {
      this.context.signal.removeEventListener('abort', cancelled);
      this.#over = true;
      this.#durationMs = this.#progress.elapsedMs;
      this.#state?.changes.end(this.#noLoad());
      this.onEvent({
        type: 'ended',
        reason: this.#endReason ?? { code: 'ended' },
        failure: this.#endFailure,
        runId: this.#kept?.runId ?? null,
      });
    }
    if (this.#endFailure !== null) throw new FailureError(this.#endFailure);
    return this.#kept?.runId ?? null;
  }

  /**
   * Changes a setting to a value while the load continues. Resolves when the app has it, or does not take it; when newer values of the same setting came
   * meanwhile, with the outcome of the last. Rejects with `no-load`, `setting-unknown`, `not-live` and `setting-value`.
   */
  async set(setting: string, value: SettingValue): Promise<LiveChange> {
    const state = this.#state;
    if (state === null || this.#over) throw this.#noLoad();
    const control = movableControl(state.controls, setting, value);
    if (control.value === control.wanted && state.changes.isSettled(setting)) {
      return { timeMs: this.#progress.elapsedMs, setting, from: value, to: value, ok: true, effectiveMs: 0, message: null };
    }
    const changed = state.changes.ask(setting, control.wanted);
    this.#hurry.abort();
    this.#attempt(() => this.#applyChanges(state));
    return changed;
  }

  /** Stores what was measured so far as a run, and returns its id; the load continues. Rejects with `no-load` and `nothing-measured`. */
  async keep(): Promise<string> {
    const state = this.#state;
    if (state === null) throw this.#noLoad();
    return this.#turn(async () => {
      // What is seen now is what is to be kept: a value that was set a moment ago is measured long enough first.
      await pause(state.segments.remainingMs, AbortSignal.any([this.#hurry.signal, this.#ended.signal])).catch(() => undefined);
      await this.#closeSegment(state, true);
      const segments = state.segments.measured;
      if (this.#kept?.segments === segments.length) return this.#kept.runId;
      const { context } = this;
      const runId = await keepSession({
        store: context.store,
        labelOf: context.labelOf,
        ...state.live,
        commandOf: ({ process }) => state.pool.command(process.key),
        environment: state.environment,
        startedAt: this.#startedAt,
        durationMs: this.#durationMs ?? this.#progress.elapsedMs,
        warmUp: state.warmUp,
        segments: [...segments],
        observations: state.harness.observations,
        ticks: this.#ticks,
        notes: this.#notes,
        log: state.running.child.running ? state.running.child.log.text() : this.#log,
      });
      this.#kept = { runId, segments: segments.length };
      return runId;
    });
  }

  /** Ends the session as soon as what is being measured is cut off cleanly. */
  stop(): void {
    this.#stopSoon({ code: 'stopped' });
  }

  async #perform(): Promise<void> {
    const { context } = this;
    const live = planLive(this.request, context);
    const { declared } = live.planned.process;
    const signal = this.#signal;
    const own: RunContext = { ...context, signal, emit: (event) => this.#onRunEvent(event) };
    const say = (step: Step): void => this.#say(step);
    const note = (found: RunNote): void => void this.#notes.push(found);
    const data = new SharedData([declared], live.plan.mixes);
    const database = await startDatabase(data, own, { begin: say, say, note });
    // Its notes are shown while it goes on, when nothing is counted yet.
    if (database !== null) for (const found of data.writeNotes(database.address, [])) note(found);
    const environment = await environmentOf(context, database);
    const pool = new ProcessPool(own, database?.address ?? null);
    try {
      await withHarness(
        {
          runId: 'live',
          context: own,
          progress: this.#progress,
          database,
          load: live.plan.load,
          ticks: { add: (tick) => void this.#ticks.push(tick as Tick) },
          samples: { add: () => undefined },
        },
        pool,
        { signal: context.signal, work: (harness) => this.#begin({ live, pool, harness, environment }, database, own) },
      );
    } finally {
      // What still takes a lap ended with the load.
      await Promise.allSettled([this.#turns, this.#sampling]);
      const logs = pool.keptLogs().map(({ text }) => text);
      this.#log = logs.join('');
    }
  }

  /** Starts and warms the app, and puts it under load until the session ends. */
  async #begin(
    parts: Pick<Running, 'live' | 'pool' | 'harness' | 'environment'>,
    database: Database | null,
    own: RunContext,
  ): Promise<void> {
    const { live, pool, harness } = parts;
    const { process } = live.planned;
    const { context } = this;
    try {
      this.#say({ code: 'starting', name: process.name });
      const running = await pool.launch(process);
      this.#say({ code: 'warming-up', name: process.name, processes: 1 });
      const warmUp = await harness.warmUp(live.planned, [running]);
      if (warmUp === null) throw await endedFailure(running, 'while it was warmed up');
      if (warmUp.unsteady !== null) this.#notes.push({ code: 'live-unsteady', why: warmUp.unsteady.why });
      const settings = await findLiveSettings(live.planned, running, own);
      const meters = new LiveMeters(harness, running, () => context.postgres.rootPids);
      const state: Running = {
        ...parts,
        running,
        warmUp,
        changes: new LiveChanges(settings, () => this.#progress.elapsedMs),
        segments: new LiveSegments({
          generator: harness.generator,
          meters,
          sessionMs: (atMs) => this.#progress.elapsedMs - (performance.now() - atMs),
          crashRestarts: () => context.postgres.crashRestarts,
        }),
        controls: liveControls(process.declared.target.settings, process.settings, settings, database?.facts.maxConnections ?? null),
      };
      for (const { setting, message } of await state.changes.deviations(state.controls))
        if (message !== null) this.#notes.push({ code: 'setting-deviates', setting, message });
      await this.#underLoad(state, meters, own.signal);
    } finally {
      this.#over = true;
    }
  }

  /** The load, from the end of the warm-up to the end of the session. */
  async #underLoad(state: Running, meters: LiveMeters, signal: AbortSignal): Promise<void> {
    const { harness, running, controls, live } = state;
    const { planned, plan } = live;
    const { target } = planned.process.declared;
    const timer = setTimeout(() => this.#stopSoon({ code: 'time-over', maxMs: this.request.maxS * 1000 }), this.request.maxS * 1000);
    void running.child.exited.then(async () => {
      if (!this.#over && !signal.aborted)
        this.#end({ code: 'app-ended', name: planned.process.name }, toFailure(await endedFailure(running, 'while it was under load')));
    });
    try {
      harness.attribute(liveTrialKey(planned, this.#values(state)), running);
      const load = harness.generator.runBlock(
        {
          ...harness.blockPlan(planned, running, 1),
          tickMs,
          settleMs: Math.min(settleMs, plan.load.settleS * 1000),
          windowMs: (this.request.maxS + spareS) * 1000,
        },
        {
          onTick: (tick) => this.#onTick(tick, state, meters),
          onWindow: (edge) => {
            if (edge === 'open') this.#attempt(() => this.#openSegment(state));
          },
          signal,
        },
      );
      this.#state = state;
      const notes = [...this.#notes, ...connectionNote(state)];
      this.onEvent({
        type: 'running',
        target: target.id,
        targetLabel: target.label ?? target.id,
        connections: planned.connections,
        controls: controls.map((one) => ({ ...one })),
        routes: plan.mixes.get(target.id)?.phrases ?? [],
        notes,
      });
      await load;
    } finally {
      clearTimeout(timer);
      harness.attribute(null, null);
    }
  }

  #onTick(tick: LoadTick, state: Running, meters: LiveMeters): void {
    const { elapsedMs: _sinceStage, ...rest } = tick;
    const timeMs = this.#progress.elapsedMs;
    this.#ticks.push({ ...rest, timeMs, trialKey: liveTrialKey(state.live.planned, this.#values(state)) });
    this.#sampling = this.#sampling.then(async () => {
      if (this.#over || this.#ended.signal.aborted) return;
      try {
        this.context.postgres.assertAlive();
        const sample = await meters.sample(tick, timeMs);
        if (!this.#isOver()) this.onEvent({ type: 'sample', sample });
      } catch (error) {
        this.#end({ code: 'broken' }, toFailure(error));
      }
    });
  }

  /** Makes all changes that are asked for, waits until the queues have settled, and begins the next segment. */
  async #applyChanges(state: Running): Promise<void> {
    const { changes, controls, live, harness, running } = state;
    if (!changes.pending || this.#isOver()) return;
    await this.#closeSegment(state);
    while (changes.pending && !this.#isOver()) {
      const change = await changes.applyNext(controls, this.#ended.signal);
      if (change === null) break;
      const control = controls.find((one) => one.setting === change.setting);
      if (change.ok && control !== undefined) control.value = Number(change.to);
      harness.attribute(liveTrialKey(live.planned, this.#values(state)), running);
      if (!this.#isOver()) this.onEvent({ type: 'change', change });
    }
    this.#hurry = new AbortController();
    const settling = pause(settleMs, AbortSignal.any([this.#hurry.signal, this.#ended.signal]));
    const settled = await settling.then(() => true).catch(() => false);
    // It was changed again meanwhile: what follows belongs to the next value, whose own turn comes after this one.
    if (settled && !changes.pending) await this.#openSegment(state);
  }

  /** Ends the segment, and reports it if the app had the requested values all the time. */
  async #closeSegment({ segments, changes, controls }: Running, goOn = false): Promise<void> {
    if (this.#isOver() || !segments.isOpen) return;
    const deviations = await changes.deviations(controls);
    for (const change of deviations) this.onEvent({ type: 'change', change });
    if (deviations.length > 0) {
      segments.drop();
      return;
    }
    const measured = await segments.close(goOn);
    if (measured !== null) this.onEvent({ type: 'segment', segment: measured.segment });
  }

  async #openSegment(state: Running): Promise<void> {
    if (!this.#isOver() && state.changes.areSure) await state.segments.open(this.#values(state));
  }

  /** The present values of the controls. */
  #values({ controls, live }: Running): SettingValues {
    const moved = Object.fromEntries(controls.map((one) => [one.setting, one.value]));
    return { ...live.planned.process.asked, ...moved };
  }

  /** A session that was stopped ends the segment it is in; whatever else wants its turn after that finds it over. */
  #stopSoon(reason: LiveEnd): void {
    if (this.#isOver()) return;
    const state = this.#state;
    if (state === null) {
      this.#end(reason);
      return;
    }
    this.#hurry.abort();
    const end = (): void => this.#end(reason);
    this.#turn(async () => this.#closeSegment(state)).then(end, end);
  }

  #end(reason: LiveEnd, problem: Failure | null = null): void {
    if (this.#endReason !== null) return;
    this.#endReason = reason;
    this.#endFailure = problem;
    this.#ended.abort(new DOMException(reason.code, 'AbortError'));
  }

  #isOver(): boolean {
    return this.#over || this.#ended.signal.aborted;
  }

  /** Does something when all that was begun before has ended. */
  #turn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    const over = (): void => undefined;
    this.#turns = done.then(over, over);
    return done;
  }

  /** A turn that nobody waits for: what goes wrong in it, and is not the end of the load, ends the session. */
  #attempt(work: () => Promise<void>): void {
    this.#turn(work).catch((error: unknown) => {
      if (!this.#isOver()) this.#end({ code: 'broken' }, toFailure(error));
    });
  }

  #say(doing: Step): void {
    const { target: id } = this.request;
    const label = this.context.declarations.targets.find(({ target }) => target.id === id)?.target.label ?? id;
    this.onEvent({ type: 'starting', target: id, targetLabel: label, doing });
  }

  /** While it warms up, how far it has come is all there is to see. */
  #onRunEvent(event: RunEvent): void {
    if (event.type === 'tick' && this.#state === null) this.#say({ code: 'warming-rate', perS: event.tick.throughput });
  }

  #noLoad(): Error {
    return failure(
      'no-load',
      'There is no load whose settings could be moved.',
      this.#over ? 'Start a new live session.' : 'Wait until the load is running.',
    );
  }
}

/** More connections to the database than there are requests in progress cannot be busy. */
function connectionNote({ controls, live }: Running): RunNote[] {
  const most = controls.find((one) => one.problem === null && one.value > live.planned.connections);
  if (most === undefined) return [];
  return [{ code: 'few-connections', setting: most.label, connections: live.planned.connections }];
}

async function endedFailure({ child, declared }: RunningTarget, when: string): Promise<Error> {
  const exit = await child.exited;
  return failure(
    'target-exited',
    `${declared.target.label ?? declared.target.id} ${exitPhrase(exit)} ${when}.`,
    'Look at its last output; correct the cause and start again.',
    child.log.tail(30),
  );
}
