import type { Recommendation, RunRecord, Trial } from '../../src/model/domain/run.ts';
import { tunedAnswers } from '../../src/model/domain/runResult.ts';
import { probeCostText } from '../../src/model/domain/freshFinding.ts';
import { noteTexts } from '../../src/model/presentation/runNotes.ts';
import type { TuningAnswer } from '../../src/model/domain/tuning.ts';
import type { TimeBudgetRow } from '../kit/charts/timeBudget.ts';
import type { RunSoFar } from '../progress/runSoFar.ts';
import { shortPhrase, shownSettings } from '../../src/model/presentation/settingWords.ts';
import { recommendationsOf, shownRecommendations } from '../../src/model/domain/tuningAnswers.ts';

/** What the answer, the charts and the table are drawn from: a stored run, or the one in progress. */
export interface Shown {
  run: RunRecord | null;
  /** δ, as a share. */
  delta: number;
  trials: readonly Trial[];
  /** Of a search: what it found, or knows so far. */
  answers: readonly TuningAnswer[];
  recommendations: readonly Recommendation[];
  /** Answers of two settings, which are shown as a map; the trials of the others are shown as lines. */
  grids: readonly TuningAnswer[];
  lined: readonly Trial[];
  predicted: ReadonlyMap<string, number>;
  budgets: readonly TimeBudgetRow[];
  notes: readonly string[];
}

export function shownRun(run: RunRecord): Shown {
  const { result } = run;
  const cost = result.kind === 'tune' && result.probeCost ? [probeCostText(result.probeCost)] : [];
  return shownOf(run, run.delta, run.trials, tunedAnswers(run), shownRecommendations(run), [...noteTexts(run.notes), ...cost]);
}

export function shownProgress(progress: RunSoFar): Shown {
  const answers = progress.found?.kind === 'tune' ? progress.found.answers : [];
  return shownOf(null, progress.delta, progress.trials, answers, recommendationsOf(answers), noteTexts(progress.notes));
}

function shownOf(
  run: RunRecord | null,
  delta: number,
  known: readonly Trial[],
  answers: readonly TuningAnswer[],
  recommendations: readonly Recommendation[],
  notes: readonly string[],
): Shown {
  const trials = withOpenLoop(known, answers);
  const grids = answers.filter(({ settingNames }) => settingNames.length > 1);
  const lined = trials.filter((trial) => !grids.some((answer) => answer.target === trial.target));
  return {
    run,
    delta,
    trials,
    answers,
    recommendations,
    grids,
    lined,
    predicted: predictedOf(answers),
    budgets: budgetRows(trials, recommendations),
    notes,
  };
}

/** With more trials than this only the smallest, the recommended and the largest setting are shown; the table has all. */
const mostBudgetRows = 8;

function budgetRows(trials: readonly Trial[], recommendations: readonly Recommendation[]): TimeBudgetRow[] {
  const names = shownSettings(trials);
  const known = trials.filter((trial) => trial.timeBudget !== null);
  const recommended = new Set(recommendations.map((one) => one.trialKey));
  const distinctive = known.filter((trial) => {
    const own = known.filter((other) => other.target === trial.target);
    return trial === own[0] || trial === own.at(-1) || recommended.has(trial.key);
  });
  const shown = known.length <= mostBudgetRows ? known : distinctive;
  return shown.flatMap((trial) => (trial.timeBudget ? [{ label: shortPhrase(trial, names), budget: trial.timeBudget }] : []));
}

/** Predicted requests/s by trial, where the operational laws say anything. */
export function predictedOf(answers: readonly TuningAnswer[]): Map<string, number> {
  const known = answers.flatMap((answer) => answer.settings);
  return new Map(known.flatMap((setting) => (setting.predicted === null ? [] : [[setting.trialKey, setting.predicted]])));
}

/** The trials with their figure of the open loop, which only the answers contain while a search runs. */
export function withOpenLoop(trials: readonly Trial[], answers: readonly TuningAnswer[]): Trial[] {
  const known = new Map(answers.flatMap((answer) => answer.settings).map((setting) => [setting.trialKey, setting.openLoop]));
  return trials.map((trial) => (trial.openLoop ? trial : { ...trial, openLoop: known.get(trial.key) ?? null }));
}
