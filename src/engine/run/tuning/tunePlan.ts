import { failure } from '../../../model/domain/failure.ts';
import type { LoadProfile } from '../../../model/domain/loadProfile.ts';
import type { SettingValues } from '../../../model/domain/setting.ts';
import type { RunNote } from '../../../model/domain/runNoteKinds.ts';
import { optionsOfTune } from '../../../model/presentation/runOptionText.ts';
import { type TuneRequest, tunedTopology } from '../../../model/domain/tuning.ts';
import { warmUpTime } from '../../../model/domain/warmUpTime.ts';
import { defined } from '../../../model/domain/defined.ts';
import type { DeclaredTarget } from '../../targets/catalog.ts';
import { settleSeconds } from '../blockTime.ts';
import { leaveOut } from '../furtherTrials.ts';
import { type PlannedTrial, type RunPlan, blockOverheadS, closedLoop, instancesSetting, planRun, refuseForRunning } from '../plan.ts';
import { claimRounds, confirmRounds } from '../../statistics/kneeRule.ts';
import { type TunedCandidate, blocksNeeded } from '../../statistics/tuningSearch.ts';

/** How many settings may vary at once: a line, or a grid that fits on a page. */
const mostVaried = 2;
/** Seconds that PostgreSQL, the apps and the load generator take to start. */
const startS = 3;
/** The share of the budget that is kept for comparing p99 at a fixed rate. */
export const openLoopShare = 0.2;
const shortestBlockS = 1;
/** Where a switch costs next to nothing, twice as many short blocks show more than long ones; where it costs a second, long ones pay for it. */
const longestBlockS = (settleS: number): number => (settleS <= 0.5 ? 1.25 : 2);

/** What is tuned of one target. A larger value that the search asks for is added to the trials. */
export interface TargetPlan {
  declared: DeclaredTarget;
  trials: PlannedTrial[];
  candidates: TunedCandidate[];
}

export interface TunePlan {
  run: RunPlan;
  targets: TargetPlan[];
  /** Names of the settings that have several values, in the order in which they were asked for. */
  varied: string[];
  connections: number;
  /** Why what is in use today is not measured. */
  leftOut: RunNote[];
}

/** The order of smallness of a combination: the product of its numbers, so that a grid’s smallest cell is the one that costs the least. */
function size(values: SettingValues): number {
  return Object.values(values).reduce<number>((product, value) => (typeof value === 'number' ? product * Math.max(value, 1) : product), 1);
}

function only(values: SettingValues, names: readonly string[]): SettingValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** The plan of a tuning. Fails with what is wrong with the request: nothing to choose between, too many settings, unknown names or values. */
export function planTuning(targets: readonly DeclaredTarget[], profile: LoadProfile, request: TuneRequest): TunePlan {
  const varied = Object.keys(request.settings).filter((name) => new Set(request.settings[name]).size > 1);
  if (varied.length === 0) {
    throw failure(
      'tune-range',
      'There is nothing to choose between: no setting has two values.',
      'Give a setting a range, such as pool=2..64, or several values.',
    );
  }
  if (varied.length > mostVaried) {
    throw failure(
      'tune-range',
      `${varied.length} settings vary (${varied.join(', ')}); at most ${mostVaried} can be compared at once.`,
      'Fix the others to one value each, and tune them afterwards.',
    );
  }
  const connections =
    request.connections ?? (typeof profile.connections === 'number' ? profile.connections : Math.max(...profile.connections));
  refuseForRunning(targets, { confirm: request.confirm, cpuShare: null });
  const run = planRun(
    targets,
    closedLoop(profile),
    {
      targets: request.targets,
      settings: request.settings,
      load: request.load,
      connections: [connections],
      ...defined({ route: request.route, leaveOut: request.leaveOut, askRoutes: request.askRoutes }),
      ...optionsOfTune(request),
    },
    { ...tunedTopology(request), withToday: true },
  );
  return {
    run,
    varied,
    connections,
    leftOut: [],
    targets: targets.map((declared) => {
      const trials = run.trials.filter(({ process }) => process.declared === declared);
      const own = varied.filter((name) => trials.some(({ process }) => process.asked[name] !== undefined));
      if (own.length === 0) {
        throw failure(
          'setting-unknown',
          `${declared.target.label ?? declared.target.id} has none of the settings that vary (${varied.join(', ')}).`,
          'Leave this target out, or name a setting that it has.',
        );
      }
      return { declared, trials, candidates: asCandidates(trials, own) };
    }),
  };
}

/** Takes what is in use today out of the plan, where nobody asked for it and it does not fit; returns the names of these trials. */
export function leaveOutToday({ run, targets }: Pick<TunePlan, 'run' | 'targets'>, doesFit: (trial: PlannedTrial) => boolean): string[] {
  const others = run.trials.filter((trial) => trial.process.onlyToday === true && !doesFit(trial));
  for (const trial of others) {
    leaveOut(run, trial);
    for (const { trials, candidates } of targets) {
      if (trials.includes(trial)) trials.splice(trials.indexOf(trial), 1);
      const place = candidates.findIndex(({ key }) => key === trial.key);
      if (place >= 0) candidates.splice(place, 1);
    }
  }
  return others.map(({ name }) => name);
}

function asCandidates(trials: readonly PlannedTrial[], varied: readonly string[]): TunedCandidate[] {
  const placed = trials.map((trial, index) => ({ key: trial.key, values: only(trial.process.asked, varied), index }));
  placed.sort((a, b) => size(a.values) - size(b.values) || a.index - b.index);
  return placed.map(({ key, values }, cost) => ({ key, values, cost }));
}

/** How many warm-ups there are, one after the other: processes of a target are warmed at once, unless they have different numbers of instances. */
export function warmUps({ targets, varied }: TunePlan, processes: number): number {
  return varied.includes(instancesSetting) ? processes : targets.length;
}

/** How many processes are started for `most` values of each target: one for each value, unless a live one takes all of them. */
export function processesOf({ targets }: TunePlan, live: boolean, most = Number.POSITIVE_INFINITY): number {
  return live ? targets.length : targets.reduce((sum, { candidates }) => sum + Math.min(most, candidates.length), 0);
}

/**
 * Seconds that the fewest blocks for a claim take, with everything before them: starts and warm-ups, and three rounds. `most`: where only so many
 * values of each target are measured.
 */
function leastBudgetS(plan: TunePlan, live: boolean, blockS = shortestBlockS, most = Number.POSITIVE_INFINITY): number {
  const processes = processesOf(plan, live, most);
  const settleS = settleSeconds(live ? 'live' : 'process-per-setting', plan.run.load);
  const perProcess = plan.targets.map(({ declared }) => warmUpTime(plan.run.load, declared.target.runtime).minS);
  const warmUpS = (perProcess.reduce((sum, one) => sum + one, 0) / plan.targets.length) * warmUps(plan, processes);
  const blocks = plan.targets.reduce((sum, { candidates }) => sum + blocksNeeded(Math.min(most, candidates.length), claimRounds), 0);
  return Math.ceil(startS + processes + warmUpS + blocks * (settleS + blockS + blockOverheadS));
}

/** A budget that could not lead to any claim is refused before anything is started. */
export function refuseShortBudget(plan: TunePlan, { mode, budgetS, blockS }: TuneRequest): void {
  const live = mode === 'auto' || mode === 'live';
  const leastS = (most?: number): number => leastBudgetS(plan, live, blockS, most);
  if (budgetS < leastS()) plan.leftOut.push(...leaveOutToday(plan, () => false).map((name) => ({ code: 'today-too-long', name }) as const));
  const least = leastS();
  if (budgetS >= least) return;
  let fitting = Math.max(...plan.targets.map(({ candidates }) => candidates.length));
  while (fitting > 1 && leastS(fitting) > budgetS) fitting--;
  const values = plan.varied.length > 1 ? 'combinations of values' : 'values';
  const ofEach = plan.targets.length > 1 ? ' for each target' : '';
  throw failure(
    'budget-short',
    `${budgetS} s are too short to say anything of ${plan.run.trials.length} ${values}: warming up and three rounds take about ${least} s.`,
    fitting < 2 ? `Allow ${least} s or more.` : `Allow ${least} s or more, or name at most ${fitting} ${values}${ofEach}.`,
  );
}

/**
 * How long a block is when `secondsLeft` are left for measuring: such that five rounds of what decides fit in, since many short blocks show more than a few
 * long ones, but not shorter than a second.
 */
export function blockLengthS(plan: TunePlan, secondsLeft: number, settleS: number): number {
  const blocks = plan.targets.reduce((sum, { candidates }) => sum + blocksNeeded(candidates.length, confirmRounds), 0);
  const each = (secondsLeft * (1 - openLoopShare)) / blocks - settleS - blockOverheadS;
  return Math.min(longestBlockS(settleS), Math.max(shortestBlockS, Math.floor(each * 4) / 4));
}
