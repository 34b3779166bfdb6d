import { type Diagnosis, explanationOf, headlineOf } from '../domain/diagnosis.ts';
import { findingText, findingTexts } from '../domain/findings.ts';
import { figure, orDash, percentPhrase } from '../domain/format.ts';
import { present } from '../presentation/present.ts';
import { noteTexts } from '../presentation/runNotes.ts';
import { headlineWithStatus } from '../presentation/runWords.ts';
import type { RunRecord, TimeBudget, Trial } from '../domain/run.ts';
import { shownRecommendations, whyText } from '../domain/tuningAnswers.ts';
import { wordedFigure } from '../domain/verdict/evidence.ts';
import { actionText } from '../domain/verdict/nextActions.ts';
import { verdictText } from '../domain/verdict/verdictKinds.ts';
import { type AgentAnswer, type AgentCall, type Asked, defaultTop, plainWord } from './agentAnswer.ts';
import { answerLines, callsOfActions, framesCall, verdictLine } from './nextCalls.ts';
import { type NumberedTrial, interferenceLine, focusedTrials, trialLine, trialName } from './trialLines.ts';

/** A stored run: its state, the answer, figures with their intervals, what was disturbed, what limits it, and what to call next. */
export function runAnswer(run: RunRecord, { top = defaultTop, focus }: Asked): AgentAnswer {
  const trials = focusedTrials(run.trials, focus);
  const shown = trials.slice(0, top);
  const leading = leadingTrial(run, trials);
  const answers = answerLines(run);
  const recommendations = shownRecommendations(run);
  return {
    said: present(
      `state: ${run.state}`,
      `run: ${run.id}`,
      run.failure && `failure: ${plainWord(run.failure.code)}`,
      `valid: ${run.valid ? 'yes' : 'not all of it; see why in the data'}`,
      answers.said,
      leading && `verdict: ${verdictLine(leading)}, of ${trialName(leading)}`,
      interferenceLine(run),
      run.noiseFloorPercent !== null && `smallest difference it could show: ${percentPhrase(run.noiseFloorPercent)}`,
      run.trials.length > 0 && trials.length === 0 && 'no trial of this run is in focus',
      shown.map((one) => trialLine(one, run)),
      trials.length > shown.length && `and ${trials.length - shown.length} more trials`,
    ),
    next: leading === null ? [] : nextOf(run, leading, answers.next),
    data: present(
      run.title,
      run.failure && [run.failure.message, run.failure.cure],
      recommendations.map((one) => `${headlineWithStatus(one)}. ${whyText(one)}`),
      leading?.trial.diagnosis && headlineOf(leading.trial.diagnosis),
      findingTexts(run.reasons),
      shown.flatMap(({ number, trial }) => trial.reasons.map((reason) => `#${number} is discarded: ${findingText(reason)}`)),
      shown.flatMap(({ number, trial }) => trial.notes.map((note) => `#${number}: ${findingText(note)}`)),
      noteTexts(run.notes),
    ),
  };
}

/** What limits a trial: evidence, what was ruled out, where the time of a request goes, and the verdict’s actions as calls. */
export function explainAnswer(run: RunRecord, { top = defaultTop, focus }: Asked): AgentAnswer {
  const leading = leadingTrial(run, focusedTrials(run.trials, focus));
  if (leading === null)
    return { said: [`run: ${run.id}`, 'no trial of this run is in focus'], next: [{ tool: 'get_run', input: { run: run.id } }], data: [] };
  const { trial } = leading;
  const { diagnosis } = trial;
  const actions = diagnosis === null ? [] : callsOfActions(run, leading, diagnosis.actions);
  return {
    said: present(
      `run: ${run.id}`,
      `verdict: ${verdictLine(leading)}`,
      trialLine(leading, run),
      interferenceLine({ trials: [trial] }),
      trial.timeBudget && timeLine(trial.timeBudget),
      poolLines(trial),
      trial.statements && `SQL statements seen: ${trial.statements.length}; get_slow_sql lists them`,
    ),
    next: withDefaults(run, leading, actions),
    data: present(
      diagnosis && verdictData(diagnosis, top),
      trial.reasons.map((reason) => `discarded: ${findingText(reason)}`),
      findingTexts(trial.notes),
    ),
  };
}

function verdictData(diagnosis: Diagnosis, top: number): string[] {
  const { actions, evidence, ruledOut } = diagnosis;
  return [
    headlineOf(diagnosis),
    explanationOf(diagnosis),
    ...actions.slice(0, 3).map((action) => `to do: ${actionText(action)}`),
    ...evidence.slice(0, top).map((one) => {
      const { what, value, threshold, met } = wordedFigure(one);
      const needed = threshold === null ? '' : ` (${threshold})`;
      return `${met ? 'speaks for it' : 'does not'}: ${what}: ${value}${needed}`;
    }),
    ...ruledOut.slice(0, top).map(({ kind, because }) => `ruled out: ${kind}: ${verdictText(because)}`),
  ];
}

/** The trial that an answer is about: the recommended one, else the one with most throughput, discarded ones last. */
export function leadingTrial(run: RunRecord, trials: readonly NumberedTrial[]): NumberedTrial | null {
  const keys = new Set(shownRecommendations(run).map(({ trialKey }) => trialKey));
  const better = (one: NumberedTrial, other: NumberedTrial): number =>
    Number(other.trial.valid) - Number(one.trial.valid) ||
    Number(keys.has(other.trial.key)) - Number(keys.has(one.trial.key)) ||
    other.trial.throughput.mean - one.trial.throughput.mean;
  return [...trials].sort(better)[0] ?? null;
}

function nextOf(run: RunRecord, leading: NumberedTrial, open: readonly AgentCall[]): AgentCall[] {
  const explain: AgentCall = { tool: 'explain_run', input: { run: run.id, focus: `#${leading.number}` } };
  const { diagnosis } = leading.trial;
  const actions = diagnosis === null ? [] : callsOfActions(run, leading, diagnosis.actions);
  return withDefaults(run, leading, [...open, explain, ...actions.slice(0, 1)]);
}

/** The calls that were found, and after them those that are worth it after every run. */
function withDefaults(run: RunRecord, leading: NumberedTrial, calls: readonly AgentCall[]): AgentCall[] {
  const sql: AgentCall = { tool: 'get_slow_sql', input: { run: run.id, trial: `#${leading.number}` } };
  const all = present(calls, leading.trial.statements && sql, framesCall(run, leading));
  return all.filter((call, index) => all.findIndex((other) => sameCall(call, other)) === index);
}

function sameCall(one: AgentCall, other: AgentCall): boolean {
  return one.tool === other.tool && JSON.stringify({ ...one.input, event: 0 }) === JSON.stringify({ ...other.input, event: 0 });
}

function timeLine({ totalMs, cpuMs, poolWaitMs, databaseMs, heldIdleMs, otherMs }: TimeBudget): string {
  return `time of a request: ${figure(totalMs)} ms = CPU ${figure(cpuMs)} + wait for a connection ${figure(poolWaitMs)} + database ${figure(databaseMs)} + connection held idle ${figure(heldIdleMs)} + other ${figure(otherMs)}`;
}

function poolLines({ pool, threadPool, resources, eventLoopUtilisation }: Trial): string[] {
  return present(
    pool &&
      `connection pool: ${figure(pool.busy)} of ${orDash(pool.max)} busy, ${figure(pool.pending)} waiting, wait ${orDash(pool.waitMs)} ms, held ${orDash(pool.holdMs)} ms, ${orDash(pool.perRequest)} taken per request`,
    threadPool &&
      `request threads: ${figure(threadPool.busy)} of ${orDash(threadPool.max)} busy, ${figure(threadPool.queue)} requests queued`,
    `CPU of one core: app ${orDash(resources.app.cpuPercent)} %, PostgreSQL ${orDash(resources.postgres.cpuPercent)} %, generator ${orDash(resources.generator.cpuPercent)} %`,
    eventLoopUtilisation !== null && `event loop busy: ${percentPhrase(100 * eventLoopUtilisation)}`,
  );
}
