import { keepsToday } from '../domain/answerFacts.ts';
import { tierOf } from '../domain/answerTier.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import type { DiagnosisKind } from '../domain/diagnosisKind.ts';
import { type FailureAction, failureButtons } from '../domain/failureCodes.ts';
import { spanPhrase } from '../domain/format.ts';
import { type Gate, gateCode } from '../domain/gate.ts';
import { failedRequestsPhrase } from '../domain/requestErrors.ts';
import type { Recommendation, RunRecord, RunRequest, Trial } from '../domain/run.ts';
import type { SettingValue, SettingValues } from '../domain/setting.ts';
import type { TuneRequest, TuningAnswer } from '../domain/tuning.ts';
import { type NextAction, actionText } from '../domain/verdict/nextActions.ts';
import type { AskedOf } from '../protocol/measureRequest.ts';

/** The one thing to do next with an answer, with the words of its button; `budgetS` is how long the same is measured again at the most. */
export type NextStep =
  | { kind: 'apply'; words: string; values: SettingValues }
  | { kind: 'run'; words: string; request: RunRequest }
  | { kind: 'tune'; words: string; request: TuneRequest }
  | { kind: 'act'; words: string; trialKey: string; action: number }
  | { kind: 'advise'; words: string; trialKey: string }
  | { kind: 'cure'; words: string; cure: FailureAction; target: string };

/** What can be done with a recommendation: the first is the next step. */
export function stepsOfRecommendation(answer: Recommendation, run: RunRecord): NextStep[] {
  const { setting, value, targetLabel } = answer;
  const apply = value === null || keepsToday(answer) ? [] : [applyStep(targetLabel, { [setting]: value })];
  if (tierOf(answer) === 'proven' || answer.facts.code === 'unused') return apply;
  return answer.moreSeconds === null ? [...apply, runMore(answer, run)] : [runMore(answer, run), ...apply];
}

export function stepsOfTuning(answer: TuningAnswer, { result, trials }: Pick<RunRecord, 'result' | 'trials'>): NextStep[] {
  const { values, settingNames, targetLabel, moreSeconds } = answer;
  const picked = values === null ? null : Object.fromEntries(Object.entries(values).filter(([name]) => settingNames.includes(name)));
  const apply = picked === null || keepsToday(answer) ? [] : [applyStep(targetLabel, picked)];
  if (tierOf(answer) === 'proven' || answer.facts.code === 'unused' || result.kind !== 'tune') return apply;
  const { request, spentS } = result;
  const cure = picked === null && moreSeconds === null ? cureOf(answer, request, trials) : null;
  if (cure !== null) return [cure];
  // Nothing can be applied and the needed time is not known: the same again, for twice as long.
  const seconds = moreSeconds ?? (picked === null ? Math.max(request.budgetS, spentS) : null);
  if (seconds === null) return apply;
  const words = moreSeconds === null ? 'Run again for twice as long' : `Run ${spanPhrase(seconds)} more`;
  const more: NextStep = { kind: 'tune', words, request: { ...request, budgetS: Math.ceil(Math.max(request.budgetS, spentS) + seconds) } };
  return [more, ...apply];
}

/** What removes what kept a tuning from an answer, where more of the same would not; null where it would. */
function cureOf({ target, gates, settings }: TuningAnswer, request: TuneRequest, trials: readonly Trial[]): NextStep | null {
  const own = trials.filter((trial) => trial.target === target);
  const refused = (code: Gate['code']): boolean => gates.some((gate) => gateCode(gate) === code && gate.severity === 'refuse');
  const nothingCounts = settings.every(({ valid }) => !valid);
  if (refused('errors') || (nothingCounts && own.some((trial) => failedRequestsPhrase([trial]) !== '')))
    return { kind: 'cure', words: failureButtons['show-output'], cure: 'show-output', target };
  const [generator] = own.flatMap((trial) => actSteps(trial, ({ kind }) => kind === 'generator'));
  if (generator !== undefined && (nothingCounts || refused('generator'))) return generator;
  if (refused('ignored') && request.mode !== 'process-per-setting')
    return { kind: 'tune', words: 'Tune with a process for each value', request: { ...request, mode: 'process-per-setting' } };
  return nothingCounts ? { kind: 'tune', words: 'Run again', request } : null;
}

/** Of a target that was measured with one setting, or of which nothing counts. */
export function stepsOfMetric(trials: readonly Trial[], best: Trial | undefined, run: RunRecord): NextStep[] {
  const again: NextStep[] = run.result.kind === 'tune' ? [] : [{ kind: 'run', words: 'Run again', request: run.request }];
  // Where nothing counts because the generator was saturated, the same again would be so again.
  if (best === undefined) return [...trials.flatMap((trial) => actSteps(trial, ({ kind }) => kind === 'generator')).slice(0, 1), ...again];
  const actions = actSteps(best, ({ kind }) => kind !== 'advice').slice(0, 1);
  const advise = adviseSteps(run, best);
  return actions.length > 0 || trials.length > 1 ? [...actions, ...advise] : [...advise, ...again];
}

/** What would help a trial, where something limits it. */
export function adviseSteps(run: Pick<RunRecord, 'load' | 'result'>, trial: Trial | undefined): NextStep[] {
  return isAdvisable(run, trial) ? [{ kind: 'advise', words: 'What would help?', trialKey: trial.key }] : [];
}

/** Verdicts that name nothing of the target which a change could help with. */
const noLimit: ReadonlySet<DiagnosisKind> = new Set(['healthy', 'invalid', 'client-limited', 'busy-machine']);

/** Whether what would help is the next step of a trial: something limits it, in a closed loop under which changes can be compared. */
export function isAdvisable({ load, result }: Pick<RunRecord, 'load' | 'result'>, trial: Trial | undefined): trial is Trial {
  const isPlain = load.ratePerS === undefined && load.stages === undefined && load.roles === undefined;
  const isOwn = result.kind !== 'experiment' && result.kind !== 'diff';
  return trial?.diagnosis != null && isOwn && isPlain && !noLimit.has(trial.diagnosis.kind);
}

/** What is asked for where the verdict on a trial is followed: the same load on the same settings. */
export function askedAfter({ id, request }: Pick<RunRecord, 'id' | 'request'>, trial: Trial | undefined): AskedOf<'advise'> {
  const { load, route } = request;
  return {
    ...(trial === undefined ? {} : { target: trial.target, settings: trial.settings, connections: trial.connections }),
    load,
    ...(route === undefined ? {} : { route }),
    from: id,
  };
}

function actSteps({ key, diagnosis }: Trial, fits: (action: NextAction) => boolean): NextStep[] {
  return (diagnosis?.actions ?? []).flatMap((action, index): NextStep[] =>
    fits(action) ? [{ kind: 'act', words: actionText(action), trialKey: key, action: index }] : [],
  );
}

/** The actions of a verdict that do not contradict an answer: “use 8” excludes the advice to try 24 of the same setting. */
export function actionsBeside(
  { actions }: Pick<Diagnosis, 'actions'>,
  answered: Readonly<Record<string, SettingValue>>,
): { action: NextAction; index: number }[] {
  return actions.flatMap((action, index) => ('setting' in action && Object.hasOwn(answered, action.setting) ? [] : [{ action, index }]));
}

function applyStep(targetLabel: string, values: SettingValues): NextStep {
  return { kind: 'apply', words: `Apply to ${targetLabel}`, values };
}

/** The same once more, for as much longer as would decide, where that is known; else with twice the rounds, or for twice the time. */
function runMore({ moreSeconds }: Recommendation, run: RunRecord): NextStep {
  const { request } = run;
  const { rounds: _rounds, budgetS: _budgetS, ...again } = request;
  const spentS = measuringS(run.trials);
  const rounds = moreSeconds === null && request.rounds !== undefined ? Math.min(100, request.rounds * 2) : undefined;
  const budgetS = Math.ceil(Math.max(1, moreSeconds === null ? spentS * 2 : Math.max(request.budgetS ?? 0, spentS) + moreSeconds));
  const words =
    moreSeconds !== null
      ? `Run ${spanPhrase(moreSeconds)} more`
      : rounds === undefined
        ? 'Run again for twice as long'
        : `Run again with ${rounds} rounds`;
  return { kind: 'run', words, request: { ...again, ...(rounds === undefined ? { budgetS } : { rounds }) } };
}

/** Seconds from the first measured block to the end of the last one. */
function measuringS(trials: readonly Trial[]): number {
  const blocks = trials.flatMap((trial) => trial.blocks);
  if (blocks.length === 0) return 0;
  return (Math.max(...blocks.map((block) => block.startMs + block.windowMs)) - Math.min(...blocks.map((block) => block.startMs))) / 1000;
}
