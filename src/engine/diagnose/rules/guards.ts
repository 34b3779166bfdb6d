import { ofCores } from '../../../model/domain/verdict/phrases.ts';
import { atLeast, below } from '../checks.ts';
import type { Check } from '../checks.ts';
import { asksLittle, coresLeft, workloadCpuShare, workloadOfCoresLeft, taken, waitsElsewhere } from '../cpuUse.ts';
import { waitsOutsideCpu } from '../requestTime.ts';
import type { Signals } from '../signals.ts';
import { thresholds } from '../thresholds.ts';
import type { Threshold } from '../thresholds.ts';

/** Whether the CPU has room for what waits elsewhere: by the cores that were left, where others used some, or by what requests wait for. */
export function cpuBelow(threshold: Threshold, role: Check['role'] = 'guard'): (s: Signals) => Check {
  return (s) => {
    const own = workloadCpuShare(s);
    if (taken(s) === 0 || asksLittle(s)) {
      return below(role, 'CPU of the machine used by app, database and load', own, threshold, {
        unit: 'share',
        text: ofCores(own, s.cores),
      });
    }
    // What others took is not what a request waits for that is known to wait for something else.
    if (waitsElsewhere(s) && own !== null && own < threshold.limit) {
      return atLeast(role, 'part of a request’s time that passes outside of the CPU', waitsOutsideCpu(s), thresholds.waitsElsewhere, {
        unit: 'share',
      });
    }
    return below(role, 'CPU used by app, database and load, of what others left', workloadOfCoresLeft(s), threshold, {
      unit: 'share',
      text: ofCores(workloadOfCoresLeft(s), coresLeft(s)),
    });
  };
}

export const cpuIdle = cpuBelow(thresholds.cpuIdle);

export function noQueueAtPool(s: Signals): Check {
  return below('guard', 'requests that wait for a database connection', s.pool === null ? 0 : s.pool.pending, thresholds.waiting, {
    unit: 'count',
  });
}
