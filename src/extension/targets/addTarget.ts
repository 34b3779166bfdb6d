import * as vscode from 'vscode';
import { findingsOf, type FoundService } from '../../model/domain/detection.ts';
import { listPhrase } from '../../model/domain/format.ts';
import { targetText, workspaceText, type Accepted } from '../../model/domain/workspaceText.ts';
import { endOfTargets } from '../kit/placesInFile.ts';
import { acceptedForAttach, type DebuggedService } from '../debugging/debugged.ts';
import { debuggedService } from '../debugging/debuggedService.ts';
import { runCommand } from '../kit/runCommand.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { choose, offer, underWay, warn } from '../kit/safeUi/dialogs.ts';
import { exists, offerFolder, workspaceDir } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { declareServices, detected, meantServices } from './declareServices.ts';

/**
 * Opens benchside.json of the workspace; where there is none, writes first what is found of the services in the folder, and seen of them once they were started, or
 * an example. While something is debugged that answers on a port, that is offered first, as a target that runs already.
 */
export async function createWorkspaceFile(services: Services): Promise<void> {
  const folder = await workspaceDir();
  if (folder === null) return offerFolder('Targets of your own stand in a folder’s benchside.json. Open the folder first.');
  const uri = vscode.Uri.joinPath(folder, workspaceFileName);
  const isThere = await exists(uri);
  const debugged = await underWay('Looking at what is debugged', 'status bar', () => debuggedService(services));
  if (debugged !== null) {
    const way = await offered(debugged, isThere);
    if (way === undefined) return;
    if (way === 'debugged') return addRunning(services, uri, isThere, acceptedForAttach(debugged, (await detected(services)).services));
  }
  if (isThere) {
    await vscode.window.showTextDocument(uri);
    return;
  }
  const found = await meantServices(services);
  const declared = found === undefined ? undefined : await declareServices(services, folder, found);
  // Not awaited: the file is there, whether or not the message is read.
  if (declared !== undefined && declared.length > 0) void offerRun(services, declared);
}

async function offered({ process, port }: DebuggedService, isThere: boolean): Promise<'debugged' | 'other' | undefined> {
  const rows = [
    {
      label: 'What I am debugging now',
      description: `${process.title} · port ${port}`,
      detail: 'It runs already: it is put under load and recorded, and never started or stopped.',
      icon: 'debug',
      way: 'debugged' as const,
    },
    isThere
      ? { label: `Open ${workspaceFileName}`, detail: 'To write a target of your own.', icon: 'edit', way: 'other' as const }
      : {
          label: 'A service that Benchside starts',
          detail: 'Looks through the folder for what can be started.',
          icon: 'search',
          way: 'other' as const,
        },
  ];
  return (await choose(rows, 'What shall be measured?', 'Add a Target'))?.way;
}

/** Writes a target that runs already into a file of its own, or behind the last target of one that is there, of which nothing else changes. */
async function addRunning(services: Services, uri: vscode.Uri, isThere: boolean, running: Accepted): Promise<void> {
  if (!isThere) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(workspaceText([running])));
  const document = await vscode.workspace.openTextDocument(uri);
  const place = isThere ? endOfTargets(document.getText()) : null;
  const text = targetText(running);
  if (place !== null && text !== null) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, document.positionAt(place.at), `${place.empty ? '' : ','}\n${text}${place.empty ? '\n  ' : ''}`);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }
  await vscode.window.showTextDocument(document);
  if (isThere && place === null) return warn(`${running.service.label} was not added: ${workspaceFileName} has no list of targets.`);
  void offerRun(
    services,
    [running.service],
    `${running.service.label} runs on port ${running.running?.port ?? ''}. It is measured as it runs, and goes on afterwards.`,
  );
}

async function offerRun({ next }: Services, found: readonly FoundService[], sentence = foundSentence(found)): Promise<void> {
  const [first] = found;
  if (first !== undefined) await next.set({ kind: 'measure', targetId: first.id, label: first.label });
  const measured = (name: 'tune' | 'runBenchmark') => () => runCommand(name, { id: first?.id });
  const tunable = found.some(({ findings }) => findingsOf(findings, 'setting').length > 0);
  await offer(sentence, { 'Tune a Setting': tunable ? measured('tune') : undefined, 'Run Benchmark': measured('runBenchmark') });
}

function foundSentence(found: readonly FoundService[]): string {
  const told = found.slice(0, 3).map(({ label, findings, questions }) => {
    const routes = findingsOf(findings, 'route').length;
    const open = questions.length === 0 ? '' : `, ${questions.length} to be looked at`;
    return `${label} (${routes} ${routes === 1 ? 'route' : 'routes'}${open})`;
  });
  const more = found.length - told.length;
  return `Found ${listPhrase(more > 0 ? [...told, `${more} more`] : told)}. Beside each part stands how it is known; look through it, then run a benchmark.`;
}
