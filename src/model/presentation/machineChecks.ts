import { bytesPhrase, figure, wholeNumber } from '../domain/format.ts';
import { noticeablePercent } from '../domain/interference.ts';
import type { MachineFacts, MachineResolution } from '../domain/machineFacts.ts';
import type { ResultOf } from '../protocol/protocol.ts';

/** One thing that was looked at on a machine. */
export interface MachineCheck {
  id: string;
  label: string;
  /** Disturbed: intervals get wider, and answers come all the same. */
  status: 'ok' | 'disturbed' | 'warning' | 'error';
  message: string;
  cure: string | null;
}

/** What a rule says of the facts: a message alone where all is well, and nothing of what the platform does not report. */
type Judgement = string | Pick<MachineCheck, 'status' | 'message' | 'cure'> | null;
type Rule = (facts: MachineFacts) => MachineCheck | null;

function rule(id: string, label: string, judge: (facts: MachineFacts) => Judgement): Rule {
  return (facts) => {
    const judged = judge(facts);
    if (judged === null) return null;
    return { id, label, ...(typeof judged === 'string' ? { status: 'ok' as const, message: judged, cure: null } : judged) };
  };
}

const problem =
  (status: Exclude<MachineCheck['status'], 'ok'>) =>
  (message: string, cure: string): Judgement => ({ status, message, cure });
const [error, warning, disturbed] = [problem('error'), problem('warning'), problem('disturbed')];

/** "21.0.2" → 21, "1.8.0_402" → 8, "v20.20.0" → 20, "openjdk 17.0.1" → 17. */
function majorVersion(version: string): number | null {
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
    const { version, bundled, release, knownOn } = tools.postgres;
    const which = `PostgreSQL ${version}${bundled ? ', which comes with Benchside' : ''}`;
    const cure = bundled
      ? 'It listens on this machine only and holds the data of benchmarks. Update Benchside, or set the URL of a server of your own in the settings.'
      : 'Update PostgreSQL on this machine.';
    if (release?.kind === 'unsupported') return warning(`${which}: this major version gets no security fixes any more.`, cure);
    if (release?.kind === 'behind')
      return warning(
        `${which}: it has no fixes of the ${release.releases === 1 ? 'release' : `${release.releases} releases`} since, of which ${release.newest} (${dayPhrase(knownOn)}) is the newest known here.`,
        cure,
      );
    return release === null ? `${which}.` : `${which}: the newest release known here (${dayPhrase(knownOn)}).`;
  }),
  rule('git', 'Git', ({ tools: { git } }) => {
    return git === null ? 'None, which only comparing versions of the code needs. Install Git for that.' : `Git ${git}.`;
  }),
  rule('k6', 'k6', ({ tools: { k6 } }) => {
    return k6.version === null ? `None, which only --generator k6 needs. ${k6.cure}` : `k6 ${k6.version.replace(/^v/, '')}.`;
  }),
  rule('pgbouncer', 'PgBouncer', ({ tools: { pgbouncer } }) => {
    const { version, cure } = pgbouncer;
    return version === null ? `None, which only a target behind PgBouncer needs. ${cure}` : `PgBouncer ${version}.`;
  }),
  rule('setpriv', 'Clean-up', ({ hasSetpriv, platform }) => {
    if (platform !== 'linux') return null;
    if (hasSetpriv) return 'What Benchside starts ends with it.';
    return warning('setpriv was not found: if Benchside is killed, what it started ends only at its next start.', 'Install util-linux.');
  }),
];

/** Each rule above of the facts, in their order; what a platform does not report is left out. */
export function machineChecks({ machine, unmeasured }: Pick<ResultOf<'check/run'>, 'machine' | 'unmeasured'>): MachineCheck[] {
  const checks = rules.flatMap((judge) => judge(machine) ?? []);
  if (unmeasured === null) return checks;
  const { message, cure } = unmeasured;
  return [{ id: 'resolution', label: 'Differences it can resolve', status: 'warning', message, cure }, ...checks];
}

/** "12 November 2026", of "2026-11-12". */
function dayPhrase(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** Rounded up to what can be said without false precision; services vary on their own by about as much as the least of it. */
export function resolutionText({ differencePercent, interference }: Pick<MachineResolution, 'differencePercent' | 'interference'>): string {
  const least = Math.max(0.5, differencePercent);
  const steps = least < 2 ? 0.5 : 1;
  const rounded = Math.ceil(least / steps - 1e-9) * steps;
  const taken =
    interference === null
      ? ''
      : interference.takenPercent < 1
        ? ' There was hardly any interference.'
        : ` Interference took ${figure(interference.takenPercent)} % of its CPU meanwhile.`;
  return rounded > 50
    ? `As it is now, this machine distinguishes settings only where one is more than half as fast again as the other.${taken}`
    : `As it is now, this machine can resolve differences above ${rounded} % within a minute, beside what the app itself varies.${taken}`;
}
