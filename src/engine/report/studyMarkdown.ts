import type { RunRecord } from '../../model/run.ts';
import { escaped } from './markdown.ts';
import type { CaptionedTable } from './studyReport.ts';
import { ruleWord, studyReport } from './studyReport.ts';
import { reportedVerdicts } from './verdicts.ts';

/** The paragraphs of a study; none for any other run. */
export function studyMarkdown({ study }: RunRecord): string[] {
  if (study === null) return [];
  const report = studyReport(study);
  const rules = report.rules.map(({ agrees, text, because }) => `- ${ruleWord(agrees)}: ${escaped(text)} ${escaped(because)}`);
  const ladders = report.ladders.map((sentence) => `- ${escaped(sentence)}`);
  return [
    `${escaped(report.about)}. ${escaped(report.asks)}`,
    `**${escaped(report.answer)}.** ${escaped(report.summary)}`,
    ...report.published.map((table) => tableMarkdown(table, `${report.heading}: `)),
    ...report.measured.map((table) => tableMarkdown(table, 'Measured here: ')),
    [...rules, ...ladders].join('\n'),
    `Why it may not agree today: ${escaped(report.notToday)}`,
    ...(report.success === null ? [] : [tableMarkdown(report.success)]),
    ...(report.steps === null ? [] : [tableMarkdown(report.steps)]),
  ];
}

/** What limits each trial, one line each; none where nothing is known. */
export function verdictsMarkdown(run: RunRecord): string[] {
  const lines = reportedVerdicts(run).map(({ about, headline, doubt, evidence }) => {
    const figures = evidence.length === 0 ? '' : ` ${escaped(evidence.join('; '))}.`;
    return `- **${escaped(about)}:** ${escaped(headline)}${doubt === '' ? '' : ` ${escaped(doubt)}`}${figures}`;
  });
  return lines.length === 0 ? [] : [`What limits it:\n\n${lines.join('\n')}`];
}

function tableMarkdown({ caption, columns, numeric, rows }: CaptionedTable, before = ''): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  const rule = `| ${numeric.map((right) => (right ? '--:' : ':--')).join(' | ')} |`;
  return [`${before}${escaped(caption)}`, '', line(columns), rule, ...rows.map(line)].join('\n');
}
