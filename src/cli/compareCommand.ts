import type { ComparedFigure, Comparison, ComparisonRow } from '../model/comparison.ts';
import { figure, wholeNumber } from '../model/format.ts';
import type { Verdict } from '../model/tuning.ts';
import { failure } from '../model/failure.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import type { TextTable } from '../engine/report/table.ts';
import { noFigure } from '../engine/report/table.ts';
import { resolveRun } from './resolveRun.ts';
import type { Of, Terminal } from './terminal.ts';
import { textTable } from './textTable.ts';

/** `benchside compare A B`. */
export async function compare(command: Of<'compare'>, engine: EngineClient, { print }: Terminal): Promise<number> {
  const [a, b] = [await resolveRun(engine, command.a), await resolveRun(engine, command.b)];
  const [first, second = first] = command.trials;
  const comparison = await engine.request('runs/compare', {
    ...{ a, b },
    ...(first === undefined ? {} : { trialA: await resolveTrial(engine, a, first) }),
    ...(second === undefined ? {} : { trialB: await resolveTrial(engine, b, second) }),
  });
  print(command.json ? JSON.stringify({ comparison }) : comparisonText(comparison));
  return 0;
}

/** A trial of a run by its key, or by a part of it that no other trial's key has, such as `pool=8`. */
async function resolveTrial(engine: EngineClient, run: string, reference: string): Promise<string> {
  const { run: record } = await engine.request('runs/get', { id: run });
  const keys = record.trials.map((trial) => trial.key);
  const parts = reference.split('|');
  const matches = keys.includes(reference) ? [reference] : keys.filter((key) => parts.every((part) => key.split('|').includes(part)));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  const problem =
    match === undefined ? `Run ${run} has no trial “${reference}”.` : `“${reference}” fits ${matches.length} trials of run ${run}.`;
  throw failure('trial-unknown', problem, `Name one of: ${keys.join('; ')}.`);
}

/** A comparison as the terminal shows it: the verdict in words, then what was different anyway, then the figures. */
export function comparisonText(comparison: Comparison): string {
  const side = ({ title, startedAt, trialKey }: Comparison['a']): string =>
    `${title}${trialKey === null ? '' : ` · ${trialKey}`} (${startedAt})`;
  const methods = new Set(comparison.rows.flatMap((row) => compared(row).map(({ figure: one }) => one.method)));
  return [
    `A: ${side(comparison.a)}`,
    `B: ${side(comparison.b)}`,
    ...(comparison.headline === '' ? [] : ['', comparison.headline]),
    '',
    ...comparison.differences.map(({ severity, what, a, b }) => `${severity === 'warning' ? '!' : '·'} ${what}: ${a} → ${b}`),
    ...(comparison.differences.length === 0 ? [] : ['']),
    textTable(figuresTable(comparison.rows)),
    ...(comparison.rows.length > 0
      ? []
      : ['The two have no trial with the same target, settings and connections; name one of each with --trial.']),
    '',
    ...comparison.rows.flatMap((row) => compared(row).map(({ figure: one }) => `${row.label}: ${sentence(one)}`)),
    ...[...methods].map((method) => `· ${method}`),
  ]
    .join('\n')
    .trimEnd();
}

const verdictWords: Readonly<Record<Verdict, string>> = { better: 'better', worse: 'worse', same: 'same', unknown: 'can’t tell yet' };

/** The figures of a row that were compared with an interval. */
function compared(row: ComparisonRow): { name: string; figure: ComparedFigure }[] {
  const all: [string, ComparedFigure | null][] = [
    ['throughput', row.throughput],
    ['p99', row.p99],
    ['CPU per request', row.cpuPerRequest],
  ];
  return all.flatMap(([name, one]) => (one === null ? [] : [{ name, figure: one }]));
}

function sentence({ sentence: text }: ComparedFigure): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function figuresTable(rows: readonly ComparisonRow[]): TextTable {
  const column = (title: string, numeric = true): TextTable['columns'][number] => ({ title, numeric, muted: false });
  return {
    columns: [
      column('Trial', false),
      ...['req/s A', 'req/s B', 'change'].map((title) => column(title)),
      column('verdict', false),
      ...['p99 ms A', 'p99 ms B', 'change'].map((title) => column(title)),
      column('verdict', false),
      column('CPU µs/req'),
    ],
    rows: rows.map((row) => ({
      ...{ trialKey: row.label, target: row.label, recommended: false },
      valid: row.a?.valid !== false && row.b?.valid !== false,
      cells: [
        row.label,
        row.a === null ? noFigure : wholeNumber(row.a.throughput.mean),
        row.b === null ? noFigure : wholeNumber(row.b.throughput.mean),
        change(row.throughput, row.throughputRatio),
        word(row.throughput),
        row.a?.latencyMs == null ? noFigure : figure(row.a.latencyMs.p99),
        row.b?.latencyMs == null ? noFigure : figure(row.b.latencyMs.p99),
        change(row.p99, row.p99Ratio),
        word(row.p99),
        change(row.cpuPerRequest, row.cpuPerRequestRatio),
      ],
    })),
  };
}

function word(one: ComparedFigure | null): string {
  return one === null ? '' : verdictWords[one.verdict];
}

/** “+4.2 % (+1.1 … +7.3)”; without an interval the mere change. */
function change(one: ComparedFigure | null, ratio: number | null): string {
  const mean = one?.ratio.mean ?? ratio;
  if (mean === null) return noFigure;
  const { ciLow = null, ciHigh = null } = one?.ratio ?? {};
  return ciLow === null || ciHigh === null ? `${signed(mean)} %` : `${signed(mean)} % (${signed(ciLow)} … ${signed(ciHigh)})`;
}

function signed(ratio: number): string {
  const percent = (ratio - 1) * 100;
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)}`;
}
