import type { PlannedTrial, RunPlan } from '../../run/plan.ts';
import type { RunProgress } from '../../run/runProgress.ts';
import type { TrialSighting } from '../../run/trialRecord.ts';
import { SeededRandom } from '../../statistics/seededRandom.ts';
import { isHopeless } from './measuredPoint.ts';
import type { JudgedRule } from './shape.ts';
import type { AnyMeasureTools } from '../../run/study/studyMeasures.ts';
import type { PlannedArm } from '../../run/study/studyPlan.ts';
import { trialSeconds } from './studyTime.ts';

/** A rule that would take more than this many times what is left of the time is not waited for … */
const hopeTimes = 8;
/** … but not before so many times the planned rounds were taken further: what few rounds foretell is a guess. */
const blindTimes = 2;

/** What the order of rounds needs to know of the run. */
export interface RoundTools extends Pick<
  AnyMeasureTools,
  'plan' | 'beforeRound' | 'deadlineMs' | 'rules' | 'blocks' | 'errorsCount' | 'roundBegins'
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

/**
 * All trials of the arms in the rounds of the plan, shuffled, every second one the mirror of the one before; then further rounds of those that a rule
 * still needs, until all rules are decided, the time is spent, or nothing more would decide.
 */
export async function untilDecided(
  tools: RoundTools,
  arms: readonly { planned: Pick<PlannedArm, 'process'> }[],
  turn: Turn,
): Promise<void> {
  const { progress, study, plan } = tools;
  const blockMs = 1000 * trialSeconds(plan);
  const own = new Set(arms.map(({ planned }) => planned.process));
  const order = study.run.order.map((round) => round.filter(({ process }) => own.has(process)));
  const planned = new Map((order[0] ?? []).map((one) => [one.key, one]));
  let leftMs = order.flat().length * blockMs;
  const measure = async (trials: readonly PlannedTrial[], round: number, stage: string): Promise<void> => {
    await tools.beforeRound();
    for (const one of trials) {
      progress.setRemaining(leftMs + 1500);
      progress.begin('measure', `${turn.what(one)}, ${stage}`, blockMs);
      leftMs -= blockMs;
      await turn.measure(one, round);
    }
  };
  for (const [index, round] of order.entries()) await measure(round, index + 1, `round ${index + 1} of ${order.length} or more`);
  const further = new MirroredOrder<PlannedTrial>(study.run.load.seed);
  for (let round = order.length + 1; ; round += 1) {
    const timeMs = tools.deadlineMs - progress.elapsedMs;
    const open = openRules(tools, planned, { round, planned: order.length, timeMs });
    const keys = new Set(open.flatMap(({ openKeys }) => openKeys));
    const trials = [...planned.values()].filter(({ key }) => keys.has(key));
    if (trials.length === 0 || trials.length * blockMs > timeMs) return;
    leftMs = Math.min(timeMs, Math.max(trials.length * blockMs, 1000 * Math.max(0, ...open.map(({ moreSeconds }) => moreSeconds ?? 0))));
    tools.roundBegins(round);
    await measure(
      further.next(trials),
      round,
      `round ${round}: ${openPhrase(open)} open, at most ${Math.max(1, Math.round(timeMs / 1000))} s more`,
    );
  }
}

/** Rules that further blocks of these trials may decide. Those that need other arms as well, which do not run now, cannot be. */
function openRules(
  tools: RoundTools,
  planned: ReadonlyMap<string, PlannedTrial>,
  at: { round: number; planned: number; timeMs: number },
): JudgedRule[] {
  return tools.rules().flatMap((rule): JudgedRule[] => {
    if (rule.agrees !== null || !rule.openKeys.every((key) => planned.has(key))) return [];
    const foretold = rule.moreSeconds !== null && 1000 * rule.moreSeconds <= hopeTimes * at.timeMs;
    const worthIt = foretold || at.round <= (1 + blindTimes) * at.planned;
    const openKeys = rule.openKeys.filter((key) => !isLost(tools, planned.get(key)));
    // Where one side of a comparison is void again and again, the other alone decides nothing.
    return worthIt && openKeys.length === rule.openKeys.length && openKeys.length > 0 ? [{ ...rule, openKeys }] : [];
  });
}

/** Whether nothing is gained by measuring a trial again: its process has ended, or its blocks are void again and again. */
function isLost(tools: RoundTools, planned: PlannedTrial | undefined): boolean {
  return planned === undefined || tools.sighting(planned).problems.length > 0 || isHopeless(tools.blocks(planned.key), tools.errorsCount);
}

function openPhrase(open: readonly JudgedRule[]): string {
  const [first] = open;
  return first === undefined || open.length > 1 ? `${open.length} rules are` : `${first.about} is`;
}

/** Orders of further rounds: shuffled, then the mirror of that, as far as the same are asked for again. */
export class MirroredOrder<T> {
  readonly #random: SeededRandom;
  #toMirror: readonly T[] | null = null;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed + 1);
  }

  next(items: readonly T[]): T[] {
    if (this.#toMirror !== null) {
      const mirrored = [...this.#toMirror].reverse().filter((one) => items.includes(one));
      this.#toMirror = null;
      return [...mirrored, ...items.filter((one) => !mirrored.includes(one))];
    }
    const order = [...items];
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = this.#random.nextInteger(0, last);
      [order[last], order[other]] = [order[other] as T, order[last] as T];
    }
    this.#toMirror = order;
    return order;
  }
}
