import { figure, listPhrase, wholeNumber } from '../../../src/model/domain/format.ts';
import type { Series } from './series.ts';

/** The contents of a chart in sentences, for screen readers. The table of figures holds the rest. */
export function chartSummary(series: readonly Series[], unit: string): string {
  if (series.length === 0) return 'Nothing has been measured yet.';
  const sentences = series.map((line) => {
    const valid = line.points.filter((point) => point.usable);
    const values = valid.map((point) => (unit === 'requests/s' ? wholeNumber(point.value) : figure(point.value)));
    const invalid = line.points.length - valid.length;
    const tail = invalid > 0 ? ` ${invalid} trial${invalid === 1 ? ' is' : 's are'} not valid.` : '';
    return values.length === 0 ? `${line.label}: no valid trial.${tail}` : `${line.label}: ${listPhrase(values)} ${unit}.${tail}`;
  });
  return `${sentences.join(' ')} The figures are in the table.`;
}
