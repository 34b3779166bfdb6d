import { missedPhrase } from '../../model/judgeSlo.ts';
import type { Trial } from '../../model/run.ts';
import type { SloResult } from '../../model/slo.ts';

/** What head missed of an objective that base keeps; null where that is not so. */
export function missedByHead(a: Trial | null, b: Trial | null): string | null {
  return b?.slo?.passed === false && a?.slo?.passed === true ? missedPhrase(b.slo) : null;
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
