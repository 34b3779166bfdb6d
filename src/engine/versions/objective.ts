import { missedPhrase } from '../../model/domain/judgeSlo.ts';
import { percentPhrase } from '../../model/domain/format.ts';
import type { Trial } from '../../model/domain/run.ts';
import type { SloResult } from '../../model/domain/slo.ts';

/** What head missed of an objective that base keeps; null where that is not so. */
export function missedByHead(a: Trial | null, b: Trial | null): string | null {
  return b?.slo?.passed === false && a?.slo?.passed === true ? missedPhrase(b.slo) : null;
}

/** Fewer failed requests may be a mishap of a moment, as may be those of which base has a tenth as many. */
const [leastFailed, leastFailedShare, timesBase] = [20, 0.01, 10];

/**
 * “fails 40 % of the requests, which main answers”: what is certain of a head that was not measured as asked because of that, where base was; null where that
 * is not so.
 */
export function failingHead(a: Trial | null, b: Trial | null, base: string): string | null {
  if (a?.valid !== true || b?.valid !== false) return null;
  const [before, now] = [failedShare(a), failedShare(b)];
  if (b.errors.total < leastFailed || now < leastFailedShare || now < timesBase * before) return null;
  return `fails ${percentPhrase(100 * now)} of the requests, which ${base} answers`;
}

/** The share of failures in all attempts, including those of blocks that were left out. */
function failedShare({ blocks, errors }: Trial): number {
  const answered = blocks.reduce((sum, { requests }) => sum + requests, 0);
  return errors.total === 0 ? 0 : errors.total / (errors.total + answered);
}

/** How both did against the objective, and under which load that was seen; null without one. */
export function objectiveNote(a: Trial | null, b: Trial | null, labels: { base: string; head: string }): string | null {
  const [of, against] = [b?.slo, a?.slo];
  if (of == null || against == null) return null;
  const rows = of.rows.map((row, index) => {
    const before = against.rows[index];
    const said = [...(before === undefined ? [] : [`${labels.base} ${judged(before)}`]), `${labels.head} ${judged(row)}`];
    return `${row.what} ${row.limit}: ${said.join(', ')}`;
  });
  const atRate = of.rows.some(({ what }) => what.startsWith('p99 at '));
  const load = !atRate
    ? 'under the load of the profile'
    : `p99 at a fixed rate${of.rows.length > 1 ? ', the rest under the load of the profile' : ''}`;
  return `The objective (${load}): ${rows.join('; ')}.`;
}

function judged({ value, passed }: SloResult['rows'][number]): string {
  return `${value} (${passed === null ? 'undecided' : passed ? 'kept' : 'missed'})`;
}
