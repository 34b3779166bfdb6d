import * as vscode from 'vscode';
import type { Services } from '../services/services.ts';
import { storeFolders } from '../kit/ids.ts';
import { exists, workspaceDir } from '../kit/workspaceFiles.ts';
import { chooseOther, chooseRecording, offerRecording } from '../recordings/chooseRecording.ts';
import { recordingRow, recordingTitle } from '../recordings/recordingRows.ts';
import { deleteWithUndo, say } from '../kit/safeUi/dialogs.ts';

/**
 * Opens a flame graph: of a recording by its id, of a run by its id (asking when it has several; `trialKey` narrows that down), of a file by its
 * address, or of what the person chooses.
 */
export async function openFlameGraph(services: Services, what?: string | vscode.Uri, trialKey?: string): Promise<void> {
  if (what instanceof vscode.Uri) {
    await services.flames.open(what);
    return;
  }
  const all = await services.inventory.recordings.get();
  let recording = all.find(({ id }) => id === what);
  if (recording === undefined) {
    const ofRun = what === undefined ? all : all.filter(({ runId }) => runId === what);
    const ofTrial = ofRun.filter((one) => one.trialKey === trialKey);
    const candidates = ofTrial.length > 0 && trialKey !== undefined ? ofTrial : ofRun;
    if (what !== undefined && candidates.length === 0) return offerRecording('This run has no recording.');
    recording =
      what !== undefined && candidates.length === 1
        ? candidates[0]
        : await chooseRecording('Open the flame graph of which recording?', candidates);
  }
  if (recording !== undefined) await services.flames.openRecording(recording);
}

/** Compares two recordings in one flame graph; asks for those that are not given. Without any, the flame graph on show is the first. */
export async function compareFlameGraphs(services: Services, firstId?: string, secondId?: string): Promise<void> {
  const all = await services.inventory.recordings.get();
  const [one, two] = [all.find(({ id }) => id === firstId), all.find(({ id }) => id === secondId)];
  // What changed since: the newer one is on show, the older one is what it is compared with.
  const [shown, before] = one !== undefined && two !== undefined && one.startedAt < two.startedAt ? [two, one] : [one, two];
  let page = shown === undefined ? services.flames.current : undefined;
  if (page === undefined) {
    const chosen = shown ?? (await chooseRecording('Compare which recording?', all));
    if (chosen === undefined) return;
    page = await services.flames.openRecording(chosen);
  }
  if (page === undefined) return;
  const other = await chooseOther(services, page.source, before?.id ?? null);
  if (other !== undefined) await page.compareWith(other.source, other.title);
}

/** Shows recording `b` with what changed since `a`, in either order of time. */
export async function compareRecordings(services: Services, a: string, b: string): Promise<void> {
  const all = await services.inventory.recordings.get();
  const [before, shown] = [all.find(({ id }) => id === a), all.find(({ id }) => id === b)];
  if (before === undefined || shown === undefined) return say('One of these recordings is no longer there.');
  const page = await services.flames.openRecording(shown);
  await page?.compareWith({ kind: 'recording', id: before.id }, recordingTitle(before));
}

/** Deletes recordings made on demand after a question, and offers to bring them back. Those of a run go with the run. */
export async function deleteRecordings(services: Services, ids: readonly string[]): Promise<void> {
  const all = (await services.inventory.recordings.get()).filter(({ runId }) => runId === null);
  const one = ids.length === 0 ? await chooseRecording('Delete which recording?', all) : undefined;
  const chosen = all.filter(({ id }) => ids.includes(id) || id === one?.id);
  const labels = chosen.map((recording) => recordingRow(recording, new Date()).label);
  await deleteWithUndo(labels, 'recordings', async (how) => {
    for (const { id } of chosen) await services.engine.request(`recordings/${how}`, { id });
    services.inventory.recordings.refresh();
  });
}

/** Shows a recording's files in the system's file manager. */
export async function revealRecording(services: Services, id?: string): Promise<void> {
  const all = await services.inventory.recordings.get();
  const recording =
    all.find((one) => one.id === id) ?? (id === undefined ? await chooseRecording('Show the files of which recording?', all) : undefined);
  if (recording === undefined) return;
  const { runId } = recording;
  const root = (await workspaceDir()) ?? vscode.Uri.joinPath(services.context.globalStorageUri, 'workspace');
  const ofStore = runId === null ? [storeFolders.recordings, recording.id] : [storeFolders.runs, runId];
  const folder = vscode.Uri.joinPath(root, ...ofStore);
  if (await exists(folder)) await vscode.commands.executeCommand('revealFileInOS', folder);
  else say('The files of this recording are no longer there.');
}
