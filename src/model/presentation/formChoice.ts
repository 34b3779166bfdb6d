import { emptyForm } from './emptyForm.ts';
import type { Form } from '../protocol/panel.ts';
import type { Catalog, TargetState } from '../protocol/protocol.ts';

/** The setting that people come to tune, and that a form begins with. */
export const poolSettingName = 'pool';
/** The sizes that a form begins with, as typed. */
export const defaultPoolSizes = '2, 4, 8';
const defaultLoad = 'steady';

/** Whether starting it can be tried. One that failed can be tried again; one that is stopped with a problem lacks something. */
export function isStartable(target: Pick<TargetState, 'problem' | 'state'>): boolean {
  return target.problem === null || target.state !== 'stopped';
}

/** The form on the first day: the workspace's own targets, or else the samples; as far as they can be started. */
export function defaultForm(catalog: Catalog): Form {
  const startable = catalog.targets.filter(isStartable);
  const own = startable.filter((target) => target.origin === 'workspace');
  const chosen = own.length > 0 ? own.slice(0, 1) : startable.filter((target) => target.origin === 'sample');
  return {
    ...emptyForm,
    targets: chosen.map((target) => target.id),
    values: { [poolSettingName]: defaultPoolSizes },
    load: catalog.loadProfiles.find((profile) => profile.name === defaultLoad)?.name ?? catalog.loadProfiles[0]?.name ?? defaultLoad,
  };
}

/** A form without what is no longer there: targets and load profiles come and go with the workspace's file. No target stays no target. */
export function fitForm(form: Form, catalog: Catalog): Form {
  const fallback = defaultForm(catalog);
  const targets = form.targets.filter((id) => catalog.targets.some((target) => target.id === id));
  const known = catalog.loadProfiles.some((profile) => profile.name === form.load);
  return {
    ...form,
    targets: form.targets.length === 0 || targets.length > 0 ? targets : fallback.targets,
    load: known ? form.load : fallback.load,
  };
}

/** The form as it is shown: what was chosen, without what is no longer there; the one of the first day where nothing was chosen yet. */
export function shownForm(chosen: Form | null, catalog: Catalog): Form {
  return chosen === null ? defaultForm(catalog) : fitForm(chosen, catalog);
}
