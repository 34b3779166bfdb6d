import { statfsSync } from 'node:fs';
import os from 'node:os';
import { attempt } from '../../model/domain/attempt.ts';
import type { MachineFacts, MachineTools } from '../../model/domain/machineFacts.ts';
import { allowedCores } from './cpuAllowance.ts';
import { type HostEdge, interferenceBetween, HostEdgeReader } from './hostEdge.ts';
import { HostReader } from './hostUse.ts';
import { parseMeminfo, parseOpenFileLimit, parsePressureAverage10 } from './procStat.ts';
import { ProcessTable } from './processTable.ts';
import { readSmallFile } from '../supervise/smallFile.ts';
import { pause } from '../supervise/pause.ts';
import { findProgram } from '../supervise/program.ts';

export interface MachineReadingOptions {
  /** Where data is kept; the free space of its file system is reported. */
  storageDir: string;
  /** What was found out elsewhere, because only the supervisor may start programs. */
  tools: MachineTools;
  /** What runs while the machine is watched; by default, a pause of a second. */
  meanwhile?: () => Promise<unknown>;
  signal?: AbortSignal;
}

/** Whether this machine is fit for measuring, and what is there of all that a run needs. Throws only when aborted, and what `meanwhile` throws. */
export async function readMachine({ storageDir, tools, meanwhile, signal }: MachineReadingOptions): Promise<MachineFacts> {
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
