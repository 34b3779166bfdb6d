import type { Verdict } from '../../model/domain/tuning.ts';
import type { VersionMetric } from '../../model/domain/versionDiff.ts';

/** Throughput has the last word where it says faster or slower; else what is exact decides, then what is timed. */
export function verdictOf(metrics: readonly VersionMetric[]): Verdict {
  const counted = metrics.filter(({ counts }) => counts === true);
  const throughput = counted.find(({ id }) => id === 'throughput')?.verdict ?? null;
  if (throughput === 'worse' || throughput === 'better') return throughput;
  const [exact, timed] = [true, false].map((kind) =>
    counted.flatMap((one) => (one.exact === kind && one.verdict !== null ? [one.verdict] : [])),
  );
  for (const verdicts of [exact, timed]) {
    if (verdicts?.includes('worse') === true) return 'worse';
    if (verdicts?.includes('better') === true) return 'better';
  }
  // Where nothing differs, it is throughput that says whether enough was seen.
  return (
    throughput ?? (timed?.includes('unknown') === true ? 'unknown' : counted.some(({ verdict }) => verdict !== null) ? 'same' : 'unknown')
  );
}
