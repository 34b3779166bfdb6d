import { capital } from '../../src/model/domain/sentence.ts';
import { findingText } from '../../src/model/domain/findings.ts';
import { limitNames } from '../../src/model/domain/diagnosisKind.ts';
import type { MetricName, ExperimentRecord, ExperimentSeries } from '../../src/model/domain/experiment.ts';
import { variantsOf, figureOf, metricWords } from '../../src/model/presentation/experimentTables.ts';
import type { LevelLine } from './experimentChart.ts';
import type { TimeLine, TimeMark } from './experimentSeriesChart.ts';
import { targetHueCount } from '../../src/model/presentation/palette.ts';
import { targetMarkOf } from '../../src/model/presentation/targetHue.ts';

/** The mark of each variant, by its name. */
type ArmMarks = ReadonlyMap<string, number>;

/** Variants are what an experiment compares: the first variant of a target has the target's mark, each additional one has a mark that no other variant has. */
export function armMarks(record: Pick<ExperimentRecord, 'experiment' | 'points'>): ArmMarks {
  const variants = variantsOf(record);
  const own = new Map([...variants].reverse().map(({ name, target }) => [target, name]));
  const marks = new Map<string, number>([...own].map(([target, name]) => [name, targetMarkOf(target)]));
  for (const { name } of variants) {
    if (marks.has(name)) continue;
    const used = [...marks.values()];
    const free = (mark: number): boolean => !used.some((other) => other % targetHueCount === mark % targetHueCount);
    const hues = [...Array(targetHueCount).keys()];
    marks.set(name, hues.find(free) ?? marks.size);
  }
  return marks;
}

export function levelLines(record: ExperimentRecord, name: MetricName, marks: ArmMarks): LevelLine[] {
  return variantsOf(record).map((variant, index) => ({
    label: variant.label,
    hue: marks.get(variant.name) ?? 0,
    dash: Math.floor(index / targetHueCount),
    points: record.points
      .filter((point) => point.variant === variant.name)
      .sort((a, b) => a.level - b.level)
      .flatMap((point) => {
        const known = figureOf(point, name);
        if (!known) return [];
        const limit = point.limit === null || point.limit === 'invalid' ? [] : [`limited by: ${limitNames[point.limit]}`];
        return [
          {
            level: point.level,
            ...known,
            valid: point.valid,
            notes: [...limit, ...point.reasons.map((reason) => `not valid: ${findingText(reason)}`)],
          },
        ];
      }),
  }));
}

/** Figures over time that share a unit and so a chart. */
export interface SeriesGroup {
  title: string;
  unit: string;
  lines: TimeLine[];
  marks: TimeMark[];
}

/** The series by unit, those of one variant in its hue with different dashes. What happened to several lines at the same time is marked once. */
export function seriesGroups(record: ExperimentRecord, variantMarksOf: ArmMarks): SeriesGroup[] {
  const units = [...new Set(record.series.map((series) => series.unit))];
  return units.map((unit) => {
    const own = record.series.filter((series) => series.unit === unit);
    const seen = new Map<string, number>();
    const lines = own.map((series): TimeLine => {
      const dash = seen.get(series.variant) ?? 0;
      seen.set(series.variant, dash + 1);
      return { label: series.label, hue: variantMarksOf.get(series.variant) ?? 0, dash, points: series.points };
    });
    return { title: titleOf(own), unit, lines, marks: marksOf(own) };
  });
}

function titleOf(series: readonly ExperimentSeries[]): string {
  const labels = [...new Set(series.map((one) => one.label))];
  return labels.length === 1 ? `${capital(labels[0] ?? '')} over time` : 'Over time';
}

function marksOf(series: readonly ExperimentSeries[]): TimeMark[] {
  const marks = new Map<string, TimeMark>();
  for (const mark of series.flatMap((one) => one.marks)) marks.set(`${Math.round(mark.atS)} ${mark.label}`, mark);
  return [...marks.values()].sort((a, b) => a.atS - b.atS);
}

/** What the chart over the levels shows, in sentences. */
export function levelsSummary(lines: readonly LevelLine[], name: MetricName, levelName: string): string {
  const { format, unit } = metricWords[name];
  const sentences = lines.flatMap((one) => {
    const values = one.points.map((point) => `${format(point.value)} at ${point.level}`);
    return values.length === 0 ? [] : [`${one.label}: ${values.join(', ')} ${levelName}.`];
  });
  return sentences.length === 0 ? 'Nothing has been measured yet.' : `In ${unit === '' ? 'numbers' : unit}. ${sentences.join(' ')}`;
}
