import { bytesPhrase, listPhrase, spanPhrase, wholeNumber } from '../../domain/format.ts';
import type { LeakDoubt, LeakNote, LeakReport, LeakStack } from '../../domain/leak.ts';
import { plainTable, titledColumns } from '../table.ts';
import { type Item, type Part, list, note, quiet, section, tables, text } from './document.ts';

/** Whether a target leaks, as a document: the answer, what grows and what holds it, where it was allocated, and the cycles. */
export function leakDocument(report: LeakReport): Part[] {
  const { targetLabel, load, cycles, settling, classes, holders, stacks, notes, spentS, budgetS } = report;
  const route = load.route === null ? '' : `, ${load.route}`;
  return [
    { kind: 'heading', text: `Does it leak? ${targetLabel}` },
    text(leakHeadline(report)),
    ...section('What grows', tables(classTable(report, classes))),
    ...section(
      'What holds it',
      list(
        holders.map(({ kind, name, objects, bytes }) =>
          note(`${kind}${name === null ? '' : ` “${name}”`}: ${wholeNumber(objects)} new objects hang on it, ${bytesPhrase(bytes)}`),
        ),
      ),
    ),
    ...section('Where it was allocated', stackLines(stacks)),
    ...section('Cycles of load, rest and full collection', tables(cycleTable(report)), { fold: true }),
    ...section('Notes', list([...notes.map((what) => noteItem(what, report)), ...jvmNotes(report)])),
    quiet(
      `${wholeNumber(cycles.at(-1)?.requests ?? 0)} requests in ${cycles.length} cycles with ${load.connections} connections (${load.name}${route}); the first ${settling} do not count. ${spanPhrase(spentS)} of a budget of ${spanPhrase(budgetS)}.`,
    ),
  ];
}

/** The answer in two sentences. */
export function leakHeadline({ verdict, kept, smallest, doubt, confidence }: LeakReport): string {
  const below = `${wholeNumber(smallest)} bytes per request`;
  const sure = `${Math.round(100 * confidence)} %`;
  const perThousand = (bytes: number): string => bytesText(1000 * bytes);
  if (kept === null) return `That cannot be told yet: there were too few cycles. A larger --budget has more.`;
  const range = `${perThousand(kept.mean)} (${sure}: ${perThousand(kept.low)} to ${perThousand(kept.high)})`;
  switch (verdict) {
    case 'leaks':
      return `It leaks: each 1,000 requests leave ${range} that a full collection does not free, to the end. A cache whose bound is not reached by then looks the same.`;
    case 'does-not-leak':
      return `It does not leak: it keeps less than ${below}; of 1,000 requests ${range}.`;
    case 'undecided':
      return `That cannot be told yet: ${range} are left of 1,000 requests, and ${doubtWords[doubt ?? 'interval'](below)}`;
  }
}

const doubtWords: Readonly<Record<LeakDoubt, (below: string) => string>> = {
  'few-cycles': () => 'there were too few cycles. A larger --budget has more.',
  interval: (below) => `that is neither surely above nor surely below ${below}. A larger --budget makes it narrower.`,
  'levels-off': () => 'it grows less from cycle to cycle, as a cache does that fills. A larger --budget shows whether it comes to a level.',
};

/** Bytes that may be fewer than before. */
function bytesText(bytes: number): string {
  return `${bytes < 0 ? '−' : ''}${bytesPhrase(Math.abs(bytes))}`;
}

function classTable({ runtime }: LeakReport, classes: LeakReport['classes']) {
  return plainTable(
    titledColumns([runtime === 'jvm' ? 'Class' : 'Constructor', 'More after each cycle', 'Bytes'], 1, 2),
    classes.map(({ name, perCycle, bytes }) => [name, growthWords(perCycle), bytesPhrase(bytes)]),
  );
}

/** All of some cycles, the ends of more. */
function growthWords(perCycle: readonly number[]): string {
  if (perCycle.length <= 4) return perCycle.map(wholeNumber).join(', ');
  return `${wholeNumber(Math.min(...perCycle))} to ${wholeNumber(Math.max(...perCycle))}, ${perCycle.length} times`;
}

function stackLines(stacks: readonly LeakStack[]): Part[] {
  if (stacks.length === 0) return [];
  const lines = stacks.flatMap(({ bytes, frames }) => [
    `about ${bytesPhrase(bytes)}`,
    ...frames.map(({ name, file, line }) => `  ${name}${file === '' ? '' : ` (${file}${line === 0 ? '' : `:${line}`})`}`),
  ]);
  return [{ kind: 'lines', lines }];
}

function cycleTable({ cycles, settling }: LeakReport) {
  return plainTable(
    titledColumns(['Cycle', 'Requests so far', 'In use', 'More'], 1, 3),
    cycles.map(({ requests, keptBytes }, index) => {
      const before = cycles[index - 1]?.keptBytes;
      return [
        `${index + 1}${index < settling ? ' (does not count)' : ''}`,
        wholeNumber(requests),
        bytesPhrase(keptBytes),
        before === undefined ? '' : bytesText(keptBytes - before),
      ];
    }),
  );
}

const noteWords: Readonly<Record<LeakNote, string>> = {
  errors: 'some requests were answered with an error: what is kept may be of these',
  'heap-too-large': 'the heap is too large for snapshots: what grows is not named',
  'no-stacks': 'no profiler could be loaded: where it was allocated is not known',
  'no-census': 'the snapshots could not be read in time: what grows is not named',
  time: 'no time was left to look for what grows: a larger --budget has it',
};

function noteItem(what: LeakNote, { cycles }: LeakReport): Item {
  const errors = cycles.at(-1)?.errors ?? 0;
  return note(what === 'errors' ? `${wholeNumber(errors)} requests failed; ${noteWords.errors}` : noteWords[what]);
}

/** What the figures are not of. */
function jvmNotes({ runtime, verdict }: LeakReport): Item[] {
  if (runtime !== 'jvm' || verdict === 'leaks') return [];
  return [note(`counted are objects on the heap; ${listPhrase(['direct buffers', 'native memory', 'threads'])} are not`)];
}
