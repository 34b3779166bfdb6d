import type * as vscode from 'vscode';
import { shownForm } from '../../model/presentation/formChoice.ts';
import type { Form, ToPanel } from '../../model/protocol/panel.ts';
import type { Catalog } from '../../model/protocol/protocol.ts';
import type { WorkbenchPanel } from '../panel/workbenchPanel.ts';

const formKey = 'benchside.form';

/**
 * The form of this workspace, for the quick picks and the panel alike; the only place that keeps it. A command replaces it, which begins a new revision.
 * The panel edits the revision that it shows: an edit of an older one comes too late and is dropped, since what replaced it is on its way to the panel.
 */
export class ChosenForm {
  #revision = 1;

  constructor(private readonly state: vscode.Memento) {}

  /** What was chosen, as sent to the panel; `form` is null where it cannot be read. */
  async choice(): Promise<Omit<Extract<ToPanel, { type: 'form' }>, 'type'>> {
    const { formSchema } = await import('../../model/protocol/panel.ts');
    const parsed = formSchema.safeParse(this.state.get(formKey));
    return { form: parsed.success ? parsed.data : null, revision: this.#revision };
  }

  /** What was chosen, cut to what the catalog still has; the default on the first day. */
  async shown(catalog: Catalog): Promise<Form> {
    return shownForm((await this.choice()).form, catalog);
  }

  /** Takes a form that came from elsewhere than the panel. */
  async replace(form: Form): Promise<void> {
    this.#revision += 1;
    await this.state.update(formKey, form);
  }

  /** Takes what was typed in the panel into the form of that revision. */
  async edit(form: Form, revision: number): Promise<void> {
    if (revision === this.#revision) await this.state.update(formKey, form);
  }
}

/** The form, and where it is shown. */
interface FormPlace {
  form: ChosenForm;
  panel: WorkbenchPanel;
}

/** Puts a form on show, in the panel and for the quick picks. */
export async function showForm(place: FormPlace, form: Form): Promise<void> {
  await place.form.replace(form);
  await sendForm(place);
}

/** Sends the last choice to the panel. */
export async function sendForm({ form, panel }: FormPlace): Promise<void> {
  if (panel.isOpen) await panel.send({ type: 'form', ...(await form.choice()) });
}
