import type { Form } from '../../model/panel.ts';
import type { Services } from '../services.ts';

/** Puts a form on show, in the panel and for the quick picks. */
export async function showForm(services: Services, form: Form): Promise<void> {
  await services.form.replace(form);
  await sendForm(services);
}

/** Tells the panel what was chosen last. */
export async function sendForm({ form, panel }: Services): Promise<void> {
  if (panel.isOpen) await panel.send({ type: 'form', ...(await form.choice()) });
}
