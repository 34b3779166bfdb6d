import path from 'node:path';
import { type Candidate, type FoundService, findingsOf, variablesNamed } from '../../../model/domain/detection.ts';
import { remembered } from '../../../model/domain/remembered.ts';
import { type Runtime, isProbed, runtimes } from '../../../model/domain/runtimes.ts';
import { type FolderFiles, within } from '../folderFiles.ts';
import { readManifest } from '../nodeManifest.ts';
import { serviceName, startOrder } from '../parts.ts';
import type { WayToStart } from './candidateSource.ts';
import { type FolderFacts, folderFacts } from './folderFacts.ts';
import { runtimeOf } from './runtimeOf.ts';
import { commandFinding, placeOf } from './waysToStart.ts';

/** Beyond these nobody would choose from a list. */
const mostCandidates = 60;

/** What these ways start, each command once. Of a folder in which a service was found they have its other parts. */
export function candidatesOf(files: FolderFiles, ways: readonly WayToStart[], found: readonly FoundService[]): Candidate[] {
  const facts = new Map<string, FolderFacts>();
  const candidates = new Map<string, Candidate>();
  for (const way of ways) {
    const key = JSON.stringify([way.folder, way.command]);
    const known = candidates.get(key);
    if (known !== undefined) {
      candidates.set(key, { ...known, service: alsoSaidBy(known.service, placeOf(way)) });
      continue;
    }
    if (candidates.size >= mostCandidates) continue;
    const { file, line, what, port = null } = way;
    candidates.set(key, { file, line, what, port, service: startedService(files, way, found, facts) });
  }
  return [...candidates.values()];
}

/** A service that is started by this command, as it was given, in the folder that is searched. Leading `NAME=value` are its variables. */
export function givenService(files: FolderFiles, words: readonly string[], found: readonly FoundService[]): FoundService {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const from = first === -1 ? 0 : first;
  const env = Object.fromEntries(words.slice(0, from).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
  const way = { file: '', line: 1, what: '', folder: '.', command: words.slice(from), env, rank: 0 };
  const named = namedService(files, way.command, found);
  // Its tables are made as its files say; a command that makes them runs in its own folder.
  const here = named.map((one) => ({ ...one, folder: '.', findings: one.findings.filter(({ part }) => part !== 'migrations') }));
  return startedService(files, way, [...here, ...found], new Map());
}

/** The services within whose folders a word of a command lies, the deepest first. */
function namedService(files: FolderFiles, command: readonly string[], found: readonly FoundService[]): FoundService[] {
  const paths = command
    .flatMap((word) => word.split(/[:=,]/))
    .map((part) => path.posix.normalize(path.posix.isAbsolute(part) ? path.posix.relative(files.dir, part) : part));
  return found
    .filter(({ folder }) => folder !== '.' && paths.some((one) => one === folder || one.startsWith(`${folder}/`)))
    .sort((a, b) => b.folder.length - a.folder.length);
}

function alsoSaidBy(service: FoundService, place: string): FoundService {
  const findings = service.findings.map((one) => (one.part === 'command' ? { ...one, because: `${one.because}; ${place}` } : one));
  return { ...service, findings };
}

function startedService(
  files: FolderFiles,
  way: WayToStart,
  found: readonly FoundService[],
  known: Map<string, FolderFacts>,
): FoundService {
  const { folder, env = {} } = way;
  const runtime = runtimeOf(files, way);
  const key = JSON.stringify([folder, runtime]);
  const base = found.find((one) => one.folder === folder && isOfRuntime(files, one, runtime));
  const parts = remembered(known, key, () => folderFacts(files, folder, runtime, base))(env, placeOf(way));
  // Variables that Benchside itself sets need no second mention.
  const told = new Set(parts.findings.flatMap(variablesNamed));
  const own = Object.entries(env).filter(([name]) => !told.has(name));
  const command = { ...commandFinding({ ...way, env: Object.fromEntries(own) }, runtime), sure: false };
  return {
    ...(base === undefined ? serviceName(readManifest(files, folder)?.name, folder, files.dir) : { id: base.id, label: base.label }),
    folder,
    because: placeOf(way),
    findings: startOrder([command, ...parts.findings]),
    driver: parts.driver,
    ...(base?.database === undefined ? {} : { database: base.database }),
    questions: parts.questions,
    ...(parts.mentions.length === 0 ? {} : { mentions: parts.mentions }),
    ...(parts.packages.length === 0 ? {} : { packages: parts.packages }),
  };
}

/** Whether a service that was found can be what a command of this runtime starts. */
function isOfRuntime(files: FolderFiles, { folder, findings }: FoundService, runtime: Runtime): boolean {
  const [command] = findingsOf(findings, 'command');
  if (command !== undefined && isProbed(runtime)) return command.runtime === runtime;
  return runtimes[runtime].builds.some((name) => files.has(within(folder, name)));
}
