import { answerHeadline } from '../domain/answerFacts.ts';
import { findingText } from '../domain/findings.ts';
import { tierOf, tierWords } from '../domain/answerTier.ts';
import { isNoticeable } from '../domain/interference.ts';
import { interferencePhrase, runInterference } from './interferenceWords.ts';
import { durationPhrase, listPhrase } from '../domain/format.ts';
import { isWide, noiseFloorPhrase } from '../domain/intervalWidth.ts';
import { present } from './present.ts';
import { withinPhrase } from '../domain/margin.ts';
import { failedRequestsPhrase } from '../domain/requestErrors.ts';
import type { Recommendation, RunRecord, Trial } from '../domain/run.ts';
import { connectionsName, distinctValues, humanName, shownSettings } from './settingWords.ts';

export function statusWord(answer: Pick<Recommendation, 'status'>): string {
  return tierWords[tierOf(answer)];
}

/** “Use pool size 8 (proven)”: the sentence of an answer with its tier. */
export function headlineWithStatus(answer: Parameters<typeof answerHeadline>[0] & Pick<Recommendation, 'status'>): string {
  return `${answerHeadline(answer)} (${statusWord(answer).toLowerCase()})`;
}

/** "2 to 4 likely": between which values an answer is still open; empty where there is one. */
export function openRange({ plausible }: Pick<Recommendation, 'plausible'>): string {
  return plausible === null || plausible[0] === plausible[1] ? '' : `${plausible[0]} to ${plausible[1]} ${tierWords.likely.toLowerCase()}`;
}

/** What was asked for, when, and how long it lasted: "GET /ads/:id · 32 connections · run 14:02, 1 min 51 s"; `when` is a time in the reader's format. */
export function runSubtitle(run: RunRecord, when: string): string {
  const connections = [...new Set(run.trials.map((trial) => trial.connections))].sort((a, b) => a - b);
  return present(
    run.request.route ?? `the mix of ${run.load.name}`,
    connections.length > 0 && `${listPhrase(connections)} connection${connections.length === 1 && connections[0] === 1 ? '' : 's'}`,
    `run ${when}, ${durationPhrase(run.durationMs)}`,
  ).join(' · ');
}

/** What a run measured, in a line: "pool 2–32 · GET /ads/:id · 32 connections · 1 min 51 s"; without the time while it goes on. */
export function measuredPhrase(run: Pick<RunRecord, 'trials'> & Partial<Pick<RunRecord, 'request' | 'load' | 'durationMs'>>): string {
  const { trials, request, load, durationMs } = run;
  const varied = shownSettings(trials).map((name) => {
    const values = distinctValues(trials, name);
    const ends = values.length > 2 && values.every((value) => typeof value === 'number');
    const words = ends ? `${values[0]}–${values.at(-1)}` : values.join(', ');
    return name === connectionsName ? `${words} connections` : `${humanName(name)} ${words}`;
  });
  const connections = distinctValues(trials, connectionsName);
  return present(
    varied,
    request && load && (request.route ?? `the mix of ${load.name}`),
    connections.length === 1 && `${connections[0]} connection${connections[0] === 1 ? '' : 's'}`,
    durationMs !== undefined && durationPhrase(durationMs),
  ).join(' · ');
}

/** The badge next to the title. `plain`: neither good nor bad, there is too little to say. */
export interface Badge {
  kind: 'good' | 'plain' | 'warning' | 'bad';
  text: string;
}

/** What a run is worth: "valid · noise floor ±2.6 %", the smallest detectable difference where it exceeds the one asked for, or why it is not valid. */
export function runBadge(run: RunRecord): Badge {
  if (run.state === 'failed') return { kind: 'bad', text: `failed${run.failure ? `: ${run.failure.message}` : ''}` };
  if (run.state === 'cancelled') return { kind: 'warning', text: 'cancelled: incomplete' };
  const { length } = run.trials;
  const invalid = run.trials.filter((trial) => !trial.valid).length;
  const failed = failedRequestsPhrase(run.trials);
  const why = failed === '' ? '' : `: ${failed}`;
  if (!run.valid && invalid === 0) return { kind: 'bad', text: `not valid${run.reasons[0] ? `: ${findingText(run.reasons[0])}` : ''}` };
  if (!run.valid)
    return {
      kind: invalid === length ? 'bad' : 'warning',
      text: `${length === 1 ? 'not valid' : `${invalid} of ${length} trials not valid`}${why}`,
    };
  return certaintyBadge(run);
}

/** Of a run that counts: no tick where its figures are less certain than ±δ. */
function certaintyBadge(run: RunRecord): Badge {
  const { noiseFloorPercent, trials, delta } = run;
  if (noiseFloorPercent !== null)
    return noiseFloorPercent <= delta * 100
      ? { kind: 'good', text: `valid · noise floor ${noiseFloorPhrase(noiseFloorPercent)}` }
      : { kind: 'warning', text: `noise floor ${noiseFloorPhrase(noiseFloorPercent)}` };
  const known = trials.filter((trial) => trial.valid && trial.throughput.ciLow !== null);
  if (trials.length > 0 && known.length === 0) return { kind: 'plain', text: 'too few blocks for an interval' };
  return known.some((trial) => isWide(trial.throughput, delta))
    ? { kind: 'warning', text: `intervals wider than ${withinPhrase(delta)}` }
    : { kind: 'good', text: 'valid' };
}

/** The lost share of the CPU as a phrase; empty where it is not noticeable. */
export function interferenceChip({ trials }: { trials: readonly Trial[] }): string {
  const interference = runInterference(trials);
  return interference !== null && isNoticeable(interference) ? interferencePhrase(interference.takenPercent) : '';
}
