import { liveEndText } from '../../model/domain/progress/liveEndKinds.ts';
import type { LiveRequest } from '../../model/protocol/live.ts';
import { isBusy } from '../measuring/measure.ts';
import { openRun } from '../runs/runCommands.ts';
import { renameRun } from '../runs/runMarks.ts';
import type { Services } from '../services/services.ts';
import { logFailure, showFailure } from '../kit/showFailure.ts';
import { showForm } from '../form/chosenForm.ts';
import { offer, say } from '../kit/safeUi/dialogs.ts';

/** Opens the Workbench on its Live view, with a target chosen when one is named. */
export async function openLive(services: Services, targetId?: string): Promise<void> {
  const { inventory, panel, live } = services;
  if (targetId !== undefined && !live.isRunning) {
    const form = await services.form.shown(await inventory.catalog.get());
    await showForm(services, { ...form, targets: [targetId] });
  }
  panel.open();
  await panel.send({ type: 'show', view: 'live', ...(targetId === undefined ? {} : { target: targetId }) });
}

/** Keeps load on a target until the session is over; a person who does not see the panel is notified of its end. */
export async function startLive(services: Services, request: LiveRequest): Promise<void> {
  const { inventory, live, panel } = services;
  if (await isBusy(services)) return;
  const target = (await inventory.catalog.get()).targets.find(({ id }) => id === request.target);
  try {
    const { runId } = await live.run(request, target?.label ?? request.target);
    const end = live.replay.end;
    const reason = end === undefined ? undefined : liveEndText(end.reason);
    if (!panel.isVisible) void tellEnd(services, target?.label ?? request.target, reason, runId);
  } catch (error) {
    // The panel shows the end of the session with its reason, its cure and the log.
    const told = live.replay.end?.failure;
    if (panel.isVisible && told != null) logFailure(told, services.log);
    else void showFailure(error, services.log, request.target);
  } finally {
    inventory.runs.refresh();
    inventory.catalog.refresh();
  }
}

async function tellEnd(services: Services, label: string, reason: string | undefined, runId: string | null): Promise<void> {
  const message = `The live session of ${label} is over${reason === undefined || reason === '' ? '' : `: ${reason}`}`;
  const offered = offer(message, { Open: runId === null ? undefined : () => openRun(services, runId) });
  await offered.catch((error: unknown) => showFailure(error, services.log));
}

/** Stores what the session has measured so far as a run; the session goes on. */
export async function keepLive(services: Services): Promise<void> {
  const { runId } = await services.engine.request('live/keep', {});
  services.inventory.runs.refresh();
  const offered = offer('Kept as a run.', { 'Name It': () => renameRun(services, runId), Open: () => openRun(services, runId) });
  void offered.catch((error: unknown) => showFailure(error, services.log));
}

export async function stopLive(services: Services): Promise<void> {
  if (services.live.isRunning) await services.live.stop();
  else say('No live session is running.');
}
