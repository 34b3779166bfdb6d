import type { RecordingRecord } from '../../../model/domain/recording.ts';
import { type RunRecord, type Trial, runRequestSchema } from '../../../model/domain/run.ts';
import { shapeAbout } from '../../../model/presentation/shapeWords.ts';
import type { RunNote } from '../../../model/domain/runNoteKinds.ts';
import type { StepMetrics } from '../../../model/domain/scenario.ts';
import type {
  ExperimentFile,
  ExperimentPlan,
  ExperimentRecord,
  ExperimentRequest,
  ExperimentSeries,
} from '../../../model/domain/experiment.ts';
import { warmUpTime } from '../../../model/domain/warmUpTime.ts';
import { allowedCores } from '../../observe/cpuAllowance.ts';
import { type ExperimentFindings, composeExperiment, errorsCountIn, judgeFindings } from '../../strategies/experiment/composeExperiment.ts';
import { type BlockMetrics, type ExtraMetrics, figuresOf, metricSlices } from '../../strategies/experiment/measuredPoint.ts';
import { deadlineMs, measuredSeconds } from '../../strategies/experiment/experimentTime.ts';
import type { ResolvedMix } from '../../load/requestMix.ts';
import { findTarget } from '../../targets/catalog.ts';
import { withDocuments } from '../backingServices.ts';
import { launchMs } from '../blockTime.ts';
import type { RunFacts } from '../composeRecord.ts';
import { bare } from '../aroundProcess.ts';
import { limitNotes } from '../limitNotes.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunContext } from '../runContext.ts';
import { type Procedure, type RunEnd, type RunOutcome, type RunUnderWay, performRun } from '../runLife.ts';
import { SharedData } from '../sharedData.ts';
import { type BlockMeasurement, noMeasurement, recordTrial } from '../trialRecord.ts';
import { keepsRaw, lookFurther } from './lookFurther.ts';
import { measureBreakingPoint } from './measureBreakingPoint.ts';
import { measureLadder } from './measureLadder.ts';
import { measureMemory } from './measureMemory.ts';
import { measureOutage } from './measureOutage.ts';
import { measureRoles } from './measureRoles.ts';
import { measureTogether } from './measureTogether.ts';
import { RunningVariant } from './runningVariant.ts';
import type { MeasureTools } from './experimentMeasures.ts';
import { missingRequirements } from './requirements.ts';
import { type PlannedExperiment, planOf, planExperiment } from './experimentPlan.ts';

type Measure<Kind extends ExperimentPlan['kind'] = ExperimentPlan['kind']> = (
  tools: MeasureTools<Kind>,
  variants: readonly RunningVariant[],
) => Promise<void>;

/** How variants that run are measured, by what the experiment's plan is. */
const measures: { readonly [Kind in ExperimentPlan['kind']]: Measure<Kind> } = {
  ladder: measureLadder,
  memory: measureMemory,
  outage: measureOutage,
  together: measureTogether,
  roles: measureRoles,
  'breaking-point': measureBreakingPoint,
};

/** Repeats a published experiment: of its variants those that this machine has the programs for. */
export function runExperiment(request: ExperimentRequest, file: ExperimentFile, context: RunContext): Promise<RunOutcome> {
  const lacks = file.variants.map((variant) => ({ variant, needs: missingRequirements(variant.needs, context.toolchain) }));
  const chosen = lacks.flatMap(({ variant, needs }) => (needs.length === 0 ? [variant] : []));
  const targets = [...new Set(chosen.map(({ target }) => target))].map((id) => findTarget(context.declarations, id));
  const perform = (own: RunContext): Promise<RunOutcome> =>
    performRun(own, () => {
      const plan = planOf(file, request);
      const experiment = { ...file, [request.form]: plan };
      const planned = planExperiment(experiment, plan, chosen, own.declarations);
      const { variants, run } = planned;
      return {
        plan: run,
        data: new SharedData(targets, mixesByTarget(planned)),
        topologyOf: (process) => variants.find((one) => one.process === process)?.variant.topology ?? bare,
        steps: stepsOf(planned, run.load.rounds),
        preparing: 'experiment',
        raw: keepsRaw(plan) ? request.raw : undefined,
        notes: [
          ...lacks.flatMap(({ variant: { label }, needs }) =>
            needs.map(({ need, message, cure }): RunNote => ({ code: 'variant-left-out', label, need, message, remedy: cure })),
          ),
          ...(request.raw === undefined || keepsRaw(plan) ? [] : [{ code: 'roles-without-raw' } as const]),
        ],
        announce: (runId) => {
          const record = composeExperiment(noFindings(experiment, request, planned));
          own.emit({ type: 'experiment', runId, doing: { code: 'blocks', count: 0 }, record });
        },
        procedure: (under) => new ExperimentProcedure(under, request, experiment, planned),
      };
    });
  return file.needs.includes('documents') ? withDocuments(targets, context, perform) : perform(context);
}

function mixesByTarget({ variants }: PlannedExperiment): Map<string, Pick<ResolvedMix, 'mix'>> {
  const byTarget = new Map<string, Pick<ResolvedMix, 'mix'>>();
  for (const { variant, process } of variants) {
    const before = byTarget.get(variant.target)?.mix ?? [];
    byTarget.set(variant.target, { mix: [...before, ...(process.mix ?? [])] });
  }
  return byTarget;
}

/** Before anything is measured; `coresOf` a variant, all its instances together, where they are limited. */
function noFindings(
  experiment: ExperimentFile,
  { form }: ExperimentRequest,
  { variants }: PlannedExperiment,
  coresOf: ReadonlyMap<string, number | null> = new Map(),
): ExperimentFindings {
  return {
    experiment,
    form,
    cores: allowedCores(),
    trials: [],
    blocks: new Map(),
    extra: new Map(),
    series: [],
    steps: [],
    variants: variants.map(({ variant: { name, label }, trials }) => ({
      name,
      label,
      coresAvailable: coresOf.get(name) ?? null,
      trials: trials.map(({ key, connections }) => ({ key, level: connections })),
    })),
  };
}

/** Preparing, services, stopping, writing; each variant’s start and warm-up; and the blocks. */
function stepsOf({ variants, run }: PlannedExperiment, rounds: number): number {
  return 4 + 2 * variants.length + run.trials.length * rounds;
}

/** The plan of a published experiment: its variants side by side or one after the other, each measured in the way that the plan says. */
class ExperimentProcedure implements Procedure {
  readonly #extra = new Map<string, ExtraMetrics>();
  readonly #blockFigures = new WeakMap<BlockMeasurement, BlockMetrics>();
  readonly #series: ExperimentSeries[] = [];
  readonly #steps: StepMetrics[] = [];
  readonly #cores = new Map<string, number | null>();
  #blocks = 0;
  #roundsDone: number;
  #recordings: RecordingRecord[] = [];

  constructor(
    private readonly run: RunUnderWay,
    private readonly request: ExperimentRequest,
    private readonly experiment: ExperimentFile,
    private readonly planned: PlannedExperiment,
  ) {
    this.#roundsDone = planned.run.load.rounds;
  }

  /** Every trial has been measured about once. */
  get worthKeeping(): boolean {
    return this.#blocks >= this.planned.run.trials.length;
  }

  async measure(): Promise<void> {
    const { run, planned, experiment } = this;
    for (const note of await this.#tightLimits()) run.note(note);
    // Those that cannot run at once are measured one after the other.
    const turns = experiment.interleaved ? [planned.variants] : planned.variants.map((variant) => [variant]);
    for (const [turn, variants] of turns.entries()) {
      const started: RunningVariant[] = [];
      for (const variant of variants) {
        run.progress.begin('targets', { code: 'starting', name: variant.variant.label }, launchMs);
        await run.pool.launch(variant.process);
        started.push(new RunningVariant(variant, run.pool));
        this.#cores.set(variant.variant.name, run.pool.coresAvailable(variant.process.key));
      }
      const unsteady: string[] = [];
      for (const one of started) if (!(await this.#warmUp(one))) unsteady.push(one.planned.process.name);
      // Variants take turns in short rounds, so that drift affects all alike: it is reported once, and discards nothing.
      if (unsteady.length > 0) run.note({ code: 'variants-unsteady', names: unsteady });
      const tools = this.#tools(started, turns.length - turn);
      await (measures[tools.plan.kind] as Measure)(tools, started);
      const { plan, extra } = tools;
      this.#recordings = await lookFurther(run, started, { plan, planned, extra, request: this.request, before: this.#recordings });
      if (turns.length > 1) for (const { planned: own } of started) await run.pool.stop(own.process.key);
    }
  }

  facts({ trials }: RunEnd): Omit<RunFacts, keyof RunEnd> {
    const { planned, run } = this;
    return {
      plan: planned.run,
      commandOf: ({ process }) => run.pool.command(process.key),
      recordings: this.#recordings,
      found: { result: this.#record(trials), recommendations: [] },
      request: runRequestSchema.parse({ targets: [...new Set(planned.variants.map(({ variant }) => variant.target))] }),
      mode: {
        mode: 'process-per-setting',
        reasons: [{ code: this.experiment.interleaved ? 'variants-at-once' : 'variants-in-turn' }],
      },
      roundsDone: this.#roundsDone,
    };
  }

  revise({ trials }: RunRecord): Partial<RunRecord> {
    return { result: this.#record(trials) };
  }

  /** The limits of this machine that would spoil the highest level of the experiment. */
  #tightLimits(): Promise<RunNote[]> {
    const { variants, run } = this.planned;
    const plan = this.experiment[this.request.form];
    return limitNotes(
      variants.map(({ process }) => process),
      {
        connections: plan.kind === 'breaking-point' ? plan.highest : Math.max(1, ...run.trials.map(({ connections }) => connections)),
        instances: Math.max(1, ...variants.map(({ variant }) => variant.topology.instances)),
        throughProxy: variants.some(({ variant }) => variant.topology.proxy !== null),
        maxConnections: this.run.maxConnections,
      },
    );
  }

  /** For variants that run now; `turnsLeft` with them share the time that is left for additional rounds. */
  #tools(variants: readonly RunningVariant[], turnsLeft: number): MeasureTools {
    const { run } = this;
    const { trialStore, progress } = run;
    const plan = this.experiment[this.request.form];
    const own = variants.map(({ planned }) => planned.variant);
    const nowMs = progress.elapsedMs;
    const lastMs = deadlineMs(this.request.form, nowMs, 1000 * measuredSeconds(plan, own) * turnsLeft);
    return {
      plan,
      experiment: this.planned,
      context: run.context,
      harness: run.harness,
      progress,
      extra: this.#extra,
      series: this.#series,
      steps: this.#steps,
      note: run.note,
      deadlineMs: nowMs + (lastMs - nowMs) / turnsLeft,
      about: ({ rule }) => shapeAbout(rule, this.experiment),
      rules: () => judgeFindings(this.#findings(trialStore.tried().map(({ trial }) => trial))).rules,
      blocks: (key) => this.#figuresOf(key),
      errorsCount: errorsCountIn(this.experiment, this.request.form),
      roundBegins: (round) => {
        this.#roundsDone = Math.max(this.#roundsDone, round);
        progress.setSteps(stepsOf(this.planned, this.#roundsDone));
      },
      measurement: ({ key }) => trialStore.of(key),
      beforeRound: () => run.beforeRound(),
      assertWorthwhile: () => run.assertWorthwhile(),
      told: (planned) => this.#told(planned),
    };
  }

  /** Puts load on a variant at its middle level, with the CPU that there is, until its throughput is steady; false when it was not. */
  async #warmUp(variant: RunningVariant): Promise<boolean> {
    const { trials, process } = variant.planned;
    const planned = trials[Math.floor((trials.length - 1) / 2)];
    if (planned === undefined) return true;
    const { expectedS } = warmUpTime(this.planned.run.load, process.declared.target.runtime);
    this.run.progress.begin('warmUp', { code: 'warming-up', name: process.name, processes: 1 }, expectedS * 1000);
    const underLoad = { ...planned, connections: Math.min(planned.connections, 64) };
    const outcome = await this.run.pool.unlimited([process.key], () => this.run.harness.warmUp(underLoad, [variant.running]));
    return outcome?.unsteady == null;
  }

  #told(planned: PlannedTrial): void {
    const { trialStore, context, runId } = this.run;
    this.#blocks += 1;
    this.run.tellTrial(planned);
    const record = this.#record(trialStore.tried().map(({ trial }) => trial));
    context.emit({ type: 'experiment', runId, doing: { code: 'blocks', count: this.#blocks }, record });
  }

  /** The figures of each block of a trial, as if it were the only one. */
  #figuresOf(key: string): BlockMetrics[] {
    const variant = this.planned.variants.find(({ trials }) => trials.some((one) => one.key === key));
    if (variant === undefined) return [];
    const { planned, blocks } = this.run.trialStore.of(key);
    return blocks.map((block) => {
      const known = this.#blockFigures.get(block);
      if (known !== undefined) return known;
      const { trial } = recordTrial({ ...noMeasurement(planned), blocks: [block] }, this.run.harness.observations);
      const coresAvailable = this.#cores.get(variant.variant.name) ?? null;
      const figures = figuresOf(trial, coresAvailable);
      const taken = block.interference == null ? null : block.interference.takenPercent / 100;
      const { valid, reasons, requests, errors } = trial;
      const seen = trial.blocks[0]?.slices;
      const slices = seen === undefined ? undefined : metricSlices(seen, planned.connections, taken);
      const made = { round: block.round, taken, valid, reasons, requests, errors: errors.total, figures, slices };
      this.#blockFigures.set(block, made);
      return made;
    });
  }

  #findings(trials: readonly Trial[]): ExperimentFindings {
    return {
      ...noFindings(this.experiment, this.request, this.planned, this.#cores),
      trials,
      extra: this.#extra,
      series: this.#series,
      steps: this.#steps,
      blocks: new Map(trials.map(({ key }) => [key, this.#figuresOf(key)])),
    };
  }

  #record(trials: readonly Trial[]): ExperimentRecord {
    return composeExperiment(this.#findings(trials));
  }
}
