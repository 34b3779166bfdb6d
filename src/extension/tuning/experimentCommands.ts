import * as vscode from 'vscode';
import type { TuneRequest } from '../../model/domain/tuning.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import { chooseRun } from '../runs/runCommands.ts';
import type { Services } from '../services/services.ts';
import { fileUri, offerFolder, workspaceDir } from '../kit/workspaceFiles.ts';
import { showFailure } from '../kit/showFailure.ts';
import { formOfTune } from '../../model/presentation/requestForms.ts';
import { showForm } from '../form/chosenForm.ts';
import { askFor, choose, say } from '../kit/safeUi/dialogs.ts';

const namePattern = /^[a-z][a-z0-9-]*$/;

/** Runs an experiment that is kept as a file, the last one chosen beforehand. `name` leaves the question out. */
export async function runExperiment(services: Services, name?: string): Promise<void> {
  if (await isBusy(services)) return;
  const { savedRequests, problems } = await services.engine.request('savedRequests/list', {});
  const [problem] = problems;
  if (problem !== undefined) {
    const { FailureError } = await import('../../model/domain/failure.ts');
    void showFailure(new FailureError(problem), services.log);
  }
  if (savedRequests.length === 0) return say('There is no experiment. Tune a setting and save it as one.');
  const last = services.memory.lastExperiment;
  const items = savedRequests.map((experiment) => ({
    label: experiment.name,
    description: experiment.origin === 'workspace' ? 'workspace' : '',
    detail: experiment.description,
    experiment,
  }));
  // Last time’s first, so that Enter takes it again.
  items.sort((a, b) => Number(b.label === last) - Number(a.label === last));
  const chosen = items.find((item) => item.label === name) ?? (await choose(items, 'Run which experiment?'));
  if (chosen === undefined) return;
  await services.memory.rememberExperiment(chosen.label);
  const { tuneRequestSchema } = await import('../../model/domain/tuning.ts');
  const { $schema: _schema, name: _name, description: _description, origin: _origin, ...rest } = chosen.experiment;
  const request = tuneRequestSchema.parse(rest);
  await showForm(services, formOfTune(request));
  await measure(services, { kind: 'tune', ...request });
}

/** Saves what a tuning asked for as a file that can be run again, and opens it: of a stored run, else of the last tuning. */
export async function saveExperiment(services: Services, runId?: string): Promise<void> {
  if ((await workspaceDir()) === null) return offerFolder('Experiments are kept in a folder. Open one first.');
  const request = await requestToSave(services, runId);
  if (request === undefined) return;
  const name = await askFor({
    title: 'Save This Tuning',
    prompt: 'Its name; also that of its file',
    value: suggestedName(request),
    check: (text) =>
      namePattern.test(text.trim()) ? undefined : 'Lower-case letters, digits and dashes, beginning with a letter, such as java-pool.',
  });
  if (name === undefined) return;
  const { file } = await services.engine.request('savedRequests/save', { savedRequest: { ...request, name: name.trim() } });
  const uri = await fileUri(file);
  if (uri !== null) await vscode.window.showTextDocument(uri);
}

async function requestToSave(services: Services, runId: string | undefined): Promise<TuneRequest | undefined> {
  const last = runId === undefined ? await services.memory.last('tune') : undefined;
  if (last !== undefined) {
    const { kind: _kind, ...request } = last;
    return request;
  }
  const tuned = (await services.inventory.runs.get()).filter((run) => run.kind === 'run' && run.tuned);
  const id = runId ?? (tuned.length === 0 ? undefined : (await chooseRun(services, 'Save which tuning?', tuned))?.id);
  const result = id === undefined ? undefined : (await services.engine.request('runs/get', { id })).run.result;
  if (result?.kind === 'tune') return result.request;
  say('Tune a setting first: what it asks for is what is saved.');
  return undefined;
}

/** A name that says what is tuned, such as "java-pool". */
function suggestedName(request: TuneRequest): string {
  const tuned = Object.entries(request.settings).flatMap(([setting, values]) => (values.length > 1 ? [setting] : []));
  const name = [request.targets[0] ?? '', ...tuned]
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return name === '' ? 'experiment' : name;
}
