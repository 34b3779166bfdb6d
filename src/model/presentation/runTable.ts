import { findingTexts } from '../domain/findings.ts';
import { isNoticeable } from '../domain/interference.ts';
import {
  byWhomPhrase,
  estimateFigure,
  interferencePercentPhrase,
  noiseAdjustedOf,
  noiseAdjustedPhrase,
  whilePhrase,
} from './interferenceWords.ts';
import { bytesPhrase, figure, intervalPhrase, noFigure, orDash, wholeNumber } from '../domain/format.ts';
import { isWide } from '../domain/intervalWidth.ts';
import { deltaPhrase } from '../domain/margin.ts';
import { isErroneous } from '../domain/requestErrors.ts';
import type { Recommendation, RunRecord, Trial } from '../domain/run.ts';
import { tunedAnswers } from '../domain/runResult.ts';
import { type SettingLabels, constantSettings, labelsOf, settingTitle, shownSettings, valueOf } from './settingWords.ts';
import { type Cell, type Table, type TableColumn, type TableRow, figureColumn, titledColumns, wordCell, wordColumn } from './table.ts';
import type { TunedSetting, TuningAnswer } from '../domain/tuning.ts';
import { reasonsOf, seenThroughput, shownRecommendations } from '../domain/tuningAnswers.ts';

/** What the table of a run is made of: a stored run ({@link presentedRun}), or what is known of one in progress. */
export interface PresentedRun {
  trials: readonly Trial[];
  recommendations: readonly Recommendation[];
  /** Of a tuning; they know more of a trial than it does. */
  answers: readonly TuningAnswer[];
  labels: SettingLabels;
  /** δ, as a share. */
  delta: number;
}

export function presentedRun(run: RunRecord): PresentedRun {
  return {
    trials: run.trials,
    recommendations: shownRecommendations(run),
    answers: tunedAnswers(run),
    labels: labelsOf(run),
    delta: run.delta,
  };
}

/** What is known of all trials together before the first cell is made. */
interface Known extends PresentedRun {
  tuned: ReadonlyMap<string, TunedSetting>;
  /** The best valid mean of each target. */
  best: ReadonlyMap<string, number | null>;
  recommended: ReadonlyMap<string, Recommendation['status']>;
}

const settingPrefix = 'setting:';

/** Whether a column of {@link runTable} distinguishes the trials, by words that others wrote; all other columns hold our words. */
export function isNameColumn({ id }: TableColumn): boolean {
  return id === 'target' || id.startsWith(settingPrefix);
}

const invalidWord = 'not valid';
const unmeasuredWord = 'not measured';

interface Column extends TableColumn {
  cell: (trial: Trial, known: Known) => Cell;
}

/**
 * The table of figures: one row for each trial in the order of the run. Settings (and connections) that are the same in all trials have no column;
 * {@link tableNote} names them. What no trial knows has no column either. "of best" is the share of the target's best valid mean.
 */
export function runTable(run: PresentedRun): Table {
  const known = knownOf(run);
  const { columns, rows } = tableOf(columnsOf(known), known);
  return { columns, rows: [...rows, ...unmeasuredRows(known, columns)] };
}

function tableOf(columns: readonly Column[], known: Known): Table {
  return {
    columns: columns.map(({ cell: _cell, ...column }) => column),
    rows: known.trials.map((trial) => rowOf(trial, known, cellsOf(columns, trial, known))),
  };
}

function cellsOf(columns: readonly Column[], trial: Trial, known: Known): Cell[] {
  return columns.map((column) => column.cell(trial, known));
}

/** Values that a tuning was asked for and came not to: they have no trial, and yet a row that says why. */
function unmeasuredRows(known: Known, columns: readonly TableColumn[]): TableRow[] {
  const measuredKeys = new Set(known.trials.map(({ key }) => key));
  return known.answers.flatMap(({ target, targetLabel, settings }) =>
    settings
      .filter(({ trialKey }) => !measuredKeys.has(trialKey))
      .map((one): TableRow => {
        const cellOf = ({ id }: TableColumn): Cell => {
          if (id === 'target') return wordCell(targetLabel);
          if (id === 'notes') return wordCell(one.valid ? unmeasuredWord : invalidWord);
          if (id === 'predicted') return figureCell(one.predicted, wholeNumber);
          const value = id.startsWith(settingPrefix) ? one.values[id.slice(settingPrefix.length)] : undefined;
          return value === undefined ? figureCell(null) : { text: String(value), sort: value };
        };
        return { key: one.trialKey, target, valid: one.valid, reasons: reasonsOf(one, known), mark: null, cells: columns.map(cellOf) };
      }),
  );
}

/** What must be known to read the table, as sentences under it. */
export function tableNote({ trials, labels }: Pick<PresentedRun, 'trials' | 'labels'>): string {
  const constants = constantSettings(trials, labels);
  const objective = (trials.find((trial) => trial.slo)?.slo?.rows ?? []).map((row) => `${row.what} ${row.limit}`).join(', ');
  return [
    ...(constants === '' ? [] : [`The same in all: ${constants}.`]),
    'Intervals are 95 %, over blocks; latency is of all requests of a trial.',
    ...(trials.some(hasNoticeableInterference)
      ? ['Interference: the share of the CPU that other machines and programs took; it widens intervals and discards nothing.']
      : []),
    ...(trials.some(hasEstimate) ? ['Noise-adjusted: an estimate for a machine that nobody else uses, from CPU per request.'] : []),
    ...(objective === '' ? [] : [`Objective: ${objective}.`]),
  ].join(' ');
}

/** What each trial used of the machine: app, PostgreSQL, generator and host. CPU in percent of one core, the host's of all cores. */
export function resourceTable(run: PresentedRun): Table {
  const known = knownOf(run);
  return tableOf([...nameColumns(known), ...resourceColumns], known);
}

const resourceColumns: readonly Column[] = [
  number('appCpu', 'app CPU', ({ resources }) => resources.app.cpuPercent, cpuPhrase),
  number('appMemory', 'app memory', ({ resources }) => resources.app.rssBytes, bytesPhrase),
  number('appThreads', 'app threads', ({ resources }) => resources.app.threads, wholeNumber),
  number('appSwitches', 'app switches/s', ({ resources }) => resources.app.contextSwitchesPerSecond),
  number('postgresCpu', 'PostgreSQL CPU', ({ resources }) => resources.postgres.cpuPercent, cpuPhrase),
  number('postgresCpuPerRequest', 'PostgreSQL µs/req', ({ resources }) => resources.postgres.cpuUsPerRequest),
  number('postgresMemory', 'PostgreSQL memory', ({ resources }) => resources.postgres.rssBytes, bytesPhrase),
  number('generatorCpu', 'generator CPU', ({ resources }) => resources.generator.cpuPercent, cpuPhrase),
  number('generatorLoop', 'generator loop', ({ resources }) => resources.generator.eventLoopUtilisation, sharePhrase),
  number(
    'littleRatio',
    'in flight/conn.',
    ({ resources }) => resources.generator.littleRatio,
    (value) => value.toFixed(2),
  ),
  number('otherCpu', 'other CPU', ({ resources }) => resources.host.otherPercent, cpuPhrase),
  number('stolenCpu', 'stolen CPU', ({ resources }) => resources.host.stealPercent, cpuPhrase),
];

/** What each process of a trial did where there are several of it, or a proxy before them; no rows where there is neither. */
export function instanceTable(run: PresentedRun): Table {
  const known = knownOf(run);
  const names = nameColumns(known);
  return {
    columns: [...names, ...titledColumns(['process', 'requests/s', 'CPU %', 'memory'], 1)],
    rows: run.trials.flatMap((trial) =>
      instanceCells(trial).map((texts) => rowOf(trial, known, [...cellsOf(names, trial, known), ...texts.map(wordCell)])),
    ),
  };
}

/** What each instance of a trial did and used, the proxy before them and the PgBouncer behind: a row of text for each; none where there is one process alone. */
function instanceCells({ instances, proxy, bouncer }: Pick<Trial, 'instances' | 'proxy' | 'bouncer'>): string[][] {
  return [
    ...(instances ?? []).map(({ requestsPerSecond, cpuPercent, rssBytes }, index) => [
      `instance ${index + 1}`,
      orDash(requestsPerSecond, wholeNumber),
      orDash(cpuPercent, wholeNumber),
      orDash(rssBytes, bytesPhrase),
    ]),
    ...(proxy === undefined ? [] : [['nginx', noFigure, orDash(proxy.cpuPercent, wholeNumber), noFigure]]),
    ...(bouncer === undefined ? [] : [[bouncerName(bouncer), noFigure, orDash(bouncer.cpuPercent, wholeNumber), noFigure]]),
  ];
}

/** “PgBouncer (transaction): 7.9 of 8 busy, 24 waiting”. */
function bouncerName({ mode, poolSize, busy, waiting }: NonNullable<Trial['bouncer']>): string {
  const seen =
    busy === null || waiting === null ? `pool of ${poolSize}` : `${figure(busy)} of ${poolSize} busy, ${figure(waiting)} waiting`;
  return `PgBouncer (${mode}): ${seen}`;
}

/** Best mean throughput of a target's valid trials, which the margin is measured from; `null` without one. */
export function bestThroughput(trials: readonly Trial[], target: string): number | null {
  const means = trials
    .filter((trial) => trial.target === target && trial.valid && trial.throughput.mean > 0)
    .map((trial) => trial.throughput.mean);
  return means.length === 0 ? null : Math.max(...means);
}

function knownOf(run: PresentedRun): Known {
  return {
    ...run,
    best: new Map([...new Set(run.trials.map(({ target }) => target))].map((target) => [target, bestThroughput(run.trials, target)])),
    tuned: new Map(run.answers.flatMap(({ settings }) => settings.map((one) => [one.trialKey, one]))),
    recommended: new Map(
      run.recommendations.flatMap(({ trialKey, value, status }) =>
        trialKey === null || value === null ? [] : [[trialKey, status] as const],
      ),
    ),
  };
}

function rowOf(trial: Trial, known: Known, cells: Cell[]): TableRow {
  const status = known.recommended.get(trial.key);
  const unsure = status !== 'confirmed' && isWide(trial.throughput, known.delta);
  return {
    key: trial.key,
    target: trial.target,
    valid: isValid(trial, known),
    reasons: rowReasons(trial, known),
    mark: status === undefined ? null : unsure ? 'unsure' : 'recommended',
    cells,
  };
}

function columnsOf(known: Known): Column[] {
  const { trials } = known;
  const some = (knows: (trial: Trial) => unknown, column: Column): Column[] =>
    trials.some((trial) => Boolean(knows(trial))) ? [column] : [];
  const tuned = known.answers.length > 0;
  return [
    ...nameColumns(known),
    number('throughput', 'req/s', (trial) => (measured(trial, known) ? throughputOf(trial, known).mean : null), wholeNumber),
    {
      ...figureColumn('interval', '95 % interval', true),
      cell: (trial) => {
        const throughput = throughputOf(trial, known);
        return { text: intervalPhrase(throughput), sort: throughput.ciLow };
      },
    },
    ...some(hasNoticeableInterference, interferenceColumn),
    ...some(hasEstimate, noiseAdjustedColumn),
    ofBestColumn,
    number('p50', 'p50 ms', (trial) => trial.latencyMs?.p50),
    number('p99', 'p99 ms', (trial) => trial.latencyMs?.p99),
    ...(trials.some((trial) => openLoopOf(trial, known))
      ? [openLoopColumn(known)]
      : [number('p999', 'p99.9 ms', (trial) => trial.latencyMs?.p999)]),
    ...some(
      (trial) => known.tuned.get(trial.key)?.predicted,
      number('predicted', 'predicted', (trial) => known.tuned.get(trial.key)?.predicted, wholeNumber),
    ),
    ...some((trial) => busyShare(trial) !== null, number('busy', 'busy', busyShare, sharePhrase)),
    number('cpuPerRequest', 'CPU µs/req', (trial) => trial.resources.app.cpuUsPerRequest),
    number('errors', 'errors', (trial) => (trial.errors.total > 0 || measured(trial, known) ? trial.errors.total : null), wholeNumber),
    ...(tuned ? [number('blocks', 'blocks', (trial) => known.tuned.get(trial.key)?.blocks, wholeNumber)] : []),
    ...some((trial) => trial.slo, objectiveColumn),
    { ...wordColumn('notes', 'notes'), cell: (trial) => wordCell(noteOf(trial, known)) },
  ];
}

/** The columns that distinguish the trials: the target, and the settings that vary. */
function nameColumns({ trials, labels }: Known): Column[] {
  return [
    { ...wordColumn('target', 'Target'), cell: (trial) => wordCell(trial.targetLabel) },
    ...shownSettings(trials).map((name): Column => {
      const title = settingTitle(name, labels);
      return {
        ...wordColumn(`${settingPrefix}${name}`, title.charAt(0).toUpperCase() + title.slice(1)),
        cell: (trial) => {
          const value = valueOf(trial, name);
          return { text: value === null ? noFigure : String(value), sort: value };
        },
      };
    }),
  ];
}

/** Where requests failed, interference is no explanation. */
function hasNoticeableInterference(trial: Trial): boolean {
  return isNoticeable(trial.interference) && !isErroneous(trial);
}

function hasEstimate(trial: Trial): boolean {
  return noiseAdjustedOf(trial) !== null;
}

/** The share of the CPU that was lost while the figures of the row were measured. */
const interferenceColumn: Column = {
  ...figureColumn('taken', 'interference', true),
  cell: (trial) => {
    const { interference } = trial;
    if (interference === null || isErroneous(trial)) return figureCell(null);
    const by = byWhomPhrase(interference);
    return {
      ...figureCell(interference.takenPercent, interferencePercentPhrase),
      title: `${whilePhrase(interference) || 'hardly any interference'}${by === '' ? '' : `, ${by}`}`,
    };
  },
};

/** An estimate of the machine left alone, marked as one. */
const noiseAdjustedColumn: Column = {
  ...figureColumn('leftAlone', 'noise-adjusted, est.', true),
  cell: (trial) =>
    hasEstimate(trial)
      ? { ...figureCell(noiseAdjustedOf(trial), (value) => `≈ ${estimateFigure(value)}`), title: noiseAdjustedPhrase(trial) }
      : figureCell(null),
};

/** With its interval where a tuning knows one. */
const ofBestColumn: Column = {
  ...figureColumn('ofBest', 'of best'),
  cell: (trial, known) => {
    const share = ofBest(trial, known);
    const { ciLow = null, ciHigh = null } = known.tuned.get(trial.key)?.ratioToBest ?? {};
    const percent = (ratio: number): string => (ratio * 100).toFixed(0);
    const interval = ciLow === null || ciHigh === null ? '' : ` (${percent(ciLow)} – ${percent(ciHigh)})`;
    return figureCell(share, (value) => `${sharePhrase(value)}${interval}`);
  },
};

/** p99 at a fixed open rate; where that rate was not carried, words, since the figure would only say how long the block was. */
function openLoopColumn(known: Known): Column {
  const rates = [...new Set(known.trials.flatMap((trial) => openLoopOf(trial, known)?.rate ?? []).map(wholeNumber))];
  return {
    ...figureColumn('openP99', rates.length === 1 ? `p99 ms at ${rates[0] ?? ''}/s` : 'p99 at rate'),
    cell: (trial) => {
      const openLoop = openLoopOf(trial, known);
      if (!openLoop) return figureCell(null);
      const rate = `${wholeNumber(openLoop.rate)} req/s, open loop`;
      if (!openLoop.carried) return { text: 'too much', sort: null, kind: 'bad', title: `It could not answer ${rate}.` };
      const interval =
        openLoop.ciLow === null || openLoop.ciHigh === null
          ? ''
          : `, 95 % interval ${figure(openLoop.ciLow)} – ${figure(openLoop.ciHigh)} ms`;
      const { windows, windowsMeasured } = openLoop;
      const counted = windows === undefined || windowsMeasured === undefined ? '' : `, over ${windows} of ${windowsMeasured} windows`;
      return { ...figureCell(openLoop.p99Ms), title: `${figure(openLoop.p99Ms)} ms at ${rate}${counted}${interval}` };
    },
  };
}

/** Whether the objective holds, in a word; its tooltip lists each limit. */
const objectiveColumn: Column = {
  ...wordColumn('objective', 'objective'),
  cell: ({ slo }) => {
    if (!slo || slo.passed === null) return { text: 'not judged', sort: null };
    const title = slo.rows.map((row) => `${row.what} ${row.limit}: ${row.value}`).join('\n');
    return { ...wordCell(slo.passed ? 'met' : 'missed'), kind: slo.passed ? 'good' : 'bad', title };
  },
};

function noteOf(trial: Trial, known: Known): string {
  if (!isValid(trial, known)) return invalidWord;
  if (!measured(trial, known)) return unmeasuredWord;
  if (known.recommended.has(trial.key)) return 'recommended';
  const share = ofBest(trial, known);
  const alone = !known.trials.some((other) => other !== trial && other.target === trial.target);
  if (share === null || alone) return '';
  if (share === 1) return 'best';
  return share >= 1 - known.delta ? `within ${deltaPhrase(known.delta)} of best` : `${Math.round((1 - share) * 100)} % below best`;
}

function isValid(trial: Trial, { tuned }: Known): boolean {
  return trial.valid && tuned.get(trial.key)?.valid !== false;
}

function rowReasons(trial: Trial, known: Known): readonly string[] {
  const tuned = known.tuned.get(trial.key);
  if (tuned !== undefined && trial.valid) return reasonsOf(tuned, known);
  if (trial.valid) return [];
  return trial.reasons.length > 0 ? findingTexts(trial.reasons) : ['no reason was recorded'];
}

/** What the sentences of an answer speak of, where there is one. */
function throughputOf(trial: Trial, known: Known): Pick<Trial['throughput'], 'mean' | 'ciLow' | 'ciHigh'> {
  const own = known.tuned.get(trial.key)?.throughput;
  const throughput = own !== undefined && own.mean > 0 ? own : trial.throughput;
  return isValid(trial, known) ? throughput : { ...seenThroughput(throughput, false, trial.blocks), ciLow: null, ciHigh: null };
}

/** While a search runs, only its answers contain it. */
function openLoopOf(trial: Trial, { tuned }: Known): Trial['openLoop'] {
  return trial.openLoop ?? tuned.get(trial.key)?.openLoop ?? null;
}

function ofBest(trial: Trial, known: Known): number | null {
  if (!isValid(trial, known)) return null;
  const ratio = known.tuned.get(trial.key)?.ratioToBest;
  if (ratio) return ratio.mean;
  const top = known.best.get(trial.target);
  return top == null || trial.throughput.mean <= 0 ? null : trial.throughput.mean / top;
}

/** The share of the pool's connections that were busy; of the request threads where no pool was seen. */
function busyShare(trial: Trial): number | null {
  const use = trial.pool ?? trial.threadPool;
  return use?.max ? use.busy / use.max : null;
}

function measured(trial: Trial, known: Known): boolean {
  return trial.throughput.blocks.length > 0 || throughputOf(trial, known).mean > 0;
}

function number(id: string, title: string, value: (trial: Trial) => number | null | undefined, format?: (value: number) => string): Column {
  return { ...figureColumn(id, title), cell: (trial) => figureCell(value(trial) ?? null, format) };
}

function figureCell(value: number | null, format: (value: number) => string = figure): Cell {
  return { text: orDash(value, format), sort: value };
}

export function sharePhrase(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function cpuPhrase(percent: number): string {
  return `${percent >= 10 ? wholeNumber(percent) : percent.toFixed(1)} %`;
}
