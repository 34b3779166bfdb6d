import type { Verdict } from '../../model/domain/tuning.ts';
import type { VersionMetric } from '../../model/domain/versionDiff.ts';

/** Throughput has the last word where it says faster or slower; else what is exact decides, then what is timed. */
export function verdictOf(metrics: readonly VersionMetric[]): Verdict {
  const counted = metrics.filter(({ counts }) => counts === true);
  const throughput = counted.find(({ id }) => id === 'throughput')?.verdict ?? null;
  if (throughput === 'worse' || throughput === 'better') return throughput;
  for (const exact of [true, false])
    for (const verdict of ['worse', 'better'] as const)
      if (counted.some((one) => one.exact === exact && one.verdict === verdict)) return verdict;
  // Where nothing differs, it is throughput that says whether enough was seen.
  if (throughput !== null) return throughput;
  const isOpen = counted.some(({ exact, verdict }) => !exact && verdict === 'unknown');
  return isOpen || counted.every(({ verdict }) => verdict === null) ? 'unknown' : 'same';
}
