import { stepText } from '../domain/progress/stepKinds.ts';
import { answerHeadline } from '../domain/answerFacts.ts';
import { percentPhrase } from '../domain/format.ts';
import type { RunEvent } from '../protocol/runEvent.ts';
import { type AgentAnswer, type AgentCall, isPlainWord, statusWords } from './agentAnswer.ts';
import { longestWaitS } from './agentTools.ts';

/** Something that is being measured, or was in this session. */
export interface ActiveMeasurement {
  handle: string;
  /** What was asked for: “run”, “tuning” … */
  noun: string;
  /** The run that it became, as soon as that is known. */
  runId: string | null;
  elapsedS: number;
  estimateS: number;
  /** After so long it is cancelled. */
  limitS: number;
  cancelling: boolean;
  phase: Extract<RunEvent, { type: 'phase' }> | null;
  tuning: Extract<RunEvent, { type: 'tuning' }> | null;
}

export function startedAnswer({ handle, noun, estimateS, limitS }: ActiveMeasurement): AgentAnswer {
  return {
    said: [
      'state: started',
      `handle: ${handle} (${noun})`,
      `estimate: about ${Math.round(estimateS)} s; it is cancelled after ${Math.round(limitS)} s, or when this connection ends`,
      'verdict: none yet',
    ],
    next: waitOrCancel(handle),
    data: [],
  };
}

export function progressAnswer({ handle, noun, elapsedS, estimateS, cancelling, phase, tuning }: ActiveMeasurement): AgentAnswer {
  const told = phase?.remainingMs == null ? null : phase.remainingMs / 1000;
  const remaining = told ?? Math.max(0, estimateS - elapsedS);
  const soFar = tuning === null ? { said: [], data: [] } : answersSoFar(tuning);
  return {
    said: [
      `state: ${cancelling ? 'cancelling' : 'measuring'}`,
      `handle: ${handle} (${noun})`,
      `elapsed: ${Math.round(elapsedS)} s; about ${Math.round(remaining)} s remain${phase === null ? '' : `; phase ${phase.phase}`}`,
      'verdict: none yet',
      ...soFar.said,
    ],
    next: waitOrCancel(handle),
    data: [...(phase === null ? [] : [stepText(phase.doing)]), ...soFar.data],
  };
}

function waitOrCancel(run: string): AgentCall[] {
  return [
    { tool: 'get_run', input: { run, waitS: longestWaitS } },
    { tool: 'cancel_run', input: { run } },
  ];
}

function answersSoFar({ doing, spentS, budgetS, answers }: NonNullable<ActiveMeasurement['tuning']>): Pick<AgentAnswer, 'said' | 'data'> {
  const plain = (values: Readonly<Record<string, string | number>> | null): string =>
    values === null
      ? 'none yet'
      : Object.entries(values)
          .map(([name, value]) => (isPlainWord(name) && isPlainWord(value) ? `${name} = ${value}` : '(see the data)'))
          .join(', ');
  return {
    said: [
      `spent: ${Math.round(spentS)} of ${Math.round(budgetS)} s`,
      ...answers.map(
        ({ values, status, noiseFloorPercent }) =>
          `answer so far: ${plain(values)} (${statusWords[status]}${noiseFloorPercent === null ? '' : `, differences above ${percentPhrase(noiseFloorPercent)} show`})`,
      ),
    ],
    data: [stepText(doing), ...answers.map(answerHeadline)],
  };
}
