import { figure, wholeNumber } from '../../model/domain/format.ts';
import type { RunRecord, Trial } from '../../model/domain/run.ts';
import { trialLabel } from '../runs/runRow.ts';
import type { StatementLooks, StatementUse } from '../../model/domain/statement.ts';

/** A page of SQL: the statements of a trial with their figures above and their plans below. Statements and plans are untrusted; the page is only shown. */
export function statementsDocument(run: Pick<RunRecord, 'title'>, trial: Trial): string {
  const statements = trial.statements ?? [];
  const head = [
    `What PostgreSQL did for ${trialLabel(trial)} in the measured blocks of the run`,
    `“${run.title}”, by the time that it took.`,
    'Where a value stood there is $1, $2 …, and a plan is the one for any value. To see',
    'what is done for one, put it in, and EXPLAIN (ANALYZE, BUFFERS) in front: that runs it.',
  ];
  return `${comment(head.join('\n'))}\n\n${statements.map((one, index) => section(one, index, trial)).join('\n\n')}\n`;
}

function section(one: StatementUse, index: number, { requests }: Trial): string {
  const perCall = (value: number): number => (one.calls > 0 ? value / one.calls : 0);
  const figures = [
    `${figure(100 * one.share)} % of the time`,
    `${figure(one.meanMs)} ms per call`,
    ...(one.looks === null ? [] : [found(one.looks)]),
    `${wholeNumber(one.calls)} calls${requests > 0 ? ` (${figure(one.calls / requests)} per request)` : ''}`,
    `${figure(perCall(one.rows))} rows per call`,
    ...(one.blocksRead > 0 ? [`${figure(perCall(one.blocksRead))} blocks read from the disk or its cache per call`] : []),
    ...(one.walBytes > 0 ? [`${wholeNumber(perCall(one.walBytes))} bytes of WAL per call`] : []),
    `database ${one.database}`,
  ];
  const sql = flushLeft(one.sql);
  const parts = [comment(`${index + 1}. ${figures.join(' · ')}`), sql.endsWith(';') ? sql : `${sql};`];
  return [...parts, ...(one.plan === null ? [] : [comment(`Plan:\n${one.plan}`)])].join('\n');
}

/** The rest is something else, such as a sleep, or PostgreSQL waiting for the app to take what it sends. */
function found({ cpu, lock, io, other }: StatementLooks): string {
  const percent = (count: number): string => `${Math.round((100 * count) / (cpu + lock + io + other))} %`;
  return `found ${cpu + lock + io + other} times: ${percent(cpu)} computing, ${percent(lock)} waiting for a lock, ${percent(io)} for a disk or an inner lock`;
}

/** Without the indentation that it had in the app's source. */
function flushLeft(sql: string): string {
  const lines = sql
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first = '', ...rest] = lines;
  // The server drops the text before the first word.
  const inner = /^\s/.test(first) ? lines : rest;
  const indent = Math.min(...inner.map((line) => line.search(/\S/)));
  return [first.trim(), ...rest.map((line) => line.slice(indent).trimEnd())].join('\n');
}

function comment(text: string): string {
  return text.replaceAll('\r', '').replace(/^/gm, '-- ');
}
