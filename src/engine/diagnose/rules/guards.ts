import type { EvidenceName } from '../../../model/domain/verdict/evidence.ts';
import { type Check, atLeast, below } from '../checks.ts';
import {
  appCpuShare,
  asksLittle,
  coresLeft,
  pgCpuShare,
  proxyCores,
  proxyShare,
  taken,
  waitsElsewhere,
  workloadCpuShare,
  workloadOfCoresLeft,
} from '../cpuUse.ts';
import { waitsOutsideCpu } from '../requestTime.ts';
import type { Signals } from '../signals.ts';
import { type Threshold, thresholds } from '../thresholds.ts';

/** CPU that was used, as a share of the cores that there are for it. */
export type CpuUse = Extract<EvidenceName, { cores: number | null }>;

export function ofApp(s: Signals): CpuUse {
  return { code: 'cpu-of-app', share: appCpuShare(s), cores: s.appCores };
}

export function ofPostgres(s: Signals): CpuUse {
  return { code: 'cpu-of-postgres', share: pgCpuShare(s), cores: s.pgCores };
}

export function ofProxy(s: Signals): CpuUse {
  return { code: 'cpu-of-proxy', share: proxyShare(s), cores: proxyCores(s) };
}

export function ofMachine(s: Signals): CpuUse {
  return { code: 'cpu-of-machine', share: workloadCpuShare(s), cores: s.cores };
}

export function ofCoresLeft(s: Signals): CpuUse {
  return { code: 'cpu-of-cores-left', share: workloadOfCoresLeft(s), cores: coresLeft(s) };
}

export function cpuAtLeast(role: Check['role'], use: CpuUse, threshold: Threshold): Check {
  return atLeast(role, use, use.share, threshold);
}

export function cpuBelow(role: Check['role'], use: CpuUse, threshold: Threshold): Check {
  return below(role, use, use.share, threshold);
}

/** Whether the CPU has room for what waits elsewhere: by the cores that were left, where others used some, or by what requests wait for. */
export function cpuIdle(s: Signals, threshold: Threshold = thresholds.cpuIdle): Check {
  const own = workloadCpuShare(s);
  if (taken(s) === 0 || asksLittle(s)) return cpuBelow('guard', ofMachine(s), threshold);
  // What others took is not what a request waits for that is known to wait for something else.
  if (waitsElsewhere(s) && own !== null && own < threshold.limit) {
    return atLeast('guard', { code: 'outside-cpu' }, waitsOutsideCpu(s), thresholds.waitsElsewhere);
  }
  return cpuBelow('guard', ofCoresLeft(s), threshold);
}

export function noQueueAtPool(s: Signals): Check {
  return below('guard', { code: 'database-queue' }, s.pool === null ? 0 : s.pool.pending, thresholds.waiting);
}
