import { tierOfStudy, tierWords } from '../../model/answerTier.ts';
import { defaultDelta } from '../../model/margin.ts';
import { figure, noFigure, wholeNumber } from '../../model/format.ts';
import type { StudyRecord } from '../../model/study.ts';
import { basisWords, measuredTables, studySentence } from '../../model/studyTables.ts';

/** A table of plain texts with a caption; the columns in `numeric` are aligned to the right. */
export interface CaptionedTable {
  caption: string;
  columns: string[];
  numeric: boolean[];
  rows: string[][];
}

/** What a report says of a study, as texts that each format draws in its own way. */
export interface StudyReport {
  /** "C1 · source · short form". */
  about: string;
  asks: string;
  agrees: boolean | null;
  answer: string;
  summary: string;
  /** What stands over the tables beside which the measured ones are put. */
  heading: string;
  published: CaptionedTable[];
  measured: CaptionedTable[];
  /** Each rule of the shape with what came of it, then what the ladders show. */
  rules: { agrees: boolean | null; text: string; because: string }[];
  ladders: string[];
  notToday: string;
  success: CaptionedTable | null;
  steps: CaptionedTable | null;
}

/** The word before a rule: what came of it. */
export function ruleWord(agrees: boolean | null): string {
  return agrees === null ? 'Undecided' : agrees ? 'Agrees' : 'Does not agree';
}

/** Published beside measured, the rules, and the tables of a study. */
export function studyReport(record: StudyRecord, delta = defaultDelta): StudyReport {
  const { study, form, agrees, summary, shape, ladders } = record;
  const labels = new Map(study.arms.map((arm) => [arm.name, arm.label]));
  return {
    about: `${study.id} · ${study.source} · ${form} form`,
    asks: study.asks,
    agrees,
    answer: `${studySentence(record, delta)} (${tierWords[tierOfStudy(record, delta)].toLowerCase()})`,
    summary,
    heading: basisWords[study.basis].heading,
    published: study.published.map(({ caption, columns, rows }) => {
      const numeric = columns.map((_, index) => index > 0 && rows.every((row) => typeof row[index] === 'number'));
      const cell = (value: string | number): string =>
        typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 3 }) : value;
      return { caption, columns, numeric, rows: rows.map((row) => row.map(cell)) };
    }),
    measured: measuredTables(record).map(({ caption, columns, rows }) => ({
      caption,
      columns,
      numeric: columns.map((_, index) => index > 0),
      rows: rows.map(({ label, cells }) => [
        label,
        ...cells.map(({ text, spread, valid }) => `${text}${spread === '' ? '' : ` ${spread}`}${valid ? '' : ' (not valid)'}`),
      ]),
    })),
    rules: shape.map(({ agrees: holds, sentence, because }) => ({ agrees: holds, text: sentence, because })),
    ladders: ladders
      .filter(({ sign }) => sign.sentence !== '')
      .map(({ arm, sign }) => (ladders.length > 1 ? `${labels.get(arm) ?? arm}: ${sign.sentence}` : sign.sentence)),
    notToday: study.notToday,
    success: successTable(record),
    steps: stepsTable(record),
  };
}

function successTable({ success }: StudyRecord): CaptionedTable | null {
  if (success.length === 0) return null;
  const columns = ['figure', 'before', 'after', 'change', '95 % interval', 'Welch’s p', 'in words'];
  const pPhrase = (p: number | null): string => (p === null ? noFigure : p < 0.001 ? '< 0.001' : p.toFixed(3));
  return {
    caption: 'Before against after (below 10 % failure, 10 to 50 % improvement, above 50 % success)',
    columns,
    numeric: columns.map((_, index) => index > 0 && index < columns.length - 1),
    rows: success.map((row) => [row.what, row.before, row.after, row.change, row.interval ?? noFigure, pPhrase(row.welchP), row.word]),
  };
}

function stepsTable({ steps }: StudyRecord): CaptionedTable | null {
  if (steps.length === 0) return null;
  const columns = [
    'role',
    'step',
    'requests',
    'errors',
    'mean ms',
    'p50 ms',
    'p95 ms',
    'p99 ms',
    'longest ms',
    'what went wrong most often',
  ];
  const ms = (value: number | null): string => (value === null ? noFigure : figure(value));
  return {
    caption: 'Steps of the roles',
    columns,
    numeric: columns.map((_, index) => index > 1 && index < columns.length - 1),
    rows: steps.map((step) => [
      step.role,
      step.step,
      wholeNumber(step.requests),
      wholeNumber(step.errors),
      ...[step.meanMs, step.p50Ms, step.p95Ms, step.p99Ms, step.maxMs].map(ms),
      step.problem ?? '',
    ]),
  };
}
