import { findingTexts } from '../domain/findings.ts';
import { tierOfExperiment, tierWords } from '../domain/answerTier.ts';
import { figure, noFigure, orDash, wholeNumber } from '../domain/format.ts';
import { noiseFloorPhrase } from '../domain/intervalWidth.ts';
import { defaultDelta } from '../domain/margin.ts';
import type { StepMetrics } from '../domain/scenario.ts';
import {
  type ExperimentVariant,
  type MetricName,
  type PublishedTable,
  type ExperimentPlan,
  type ExperimentPoint,
  type ExperimentRecord,
  type ShapeResult,
  type SuccessRow,
  metricNameSchema,
} from '../domain/experiment.ts';
import { basisWords, shapeWords } from './shapeWords.ts';
import { type Cell, type Table, figureColumn, plainTable, titledColumns, wordCell, wordColumn } from './table.ts';

/** How a figure of an experiment is called, in which unit it is shown, and how its number is written. */
export interface MetricWords {
  title: string;
  unit: string;
  format: (value: number) => string;
}

const percent = (value: number): string => (Math.abs(value) < 10 ? String(Number(value.toFixed(1))) : wholeNumber(value));

export const metricWords: Readonly<Record<MetricName, MetricWords>> = {
  throughput: { title: 'Throughput', unit: 'requests/s', format: wholeNumber },
  meanMs: { title: 'Mean response time', unit: 'ms', format: figure },
  p99Ms: { title: 'p99 latency', unit: 'ms', format: figure },
  errorShare: { title: 'Errors', unit: '% of requests', format: (share) => percent(share * 100) },
  cpuPercent: { title: 'App CPU', unit: '% of a core', format: percent },
  requestsPerCpuSecond: { title: 'Requests per second of CPU', unit: 'requests', format: wholeNumber },
  rssMb: { title: 'Memory', unit: 'MB', format: wholeNumber },
  databaseMs: { title: 'Time with a connection', unit: 'ms', format: figure },
  poolWaitMs: { title: 'Wait for a connection', unit: 'ms', format: figure },
  switchesPerS: { title: 'Context switches', unit: 'per s', format: wholeNumber },
  utilisationPercent: { title: 'Utilisation of the CPU available', unit: '%', format: percent },
  users: { title: 'Users', unit: '', format: wholeNumber },
  lossPercent: { title: 'Loss of throughput', unit: '%', format: percent },
  recoveryS: { title: 'Time until steady again', unit: 's', format: figure },
};

/** A figure of a point with its 95 % interval, where there is one. */
type PointMetric = NonNullable<ShapeResult['interval']>;

/** What was measured of a figure at a point; null: nothing. */
export function figureOf(point: ExperimentPoint, name: MetricName): PointMetric | null {
  if (name === 'throughput' && point.throughput) {
    const { mean, ciLow, ciHigh } = point.throughput;
    return { value: mean, low: ciLow, high: ciHigh };
  }
  const value = point.figures[name];
  return value === null || value === undefined ? null : { value, low: null, high: null };
}

export function planOf({ experiment, form }: Pick<ExperimentRecord, 'experiment' | 'form'>): ExperimentPlan {
  return form === 'short' ? experiment.short : experiment.full;
}

/** What the levels of a plan count. */
export function levelName(plan: ExperimentPlan): string {
  return plan.kind === 'roles' ? 'users' : 'connections';
}

/** The levels that were measured or are planned, rising. */
export function levelsOf(record: Pick<ExperimentRecord, 'experiment' | 'form' | 'points'>): number[] {
  const plan = planOf(record);
  const planned = plan.kind === 'ladder' ? plan.levels : [];
  return [...new Set([...planned, ...record.points.map((point) => point.level)])].sort((a, b) => a - b);
}

/** The variants that have a place in tables and charts: those of the experiment, then those that only points name. */
export function variantsOf({
  experiment,
  points,
}: Pick<ExperimentRecord, 'experiment' | 'points'>): Pick<ExperimentVariant, 'name' | 'label' | 'target'>[] {
  const unknown = [...new Set(points.map((point) => point.variant))].filter(
    (name) => !experiment.variants.some((variant) => variant.name === name),
  );
  return [...experiment.variants, ...unknown.map((name) => ({ name, label: name, target: name }))];
}

const mostTables = 3;
const mostColumns = 8;
const noCell: Cell = { text: noFigure, sort: null };

/** A table as it was published, its numbers with the digits that were published. Columns in which every cell is a number have figures. */
export function publishedTable({ caption, columns, rows }: PublishedTable): Table {
  const isNumber = (cell: string | number | undefined): boolean => typeof cell !== 'string' || /^[-−+≈<>~]?\s?\d[\d,. ]*\s?%?$/.test(cell);
  return plainTable(
    columns.map((title, index) =>
      index > 0 && rows.every((row) => isNumber(row[index])) ? figureColumn(title, title) : wordColumn(title, title),
    ),
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 3 }) : cell))),
    caption,
  );
}

/** Before against after, in the words of the study, with Welch’s p and our interval side by side. */
export function successTable(rows: readonly SuccessRow[]): Table {
  // More digits say nothing.
  const pPhrase = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));
  const kinds = { success: { kind: 'good' }, improvement: {}, failure: { kind: 'bad' } } as const;
  return plainTable(
    titledColumns(['Figure', 'before', 'after', 'change', '95 % interval', 'Welch’s p', 'in words'], 1, 5),
    rows.map(({ what, before, after, change, interval, welchP, word }) => [
      what,
      before,
      after,
      change,
      interval ?? noFigure,
      orDash(welchP, pPhrase),
      { ...wordCell(word), ...kinds[word] },
    ]),
    'Words as published: below 10 % failure, 10 to 50 % improvement, above 50 % success.',
  );
}

/** What each step of each role took; what went wrong has a column where anything did. */
export function stepsTable(steps: readonly StepMetrics[]): Table {
  const troubled = steps.some(({ problem }) => problem !== null);
  const columns = ['Role', 'step', 'requests', 'errors', 'mean ms', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms'];
  return plainTable(
    [...titledColumns(columns, 2), ...(troubled ? [wordColumn('problem', 'what went wrong most often')] : [])],
    steps.map((step) => [
      step.role,
      step.step,
      wholeNumber(step.requests),
      wholeNumber(step.errors),
      ...[step.meanMs, step.p50Ms, step.p95Ms, step.p99Ms, step.maxMs].map((ms) => orDash(ms)),
      ...(troubled ? [step.problem === null ? '' : { ...wordCell(step.problem), kind: 'bad' as const }] : []),
    ]),
  );
}

/**
 * What was measured, in the layout of publications: levels down and variants across, one table for each figure that the experiment draws or judges. With one variant,
 * the figures are the columns; at one level, the variants are the rows and the figures the columns.
 */
export function measuredTables(record: Pick<ExperimentRecord, 'experiment' | 'form' | 'points'>): Table[] {
  const levels = levelsOf(record);
  const variants = variantsOf(record);
  const names = shownMetrics(record);
  const known = metricNameSchema.options.filter((name) => record.points.some((point) => figureOf(point, name) !== null));
  const all = [...new Set([...names, ...known])].slice(0, mostColumns);
  const across = levelName(planOf(record));
  const cell = (variant: string, level: number, name: MetricName): Cell =>
    cellOf(
      record.points.find((point) => point.variant === variant && point.level === level),
      name,
    );
  const table = (caption: string, titles: readonly string[], rows: (string | Cell)[][]): Table =>
    plainTable(titledColumns(titles, 1), rows, caption);
  const [only] = levels;
  if (only === undefined) return [];
  if (levels.length === 1)
    return [
      table(
        `${wholeNumber(only)} ${across}`,
        ['', ...all.map(columnTitle)],
        // A long label may be cut off.
        variants.map(({ name, label }) => [{ ...wordCell(label), title: label }, ...all.map((one) => cell(name, only, one))]),
      ),
    ];
  const [single] = variants;
  if (variants.length === 1 && single)
    return [
      table(
        single.label,
        [across, ...all.map(columnTitle)],
        levels.map((level) => [wholeNumber(level), ...all.map((name) => cell(single.name, level, name))]),
      ),
    ];
  return names.slice(0, mostTables).map((name) =>
    table(
      columnTitle(name),
      [across, ...variants.map((variant) => variant.label)],
      levels.map((level) => [wholeNumber(level), ...variants.map((variant) => cell(variant.name, level, name))]),
    ),
  );
}

/** The figures that an experiment draws or judges, and the response time in addition to throughput, where anything of them was measured. */
export function shownMetrics({ experiment, points }: Pick<ExperimentRecord, 'experiment' | 'points'>): MetricName[] {
  const judged = experiment.shape.flatMap((rule) => ('figure' in rule ? [rule.figure] : []));
  const wanted = [...new Set<MetricName>([experiment.figure, ...judged, 'throughput', 'meanMs'])];
  return wanted.filter((name) => name === experiment.figure || points.some((point) => figureOf(point, name) !== null));
}

/** "Throughput, requests/s". */
export function columnTitle(name: MetricName): string {
  const { title, unit } = metricWords[name];
  return unit === '' ? title : `${title}, ${unit}`;
}

function cellOf(point: ExperimentPoint | undefined, name: MetricName): Cell {
  if (!point) return noCell;
  const known = figureOf(point, name);
  const discarded = point.valid ? {} : { discarded: findingTexts(point.reasons) };
  if (!known) return { ...noCell, ...discarded };
  const { format } = metricWords[name];
  const { value, low, high } = known;
  const spread = low === null || high === null ? {} : { spread: `± ${format((high - low) / 2)}` };
  return { text: format(value), sort: value, ...spread, ...discarded };
}

/**
 * The answer of an experiment in one sentence. What is only seen is given with its interval, and without a judgement: its tier says what it is worth. That is the
 * first rule that is open; where all are decided over intervals that could hold anything, how it looks and how wide they are.
 */
export function experimentSentence(record: Pick<ExperimentRecord, 'experiment' | 'agrees' | 'points' | 'shape'>, delta: number): string {
  const { experiment, agrees, points, shape } = record;
  if (agrees === null) {
    const open = shape.filter((rule) => rule.agrees === null);
    // A figure with an interval was seen; one without could not be.
    const shown = open.find(({ interval }) => interval !== null) ?? open[0];
    return shown === undefined ? 'Nothing was seen of what it asks' : shapeWords(shown, experiment).seen;
  }
  if (tierOfExperiment(record, delta) !== 'seen') return agreementWords({ experiment, agrees });
  const looks = `Looks ${agrees ? 'like' : 'different from'} ${basisWords[experiment.basis].told}`;
  const widths = points.flatMap(({ valid, throughput }) => (valid && throughput ? [halfWidthPercent(throughput)] : []));
  if (widths.includes(null)) return `${looks}, but was measured too rarely for an interval`;
  return `${looks}; its widest interval is ${noiseFloorPhrase(Math.max(...widths.map((width) => width ?? 0)))}`;
}

/** The same with its tier, as documents have it. */
export function sentenceWithTier(record: ExperimentRecord): string {
  return `${experimentSentence(record, defaultDelta)} (${tierWords[tierOfExperiment(record, defaultDelta)].toLowerCase()})`;
}

export function agreementWords({ experiment, agrees }: Pick<ExperimentRecord, 'experiment'> & { agrees: boolean }): string {
  return `${agrees ? 'Agrees' : 'Does not agree'} with ${basisWords[experiment.basis].whole}`;
}

function halfWidthPercent({ mean, ciLow, ciHigh }: NonNullable<ExperimentPoint['throughput']>): number | null {
  return ciLow === null || ciHigh === null || mean <= 0 ? null : (50 * (ciHigh - ciLow)) / mean;
}
