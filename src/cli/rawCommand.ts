import { progressOf } from '../model/protocol/progress.ts';
import path from 'node:path';
import { type RawResult, type RawRun, type RawView, rawCostSentence, rawViews } from '../model/domain/rawSample.ts';
import { figureColumn, plainTable, wordColumn } from '../model/presentation/table.ts';
import type { CarriedOut } from './command.ts';
import { withProgress } from './measure.ts';
import { resolveRun } from './resolveRun.ts';
import { textTable } from './textDocument.ts';
import type { RawAsked } from './rawOptions.ts';

/** `benchside raw …`. */
export const raw: CarriedOut<RawAsked> = async (command, engine, terminal) => {
  const { print, json, tell, line, signal } = terminal;
  const showMessage = ({ message }: { message: string }): void => line?.show(message);
  const shown = <T>(work: () => Promise<T>): Promise<T> => withProgress(terminal, progressOf(engine, 'raw', showMessage), work);
  if (command.action === 'list') {
    const { runs } = await engine.request('raw/list', {}, signal);
    if (command.json) json({ runs });
    else print(listText(runs));
    return 0;
  }
  const runId = await resolveRun(engine, command.run);
  if (command.action === 'export') {
    const file = path.resolve(command.output);
    const { format } = command;
    const done = await shown(() => engine.request('raw/export', { runId, format, file }, signal));
    if (command.json) json({ export: { run: runId, file, format, ...done } });
    else tell(`${done.rows.toLocaleString('en-US')} requests written to ${file}`);
    return 0;
  }
  const loaded = await shown(() => engine.request('raw/load', { runId }, signal));
  for (const message of loaded.messages) tell(message);
  if (command.action === 'load') {
    const { connection, ...facts } = loaded;
    if (command.json) json({ load: { runId, ...facts } });
    else
      print(`${loaded.rows.toLocaleString('en-US')} requests of run ${runId} are in ${withoutPassword(connection)} as run ${loaded.run}.`);
    return 0;
  }
  const result = await shown(() => engine.request('raw/query', { runId, view: command.view, limit: command.limit }, signal));
  if (command.json) json({ query: { run: runId, view: command.view, ...result } });
  else print(resultText(command.view, result));
  return 0;
};

function listText(runs: readonly RawRun[]): string {
  if (runs.length === 0) return 'No run has raw samples yet. Record some with “benchside run --raw …”.';
  return runs
    .flatMap(({ runId, startedAt, title, record }) => [
      `${runId}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${record.rows.toLocaleString('en-US').padStart(10)} requests  ${title}`,
      ...(record.problem === null ? [] : [`  ! ${record.problem}`]),
      ...record.costs.map((cost) => `  · ${rawCostSentence(cost)}`),
    ])
    .join('\n');
}

function resultText(view: RawView, { sql, columns, rows, more }: RawResult): string {
  const table = textTable(
    plainTable(
      columns.map(({ name, numeric }) => (numeric ? figureColumn(name, name) : wordColumn(name, name))),
      rows.map((cells) => cells.map((cell) => cell ?? '')),
    ),
  );
  return [`-- ${rawViews[view].description}.`, `${sql};`, '', table, ...(more ? ['', '-- There are more rows: --limit.'] : [])].join('\n');
}

function withoutPassword(connection: string): string {
  return connection.replace(/\/\/[^@/]*@/, '//');
}
