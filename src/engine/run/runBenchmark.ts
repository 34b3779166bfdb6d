import { defined } from '../../model/domain/defined.ts';
import { FailureError, isCancellation } from '../../model/domain/failure.ts';
import type { FreshFinding } from '../../model/domain/freshFinding.ts';
import { defaultDelta } from '../../model/domain/margin.ts';
import type { DiffNote } from '../../model/domain/diffNoteKinds.ts';
import type { RecordingRecord } from '../../model/domain/recording.ts';
import type { LoadProfile } from '../../model/domain/loadProfile.ts';
import type { Block, RunRecord, RunRequest, Trial } from '../../model/domain/run.ts';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import { budgetFactor } from '../../model/domain/runOptions.ts';
import type { RunResult } from '../../model/domain/runResult.ts';
import type { SettingValues } from '../../model/domain/setting.ts';
import type { P99Kind } from '../../model/domain/versionDiff.ts';
import { reservedSessions } from '../limits/reservedSessions.ts';
import { findNginx, nginxMissing } from '../services/nginx/findNginx.ts';
import { AgainstFirst } from '../strategies/rounds/againstFirst.ts';
import { type PairOptions, PairSchedule } from '../strategies/rounds/pairSchedule.ts';
import { RunSchedule } from '../strategies/rounds/runSchedule.ts';
import type { Strategy } from '../strategies/strategy.ts';
import { findTarget } from '../targets/catalog.ts';
import { throughBouncer } from '../targets/throughBouncer.ts';
import { varied } from '../variants/varied.ts';
import { executeStrategy } from './executeStrategy.ts';
import { launchMs } from './blockTime.ts';
import type { RunFacts } from './composeRecord.ts';
import { type FoundValues, confirmFresh } from './confirmFresh.ts';
import { bare } from './aroundProcess.ts';
import { limitNotes } from './limitNotes.ts';
import { loadProfileNamed } from './loadProfileNamed.ts';
import { largerTrial, leaveOut } from './furtherTrials.ts';
import { type PlannedTrial, type RunPlan, effectiveLoad, planRun, serverConnections } from './plan.ts';
import { priceRaw } from './priceRaw.ts';
import { generatorNotes, refuseForK6 } from './refuseForK6.ts';
import { lookAtWaits } from './recording/lookAtWaits.ts';
import { nameHottest } from './recording/nameHottest.ts';
import { recordTrials } from './recording/recordTrials.ts';
import { type RoutesAlone, measureRoutesAlone } from './routesAlone.ts';
import type { RunContext } from './runContext.ts';
import { type Procedure, type RunEnd, type RunOutcome, type RunUnderWay, performRun } from './runLife.ts';
import { RunTargets } from './runTargets.ts';
import { SharedData } from './sharedData.ts';
import { notAtARate, versionsAtRate } from './versionsAtRate.ts';
import { type BudgetShares, besidesRounds, shareOut } from './versionsBudget.ts';

/** Below this no limit of a common machine is near. */
const manyConnections = 256;

/** Each of two versions is measured for so long in a round of slices. */
const roundOfVersionsS = 1;

/** Fewer rounds of two versions allow no claim. */
const leastRoundsOfVersions = 3;
/** The time of attaching, stopping and reading in addition to a recording, in seconds. */
const recorderS = 4;
/** The largest share of the budget for p99 of two versions where their rounds were decided early. */
const mostForRate = 1 / 4;

/** How often all sides are asked again what they answer otherwise: one of two words that a service draws shows as one of them on each side in 1 of 1,000. */
const confirmingRounds = 3;

/** What a run is asked to do, with the load that it has and the names of what it varies of the catalogue. */
export interface AskedRun {
  request: RunRequest;
  load: LoadProfile;
  names: readonly string[];
}

/** How a run differs from one of settings. */
export interface RunOverrides {
  /** Its budget in seconds where none is asked for. */
  budgetS?: number;
  /** Its trials, in place of every combination of the values that are asked for: the first has what is. */
  sides?: readonly SettingValues[];
  /** The time that its rounds may end in, in place of the rest of its budget: asked when its processes are warm. */
  leftMs?: () => number;
  /**
   * Its trials are `versions` of one thing, or one program with several `values`: rounds continue until it is known of each whether it is slower than the
   * first, faster or the same within δ. `once`: a screening, in which processes are started once, and which ends early. `p99`: whether it is then compared at
   * a fixed rate, of the mix alone or of each of its routes as well; of two.
   */
  versus?: { of: 'versions' | 'values'; p99: P99Kind; once?: true };
  /**
   * Additional measurements before its record is composed: its recordings, of which the files lie in `folder`, and the routes of its mix alone; recorded is
   * without measuring what that costs.
   */
  further?: (found: {
    recordings: readonly RecordingRecord[];
    folder: string;
    routes: RoutesAlone;
    /** Why p99 was not compared at a fixed rate; null where it was, or was not asked for. */
    noRate: DiffNote | null;
    /** What was measured until then, without a recorder. */
    trials: readonly Trial[];
  }) => Promise<void>;
  /** What it found, by its record; undefined where it is a plain run. */
  result?: (record: RunRecord) => RunResult | undefined;
  /** What it says in place of what a run says, by its record. */
  says?: (record: RunRecord) => Pick<RunRecord, 'recommendations' | 'notes'>;
}

/** Does one run from beginning to end: the values of its settings, side by side. `differs`: how it differs from that, if need be by what it is asked to do. */
export function runBenchmark(
  asked: RunRequest,
  context: RunContext,
  differs: RunOverrides | ((asked: AskedRun) => RunOverrides) = {},
): Promise<RunOutcome> {
  return performRun(context, () => {
    const found = [...new Set(asked.targets)].map((id) => throughBouncer(findTarget(context.declarations, id), asked.topology?.bouncer));
    const { targets, settings, names } = varied(found, asked.settings, context.toolchain);
    const profile = loadProfileNamed(context.declarations, asked.load);
    const own = { ...asked, settings };
    const overrides = typeof differs === 'function' ? differs({ request: own, load: effectiveLoad(profile, own), names }) : differs;
    const request = { ...own, ...defined({ budgetS: asked.budgetS ?? overrides.budgetS }) };
    const proxied = request.topology?.proxy != null;
    if (proxied && findNginx() === null) throw new FailureError(nginxMissing());
    const isSearched = overrides.versus === undefined && isAdaptive(request, effectiveLoad(profile, request));
    const plan = planRun(targets, profile, request, { ...request.topology, withToday: isSearched, sides: overrides.sides });
    if (request.generator !== undefined) refuseForK6(plan, request.generator, { ...request, searching: false, proxied }, context.k6Params);
    return {
      plan,
      data: new SharedData(targets, plan.mixes, plan.processes),
      topologyOf: () => request.topology ?? bare,
      raw: request.raw,
      generator: request.generator,
      ...(request.generator === undefined ? {} : { notes: generatorNotes(request.generator, context.k6Params, 'run') }),
      ...(request.delta === undefined ? {} : { delta: request.delta }),
      refuse: (database) => {
        // What is in use today was asked for by nobody: where it does not fit, it is left out.
        const most = (database?.facts.maxConnections ?? Number.POSITIVE_INFINITY) - reservedSessions;
        for (const trial of plan.trials.filter(({ process }) => process.onlyToday === true && serverConnections(process) > most))
          leaveOut(plan, trial);
      },
      steps: 4 + plan.processes.length + plan.trials.length * plan.load.rounds,
      undecidedMs: isSearched && plan.trials.length > 1 ? undecidedMs(plan) : 0,
      preparing: 'run',
      procedure: (run) => new RoundsProcedure(run, request, plan, overrides),
    };
  });
}

/** What rounds may take on top of those of the plan while answers stay undecided. */
function undecidedMs({ trials, load }: RunPlan): number {
  const plannedMs = trials.length * load.rounds * (load.settleS + load.durationS) * 1000;
  return load.budgetS === undefined ? (budgetFactor - 1) * plannedMs : Math.max(0, load.budgetS * 1000 - plannedMs);
}

/**
 * Whether rounds continue until it is known. Where their number is asked for, every request is kept, or users come and go, what is measured is fixed
 * beforehand.
 */
function isAdaptive({ rounds, raw }: RunRequest, load: LoadProfile): boolean {
  return rounds === undefined && raw === undefined && load.stages === undefined && load.requests === undefined;
}

/** Rounds over all values, and then what is done once everything was measured: waits, what raw samples cost, recordings. */
class RoundsProcedure implements Procedure {
  readonly #targets: RunTargets;
  readonly #order: PlannedTrial[][] = [];
  #recordings: RecordingRecord[] = [];
  /** What fresh processes said of the answer, by target. */
  readonly #confirmations = new Map<string, FreshFinding>();
  /** Both versions have a p99 at a fixed rate: one of them alone would be judged on other ground than the other. */
  #p99AtRate = false;
  /** What the budget of two versions leaves for what follows their rounds. */
  #shares: BudgetShares | null = null;
  #beganMs = 0;

  constructor(
    private readonly run: RunUnderWay,
    private readonly request: RunRequest,
    private readonly plan: RunPlan,
    private readonly overrides: RunOverrides,
  ) {
    const { topology = bare, mode = 'auto' } = request;
    // Sides are started again, and what each costs is that of its own process: one that is switched between their values could do neither.
    const own = overrides.versus?.of === 'values' && mode === 'auto' ? 'process-per-setting' : mode;
    this.#targets = new RunTargets(run, { topology, mode: own, alike: overrides.versus !== undefined }, plan.load);
  }

  get worthKeeping(): boolean {
    return this.#order.length > 0;
  }

  async measure(): Promise<void> {
    const { run, request } = this;
    for (const note of await this.#tightLimits()) run.note(note);
    if (request.topology !== undefined) run.note({ code: 'topology', topology: request.topology });
    if (request.topology?.proxy != null && run.raw !== null) run.note({ code: 'proxy-logged' });
    this.#beganMs = run.progress.elapsedMs;
    await this.#targets.prepare();
    for (const { mode, modeReasons } of this.#targets.all)
      if (mode === 'restart-per-block') run.note({ code: 'mode', why: [...modeReasons] });
    const found = await this.#measureRounds();
    if (request.confirm === true) await this.#confirm(found);
    const noRate = await this.#measureAtRate();
    if (this.overrides.versus !== undefined) await this.#targets.collect();
    const routes = await this.#measureRoutes();
    const { trials, load } = this.plan;
    await lookAtWaits(run, this.#targets, trials);
    await priceRaw(run, this.#targets, trials[0], request.raw, load);
    const { further } = this.overrides;
    const measured = trials.map(({ key }) => run.trialStore.recorded(key).trial);
    const record = this.#shares?.leftOut.includes('recording') === true ? undefined : request.record;
    this.#recordings = await recordTrials(run, this.#targets, trials, record, { priced: further === undefined });
    if (further === undefined) await nameHottest(run, this.#recordings);
    for (const first of new Set(trials.map((one) => this.#firstOf(one)))) {
      const others = trials.filter((one) => this.#firstOf(one) === first);
      await this.#confirmAnswers(first, others);
    }
    await further?.({ recordings: this.#recordings, folder: run.writer.folder, routes, noRate, trials: measured });
  }

  /**
   * Where processes answered otherwise than the first of them, starts that one again and asks all the same a few times: what one process answers otherwise itself
   * is no difference. If it does not start, the first answers count.
   */
  async #confirmAnswers(first: PlannedTrial | undefined, others: readonly PlannedTrial[]): Promise<void> {
    const { pool, progress } = this.run;
    if (first === undefined || this.#targets.of(first).mode === 'restart-per-block') return;
    const base = first.process;
    const open = new Set(
      others.map(({ process }) => process).filter(({ key }) => (pool.comparedAnswers(base.key, key)?.differing.length ?? 0) > 0),
    );
    if (open.size === 0) return;
    progress.begin('targets', { code: 'asking-again', name: base.name }, launchMs);
    await pool.stop(base.key);
    try {
      await pool.launch(base);
    } catch (error) {
      if (!(error instanceof FailureError) || isCancellation(error)) throw error;
    }
    for (let round = 0; round < confirmingRounds; round += 1) for (const process of [base, ...open]) await pool.hearAgain(process);
  }

  /** With whose answers those of a trial are compared: those of the first version, or of the first process of its target. */
  #firstOf({ process }: PlannedTrial): PlannedTrial | undefined {
    const { trials } = this.plan;
    if (this.overrides.versus?.of === 'versions') return trials[0];
    return trials.find((one) => one.process.declared === process.declared);
  }

  facts(): Omit<RunFacts, keyof RunEnd> {
    return {
      request: this.request,
      plan: { ...this.plan, order: this.#order },
      mode: this.#targets.mode(),
      commandOf: (planned) => this.#targets.command(planned),
      comparedOf: (planned) => {
        const first = this.#firstOf(planned);
        return first === undefined ? undefined : this.run.pool.comparedAnswers(first.process.key, planned.process.key);
      },
      confirmations: this.#confirmations,
      p99AtRate: this.#p99AtRate,
      recordings: this.#recordings,
    };
  }

  revise(record: RunRecord): Partial<RunRecord> {
    return { ...this.overrides.says?.(record), result: this.overrides.result?.(record) ?? record.result };
  }

  /** The limits of this machine that would spoil many connections. */
  async #tightLimits(): Promise<RunNote[]> {
    const { processes, trials } = this.plan;
    const connections = Math.max(...trials.map((planned) => planned.connections));
    if (connections < manyConnections) return [];
    return limitNotes(processes, {
      connections,
      instances: Math.min(...processes.map((process) => process.instances)),
      throughProxy: this.request.topology?.proxy != null,
      maxConnections: this.run.maxConnections,
    });
  }

  /** What was found of values that compete. */
  async #measureRounds(): Promise<FoundValues[]> {
    const { run } = this;
    const { load, trials, order } = this.plan;
    // Versions are compared after each round, so that a short one ends sooner.
    if (this.overrides.versus !== undefined && run.harness.notSliced === null)
      this.#targets.load = { ...load, durationS: Math.min(load.durationS, roundOfVersionsS) };
    const blockMs = (planned: PlannedTrial): number => this.#targets.blockMs(planned);
    const { delta = defaultDelta } = this.request;
    const adaptive = isAdaptive(this.request, load) && trials.length > 1;
    this.#shares = this.overrides.versus === undefined ? null : this.#shareOut(blockMs);
    const budgetMs = this.#shares?.roundsMs ?? this.#budgetMs();
    const schedule =
      this.#versus({ delta, budgetMs, blockMs, startMs: this.overrides.versus?.once === true ? null : this.#targets.startMs }) ??
      new RunSchedule<PlannedTrial>(this.plan, {
        adaptive,
        budgetMs,
        delta,
        blockMs,
        beyond: (largest, name) => {
          const larger = largerTrial(run, this.#targets, largest, name);
          if (larger !== null) trials.push(larger);
          return larger;
        },
      });
    const meanBlockMs = Math.max(1, this.#leastMs / Math.max(1, order.flat().length));
    run.progress.setSteps(6 + this.#targets.all.length * 2 + Math.ceil(schedule.remainingMs(0) / meanBlockMs));
    const compared = this.overrides.versus?.of === 'versions' ? 'versions' : 'values';
    await executeStrategy(schedule, run, {
      measure: (planned, { round, what }) => this.#targets.measure(planned, round, { code: 'measuring', name: planned.name, round: what }),
      together: ({ trials: all, round, what }) =>
        this.#targets.measureTogether(all, round, { code: 'measuring-several', what: compared, count: all.length, round: what }),
      startAnew: () => this.#targets.startAnew(),
      done: ({ trials: measured }) => void this.#order.push([...measured]),
    });
    return schedule instanceof RunSchedule ? schedule.found : [];
  }

  /** For two versions the budget covers all that is done with them, from their first start on: parts without time are reported before they begin. */
  #shareOut(blockMs: (planned: PlannedTrial) => number): BudgetShares {
    const { run, request, plan } = this;
    const isMix = plan.trials.some(({ process: { mix = [] } }) => mix.length > 1);
    const isWanted = {
      p99: this.#notAtRate === null,
      routes: isMix && this.overrides.versus?.of === 'versions',
      recording: request.record !== undefined,
    };
    const shares = shareOut(this.#untilEndMs, {
      wanted: besidesRounds.filter((part) => isWanted[part]),
      recordingMs: 2000 * ((request.record?.seconds ?? 0) + recorderS),
      leastMs: leastRoundsOfVersions * plan.trials.reduce((sum, planned) => sum + blockMs(planned), 0),
    });
    for (const part of shares.leftOut) {
      run.note({ code: 'part-left-out', part, budgetS: this.#budgetMs() / 1000 });
    }
    return shares;
  }

  /** The rest of the budget, in ms. */
  get #untilEndMs(): number {
    return this.overrides.leftMs?.() ?? Math.max(0, this.#budgetMs() - (this.run.progress.elapsedMs - this.#beganMs));
  }

  /** Null where p99 of two versions is compared at a fixed rate of our choice; else why not, without a word where that was not asked for. */
  get #notAtRate(): { why: DiffNote | null } | null {
    const { versus } = this.overrides;
    const { load } = this.plan;
    if (versus === undefined || versus.p99 === 'none' || load.ratePerS !== undefined) return { why: null };
    const why = notAtARate(load, this.#targets);
    return why === null ? null : { why };
  }

  /** p99 of two versions at one rate, in the rest of the budget. Returns why it was not compared; null where it was or was not asked for. */
  async #measureAtRate(): Promise<DiffNote | null> {
    const not = this.#notAtRate;
    if (not !== null) return not.why;
    const [a, b] = this.plan.trials;
    if (a === undefined || b === undefined) return null;
    const trials = [a, b].map(({ key }) => this.run.trialStore.recorded(key).trial);
    if (trials.some(({ valid }) => !valid)) return null;
    const [before = 0, now = 0] = trials.map(({ throughput }) => throughput.mean);
    const { routes = 0, recording = 0, p99 = 0 } = this.#shares?.parts ?? {};
    if (p99 === 0) return null;
    // Rounds that were decided early leave it more.
    const mostMs = Math.max(p99, this.#untilEndMs - routes - recording);
    const budgetMs = Math.max(p99, Math.min(mostMs, mostForRate * this.#budgetMs()));
    const options = { connections: a.connections, throughputs: [before, now] as const, budgetMs, mostMs };
    const { figures, neededMs } = await versionsAtRate(this.run, this.#targets, [a, b], options);
    for (const [key, figure] of figures) this.run.trialStore.of(key).openLoop = figure;
    this.#p99AtRate = figures.size === 2;
    if (figures.size > 0) return null;
    const budgetMin = Math.ceil(neededMs / mostForRate / 60_000);
    return { code: 'rate-missed', needed: neededMs <= budgetMs ? null : { neededS: neededMs / 1000, budgetMin } };
  }

  /** The answer and the best of each target once more in fresh processes, where those that were measured are not fresh themselves. */
  async #confirm(answers: readonly FoundValues[]): Promise<void> {
    const { run } = this;
    const { load } = this.plan;
    if (load.ratePerS !== undefined || load.stages !== undefined) {
      run.note({ code: 'unsteady-load-not-confirmed' });
      return;
    }
    for (const found of answers) {
      const { mode, label, declared } = this.#targets.of(found.answer);
      if (mode !== 'live') {
        run.note({ code: 'fresh-already', about: label });
        continue;
      }
      const { durationS, settleS } = load;
      const fresh = { blockMs: 1000 * durationS, settleMs: 1000 * settleS, delta: this.request.delta ?? defaultDelta };
      const { found: said, probeCost } = await confirmFresh(found, run, fresh);
      this.#confirmations.set(declared.target.id, said);
      if (probeCost !== null) run.note(probeCost);
    }
  }

  #budgetMs(): number {
    const { budgetS } = this.plan.load;
    return budgetS === undefined ? budgetFactor * this.#leastMs : budgetS * 1000;
  }

  /** What the fewest rounds take. */
  get #leastMs(): number {
    return this.plan.order.flat().reduce((sum, planned) => sum + this.#targets.blockMs(planned), 0);
  }

  /** For two versions, each route of their mix alone. */
  async #measureRoutes(): Promise<RoutesAlone> {
    const { load, trials } = this.plan;
    const [a, b] = trials;
    const { versus } = this.overrides;
    if (versus?.of !== 'versions' || a === undefined || b === undefined) return { routes: [], absent: null, noRate: null };
    const { mix = [] } = a.process;
    const budgetMs = this.#shares?.parts.routes ?? 0;
    if (budgetMs === 0 && mix.length > 1) return { routes: [], absent: null, noRate: null };
    const options = { mix, load, budgetMs, atRate: versus.p99 === 'routes' };
    return measureRoutesAlone(this.run, this.#targets, [a, b], options);
  }

  #versus(options: PairOptions<PlannedTrial>): Strategy<PlannedTrial, Block> | null {
    const [a, b] = this.plan.trials;
    const { versus } = this.overrides;
    if (versus === undefined || a === undefined || b === undefined) return null;
    return versus.of === 'versions'
      ? new PairSchedule(a, b, options)
      : new AgainstFirst(a, this.plan.trials.slice(1), { ...options, alike: false, isScreening: versus.once === true });
  }
}
