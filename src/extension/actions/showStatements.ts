import * as vscode from 'vscode';
import { trialLabel } from '../runs/runRow.ts';
import type { Services } from '../services/services.ts';
import { statementsDocument } from './statementsDocument.ts';
import { inform } from '../kit/safeUi/messages.ts';
import { measure } from '../measuring/measure.ts';

/** Opens the page with a trial's statements next to the panel. */
export async function showStatements(services: Services, runId: string, trialKey: string): Promise<void> {
  const { engine, documents } = services;
  const { run } = await engine.request('runs/get', { id: runId });
  const trial = run.trials.find(({ key }) => key === trialKey);
  if (trial?.statements === undefined) {
    // What was tuned or published has more to it than one request.
    const again = run.result.kind === 'run' || run.result.kind === 'live' ? ['Run Again'] : [];
    const chosen = await inform('PostgreSQL’s statements were not counted in this trial; a run made now has them.', ...again);
    if (chosen !== undefined) await measure(services, { kind: 'run', ...run.request });
    return;
  }
  // The tab says whose they are.
  const name = trialLabel(trial)
    .replaceAll(/[^\w. -]+/g, '')
    .replaceAll(/ +/g, ' ')
    .slice(0, 60);
  const uri = documents.put(`statements/${run.id}/${run.trials.indexOf(trial) + 1}/SQL of ${name}.sql`, statementsDocument(run, trial));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
    viewColumn: vscode.ViewColumn.Beside,
    preview: true,
  });
}
