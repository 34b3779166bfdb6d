import type { Params, ReportFormat } from '../../model/protocol/protocol.ts';
import type { RunSummary } from '../../model/domain/run.ts';
import { runCommand } from '../kit/runCommand.ts';
import { runRow, trialLabel, type StoredRun } from './runRow.ts';
import type { Services } from '../services/services.ts';
import { choose, complain, deleteWithUndo, offer, say } from '../kit/safeUi/dialogs.ts';
import * as vscode from 'vscode';
import { askWhereToSave } from '../kit/workspaceFiles.ts';

export async function openRun(services: Services, id?: string): Promise<void> {
  const chosen = id ?? (await chooseRun(services, 'Open which run?', await readableRuns(services)))?.id;
  if (chosen === undefined) return;
  const summary = (await services.inventory.runs.get()).find((run) => run.id === chosen);
  if (summary?.kind === 'unreadable') {
    services.log.error(`Run ${chosen}: ${summary.reason}`);
    const log = await complain(`This run cannot be shown: ${summary.reason}`, 'Show Log');
    if (log !== undefined) services.log.show();
    return;
  }
  const { run } = await services.engine.request('runs/get', { id: chosen });
  services.panel.open();
  await services.panel.send({ type: 'run', run });
}

/** Compares two runs; asks for those that are not given. The older one is the base, so that a ratio says what changed since. */
export async function compareRuns(services: Services, firstId?: string, secondId?: string): Promise<void> {
  const asked = [firstId, secondId].filter((id) => id !== undefined);
  const all = await readableRuns(services, asked);
  if (all.length < 2) return say('Two runs are needed for a comparison.');
  const first = all.find((run) => run.id === firstId) ?? (await chooseRun(services, 'Compare which run?', all));
  if (first === undefined) return;
  const others = all.filter((run) => run.id !== first.id);
  const second =
    others.find((run) => run.id === secondId) ??
    (await chooseRun(services, `Compare ${runRow(first, new Date()).label} with which run?`, others));
  if (second === undefined) return;
  // The list is newest first.
  const [older, newer] = all.indexOf(first) > all.indexOf(second) ? [first, second] : [second, first];
  await showComparison(services, { a: older.id, b: newer.id });
}

/** Compares two settings of one run, which were measured in the same rounds; asks for what is not given. The first is the base. */
export async function compareSettings(services: Services, id?: string): Promise<void> {
  const chosen = id ?? (await chooseRun(services, 'Compare settings of which run?', await readableRuns(services)))?.id;
  if (chosen === undefined) return;
  const { run } = await services.engine.request('runs/get', { id: chosen });
  if (run.trials.length < 2) {
    const again = () => runCommand('runWithOtherValues', run.id);
    return offer('This run measured one setting only.', { 'Run with Several Values': again });
  }
  const items = run.trials.map((trial) => ({
    label: trialLabel(trial),
    description: `${trial.connections} connections${trial.valid ? ` · ${Math.round(trial.throughput.mean).toLocaleString('en-US')} req/s` : ' · not valid'}`,
    key: trial.key,
  }));
  const a = await choose(items, 'Compare which setting?');
  if (a === undefined) return;
  const others = items.filter(({ key }) => key !== a.key);
  const b = await choose(others, `Compare ${a.label} with which setting?`);
  if (b !== undefined) await showComparison(services, { a: run.id, b: run.id, trialA: a.key, trialB: b.key });
}

/** Makes this comparison and shows the result in the panel. */
export async function showComparison(services: Services, sides: Params<'runs/compare'>): Promise<void> {
  const comparison = await services.engine.request('runs/compare', sides);
  services.panel.open();
  await services.panel.send({ type: 'comparison', comparison });
  await services.panel.send({ type: 'show', view: 'compare' });
}

/** Writes a run's report to a file that the person names. */
export async function exportReport(services: Services, id?: string, format?: ReportFormat): Promise<void> {
  const chosen = id ?? (await chooseRun(services, 'Export the report of which run?', await readableRuns(services)))?.id;
  if (chosen === undefined) return;
  const kind = reportFormats.find((candidate) => candidate.format === format) ?? (await choose(reportFormats, 'Export the report as'));
  if (kind === undefined) return;
  const { text, suggestedName } = await services.engine.request('runs/report', { id: chosen, format: kind.format });
  await saveReport(text, suggestedName, kind.format);
}

/** Deletes runs after a question, and offers to bring them back. */
export async function deleteRuns(services: Services, ids: readonly string[]): Promise<void> {
  const all = await services.inventory.runs.get();
  const one = ids.length === 0 ? await chooseRun(services, 'Delete which run?', all) : undefined;
  const chosen = all.filter(({ id }) => ids.includes(id) || id === one?.id);
  const labels = chosen.map((run) => runRow(run, new Date()).label);
  await deleteWithUndo(labels, 'runs', async (how) => {
    for (const { id } of chosen) await services.engine.request(`runs/${how}`, { id });
    services.inventory.runs.refresh();
  });
}

/** Those that can be read; `ids` are among them even if they were stored a moment ago. */
export async function readableRuns(services: Services, ids: readonly string[] = []): Promise<StoredRun[]> {
  return (await services.inventory.runsWith(ids)).filter((run) => run.kind === 'run');
}

/** Asks for one of these runs. Where there is none, offers to make one. */
export async function chooseRun<T extends RunSummary>(services: Services, placeholder: string, runs: readonly T[]): Promise<T | undefined> {
  if (runs.length === 0) {
    const run = async (): Promise<void> => (await import('../benchmark/benchmarkCommands.ts')).runBenchmark(services);
    await offer('There are no runs yet.', { 'Run Benchmark': run });
    return undefined;
  }
  const now = new Date();
  const items = runs.map((run) => {
    const row = runRow(run, now);
    return { label: row.label, icon: row.icon, description: row.description, run };
  });
  return (await choose(items, placeholder))?.run;
}

const reportFormats: { label: string; description: string; format: ReportFormat; extension: string }[] = [
  { label: 'HTML', description: 'one page that opens in any browser', format: 'html', extension: 'html' },
  { label: 'Markdown', description: 'for an issue, a wiki or a pull request', format: 'markdown', extension: 'md' },
  { label: 'CSV', description: 'for a spreadsheet', format: 'csv', extension: 'csv' },
];

/** Writes a report to a file that the person names, and offers to open it. */
export async function saveReport(text: string, suggestedName: string, format: ReportFormat): Promise<void> {
  const { label, extension } = reportFormats.find((one) => one.format === format) ?? { label: format, extension: format };
  const target = await askWhereToSave('Export Report', suggestedName, { [label]: [extension] });
  if (target === undefined) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await offer(`Report saved as ${vscode.workspace.asRelativePath(target)}.`, { Open: () => openReport(target, format) });
}

async function openReport(uri: vscode.Uri, format: ReportFormat): Promise<void> {
  if (format === 'markdown') await vscode.commands.executeCommand('markdown.showPreview', uri);
  // A browser can open the file only where it is on the same machine as the window.
  else if (format === 'html' && vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop)
    await vscode.env.openExternal(uri);
  else await vscode.commands.executeCommand('vscode.open', uri);
}
