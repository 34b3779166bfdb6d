import { progressOf } from '../../model/protocol/progress.ts';
import * as vscode from 'vscode';
import { rawViews, rawViewSchema, type RawFormat, type RawLoaded, type RawRun, type RawView } from '../../model/domain/rawSample.ts';
import { runCommand } from '../kit/runCommand.ts';
import type { Services } from '../services/services.ts';
import { askWhereToSave, openText } from '../kit/workspaceFiles.ts';
import { rawDocument, rowsPhrase, sqlDocument } from './rawDocument.ts';
import { cancellable, type Choice, choose, offer, say } from '../kit/safeUi/dialogs.ts';

/** Rows that a page shows. */
const shownRows = 1000;

type Chosen = { kind: 'view'; view: RawView } | { kind: 'export'; format: RawFormat } | { kind: 'connection' };

/** Asks for a run that has raw samples and for a view, loads the run where it is not loaded yet, and shows the rows with their statement. */
export async function queryRawSamples(services: Services, id?: string): Promise<void> {
  const { runs } = await services.engine.request('raw/list', {});
  if (runs.length === 0) {
    const none = 'No run has raw samples yet. Tick the raw samples when you start a benchmark, or use “benchside run --raw”.';
    return offer(none, { 'Run Benchmark': () => runCommand('runBenchmark') });
  }
  const asked = runs.find((run) => run.runId === id);
  if (id !== undefined && asked === undefined) say('This run has no raw samples. These have some.');
  const run = asked ?? (await chooseRun(runs));
  if (run === undefined) return;
  const choice = await chooseWhat(run);
  if (choice?.kind === 'view') await showView(services, run, choice.view);
  else if (choice?.kind === 'export') await exportRows(services, run, choice.format);
  else if (choice !== undefined) {
    const load = (signal: AbortSignal) => services.engine.request('raw/load', { runId: run.runId }, signal);
    await copyConnection(await underProgress(services, 'Raw samples', load));
  }
}

async function chooseRun(runs: readonly RawRun[]): Promise<RawRun | undefined> {
  const items = runs.map((run) => ({
    label: run.title,
    description: `${new Date(run.startedAt).toLocaleString()} · ${run.record.rows.toLocaleString('en-US')} requests`,
    ...(run.record.problem === null ? {} : { detail: run.record.problem }),
    run,
  }));
  return (await choose(items, 'Of which run?', 'Query Raw Samples'))?.run;
}

async function chooseWhat(run: RawRun): Promise<Chosen | undefined> {
  type Item = Choice & { choice?: Chosen };
  const separator = (label: string): Item => ({ label, heading: true });
  const items: Item[] = [
    separator('views'),
    ...rawViewSchema.options.map((view): Item => ({
      label: rawViews[view].label,
      description: `raw.${view}`,
      detail: rawViews[view].description,
      choice: { kind: 'view', view },
    })),
    separator('take them elsewhere'),
    { label: 'Export as CSV…', detail: 'Every row, for a spreadsheet or a script', choice: { kind: 'export', format: 'csv' } },
    {
      label: 'Export as Parquet…',
      detail: 'Every row, small and typed, for DuckDB, pandas or Spark',
      choice: { kind: 'export', format: 'parquet' },
    },
    { label: 'Copy Connection String', detail: 'For psql or another client; it holds the password', choice: { kind: 'connection' } },
  ];
  const chosen = await choose(items, 'What do you want to see?', `Raw Samples: ${run.title}`);
  return chosen?.choice;
}

async function showView(services: Services, run: RawRun, view: RawView): Promise<void> {
  const { loaded, result } = await underProgress(services, `Raw samples: ${rawViews[view].label}`, async (signal) => {
    const now = await services.engine.request('raw/load', { runId: run.runId }, signal);
    return { loaded: now, result: await services.engine.request('raw/query', { runId: run.runId, view, limit: shownRows }, signal) };
  });
  const uri = services.documents.put(`raw/${run.runId}/${view}.txt`, rawDocument(run, view, result, loaded.messages));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  const rows = result.more ? `the first ${rowsPhrase(result.rows.length)}` : rowsPhrase(result.rows.length);
  // Not awaited: the command is done, and the offer stays.
  void offer([`${rawViews[view].label}: ${rows}.`, ...loaded.messages].join(' '), {
    'Another View': () => runCommand('queryRawSamples', run.runId),
    // In an editor of its own, to be changed and run by a client of the user’s.
    'Open SQL': () => openText('sql', sqlDocument(result.sql, loaded.connection)),
    'Copy Connection String': () => copyConnection(loaded),
  });
}

async function copyConnection({ connection }: RawLoaded): Promise<void> {
  await vscode.env.clipboard.writeText(connection);
  say('The connection string is on the clipboard, with the password. The server is there as long as Benchside runs it.');
}

async function exportRows(services: Services, run: RawRun, format: RawFormat): Promise<void> {
  const name = `raw-samples-${run.startedAt.slice(0, 16).replaceAll(/[^0-9]+/g, '-')}.${format}`;
  const filters: Record<string, string[]> = format === 'csv' ? { CSV: ['csv'] } : { Parquet: ['parquet'] };
  const target = await askWhereToSave('Export Raw Samples', name, filters);
  if (target === undefined) return;
  const { rows, bytes } = await underProgress(services, 'Exporting raw samples', (signal) =>
    services.engine.request('raw/export', { runId: run.runId, format, file: target.fsPath }, signal),
  );
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  say(
    `${rows.toLocaleString('en-US')} ${rows === 1 ? 'request' : 'requests'} saved as ${vscode.workspace.asRelativePath(target)} (${size}).`,
  );
}

/** Shows the engine’s progress in a notification that can be cancelled. */
function underProgress<T>({ engine }: Services, title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return cancellable(title, work, (show) => progressOf(engine, 'raw', show));
}
