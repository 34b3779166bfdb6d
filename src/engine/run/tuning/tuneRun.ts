import type { Stage } from '../../../model/domain/progress/stageKinds.ts';
import { failure, FailureError } from '../../../model/domain/failure.ts';
import type { ProbeCost } from '../../../model/domain/freshFinding.ts';
import type { RecordingRecord } from '../../../model/domain/recording.ts';
import type { RunRequest, Trial } from '../../../model/domain/run.ts';
import { type TuneRequest, type TuningAnswer, tunedTopology } from '../../../model/domain/tuning.ts';
import { recommendationsOf } from '../../../model/domain/tuningAnswers.ts';
import { defined } from '../../../model/domain/defined.ts';
import { reservedSessions } from '../../limits/reservedSessions.ts';
import { findNginx, nginxMissing } from '../../services/nginx/findNginx.ts';
import type { Database } from '../../services/postgresService.ts';
import { claimRounds } from '../../statistics/kneeRule.ts';
import { blocksNeeded } from '../../statistics/tuningSearch.ts';
import { SearchRounds } from '../../strategies/search/searchRounds.ts';
import { OpenLoopStage, rateWindows } from '../../strategies/search/tuneOpenLoop.ts';
import type { Round } from '../../strategies/strategy.ts';
import { findTarget } from '../../targets/catalog.ts';
import { throughBouncer } from '../../targets/throughBouncer.ts';
import { varied } from '../../variants/varied.ts';
import { settleSeconds } from '../blockTime.ts';
import { acquisitionsOf } from '../blockWaits.ts';
import { generatorNotes, refuseForK6 } from '../refuseForK6.ts';
import type { RunFacts } from '../composeRecord.ts';
import { executeStrategy } from '../executeStrategy.ts';
import { confirmFresh } from '../confirmFresh.ts';
import { bare } from '../aroundProcess.ts';
import { loadProfileNamed } from '../loadProfileNamed.ts';
import { type PlannedTrial, serverConnections } from '../plan.ts';
import { priceRaw } from '../priceRaw.ts';
import { lookAtWaits } from '../recording/lookAtWaits.ts';
import { nameHottest } from '../recording/nameHottest.ts';
import { recordTrials } from '../recording/recordTrials.ts';
import type { RunContext } from '../runContext.ts';
import { type Procedure, type RunEnd, type RunOutcome, type RunUnderWay, performRun } from '../runLife.ts';
import { RunTargets } from '../runTargets.ts';
import { SharedData } from '../sharedData.ts';
import { rateRounds } from '../versionsAtRate.ts';
import { answerOf } from './tuneEvidence.ts';
import {
  type TunePlan,
  blockLengthS,
  leaveOutToday,
  openLoopShare,
  planTuning,
  processesOf,
  refuseShortBudget,
  warmUps,
} from './tunePlan.ts';
import { TunedTarget } from './tunedTarget.ts';

/** Preparing, services, targets, warming up, stopping, writing. */
const preparingSteps = 6;
/** The most of the budget that warming up may take, beyond the least: the rest is a drift that affects mirrored rounds alike. */
const warmUpShare = 0.25;
/** How long each value is measured in a round of slices: what is decided early ends early. */
const slicedS = 0.6;

/**
 * Finds which value of a setting to use: rounds over the candidates, narrowed to those that decide, until the answer is known or the budget
 * is spent; then p99 at a fixed rate. A cancelled one is stored when a whole round was measured.
 */
export function runTuning(asked: TuneRequest, context: RunContext): Promise<RunOutcome> {
  return performRun(context, () => {
    const found = [...new Set(asked.targets)].map((id) =>
      throughBouncer(findTarget(context.declarations, id), tunedTopology(asked)?.bouncer),
    );
    const { targets, settings } = varied(found, asked.settings, context.toolchain);
    const request = { ...asked, settings };
    const plan = planTuning(targets, loadProfileNamed(context.declarations, request.load), request);
    const load = warmedBriefly(plan, request);
    const topology = tunedTopology(request) ?? bare;
    const proxied = topology.proxy !== null;
    if (proxied && findNginx() === null) throw new FailureError(nginxMissing());
    if (request.generator !== undefined)
      refuseForK6(plan.run, request.generator, { ...request, searching: true, proxied }, context.k6Params);
    return {
      plan: { ...plan.run, load, estimateMs: request.budgetS * 1000 },
      data: new SharedData(targets, plan.run.mixes, plan.run.processes),
      topologyOf: () => topology,
      raw: request.raw,
      delta: request.delta,
      steps: preparingSteps,
      preparing: 'tuning',
      generator: request.generator,
      ...(request.generator === undefined ? {} : { notes: generatorNotes(request.generator, context.k6Params, 'tuning') }),
      refuse: (database) => (database === null ? refuseShortBudget(plan, request) : refuseLargePools(plan, database)),
      procedure: (run) => new SearchProcedure(run, request, plan, load),
    };
  });
}

/** The profile with a warm-up that leaves most of the budget for measuring. */
function warmedBriefly(plan: TunePlan, { mode, budgetS }: TuneRequest): TunePlan['run']['load'] {
  const { load } = plan.run;
  const most = Math.max(1, (budgetS * warmUpShare) / warmUps(plan, processesOf(plan, mode !== 'process-per-setting')));
  const { minS, maxS, jvmMinS, jvmMaxS } = load.warmUp;
  const cap = (least: number, limit: number): number => Math.max(least, Math.min(limit, most));
  return { ...load, warmUp: { minS, maxS: cap(minS, maxS), jvmMinS, jvmMaxS: cap(Math.max(minS, jvmMinS), jvmMaxS) } };
}

function refuseLargePools(plan: TunePlan, { facts: { maxConnections } }: Database): void {
  const most = maxConnections - reservedSessions;
  const tooLarge = leaveOutToday(plan, ({ process }) => serverConnections(process) <= most);
  const limits = { most: maxConnections, reserved: reservedSessions };
  plan.leftOut.push(...tooLarge.map((name) => ({ code: 'today-too-large', name, ...limits }) as const));
  for (const { process } of plan.run.trials) {
    const wanted = serverConnections(process);
    if (wanted <= most) continue;
    throw failure(
      'pool-too-large',
      `${process.name} wants ${wanted} connections, and PostgreSQL allows ${maxConnections}, of which ${reservedSessions} are kept back.`,
      process.declared.target.postgres?.bouncer === undefined
        ? `Name pools of at most ${Math.floor(most / process.instances)}, or raise max_connections of the server.`
        : `Name pools of PgBouncer of at most ${most}, or raise max_connections of the server.`,
    );
  }
}

/** What is done of a round; `name`: of the trial that is measured, where it is one. */
function roundStep({ what }: Round<PlannedTrial>, name: string | null = null): Stage {
  return { code: 'round', round: what, name, route: null };
}

/** Bars the values whose p99 is worse; whether the answer so far is one of them. */
function barSlow({ search, openLoop }: TunedTarget): boolean {
  const answer = search.finding().knee?.confirmed.key;
  const slow = [...(openLoop?.comparison()?.verdicts ?? [])].flatMap(([key, verdict]) => (verdict === 'worse' ? [key] : []));
  search.bar(slow);
  return answer !== undefined && slow.includes(answer);
}

/** A search in closed loop, then p99 at a fixed rate, then fresh processes when they are asked for. */
class SearchProcedure implements Procedure {
  readonly #order: PlannedTrial[][] = [];
  readonly #targets: RunTargets;
  readonly #tuned: TunedTarget[];
  #probeCost: ProbeCost | null = null;
  #recordings: RecordingRecord[] = [];

  constructor(
    private readonly run: RunUnderWay,
    private readonly request: TuneRequest,
    private readonly plan: TunePlan,
    load: TunePlan['run']['load'],
  ) {
    this.#targets = new RunTargets(run, { topology: tunedTopology(request) ?? bare, mode: request.mode }, load);
    const options = { delta: request.delta, seed: load.seed };
    this.#tuned = plan.targets.map((target) => new TunedTarget(target, run, this.#targets, options));
  }

  get worthKeeping(): boolean {
    return this.#order.length > 0;
  }

  async measure(): Promise<void> {
    const { run, request, plan } = this;
    const topology = tunedTopology(request);
    if (topology !== undefined) run.note({ code: 'topology', topology });
    for (const note of plan.leftOut) run.note(note);
    await this.#targets.prepare();
    for (const { mode, label, modeReasons } of this.#targets.all)
      if (request.mode === 'auto' && mode !== 'live') run.note({ code: 'mode', about: label, why: [...modeReasons] });
    const durationS = request.blockS ?? (run.harness.notSliced === null ? slicedS : blockLengthS(plan, this.#leftS(), this.#settleS));
    this.#targets.load = { ...this.#targets.load, durationS };
    const blocks = this.#tuned.map(({ blockMs }) => (1000 * this.#leftS()) / this.#tuned.length / blockMs);
    run.progress.setSteps(preparingSteps + Math.ceil(blocks.reduce((sum, one) => sum + one, 0)));
    await this.#search();
    // While the size may still turn over, its p99 is worth less than its throughput.
    if (this.#tuned.some(({ search }) => search.finding().status === 'undecided')) await this.#executeRounds(this.#leftS());
    for (const [index, tuned] of this.#tuned.entries()) await this.#compareAtRate(tuned, this.#tuned.length - index);
    // Time that p99 could not use, since a round would have needed more, is for the rounds. Where p99 ruled the answer out, another one is open.
    const without = this.#tuned.every(({ openLoop }) => openLoop?.comparison() == null);
    if (without || this.#tuned.map(barSlow).includes(true)) await this.#executeRounds(this.#leftS());
    if (request.confirm) for (const tuned of this.#tuned) await this.#confirm(tuned);
    const planned = run.trialStore.measurements.map((measurement) => measurement.planned);
    await lookAtWaits(run, this.#targets, planned, this.#answered());
    await priceRaw(run, this.#targets, planned[0], request.raw, this.#targets.load);
    this.#recordings = await recordTrials(run, this.#targets, this.#answered(), request.record);
    await nameHottest(run, this.#recordings);
    this.#tell(this.#ended(false));
  }

  #ended(cancelled: boolean): Stage {
    const decided = this.#tuned.every(({ search }) => search.finding().decided);
    const rounds = this.#order.length;
    return cancelled && !decided ? { code: 'cancelled', rounds } : { code: 'ended', decided, rounds };
  }

  facts({ trials, durationMs, cancelled }: RunEnd): Omit<RunFacts, keyof RunEnd> {
    const answers = this.#answers(trials, true);
    const { load } = this.#targets;
    const { targets, settings, load: profile, delta, slo, route, generator } = this.request;
    const { connections } = this.plan;
    // The same as a plain run: what “Run Again” repeats.
    const runRequest: RunRequest = {
      targets,
      settings,
      load: profile,
      connections: [connections],
      delta,
      ...defined({ slo, route, topology: tunedTopology(this.request), generator }),
    };
    // Those that the search added are among them.
    const planned = this.run.trialStore.measurements.map((measurement) => measurement.planned);
    const measured = { ...this.plan.run.load, connections, durationS: load.durationS, settleS: this.#settleS };
    return {
      request: runRequest,
      plan: { ...this.plan.run, load: measured, trials: planned, order: this.#order },
      mode: this.#targets.mode(),
      commandOf: (trial) => this.#targets.command(trial),
      recordings: this.#recordings,
      found: {
        result: {
          kind: 'tune',
          request: this.request,
          spentS: durationMs / 1000,
          stage: this.#ended(cancelled),
          probeCost: this.#probeCost,
          answers,
        },
        recommendations: recommendationsOf(answers.filter(({ settingNames }) => settingNames.length === 1)),
      },
    };
  }

  /** What is recommended of each target, and the best where it is another. */
  #answered(): PlannedTrial[] {
    return this.#tuned.flatMap(({ found }) => (found === null ? [] : [...new Set([found.answer, found.best])]));
  }

  #leftS(): number {
    return this.request.budgetS - this.run.progress.elapsedMs / 1000;
  }

  /** The longest time that blocks of a target need to settle. */
  get #settleS(): number {
    return Math.max(...this.#targets.all.map(({ mode }) => settleSeconds(mode, this.plan.run.load)));
  }

  /** Rounds, the targets taking turns, until each is decided or the time for searching is over. */
  async #search(): Promise<void> {
    const leftS = this.#leftS();
    // A start that took longer than was thought must not leave a run that says nothing: the fewest rounds for a claim are always measured.
    const leastS = this.#tuned.reduce(
      (sum, { search, blockMs }) => sum + ((blocksNeeded(search.measured.length, claimRounds) + 1) * blockMs) / 1000,
      0,
    );
    const searchS = leftS * (1 - openLoopShare);
    if (searchS < leastS) this.run.note({ code: 'started-slowly', overS: leastS > leftS ? Math.ceil(leastS - leftS) : null });
    await this.#executeRounds(Math.max(searchS, leastS));
  }

  async #executeRounds(searchS: number): Promise<void> {
    const rounds = new SearchRounds<PlannedTrial>(this.#tuned, { searchMs: 1000 * searchS, allMs: 1000 * this.#leftS() });
    await executeStrategy(rounds, this.run, {
      measure: async (planned, of) => this.#targets.measure(planned, of.round, roundStep(of, planned.name)),
      together: (of) => this.#targets.measureTogether(of.trials, of.round, roundStep(of)),
      observed: (of) => this.#tell(roundStep(of)),
      done: ({ trials }) => void this.#order.push([...trials]),
    });
  }

  /** p99 of those that matter, at a rate that the best can carry easily. It may take its share of the budget, also where the search ended early. */
  async #compareAtRate(tuned: TunedTarget, targetsLeft: number): Promise<void> {
    const { load } = this.#targets;
    const leastWindowS = tuned.processes.mode === 'restart-per-block' ? load.durationS : undefined;
    const seesWaits = tuned.resource === 'pool';
    const stage = new OpenLoopStage(tuned.search, this.plan.connections, { leastWindowS, seesWaits });
    tuned.openLoop = stage;
    const windowMs = tuned.blockMs + 1000 * (stage.windowS - load.durationS);
    const leftMs = (1000 * this.#leftS()) / targetsLeft;
    const ownMs = Math.min(leftMs, (1000 * openLoopShare * this.request.budgetS) / targetsLeft);
    // At a low rate many windows are pooled for one p99: they may use the time that the search has left over. Their share alone would be too short.
    const neededMs = (stage.windowsNeeded + 0.5) * windowMs;
    const shareMs = neededMs <= leftMs ? Math.max(ownMs, neededMs) : ownMs;
    const spentMs = this.run.progress.elapsedMs;
    if (stage.windowsNeeded > 0) tuned.p99BudgetS = Math.max(spentMs + neededMs, neededMs / openLoopShare) / 1000;
    const windows = rateWindows(stage, { shareMs, windowMs, trial: (key) => tuned.trial(key) });
    const changes = { open: stage.open, windowMs: stage.windowS * 1000, apart: true };
    await executeStrategy(windows, this.run, {
      measure: async (planned, of) => {
        const seen = await this.#targets.see(planned, rateRounds + of.round, roundStep(of, planned.name), changes);
        return 'why' in seen ? null : { ...seen, acquisitions: seesWaits ? acquisitionsOf(seen.probe, seen.result.requests) : null };
      },
      observed: (of) => this.#tell(roundStep(of)),
      keepsData: true,
    });
    for (const [key, figure] of stage.comparison()?.figures ?? []) this.run.trialStore.of(key).openLoop = figure;
  }

  async #confirm(tuned: TunedTarget): Promise<void> {
    const { found } = tuned;
    if (found === null) return;
    this.#tell({ code: 'fresh-processes', target: tuned.label });
    const confirmed = await confirmFresh(found, this.run, {
      blockMs: this.#targets.load.durationS * 1000,
      settleMs: this.plan.run.load.settleS * 1000,
      delta: this.request.delta,
    });
    tuned.confirmation = confirmed.found;
    if (confirmed.probeCost !== null) this.#probeCost = confirmed.probeCost;
  }

  #tell(doing: Stage): void {
    const { trialStore, context, progress, runId } = this.run;
    const answers = this.#answers(
      trialStore.tried().map(({ trial }) => trial),
      false,
    );
    context.emit({ type: 'tuning', runId, doing, spentS: progress.elapsedMs / 1000, budgetS: this.request.budgetS, answers });
  }

  #answers(trials: readonly Trial[], finished: boolean): TuningAnswer[] {
    const { context } = this.run;
    return this.#tuned.map((tuned) => {
      const { id } = tuned.plan.declared.target;
      return answerOf({
        tuned,
        finished,
        delta: this.request.delta,
        trials: trials.filter(({ target }) => target === id),
        labelOf: (setting) => context.labelOf(id, setting),
      });
    });
  }
}
