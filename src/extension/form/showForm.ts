import type { Form } from '../../model/protocol/panel.ts';
import type { WorkbenchPanel } from '../panel/workbenchPanel.ts';
import type { ChosenForm } from './chosenForm.ts';

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
