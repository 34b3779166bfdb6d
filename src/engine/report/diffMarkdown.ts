import type { Environment } from '../../model/run.ts';
import type { VersionDiff } from '../../model/versionDiff.ts';
import { diffTable, flameLines, functionTable } from '../../model/versionDiffTable.ts';
import type { DiffTable } from '../../model/versionDiffTable.ts';
import { escaped } from './markdown.ts';

/** By this line a bot finds its own comment again. */
export const diffMark = '<!-- benchside-diff -->';

/** A comparison of two versions as GitHub-flavoured Markdown for a pull request: the verdict and the figures in sight, statements and machine folded. Names and SQL are untrusted. */
export function diffMarkdown(diff: VersionDiff, environment: Environment | null): string {
  const table = diffTable(diff);
  return [
    diffMark,
    `### ${escaped(diff.headline)}`,
    '',
    ...diff.reasons.map((reason) => `- ${escaped(reason)}`),
    ...(table.rows.length === 0 ? [] : ['', ...tableLines(table)]),
    ...folded(
      'Functions that take more or less',
      diff.why === null || diff.why.functions.length === 0 ? [] : tableLines(functionTable(diff.why)),
    ),
    ...folded('Where the time goes, per request', diff.why?.flame == null ? [] : plainBlock(flameLines(diff.why.flame))),
    ...folded(
      'Statements that changed',
      diff.statements.map(
        ({ kind, base, head, sql }) => `- ${kind}, ${perRequest(base)} → ${perRequest(head)} per request: ${escaped(sql.slice(0, 400))}`,
      ),
    ),
    ...folded(
      'Machine',
      environment === null
        ? []
        : [
            `- ${escaped(environment.cpuModel)}, ${environment.cores} cores`,
            `- Base: ${escaped(diff.base.label)}`,
            `- Head: ${escaped(diff.head.label)}`,
          ],
    ),
    '',
  ].join('\n');
}

function tableLines({ columns, rows }: DiffTable): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...rows.map(({ cells }) => line(cells.map(escaped))),
  ];
}

/** Text as it is: nothing in it ends the block. */
function plainBlock(lines: readonly string[]): string[] {
  return ['```text', ...lines.map((line) => line.replace(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('`', 'ˋ')), '```'];
}

function folded(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];
}

function perRequest(calls: number): string {
  return String(Number(calls.toPrecision(3)));
}
