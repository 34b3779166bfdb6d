import { findingTexts } from '../domain/findings.ts';
import { methodText } from '../domain/comparedMethod.ts';
import { type ComparedField, type ComparedMetric, type Comparison, type ComparisonRow, haveSameRate } from '../domain/comparison.ts';
import { type SideNames, sentenceWithCure } from './comparedWords.ts';
import { changePhrase, changeRange, figure, intervalPhrase, noFigure, orDash, wholeNumber } from '../domain/format.ts';
import { withinPhrase } from '../domain/margin.ts';
import type { Trial } from '../domain/run.ts';
import { type Cell, type Table, type TableColumn, figureColumn, wordCell, wordColumn } from './table.ts';
import type { Ratio } from '../domain/tuning.ts';

/** The word of a verdict, as shown next to a figure. For two that are the same by the mechanism it names no margin: their interval may be wider. */
export function verdictWord({ verdict, byMechanism }: Pick<ComparedMetric, 'verdict' | 'byMechanism'>, delta: number): string {
  if (verdict === 'same') return byMechanism === undefined ? `same ${withinPhrase(delta)}` : 'same';
  return verdict === 'unknown' ? 'undecided' : verdict;
}

/** "+8 to +16 %", or nothing where there is no interval. */
export function ratioRange(ratio: Ratio): string {
  return changeRange(ratio).replace(' %', '');
}

interface Group {
  field: ComparedField;
  title: string;
  value: (trial: Trial, row: ComparisonRow) => number | null | undefined;
  format: (value: number) => string;
  hint: (trial: Trial) => string;
}

const groups: readonly Group[] = [
  {
    field: 'throughput',
    title: 'req/s',
    value: (trial) => (trial.requests > 0 ? trial.throughput.mean : null),
    format: wholeNumber,
    hint: (trial) => `95 % interval ${intervalPhrase(trial.throughput)}`,
  },
  {
    field: 'p99',
    title: 'p99 ms',
    value: (trial, row) => (haveSameRate(row.a, row.b) ? trial.openLoop?.p99Ms : trial.latencyMs?.p99),
    format: figure,
    hint: ({ openLoop }) => (openLoop === null ? '' : `${figure(openLoop.p99Ms)} ms at ${wholeNumber(openLoop.rate)} requests/s`),
  },
  {
    field: 'cpuPerRequest',
    title: 'CPU µs/req',
    value: (trial) => trial.resources.app.cpuUsPerRequest,
    format: figure,
    hint: () => '',
  },
];

/** All figures of both sides with their changes (the second over the first), intervals and verdicts: one row for each setting that was compared. */
export function comparisonTable({ a, b, rows, delta }: Pick<Comparison, 'a' | 'b' | 'rows' | 'delta'>): Table {
  const names = { a: a.name, b: b.name };
  return {
    columns: [wordColumn('label', 'Setting'), ...groups.flatMap((group) => groupColumns(group, [a.short, b.short]))],
    rows: rows.map((row) => ({
      key: row.label,
      target: (row.a ?? row.b)?.target ?? null,
      valid: row.a?.valid !== false && row.b?.valid !== false,
      reasons: invalidSides(row, names),
      mark: null,
      cells: [wordCell(row.label), ...groups.flatMap((group) => groupCells(group, row, names, delta))],
    })),
  };
}

/** What the figures of the table rest on, as sentences. */
export function comparisonNote({ a, b, rows }: Pick<Comparison, 'a' | 'b' | 'rows'>): string {
  const fixed = rows.filter((row) => haveSameRate(row.a, row.b)).length;
  const p99 =
    fixed === 0
      ? 'p99 was measured with a fixed number of connections, where it follows from throughput.'
      : fixed === rows.length
        ? 'p99 was measured at a fixed rate.'
        : 'p99 was measured at a fixed rate where both sides have that, else with a fixed number of connections.';
  return `Changes are from ${a.name} to ${b.name}, with their 95 % interval. ${p99}`;
}

/** Why there is no verdict on a row, a phrase for each side: "pool 2 not valid: …", once where both have the same reason. */
export function invalidSides({ a, b }: Pick<ComparisonRow, 'a' | 'b'>, names: SideNames): string[] {
  const said = (trial: Trial | null): string | null =>
    trial?.valid === false ? `not valid: ${findingTexts(trial.reasons).join('; ') || 'no reason was recorded'}` : null;
  const [left, right] = [said(a), said(b)];
  if (left !== null && left === right) return [`both ${left}`];
  return [...(left === null ? [] : [`${names.a} ${left}`]), ...(right === null ? [] : [`${names.b} ${right}`])];
}

function groupColumns({ title }: Group, sides: readonly [string, string]): TableColumn[] {
  const column = (one: TableColumn, id = one.title): TableColumn => ({ ...one, id: `${title} ${id}`, group: title });
  return [
    ...sides.map((name, index) => column(figureColumn('', name), index === 0 ? 'from' : 'to')),
    column(figureColumn('', 'change')),
    column(figureColumn('', 'interval', true)),
    column({ ...wordColumn('', 'verdict'), muted: true }),
  ];
}

function groupCells(group: Group, row: ComparisonRow, names: SideNames, delta: number): Cell[] {
  const compared = row[group.field];
  const ratio = compared?.ratio.mean ?? row[`${group.field}Ratio` as const];
  const side = (trial: Trial | null): Cell => {
    const value = trial === null ? null : (group.value(trial, row) ?? null);
    return { text: orDash(value, group.format), sort: value, title: trial === null ? 'not measured' : group.hint(trial) };
  };
  return [
    side(row.a),
    side(row.b),
    { text: orDash(ratio, changePhrase), sort: ratio },
    { text: (compared === null ? '' : ratioRange(compared.ratio)) || noFigure, sort: compared?.ratio.ciLow ?? null },
    compared === null ? { text: noFigure, sort: null } : verdictCell(compared, names, delta),
  ];
}

function verdictCell(compared: ComparedMetric, names: SideNames, delta: number): Cell {
  const { verdict, method } = compared;
  const kind = verdict === 'better' ? 'good' : verdict === 'worse' ? 'bad' : null;
  return {
    ...wordCell(verdictWord(compared, delta)),
    ...(kind === null ? {} : { kind }),
    title: `${sentenceWithCure(compared, names)}. ${methodText(method)}`,
  };
}
