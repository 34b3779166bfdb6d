import { withoutStop } from './sentence.ts';
import { findingTexts } from './findings.ts';
import { tierOfStudy } from './answerTier.ts';
import { figure, wholeNumber } from './format.ts';
import { noiseFloorPhrase } from './intervalWidth.ts';
import type { Arm, FigureName, StudyFile, StudyPlan, StudyPoint, StudyRecord } from './study.ts';
import { figureNameSchema } from './study.ts';

/** How a figure of a study is called, in which unit it is shown, and how its number is written. */
export interface FigureWords {
  title: string;
  unit: string;
  format: (value: number) => string;
}

const percent = (value: number): string => (Math.abs(value) < 10 ? String(Number(value.toFixed(1))) : wholeNumber(value));

/** The words for every figure by which shapes are compared. */
export const figureWords: Readonly<Record<FigureName, FigureWords>> = {
  throughput: { title: 'Throughput', unit: 'requests/s', format: wholeNumber },
  meanMs: { title: 'Mean response time', unit: 'ms', format: figure },
  p99Ms: { title: 'p99 latency', unit: 'ms', format: figure },
  errorShare: { title: 'Errors', unit: '% of requests', format: (share) => percent(share * 100) },
  cpuPercent: { title: 'App CPU', unit: '% of a core', format: percent },
  requestsPerCpuSecond: { title: 'Requests per second of CPU', unit: 'requests', format: wholeNumber },
  rssMb: { title: 'Memory', unit: 'MB', format: wholeNumber },
  databaseMs: { title: 'Time with a connection', unit: 'ms', format: figure },
  poolWaitMs: { title: 'Wait for a connection', unit: 'ms', format: figure },
  switchesPerS: { title: 'Context switches', unit: 'per s', format: wholeNumber },
  utilisationPercent: { title: 'Utilisation of the CPU available', unit: '%', format: percent },
  users: { title: 'Users', unit: '', format: wholeNumber },
  lossPercent: { title: 'Loss of throughput', unit: '%', format: percent },
  recoveryS: { title: 'Time until steady again', unit: 's', format: figure },
};

/** A figure of a point with its 95 % interval, where there is one. */
export interface PointFigure {
  value: number;
  low: number | null;
  high: number | null;
}

/** What was measured of a figure at a point; null: nothing. */
export function figureOf(point: StudyPoint, name: FigureName): PointFigure | null {
  if (name === 'throughput' && point.throughput) {
    const { mean, ciLow, ciHigh } = point.throughput;
    return { value: mean, low: ciLow, high: ciHigh };
  }
  const value = point.figures[name];
  return value === null || value === undefined ? null : { value, low: null, high: null };
}

/** The plan that was followed. */
export function planOf({ study, form }: Pick<StudyRecord, 'study' | 'form'>): StudyPlan {
  return form === 'short' ? study.short : study.full;
}

/** What the levels of a plan count. */
export function levelName(plan: StudyPlan): string {
  return plan.kind === 'roles' ? 'users' : 'connections';
}

/** The levels that were measured or are planned, rising. */
export function levelsOf(record: Pick<StudyRecord, 'study' | 'form' | 'points'>): number[] {
  const plan = planOf(record);
  const planned = plan.kind === 'ladder' ? plan.levels : [];
  return [...new Set([...planned, ...record.points.map((point) => point.level)])].sort((a, b) => a - b);
}

/** The arms that have a place in tables and charts: those of the study, then those that only points name. */
export function armsOf({ study, points }: Pick<StudyRecord, 'study' | 'points'>): Pick<Arm, 'name' | 'label' | 'target'>[] {
  const unknown = [...new Set(points.map((point) => point.arm))].filter((name) => !study.arms.some((arm) => arm.name === name));
  return [...study.arms, ...unknown.map((name) => ({ name, label: name, target: name }))];
}

/** One cell of what was measured. */
export interface MeasuredCell {
  text: string;
  /** Half of the 95 % interval, "± 34"; empty where there is none. */
  spread: string;
  valid: boolean;
  /** Why it does not count. */
  reasons: readonly string[];
}
export interface MeasuredTable {
  caption: string;
  columns: string[];
  rows: { label: string; cells: MeasuredCell[] }[];
}

const mostTables = 3;
const mostColumns = 8;
const noCell: MeasuredCell = { text: '–', spread: '', valid: true, reasons: [] };

/**
 * What was measured, in the layout of publications: levels down and arms across, one table for each figure that the study draws or judges. Of one arm the
 * figures stand across; at one level the arms stand down and the figures across.
 */
export function measuredTables(record: Pick<StudyRecord, 'study' | 'form' | 'points'>): MeasuredTable[] {
  const levels = levelsOf(record);
  const arms = armsOf(record);
  const names = shownFigures(record);
  const all = [...new Set([...names, ...knownFigures(record)])].slice(0, mostColumns);
  const across = levelName(planOf(record));
  const at = (arm: string, level: number): StudyPoint | undefined =>
    record.points.find((point) => point.arm === arm && point.level === level);
  const caption = (name: FigureName): string => columnTitle(name);
  if (levels.length === 0) return [];
  const [only] = levels;
  if (levels.length === 1 && only !== undefined) {
    return [
      {
        caption: `${wholeNumber(only)} ${across}`,
        columns: ['', ...all.map(caption)],
        rows: arms.map((arm) => ({ label: arm.label, cells: all.map((name) => cellOf(at(arm.name, only), name)) })),
      },
    ];
  }
  const [single] = arms;
  if (arms.length === 1 && single) {
    return [
      {
        caption: single.label,
        columns: [across, ...all.map(caption)],
        rows: levels.map((level) => ({ label: wholeNumber(level), cells: all.map((name) => cellOf(at(single.name, level), name)) })),
      },
    ];
  }
  return names.slice(0, mostTables).map((name) => ({
    caption: caption(name),
    columns: [across, ...arms.map((arm) => arm.label)],
    rows: levels.map((level) => ({ label: wholeNumber(level), cells: arms.map((arm) => cellOf(at(arm.name, level), name)) })),
  }));
}

/** The figures that a study draws or judges, and the response time beside throughput, as far as anything of them was measured. */
export function shownFigures({ study, points }: Pick<StudyRecord, 'study' | 'points'>): FigureName[] {
  const judged = study.shape.flatMap((rule) => ('figure' in rule ? [rule.figure] : []));
  const wanted = [...new Set<FigureName>([study.figure, ...judged, 'throughput', 'meanMs'])];
  return wanted.filter((name) => name === study.figure || points.some((point) => figureOf(point, name) !== null));
}

/** Every figure of which anything was measured. */
function knownFigures({ points }: Pick<StudyRecord, 'points'>): FigureName[] {
  return figureNameSchema.options.filter((name) => points.some((point) => figureOf(point, name) !== null));
}

/** "Throughput, requests/s". */
export function columnTitle(name: FigureName): string {
  const { title, unit } = figureWords[name];
  return unit === '' ? title : `${title}, ${unit}`;
}

function cellOf(point: StudyPoint | undefined, name: FigureName): MeasuredCell {
  const known = point && figureOf(point, name);
  if (!point || !known) return point && !point.valid ? { ...noCell, valid: false, reasons: findingTexts(point.reasons) } : noCell;
  const { format } = figureWords[name];
  const { value, low, high } = known;
  const spread = low === null || high === null ? '' : `± ${format((high - low) / 2)}`;
  return { text: format(value), spread, valid: point.valid, reasons: findingTexts(point.reasons) };
}

/**
 * The answer of a study in one sentence. What is only seen is said with its interval, and without a judgement: what it is worth stands in its tier. That is the
 * first rule that is open; where all are decided over intervals that could hold anything, how it looks and how wide they are.
 */
export function studySentence(record: Pick<StudyRecord, 'study' | 'agrees' | 'points' | 'shape'>, delta: number): string {
  const { study, agrees, points, shape } = record;
  if (agrees === null) {
    const open = shape.filter((rule) => rule.agrees === null);
    // What has an interval was seen; what has none could not be looked at.
    const shown = open.find(({ interval }) => interval !== null) ?? open[0];
    return shown === undefined ? 'Nothing was seen of what it asks' : (shown.seen ?? withoutStop(shown.sentence));
  }
  if (tierOfStudy(record, delta) !== 'seen') return agreementWords({ study, agrees });
  const looks = `Looks ${agrees ? 'like' : 'different from'} ${basisWords[study.basis].told}`;
  const widths = points.flatMap(({ valid, throughput }) => (valid && throughput ? [halfWidthPercent(throughput)] : []));
  if (widths.includes(null)) return `${looks}, but was measured too rarely for an interval`;
  return `${looks}; its widest interval is ${noiseFloorPhrase(Math.max(...widths.map((width) => width ?? 0)))}`;
}

/** How that is called beside which what was measured is put: over its tables, as a whole, and in a sentence. */
export const basisWords = {
  publication: { heading: 'Published', whole: 'the publication', told: 'what was published' },
  law: { heading: 'By the law', whole: 'the law', told: 'what the law says' },
} as const satisfies Record<StudyFile['basis'], object>;

/** Whether the measured shape is the published one, in words. */
export function agreementWords({ study, agrees }: Pick<StudyRecord, 'study'> & { agrees: boolean }): string {
  return `${agrees ? 'Agrees' : 'Does not agree'} with ${basisWords[study.basis].whole}`;
}

function halfWidthPercent({ mean, ciLow, ciHigh }: NonNullable<StudyPoint['throughput']>): number | null {
  return ciLow === null || ciHigh === null || mean <= 0 ? null : (50 * (ciHigh - ciLow)) / mean;
}
