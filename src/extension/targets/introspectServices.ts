import * as vscode from 'vscode';
import { findingsOf, startPhrase, type FoundService } from '../../model/domain/detection.ts';
import type { Accepted } from '../../model/domain/workspaceText.ts';
import { cancellable, decide, tick, warn } from '../kit/safeUi/dialogs.ts';
import { showFailure } from '../kit/showFailure.ts';
import { exists } from '../kit/workspaceFiles.ts';
import type { Services } from '../services/services.ts';

const start = 'Start and Look';
const files = 'Use the Files Alone';

/**
 * What is known of these services once those that can be started were started, looked at and ended, which the person is asked for in a dialog that names the
 * commands; as they were where the files shall be enough, or where none can be started. Nothing when the person leaves it.
 */
export async function seenServices(
  services: Services,
  folder: vscode.Uri,
  found: readonly FoundService[],
): Promise<FoundService[] | undefined> {
  const startable: FoundService[] = [];
  if (vscode.workspace.isTrusted) for (const one of found) if (await hasWhatItNeeds(folder, one)) startable.push(one);
  if (startable.length === 0) return [...found];
  const detail = startable.map((service) => startPhrase(service).join(', ')).join('; ');
  const question = `Start ${startable.map(({ label }) => label).join(', ')} once, to see its routes, its pool and its database?`;
  const chosen = await decide(question, `${detail}. It is ended again.`, start, files);
  if (chosen === undefined) return undefined;
  if (chosen === files) return [...found];
  const looked = new Map<string, FoundService>();
  for (const service of startable) {
    const one = await introspect(services, service);
    if (one !== null) looked.set(service.id, one);
  }
  return found.map((service) => looked.get(service.id) ?? service);
}

/** What of them is to be declared, from a list of ticks that says of each thing how it is known. Nothing when the list is left. */
export async function accepted(found: readonly FoundService[]): Promise<Accepted[] | undefined> {
  const items = found.flatMap((service) => [
    { label: service.label, heading: true, service, finding: null },
    ...service.findings.map((finding) => ({
      label: finding.title,
      ...knownParts(finding.because),
      icon: finding.sure ? 'check' : 'question',
      picked: true,
      service,
      finding,
    })),
  ]);
  const open = found.reduce((sum, { questions }) => sum + questions.length, 0);
  const rest = open === 0 ? '' : `, ${open === 1 ? 'one question' : `${open} questions`} too`;
  const ticked = await tick(items, `What is ticked is written to benchside.json${rest}.`, 'Found, and How It Is Known');
  return ticked === undefined
    ? undefined
    : found.map((service) => ({
        service,
        findings: ticked.flatMap((one) => (one.service === service && one.finding !== null ? [one.finding] : [])),
      }));
}

/** Its place as the description, and what was seen of it as the detail, where there is room for a sentence. */
function knownParts(because: string): { description: string; detail?: string } {
  const [place = '', ...seen] = because.split('; ');
  return seen.length === 0 ? { description: place } : { description: place, detail: seen.join('; ') };
}

async function introspect({ engine, log }: Services, service: FoundService): Promise<FoundService | null> {
  try {
    const looking = cancellable(`Looking at ${service.label}`, (signal) => engine.request('workspace/look', { service }, signal));
    const { service: seen, problem, remarks } = await looking;
    for (const remark of remarks) log.info(remark);
    if (problem !== null) await showFailure(problem, log);
    return problem === null ? seen : null;
  } catch (error) {
    await showFailure(error, log);
    return null;
  }
}

/** Whether how it is started is known, and what that needs is there. */
async function hasWhatItNeeds(folder: vscode.Uri, service: FoundService): Promise<boolean> {
  const [command] = findingsOf(service.findings, 'command');
  if (command === undefined) return false;
  const there = await Promise.all(command.requires.map((file) => exists(vscode.Uri.joinPath(folder, service.folder, file))));
  const missing = command.requires.find((_, index) => there[index] !== true);
  // Not awaited: what the files say is worth writing all the same.
  if (missing !== undefined) warn(`${service.label} was not started: it needs ${missing}. ${command.requiresCure ?? ''}`);
  return missing === undefined;
}
