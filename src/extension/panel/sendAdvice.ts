import type { Measured } from '../../model/protocol.ts';
import { inform } from '../kit/words/messages.ts';
import type { WindowEngine } from '../connection/windowEngine.ts';
import type { WorkbenchPanel } from './workbenchPanel.ts';

interface Sending {
  engine: WindowEngine;
  panel: WorkbenchPanel;
}

/** Sends the list of what is stored with one of it to the page: that of this id while it is there, else the newest. */
export async function sendAdvice({ engine, panel }: Sending, id: string | null): Promise<void> {
  const { advice } = await engine.request('advice/list', {});
  const shown = advice.find((one) => one.id === id) ?? advice[0];
  const record = shown === undefined ? null : (await engine.request('advice/get', { id: shown.id })).record;
  await panel.send({ type: 'advice', list: advice, record });
}

/** Shows what a search has found, also to a person who does not see the panel. */
export async function showAdvised(services: Sending, { advised }: Measured): Promise<void> {
  if (advised === undefined) {
    void inform('The search was cancelled before anything was known.');
    return;
  }
  const isSeen = services.panel.isVisible;
  await sendAdvice(services, advised.id);
  if (isSeen || advised.outcome === 'cancelled') return;
  const { adviceHeadline } = await import('../../model/documents/adviceDocument.ts');
  const open = async (): Promise<void> => {
    const chosen = await inform(`${advised.advice.targetLabel}: ${adviceHeadline(advised.advice)}`, 'Open');
    if (chosen === undefined) return;
    services.panel.open();
    await services.panel.send({ type: 'show', view: 'advise' });
    await sendAdvice(services, advised.id);
  };
  // Not awaited: the search is over, whether its message was read or not.
  void open();
}
