import {
  type Candidate,
  type Detection,
  type FoundService,
  candidatePhrase,
  findingsOf,
  lacking,
  openCandidates,
  ownVariables,
  plainWords,
} from '../model/domain/detection.ts';
import type { Failure } from '../model/domain/failure.ts';
import { present } from '../model/presentation/present.ts';
import { shellQuoted } from '../model/presentation/repeatCommand.ts';
import { chooseNumber } from './confirm.ts';
import type { Answering } from './initOptions.ts';

/** More are no list for a person; `--json` has them all. */
const mostShown = 12;

/** The ways to start something that are worth a choice: where no service was found that can be started, all; else those of a service whose command is not known. */
export function offeredWays(found: Detection): Candidate[] {
  const open = openCandidates(found);
  const can = found.services.some(({ findings }) => findingsOf(findings, 'command').length > 0);
  return can ? open.filter(({ service }) => found.services.some(({ folder }) => folder === service.folder)) : open;
}

/** The ways as a numbered list, the proposal first, and in short those that were not offered. */
export function wayLines(found: Detection, offered: readonly Candidate[]): string[] {
  const rest = openCandidates(found).filter((one) => !offered.includes(one));
  const unknown = found.services.length === 0 ? 'No service is known here by its framework. ' : '';
  return present(
    offered.length > 0 && [`${unknown}What its files start:`, ...numbered(offered), ''],
    rest.length > 0 && ['Its files start more, which is not looked at:', ...numbered(rest), 'One of them: benchside init -- COMMAND', ''],
  );
}

function numbered(ways: readonly Candidate[]): string[] {
  const lines = ways.slice(0, mostShown).map((one, index) => `${String(index + 1).padStart(3)}  ${candidatePhrase(one)}`);
  return ways.length <= mostShown ? lines : [...lines, `     and ${ways.length - mostShown} more, which --json lists`];
}

/** Which of them a person means; the only one where they agree to everything. */
export async function chosenWay(offered: readonly Candidate[], { yes, json }: Answering, signal: AbortSignal): Promise<Candidate | null> {
  const [first] = offered;
  if (first === undefined) return null;
  if (yes) return offered.length === 1 ? first : null;
  if (json) return null;
  const shown = Math.min(offered.length, mostShown);
  const number = await chooseNumber('Which starts the service? A number, or 0 for none.', shown, signal);
  return number === null ? null : (offered[number - 1] ?? null);
}

/** The services with the chosen one in place of what was found in its folder. Two services of one name get different ids. */
export function withChosen(services: readonly FoundService[], chosen: Candidate | null): FoundService[] {
  if (chosen === null) return [...services];
  const { service } = chosen;
  const others = services.filter(({ folder }) => folder !== service.folder);
  const taken = others.some(({ id }) => id === service.id);
  return [...others, taken ? { ...service, id: `${service.id.slice(0, 32)}-chosen` } : service];
}

/** Why nothing is started where a person agrees to everything: several commands are possible. */
export function severalWays(offered: readonly Candidate[]): Failure {
  return {
    code: 'look-not-possible',
    message: `The files of this folder start ${offered.length} different things, and it is not said which is meant.`,
    cure: `Name its command: ${initLine(offered[0]?.service)}`,
  };
}

/** What is known of services that are not declared, and what to do about each, a line each. `wasStarted`: whether more than its files was looked at. */
export function unwrittenLines(
  services: readonly FoundService[],
  offered: readonly Candidate[],
  problemOf: (service: FoundService) => Failure | null,
  wasStarted: (service: FoundService) => boolean,
): string[] {
  const cures = services.flatMap((service) => {
    const problem = problemOf(service);
    if (problem !== null) return [`${service.label} did not come up. ${cureOf(problem, service)}`];
    const missing = lacking(service.findings);
    if (missing === null) return [];
    if (findingsOf(service.findings, 'command').length === 0) return [`${service.label}: ${missing} Name it: benchside init -- COMMAND`];
    const withRoute = initLine(service, '--route /PATH ');
    if (wasStarted(service)) return [`${service.label}: ${missing} Name one that it answers: ${withRoute}`];
    return [
      `${service.label}: ${missing} Have it started once to see what it answers: ${initLine(service, '--yes ')}`,
      `  or name one that it answers: ${withRoute}`,
    ];
  });
  const [first] = offered;
  const plain =
    first === undefined
      ? 'No file here says how a service is started. Name its command: benchside init -- COMMAND'
      : `To start one of them: ${initLine(first.service)}`;
  return ['Nothing was written.', ...(cures.length === 0 ? [plain] : cures)];
}

/** What its last output may ask for, where there is one; nobody gains by the same command. */
function cureOf({ code, cure, detail }: Failure, service: FoundService): string {
  if ((code !== 'target-exited' && code !== 'target-not-ready') || detail === undefined) return cure;
  return `Look at its last output: start a service that it wants; give it a variable that it wants: ${initLine(service, '', ['NAME=VALUE'])}`;
}

/** The command line that introspects a service by its command, as a shell reads it. */
function initLine(service: FoundService | undefined, options = '', variables: readonly string[] = []): string {
  const [command] = service === undefined ? [] : findingsOf(service.findings, 'command');
  if (service === undefined || command === undefined) return 'benchside init -- COMMAND';
  const folder = service.folder === '.' ? '' : `--workspace ${shellQuoted(service.folder)} `;
  const words = [...variables, ...ownVariables(command).map(([name, value]) => `${name}=${value}`), ...plainWords(command)];
  return `benchside init ${folder}${options}-- ${words.map(shellQuoted).join(' ')}`;
}

/** The command line that writes what was found; with the command that was given, where that is the service. */
export function yesLine(command: readonly string[]): string {
  return ['benchside init --yes', ...(command.length === 0 ? [] : ['--', ...command.map(shellQuoted)])].join(' ');
}

const mostLogLines = 10;
const frame = /^\s{1,20}at\s/;

/** The last lines of a log. The line that the last stack trace belongs to comes first, where it is above them. */
export function logExcerpt(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '');
  const last = lines.slice(-mostLogLines);
  const cause = lines.findLastIndex((line, index) => !frame.test(line) && frame.test(lines[index + 1] ?? ''));
  return cause === -1 || cause >= lines.length - mostLogLines ? last : [lines[cause] ?? '', '…', ...last.slice(2)];
}
