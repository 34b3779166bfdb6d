import { progressOf } from '../model/protocol/progress.ts';
import path from 'node:path';
import { type Failure, failure, toFailure } from '../model/domain/failure.ts';
import { type Detection, type FoundService, type Introspection, findingsOf, lacking, startPhrase } from '../model/domain/detection.ts';
import { workspaceText } from '../model/domain/workspaceText.ts';
import { largestTextBytes, readBoundedText } from '../engine/files/boundedFile.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { confirm } from './confirm.ts';
import { chosenWay, logExcerpt, offeredWays, severalWays, unwrittenLines, wayLines, withChosen, yesLine } from './initWays.ts';
import { type Answered, askOpen } from './initQuestions.ts';
import { withRoutes } from './initRoutes.ts';
import type { EngineCommand } from './command.ts';
import type { initCommand } from './initOptions.ts';
import { variantLines, variantsOf } from './initVariants.ts';
import { isThere } from './terminal.ts';

/**
 * Reports the services in the folder and how that is known. Starts each once when the person agrees, reports what was seen of it, and
 * declares them in a `benchside.json` once the person agrees to that. Where none is found that can be started, a person chooses among the ways in which
 * something here is started. A command that is given is the service.
 */
export const init: EngineCommand<typeof initCommand> = async (options, engine, terminal) => {
  const { yes, filesOnly, json, workspace, command } = options;
  const { print, tell, write, signal } = terminal;
  const file = path.join(path.resolve(workspace), 'benchside.json');
  if (isThere(file) && !isEmpty(file))
    throw failure(
      'workspace-file',
      `There is a benchside.json already: ${file}.`,
      'Change that one, or move it away and ask again: nothing was overwritten.',
    );
  const asks = async (question: string): Promise<boolean> => yes || (!json && (await confirm(question, signal, true)) === true);
  const { services: given, ...rest } = await engine.request('workspace/discover', command.length === 0 ? {} : { command: [...command] });
  const found: Detection = { ...rest, services: command.length === 0 ? given : withRoutes(given, options.routes) };
  const offered = command.length === 0 ? offeredWays(found) : [];
  if (!json) for (const line of [...foundLines(found), ...wayLines(found, offered)]) print(line);
  const chosen = filesOnly ? null : await chosenWay(offered, options, signal);
  const startableNow = found.services.filter(canStart);
  if (chosen === null && !filesOnly && yes && offered.length > 1 && startableNow.length === 0) {
    const unclear = severalWays(offered);
    if (json) terminal.json({ found, looked: [], text: null, written: null, failure: unclear });
    tell(`${unclear.message} ${unclear.cure}`);
    return 1;
  }
  const known = command.length === 0 ? withRoutes(withChosen(found.services, chosen), options.routes) : found.services;
  const startable = filesOnly ? [] : known.filter(canStart);
  const looked: Introspection[] = [];
  const answered: Answered[] = [];
  if (startable.length > 0 && (await asks(startQuestion(startable)))) {
    progressOf(engine, 'look', ({ message }) => tell(`${message} …`));
    for (const service of startable) {
      const one = await introspect(service, engine, signal);
      if (!json) for (const line of seenLines(one)) print(line);
      const asked = one.problem === null ? await askOpen(one.service, options, signal) : { service: one.service, answered: [] };
      looked.push({ ...one, service: asked.service });
      answered.push(...asked.answered);
    }
  }
  const services = known.map((service) => looked.find((one) => one.service.id === service.id)?.service ?? service);
  const wasStarted = ({ id }: FoundService): boolean => looked.some((one) => one.service.id === id);
  const problemSeen = ({ id }: FoundService): Failure | null => looked.find((one) => one.service.id === id)?.problem ?? null;
  // A command that nobody has confirmed, and that does not come up, cannot be measured.
  const problemOf = (service: FoundService): Failure | null =>
    command.length > 0 || chosen?.service.id === service.id ? problemSeen(service) : null;
  const usable = services.filter((service) => lacking(service.findings) === null && problemOf(service) === null);
  const text = usable.length === 0 ? null : workspaceText(usable.map((service) => ({ service, findings: service.findings })));
  const agreed = text !== null && (await asks('Write this as benchside.json?'));
  if (agreed) write(file, text);
  const variants = agreed
    ? await variantsOf(
        usable.map(({ id }) => id),
        engine,
      )
    : {};
  if (json) terminal.json({ found: { ...found, services }, looked, answered, text, written: agreed ? file : null, variants });
  else if (text === null) for (const line of unwrittenLines(services, offered, problemSeen, wasStarted)) tell(line);
  else if (!agreed) tell(`Nothing was written; “${yesLine(command)}” writes it.`);
  else {
    tell(`Written: ${file}. Look through it, then: benchside run --target ${usable[0]?.id ?? ''}`);
    for (const line of variantLines(variants, (name) => isThere(path.join(path.dirname(file), name)))) tell(line);
  }
  return text === null ? 1 : 0;
};

function canStart({ findings }: FoundService): boolean {
  return findingsOf(findings, 'command').length > 0;
}

/** Whether it has no content; anything but a file has content. */
function isEmpty(file: string): boolean {
  try {
    return /^\s*(?:\{\s*\})?\s*$/.test(readBoundedText(file, { largestBytes: largestTextBytes, within: path.dirname(file) }));
  } catch {
    return false;
  }
}

/** A service that cannot be started at all is reported like one that does not come up: what its files say is worth as much as before. */
async function introspect(service: FoundService, engine: EngineClient, signal: AbortSignal): Promise<Introspection> {
  try {
    return await engine.request('workspace/look', { service }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { service, remarks: [], problem: toFailure(error) };
  }
}

function startQuestion(services: readonly FoundService[]): string {
  return [
    `To see the rest, ${services.length === 1 ? 'it is' : 'they are'} started, looked at and ended, and once more where variables have to be tried:`,
    ...services.flatMap((service) => startPhrase(service).map((line) => `  ${line}`)),
    'Start now?',
  ].join('\n');
}

function foundLines({ services, notes }: Detection): string[] {
  return [...services.flatMap(serviceLines), ...notes.map((note) => `! ${note}`)];
}

function serviceLines(service: FoundService): string[] {
  const { id, label, folder, because } = service;
  return [`${label} (${id})${folder === '.' ? '' : ` in ${folder}`}: ${because}`, ...partLines(service), ''];
}

function partLines({ findings, questions }: FoundService): string[] {
  const missing = lacking(findings);
  return [
    ...findings.map(({ title, because: how, sure }) => `  ${sure ? '✓' : '~'} ${title}  (${how})`),
    ...questions.map(({ text }) => `  ? ${text}`),
    ...(missing === null ? [] : [`  ✗ It is not declared: ${missing}`]),
  ];
}

function seenLines({ service, remarks, problem }: Introspection): string[] {
  const said = [...remarks.map((remark) => `  ! ${remark}`), ''];
  if (problem !== null)
    return [`✗ ${problem.message} ${problem.cure}`, ...logExcerpt(problem.detail ?? '').map((line) => `  │ ${line}`), ...said];
  return [`${service.label}, as it ran:`, ...partLines(service), ...said];
}
