import { figure, wholeNumber } from './format.ts';
import type { Trial } from './run.ts';
import type { Slo, SloResult } from './slo.ts';
import { sloLimits, sloValuePhrase } from './sloText.ts';
import type { OpenLoopMetric } from './tuning.ts';

/**
 * How a trial did against an objective, by its figures under the load of its profile. `p99AtRate`: its p99 at a fixed rate counts instead, where it is known,
 * by its interval: an interval on both sides of the limit is undecided. A trial that is not valid passes nothing: its rows are undecided. One thing is
 * certain even then: requests that failed have failed, so that errors above their limit are a miss whatever else is wrong with the trial (errors are often
 * the very reason why it is not valid).
 */
export function judgeSlo(slo: Slo, trial: Trial, { p99AtRate = false }: { p99AtRate?: boolean } = {}): SloResult {
  const rows = sloLimits.flatMap(({ key, name, sign, phrase }): SloResult['rows'] => {
    const limit = slo[key];
    if (limit === undefined) return [];
    if (key === 'p99Ms' && p99AtRate && trial.openLoop !== null) {
      const { what, value, holds } = atRate(trial.openLoop, limit);
      return [{ what, limit: `${sign} ${phrase(limit)}`, value, passed: trial.valid ? holds : null }];
    }
    const value = measured(key, trial);
    const holds = value === null ? null : sign === '≤' ? value <= limit : value >= limit;
    const certain = trial.valid || (key === 'errorShare' && holds === false);
    return [
      {
        what: name,
        limit: `${sign} ${phrase(limit)}`,
        value: value === null ? 'not measured' : sloValuePhrase(key, value),
        passed: certain ? holds : null,
      },
    ];
  });
  return { passed: together(rows.map((row) => row.passed)), rows };
}

/** What could not be answered at the rate has no p99: it says how long the windows were. */
function atRate(
  { rate, p99Ms, ciLow, ciHigh, carried }: OpenLoopMetric,
  limitMs: number,
): { what: string; value: string; holds: boolean | null } {
  const what = `p99 at ${wholeNumber(rate)} req/s`;
  if (!carried) return { what, value: 'not measured: it did not keep up', holds: null };
  const [least, most] = [ciLow ?? p99Ms, ciHigh ?? p99Ms];
  const value = `${sloValuePhrase('p99Ms', p99Ms)}${ciLow === null || ciHigh === null ? '' : ` (${figure(ciLow)} – ${figure(ciHigh)} ms)`}`;
  return { what, value, holds: most <= limitMs ? true : least > limitMs ? false : null };
}

/** What was missed, as a phrase: “p99 62.0 ms (limit ≤ 50 ms)”; empty when nothing was. */
export function missedPhrase(result: SloResult): string {
  return result.rows
    .filter((row) => row.passed === false)
    .map((row) => `${row.what} ${row.value} (limit ${row.limit})`)
    .join(', ');
}

function measured(key: keyof Slo, trial: Trial): number | null {
  if (key === 'errorShare') return errorShare(trial);
  if (key === 'throughput') return trial.requests + trial.errors.total === 0 ? null : trial.throughput.mean;
  const { latencyMs } = trial;
  if (latencyMs === null) return null;
  return { p50Ms: latencyMs.p50, p95Ms: latencyMs.p95, p99Ms: latencyMs.p99, p999Ms: latencyMs.p999 }[key];
}

/** Errors over all requests, those of the blocks included that were left out: errors may be why they were. */
export function errorShare({ blocks, requests, errors }: Pick<Trial, 'blocks' | 'requests' | 'errors'>): number | null {
  const answered = blocks.length > 0 ? blocks.reduce((sum, block) => sum + block.requests, 0) : requests;
  return errors.total + answered === 0 ? null : errors.total / (errors.total + answered);
}

/** A miss outweighs everything; what is not known outweighs what holds. */
function together(verdicts: readonly (boolean | null)[]): boolean | null {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(null) ? null : true;
}
