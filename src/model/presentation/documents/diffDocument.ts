import { bytesPhrase } from '../../domain/format.ts';
import type { Environment } from '../../domain/run.ts';
import { capital } from '../../domain/sentence.ts';
import type { VersionDiff } from '../../domain/versionDiff.ts';
import { diffHeadline, diffNotes, diffReasons } from '../diffWords.ts';
import { againNote, diffTable, flameLines, functionTable, routesNote, routeTable, statementTable, toldRatio } from '../versionDiffTable.ts';
import { type Part, type Section, list, note, section, tables, text } from './document.ts';

const mostRoutes = 50;

/** A comparison of two versions as a document: the verdict and the figures, then what explains them, what explains the least last. */
export function diffDocument(diff: VersionDiff, environment: Environment | null): Part[] {
  const { routes = [], why, metrics: lines, delta } = diff;
  const spare = (title: string, parts: readonly Part[]): Section[] => section(title, parts, { fold: true, spare: true });
  return [
    { kind: 'heading', text: diffHeadline(diff) },
    ...list(diffReasons(diff).map((reason) => note(reason))),
    ...tables(diffTable(diff)),
    ...(lines.some(({ again }) => again !== undefined) ? [text(`${againNote}.`)] : []),
    ...diffNotes(diff).map(text),
    ...spare(
      'Routes of the mix',
      routes.length === 0 ? [] : [text(`${capital(routesNote)}.`), ...tables(routeTable(routes.slice(0, mostRoutes)))],
    ),
    ...spare('Statements that changed', tables(statementTable(diff))),
    ...spare('Functions that take more or less', why === null ? [] : tables(functionTable(why, diff))),
    ...spare(
      'Chart',
      lines.some(({ ratio }) => ratio !== null)
        ? [{ kind: 'forest', lines: lines.map((one) => ({ ...one, ratio: toldRatio(one) })), delta }]
        : [],
    ),
    ...spare('Where the time goes, per request', why?.flame == null ? [] : [{ kind: 'lines', lines: flameLines(why.flame) }]),
    ...spare('Files that changed', list(diff.files.map(({ path, added, removed }) => note(`${path}: +${added} −${removed}`)))),
    ...section('Machine', list(machineLines(diff, environment).map((line) => note(line))), { fold: true }),
  ];
}

function machineLines({ base, head }: VersionDiff, environment: Environment | null): string[] {
  if (environment === null) return [];
  const { cpuModel, cores, memoryBytes, platform, kernel, node, java, postgres, virtualised, benchside } = environment;
  return [
    `${cpuModel}, ${cores} cores, ${bytesPhrase(memoryBytes)}${virtualised === null ? '' : `, ${virtualised}`}`,
    `${platform}, ${kernel}`,
    [
      `Benchside ${benchside}`,
      `Node ${node}`,
      ...(java === null ? [] : [`Java ${java}`]),
      ...(postgres === null ? [] : [`PostgreSQL ${postgres}`]),
    ].join(', '),
    `Base: ${base.label}`,
    `Head: ${head.label}`,
  ];
}
