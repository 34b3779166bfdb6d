import {
  bracketedRange,
  bytesPhrase,
  changePhrase,
  durationPhrase,
  figure,
  percentPhrase,
  spanPhrase,
  wholeNumber,
} from '../../domain/format.ts';
import type { Archive, StartVariant, StartTime, StartupNote, StartupReport, StartWay, SteadyLoad } from '../../domain/startup.ts';
import { type Table, plainTable, titledColumns } from '../table.ts';
import { type Item, type Part, list, note, quiet, section, tables, text } from './document.ts';

/** What a start takes, as a document: the answer, the times, where they go, and how to be ready sooner. */
export function startupDocument(report: StartupReport): Part[] {
  const { targetLabel, variants, archive, parts, partsBy, notes, spentS, route } = report;
  const starts = variants.reduce((sum, variant) => sum + variant.starts.length, 0);
  return [
    { kind: 'heading', text: `What the start takes: ${targetLabel}` },
    text(startupHeadline(report)),
    ...section('Times (mean and 95 %)', tables(timeTable(variants))),
    ...section('Until it is warm (one more start of each, put under its load at once)', tables(steadyTable(variants))),
    ...section(partsBy === null ? '' : partsTitles[partsBy], tables(partTable(report))),
    ...(archive === null ? [] : section('How to have it (nothing was applied)', list(archiveItems(archive)))),
    ...section('Notes', list(notes.map((what) => note(noteWords[what])))),
    quiet(
      `${starts} starts in turn counted${parts.length === 0 ? '' : ', and one more that was looked into'}${route === null ? '' : `; the first request was ${route}`}. ${spanPhrase(spentS)}.`,
    ),
  ];
}

/** The answer in a sentence or two. */
export function startupHeadline({ variants, archive, parts }: StartupReport): string {
  const [variant] = variants;
  const ready = variant?.ready == null ? 'It started, and too seldom for an interval' : `It is ready after ${timeWords(variant.ready)}`;
  const answer = variant?.firstAnswer == null ? '' : `, and has given its first answer after ${timeWords(variant.firstAnswer)}`;
  const [most] = parts;
  const goes = most === undefined ? '' : ` Most of it goes to ${most.name}: ${percentPhrase(100 * most.share)}.`;
  return `${ready}${answer}.${warmSentence(variant?.steady ?? null)}${goes}${archive === null ? '' : ` ${archiveSentence(archive)}`}`;
}

function warmSentence(steady: SteadyLoad | null): string {
  if (steady === null) return '';
  const { afterMs, watchedMs, connections, settledUs, firstUs } = steady;
  const less = `a request takes ${percentPhrase(100 * (1 - settledUs / firstUs))} less CPU than in the first second`;
  const load = `under ${connections} connections`;
  return afterMs === null
    ? ` It is not warm after ${durationPhrase(watchedMs)} ${load}.`
    : ` It is warm after ${durationPhrase(afterMs)} ${load}${settledUs < firstUs ? `: ${less}` : ''}.`;
}

export const wayWords: Readonly<Record<StartWay, string>> = {
  'as-is': 'as it is',
  'class-archive': 'with an archive of its classes',
  'aot-cache': 'with an AOT cache',
};

function archiveSentence({ way, ratio, verdict }: Archive): string {
  const interval = bracketedRange(ratio);
  const name = wayWords[way].replace(/^with/, 'With');
  const change = `${changePhrase(ratio.mean)} time${interval}`;
  const words = {
    better: `${name} it is ready sooner: ${change}.`,
    worse: `${name} it is ready later: ${change}.`,
    same: `${name} it takes the same time${interval}.`,
    unknown: `Whether it is sooner ${wayWords[way]} cannot be told yet: ${change}; more --starts tell.`,
  };
  return words[verdict];
}

function timeWords({ mean, low, high }: StartTime): string {
  return `${durationPhrase(mean)} (${durationPhrase(low)} to ${durationPhrase(high)})`;
}

function timeTable(variants: readonly StartVariant[]): Table {
  const words = (time: StartTime | null): string => (time === null ? '' : timeWords(time));
  return plainTable(
    titledColumns(['Start', 'Ready', 'First answer', 'The first request took', 'A later one'], 1, 4),
    variants.map(({ way, ready, firstAnswer, firstTook, laterTook }) => [
      wayWords[way],
      words(ready),
      words(firstAnswer),
      words(firstTook),
      words(laterTook),
    ]),
  );
}

/** What came of the load after the start; no row for what was not looked for. */
function steadyTable(variants: readonly StartVariant[]): Table {
  return plainTable(
    titledColumns(['Start', 'Warm after', 'CPU per request at first', 'In the end', 'Change'], 1, 4),
    variants.flatMap(({ way, steady }) => {
      if (steady === null) return [];
      const { afterMs, watchedMs, firstUs, settledUs } = steady;
      return [
        [
          wayWords[way],
          afterMs === null ? `not within ${durationPhrase(watchedMs)}` : durationPhrase(afterMs),
          `${figure(firstUs)} µs`,
          `${figure(settledUs)} µs`,
          changePhrase(settledUs / firstUs),
        ],
      ];
    }),
  );
}

const partsTitles: Readonly<Record<NonNullable<StartupReport['partsBy']>, string>> = {
  'cpu-profile': 'Where the time goes (a profile of one more start, by package)',
  'class-loading': 'Where the time goes (one more start: from each class that was loaded to the next, by where it came from)',
};

function partTable({ parts, partsBy }: StartupReport): Table {
  const isJvm = partsBy === 'class-loading';
  return plainTable(
    titledColumns(['Part', 'Time', 'Share', ...(isJvm ? ['Classes'] : [])], 1),
    parts.map(({ name, ms, share, classes }) => [
      name,
      durationPhrase(ms),
      percentPhrase(100 * share),
      ...(isJvm ? [classes === null ? '' : wholeNumber(classes)] : []),
    ]),
  );
}

function archiveItems({ options, bytes, madeS }: Archive): Item[] {
  return [
    note(
      `make it once, by a start with ${options.make.join(' ')} and a polite end: ${durationPhrase(1000 * madeS)}, ${bytesPhrase(bytes)}`,
    ),
    note(`start with ${options.use.join(' ')}; it has to be made again with every new build and JDK`),
  ];
}

const noteWords: Readonly<Record<StartupNote, string>> = {
  'no-answer': 'no route may be asked for by itself (a GET that is not excluded by "askFirst"): the first answer is not measured',
  'no-parts': 'where the time goes could not be seen',
  'no-archive': 'the JVM left no archive of its classes when it ended',
  'not-java': 'it is not started by java itself: an archive of its classes was not tried',
  'archive-declared': 'its command says already how classes are shared: that was left as it is',
  'old-jdk': 'its JDK keeps no classes of an app from one start to the next: that takes Java 13',
};
