import { noticeablePercent } from '../../model/domain/interference.ts';
import { largest } from './checks.ts';
import { waitsOutsideCpu } from './requestTime.ts';
import type { Signals } from './signals.ts';
import { thresholds } from './thresholds.ts';

/** However much other programs use, the scheduler leaves everybody a share. */
const leastLeft = 0.05;

/** The part of the CPU that others used, 0 … 1; as little as any machine loses to its own housekeeping counts as nothing. */
export function taken(s: Signals): number {
  const share = s.interferenceShare ?? 0;
  return 100 * share < noticeablePercent ? 0 : Math.min(share, 1 - leastLeft);
}

/** CPU of the app, PostgreSQL, the load generator, the proxy and PgBouncer together, as a share of the machine. */
export function workloadCpuShare(s: Signals): number | null {
  if (s.cores === null || s.appCpuPercent === null) return null;
  const beside = [s.pgCpuPercent, s.generator.cpuPercent, s.proxy?.cpuPercent, s.bouncer?.cpuPercent];
  return beside.reduce<number>((sum, percent) => sum + (percent ?? 0), s.appCpuPercent) / (100 * s.cores);
}

/** The same as a share of the cores that the hypervisor and other programs left. */
export function workloadOfCoresLeft(s: Signals): number | null {
  const own = workloadCpuShare(s);
  return own === null ? null : Math.min(1, own / (1 - taken(s)));
}

export function coresLeft(s: Signals): number | null {
  return s.cores === null ? null : s.cores * (1 - taken(s));
}

/**
 * How full the CPU was for what is measured, 0 … 1: of the cores that were left. Where most of a request’s time is known to pass outside of the CPU, or less was
 * used than the scheduler gives to anybody who asks, other programs only took what nobody here wanted: then it is of all cores.
 */
export function cpuFullness(s: Signals): number | null {
  return waitsElsewhere(s) || asksLittle(s) ? workloadCpuShare(s) : workloadOfCoresLeft(s);
}

/**
 * Whether app, database and load used less of the CPU than they would have got had they wanted it, or cannot want all of it: a closed loop of fewer than two
 * connections for each core leaves some of them idle at times, whatever others do. Threads that are ready for more than all cores ask for them, however little of
 * them they got.
 */
export function asksLittle(s: Signals): boolean {
  const own = workloadCpuShare(s);
  const few = s.load === 'closed' && s.cores !== null && s.connections < 2 * s.cores;
  const asksForAll = s.cores !== null && (s.allWantedPercent ?? 0) >= 100 * s.cores;
  return few || (own !== null && own < thresholds.fairShare.limit && !asksForAll);
}

/** Whether most of a request’s time is known to pass waiting for something other than the CPU. */
export function waitsElsewhere(s: Signals): boolean {
  return (waitsOutsideCpu(s) ?? 0) >= thresholds.waitsElsewhere.limit;
}

/** Use of the cores that the app may use, 0 … 1. */
export function appCpuShare(s: Signals): number | null {
  return s.appCpuPercent === null || s.appCores === null ? null : s.appCpuPercent / (100 * s.appCores);
}

export function pgCpuShare(s: Signals): number | null {
  return s.pgCpuPercent === null || s.pgCores === null ? null : s.pgCpuPercent / (100 * s.pgCores);
}

/** Use of the processor that is fullest: the machine, the app’s share of it, or one event loop. */
export function fullestCpu(s: Signals): number | null {
  return largest(cpuFullness(s), appCpuShare(s), loopUse(s));
}

/**
 * Use of the busiest event loop, 0 … 1. A loop counts as busy while it waits for its turn on the CPU. Where others used much of the CPU and requests wait
 * elsewhere, only the app’s CPU, as a share of what others left of a core, is evidence for it.
 */
export function loopUse(s: Signals): number | null {
  if (s.eventLoop === null || s.appCpuPercent === null || taken(s) === 0 || !waitsElsewhere(s)) return s.eventLoop;
  return Math.min(s.eventLoop, s.appCpuPercent / 100 / (1 - taken(s)));
}

/** Use of the cores that the proxy’s workers may use, 0 … 1: a limit on its CPU is full whatever else the machine is busy with. */
export function proxyShare(s: Signals): number | null {
  return s.proxy?.cpuPercent == null ? null : s.proxy.cpuPercent / (100 * proxyCores(s));
}

export function proxyCores(s: Signals): number {
  return s.proxy?.cores ?? Math.max(1, s.proxy?.workers ?? 1);
}
