import { progressOf } from '../model/protocol/progress.ts';
import { eventName } from '../model/presentation/eventNames.ts';
import { list, note, section, tables, text } from '../model/presentation/documents/document.ts';
import { present } from '../model/presentation/present.ts';
import { diffNoteText } from '../model/domain/diffNoteKinds.ts';
import { failure } from '../model/domain/failure.ts';
import { figure } from '../model/domain/format.ts';
import type { RunRecord } from '../model/domain/run.ts';
import type { AskedOf } from '../model/protocol/measureRequest.ts';
import type { Measured } from '../model/protocol/protocol.ts';
import type { VersionDiff, VersionMetric } from '../model/domain/versionDiff.ts';
import { diffHeadline, diffNotes, diffReasons } from '../model/presentation/diffWords.ts';
import { diffTable, flameLines, functionTable, metricInterval, routesNote, routeTable } from '../model/presentation/versionDiffTable.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { type Gate, type JUnitCase, type JUnitSuite, appendToSummary, gateCode, junitXml, writeGateFile } from './gate.ts';
import { measured, tellKept } from './measure.ts';
import { withTarget } from './meantTarget.ts';
import { failuresField, runFailures } from './exitCode.ts';
import type { EngineCommand } from './command.ts';
import type { Terminal } from './terminal.ts';
import type { diffCommand } from './versionOptions.ts';
import { textOf } from './textDocument.ts';
import { wordedDiff } from './wordedRun.ts';

/** `benchside diff BASE HEAD`: two versions of the code in one run. */
export const diff: EngineCommand<typeof diffCommand> = async (given, engine, terminal) => {
  const { json, markdown, gate } = given;
  const request = await withTarget(given, engine, terminal);
  const { print, tell, write } = terminal;
  const done = await measuredDiff(request, engine, terminal);
  const { compared, run, outcome } = done;
  if (compared === undefined) throw failure('cancelled', 'Cancelled before both versions were measured.');
  tellKept(done, tell);
  const { diff: found, markdown: text } = compared;
  const failures = run === null ? [] : runFailures(run);
  if (json) terminal.json({ diff: wordedDiff(found), run: run?.id ?? null, ...failuresField(failures) });
  else print(diffText(found, run?.id ?? null));
  if (markdown !== null) writeGateFile(write, markdown, text);
  if (gate.junit !== null) writeGateFile(write, gate.junit, junitXml(diffSuite(found, run, gate)));
  appendToSummary(text);
  if (outcome === 'cancelled') return 1;
  if (failures.length > 0) {
    for (const { sentence } of failures) tell(sentence);
    return 1;
  }
  return gateCode(found.verdict, gate);
};

/** A case for each figure that the verdict is made of: of the one route that was asked for, or of the mix and of each of its routes; without one, the answer itself. */
export function diffSuite(diff: VersionDiff, run: RunRecord | null, { failOn, undecided }: Pick<Gate, 'failOn' | 'undecided'>): JUnitSuite {
  const routes = run?.routes[run.trials[0]?.target ?? ''] ?? [];
  const [route] = routes;
  const of = routes.length === 1 && route !== undefined ? route.replace(/ \(?100 %\)?$/, '') : 'mix';
  return {
    name: `${diff.base.label} → ${diff.head.label}`,
    cases: [
      { of, name: 'verdict', verdict: diff.verdict, sentence: diffHeadline(diff) },
      ...casesOf(of, diff.metrics),
      ...(diff.routes ?? []).flatMap(({ route: name, verdict, unknown, metrics }): JUnitCase[] => {
        const cases = unknown === null ? casesOf(name, metrics) : [{ of: name, name: 'verdict', verdict, sentence: diffNoteText(unknown) }];
        return cases.map((one) => ({ ...one, aside: true }));
      }),
    ],
    failUndecided: failOn !== null && undecided === 'fail',
  };
}

function casesOf(of: string, metrics: readonly VersionMetric[]): JUnitCase[] {
  return metrics.flatMap((metric): JUnitCase[] => {
    if (metric.verdict === null || metric.counts === false) return [];
    const [base, head] = [metric.base, metric.head].map((value) => (value === null ? '–' : figure(value)));
    const interval = metricInterval(metric);
    const sentence = `${base} → ${head} ${metric.unit}`.trimEnd() + (interval === '' ? '' : ` (${interval})`);
    return [{ of, name: metric.name, verdict: metric.verdict, sentence }];
  });
}

/** Measures two versions, with the progress on standard error. */
export function measuredDiff(request: AskedOf<'diff'>, engine: EngineClient, terminal: Terminal): Promise<Measured> {
  return measured(engine, terminal, { kind: 'diff', ...request }, [
    progressOf(engine, 'versions', ({ message }) => terminal.tell(message)),
  ]);
}

/** So many routes are shown, and those that are worse; of the flame graph so many lines. */
const shownRoutes = 6;
const shownBoxes = 16;

/** The answer, what explains it, and the figures of both: of the document what has room on a terminal. */
export function diffText(diff: VersionDiff, runId: string | null): string {
  const { routes = [], why } = diff;
  const { functions = [], flame = null } = why ?? {};
  const shown = routes.slice(0, Math.max(shownRoutes, routes.filter(({ verdict }) => verdict === 'worse').length));
  const flameTitle = `${eventName(flame?.event ?? '')} per request, and by how much that changed (← on changed lines)`;
  return textOf(
    present(
      text(diffHeadline(diff)),
      list(diffReasons(diff).map((reason) => note(reason))),
      tables(diffTable(diff)),
      section(`Routes of the mix, ${routesNote}`, tables(routeTable(shown))),
      shown.length < routes.length && text(`and ${routes.length - shown.length} more, which --json has`),
      diffNotes(diff).map(text),
      functions.length > 0 && tables(functionTable({ functions }, diff)),
      functions.length > 0 && flame && section(flameTitle, [{ kind: 'lines', lines: flameLines(flame, shownBoxes) }]),
      runId !== null && text(`Kept as run ${runId}.`),
    ),
  );
}
