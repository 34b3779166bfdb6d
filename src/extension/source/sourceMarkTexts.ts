import type { LineTable } from '../../model/domain/flame.ts';
import { figure, wholeNumber } from '../../model/domain/format.ts';
import { shortened } from '../../model/domain/plainText.ts';
import { commandLink, escapeMarkdown } from '../kit/row.ts';
import { eventName } from '../../model/presentation/eventNames.ts';

type Unit = LineTable['events'][number]['unit'];
type TableFile = LineTable['files'][number];
export type TableLine = TableFile['lines'][number];
export type TableFunction = TableFile['functions'][number];

/** A recording with which the one on show is compared. */
export interface ComparedLines {
  label: string;
  table: LineTable;
}

const longestName = 120;
const gap = '&nbsp;'.repeat(4);

/** Characters that the text of the longest mark takes: "100 %?". */
export const markWidth = 6;

/** What a mark says: "52 %", "9.8 %", with a question mark where it may be wrong by now. */
export function markText(weight: number, table: LineTable, event: number, stale: boolean): string {
  const points = share(weight, eventOf(table, event).total) * 100;
  return `${points >= 9.95 ? points.toFixed(0) : points.toFixed(1)} %${stale ? '?' : ''}`;
}

/** The hover of a line's mark. */
export interface Hovered {
  line: TableLine;
  file: TableFile;
  table: LineTable;
  event: number;
  /** Which recording it is of. */
  label: string;
  compared: ComparedLines | null;
  /** Why it may be wrong by now. */
  stale: string | null;
}

/** What a mark says when the pointer rests on it, as Markdown: every event, its callers, where the figures are from, and the way to the graph. */
export function markHover({ line, file, table, event, label, compared, stale }: Hovered): string {
  const shown = eventOf(table, event);
  const func = functionOf(file, line.line);
  const change = func === undefined || compared === null ? null : changeText(func, file, table, event, compared);
  const rows = table.events.flatMap(({ name, unit, total }, index) => {
    const all = line.total[index] ?? 0;
    if (all <= 0) return [];
    const own = line.self[index] ?? 0;
    return `| ${escapeMarkdown(eventName(name))} | ${percent(share(all, total))} | ${percent(share(own, total))} | ${gap}${each(all, unit, table.requests)} |`;
  });
  const callers = line.callers
    .map(({ name, weights }) => ({ name, weight: weights[event] ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ name, weight }) => `- ${escapeMarkdown(shortened(name, longestName))} · ${percent(share(weight, shown.total))}`);
  const parts = [
    // The editor leaves nothing between the columns of a hover.
    [`| | with callees | ${gap}itself | |`, '|:--|--:|--:|--:|', ...rows].join('\n'),
    callers.length === 0 ? '' : `Called by\n\n${callers.join('\n')}`,
    func === undefined || change === null ? '' : escapeMarkdown(`${shortened(func.name, longestName)}: ${change}`),
    stale === null ? '' : escapeMarkdown(stale),
    func === undefined ? '' : graphLink(func, file, compared),
    `From ${escapeMarkdown(label)}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The function that contains a line: the last that begins at it or before it. */
function functionOf(file: TableFile, line: number): TableFunction | undefined {
  const before = file.functions.filter((func) => func.line > 0 && func.line <= line);
  return before.reduce<TableFunction | undefined>((last, func) => (last === undefined || func.line > last.line ? func : last), undefined);
}

function graphLink(func: TableFunction, file: TableFile, compared: ComparedLines | null): string {
  const where = compared === null ? 'the flame graph' : `the comparison with ${compared.label}`;
  return commandLink(`Show ${shortened(func.name, longestName)} in ${where}`, 'focusFunction', [func.name, file.file]);
}

/** The text above a function: "12.3 % · 3.1 % itself · 0.80 ms/req", and the change against the recording it is compared with. */
export function functionText(
  func: TableFunction,
  file: TableFile,
  table: LineTable,
  event: number,
  compared: ComparedLines | null,
): string {
  const { total, unit } = eventOf(table, event);
  const all = func.total[event] ?? 0;
  const parts = [percent(share(all, total)), `${percent(share(func.self[event] ?? 0, total))} itself`, each(all, unit, table.requests)];
  const change = compared === null ? null : changeText(func, file, table, event, compared);
  return [...parts, ...(change === null ? [] : [change])].join(' · ');
}

function changeText(func: TableFunction, file: TableFile, table: LineTable, event: number, compared: ComparedLines): string | null {
  const { name, unit, total } = eventOf(table, event);
  const other = compared.table.events.findIndex((candidate) => candidate.name === name);
  if (other < 0) return null;
  const before = compared.table.files.find(({ file: path }) => path === file.file)?.functions.find((one) => one.name === func.name);
  const now = func.total[event] ?? 0;
  const then = before?.total[other] ?? 0;
  const against = `against ${compared.label}`;
  if (table.requests !== null && table.requests > 0 && compared.table.requests !== null && compared.table.requests > 0) {
    return `${signed(now / table.requests - then / compared.table.requests, (size) => `${weightText(size, unit)}/req`)} ${against}`;
  }
  const points = share(now, total) - share(then, eventOf(compared.table, other).total);
  return `${signed(points * 100, (size) => `${size.toFixed(1)} points`)} ${against}`;
}

/** A weight per request where the load is known ("0.80 ms/req"), else the weight ("1.20 s"). */
export function each(weight: number, unit: Unit, requests: number | null): string {
  if (requests === null || requests <= 0) return weightText(weight, unit);
  return `${weightText(weight / requests, unit)}/req`;
}

function weightText(weight: number, unit: Unit): string {
  if (unit === 'ns')
    return weight >= 1e9 ? `${figure(weight / 1e9)} s` : weight >= 1e5 ? `${figure(weight / 1e6)} ms` : `${figure(weight / 1e3)} µs`;
  if (unit === 'bytes')
    return weight >= 1e6 ? `${figure(weight / 1e6)} MB` : weight >= 1e3 ? `${figure(weight / 1e3)} kB` : `${figure(weight)} B`;
  return Number.isInteger(weight) ? wholeNumber(weight) : figure(weight);
}

/** A share from 0 to 1 as "12.3 %". */
export function percent(value: number): string {
  return `${(value * 100).toFixed(1)} %`;
}

/** Part of a total; nothing of nothing is 0. */
export function share(weight: number, total: number): number {
  return total > 0 && Number.isFinite(weight) ? weight / total : 0;
}

function signed(value: number, text: (size: number) => string): string {
  return `${value < 0 ? '−' : '+'}${text(Math.abs(value))}`;
}

function eventOf(table: LineTable, event: number): LineTable['events'][number] {
  return table.events[event] ?? { name: '', unit: 'count', total: 0 };
}
