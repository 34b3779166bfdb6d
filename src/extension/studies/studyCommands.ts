import type { ListedStudy } from '../../model/study.ts';
import { isBusy, measure } from '../measuring/measure.ts';
import type { Services } from '../services/services.ts';
import { studyDescription, studyDetail } from './studyTexts.ts';
import { inform, warn } from '../kit/safeUi/messages.ts';
import { choose } from '../kit/safeUi/picks.ts';

/** Sends the published experiments to the panel: what each asks, what it needs, and what is missing here. */
export async function sendStudies({ engine, panel }: Services): Promise<void> {
  const { studies, problems } = await engine.request('studies/list', {});
  await panel.send({ type: 'studies', studies, problems });
}

/** Opens the Workbench on the list of published experiments. */
export async function showStudies({ panel }: Services): Promise<void> {
  panel.open();
  await panel.send({ type: 'show', view: 'studies' });
}

/** Runs the short form of a published experiment; asks which one when none is given. One that lacks a requirement says which, and the others still run. */
export async function runStudy(services: Services, id?: string): Promise<void> {
  if (await isBusy(services)) return;
  const { studies } = await services.engine.request('studies/list', {});
  const chosen = studies.find((study) => study.id === id) ?? (await chooseStudy(services, studies));
  if (chosen === undefined) return;
  if (chosen.missing.length > 0) {
    const words = chosen.missing.map(({ message, cure }) => `${message} ${cure}`).join(' ');
    void warn(`Experiment ${chosen.id} cannot be run here: ${words}`);
    return;
  }
  await showStudies(services);
  await measure(services, { kind: 'study', id: chosen.id, form: 'short' });
}

async function chooseStudy(services: Services, studies: readonly ListedStudy[]): Promise<ListedStudy | undefined> {
  if (studies.length === 0) {
    void inform('There are no published experiments here. They come with the extension; install it again.');
    return undefined;
  }
  const last = (await services.memory.last('study'))?.id;
  const sorted = [...studies].sort((a, b) => Number(b.id === last) - Number(a.id === last) || a.id.localeCompare(b.id, 'en'));
  const items = sorted.map((study) => ({
    label: `${study.id} · ${study.title}`,
    ...(study.missing.length > 0 ? { icon: 'warning' } : {}),
    description: studyDescription(study),
    detail: studyDetail(study),
    study,
  }));
  return (await choose(items, 'Run which published experiment?'))?.study;
}
