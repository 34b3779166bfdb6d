import type { GroupReport } from './groupReport.ts';
import type { ProbeGroup } from './probeServer.ts';

/**
 * Requests that each instance answered between two readings, by its probes: several where it runs several processes. Null for an instance whose requests are
 * not seen, such as a JVM's or one without a probe.
 */
export function servedByInstance(
  before: GroupReport | null,
  after: GroupReport | null,
  instances: readonly { probe: ProbeGroup | null }[],
): (number | null)[] {
  return instances.map(({ probe }) => {
    const counts = (probe?.sessions ?? []).map(({ hello }) => {
      const [first, last] = [before, after].map((report) => report?.byProcess.get(hello.pid)?.http?.requests.count);
      return first === undefined || last === undefined ? null : last - first;
    });
    return counts.length === 0 || counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  });
}
