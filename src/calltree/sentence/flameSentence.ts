import type { FunctionTable } from '../../model/domain/callTree.ts';
import { wholeNumber } from '../../model/domain/format.ts';
import { type WeightUnit, weightPhrase } from '../../model/presentation/weightPhrase.ts';
import { type CauseGroup, groupParts, groupsOf, waitsInOf } from './causeGroups.ts';
import type { Cause, Causes } from './causes.ts';
import { type FlameSentence, type SentencePart, measureOf, placeParts, plain, predicateOf, shareText } from './sentenceParts.ts';

/** What is known of the weight that a sentence is about. */
export interface SentenceFacts {
  /** The event's name. */
  event: string;
  unit: WeightUnit;
  functions: FunctionTable;
  /** Requests served during the recording; null where not known, or where only a part of the time is shown. */
  requests: number | null;
  /** Samples that make up the weight; null where not known. */
  samples: number | null;
  /** Weight left out because it is idle. */
  hiddenIdle: number;
  /** Filters or transforms leave something out. */
  partial: boolean;
}

/** A part this large is what a person would name first. */
const dominantShare = 0.25;
/** Shares of fewer samples say little. */
const fewSamples = 20;
/** The smallest share that the sentences after the headline mention. */
const worthNaming = 0.01;
const namedAfter = 2;
/** What dominates a flame graph and whose it is, in a sentence; where nothing does, that. */
export function flameSentence(causes: Causes, facts: SentenceFacts): FlameSentence {
  const groups = groupsOf(causes, facts.event);
  const [first] = groups;
  if (first === undefined) return emptySentence(facts);
  const { samples } = facts;
  const share = first.weight / causes.total;
  const few = samples !== null && samples < fewSamples;
  const verdict = few ? 'few' : share >= dominantShare ? 'dominant' : 'nothing';
  const measure = `${measureOf(facts.event)}${facts.partial ? ' on show' : ''}`;
  const shareLink: SentencePart = { text: share <= 0.9995 ? shareText(share) : verdict === 'few' ? 'all' : 'All', link: { kind: 'share' } };
  const before = {
    nothing: [plain(`Nothing dominates ${measure}: the largest part, `)],
    few: [plain(`Only ${samples} ${samples === 1 ? 'sample' : 'samples'}, too few to tell: `)],
    dominant: [],
  }[verdict];
  const after = plain(verdict === 'nothing' ? ', ' : ` of ${measure} `);
  const headline = [...before, shareLink, after, ...groupParts(first, causes, facts)];
  return { verdict, headline, more: moreParts(groups.slice(1), causes, facts), counts: countsText(first, causes, facts) };
}

function moreParts(groups: readonly CauseGroup[], causes: Causes, facts: SentenceFacts): SentencePart[] {
  const named = groups.filter(({ weight }) => weight >= worthNaming * causes.total).slice(0, namedAfter);
  if (named.length === 0) return [];
  const parts: SentencePart[] = [plain('Then ')];
  for (const [index, { kind, weight, causes: members }] of named.entries()) {
    const [top] = members as [Cause];
    if (index > 0) parts.push(plain('; '));
    parts.push(plain(`${shareText(weight / causes.total)} `));
    if (top.func < 0) parts.push(...groupParts({ kind, weight, causes: members }, causes, facts));
    else {
      const { functions, event } = facts;
      const details = causes.detailsOf(top);
      const { does, by } = predicateOf(event, kind, waitsInOf(kind, functions, details));
      parts.push(plain(`${does}${by}`), ...placeParts(functions, { func: top.func, line: details.line }));
    }
  }
  return [...parts, plain('.')];
}

function countsText({ weight }: CauseGroup, { total }: Causes, { event, unit, requests, samples, hiddenIdle }: SentenceFacts): string {
  const share = `${((weight / total) * 100).toFixed(1)} %`;
  const whole = `${share} are ${weightPhrase(weight, unit)} of ${weightPhrase(total, unit)}`;
  const sampled = samples === null ? '' : `, by ${wholeNumber(samples)} samples`;
  const each =
    requests === null || requests <= 0
      ? ''
      : ` That is ${weightPhrase(weight / requests, unit)} of each of ${wholeNumber(requests)} requests.`;
  const idle = hiddenIdle > 0 ? ` ${weightPhrase(hiddenIdle, unit)} of threads without work are not counted.` : '';
  const threads = event === 'wall' ? ' Threads that wait or run at the same time all count.' : '';
  return `${whole}${sampled}.${each}${threads}${idle}`;
}

function emptySentence({ event, unit, hiddenIdle, partial }: SentenceFacts): FlameSentence {
  const headline =
    hiddenIdle > 0
      ? `All threads were without work: nothing of ${measureOf(event)} is left to show`
      : partial
        ? `Nothing of ${measureOf(event)} is left to show`
        : `Nothing was recorded of ${measureOf(event)}`;
  const counts = hiddenIdle > 0 ? `${weightPhrase(hiddenIdle, unit)} of threads without work are not counted.` : '';
  return { verdict: 'empty', headline: [plain(headline)], more: [], counts };
}
