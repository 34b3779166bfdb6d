import type { FromPanel } from '../../../src/model/protocol/panel.ts';

/** The event by which a view asks the panel to send a message to the extension. */
export const askEvent = 'panel-ask';

/** Dispatches an event that only the view around needs. */
export function tell(from: EventTarget, type: string, detail?: unknown): void {
  from.dispatchEvent(new CustomEvent(type, { detail }));
}

/** Asks the panel to send a message: it knows what else changes with it (a view, a button that waits). */
export function ask(from: EventTarget, message: FromPanel): void {
  from.dispatchEvent(new CustomEvent<FromPanel>(askEvent, { detail: message, bubbles: true, composed: true }));
}
