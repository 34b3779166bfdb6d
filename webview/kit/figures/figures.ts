import { isNoticeable } from '../../../src/model/disturbance.ts';
import { byWhomPhrase, estimateFigure, takenPercentPhrase, undisturbedPhrase, whilePhrase } from '../../../src/model/disturbanceWords.ts';
import { figure, wholeNumber } from '../../../src/model/format.ts';
import type { Recommendation, Trial } from '../../../src/model/run.ts';
import { connectionsName, distinctValues, valueOf } from './axis.ts';
import { bestThroughput } from './series.ts';
import type { SettingLabels } from './words.ts';
import { intervalPhrase, none, orDash, settingTitle } from './words.ts';

/** A cell: what is shown, and what rows are sorted by (`null` sorts last, whichever the direction). */
export interface Cell {
  text: string;
  sort: number | string | null;
  /** What colour says of it beside the words. */
  kind?: 'good' | 'bad';
  /** What a pointer on it tells. */
  title?: string;
}

export interface Column {
  id: string;
  title: string;
  numeric: boolean;
  muted?: boolean;
  cell: (trial: Trial) => Cell;
}

export interface Sort {
  column: string;
  descending: boolean;
}

/** The share of the best within which a setting counts as not worse: δ of the recommendation. */
export const delta = 0.05;

/** The columns of the table of figures. Settings that are the same in all trials have none; see {@link constantSettings}. */
export function figureColumns(trials: readonly Trial[], recommendations: readonly Recommendation[], labels: SettingLabels = {}): Column[] {
  const best = new Map(trials.map((trial) => [trial.target, bestThroughput(trials, trial.target)]));
  const ofBest = (trial: Trial): number | null => {
    const top = best.get(trial.target);
    return top && trial.valid && trial.throughput.mean > 0 ? trial.throughput.mean / top : null;
  };
  const alone = (trial: Trial): boolean => !trials.some((other) => other !== trial && other.target === trial.target);
  return [
    { id: 'target', title: 'Target', numeric: false, cell: (trial) => ({ text: trial.targetLabel, sort: trial.targetLabel }) },
    ...shownSettings(trials).map((name) => settingColumn(name, settingTitle(name, recommendations, labels))),
    number('throughput', 'req/s', (trial) => (measured(trial) ? trial.throughput.mean : null), wholeNumber),
    {
      id: 'interval',
      title: '95 % interval',
      numeric: true,
      muted: true,
      cell: (trial) => ({ text: intervalPhrase(trial.throughput), sort: trial.throughput.ciLow }),
    },
    ...(trials.some((trial) => isNoticeable(trial.disturbance)) ? [takenColumn] : []),
    ...(trials.some((trial) => trial.undisturbed) ? [leftAloneColumn] : []),
    number('ofBest', 'of best', ofBest, (share) => `${Math.round(share * 100)} %`),
    number('p50', 'p50 ms', (trial) => trial.latencyMs?.p50 ?? null),
    number('p99', 'p99 ms', (trial) => trial.latencyMs?.p99 ?? null),
    ...(trials.some((trial) => trial.openLoop) ? [openLoopColumn] : [number('p999', 'p99.9 ms', (trial) => trial.latencyMs?.p999 ?? null)]),
    ...(trials.some((trial) => busyShare(trial) !== null)
      ? [number('busy', 'busy', busyShare, (share) => `${Math.round(share * 100)} %`)]
      : []),
    number('cpuPerRequest', 'CPU µs/req', (trial) => trial.resources.app.cpuUsPerRequest),
    number('errors', 'errors', (trial) => trial.errors.total, wholeNumber),
    ...(trials.some((trial) => trial.slo) ? [objectiveColumn] : []),
    {
      id: 'verdict',
      title: 'notes',
      numeric: false,
      cell: (trial) => verdictCell(trial, alone(trial) ? null : ofBest(trial), recommendations),
    },
  ];
}

/** What was taken of the CPU while the figures beside it were measured. */
const takenColumn: Column = {
  id: 'taken',
  title: 'CPU taken',
  numeric: true,
  muted: true,
  cell: ({ disturbance }) => {
    if (disturbance === null) return { text: none, sort: null };
    const by = byWhomPhrase(disturbance);
    return {
      text: takenPercentPhrase(disturbance.takenPercent),
      sort: disturbance.takenPercent,
      title: `${whilePhrase(disturbance) || 'hardly anything was taken away'}${by === '' ? '' : `, ${by}`}`,
    };
  },
};

/** An estimate of the machine left alone, marked as one. */
const leftAloneColumn: Column = {
  id: 'leftAlone',
  title: 'left alone, est.',
  numeric: true,
  muted: true,
  cell: (trial) =>
    trial.undisturbed
      ? { text: `≈ ${estimateFigure(trial.undisturbed.throughput)}`, sort: trial.undisturbed.throughput, title: undisturbedPhrase(trial) }
      : { text: none, sort: null },
};

/** p99 at a fixed open rate; where that rate was not carried, words, since the figure would only say how long the block was. */
const openLoopColumn: Column = {
  id: 'openP99',
  title: 'p99 at rate',
  numeric: true,
  cell: (trial) => {
    const { openLoop } = trial;
    if (!openLoop) return { text: none, sort: null };
    const rate = `${wholeNumber(openLoop.rate)} req/s, open loop`;
    if (!openLoop.carried) return { text: 'too much', sort: null, kind: 'bad', title: `It could not answer ${rate}.` };
    const interval =
      openLoop.ciLow === null || openLoop.ciHigh === null
        ? ''
        : `, 95 % interval ${figure(openLoop.ciLow)} – ${figure(openLoop.ciHigh)} ms`;
    const { windows, windowsMeasured } = openLoop;
    const counted = windows === undefined || windowsMeasured === undefined ? '' : `, over ${windows} of ${windowsMeasured} windows`;
    return { text: figure(openLoop.p99Ms), sort: openLoop.p99Ms, title: `${figure(openLoop.p99Ms)} ms at ${rate}${counted}${interval}` };
  },
};

/** Whether the objective holds, in a word; a pointer on it tells each limit. */
const objectiveColumn: Column = {
  id: 'objective',
  title: 'objective',
  numeric: false,
  cell: ({ slo }) => {
    if (!slo || slo.passed === null) return { text: none, sort: null };
    const title = slo.rows.map((row) => `${row.what} ${row.limit}: ${row.value}`).join('\n');
    if (slo.passed) return { text: 'met', sort: 'met', kind: 'good', title };
    return { text: 'missed', sort: 'missed', kind: 'bad', title };
  },
};

/** The share of the pool's connections that were busy; of the request threads where no pool was seen. */
function busyShare(trial: Trial): number | null {
  const use = trial.pool ?? trial.threadPool;
  return use?.max ? use.busy / use.max : null;
}

function number(id: string, title: string, value: (trial: Trial) => number | null, format: (value: number) => string = figure): Column {
  return { id, title, numeric: true, cell: (trial) => ({ text: orDash(value(trial), format), sort: value(trial) }) };
}

function settingColumn(name: string, title: string): Column {
  return {
    id: `setting:${name}`,
    title: title.charAt(0).toUpperCase() + title.slice(1),
    numeric: false,
    cell: (trial) => {
      const value = valueOf(trial, name);
      return { text: value === null ? none : String(value), sort: value };
    },
  };
}

function verdictCell(trial: Trial, ofBest: number | null, recommendations: readonly Recommendation[]): Cell {
  const text = verdictOf(trial, ofBest, recommendations);
  return { text, sort: text };
}

function verdictOf(trial: Trial, ofBest: number | null, recommendations: readonly Recommendation[]): string {
  if (!trial.valid) return `not valid: ${trial.reasons.join('; ') || 'no reason given'}`;
  if (!measured(trial)) return 'not measured yet';
  if (recommendations.some((recommendation) => recommendation.trialKey === trial.key && recommendation.value !== null))
    return 'recommended';
  if (ofBest === null) return '';
  if (ofBest === 1) return 'best';
  return ofBest >= 1 - delta ? 'within 5 % of best' : `${Math.round((1 - ofBest) * 100)} % below best`;
}

function measured(trial: Trial): boolean {
  return trial.throughput.blocks.length > 0 || trial.throughput.mean > 0;
}

/** Settings that get a column: those that vary; if none does, the first one that the trials have. */
export function shownSettings(trials: readonly Trial[]): string[] {
  const names = [...new Set(trials.flatMap((trial) => Object.keys(trial.settings)))];
  const varied = [...names, connectionsName].filter((name) => distinctValues(trials, name).length > 1);
  return varied.length > 0 ? varied : names.slice(0, 1);
}

/** What is the same in all trials that have it, as text: "threads 50, connections 32". */
export function constantSettings(trials: readonly Trial[], labels: SettingLabels = {}): string {
  const shown = new Set(shownSettings(trials));
  const names = [...new Set(trials.flatMap((trial) => Object.keys(trial.settings))), connectionsName].filter((name) => !shown.has(name));
  return names
    .flatMap((name) => {
      const owners = new Set(trials.filter((trial) => valueOf(trial, name) !== null).map((trial) => trial.targetLabel));
      const all = new Set(trials.map((trial) => trial.targetLabel));
      const value = distinctValues(trials, name)[0];
      if (value === undefined) return [];
      return [`${settingTitle(name, [], labels).toLowerCase()} ${value}${owners.size < all.size ? ` (${[...owners].join(', ')})` : ''}`];
    })
    .join(', ');
}

/** Rows in the wanted order; the order of the run without one. Cells without a value come last. */
export function sortTrials(trials: readonly Trial[], columns: readonly Column[], sort: Sort | null): Trial[] {
  const column = columns.find((candidate) => candidate.id === sort?.column);
  if (!sort || !column) return [...trials];
  const direction = sort.descending ? -1 : 1;
  return [...trials].sort((one, other) => {
    const a = column.cell(one).sort;
    const b = column.cell(other).sort;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
    return String(a).localeCompare(String(b), 'en') * direction;
  });
}

/** The next order after a click on a column: figures start with the largest, words with the first. */
export function nextSort(current: Sort | null, column: Column): Sort | null {
  const first = column.numeric;
  if (current?.column !== column.id) return { column: column.id, descending: first };
  return current.descending === first ? { column: column.id, descending: !first } : null;
}
