import { lstatSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attempt } from '../../../model/domain/attempt.ts';
import { type FailureError, failure } from '../../../model/domain/failure.ts';
import { namesIn, readSmallBytes, readSmallFile } from '../../supervise/smallFile.ts';
import { type ProcessIdentity, processIdentity } from '../../supervise/identity.ts';
import { mapsOf } from './memoryMaps.ts';
import { type JvmFacts, parsePerformanceData } from './performanceData.ts';

/** A running HotSpot JVM that we may talk to. */
export interface JvmProcess {
  identity: ProcessIdentity;
  pid: number;
  /** Its pid as it sees it itself: another one when it runs in a container. */
  namespacePid: number;
  /** Effective user and group. */
  uid: number;
  gid: number;
  /** The prefix of its paths for us: empty, or /proc/<pid>/root when it has a file system of its own. */
  rootDir: string;
  /** Its temporary folder, as it names it itself. */
  tempDir: string;
  /** Null when it keeps no performance data (-XX:-UsePerfData). */
  facts: JvmFacts | null;
}

/**
 * Looks at a process without disturbing it, and makes sure that it is a HotSpot JVM that handles SIGQUIT: any other process would be ended by
 * the signal that attaching begins with.
 *
 * @throws FailureError that says why it cannot be attached to.
 */
export function inspectJvm(pid: number): JvmProcess {
  const identity = processIdentity(pid);
  if (identity === null) throw processGone(pid);
  const jvm = inspections[process.platform]?.(identity) ?? inspectByPerformanceData(identity);
  // One that is just starting has not written its options down yet.
  const commandLine = (readSmallFile(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
  if (attachIsDisabled(`${commandLine} ${jvm.facts?.options ?? ''}`))
    throw failure(
      'attach-disabled',
      `The JVM ${pid} was started with -XX:+DisableAttachMechanism and lets nobody attach.`,
      'Start it without that option, and record again.',
    );
  return jvm;
}

/** How a process is looked at on each system; on any other it is by its performance data. */
const inspections: Partial<Record<NodeJS.Platform, (identity: ProcessIdentity) => JvmProcess>> = {
  linux: inspectOnLinux,
  win32: inspectOnWindows,
};

/** Nothing is sent to it before `jcmd` has seen that it is a JVM: a process that Benchside started has its performance data in a temporary folder of its own. */
function inspectOnWindows(identity: ProcessIdentity): JvmProcess {
  const { pid } = identity;
  const tempDir = tmpdir();
  return { identity, pid, namespacePid: pid, uid: 0, gid: 0, rootDir: '', tempDir, facts: factsOf('', tempDir, pid, 0) };
}

function inspectOnLinux(identity: ProcessIdentity): JvmProcess {
  const { pid } = identity;
  const status = parseStatus(readSmallFile(`/proc/${pid}/status`) ?? '');
  if (status === null) throw processGone(pid);
  const self = process.geteuid?.() ?? -1;
  if (self !== 0 && self !== status.uid) throw otherUser(pid);
  const maps = mapsOf(pid);
  if (maps === null) throw otherUser(pid);
  if (maps.some((file) => /\/libj9vm\d*\.so$/.test(file)))
    throw failure(
      'attach-unsupported',
      `Process ${pid} runs on the OpenJ9 virtual machine, which is attached to in a way of its own that is not supported.`,
      'Start the application with a JDK that has HotSpot, such as Temurin, and record again.',
    );
  if (!maps.some((file) => /\/libjvm\.so$/.test(file))) throw notJvm(pid);
  if (!status.catchesQuit)
    throw failure(
      'attach-disabled',
      `Process ${pid} does not handle the signal that attaching begins with, so that it would end: it is just starting, or was started with -Xrs.`,
      'Try again when it has started; start it without -Xrs or -XX:+ReduceSignalUsage.',
    );
  if (status.state === 'T' || status.state === 't')
    throw failure(
      'process-stopped',
      `Process ${pid} is stopped and cannot answer.`,
      'Let it go on (fg, or the debugger’s Continue), and record again.',
    );
  const rootDir = rootOf(pid);
  if (!lstatSync(`${rootDir}/tmp`, { throwIfNoEntry: false })?.isDirectory())
    throw failure(
      'attach-unsupported',
      `Process ${pid} has no folder /tmp that can be reached from here, where a JVM is talked to.`,
      'Give its container a folder /tmp, and record again.',
    );
  const { namespacePid, uid, gid } = status;
  return { identity, pid, namespacePid, uid, gid, rootDir, tempDir: '/tmp', facts: factsOf(rootDir, '/tmp', namespacePid, uid) };
}

/** Without /proc: the performance data is there only for a JVM, and of one that runs it changes twenty times a second. */
function inspectByPerformanceData(identity: ProcessIdentity): JvmProcess {
  const { pid } = identity;
  const tempDir = tmpdir();
  const uid = process.geteuid?.() ?? 0;
  const facts = factsOf('', tempDir, pid, uid);
  if (facts === null) throw notJvm(pid);
  return { identity, pid, namespacePid: pid, uid, gid: process.getegid?.() ?? 0, rootDir: '', tempDir, facts };
}

/** Its performance data file and its content; of files that others may have planted only the JVM's own user's counts. */
export function performanceFile(
  rootDir: string,
  tempDir: string,
  namespacePid: number,
  uid: number,
): { file: string; bytes: Buffer } | null {
  const folder = path.join(rootDir, tempDir);
  for (const name of namesIn(folder)) {
    if (!name.startsWith('hsperfdata_')) continue;
    const file = path.join(folder, name, String(namespacePid));
    if (lstatSync(file, { throwIfNoEntry: false })?.uid !== uid) continue;
    const bytes = readSmallBytes(file);
    if (bytes !== null) return { file, bytes };
  }
  return null;
}

function factsOf(rootDir: string, tempDir: string, namespacePid: number, uid: number): JvmFacts | null {
  return attempt(() => {
    const found = performanceFile(rootDir, tempDir, namespacePid, uid);
    return found === null ? null : parsePerformanceData(found.bytes);
  }, null);
}

function rootOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`) === readlinkSync('/proc/self/ns/mnt') && readlinkSync(`/proc/${pid}/root`) === '/'
      ? ''
      : `/proc/${pid}/root`;
  } catch {
    throw otherUser(pid);
  }
}

/** The facts of /proc/<pid>/status that attaching depends on. */
export interface ProcessStatus {
  state: string;
  namespacePid: number;
  uid: number;
  gid: number;
  catchesQuit: boolean;
}

const quitMask = 1n << 2n;

/** Parses /proc/<pid>/status; null for anything else. */
export function parseStatus(text: string): ProcessStatus | null {
  const field = (name: string): string[] => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const [state] = field('State');
  const [, uid] = field('Uid');
  const [, gid] = field('Gid');
  const [caught] = field('SigCgt');
  const pid = field('NSpid').at(-1) ?? field('Pid')[0];
  if (state === undefined || uid === undefined || gid === undefined || pid === undefined || !/^[0-9a-f]{1,32}$/i.test(caught ?? ''))
    return null;
  return {
    state,
    namespacePid: Number(pid),
    uid: Number(uid),
    gid: Number(gid),
    catchesQuit: (BigInt(`0x${caught ?? '0'}`) & quitMask) !== 0n,
  };
}

/** Whether the last of the options about it forbids attaching. */
export function attachIsDisabled(options: string): boolean {
  return [...options.matchAll(/-XX:([+-])DisableAttachMechanism\b/g)].at(-1)?.[1] === '+';
}

export function processGone(pid: number): FailureError {
  return failure('process-gone', `There is no process ${pid} any more.`, 'Look it up in the list of processes again.');
}

export function otherUser(pid: number): FailureError {
  return failure(
    'attach-other-user',
    `Process ${pid} belongs to another user, and a JVM takes orders from its own user only.`,
    'Start the editor as the user of that process, or as root, and record again.',
  );
}

function notJvm(pid: number): FailureError {
  return failure('not-a-jvm', `Process ${pid} is no Java virtual machine.`, 'Choose a Java process from the list of processes.');
}
