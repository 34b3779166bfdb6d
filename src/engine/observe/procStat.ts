/**
 * Parsers of the files of Linux under /proc and in cgroups. Pure: they take a file's text and give numbers, or `null` for text that is not what it should be.
 * Source of every layout: proc(5), proc_pid_stat(5) and the kernel's admin-guide/cgroup-v2.
 */

/** Clock ticks a second in /proc (USER_HZ): 100 on every Linux architecture that Node runs on. */
export const ticksPerSecond = 100;
/** µs of one clock tick. */
export const tickUs = 1_000_000 / ticksPerSecond;

/** One process of /proc/<pid>/stat. Times are in clock ticks. */
export interface ProcStat {
  pid: number;
  command: string;
  state: string;
  parent: number;
  group: number;
  session: number;
  /** CPU time of its own threads, dead ones too. */
  ownTicks: number;
  /** CPU time of children that ended and were waited for, and of their children. */
  reapedTicks: number;
  threads: number;
  /** Since the machine was started. */
  startTicks: number;
}

/** Parses /proc/<pid>/stat. The command is in parentheses and may itself hold spaces and parentheses, so the last one counts. */
export function parseProcStat(text: string): ProcStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const pid = Number(text.slice(0, open));
  const fields = text.slice(close + 2).split(' ', 20);
  const [state] = fields;
  // Field n of proc_pid_stat(5) is at n − 3: the state, field 3, comes first.
  const field = (n: number): number => Number(fields[n - 3] ?? Number.NaN);
  const numbers = {
    parent: field(4),
    group: field(5),
    session: field(6),
    ownTicks: field(14) + field(15),
    reapedTicks: field(16) + field(17),
    threads: field(20),
    startTicks: field(22),
  };
  if (state === undefined || !Number.isInteger(pid) || Object.values(numbers).some(Number.isNaN)) return null;
  return { pid, command: text.slice(open + 1, close), state, ...numbers };
}

/** The number that the first group of a pattern matches. */
function numberIn(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

/**
 * What one thread did so far: its context switches, the time for which it ran, and for which it could have run and waited for its turn, in µs; null where the
 * kernel does not report it.
 */
export interface ThreadTurns extends Switches {
  ranUs: number | null;
  waitedUs: number | null;
}

/** Context switches of one thread, from /proc/<pid>/status or /proc/<pid>/task/<tid>/status: each file covers one thread only. */
export interface Switches {
  voluntary: number;
  involuntary: number;
}

export function parseStatusSwitches(text: string): Switches | null {
  const voluntary = numberIn(text, /^voluntary_ctxt_switches:\s*(\d+)/m);
  const involuntary = numberIn(text, /^nonvoluntary_ctxt_switches:\s*(\d+)/m);
  return voluntary === null || involuntary === null ? null : { voluntary, involuntary };
}

/** Memory of /proc/<pid>/statm in pages: what is private (RssAnon), and what may be shared with others (RssFile + RssShmem). */
export interface Memory {
  anonymousPages: number;
  sharedPages: number;
}

export function parseStatm(text: string): Memory | null {
  const [, resident, shared] = text.trim().split(' ').map(Number);
  if (resident === undefined || shared === undefined || Number.isNaN(resident) || Number.isNaN(shared)) return null;
  return { anonymousPages: Math.max(0, resident - shared), sharedPages: shared };
}

/** The whole machine's CPU time since it was started, in ticks of all cores. */
export interface HostTicks {
  /** user + nice + system: work done for processes. Guests are within user. */
  processes: number;
  /** user + nice, of the processes' work. */
  user: number;
  /** Servicing interrupts, which belongs to no process. */
  interrupts: number;
  /** idle + iowait. */
  idle: number;
  /** iowait, of the idleness. */
  ioWait: number;
  /** Used by the hypervisor for other machines. */
  steal: number;
}

export function parseHostStat(text: string): HostTicks | null {
  const line = /^cpu\s+(.*)$/m.exec(text)?.[1];
  if (line === undefined) return null;
  const [user, nice, system, idle, iowait = 0, irq = 0, softirq = 0, steal = 0] = line.trim().split(/\s+/).map(Number);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  const ticks = {
    processes: user + nice + system,
    user: user + nice,
    interrupts: irq + softirq,
    idle: idle + iowait,
    ioWait: iowait,
    steal,
  };
  return Object.values(ticks).some(Number.isNaN) ? null : ticks;
}

/** Context switches of all cores since the machine was started, from /proc/stat. */
export function parseContextSwitches(text: string): number | null {
  return numberIn(text, /^ctxt (\d+)$/m);
}

/** Memory that can be had without swapping, and all there is, in bytes, from /proc/meminfo. */
export function parseMeminfo(text: string): { availableBytes: number; totalBytes: number } | null {
  const kib = (name: string): number | null => numberIn(text, new RegExp(`^${name}:\\s*(\\d+) kB`, 'm'));
  const available = kib('MemAvailable') ?? kib('MemFree');
  const total = kib('MemTotal');
  return available === null || total === null ? null : { availableBytes: available * 1024, totalBytes: total * 1024 };
}

/** µs in which some task waited for a CPU, since the machine was started, from /proc/pressure/cpu (PSI). */
export function parsePressureTotalUs(text: string): number | null {
  return numberIn(text, /^some .*\btotal=(\d+)/m);
}

/** Acknowledgements of TCP that a timer sent, since the machine was started, from /proc/net/netstat: a line of names, and one of figures below it. */
export function parseDelayedAcks(text: string): number | null {
  const [names = '', figures = ''] = text.split('\n').filter((line) => line.startsWith('TcpExt:'));
  const at = names.split(' ').indexOf('DelayedACKs');
  const count = Number(figures.split(' ')[at]);
  return at < 0 || !Number.isFinite(count) ? null : count;
}

/** Share of the last 10 s in which some task waited for a CPU, in percent, from /proc/pressure/cpu. */
export function parsePressureAverage10(text: string): number | null {
  return numberIn(text, /^some .*\bavg10=([\d.]+)/m);
}

/** Periods in which a cgroup was throttled, from cpu.stat of version 1 or 2; `null` where no limit can be set (a root). */
export function parseThrottledPeriods(text: string): number | null {
  return numberIn(text, /^nr_throttled (\d+)/m);
}

/** Cores that `cpu.max` of a cgroup (version 2) allows, e.g. 1.5; `null` where it sets no limit. */
export function parseCpuMax(text: string): number | null {
  const [quota = '', period = ''] = text.trim().split(/\s+/);
  return coresOf(Number(quota), Number(period));
}

/** Cores that `cpu.cfs_quota_us` and `cpu.cfs_period_us` of a cgroup (version 1) allow; `null` where they set no limit (a quota of −1). */
export function parseCfsQuota(quotaText: string, periodText: string): number | null {
  return coresOf(Number(quotaText), Number(periodText));
}

function coresOf(quotaUs: number, periodUs: number): number | null {
  return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : null;
}

/** CPU time of all in a cgroup so far, in µs, from its cpu.stat (version 2). */
export function parseCpuUsageUs(text: string): number | null {
  return numberIn(text, /^usage_usec (\d+)/m);
}

/** How many CPUs /proc/stat lists; `null` where it has only their sum. */
export function parseCpuCount(text: string): number | null {
  return text.match(/^cpu\d+ /gm)?.length ?? null;
}

/** Time that a task ran so far, in ns, from /proc/<pid>/schedstat: of the first thread only. */
export function parseRunTimeNs(text: string): number | null {
  return numberIn(text, /^(\d+) \d+ \d+/);
}

/** The same of any thread, in µs, from its own schedstat. */
export function parseRanUs(text: string): number | null {
  const ns = parseRunTimeNs(text);
  return ns === null ? null : ns / 1000;
}

/** Time that a thread was ready to run and waited for a CPU so far, in µs, from its schedstat. */
export function parseWaitedUs(text: string): number | null {
  const ns = numberIn(text, /^\d+ (\d+) \d+/);
  return ns === null ? null : ns / 1000;
}

/** A process's place in the cgroup trees, from /proc/<pid>/cgroup: the path of the cpu controller (version 1) and of version 2. */
export function parseCgroupPaths(text: string): { v1: string | null; v2: string | null } {
  let v1: string | null = null;
  let v2: string | null = null;
  for (const line of text.split('\n')) {
    const match = /^(\d+):([^:]*):(.*)$/.exec(line);
    if (match === null) continue;
    const [, id, controllers = '', path = '/'] = match;
    if (id === '0' && controllers === '') v2 = path;
    else if (controllers.split(',').includes('cpu')) v1 = path;
  }
  return { v1, v2 };
}

/** The soft limit of open files, from /proc/<pid>/limits; `null` when it is unlimited or unknown. */
export function parseOpenFileLimit(text: string): number | null {
  const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1];
  return soft === undefined || soft === 'unlimited' ? null : Number(soft);
}

/** Size of a memory page from /proc/self/auxv (AT_PAGESZ, type 6; pairs of 64-bit numbers); 4096 when it does not say. */
export function parsePageBytes(auxiliaryVector: Buffer): number {
  for (let offset = 0; offset + 16 <= auxiliaryVector.length; offset += 16) {
    if (auxiliaryVector.readBigUInt64LE(offset) === 6n) return Number(auxiliaryVector.readBigUInt64LE(offset + 8));
  }
  return 4096;
}
