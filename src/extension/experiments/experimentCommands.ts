import type { ListedExperiment } from '../../model/domain/experiment.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import { experimentDescription, experimentDetail } from './experimentTexts.ts';
import { choose, say, warn } from '../kit/safeUi/dialogs.ts';

/** Sends the published experiments to the panel: what each asks, what it needs, and what is missing here. */
export async function sendExperiments({ engine, panel }: Services): Promise<void> {
  const { experiments, problems } = await engine.request('experiments/list', {});
  await panel.send({ type: 'experiments', experiments, problems });
}

/** Opens the Workbench on the list of published experiments. */
export async function showExperiments({ panel }: Services): Promise<void> {
  panel.open();
  await panel.send({ type: 'show', view: 'experiments' });
}

/** Runs the short form of a published experiment; asks which one when none is given. One that lacks a requirement says which, and the others still run. */
export async function runExperiment(services: Services, id?: string): Promise<void> {
  if (await isBusy(services)) return;
  const { experiments } = await services.engine.request('experiments/list', {});
  const chosen = experiments.find((experiment) => experiment.id === id) ?? (await chooseExperiment(services, experiments));
  if (chosen === undefined) return;
  if (chosen.missing.length > 0) return warn(`Experiment ${chosen.id} cannot be run here: ${experimentDetail(chosen)}`);
  await showExperiments(services);
  await measure(services, { kind: 'experiment', id: chosen.id, form: 'short' });
}

async function chooseExperiment(services: Services, experiments: readonly ListedExperiment[]): Promise<ListedExperiment | undefined> {
  if (experiments.length === 0) {
    say('There are no published experiments here. They come with the extension; install it again.');
    return undefined;
  }
  const last = (await services.memory.last('experiment'))?.id;
  const sorted = [...experiments].sort((a, b) => Number(b.id === last) - Number(a.id === last) || a.id.localeCompare(b.id, 'en'));
  const items = sorted.map((experiment) => ({
    label: `${experiment.id} · ${experiment.title}`,
    ...(experiment.missing.length > 0 ? { icon: 'warning' } : {}),
    description: experimentDescription(experiment),
    detail: experimentDetail(experiment),
    experiment,
  }));
  return (await choose(items, 'Run which published experiment?'))?.experiment;
}
