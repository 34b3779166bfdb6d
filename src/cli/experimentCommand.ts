import { findingText, findingTexts } from '../model/domain/findings.ts';
import { verdictText } from '../model/domain/verdict/verdictKinds.ts';
import { list, note, section, tables, text } from '../model/presentation/documents/document.ts';
import { publishedTable, sentenceWithTier, stepsTable, successTable } from '../model/presentation/experimentTables.ts';
import { basisWords, experimentSummary, figureText, metricLabel, shapeWords } from '../model/presentation/shapeWords.ts';
import { plainTable, titledColumns } from '../model/presentation/table.ts';
import { durationPhrase, figure, orDash, wholeNumber } from '../model/domain/format.ts';
import { noteTexts } from '../model/presentation/runNotes.ts';
import type { ListedExperiment, ExperimentPoint, ExperimentRecord, ExperimentRequest } from '../model/domain/experiment.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { measure } from './measure.ts';
import { judgeFailures, runFailures } from './exitCode.ts';
import type { Terminal } from './terminal.ts';
import { textOf } from './textDocument.ts';

/** The published experiments as lines for people. */
export function experimentLines(experiments: readonly ListedExperiment[]): string[] {
  return experiments.flatMap((experiment) => [
    `${experiment.id.padEnd(4)}${experiment.title} (about ${durationPhrase(experiment.shortS * 1000)}; in full ${durationPhrase(experiment.fullS * 1000)})`,
    `    ${experiment.asks}`,
    ...experiment.missing.map(({ message, cure }) => `    ✗ ${message} ${cure}`),
  ]);
}

/** Ids of the published experiments that a name means: `C1`, or `C` for all of that publication; none when it is no such name. */
export async function experimentIds(name: string, engine: EngineClient): Promise<ListedExperiment[]> {
  if (!/^[a-z]\d?$/i.test(name)) return [];
  const { experiments } = await engine.request('experiments/list', {});
  return experiments.filter(({ id }) => id === name.toUpperCase() || (name.length === 1 && id.startsWith(name.toUpperCase())));
}

/** Repeats published experiments, one after the other. One whose needs are missing says so, and the rest still run. */
export async function repeatExperiments(
  experiments: readonly ListedExperiment[],
  { full, soakS, keep, json }: { full: boolean; soakS: number | null; keep: Pick<ExperimentRequest, 'raw' | 'record'>; json: boolean },
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  const done: object[] = [];
  let failed = false;
  for (const listed of experiments) {
    if (listed.missing.length > 0) {
      failed = true;
      for (const { message, cure } of listed.missing) terminal.tell(`${listed.id} is not run. ${message} ${cure}`);
      done.push({ id: listed.id, title: listed.title, missing: listed.missing });
      continue;
    }
    terminal.tell(`${listed.id} · ${listed.title}`);
    const soak = soakS === null ? {} : { soakS };
    const { record, outcome } = await measure(engine, terminal, {
      kind: 'experiment',
      id: listed.id,
      form: full ? 'full' : 'short',
      ...soak,
      ...keep,
    });
    if (outcome !== 'complete' || judgeFailures(runFailures(record), terminal.tell) > 0) failed = true;
    const { result } = record;
    if (result.kind !== 'experiment') continue;
    const notes = noteTexts(record.notes);
    done.push(experimentDocument(record.id, result, notes));
    if (!json) terminal.print(experimentText(record.id, result, notes));
    if (outcome !== 'complete') break;
  }
  if (json) terminal.json({ experiments: done });
  return failed ? 1 : 0;
}

/** What `--json` gives of one: each step with its settings, users, requests/s, ms and verdict. */
function experimentDocument(runId: string, record: ExperimentRecord, notes: readonly string[]): object {
  return {
    id: record.experiment.id,
    title: record.experiment.title,
    run: runId,
    form: record.form,
    agrees: record.agrees,
    summary: experimentSummary(record),
    steps: record.points.map((point) => ({
      variant: point.variant,
      settings: record.experiment.variants.find(({ name }) => name === point.variant)?.settings ?? {},
      users: point.level,
      requestsPerS: point.figures.throughput ?? null,
      meanMs: point.figures.meanMs ?? null,
      p99Ms: point.figures.p99Ms ?? null,
      figures: point.figures,
      valid: point.valid,
      reasons: findingTexts(point.reasons),
      verdict: point.limit,
      verdictSentence: point.limitSaid === null ? null : verdictText(point.limitSaid),
    })),
    ladders: record.ladders.map(({ variant, sign }) => ({ variant, sign: sign.sign, sentence: verdictText(sign.said), knee: sign.knee })),
    shape: record.shape.map((rule) => {
      const { agrees, because, interval, moreSeconds } = rule;
      return { agrees, ...shapeWords(rule, record.experiment), because, interval, moreSeconds };
    }),
    success: record.success,
    roles: record.steps,
    published: record.experiment.published,
    notes,
  };
}

/** An experiment as the terminal shows it: published above, measured below with what limits each step, and whether the shapes agree. */
function experimentText(runId: string, record: ExperimentRecord, notes: readonly string[]): string {
  const { experiment } = record;
  const label = (variant: string): string => experiment.variants.find(({ name }) => name === variant)?.label ?? variant;
  const main = experiment.figure === 'throughput' ? [] : [metricLabel(experiment.figure)];
  const points = plainTable(
    titledColumns(['Variant', 'Users', 'Requests/s', 'Mean ms', 'p99 ms', ...main, 'Verdict'], 1, 4 + main.length),
    record.points.map((point) => [
      label(point.variant),
      String(point.level),
      rate(point),
      orDash(point.figures.meanMs),
      orDash(point.figures.p99Ms),
      ...main.map(() => orDash(point.figures[experiment.figure], (value) => figureText(experiment.figure, value))),
      verdict(point),
    ]),
  );
  return `\n${textOf([
    text(`${experiment.id} · ${experiment.title}`),
    text(experiment.asks),
    ...section(basisWords[experiment.basis].heading, tables(...experiment.published.map(publishedTable))),
    ...section('Measured here', tables(points)),
    ...record.ladders.map(({ variant, sign }) => text(`${label(variant)}: ${verdictText(sign.said)}`)),
    ...record.shape.map((rule) =>
      text(`${rule.agrees === true ? '✓' : rule.agrees === false ? '✗' : '?'} ${shapeWords(rule, experiment).sentence}`),
    ),
    text(`${sentenceWithTier(record)}. ${experimentSummary(record)}`),
    ...tables(successTable(record.success), stepsTable(record.steps)),
    ...list(notes.map((one) => note(one))),
    text(`Run ${runId}`),
  ])}`;
}

function rate({ throughput, figures, valid }: ExperimentPoint): string {
  if (figures.throughput == null) return '–';
  const half =
    throughput?.ciLow == null || throughput.ciHigh === null ? '' : ` ±${wholeNumber((throughput.ciHigh - throughput.ciLow) / 2)}`;
  return `${figure(figures.throughput)}${half}${valid ? '' : ' (discarded)'}`;
}

function verdict({ limit, valid, reasons }: ExperimentPoint): string {
  if (!valid) return reasons[0] === undefined ? 'discarded' : findingText(reasons[0]);
  return limit === null ? '–' : limit.replaceAll('-', ' ');
}
