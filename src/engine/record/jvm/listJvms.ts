import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Failure, toFailure } from '../../../model/domain/failure.ts';
import type { LocalProcess } from '../../../model/domain/recording.ts';
import { namesIn, readSmallFile } from '../../supervise/smallFile.ts';
import { redactArgv } from '../../files/redact.ts';
import { inspectJvm, otherUser, parseStatus } from './jvmProcess.ts';
import { mapsOf } from './memoryMaps.ts';

const maxCommandLength = 200;
const maxTitleLength = 100;

/**
 * The HotSpot JVMs of this machine, by /proc and their performance data: none is asked or signalled. Those that cannot be attached to carry the reason. About
 * 0.1 ms for each process of the machine.
 */
export function listJvms(): Promise<LocalProcess[]> {
  const pids = process.platform === 'linux' ? candidatesOnLinux() : candidatesByPerformanceData();
  return Promise.resolve(pids.map(describe).filter((one) => one !== null));
}

function candidatesOnLinux(): number[] {
  const self = process.geteuid?.() ?? -1;
  return numbered('/proc').filter((pid) => {
    const status = parseStatus(readSmallFile(`/proc/${pid}/status`) ?? '');
    if (status === null) return false;
    // Of other users' processes only the name is visible.
    if (self !== 0 && self !== status.uid) return readSmallFile(`/proc/${pid}/comm`)?.trim() === 'java';
    // HotSpot handles SIGQUIT, unless it is configured not to; few other programs do: of all others the maps need not be read.
    const mayBe = status.catchesQuit || readSmallFile(`/proc/${pid}/comm`)?.trim() === 'java';
    return mayBe && (mapsOf(pid)?.some((file) => file.endsWith('/libjvm.so')) ?? false);
  });
}

/** macOS: a JVM has a file of the name of its pid in a folder of its user. */
function candidatesByPerformanceData(): number[] {
  return namesIn(tmpdir())
    .filter((name) => name.startsWith('hsperfdata_'))
    .flatMap((name) => numbered(path.join(tmpdir(), name)));
}

function numbered(folder: string): number[] {
  return namesIn(folder)
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1 && pid !== process.pid);
}

function describe(pid: number): LocalProcess | null {
  let facts: ReturnType<typeof inspectJvm>['facts'] = null;
  let problem: Failure | null = null;
  try {
    ({ facts } = inspectJvm(pid));
  } catch (error) {
    problem = toFailure(error);
    // It ended while we looked, or has only the name of a JVM's file.
    if (problem.code === 'process-gone' || problem.code === 'not-a-jvm') return null;
  }
  const argv = splitArguments(readSmallFile(`/proc/${pid}/cmdline`) ?? facts?.command ?? '');
  // The maps of another user's process are unknown: a program called java is treated as one.
  if (argv.length === 0 && problem?.code !== otherUser(pid).failure.code) return null;
  const command = cut(redactArgv(argv).join(' '), maxCommandLength);
  const title = cut(redactArgv([titleOf(argv, facts?.command ?? null)]).join(''), maxTitleLength);
  return { pid, runtime: 'jvm', title, command, version: facts?.version ?? null, targetId: null, problem };
}

/** Arguments as the kernel keeps them, each ended by a zero byte; a text without one is split at its blanks. */
export function splitArguments(text: string): string[] {
  const parts = text.includes('\0') ? text.split('\0') : text.split(' ');
  return parts.filter((part) => part !== '');
}

/** Options of `java` whose value is an argument of its own. */
const withValue = new Set([
  '-cp',
  '-classpath',
  '--class-path',
  '-p',
  '--module-path',
  '--upgrade-module-path',
  '--add-modules',
  '--add-opens',
  '--add-exports',
  '--add-reads',
  '--enable-native-access',
]);

/** Name of the main class or of the jar, for people. `javaCommand` is what the JVM itself says: main class or jar, then its arguments. */
export function titleOf(argv: readonly string[], javaCommand: string | null): string {
  const own = javaCommand?.split(' ')[0];
  if (own !== undefined && own !== '') return shortName(own);
  for (let index = 1; index < argv.length; index += 1) {
    const argument = argv[index] ?? '';
    if (argument === '-jar' || argument === '-m' || argument === '--module') return shortName(argv[index + 1] ?? argument);
    if (withValue.has(argument)) index += 1;
    else if (!argument.startsWith('-') && !argument.startsWith('@')) return shortName(argument);
  }
  return shortName(argv[0] ?? 'java');
}

/** A file without its folders; a class as it is. */
function shortName(name: string): string {
  return /\.jar$/i.test(name) || name.startsWith('/') ? path.basename(name) : name;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
