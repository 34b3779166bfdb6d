import * as vscode from 'vscode';
import type { RecorderState, RecordingRequest } from '../../model/domain/recording.ts';
import type { Services } from '../services/services.ts';
import { askRecording } from './recordQuestions.ts';
import { debuggedProcess } from '../debugging/debugged.ts';
import { sessionConfigurations } from '../debugging/debuggedService.ts';
import { recordingRequestOf, rememberAnswers, sizePhrase, subjectPhrase } from './recordChoices.ts';
import { agrees, cancellable, offer, underWay } from '../kit/safeUi/dialogs.ts';

/** Asks what to record, records it and shows it to the side. `targetId` leaves the first question out. */
export async function recordFlameGraph(services: Services, targetId?: string): Promise<void> {
  if (services.recordings.isRecording) {
    return offer('A recording is already under way.', { 'Cancel It': () => services.recordings.cancel() });
  }
  const { engine, inventory, memory } = services;
  const [catalog, { processes }, { recorders }, remembered] = await underWay('Looking for what can be recorded', 'status bar', () =>
    Promise.all([inventory.catalog.get(), engine.request('processes/list', {}), engine.request('recorders/list', {}), memory.recording()]),
  );
  const form = await services.form.shown(catalog);
  const answers = await askRecording(
    {
      catalog,
      processes,
      debugged: debuggedProcess(sessionConfigurations(), processes),
      recorders,
      form,
      memory: remembered,
      applied: (target) => services.applied.of(target),
    },
    targetId,
  );
  if (answers === undefined) return;
  await memory.rememberRecording(rememberAnswers(answers, remembered));
  const { recorder } = answers.what;
  if (recorder !== null && !recorder.installed && !(await install(services, recorder))) return;
  await recordAndShow(services, recordingRequestOf(answers), subjectPhrase(answers));
}

/** Records what was asked for and shows its flame graph next to what is open. `subject` is the name of the recorded program, for people. */
export async function recordAndShow(
  { recordings, flames, inventory }: Services,
  request: RecordingRequest,
  subject: string,
): Promise<void> {
  try {
    const recording = await recordings.record(request, subject);
    // To the side only where an editor is open.
    const hasEditors = vscode.window.tabGroups.activeTabGroup.tabs.length > 0;
    await flames.openRecording(recording, hasEditors ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active);
  } finally {
    inventory.recordings.refresh();
    inventory.catalog.refresh();
  }
}

/** Fetches a recorder once the person has agreed. False when not. */
async function install({ engine }: Services, recorder: RecorderState): Promise<boolean> {
  const detail = `npm fetches it${sizePhrase(recorder.installBytes)}, in a pinned version whose contents are checked, into Benchside’s own storage. Nothing in your workspace is changed.`;
  const advisories = recorder.id.startsWith('clinic')
    ? ' Clinic is no longer maintained and brings about 700 packages, some with known security advisories: they run while it records, and at no other time.'
    : '';
  if (!(await agrees(`${recorder.label} is not installed yet. Fetch it?`, `${detail}${advisories}`, 'Fetch', 'question'))) return false;
  await cancellable(
    `Fetching ${recorder.label}`,
    (signal) => engine.request('recorders/install', { id: recorder.id }, signal),
    (show) => engine.on('recording/progress', ({ message }) => show({ message })),
  );
  return true;
}
