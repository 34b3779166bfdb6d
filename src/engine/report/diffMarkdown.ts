import { bytesPhrase } from '../../model/format.ts';
import { withoutControls } from '../../model/plainText.ts';
import type { Environment } from '../../model/run.ts';
import type { VersionDiff } from '../../model/versionDiff.ts';
import { diffTable, flameLines, functionTable, routesNote, routeTable } from '../../model/versionDiffTable.ts';
import type { DiffTable } from '../../model/versionDiffTable.ts';
import { forestSvg, forestText } from './diffForest.ts';
import { escaped } from './markdown.ts';

/** By this line a bot finds its own comment again. */
export const diffMark = '<!-- benchside-diff -->';
/** Below what a comment on GitHub may hold, which counts characters; these are bytes. */
const mostBytes = 60_000;
const mostRoutes = 50;

/**
 * A comparison of two versions as GitHub-flavoured Markdown for a pull request: the verdict and the figures in sight, charts, functions, statements and machine
 * folded. At most 60 kB: what explains the least is left out first. Names and SQL are untrusted.
 */
export function diffMarkdown(diff: VersionDiff, environment: Environment | null): string {
  const table = diffTable(diff);
  const head = [
    diffMark,
    `### ${escaped(diff.headline)}`,
    '',
    ...diff.reasons.map((reason) => `- ${escaped(reason)}`),
    ...(table.rows.length === 0 ? [] : ['', ...tableLines(table)]),
    ...(diff.notes ?? []).flatMap((note) => ['', escaped(note)]),
  ];
  const machine = folded('Machine', environmentLines(diff, environment));
  const svg = forestSvg(diff.metrics, diff.delta);
  const { routes = [] } = diff;
  const rest = [
    folded(
      'Routes of the mix',
      routes.length === 0 ? [] : [`${capital(routesNote)}.`, '', ...tableLines(routeTable(routes.slice(0, mostRoutes)))],
    ),
    folded(
      'Statements that changed',
      diff.statements.map(
        ({ kind, base, head: now, sql }) =>
          `- ${kind}, ${perRequest(base)} → ${perRequest(now)} per request: ${escaped(sql.slice(0, 400))}`,
      ),
    ),
    folded(
      'Functions that take more or less',
      diff.why === null || diff.why.functions.length === 0 ? [] : tableLines(functionTable(diff.why, diff)),
    ),
    folded('Chart', plainBlock(forestText(diff.metrics, diff.delta))),
    folded('Where the time goes, per request', diff.why?.flame == null ? [] : plainBlock(flameLines(diff.why.flame))),
    folded(
      'Files that changed',
      diff.files.map(({ path, added, removed }) => `- ${escaped(path)}: +${added} −${removed}`),
    ),
    folded(
      'Picture',
      svg === null
        ? []
        : [`<img alt="The figures with their intervals" src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`],
    ),
  ];
  const text = (sections: number): string => [...head, ...rest.slice(0, sections).flat(), ...machine, ''].join('\n');
  for (let sections = rest.length; sections > 0; sections -= 1) if (Buffer.byteLength(text(sections)) <= mostBytes) return text(sections);
  return text(0);
}

function environmentLines({ base, head }: VersionDiff, environment: Environment | null): string[] {
  if (environment === null) return [];
  const { cpuModel, cores, memoryBytes, platform, kernel, node, java, postgres, virtualised, benchside } = environment;
  return [
    `- ${escaped(cpuModel)}, ${cores} cores, ${bytesPhrase(memoryBytes)}${virtualised === null ? '' : `, ${escaped(virtualised)}`}`,
    `- ${escaped(`${platform}, ${kernel}`)}`,
    `- ${escaped([`Benchside ${benchside}`, `Node ${node}`, ...(java === null ? [] : [`Java ${java}`]), ...(postgres === null ? [] : [`PostgreSQL ${postgres}`])].join(', '))}`,
    `- Base: ${escaped(base.label)}`,
    `- Head: ${escaped(head.label)}`,
  ];
}

function tableLines({ columns, rows }: DiffTable): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => escaped(title))),
    line(columns.map(({ numeric }) => (numeric ? '---:' : '---'))),
    ...rows.map(({ cells }) => line(cells.map(escaped))),
  ];
}

/** Text as it is: nothing in it ends the block. */
function plainBlock(lines: readonly string[]): string[] {
  return lines.length === 0
    ? []
    : ['```text', ...lines.map((line) => withoutControls(line).replaceAll('\n', ' ').replaceAll('`', 'ˋ')), '```'];
}

function folded(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function perRequest(calls: number): string {
  return String(Number(calls.toPrecision(3)));
}
