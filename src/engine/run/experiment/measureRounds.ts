import type { RoundKind } from '../../../model/domain/progress/roundKinds.ts';
import type { Step } from '../../../model/domain/progress/stepKinds.ts';
import { type BlockMetrics, isHopeless } from '../../strategies/experiment/measuredPoint.ts';
import { stretchedMs, trialSeconds } from '../../strategies/experiment/experimentTime.ts';
import { UntilDecided } from '../../strategies/experiment/untilDecided.ts';
import { executeStrategy } from '../executeStrategy.ts';
import type { PlannedTrial, RunPlan } from '../plan.ts';
import type { RunProgress } from '../runProgress.ts';
import type { TrialMeasurement } from '../trialRecord.ts';
import type { MeasureTools } from './experimentMeasures.ts';
import type { PlannedVariant } from './experimentPlan.ts';

export interface RoundTools extends Pick<
  MeasureTools,
  'plan' | 'beforeRound' | 'assertWorthwhile' | 'deadlineMs' | 'rules' | 'about' | 'blocks' | 'errorsCount' | 'roundBegins'
> {
  experiment: { run: { order: RunPlan['order']; load: Pick<RunPlan['load'], 'seed'> } };
  progress: Pick<RunProgress, 'elapsedMs' | 'begin' | 'setRemaining' | 'setOpen'>;
  measurement: (planned: PlannedTrial) => Pick<TrialMeasurement, 'problems'>;
}

/** How one trial is measured once, and how that is called; or all trials of a round together. */
export interface Turn {
  step: (name: string, round: RoundKind) => Step;
  measure: (planned: PlannedTrial, round: number) => Promise<void>;
  together?: (trials: readonly PlannedTrial[], round: number, what: RoundKind) => Promise<void>;
}

/** The trials of variants that run now in rounds, until the rules of the experiment are decided or the time is spent. */
export function measureRounds(
  tools: RoundTools,
  variants: readonly { planned: Pick<PlannedVariant, 'process'> }[],
  turn: Turn,
): Promise<void> {
  const { progress, experiment, plan } = tools;
  const own = new Set(variants.map(({ planned }) => planned.process));
  const order = experiment.run.order.map((round) => round.filter(({ process }) => own.has(process)));
  const blockMs = 1000 * trialSeconds(plan);
  const budgetMs = tools.deadlineMs - progress.elapsedMs;
  const planned = order[0] ?? [];
  const rounds = new UntilDecided(order, {
    blockMs,
    seed: experiment.run.load.seed,
    budgetMs: () => stretchedMs(budgetMs, interferenceShare(planned.flatMap(({ key }) => tools.blocks(key)))),
    rules: tools.rules,
    about: tools.about,
    isLost: (trial) => tools.measurement(trial).problems.length > 0 || isHopeless(tools.blocks(trial.key), tools.errorsCount),
  });
  const { together } = turn;
  return executeStrategy(rounds, tools, {
    ...(together === undefined
      ? {}
      : {
          together: async ({ trials, round, what }) => {
            tools.roundBegins(round);
            await together(trials, round, what);
            return new Map(trials.map((one) => [one, true as const]));
          },
        }),
    measure: async (planned, { round, what }) => {
      tools.roundBegins(round);
      progress.begin('measure', turn.step(planned.name, what), blockMs);
      await turn.measure(planned, round);
      return true;
    },
  });
}

/** Mean share of the CPU that others used in these blocks, those that do not count included, 0 … 1. */
function interferenceShare(blocks: readonly BlockMetrics[]): number {
  const known = blocks.flatMap(({ taken }) => (taken === null ? [] : [taken]));
  return known.length === 0 ? 0 : known.reduce((sum, taken) => sum + taken, 0) / known.length;
}
