import { changePhrase, figure } from './format.ts';
import type { Verdict } from './tuning.ts';
import type { VersionDiff, VersionMetric } from './versionDiff.ts';

const words: Readonly<Record<Verdict, string>> = { better: 'better', worse: 'worse', same: 'the same', unknown: 'can’t tell yet' };

/** What a comparison of two versions shows as a table, here for the terminal and reports alike. Plain text, not escaped for any format. */
export interface DiffTable {
  columns: { title: string; numeric: boolean }[];
  rows: { cells: string[] }[];
}

/** A row for each figure: base, head, the change with its interval, and what it means. Counts are exact and have no interval. */
export function diffTable({ metrics }: Pick<VersionDiff, 'metrics'>): DiffTable {
  return {
    columns: [
      { title: '', numeric: false },
      { title: 'Base', numeric: true },
      { title: 'Head', numeric: true },
      { title: 'Change', numeric: true },
      { title: '95 % interval', numeric: false },
      { title: '', numeric: false },
    ],
    rows: metrics.map((metric) => ({
      cells: [
        `${metric.name}${metric.unit === '' ? '' : ` (${metric.unit})`}`,
        metric.base === null ? '–' : figure(metric.base),
        metric.head === null ? '–' : figure(metric.head),
        metric.ratio === null ? '–' : changePhrase(metric.ratio.mean),
        interval(metric),
        metric.verdict === null ? '' : words[metric.verdict],
      ],
    })),
  };
}

function interval({ ratio, exact }: VersionMetric): string {
  if (exact) return 'exact';
  return ratio?.ciLow == null || ratio.ciHigh === null ? '' : `${changePhrase(ratio.ciLow)} to ${changePhrase(ratio.ciHigh)}`;
}
