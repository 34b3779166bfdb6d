import { eventName } from './eventNames.ts';
import { diffNoteText } from '../domain/diffNoteKinds.ts';
import { bytesPhrase, changePhrase, changeRange, figure, noFigure, orDash, percentPhrase, wholeNumber } from '../domain/format.ts';
import { type Table, type TableColumn, figureColumn, plainTable, wordCell, wordColumn } from './table.ts';
import type { Ratio, Verdict } from '../domain/tuning.ts';
import {
  type ChangedFunction,
  type RouteDiff,
  type VersionDiff,
  type VersionMetric,
  type VersionWhy,
  versionMetricIds,
} from '../domain/versionDiff.ts';

const words: Readonly<Record<Verdict, string>> = { better: 'better', worse: 'worse', same: 'the same', unknown: 'undecided' };

/** What the columns of a side are called: `title` is short, `full` says all of it. */
export interface SideTitle {
  title: string;
  full: string;
}

const longestTitle = 20;

/** The names of the sides: the branch or the name that was asked for, or “working tree”; with the commit only where nothing else distinguishes them. */
export function sideTitles({ base, head }: { base: { label: string }; head: { label: string } }): { base: SideTitle; head: SideTitle } {
  const bare = (label: string): string => label.replace(/^the /, '').replace(/ \([0-9a-f]{7,}\)$/, '');
  const alike = bare(base.label) === bare(head.label);
  const titleOf = ({ label }: { label: string }): SideTitle => ({ title: shortened(alike ? label : bare(label)), full: label });
  const titles = { base: titleOf(base), head: titleOf(head) };
  // Two long names may be the same in all that there is room for.
  return titles.base.title === titles.head.title
    ? { base: { ...titles.base, title: base.label }, head: { ...titles.head, title: head.label } }
    : titles;
}

/** The beginning and the end of a long name: branches of one kind begin alike. */
function shortened(name: string): string {
  const letters = [...name];
  return letters.length <= longestTitle ? name : `${letters.slice(0, 8).join('')}…${letters.slice(9 - longestTitle).join('')}`;
}

function sideColumns(sides: Pick<VersionDiff, 'base' | 'head'>): TableColumn[] {
  const titles = sideTitles(sides);
  return [
    { ...figureColumn('base', titles.base.title), full: titles.base.full },
    { ...figureColumn('head', titles.head.title), full: titles.head.full },
  ];
}

/** A row for each figure: both sides, the change with its interval, and what it means. Counts are exact and have no interval. */
export function diffTable({ metrics, ...sides }: Pick<VersionDiff, 'metrics' | 'base' | 'head'>): Table {
  const isAgain = metrics.some(({ again }) => again !== undefined);
  return plainTable(
    [
      wordColumn('metric', ''),
      ...sideColumns(sides),
      figureColumn('change', 'Change'),
      wordColumn('interval', '95 % interval'),
      ...(isAgain ? [{ ...wordColumn('again', 'A/A'), full: againNote }] : []),
      wordColumn('verdict', ''),
    ],
    metrics.map((metric) => [
      `${metric.name}${metric.unit === '' ? '' : ` (${metric.unit})`}`,
      sideText(metric, 'base'),
      sideText(metric, 'head'),
      changeOf(metric),
      metricInterval(metric),
      ...(isAgain ? [againPhrase(metric)] : []),
      metric.verdict === null ? '' : words[metric.verdict],
    ]),
  );
}

/** A side’s figure, or why it has none. */
export function sideText(metric: VersionMetric, side: 'base' | 'head'): string {
  return metric.unanswered?.[side] === true ? 'too much' : orDash(metric[side]);
}

/** The change of a figure, where it is more than chance says; null where nothing is known of it. */
export function toldRatio({ ratio, exact }: VersionMetric): Ratio | null {
  return ratio === null || (!exact && saysNothing(ratio)) ? null : ratio;
}

function changeOf(metric: VersionMetric): string {
  const ratio = toldRatio(metric);
  return ratio === null ? noFigure : changePhrase(ratio.mean);
}

/** What the column A/A has to be read with. */
export const againNote =
  'A/A is by how much two starts of the same version differed at most, base and head, on this machine; a change is told of pairs side by side';

/** "1.2 %, 0.8 %": of base and of head. */
export function againPhrase({ again }: VersionMetric): string {
  if (again === undefined) return '';
  return [again.base, again.head].map((share) => (share === null ? noFigure : percentPhrase(100 * share))).join(', ');
}

/** Without an interval, or with one that holds both twice as much and half as much, nothing is known of a change. */
export function saysNothing({ ciLow, ciHigh }: Ratio): boolean {
  return ciLow === null || ciHigh === null || (ciHigh >= muchMore && ciLow <= 1) || (ciLow <= 1 / muchMore && ciHigh >= 1);
}

/** "+9.1 % to +14.9 %", "exact", or nothing where there is no interval. */
export function metricInterval({ ratio, exact }: VersionMetric): string {
  if (exact) return 'exact';
  return ratio === null ? '' : changeRange(ratio);
}

/** Calls for each request. A request that straddles the edge of a block is counted without some of its statements. */
export function callsFigure(calls: number): string {
  return Math.abs(calls - Math.round(calls)) < Math.max(0.05, 0.02 * calls) ? wholeNumber(Math.round(calls)) : figure(calls);
}

/** Seconds say nothing of what a garbage collector does, nor of the heap and of a start. */
const ofRoutes = versionMetricIds.filter((id) => id !== 'gc' && id !== 'heap' && id !== 'memory' && id !== 'start-up');
/** An interval up to twice base or beyond says nothing. */
const muchMore = 2;

/** What the table of routes has to be read with. */
export const routesNote = 'each measured alone, the worst first; in brackets: undecided';

/** A row for each route of the mix, requested alone, with a column for each figure that is known of any, and its meaning. */
export function routeTable(routes: readonly RouteDiff[]): Table {
  const ids = ofRoutes.filter((id) => routes.some(({ metrics }) => metrics.some((metric) => metric.id === id)));
  const metricOf = ({ metrics }: RouteDiff, id: (typeof ids)[number]): VersionMetric | undefined => metrics.find((one) => one.id === id);
  const titleOf = (id: (typeof ids)[number]): string => {
    const metric = routes.flatMap((route) => metricOf(route, id) ?? [])[0];
    // Each route has a rate of its own.
    return metric === undefined ? id : metric.name.replace(/ per request$| at .*$/, '');
  };
  return plainTable(
    [
      wordColumn('route', 'Route'),
      figureColumn('share', 'Share'),
      ...ids.map((id) => figureColumn(id, titleOf(id))),
      wordColumn('verdict', ''),
    ],
    routes.map((route) => [
      route.route,
      percentPhrase(100 * route.share),
      ...ids.map((id) => routeCell(metricOf(route, id))),
      {
        ...wordCell(routeWord(route)),
        ...(route.verdict === 'worse' ? { kind: 'bad' } : route.verdict === 'better' ? { kind: 'good' } : {}),
      },
    ]),
  );
}

/** Where the verdict is open, the bounds of the difference in speed. */
function routeWord({ verdict, unknown, metrics }: RouteDiff): string {
  if (unknown !== null) return diffNoteText(unknown);
  const speed = metrics.find(({ id }) => id === 'throughput');
  const interval = speed === undefined || (speed.ratio?.ciHigh ?? muchMore) >= muchMore ? '' : metricInterval(speed);
  return verdict === 'unknown' && interval !== '' ? `${words.unknown}: ${interval}` : words[verdict];
}

function routeCell(metric: VersionMetric | undefined): string {
  if (metric?.unanswered !== undefined) return `${sideText(metric, 'base')} → ${sideText(metric, 'head')}`;
  if (metric === undefined || metric.base === null || metric.head === null) return noFigure;
  const { base, head, exact, verdict } = metric;
  if (exact) return callsFigure(base) === callsFigure(head) ? callsFigure(base) : `${callsFigure(base)} → ${callsFigure(head)}`;
  const change = changeOf(metric);
  return change === noFigure || verdict === 'worse' || verdict === 'better' || verdict === 'same' ? change : `(${change})`;
}

type Unit = ChangedFunction['unit'];

/** Of what a recording weighed, per request: "0.91 ms", "34 µs", "1.2 KiB". */
export function weightPhrase(value: number, unit: Unit): string {
  if (unit === 'bytes') return bytesPhrase(value);
  if (unit === 'count') return figure(value);
  return Math.abs(value) < 100_000 ? `${figure(value / 1000)} µs` : `${figure(value / 1e6)} ms`;
}

/** With its sign: "+0.91 ms", "±0". */
export function weightChangePhrase(value: number, unit: Unit): string {
  return value === 0 ? '±0' : `${value < 0 ? '−' : '+'}${weightPhrase(Math.abs(value), unit)}`;
}

/** "loadItems orders.js:41". */
export function placePhrase({ name, file, line }: Pick<ChangedFunction, 'name' | 'file' | 'line'>): string {
  return file === null ? name : `${name} ${file}${line === null ? '' : `:${line}`}`;
}

const longestSql = 400;

/** A row for each function that takes more or less, those on changed lines first. */
export function functionTable({ functions }: Pick<VersionWhy, 'functions'>, sides: Pick<VersionDiff, 'base' | 'head'>): Table {
  return plainTable(
    [wordColumn('function', 'Per request'), ...sideColumns(sides), figureColumn('change', 'Answers for'), wordColumn('touched', '')],
    functions.map((one) => [
      placePhrase(one),
      weightPhrase(one.base, one.unit),
      weightPhrase(one.head, one.unit),
      `${weightChangePhrase(one.change, one.unit)} ${eventName(one.event)}`,
      one.touched ? 'changed here' : '',
    ]),
  );
}

/** A row for each statement that is sent more or less often, with its calls per request. */
export function statementTable({ statements, ...sides }: Pick<VersionDiff, 'statements' | 'base' | 'head'>): Table {
  const calls = (value: number): string => String(Number(value.toPrecision(3)));
  return plainTable(
    [wordColumn('statement', 'Statement'), wordColumn('kind', ''), ...sideColumns(sides)],
    statements.map(({ sql, kind, base, head, nPlusOne }) => [
      sql.slice(0, longestSql),
      `${kind}${nPlusOne ? ' (N+1)' : ''}`,
      calls(base),
      calls(head),
    ]),
  );
}

const shownLines = 40;

/** The differential flame graph as text: a line for each box below its caller, with what head takes and by how much that is more or less. */
export function flameLines(flame: NonNullable<VersionWhy['flame']>, most = shownLines): string[] {
  const boxes = [...flame.boxes].sort((x, y) => x.start - y.start || x.depth - y.depth);
  return boxes
    .slice(0, most)
    .map(
      (box) =>
        `${'  '.repeat(box.depth)}${placePhrase(box)} · ${weightPhrase(box.head, flame.unit)} (${weightChangePhrase(box.head - box.base, flame.unit)})${box.touched ? ' ←' : ''}`,
    );
}
