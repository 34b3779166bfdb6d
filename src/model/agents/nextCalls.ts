import { spanPhrase } from '../domain/format.ts';
import type { NextAction } from '../domain/verdict/nextActions.ts';
import { limitNames } from '../domain/diagnosisKind.ts';
import type { RunRecord } from '../domain/run.ts';
import type { SettingValue } from '../domain/setting.ts';
import { shownRecommendations } from '../domain/tuningAnswers.ts';
import { type AgentCall, isPlainWord, plainWord, statusWords } from './agentAnswer.ts';
import type { NumberedTrial } from './trialLines.ts';

const mostValues = 8;

/** What a verdict’s actions are as calls; one that is words only, or whose names are no plain words, is none. */
export function callsOfActions(run: RunRecord, { number, trial }: NumberedTrial, actions: readonly NextAction[]): AgentCall[] {
  const again = { like: run.id, ...(isPlainWord(trial.target) ? { target: trial.target } : {}) };
  return actions.flatMap((action): AgentCall[] => {
    switch (action.kind) {
      case 'set':
        return valuesCall('start_run', again, action.setting, [...new Set([trial.settings[action.setting], action.value])]);
      case 'tune':
        return valuesCall('start_tuning', again, action.setting, action.values);
      case 'connections':
        return [{ tool: 'start_run', input: { ...again, connections: Math.min(256, action.connections) } }];
      case 'instances':
        return valuesCall('start_run', again, 'instances', [...new Set([trial.settings['instances'] ?? 1, action.instances])]);
      case 'record':
        return [framesCall(run, { number, trial }, action.event === 'pool-wait' ? 'poolWait' : action.event)];
      case 'sql':
        return [{ tool: 'get_slow_sql', input: { run: run.id, trial: `#${number}` } }];
      // Only a person chooses the load generator.
      case 'generator':
      case 'advice':
        return [];
    }
  });
}

function valuesCall(
  tool: 'start_run' | 'start_tuning',
  input: AgentCall['input'],
  setting: string,
  values: readonly (SettingValue | undefined)[],
): AgentCall[] {
  const known = values.filter((value) => value !== undefined).slice(0, mostValues);
  if (known.length === 0 || !isPlainWord(setting) || !known.every(isPlainWord)) return [];
  return [{ tool, input: { ...input, values: { [setting]: known } } }];
}

/** To the functions of a trial where it was recorded, else to a run that records it. */
export function framesCall(run: RunRecord, { number, trial }: NumberedTrial, event?: string): AgentCall {
  const recorded = run.recordings.some(({ trialKey }) => trialKey === trial.key);
  if (recorded) return { tool: 'get_hot_frames', input: { run: run.id, trial: `#${number}`, ...(event === undefined ? {} : { event }) } };
  const settings = Object.entries(trial.settings).filter(([name, value]) => isPlainWord(name) && isPlainWord(value));
  return {
    tool: 'start_run',
    input: {
      like: run.id,
      ...(isPlainWord(trial.target) ? { target: trial.target } : {}),
      ...(settings.length === 0 ? {} : { values: Object.fromEntries(settings.map(([name, value]) => [name, [value]])) }),
      record: true,
    },
  };
}

/** “pool-limited: connection pool (sure)”: what limits a trial, in Benchside's words alone. */
export function verdictLine({ trial }: NumberedTrial): string {
  const { diagnosis } = trial;
  if (diagnosis === null) return trial.valid ? 'not known' : 'discarded';
  return `${diagnosis.kind}: ${limitNames[diagnosis.kind]} (${diagnosis.confident ? 'sure' : 'not sure'})`;
}

/** The answers of a run that compared values, a line each, and what would decide those that are open. */
export function answerLines(run: RunRecord): { said: string[]; next: AgentCall[] } {
  const recommendations = shownRecommendations(run);
  return {
    said: recommendations.map(({ setting, value, status, plausible, target, moreSeconds, facts }) => {
      if (facts.code === 'unused')
        return `answer: no request of this load uses ${plainWord(target)} ${plainWord(setting)}: choose routes that do`;
      if (facts.code === 'not-limiting') {
        const room = facts.room === null ? '' : `; ${facts.room} leaves room to spare`;
        return `answer: ${plainWord(target)} ${plainWord(setting)} does not limit this load (${statusWords[status]}): any from ${facts.from} on gives the same${room}`;
      }
      const range =
        plausible === null || plausible[0] === plausible[1] ? '' : `, between ${plainWord(plausible[0])} and ${plainWord(plausible[1])}`;
      const more = moreSeconds === null ? '' : `; about ${spanPhrase(moreSeconds)} more would decide`;
      return `answer: ${plainWord(target)} ${plainWord(setting)} = ${value === null ? 'none yet' : plainWord(value)} (${statusWords[status]}${range}${more})`;
    }),
    next: recommendations
      .filter(({ status }) => status === 'undecided')
      .flatMap(({ target, setting }) => {
        const values = [...new Set(run.trials.filter((trial) => trial.target === target).map(({ settings }) => settings[setting]))];
        return valuesCall('start_tuning', { like: run.id, ...(isPlainWord(target) ? { target } : {}), budgetS: 240 }, setting, values);
      })
      .slice(0, 1),
  };
}
