import { accessSync, constants, statfsSync } from 'node:fs';
import os from 'node:os';
import { delimiter, join } from 'node:path';
import { noticeablePercent } from '../../model/domain/interference.ts';
import type { Interference } from '../../model/domain/interference.ts';
import { bytesPhrase, figure, wholeNumber } from '../../model/domain/format.ts';
import type { CheckResult } from '../../model/protocol/protocol.ts';
import { allowedCores } from './cpuAllowance.ts';
import { interferenceBetween, HostEdgeReader } from './hostEdge.ts';
import type { HostEdge } from './hostEdge.ts';
import { HostReader } from './hostUse.ts';
import { parseMeminfo, parseOpenFileLimit, parsePressureAverage10 } from './procStat.ts';
import { judgePostgresRelease, newestReleaseDay } from './postgresReleases.ts';
import { ProcessTable } from './processTable.ts';
import { readSmallFile } from '../files/smallFile.ts';

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
    hasSetpriv: isOnPath('setpriv'),
    tools,
  };
}

async function pause(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs);
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      },
      { once: true },
    );
  });
}

function freeDisk(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

type Rule = (facts: MachineFacts) => CheckResult | null;

function ok(id: string, label: string, message: string): CheckResult {
  return { id, label, status: 'ok', message, cure: null };
}

function problem(id: string, label: string, status: Exclude<CheckResult['status'], 'ok'>, message: string, cure: string): CheckResult {
  return { id, label, status, message, cure };
}

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
  ({ cores }) => {
    const count = coresPhrase(cores);
    if (cores < 2)
      return problem(
        'cores',
        'CPU cores',
        'warning',
        `${count}: app, PostgreSQL and load generator take the CPU from each other.`,
        'Use a machine with at least 2 cores, better 4.',
      );
    if (cores < 4) return ok('cores', 'CPU cores', `${count}: enough; with 4 or more, app and load generator disturb each other less.`);
    return ok('cores', 'CPU cores', `${count}.`);
  },
  ({ freeMemoryBytes, totalMemoryBytes }) => {
    const message = `${bytesPhrase(freeMemoryBytes)} of ${bytesPhrase(totalMemoryBytes)} free.`;
    if (freeMemoryBytes < 512 * mebibyte)
      return problem('memory', 'Memory', 'error', message, 'Close programs until at least 512 MiB are free, better 2 GiB.');
    if (freeMemoryBytes < 2048 * mebibyte)
      return problem(
        'memory',
        'Memory',
        'warning',
        `${message} Several Java processes at once may not fit.`,
        'Close programs, or compare fewer settings at once.',
      );
    return ok('memory', 'Memory', message);
  },
  ({ freeDiskBytes }) => {
    if (freeDiskBytes === null) return null;
    const message = `${bytesPhrase(freeDiskBytes)} free where data is kept.`;
    if (freeDiskBytes < 256 * mebibyte)
      return problem('disk', 'Disk', 'error', message, 'Free at least 256 MiB, better 1 GiB: PostgreSQL and the runs need it.');
    if (freeDiskBytes < 1024 * mebibyte)
      return problem('disk', 'Disk', 'warning', message, 'Free 1 GiB, so that PostgreSQL does not run out during a run.');
    return ok('disk', 'Disk', message);
  },
  ({ load1, machineCores, platform }) => {
    if (platform === 'win32') return null;
    const message = `Load average ${load1.toFixed(2)} over the last minute on ${coresPhrase(machineCores)}.`;
    if (load1 > 0.5 * machineCores)
      return problem(
        'load',
        'Load now',
        'disturbed',
        message,
        'Close what is busy (builds, browsers, indexing) and wait a minute before you measure.',
      );
    return ok('load', 'Load now', message);
  },
  ({ interference }) => {
    if (interference === null) return null;
    const message = `The hypervisor took ${figure(interference.stealPercent)} % of the CPU for other machines.`;
    if (interference.stealPercent >= noticeablePercent)
      return problem('steal', 'CPU steal', 'disturbed', message, `${wider} A quieter or a dedicated host answers sooner.`);
    return ok('steal', 'CPU steal', message);
  },
  ({ interference }) => {
    if (interference === null) return null;
    const message = `Other programs used ${figure(interference.otherPercent)} % of the CPU.`;
    if (interference.otherPercent >= noticeablePercent)
      return problem(
        'others',
        'Other programs',
        'disturbed',
        message,
        `${wider} Close what is busy (builds, browsers, indexing) for sooner ones.`,
      );
    return ok('others', 'Other programs', message);
  },
  ({ cores, machineCores, throttledPeriods }) => {
    if (throttledPeriods === null) return null;
    if (cores >= machineCores) return ok('limit', 'CPU limit', 'No CPU limit: all cores may be used.');
    const stopped =
      throttledPeriods === 0 ? '' : ` It was reached in ${throttledPeriods} ${throttledPeriods === 1 ? 'period' : 'periods'}.`;
    return ok(
      'limit',
      'CPU limit',
      `${coresPhrase(cores)} of ${wholeNumber(machineCores)} may be used; that is this machine’s size.${stopped}`,
    );
  },
  ({ pressurePercent }) => {
    if (pressurePercent === null) return null;
    const message = `Tasks waited for a CPU ${figure(pressurePercent)} % of the last 10 s.`;
    if (pressurePercent > 20)
      return problem('pressure', 'CPU pressure', 'disturbed', message, `${wider} Close what is busy for sooner ones.`);
    return ok('pressure', 'CPU pressure', message);
  },
  ({ governor }) => {
    if (governor === null) return ok('governor', 'CPU frequency', 'Not ours to steer on this machine.');
    if (governor === 'powersave' || governor === 'conservative' || governor === 'ondemand') {
      return problem(
        'governor',
        'CPU frequency',
        'warning',
        `The governor is “${governor}”: the clock may change while you measure.`,
        'Set it to “performance” (cpupower frequency-set -g performance), and use mains power.',
      );
    }
    return ok('governor', 'CPU frequency', `The governor is “${governor}”.`);
  },
  ({ openFiles }) => {
    if (openFiles === null) return null;
    const message = `${wholeNumber(openFiles)} open files are allowed for each process.`;
    if (openFiles < 1024)
      return problem(
        'openFiles',
        'Open files',
        'error',
        message,
        'Raise it to 4096 or more (ulimit -n 4096): every connection is an open file.',
      );
    if (openFiles < 4096)
      return problem(
        'openFiles',
        'Open files',
        'warning',
        `${message} That is enough for about ${wholeNumber(openFiles / 2)} connections.`,
        'Raise it for more (ulimit -n 4096).',
      );
    return ok('openFiles', 'Open files', message);
  },
  ({ ephemeralPorts }) => {
    if (ephemeralPorts === null) return null;
    const message = `${wholeNumber(ephemeralPorts)} local ports for outgoing connections.`;
    if (ephemeralPorts < 10_000)
      return problem(
        'ports',
        'Local ports',
        'warning',
        message,
        'Widen net.ipv4.ip_local_port_range: an app that closes its connections uses one for each request.',
      );
    return ok('ports', 'Local ports', message);
  },
  ({ tools }) => {
    const major = majorVersion(tools.node) ?? 0;
    if (major < 20) return problem('node', 'Node', 'error', `Node ${tools.node} is too old.`, 'Install Node 20.19 or newer.');
    return ok('node', 'Node', `Node ${tools.node.replace(/^v/, '')}.`);
  },
  ({ tools }) => {
    if (tools.java === null)
      return problem(
        'java',
        'Java',
        'warning',
        'No Java was found: Java services, and the Java sample, cannot be started.',
        'Install a JDK 17 or newer, or name its path (--java, or in the settings).',
      );
    if ((majorVersion(tools.java) ?? 0) < 17)
      return problem('java', 'Java', 'warning', `Java ${tools.java} is too old for the Java sample.`, 'Install a JDK 17 or newer.');
    return ok('java', 'Java', `Java ${tools.java}.`);
  },
  ({ tools }) => {
    if (tools.maven === null)
      return problem(
        'maven',
        'Maven',
        'warning',
        'No Maven was found: what is built with it, the Java sample too, cannot be built again here.',
        'Install Maven 3.8 or newer, if your service is built with it or you want to change the Java sample.',
      );
    return ok('maven', 'Maven', `Maven ${tools.maven}.`);
  },
  ({ tools }) => {
    if (tools.postgres === null)
      return problem(
        'postgres',
        'PostgreSQL',
        'error',
        'No PostgreSQL was found: services that want one cannot be started.',
        'Install Benchside with its optional packages (npm install --include=optional benchside), put PostgreSQL on the PATH, or name a server of your own (--postgres-url, or in the settings).',
      );
    const release = judgePostgresRelease(tools.postgres);
    const which = `PostgreSQL ${tools.postgres}${tools.postgresBundled === true ? ', which comes with Benchside' : ''}`;
    const cure =
      tools.postgresBundled === true
        ? 'It listens on this machine only and holds the data of benchmarks. Update Benchside, or set the URL of a server of your own in the settings.'
        : 'Update PostgreSQL on this machine.';
    if (release?.kind === 'unsupported')
      return problem('postgres', 'PostgreSQL', 'warning', `${which}: this major version gets no security fixes any more.`, cure);
    if (release?.kind === 'behind')
      return problem(
        'postgres',
        'PostgreSQL',
        'warning',
        `${which}: it has no fixes of the ${release.releases === 1 ? 'release' : `${release.releases} releases`} since, of which ${release.newest} (${newestReleaseDay()}) is the newest known here.`,
        cure,
      );
    return ok(
      'postgres',
      'PostgreSQL',
      release === null ? `${which}.` : `${which}: the newest release known here (${newestReleaseDay()}).`,
    );
  },
  ({ tools }) => {
    if (tools.git === undefined) return null;
    return ok(
      'git',
      'Git',
      tools.git === null ? 'None, which only comparing versions of the code needs. Install Git for that.' : `Git ${tools.git}.`,
    );
  },
  ({ tools }) => {
    if (tools.k6 === undefined) return null;
    return ok(
      'k6',
      'k6',
      tools.k6.version === null ? `None, which only --generator k6 needs. ${tools.k6.cure}` : `k6 ${tools.k6.version.replace(/^v/, '')}.`,
    );
  },
  ({ tools }) => {
    if (tools.pgbouncer === undefined) return null;
    const { version, cure } = tools.pgbouncer;
    return ok(
      'pgbouncer',
      'PgBouncer',
      version === null ? `None, which only a target behind PgBouncer needs. ${cure}` : `PgBouncer ${version}.`,
    );
  },
  ({ hasSetpriv, platform }) => {
    if (platform !== 'linux') return null;
    if (!hasSetpriv)
      return problem(
        'setpriv',
        'Clean-up',
        'warning',
        'setpriv was not found: if Benchside is killed, what it started ends only at its next start.',
        'Install util-linux.',
      );
    return ok('setpriv', 'Clean-up', 'What Benchside starts ends with it.');
  },
];

/** Judges facts by the rules above, in their order; what a platform does not report is left out. */
export function judgeMachine(facts: MachineFacts): CheckResult[] {
  return rules.flatMap((rule) => rule(facts) ?? []);
}
