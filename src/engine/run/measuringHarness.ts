import type { Unsteady, WarmUpFinding } from '../../model/domain/warmUpFinding.ts';
import type { Observation } from '../../model/domain/observation.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { WarmUp } from '../../model/domain/run.ts';
import { warmUpTime } from '../../model/domain/warmUpTime.ts';
import type { LoadGenerator } from '../load/loadGenerator.ts';
import type { BlockOptions, BlockPlan, BlockResult } from '../load/loadPlans.ts';
import type { LoadMeasurement, LoadTick } from '../load/loadProtocol.ts';
import { planByProfile, profileBlock } from '../load/profileBlock.ts';
import type { RawCommand } from '../load/raw/rawCommand.ts';
import type { BlockGenerator } from '../k6/k6Block.ts';
import { ThreadClocks, withDescendants } from '../load/slices/threadClocks.ts';
import type { K6Measured } from '../k6/k6Measurement.ts';
import { PostgresObserver } from '../observe/postgresSessions.ts';
import { samplesAround } from '../observe/aggregate.ts';
import { Sampler } from '../observe/sampler.ts';
import { type LooksByStatement, looksIn } from '../observe/statementLooks.ts';
import { type StatementCounts, StatementMeter } from '../observe/statementMeter.ts';
import type { GroupReport } from '../probe/groupReport.ts';
import { windowBetween } from '../probe/probeWindow.ts';
import { servedByInstance } from '../probe/servedByInstance.ts';
import type { CostWindow } from '../raw/rawCost.ts';
import type { RawRecorder } from '../raw/rawRecorder.ts';
import type { LineFile } from '../files/lineFile.ts';
import { BouncerMeter } from '../services/bouncer/bouncerMeter.ts';
import type { DatabaseDistance, DistanceWindow } from '../services/distance/databaseDistance.ts';
import { observerConnection } from './observerConnection.ts';
import type { RunDatabase } from './sharedData.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { firstLoad } from './firstLoad.ts';
import type { PlannedTrial } from './plan.ts';
import { type RunContext, startGenerator } from './runContext.ts';
import { type HostEdge, interferenceBetween } from '../observe/hostEdge.ts';
import type { RunProgress } from './runProgress.ts';
import { steadyAtCap } from '../statistics/steadyState.ts';
import { compilingShare } from './warmPasses.ts';
import { isLittle, movesThroughput, unsteadyOf } from './unsteady.ts';
import { levelsOff, throughputOfEach } from './warmUpEnd.ts';
import { WarmUpCpu, warmUpLookS } from './warmUpCpu.ts';
import { allRunning, howEnded, entrance, instancesOf, portsOf, readProbes, ReportsDuring } from './runningTargets.ts';
import type { BlockMeasurement } from './trialRecord.ts';
import { wholeWindow } from './wholeWindow.ts';

export const tickMs = 500;
/** The processes are warm: the load needs no longer than its connections. */
const costSettleMs = 300;

const wholeTicks = (ticks: readonly LoadTick[]): LoadTick[] => ticks.filter((tick) => tick.windowMs > tickMs / 2);

export interface HarnessOptions {
  runId: string;
  context: RunContext;
  progress: RunProgress;
  database: RunDatabase | null;
  load: LoadProfile;
  ticks: Pick<LineFile, 'add'>;
  samples: Pick<LineFile, 'add'>;
  /** Keeps the requests of measured blocks; null where they are not wanted. */
  raw?: RawRecorder | null;
  /** Generates the load of measured blocks in place of Benchside's generator, which still warms up. */
  k6?: BlockGenerator | null;
}

export interface WarmUpOutcome {
  warmUp: WarmUp;
  /** What still changed at its end; null where nothing did. */
  unsteady: Unsteady | null;
  /** What a second of the app's CPU served at its end, in requests; null where CPU is not known. */
  cpuLevel: number | null;
  /** What each of several processes answered at its end, in requests/s; empty where that is not known. */
  each: readonly number[];
}

export interface WarmUpOptions {
  earlier?: Pick<WarmUpOutcome, 'cpuLevel'> | null;
  briefly?: boolean;
  forThroughput?: boolean;
}

/** How a block differs from the load profile; `apart`: it is no block of its trial, so that none of its requests are kept. */
export type BlockChanges = Partial<BlockPlan> & { apart?: boolean };

/** CPU time in µs since each process began, null where it is not known; and what the probes and PostgreSQL's counters say. */
interface Meters {
  app: number | null;
  generator: number | null;
  postgres: number | null;
  proxy: number | null;
  bouncer: number | null;
  probes: GroupReport | null;
  host: HostEdge | null;
}

/** A warm-up that others continue with lasts so long at the least. */
const shortestWarmUpS = 0.5;

/**
 * The load generator and the meters of one run: puts load on a process, and reads at the edges of the measured window what was used in it.
 * The processes themselves belong to others.
 */
export class MeasuringHarness {
  readonly observations: Observation[] = [];
  readonly sampler: Sampler;
  readonly #sessions: PostgresObserver | null;
  /** Null without a database. */
  readonly statements: StatementMeter | null;
  /** What samples belong to now; no app between trials. */
  #underLoadNow: { trialKey: string | null; app: readonly number[] | null } = { trialKey: null, app: null };

  private constructor(
    readonly options: HarnessOptions,
    readonly generator: LoadGenerator,
  ) {
    const { context, progress, database } = options;
    this.statements = database === null ? null : new StatementMeter(observerConnection(database), database.databases);
    const sessions = database === null ? null : new PostgresObserver(observerConnection(database), database.databases);
    this.#sessions = sessions;
    this.sampler = new Sampler({
      roots: () => ({
        app: this.#underLoadNow.app,
        postgres: context.postgres.rootPids,
        generator: [generator.pid, ...(options.k6?.pids ?? [])],
      }),
      trialKey: () => this.#underLoadNow.trialKey,
      now: () => progress.elapsedMs,
      ...(sessions === null ? {} : { sessions: () => sessions.sessions() }),
    });
  }

  static async open(options: HarnessOptions): Promise<MeasuringHarness> {
    const { context } = options;
    const harness = new MeasuringHarness(options, await startGenerator(context));
    harness.sampler.start((observation) => {
      harness.observations.push(observation);
      options.samples.add(observation);
      context.emit({ type: 'observation', runId: options.runId, observation });
    });
    await harness.statements?.open();
    return harness;
  }

  /** Why the load cannot alternate between sides in slices; null when it can. */
  get notSliced(): string | null {
    const { load, k6, raw } = this.options;
    if (k6 != null) return 'k6 puts the load on.';
    if (raw != null) return 'Every request is kept.';
    if (load.ratePerS !== undefined) return 'The rate is fixed.';
    if (load.stages !== undefined || load.roles !== undefined) return 'Users come and go.';
    if (load.requests !== undefined) return 'A block ends with its requests.';
    return load.thinkTimeMs === undefined ? null : 'Connections think.';
  }

  async close(): Promise<void> {
    this.sampler.stop();
    await Promise.all([this.#sessions?.close(), this.statements?.close(), this.generator.stop()]);
  }

  cpuTimeUs(pid: number): Promise<number | null> {
    return this.sampler.cpuTimeUs([pid]);
  }

  /** From now on samples belong to this trial and process; null: to none. For load that runs on while its settings change. */
  attribute(trialKey: string | null, running: RunningTarget | null): void {
    this.#underLoadNow = { trialKey, app: running === null ? null : instancesOf(running).map(({ child }) => child.pid) };
  }

  /**
   * Puts load on a process, or on several at once, each under as many connections as the trial has, until it {@link levelsOff}; null when all have ended on
   * their own meanwhile. For several, their mean is reported. `earlier`: how the first start of the same processes ended; to reach its level is enough.
   * `briefly`: for the least time; what follows continues the warm-up. `forThroughput`: CPU time is not compared.
   */
  async warmUp(
    planned: PlannedTrial,
    running: readonly RunningTarget[],
    { earlier = null, briefly = false, forThroughput = false }: WarmUpOptions = {},
  ): Promise<WarmUpOutcome | null> {
    const { load, context, progress } = this.options;
    const { runtime } = planned.process.declared.target;
    const longest = warmUpTime(load, runtime);
    const briefS = Math.min(longest.maxS, Math.max(shortestWarmUpS, load.warmUp.minS));
    const { minS, maxS } = briefly && this.notSliced === null ? { minS: briefS, maxS: briefS } : longest;
    const throughput = (ticks: readonly LoadTick[]): number[] => wholeTicks(ticks).map((tick) => tick.throughput / running.length);
    const clocks = running.map((one) => new ThreadClocks(() => withDescendants(instancesOf(one).map(({ child }) => child.pid))));
    const cpu = new WarmUpCpu(clocks, planned.connections);
    const compiles = (): boolean => cpu.compilerShare > compilingShare;
    const lastLook = earlier !== null;
    const known = earlier?.cpuLevel ?? null;
    const asWarm = (): boolean => known !== null && cpu.hasReached(known);
    const littleCpu = (): boolean => forThroughput && cpu.perSecond !== null && isLittle(cpu.partOfRequest);
    const together = running.length > 1;
    const isLevel = (ticks: readonly LoadTick[]): boolean => {
      const cpuSoFar = { perSecond: cpu.perSecond, compiles: compiles(), littleCpu: littleCpu() };
      return levelsOff({ throughput: throughput(ticks), ...cpuSoFar, together }, { tickMs, minMs: minS * 1000, lastLook });
    };
    const isSteady = (ticks: readonly LoadTick[]): boolean => (asWarm() && !compiles()) || isLevel(ticks);
    const loaded = running.flatMap((one) =>
      instancesOf(one).map((instance) => ({
        ...instance,
        given: (one.bouncer ?? one.distance)?.address ?? this.options.database?.address ?? null,
      })),
    );
    const warming = async (signal: AbortSignal) =>
      this.generator.warmUp(this.#planFor(planned, running, 0), {
        minMs: 0,
        maxMs: maxS * 1000,
        isSteady: (ticks) => !running.some(allRunning) || isSteady(ticks),
        onTick: (tick) => {
          cpu.tick(tick);
          this.tick(planned, { ...tick, throughput: tick.throughput / running.length });
          const falls = cpu.fallsPercent;
          if (falls !== null) progress.say('warmUp', { code: 'warming-falls', percent: falls, withinS: warmUpLookS });
        },
        signal,
      });
    const outcome = await this.#underLoad(running.length === 1 ? planned.key : null, running, () =>
      firstLoad(loaded, context, warming),
    ).finally(() => clocks.forEach((one) => one.close()));
    if (!running.some(allRunning)) return null;
    const values = throughput(outcome.ticks);
    const last = cpu.perSecond === null ? steadyAtCap(values, tickMs) : steadyAtCap(cpu.perSecond, tickMs, 'cpu');
    const why: WarmUpFinding | null = compiles() ? { code: 'compiling', share: cpu.compilerShare } : last.reason;
    const byThroughput = outcome.steady && littleCpu();
    const unsteady = outcome.steady && !byThroughput ? null : unsteadyOf(why, byThroughput ? cpu.partOfRequest : null);
    const warmUp = { durationMs: outcome.durationMs, steady: !movesThroughput(unsteady), throughput: values, tickMs };
    const each = throughputOfEach(
      wholeTicks(outcome.ticks),
      running.map((one) => portsOf(one).length),
    );
    return { warmUp, unsteady, cpuLevel: cpu.level, each };
  }

  /** Measures one block. The result includes a process that ends meanwhile; PostgreSQL's end rejects. `onTick` sees what goes to the record as well. */
  async measure(
    planned: PlannedTrial,
    running: RunningTarget,
    round: number,
    changes: BlockChanges = {},
    onTick: (tick: LoadTick) => void = () => undefined,
  ): Promise<BlockMeasurement> {
    const { context, progress } = this.options;
    const crashesBefore = context.postgres.crashRestarts;
    const edges: Pick<BlockMeasurement, 'startMs' | 'endMs'> = { startMs: 0, endMs: 0 };
    const meters: Promise<Meters>[] = [];
    let lateMs = 0;
    const during = new ReportsDuring(running);
    const bouncer = running.bouncer === undefined ? null : new BouncerMeter(running.bouncer);
    let distance: ReturnType<DatabaseDistance['openWindow']> | undefined;
    let passedOn: Promise<DistanceWindow | null> | undefined;
    const { apart = false, ...differing } = changes;
    // A block apart from its trial, or at a rate that a search has found, has a course of its own.
    const k6 = apart || differing.open !== undefined ? null : (this.options.k6 ?? null);
    const { took, ...raw } = apart ? { took: () => undefined } : this.raw(planned, round);
    const block = { ...planByProfile(this.options.load, this.blockPlan(planned, running, round)), ...raw, ...differing };
    const counts: Promise<StatementCounts | null>[] = [];
    const readCounts = async (): Promise<void> => {
      counts.push(this.statements?.counts() ?? Promise.resolve(null));
      await counts.at(-1);
    };
    const options: BlockOptions = {
      onTick: (tick) => {
        this.tick(planned, tick);
        onTick(tick);
      },
      onWindow: (edge, edgeLateMs) => {
        if (edge === 'open') lateMs = edgeLateMs;
        edges[edge === 'open' ? 'startMs' : 'endMs'] = progress.elapsedMs;
        if (edge === 'open') {
          during.start();
          bouncer?.open();
          distance = running.distance?.openWindow();
        } else {
          during.stop();
          bouncer?.close();
          passedOn = distance?.then((close) => close());
        }
        meters.push(this.#readMeters(running, k6));
        // k6 does not report what it sends outside of the window.
        if (k6 !== null) void readCounts();
      },
      signal: context.signal,
    };
    // Before the first request, so that it does not hang on when they are read.
    if (k6 === null) await readCounts();
    const { result, discardReasons } = await this.#underLoad(planned.key, [running], async (): Promise<K6Measured> =>
      k6 === null ? { result: await this.generator.runBlock(block, options), discardReasons: [] } : k6.runBlock(block, options),
    );
    took(result);
    context.postgres.assertAlive();
    if (k6 === null) await readCounts();
    const [before, after] = await Promise.all(meters);
    const [countsBefore = null, countsAfter = null] = await Promise.all(counts);
    const probes = [before?.probes ?? null, after?.probes ?? null] as const;
    const used = (of: (meters: Meters) => number | null): number | null =>
      wholeWindow(before === undefined || after === undefined ? null : difference(of(before), of(after)), {
        windowMs: result.windowMs,
        lateMs,
      });
    return {
      round,
      ...edges,
      result,
      cpuUs: {
        appCpuUs: used(({ app }) => app),
        postgresCpuUs: used(({ postgres }) => postgres),
        generatorCpuUs: used(({ generator }) => generator),
      },
      proxy:
        running.front === undefined
          ? null
          : { cpuUs: used(({ proxy }) => proxy), workers: running.front.workers, cores: running.front.cores },
      bouncer: (await bouncer?.window(used((meters) => meters.bouncer))) ?? null,
      distance: (await passedOn) ?? null,
      probe: probes[0] === null || probes[1] === null ? null : windowBetween(probes[0], probes[1], during.reports),
      statements: (await this.statements?.between(countsBefore, countsAfter, { looks: this.looksIn(edges) })) ?? null,
      interference: before?.host == null || after?.host == null ? null : interferenceBetween(before.host, after.host),
      served: running.siblings.length === 0 ? null : servedByInstance(...probes, instancesOf(running)),
      ...(discardReasons.length === 0 ? {} : { discardReasons }),
      ended: await howEnded(planned, running, round),
      postgresRestarted: context.postgres.crashRestarts > crashesBefore,
    };
  }

  /** For a block of a trial that is not run by `measure`: how its requests are kept, where they are wanted; `took` receives its result. */
  raw(planned: PlannedTrial, round: number): Pick<BlockPlan, 'raw'> & { took: (result: LoadMeasurement) => void } {
    const raw = this.options.raw?.command(planned.key, round);
    return { ...(raw === undefined ? {} : { raw }), took: (result) => this.options.raw?.took(result) };
  }

  /** A block outside of the measured ones, such as the window of a recording. */
  async block(
    planned: PlannedTrial,
    running: RunningTarget,
    round: number,
    changes: Partial<BlockPlan>,
    onWindow?: (edge: 'open' | 'close') => void,
  ): Promise<BlockResult> {
    this.options.context.postgres.assertAlive();
    const plan = { ...this.blockPlan(planned, running, round), ...changes };
    return this.generator.runBlock(plan, { signal: this.options.context.signal, ...(onWindow === undefined ? {} : { onWindow }) });
  }

  /** A short block of which only the CPU time is asked for, with raw samples or without. */
  async costWindow(planned: PlannedTrial, running: RunningTarget, windowMs: number, raw: RawCommand | undefined): Promise<CostWindow> {
    const meters: Promise<Meters>[] = [];
    const changes = { settleMs: costSettleMs, windowMs, ...(raw === undefined ? {} : { raw }) };
    const { requests } = await this.block(planned, running, 1, changes, () => void meters.push(this.#readMeters(running)));
    const [before, after] = await Promise.all(meters);
    return { requests, appCpuUs: difference(before?.app, after?.app), generatorCpuUs: difference(before?.generator, after?.generator) };
  }

  blockPlan(planned: PlannedTrial, running: RunningTarget, round: number): BlockPlan {
    return this.#planFor(planned, [running], round);
  }

  #planFor(planned: PlannedTrial, running: readonly RunningTarget[], round: number): BlockPlan {
    const { load } = this.options;
    return {
      ...entrance(running),
      connections: planned.connections * running.length,
      ...profileBlock(load, round),
      tickMs,
      mix: planned.process.mix ?? [],
    };
  }

  /** Notes and reports a tick of a trial. */
  tick(planned: PlannedTrial, { elapsedMs: _sinceStage, ...tick }: LoadTick): void {
    const { progress, ticks, context, runId } = this.options;
    const timed = { ...tick, timeMs: progress.elapsedMs, trialKey: planned.key };
    ticks.add(timed);
    context.emit({ type: 'tick', runId, tick: timed });
  }

  /** How PostgreSQL’s sessions were found at work in a window. */
  looksIn({ startMs, endMs }: Pick<BlockMeasurement, 'startMs' | 'endMs'>): LooksByStatement {
    return looksIn(samplesAround(this.observations, startMs, endMs - startMs));
  }

  /** Read at the edges of a window: samples of a second straddle them. */
  async #readMeters(running: RunningTarget, k6: BlockGenerator | null = null): Promise<Meters> {
    const apps = k6?.elsewhere === true ? null : instancesOf(running).map(({ child }) => child.pid);
    const generators = k6?.pids ?? [this.generator.pid];
    const [postgresPid] = this.options.context.postgres.rootPids;
    const [host, app, generator, postgres, proxy, bouncer, probes] = await Promise.all([
      this.sampler.hostCounters(),
      apps === null ? null : this.sampler.cpuTimeUs(apps),
      // In a cluster the generator has no processes here.
      generators.length === 0 ? null : this.sampler.cpuTimeUs(generators),
      postgresPid === undefined ? null : this.cpuTimeUs(postgresPid),
      running.front === undefined ? null : this.cpuTimeUs(running.front.pid),
      running.bouncer === undefined ? null : this.cpuTimeUs(running.bouncer.child.pid),
      readProbes(running),
    ]);
    return { host, app, generator, postgres, proxy, bouncer, probes };
  }

  /** Reports which processes are under load while `work` runs, so that samples are attributed to them. PostgreSQL's end aborts the run. */
  async #underLoad<T>(trialKey: string | null, running: readonly RunningTarget[], work: () => Promise<T>): Promise<T> {
    this.options.context.postgres.assertAlive();
    // What brings a value about in a cluster is no app.
    const apps = this.options.k6?.elsewhere === true ? null : running.flatMap((one) => instancesOf(one).map(({ child }) => child.pid));
    this.#underLoadNow = { trialKey, app: apps };
    try {
      return await work();
    } finally {
      this.attribute(null, null);
    }
  }
}

function difference(before: number | null | undefined, after: number | null | undefined): number | null {
  return before == null || after == null ? null : after - before;
}
