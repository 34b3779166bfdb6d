import { statfsSync } from 'node:fs';
import os from 'node:os';
import { attempt } from '../../model/domain/attempt.ts';
import { type Interference, noticeablePercent } from '../../model/domain/interference.ts';
import { bytesPhrase, figure, wholeNumber } from '../../model/domain/format.ts';
import type { CheckResult } from '../../model/protocol/protocol.ts';
import { allowedCores } from './cpuAllowance.ts';
import { type HostEdge, interferenceBetween, HostEdgeReader } from './hostEdge.ts';
import { HostReader } from './hostUse.ts';
import { parseMeminfo, parseOpenFileLimit, parsePressureAverage10 } from './procStat.ts';
import { judgePostgresRelease, newestReleaseDay } from './postgresReleases.ts';
import { ProcessTable } from './processTable.ts';
import { readSmallFile } from '../supervise/smallFile.ts';
import { pause } from '../supervise/pause.ts';
import { findProgram } from '../supervise/program.ts';

/** What was found out elsewhere, because only the supervisor may start programs. Versions, or `null` when the program is not there. */
export interface MachineTools {
  node: string;
  java: string | null;
  maven: string | null;
  /** Version of the PostgreSQL that would be used: embedded, or external. */
  postgres: string | null;
  /** Whether that one comes with Benchside; absent where it is not known. */
  postgresBundled?: boolean;
  /** What two versions of the code are read with; absent where it was not looked for. */
  git?: string | null;
  /** What could put the load on instead of Benchside’s own generator, and how to get it; absent where it was not looked for. */
  k6?: { version: string | null; cure: string };
  /** What can be in front of PostgreSQL, likewise. */
  pgbouncer?: { version: string | null; cure: string };
}

export interface MachineFacts {
  platform: NodeJS.Platform;
  /** All that the machine has. */
  machineCores: number;
  /** Those that we may use: fewer under a container’s CPU limit, and then it may be a fraction. */
  cores: number;
  freeMemoryBytes: number;
  totalMemoryBytes: number;
  freeDiskBytes: number | null;
  /** Mean number of runnable tasks over the last minute; 0 on Windows, which has none. */
  load1: number;
  /** CPU that others used while it was watched; null where the platform does not report it. */
  interference: Interference | null;
  /** The periods of the container’s CPU limit, while it was watched, in which it stopped us. */
  throttledPeriods: number | null;
  /** Share of the last 10 s in which some task waited for a CPU. */
  pressurePercent: number | null;
  /** `null` where we cannot steer the clock speed (virtual machines, other platforms). */
  governor: string | null;
  openFiles: number | null;
  ephemeralPorts: number | null;
  hasSetpriv: boolean;
  tools: MachineTools;
}

export interface MachineCheckOptions {
  /** Where data is kept; the free space of its file system is reported. */
  storageDir: string;
  tools: MachineTools;
  /** What runs while the machine is watched; by default, a pause of a second. */
  meanwhile?: () => Promise<unknown>;
  signal?: AbortSignal;
}

/** "Check This Machine": is it fit for measuring, and is all there that a run needs? Throws only when aborted, and what `meanwhile` throws. */
export async function checkMachine(options: MachineCheckOptions): Promise<CheckResult[]> {
  return judgeMachine(await readMachine(options));
}

async function readMachine({ storageDir, tools, meanwhile, signal }: MachineCheckOptions): Promise<MachineFacts> {
  const [load1 = 0] = os.loadavg();
  const pressurePercent = parsePressureAverage10(readSmallFile('/proc/pressure/cpu') ?? '');
  const table = new ProcessTable();
  const [host, edges] = [new HostReader(), new HostEdgeReader()];
  const read = (): { throttled: number | null; edge: HostEdge | null } =>
    process.platform === 'linux'
      ? { throttled: host.read()?.throttledPeriods ?? null, edge: edges.read(table, [], [process.pid]) }
      : { throttled: null, edge: null };
  const before = read();
  await (meanwhile ?? (() => pause(1000, signal)))();
  signal?.throwIfAborted();
  const after = read();
  const memory = parseMeminfo(readSmallFile('/proc/meminfo') ?? '');
  const [firstPort, lastPort] = (readSmallFile('/proc/sys/net/ipv4/ip_local_port_range') ?? '').trim().split(/\s+/).map(Number);
  return {
    platform: process.platform,
    machineCores: os.cpus().length,
    cores: allowedCores(),
    freeMemoryBytes: memory?.availableBytes ?? os.freemem(),
    totalMemoryBytes: memory?.totalBytes ?? os.totalmem(),
    freeDiskBytes: freeDisk(storageDir),
    load1,
    interference: before.edge === null || after.edge === null ? null : interferenceBetween(before.edge, after.edge),
    throttledPeriods: before.throttled === null || after.throttled === null ? null : Math.max(0, after.throttled - before.throttled),
    pressurePercent,
    governor: readSmallFile('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim() ?? null,
    openFiles: parseOpenFileLimit(readSmallFile('/proc/self/limits') ?? ''),
    ephemeralPorts: firstPort === undefined || lastPort === undefined ? null : lastPort - firstPort + 1,
    hasSetpriv: findProgram('setpriv', '/', process.env['PATH']) !== null,
    tools,
  };
}

function freeDisk(folder: string): number | null {
  return attempt(() => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  }, null);
}

/** What a rule says of the facts: a message alone where all is well, and nothing of what the platform does not report. */
type Judgement = string | Pick<CheckResult, 'status' | 'message' | 'cure'> | null;
type Rule = (facts: MachineFacts) => CheckResult | null;

function rule(id: string, label: string, judge: (facts: MachineFacts) => Judgement): Rule {
  return (facts) => {
    const judged = judge(facts);
    if (judged === null) return null;
    return { id, label, ...(typeof judged === 'string' ? { status: 'ok' as const, message: judged, cure: null } : judged) };
  };
}

const problem =
  (status: Exclude<CheckResult['status'], 'ok'>) =>
  (message: string, cure: string): Judgement => ({ status, message, cure });
const [error, warning, disturbed] = [problem('error'), problem('warning'), problem('disturbed')];

/** "21.0.2" → 21, "1.8.0_402" → 8, "v20.20.0" → 20, "openjdk 17.0.1" → 17. */
export function majorVersion(version: string): number | null {
  const match = /(\d+)(?:\.(\d+))?/.exec(version);
  if (match === null) return null;
  return match[1] === '1' && match[2] !== undefined ? Number(match[2]) : Number(match[1]);
}

const mebibyte = 1024 * 1024;
const wider = 'Intervals get wider and answers take longer; they come all the same.';

function coresPhrase(cores: number): string {
  return `${Number.isInteger(cores) ? wholeNumber(cores) : figure(cores)} ${cores === 1 ? 'core' : 'cores'}`;
}

const rules: readonly Rule[] = [
  rule('cores', 'CPU cores', ({ cores }) => {
    const count = coresPhrase(cores);
    if (cores < 2)
      return warning(
        `${count}: app, PostgreSQL and load generator take the CPU from each other.`,
        'Use a machine with at least 2 cores, better 4.',
      );
    return cores < 4 ? `${count}: enough; with 4 or more, app and load generator disturb each other less.` : `${count}.`;
  }),
  rule('memory', 'Memory', ({ freeMemoryBytes, totalMemoryBytes }) => {
    const message = `${bytesPhrase(freeMemoryBytes)} of ${bytesPhrase(totalMemoryBytes)} free.`;
    if (freeMemoryBytes < 512 * mebibyte) return error(message, 'Close programs until at least 512 MiB are free, better 2 GiB.');
    if (freeMemoryBytes < 2048 * mebibyte)
      return warning(`${message} Several Java processes at once may not fit.`, 'Close programs, or compare fewer settings at once.');
    return message;
  }),
  rule('disk', 'Disk', ({ freeDiskBytes }) => {
    if (freeDiskBytes === null) return null;
    const message = `${bytesPhrase(freeDiskBytes)} free where data is kept.`;
    if (freeDiskBytes < 256 * mebibyte) return error(message, 'Free at least 256 MiB, better 1 GiB: PostgreSQL and the runs need it.');
    if (freeDiskBytes < 1024 * mebibyte) return warning(message, 'Free 1 GiB, so that PostgreSQL does not run out during a run.');
    return message;
  }),
  rule('load', 'Load now', ({ load1, machineCores, platform }) => {
    if (platform === 'win32') return null;
    const message = `Load average ${load1.toFixed(2)} over the last minute on ${coresPhrase(machineCores)}.`;
    if (load1 <= 0.5 * machineCores) return message;
    return disturbed(message, 'Close what is busy (builds, browsers, indexing) and wait a minute before you measure.');
  }),
  rule('steal', 'CPU steal', ({ interference }) => {
    if (interference === null) return null;
    const message = `The hypervisor took ${figure(interference.stealPercent)} % of the CPU for other machines.`;
    if (interference.stealPercent < noticeablePercent) return message;
    return disturbed(message, `${wider} A quieter or a dedicated host answers sooner.`);
  }),
  rule('others', 'Other programs', ({ interference }) => {
    if (interference === null) return null;
    const message = `Other programs used ${figure(interference.otherPercent)} % of the CPU.`;
    if (interference.otherPercent < noticeablePercent) return message;
    return disturbed(message, `${wider} Close what is busy (builds, browsers, indexing) for sooner ones.`);
  }),
  rule('limit', 'CPU limit', ({ cores, machineCores, throttledPeriods }) => {
    if (throttledPeriods === null) return null;
    if (cores >= machineCores) return 'No CPU limit: all cores may be used.';
    const stopped =
      throttledPeriods === 0 ? '' : ` It was reached in ${throttledPeriods} ${throttledPeriods === 1 ? 'period' : 'periods'}.`;
    return `${coresPhrase(cores)} of ${wholeNumber(machineCores)} may be used; that is this machine’s size.${stopped}`;
  }),
  rule('pressure', 'CPU pressure', ({ pressurePercent }) => {
    if (pressurePercent === null) return null;
    const message = `Tasks waited for a CPU ${figure(pressurePercent)} % of the last 10 s.`;
    return pressurePercent > 20 ? disturbed(message, `${wider} Close what is busy for sooner ones.`) : message;
  }),
  rule('governor', 'CPU frequency', ({ governor }) => {
    if (governor === null) return 'Not ours to steer on this machine.';
    if (!['powersave', 'conservative', 'ondemand'].includes(governor)) return `The governor is “${governor}”.`;
    return warning(
      `The governor is “${governor}”: the clock may change while you measure.`,
      'Set it to “performance” (cpupower frequency-set -g performance), and use mains power.',
    );
  }),
  rule('openFiles', 'Open files', ({ openFiles }) => {
    if (openFiles === null) return null;
    const message = `${wholeNumber(openFiles)} open files are allowed for each process.`;
    if (openFiles < 1024) return error(message, 'Raise it to 4096 or more (ulimit -n 4096): every connection is an open file.');
    if (openFiles < 4096)
      return warning(
        `${message} That is enough for about ${wholeNumber(openFiles / 2)} connections.`,
        'Raise it for more (ulimit -n 4096).',
      );
    return message;
  }),
  rule('ports', 'Local ports', ({ ephemeralPorts }) => {
    if (ephemeralPorts === null) return null;
    const message = `${wholeNumber(ephemeralPorts)} local ports for outgoing connections.`;
    if (ephemeralPorts >= 10_000) return message;
    return warning(message, 'Widen net.ipv4.ip_local_port_range: an app that closes its connections uses one for each request.');
  }),
  rule('node', 'Node', ({ tools: { node } }) =>
    (majorVersion(node) ?? 0) < 20 ? error(`Node ${node} is too old.`, 'Install Node 20.19 or newer.') : `Node ${node.replace(/^v/, '')}.`,
  ),
  rule('java', 'Java', ({ tools: { java } }) => {
    if (java === null)
      return warning(
        'No Java was found: Java services, and the Java sample, cannot be started.',
        'Install a JDK 17 or newer, or name its path (--java, or in the settings).',
      );
    if ((majorVersion(java) ?? 0) < 17) return warning(`Java ${java} is too old for the Java sample.`, 'Install a JDK 17 or newer.');
    return `Java ${java}.`;
  }),
  rule('maven', 'Maven', ({ tools: { maven } }) => {
    if (maven !== null) return `Maven ${maven}.`;
    return warning(
      'No Maven was found: what is built with it, the Java sample too, cannot be built again here.',
      'Install Maven 3.8 or newer, if your service is built with it or you want to change the Java sample.',
    );
  }),
  rule('postgres', 'PostgreSQL', ({ tools }) => {
    if (tools.postgres === null)
      return error(
        'No PostgreSQL was found: services that want one cannot be started.',
        'Install Benchside with its optional packages (npm install --include=optional benchside), put PostgreSQL on the PATH, or name a server of your own (--postgres-url, or in the settings).',
      );
    const release = judgePostgresRelease(tools.postgres);
    const which = `PostgreSQL ${tools.postgres}${tools.postgresBundled === true ? ', which comes with Benchside' : ''}`;
    const cure =
      tools.postgresBundled === true
        ? 'It listens on this machine only and holds the data of benchmarks. Update Benchside, or set the URL of a server of your own in the settings.'
        : 'Update PostgreSQL on this machine.';
    if (release?.kind === 'unsupported') return warning(`${which}: this major version gets no security fixes any more.`, cure);
    if (release?.kind === 'behind')
      return warning(
        `${which}: it has no fixes of the ${release.releases === 1 ? 'release' : `${release.releases} releases`} since, of which ${release.newest} (${newestReleaseDay()}) is the newest known here.`,
        cure,
      );
    return release === null ? `${which}.` : `${which}: the newest release known here (${newestReleaseDay()}).`;
  }),
  rule('git', 'Git', ({ tools: { git } }) => {
    if (git === undefined) return null;
    return git === null ? 'None, which only comparing versions of the code needs. Install Git for that.' : `Git ${git}.`;
  }),
  rule('k6', 'k6', ({ tools: { k6 } }) => {
    if (k6 === undefined) return null;
    return k6.version === null ? `None, which only --generator k6 needs. ${k6.cure}` : `k6 ${k6.version.replace(/^v/, '')}.`;
  }),
  rule('pgbouncer', 'PgBouncer', ({ tools: { pgbouncer } }) => {
    if (pgbouncer === undefined) return null;
    const { version, cure } = pgbouncer;
    return version === null ? `None, which only a target behind PgBouncer needs. ${cure}` : `PgBouncer ${version}.`;
  }),
  rule('setpriv', 'Clean-up', ({ hasSetpriv, platform }) => {
    if (platform !== 'linux') return null;
    if (hasSetpriv) return 'What Benchside starts ends with it.';
    return warning('setpriv was not found: if Benchside is killed, what it started ends only at its next start.', 'Install util-linux.');
  }),
];

/** Judges facts by the rules above, in their order; what a platform does not report is left out. */
export function judgeMachine(facts: MachineFacts): CheckResult[] {
  return rules.flatMap((rule) => rule(facts) ?? []);
}
