import { bytesPhrase, durationPhrase, figure, wholeNumber } from '../../../src/model/format.ts';
import { askedShare, isWide, noiseFloorPhrase } from '../../../src/model/intervalWidth.ts';
import type { Recommendation, RunRecord, Throughput, Trial } from '../../../src/model/run.ts';
import { connectionsName, valueOf } from './axis.ts';

/** What stands where there is no figure. */
export const none = '–';

/** A figure or a dash. */
export function orDash(value: number | null | undefined, format: (value: number) => string = figure): string {
  return value === null || value === undefined ? none : format(value);
}

/** "7,790 – 8,100", or a dash where there are too few blocks to tell. */
export function intervalPhrase(throughput: Throughput): string {
  return throughput.ciLow === null || throughput.ciHigh === null
    ? none
    : `${wholeNumber(throughput.ciLow)} – ${wholeNumber(throughput.ciHigh)}`;
}

/** "84 MiB" or a dash. */
export function memoryPhrase(bytes: number | null): string {
  return bytes === null ? none : bytesPhrase(bytes);
}

/** The label of a target with the values that tell this trial from the others: "Java · pool 8 · 32 connections". */
export function variedPhrase(trial: Trial, names: readonly string[]): string {
  const parts = names.flatMap((name) => {
    const value = valueOf(trial, name);
    if (value === null) return [];
    return [name === connectionsName ? `${value} connections` : `${humanName(name)} ${value}`];
  });
  return [trial.targetLabel, ...parts].join(' · ');
}

/** "Java 8" where one number tells the trials apart, else the whole phrase. */
export function shortPhrase(trial: Trial, names: readonly string[]): string {
  const value = names.length === 1 && names[0] !== undefined ? valueOf(trial, names[0]) : null;
  return value === null ? variedPhrase(trial, names) : `${trial.targetLabel} ${value}`;
}

/** "poolTimeoutMs" → "pool timeout (ms)": how a setting without a label is shown. */
export function humanName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.replace(/ (ms|mb|us|s)$/, (_, unit: string) => ` (${unit === 'mb' ? 'MB' : unit === 'us' ? 'µs' : unit})`);
}

/** Labels of settings by name, as the targets declare them. */
export type SettingLabels = Readonly<Record<string, string>>;

/** The name of a setting as the run's recommendations or the targets label it, else made from its name. */
export function settingTitle(name: string, recommendations: readonly Recommendation[], labels: SettingLabels = {}): string {
  if (name === connectionsName) return 'connections';
  return recommendations.find((recommendation) => recommendation.setting === name)?.settingLabel ?? labels[name] ?? humanName(name);
}

/** "32" or "16, 32 and 64". */
export function listPhrase(items: readonly (string | number)[]): string {
  const words = items.map(String);
  const last = words.pop();
  return last === undefined ? '' : words.length === 0 ? last : `${words.join(', ')} and ${last}`;
}

/** "14:02", with the day when it is not today's. */
export function clockPhrase(iso: string, now: Date): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date);
  if (date.toDateString() === now.toDateString()) return time;
  return `${new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format(date)}, ${time}`;
}

/** What was asked for, when, and how long it took: "GET /ads/:id · 32 connections · run 14:02, 1 min 51 s". */
export function runSubtitle(run: RunRecord, now: Date): string {
  const connections = [...new Set(run.trials.map((trial) => trial.connections))].sort((a, b) => a - b);
  return [
    run.request.route ?? 'the mix',
    ...(connections.length === 0
      ? []
      : [`${listPhrase(connections)} connection${connections.length === 1 && connections[0] === 1 ? '' : 's'}`]),
    `run ${clockPhrase(run.startedAt, now)}, ${durationPhrase(run.durationMs)}`,
  ].join(' · ');
}

/** The badge beside the title. `plain`: neither good nor bad, there is too little to say. */
export interface Badge {
  kind: 'good' | 'plain' | 'warning' | 'bad';
  text: string;
}

/** What a run is worth: "valid · noise floor ±2.6 %", how little it tells apart where that is more than is asked for, or why it is not valid. */
export function runBadge(run: RunRecord): Badge {
  if (run.state === 'failed') return { kind: 'bad', text: `failed${run.failure ? `: ${run.failure.message}` : ''}` };
  if (run.state === 'cancelled') return { kind: 'warning', text: 'cancelled: the figures are incomplete' };
  const invalid = run.trials.filter((trial) => !trial.valid).length;
  if (!run.valid && invalid === 0) return { kind: 'bad', text: `not valid${run.reasons[0] ? `: ${run.reasons[0]}` : ''}` };
  if (!run.valid)
    return {
      kind: invalid === run.trials.length ? 'bad' : 'warning',
      text: `${invalid} of ${run.trials.length} ${run.trials.length === 1 ? 'trial' : 'trials'} not valid`,
    };
  return certaintyBadge(run);
}

/** Of a run that counts: no tick where its figures are less certain than ±5 %. */
function certaintyBadge({ noiseFloorPercent, trials }: RunRecord): Badge {
  const asked = askedShare * 100;
  if (noiseFloorPercent !== null)
    return noiseFloorPercent <= asked
      ? { kind: 'good', text: `valid · noise floor ${noiseFloorPhrase(noiseFloorPercent)}` }
      : { kind: 'warning', text: `noise floor ${noiseFloorPhrase(noiseFloorPercent)}` };
  const known = trials.filter((trial) => trial.valid && trial.throughput.ciLow !== null);
  if (trials.length > 0 && known.length === 0) return { kind: 'plain', text: 'too few blocks for an interval' };
  return known.some((trial) => isWide(trial.throughput))
    ? { kind: 'warning', text: 'intervals wider than ±5 %' }
    : { kind: 'good', text: 'valid' };
}

/** The word for a recommendation's status. */
export const statusWord: Record<Recommendation['status'], string> = {
  confirmed: 'Confirmed',
  plausible: 'Plausible',
  undecided: 'Undecided',
};

/** A percentage with one decimal below ten: 2.61 → "2.6 %", 12.4 → "12 %". */
export function percentPhrase(percent: number): string {
  return `${Math.abs(percent) < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** A ratio as a change: 1.043 → "+4.3 %", 0.5 → "−50 %". */
export function changePhrase(ratio: number): string {
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  const text = size >= 10 ? size.toFixed(0) : size.toFixed(1);
  if (Number(text) === 0) return '0 %';
  return `${percent < 0 ? '−' : '+'}${text} %`;
}

/** "40 s" or "3 min": a span that nobody knows to the second. */
export function spanPhrase(seconds: number): string {
  const rounded = seconds < 90 ? Math.ceil(seconds / 10) * 10 : Math.ceil(seconds / 60) * 60;
  return durationPhrase(rounded * 1000)
    .replace(/ 0 s$/, '')
    .replace('.0 s', ' s');
}
