import { type Advice, type AdviceChange, type Together, type Tried, isUseful, savingsOf } from '../../domain/advice.ts';
import type { Failure } from '../../domain/failure.ts';
import { headlineOf } from '../../domain/diagnosis.ts';
import { compacted } from '../../domain/plainText.ts';
import { adviceGroups } from '../../domain/adviceRecord.ts';
import {
  bracketedRange,
  bytesPhrase,
  changePhrase,
  changeRange,
  durationPhrase,
  figure,
  listPhrase,
  noFigure,
  spanPhrase,
  wholeNumber,
} from '../../domain/format.ts';
import type { ForestLine } from '../forest.ts';
import { withinPhrase } from '../../domain/margin.ts';
import { type Table, figureColumn, wordCell, wordColumn } from '../table.ts';
import { variantCostWords } from '../../domain/variantNoteKinds.ts';
import { type Item, type Part, list, note, section, tables, text } from './document.ts';

/** What would help, as a document: the answer, what was tried in the order of its effect, how to have what helps, and what did nothing. */
export function adviceDocument(advice: Advice): Part[] {
  const { tried, together, delta, verdict, throughput, targetLabel, notTried, spentS, budgetS, runs } = advice;
  const { helps, cheaper, slower, nothing } = adviceGroups(advice);
  return [
    { kind: 'heading', text: `What would help: ${targetLabel}` },
    text(adviceHeadline(advice)),
    ...(verdict === null
      ? []
      : [text(`Now: ${headlineOf(verdict)}${throughput === null ? '' : ` (${wholeNumber(throughput)} requests/s)`}`)]),
    ...section('What helps', tables(effectTable(helps, together))),
    ...section('The same, but cheaper', tables(effectTable(cheaper, null))),
    ...section('Tried, in the order of effect', forest(tried, together, delta)),
    ...section('How to have it (nothing was applied)', [
      ...list([...helps, ...cheaper].flatMap(applied)),
      ...sqlLines([...helps, ...cheaper]),
    ]),
    ...section('What makes it slower', tables(effectTable(slower, null))),
    ...section('What did nothing, or was not proven to', tables(effectTable(nothing, null))),
    ...section('Not measured', list(notTriedItems(notTried)), { fold: true }),
    ...section(
      'Measured in',
      list([
        note(
          `${spanPhrase(spentS)} of a budget of ${spanPhrase(budgetS)}; runs ${runs.map(({ stage, id }) => `${id} (${stage})`).join(', ')}`,
        ),
      ]),
      { fold: true },
    ),
  ];
}

/** The answer in a sentence or two. */
export function adviceHeadline(advice: Pick<Advice, 'tried' | 'together' | 'delta' | 'notTried'>): string {
  return [helpSentence(advice), ...cheaperSentences(advice)].join(' ');
}

/** What gives the same for less, in a sentence each. */
export function cheaperSentences({ tried, delta }: Pick<Advice, 'tried' | 'delta'>): string[] {
  return adviceGroups({ tried }).cheaper.map(
    (one) => `${one.id} gives the same within ${withinPhrase(delta)} for less: ${savingsPhrase(one)}.`,
  );
}

export function helpSentence({ tried, together, delta, notTried }: Pick<Advice, 'tried' | 'together' | 'delta' | 'notTried'>): string {
  const { helps: useful } = adviceGroups({ tried });
  const [best] = useful;
  if (tried.length === 0) return notTried.length === 0 ? 'Nothing was found that could be tried.' : 'Nothing was measured.';
  if (best === undefined) return `Nothing that was tried helps: of ${changes(tried.length)} none has more throughput beyond chance.`;
  const first = `${best.id} helps most: ${change(best)} throughput.`;
  const rest =
    useful.length === 1
      ? `Nothing else of ${changes(tried.length)} does.`
      : `So ${useful.length === 2 ? 'does' : 'do'} ${listPhrase(useful.slice(1).map(({ id }) => id))}.`;
  return [first, rest, ...(together === null ? [] : [togetherPhrase(together, delta)])].join(' ');
}

export function changes(count: number): string {
  return count === 0 ? 'no changes' : count === 1 ? 'one change' : `${count} changes`;
}

function change({ ratio }: Pick<Tried, 'ratio'>): string {
  if (ratio === null) return noFigure;
  return `${changePhrase(ratio.mean)}${bracketedRange(ratio)}`;
}

/** “connections 10 → 4”, of what a change saves. */
export function savingsPhrase(tried: Pick<Tried, 'costs'>): string {
  return savingsOf(tried).map(costWords).join(', ');
}

function costWords({ id, base, other }: Tried['costs'][number]): string {
  const { name, say } = variantCostWords[id];
  return `${name} ${say(base)} → ${say(other)}`;
}

/** What all of it at once brings over the best alone. */
function togetherPhrase({ ids, ratio, overBest, verdict }: Together, delta: number): string {
  const all = `Together (${listPhrase(ids)}): ${change({ ratio })} throughput`;
  if (verdict !== 'better') return `${all}, which is not proven to be more than what is.`;
  const words = {
    better: ', more than the best alone.',
    worse: ', less than the best alone.',
    same: `, the same as the best alone within ${withinPhrase(delta)}.`,
    unknown: '; not distinguished from the best alone.',
  };
  return `${all}${words[overBest?.verdict ?? 'unknown']}`;
}

function forest(tried: readonly Tried[], together: Together | null, delta: number): Part[] {
  const line = ({ ratio, verdict }: Pick<Tried, 'ratio' | 'verdict'>, name: string): ForestLine => ({ name, ratio, verdict });
  const lines = [...(together === null ? [] : [line(together, 'together')]), ...tried.map((one) => line(one, one.id))];
  return lines.some(({ ratio }) => ratio !== null) ? [{ kind: 'forest', lines, delta }] : [];
}

const said: Readonly<Record<Tried['verdict'], string>> = {
  better: 'helps',
  worse: 'makes it slower',
  same: 'the same',
  unknown: 'not distinguished',
};

function effectTable(tried: readonly Tried[], together: Together | null): Table {
  const rows = [
    ...tried.map((one) => ({ ...one, name: one.id })),
    ...(together === null ? [] : [{ ...together, name: 'together', index: null }]),
  ];
  return {
    columns: [
      wordColumn('change', 'Change'),
      figureColumn('throughput', 'Throughput'),
      figureColumn('interval', '95 %', true),
      wordColumn('answer', 'Answer'),
      wordColumn('cost', 'Cost'),
    ],
    rows: rows.map((one) => ({
      key: one.name,
      target: null,
      valid: one.ratio !== null,
      reasons: [],
      mark: isUseful(one) ? 'recommended' : null,
      cells: [
        wordCell(one.name),
        { text: one.ratio === null ? noFigure : changePhrase(one.ratio.mean), sort: one.ratio?.mean ?? null },
        wordCell(one.ratio === null ? '' : changeRange(one.ratio)),
        wordCell(answerPhrase(one)),
        wordCell(costPhrase(one)),
      ],
    })),
  };
}

/** What was found of a change, in a word or two. */
export function answerPhrase({ answersDiffer, stage, verdict }: Pick<Tried, 'answersDiffer' | 'stage' | 'verdict'>): string {
  if (answersDiffer) return 'answers otherwise';
  if (stage === 'measured') return said[verdict];
  return `${verdict === 'better' ? 'ahead' : said[verdict]} (screened only)`;
}

/** Costs of what helps: an index its room and its time, and what differs beyond chance; memory as it was seen. */
export function costPhrase({
  costs,
  walBytes,
  statementMs,
  index,
}: Pick<Tried, 'costs' | 'walBytes' | 'statementMs'> & Pick<AdviceChange, 'index'>): string {
  const shown = costs.filter(({ id, verdict }) => verdict === 'better' || verdict === 'worse' || (id === 'memory' && verdict !== 'same'));
  return [
    ...(index === null ? [] : [`${bytesPhrase(index.bytes)} on disk, made in ${durationPhrase(index.buildMs)}`]),
    ...(statementMs === null ? [] : [`its statement ${figure(statementMs[0])} → ${figure(statementMs[1])} ms`]),
    ...(walBytes === null ? [] : [`written ahead per request ${bytesPhrase(walBytes[0])} → ${bytesPhrase(walBytes[1])}`]),
    ...shown.map((cost) => `${costWords(cost)}${cost.verdict === 'unknown' ? ' (not distinguished)' : ''}`),
  ].join('; ');
}

const places = { environment: 'environment', 'benchside.json': 'benchside.json', 'command line': 'command line', code: 'code' } as const;

function applied({ id, apply, statement }: Tried): Item[] {
  const lines = apply.flatMap(({ where, text }) => (where === 'sql' ? [] : [`${places[where]}: ${text}`]));
  const why = statement === null ? [] : [`for ${statement.replaceAll(/\s+/g, ' ').slice(0, longestStatement)}`];
  return [...lines, ...why].map((text): Item => ({ look: 'note', about: id, text }));
}

const longestStatement = 160;

/** SQL as it can be put into a migration. */
function sqlLines(useful: readonly Tried[]): Part[] {
  const lines = useful.flatMap(({ apply }) => apply.flatMap(({ where, text }) => (where === 'sql' ? [text] : [])));
  return lines.length === 0 ? [] : [{ kind: 'lines', lines }];
}

/** Characters of a printed line. */
const longestOutput = 200;

const whyNot: Readonly<Record<Advice['notTried'][number]['why'], string>> = {
  planner: 'PostgreSQL would not use it for the heaviest statements',
  limit: 'more was found than is tried at once',
  time: 'the budget was spent',
  start: 'the service does not start with it',
  failed: 'it could not be measured',
  cancelled: 'the search was cancelled',
};

/** What was not measured, by why. */
export function notTriedItems(notTried: Advice['notTried']): Item[] {
  return (Object.keys(whyNot) as (keyof typeof whyNot)[]).flatMap((why) => {
    const own = notTried.filter((one) => one.why === why);
    const ids = own.flatMap(({ id, failure }) => (failure === undefined ? [id] : []));
    const failing = own.flatMap(({ id, failure }) => (failure === undefined ? [] : [note(`${id}: ${whyNot[why]}. ${outputOf(failure)}`)]));
    return [...(ids.length === 0 ? [] : [note(`${listPhrase(ids)}: ${whyNot[why]}`)]), ...failing];
  });
}

/** What failed, with the last line of what the process printed. */
function outputOf({ message, detail }: Failure): string {
  const printed = (detail ?? '').trimEnd().split('\n').at(-1) ?? '';
  return printed === '' ? message : `${message} ${compacted(printed, longestOutput)}`;
}
