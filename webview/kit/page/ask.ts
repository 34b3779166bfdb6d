import type { FromPanel } from '../../../src/model/protocol/panel.ts';

/** The event by which a view asks the panel to send a message to the extension. */
export const askEvent = 'panel-ask';

/** Asks the panel to send a message: it knows what else changes with it (a view, a button that waits). */
export function ask(from: EventTarget, message: FromPanel): void {
  from.dispatchEvent(new CustomEvent<FromPanel>(askEvent, { detail: message, bubbles: true, composed: true }));
}
