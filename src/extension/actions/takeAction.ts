import * as vscode from 'vscode';
import type { Form, FromPanel } from '../../model/protocol/panel.ts';
import type { Trial } from '../../model/domain/run.ts';
import { variantSetting } from '../../model/domain/experiment.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import { valuesPhrase } from '../applied/answerText.ts';
import { applySettings } from '../applied/applySettings.ts';
import { recordAndShow } from '../recordings/recordFlameGraph.ts';
import { formOfRun, formOfTune } from '../../model/presentation/requestForms.ts';
import { showForm } from '../form/chosenForm.ts';
import { trialLabel } from '../runs/runRow.ts';
import { statementsDocument } from './statementsDocument.ts';
import { formWithConnections, formWithGenerator, formWithInstances, recordingOf, runWith, tuneWith } from './actionRequests.ts';
import { offer, warn } from '../kit/safeUi/dialogs.ts';

/** Takes the action that a verdict offers: measures again, searches, fills the form, or records. What is measured is the trial, but for that one thing. */
export async function takeAction(
  services: Services,
  { runId, trialKey, action: index }: Extract<FromPanel, { type: 'takeAction' }>,
): Promise<void> {
  const { run } = await services.engine.request('runs/get', { id: runId });
  const trial = run.trials.find(({ key }) => key === trialKey);
  const action = trial?.diagnosis?.actions[index];
  if (trial === undefined || action === undefined) return warn('This action is no longer there: the run has changed. Open it again.');
  switch (action.kind) {
    case 'set': {
      if (await isBusy(services)) return;
      const request = runWith(run, trial, action);
      await applySettings(services, trial.target, { [action.setting]: action.value });
      await showForm(services, formOfRun(request));
      return measure(services, { kind: 'run', ...request });
    }
    case 'tune': {
      if (await isBusy(services)) return;
      const { tuneRequestSchema } = await import('../../model/domain/tuning.ts');
      const request = tuneRequestSchema.parse(tuneWith(run, trial, action));
      await showForm(services, formOfTune(request));
      return measure(services, { kind: 'tune', ...request });
    }
    case 'connections':
      return fill(services, formWithConnections(run, trial, action));
    case 'instances':
      return fill(services, formWithInstances(run, trial, action));
    case 'generator':
      return fill(services, formWithGenerator(run, trial, action));
    case 'record':
      if (await isBusy(services)) return;
      return recordAndShow(services, recordingOf(run, trial, action), await subjectOf(services, trial));
    case 'sql':
      return showStatements(services, runId, trialKey);
    case 'advice':
      return;
  }
}

/** Shows a filled form: the next click is on Run. */
async function fill(services: Services, form: Form): Promise<void> {
  await showForm(services, form);
  services.panel.open();
  await services.panel.send({ type: 'show', view: 'tune' });
}

/** "Java · connections to the document store 2": what is recorded, as people name it. */
async function subjectOf({ inventory }: Services, { target, targetLabel, settings }: Trial): Promise<string> {
  const specs = (await inventory.catalog.get()).targets.find(({ id }) => id === target)?.settings ?? {};
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== variantSetting));
  return [targetLabel, valuesPhrase(own, specs)]
    .filter((part) => part !== '')
    .join(' · ')
    .slice(0, 60);
}

/** Opens the page with a trial's statements next to the panel. */
export async function showStatements(services: Services, runId: string, trialKey: string): Promise<void> {
  const { engine, documents } = services;
  const { run } = await engine.request('runs/get', { id: runId });
  const trial = run.trials.find(({ key }) => key === trialKey);
  if (trial?.statements === undefined) {
    // What was tuned or published has more to it than one request.
    const again = run.result.kind === 'run' || run.result.kind === 'live';
    return offer('PostgreSQL’s statements were not counted in this trial; a run made now has them.', {
      'Run Again': again ? () => measure(services, { kind: 'run', ...run.request }) : undefined,
    });
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
