import * as vscode from 'vscode';
import { findingsOf, lacking, openCandidates, type Detection, type FoundService } from '../../model/domain/detection.ts';
import type { Catalog } from '../../model/protocol/protocol.ts';
import { workspaceText } from '../../model/domain/workspaceText.ts';
import { workspaceFileName } from '../kit/ids.ts';
import { choose, underWay, warn } from '../kit/safeUi/dialogs.ts';
import { workspaceDir, workspaceFile } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';
import { accepted, seenServices } from './introspectServices.ts';
import { workspaceTemplate } from './workspaceTemplate.ts';

/** What is in the folder: nothing where it cannot be searched; the example is as good as ever then. */
export async function detected(services: Services): Promise<Detection> {
  try {
    return await services.engine.request('workspace/discover', {});
  } catch (error) {
    services.log.warn(`The folder was not looked through: ${String(error)}`);
    return { services: [], candidates: [], notes: [] };
  }
}

/**
 * The services to set up: those that were found; where none of them can be started, the one that a person chooses among what the files of the folder start.
 * Nothing when the person leaves it.
 */
export async function meantServices(services: Services): Promise<FoundService[] | undefined> {
  const found = await detected(services);
  const ways = openCandidates(found);
  if (ways.length === 0 || found.services.some(({ findings }) => findingsOf(findings, 'command').length > 0)) return found.services;
  const rows = [
    ...ways.map(({ service }) => ({
      label: findingsOf(service.findings, 'command')[0]?.title ?? service.label,
      description: service.folder === '.' ? '' : service.folder,
      detail: service.because,
      icon: 'play',
      service,
    })),
    { label: 'None of Them', description: '', detail: 'Writes an example to start from.', icon: 'edit', service: null },
  ];
  const chosen = await choose(rows, 'Which of these starts the service?', 'Add a Target');
  if (chosen === undefined) return undefined;
  return chosen.service === null ? found.services : [chosen.service];
}

/**
 * The services of the folder that could be started and that are not declared yet. None where there is a benchside.json, which says what is meant, nor in a
 * workspace that is not trusted, of which nothing is started.
 */
export async function undeclaredServices(services: Services, { targets }: Catalog): Promise<FoundService[]> {
  if (!vscode.workspace.isTrusted || targets.some(({ origin }) => origin === 'workspace')) return [];
  if ((await workspaceDir()) === null || (await workspaceFile()) !== null) return [];
  const { services: found } = await underWay('Looking through the folder', 'status bar', () => detected(services));
  return found.filter(({ findings }) => findingsOf(findings, 'command').length > 0);
}

/**
 * Writes a benchside.json of these services, once the person has agreed to each of them being started and looked at, or to its files being enough, and has seen what
 * was found; an example where none of them can be declared. Gives those that it declares; nothing when the person leaves it.
 */
export async function declareServices(
  services: Services,
  folder: vscode.Uri,
  found: readonly FoundService[],
): Promise<FoundService[] | undefined> {
  const seen = await seenServices(services, folder, found);
  if (seen === undefined) return undefined;
  const usable = seen.filter(({ findings }) => lacking(findings) === null);
  // Where nothing was started there is nothing to choose from that the file with its comments does not say as well.
  const isSeen = usable.some(({ findings }) => findings.some((one) => one.seen === true));
  const chosen = isSeen ? await accepted(usable) : usable.map((service) => ({ service, findings: service.findings }));
  if (chosen === undefined) return undefined;
  const text = chosen.length === 0 ? workspaceTemplate() : workspaceText(chosen);
  const uri = vscode.Uri.joinPath(folder, workspaceFileName);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
  return chosen.filter(({ findings }) => lacking(findings) === null).map(({ service }) => service);
}

/**
 * Declares a service that was chosen for a measurement. Gives its id once it is a target; nothing when the person leaves it, or it cannot be measured yet,
 * which is said.
 */
export async function setUp(services: Services, service: FoundService): Promise<string | undefined> {
  const folder = await workspaceDir();
  if (folder === null) return undefined;
  const declared = await declareServices(services, folder, [service]);
  if (declared === undefined) return undefined;
  const catalog = await services.inventory.catalogWith([service.id]);
  if (catalog.targets.some(({ id, origin }) => id === service.id && origin === 'workspace')) {
    // A person who leaves the questions that follow finds it there.
    await services.next.set({ kind: 'measure', targetId: service.id, label: service.label });
    return service.id;
  }
  warn(`${service.label} cannot be measured yet: complete ${workspaceFileName}, which is open, and ask again.`);
  return undefined;
}
