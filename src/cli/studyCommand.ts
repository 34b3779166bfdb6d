import { findingText, findingTexts } from '../model/findings.ts';
import { tierOfStudy, tierWords } from '../model/answerTier.ts';
import { defaultDelta } from '../model/margin.ts';
import { basisWords, studySentence } from '../model/studyTables.ts';
import { durationPhrase, figure, wholeNumber } from '../model/format.ts';
import { noteTexts } from '../model/runNotes.ts';
import type { ListedStudy, StudyPoint, StudyRecord, StudyRequest } from '../model/study.ts';
import type { EngineClient } from '../engine/rpc/engineClient.ts';
import { figureLabel, figureText } from '../engine/strategies/study/shape.ts';
import { measure } from './measure.ts';
import { judgeFailures, runFailures } from './runFailures.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './textTable.ts';

/** The published experiments as lines for people. */
export function studyLines(studies: readonly ListedStudy[]): string[] {
  return studies.flatMap((study) => [
    `${study.id.padEnd(4)}${study.title} (about ${durationPhrase(study.shortS * 1000)}; in full ${durationPhrase(study.fullS * 1000)})`,
    `    ${study.asks}`,
    ...study.missing.map(({ message, cure }) => `    ✗ ${message} ${cure}`),
  ]);
}

/** Ids of the published experiments that a name means: `C1`, or `C` for all of that publication; none when it is no such name. */
export async function studyIds(name: string, engine: EngineClient): Promise<ListedStudy[]> {
  if (!/^[a-z]\d?$/i.test(name)) return [];
  const { studies } = await engine.request('studies/list', {});
  return studies.filter(({ id }) => id === name.toUpperCase() || (name.length === 1 && id.startsWith(name.toUpperCase())));
}

/** Repeats published experiments, one after the other. One whose needs are missing says so, and the rest still run. */
export async function repeatStudies(
  studies: readonly ListedStudy[],
  { full, soakS, keep, json }: { full: boolean; soakS: number | null; keep: Pick<StudyRequest, 'raw' | 'record'>; json: boolean },
  engine: EngineClient,
  terminal: Terminal,
): Promise<number> {
  const done: object[] = [];
  let failed = false;
  for (const listed of studies) {
    if (listed.missing.length > 0) {
      failed = true;
      for (const { message, cure } of listed.missing) terminal.tell(`${listed.id} is not run. ${message} ${cure}`);
      done.push({ id: listed.id, title: listed.title, missing: listed.missing });
      continue;
    }
    terminal.tell(`${listed.id} · ${listed.title}`);
    const { record, outcome } = await measure(engine, terminal, () =>
      engine.request('study/start', { id: listed.id, form: full ? 'full' : 'short', ...(soakS === null ? {} : { soakS }), ...keep }),
    );
    if (outcome !== 'complete' || judgeFailures(runFailures(record), terminal.tell) > 0) failed = true;
    const { study } = record;
    if (study === null) continue;
    const notes = noteTexts(record.notes);
    done.push(studyDocument(record.id, study, notes));
    if (!json) terminal.print(studyText(record.id, study, notes));
    if (outcome !== 'complete') break;
  }
  if (json) terminal.json({ studies: done });
  return failed ? 1 : 0;
}

/** What `--json` gives of one: each step with its settings, users, requests/s, ms and verdict. */
function studyDocument(runId: string, record: StudyRecord, notes: readonly string[]): object {
  return {
    id: record.study.id,
    title: record.study.title,
    run: runId,
    form: record.form,
    agrees: record.agrees,
    summary: record.summary,
    steps: record.points.map((point) => ({
      arm: point.arm,
      settings: record.study.arms.find(({ name }) => name === point.arm)?.settings ?? {},
      users: point.level,
      requestsPerS: point.figures.throughput ?? null,
      meanMs: point.figures.meanMs ?? null,
      p99Ms: point.figures.p99Ms ?? null,
      figures: point.figures,
      valid: point.valid,
      reasons: findingTexts(point.reasons),
      verdict: point.limit,
      verdictSentence: point.limitSentence,
    })),
    ladders: record.ladders.map(({ arm, sign }) => ({ arm, sign: sign.sign, sentence: sign.sentence, knee: sign.knee })),
    shape: record.shape,
    success: record.success,
    roles: record.steps,
    published: record.study.published,
    notes,
  };
}

/** A study as the terminal shows it: published above, measured below, and whether the shapes agree. */
function studyText(runId: string, record: StudyRecord, notes: readonly string[]): string {
  const { study } = record;
  const label = (arm: string): string => study.arms.find(({ name }) => name === arm)?.label ?? arm;
  const published = study.published.flatMap(({ caption, columns, rows }) => [
    `${basisWords[study.basis].heading}: ${caption}`,
    textTable({
      columns: columns.map((title) => ({ title, numeric: false })),
      rows: rows.map((cells) => ({ cells: cells.map(String) })),
    }),
    '',
  ]);
  const main = study.figure === 'throughput' ? [] : [figureLabel(study.figure)];
  const columns = ['Arm', 'Users', 'Requests/s', 'Mean ms', 'p99 ms', ...main, 'Verdict'].map((title, index) => ({
    title,
    numeric: index > 0 && index < 5 + main.length,
  }));
  const rows = record.points.map((point) => ({
    cells: [
      label(point.arm),
      String(point.level),
      rate(point),
      number(point.figures.meanMs),
      number(point.figures.p99Ms),
      ...main.map(() => mainFigure(record, point)),
      verdict(point),
    ],
  }));
  return [
    '',
    `${study.id} · ${study.title}`,
    study.asks,
    '',
    ...published,
    'Measured here',
    textTable({ columns, rows }),
    '',
    ...record.ladders.map(({ arm, sign }) => `${label(arm)}: ${sign.sentence}`),
    ...record.shape.map(({ agrees, sentence }) => `${agrees === true ? '✓' : agrees === false ? '✗' : '?'} ${sentence}`),
    `${studySentence(record, defaultDelta)} (${tierWords[tierOfStudy(record, defaultDelta)].toLowerCase()}). ${record.summary}`,
    ...record.success.map(
      (row) =>
        `· ${row.what}: ${row.before} → ${row.after} (${row.change}): ${row.word}${row.welchP === null ? '' : `; Welch p = ${row.welchP.toPrecision(2)}`}${row.interval === null ? '' : `; ${row.interval}`}`,
    ),
    ...notes.map((note) => `· ${note}`),
    `Run ${runId}`,
  ].join('\n');
}

function rate({ throughput, figures, valid }: StudyPoint): string {
  if (figures.throughput == null) return '–';
  const half =
    throughput?.ciLow == null || throughput.ciHigh === null ? '' : ` ±${wholeNumber((throughput.ciHigh - throughput.ciLow) / 2)}`;
  return `${figure(figures.throughput)}${half}${valid ? '' : ' (void)'}`;
}

function mainFigure({ study }: StudyRecord, { figures }: StudyPoint): string {
  const value = figures[study.figure];
  return value == null ? '–' : figureText(study.figure, value);
}

function number(value: number | null | undefined): string {
  return value == null ? '–' : figure(value);
}

function verdict({ limit, valid, reasons }: StudyPoint): string {
  if (!valid) return reasons[0] === undefined ? 'void' : findingText(reasons[0]);
  return limit === null ? '–' : limit.replaceAll('-', ' ');
}
