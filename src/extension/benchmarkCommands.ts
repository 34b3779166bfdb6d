import * as vscode from 'vscode';
import { toFailure } from '../model/failure.ts';
import type { RunRequest } from '../model/run.ts';
import { formOf, requestOf } from './answers.ts';
import { askBenchmark } from './benchmarkQuestions.ts';
import { publishCatalog } from './publishCatalog.ts';
import type { Services } from './services.ts';
import { showFailure } from './showFailure.ts';

/** Asks what to run, with the last answers chosen beforehand, and runs it. `targetId` chooses that target beforehand. */
export async function runBenchmark(services: Services, targetId?: string): Promise<void> {
  if (await alreadyRunning(services)) return;
  const catalog = await services.inventory.catalog();
  const remembered = await services.memory.form(catalog);
  const known = targetId !== undefined && catalog.targets.some((target) => target.id === targetId);
  const answered = await askBenchmark(catalog, known ? { ...remembered, targets: [targetId] } : remembered);
  if (answered === undefined) return;
  await services.memory.rememberForm(formOf(answered.answers, remembered));
  await publishCatalog(services);
  await run(services, requestOf(answered.answers, answered.sizes));
}

/** Runs what was run last, without a question; asks when there was nothing yet. */
export async function runBenchmarkAgain(services: Services): Promise<void> {
  if (await alreadyRunning(services)) return;
  const request = await services.memory.lastRequest();
  if (request === undefined) await runBenchmark(services);
  else await run(services, request);
}

/** Runs a request to its end, opens the panel for it, and shows its result. */
export async function run(services: Services, request: RunRequest): Promise<void> {
  if (await alreadyRunning(services)) return;
  await services.memory.rememberRequest(request);
  services.panel.open();
  try {
    const end = await services.runs.run(request);
    services.inventory.refreshRuns();
    if (end.stored) await showStored(services, end.runId, end.outcome === 'complete');
  } catch (error) {
    services.inventory.refreshRuns();
    await reportRunFailure(services, error);
  } finally {
    services.inventory.refreshCatalog();
  }
}

export async function cancelRun(services: Services): Promise<void> {
  if (services.runs.isRunning) await services.runs.cancel();
  else void vscode.window.showInformationMessage('No benchmark is running.');
}

async function showStored(services: Services, runId: string, complete: boolean): Promise<void> {
  const { run: record } = await services.engine.request('runs/get', { id: runId });
  const visible = services.panel.isVisible;
  await services.panel.send({ type: 'run', run: record });
  if (visible || !complete) return;
  const runs = await services.inventory.runs();
  const summary = runs.find((candidate) => candidate.id === runId);
  const headline = record.recommendations[0]?.headline ?? (summary?.kind === 'run' ? summary.headline : record.title);
  void vscode.window.showInformationMessage(`Benchmark finished: ${headline}`, 'Open').then(async (chosen) => {
    if (chosen === undefined) return;
    services.panel.open();
    await services.panel.send({ type: 'run', run: record });
  });
}

async function reportRunFailure(services: Services, error: unknown): Promise<void> {
  await services.panel.send({ type: 'failure', failure: toFailure(error) });
  void showFailure(error, services.log);
}

async function alreadyRunning(services: Services): Promise<boolean> {
  if (!services.runs.isRunning) return false;
  const chosen = await vscode.window.showInformationMessage('A benchmark is already running.', 'Show', 'Cancel It');
  if (chosen === 'Show') services.panel.open();
  if (chosen === 'Cancel It') await services.runs.cancel();
  return true;
}
