import { isHopeless } from '../../strategies/study/measuredPoint.ts';
import { trialSeconds } from '../../strategies/study/studyTime.ts';
import { UntilDecided } from '../../strategies/study/untilDecided.ts';
import { carryOut } from '../carryOut.ts';
import type { PlannedTrial, RunPlan } from '../plan.ts';
import type { RunProgress } from '../runProgress.ts';
import type { TrialSighting } from '../trialRecord.ts';
import type { AnyMeasureTools } from './studyMeasures.ts';
import type { PlannedArm } from './studyPlan.ts';

/** What measuring in rounds needs of the run. */
export interface RoundTools extends Pick<
  AnyMeasureTools,
  'plan' | 'beforeRound' | 'assertWorthwhile' | 'deadlineMs' | 'rules' | 'blocks' | 'errorsCount' | 'roundBegins'
> {
  study: { run: { order: RunPlan['order']; load: Pick<RunPlan['load'], 'seed'> } };
  progress: Pick<RunProgress, 'elapsedMs' | 'begin' | 'setRemaining'>;
  sighting: (planned: PlannedTrial) => Pick<TrialSighting, 'problems'>;
}

/** How one trial is measured once, and how its measuring is called. */
export interface Turn {
  what: (planned: PlannedTrial) => string;
  measure: (planned: PlannedTrial, round: number) => Promise<void>;
}

/** The trials of arms that run now in rounds, until the rules of the study are decided or the time is spent. */
export function measureRounds(tools: RoundTools, arms: readonly { planned: Pick<PlannedArm, 'process'> }[], turn: Turn): Promise<void> {
  const { progress, study, plan } = tools;
  const own = new Set(arms.map(({ planned }) => planned.process));
  const order = study.run.order.map((round) => round.filter(({ process }) => own.has(process)));
  const blockMs = 1000 * trialSeconds(plan);
  const rounds = new UntilDecided(order, {
    blockMs,
    seed: study.run.load.seed,
    budgetMs: tools.deadlineMs - progress.elapsedMs,
    rules: tools.rules,
    isLost: (planned) => tools.sighting(planned).problems.length > 0 || isHopeless(tools.blocks(planned.key), tools.errorsCount),
  });
  return carryOut(rounds, tools, {
    measure: async (planned, { round, stage }) => {
      tools.roundBegins(round);
      progress.begin('measure', `${turn.what(planned)}, ${stage}`, blockMs);
      await turn.measure(planned, round);
      return true;
    },
  });
}
