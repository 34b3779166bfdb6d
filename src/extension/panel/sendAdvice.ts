import type { AdviceProgress } from '../../model/domain/adviceRecord.ts';
import type { Measured } from '../../model/protocol/protocol.ts';
import { offer, say } from '../kit/safeUi/dialogs.ts';
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

/** Sends how far a search is to the page; of one that is over first what was found, so that the page goes from the one to the other. */
export async function sendAdviceProgress(sending: Sending, progress: AdviceProgress | null): Promise<void> {
  try {
    if (progress === null) await sendAdvice(sending, null);
  } finally {
    await sending.panel.send({ type: 'adviceProgress', progress, replay: false });
  }
}

/** Reports what a search has found to a person who does not see it on the page. */
export async function announceAdvice(sending: Sending, { advised }: Measured): Promise<void> {
  const { panel } = sending;
  if (advised === undefined) return say('The search was cancelled before anything was known.');
  if (panel.isVisible || advised.outcome === 'cancelled') return;
  const { adviceHeadline } = await import('../../model/presentation/documents/adviceDocument.ts');
  const open = async (): Promise<void> => {
    panel.open();
    await panel.send({ type: 'show', view: 'advise' });
    await sendAdvice(sending, advised.id);
  };
  // Not awaited: the search is over, whether its message was read or not.
  void offer(`${advised.advice.targetLabel}: ${adviceHeadline(advised.advice)}`, { Open: open });
}
