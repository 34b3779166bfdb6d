import { type WeightUnit, weightPhrase } from '../../model/presentation/weightPhrase.ts';
import { type FunctionTable, measuredWaits } from '../../model/domain/callTree.ts';
import { type CauseGroup, groupParts, groupsOf } from './causeGroups.ts';
import type { Cause, Causes } from './causes.ts';
import { type FlameSentence, type SentencePart, measureOf, plain, shareText } from './sentenceParts.ts';

/** What the weights of a comparison are divided by. */
export type ComparedBy = 'request' | 'share' | 'raw';

/** One of two recordings. Both number functions alike. */
export interface ChangeSide {
  causes: Causes;
  /** By what its weights are multiplied to be comparable. */
  scale: number;
  /** Samples that make up its weight; null where not known. */
  samples: number | null;
}

export interface ChangeFacts {
  event: string;
  unit: WeightUnit;
  by: ComparedBy;
  functions: FunctionTable;
}

/** What a group weighs on both sides, made comparable. */
interface Change {
  group: CauseGroup;
  /** The side that has more of it; the sentence attributes the change to it. */
  side: ChangeSide;
  here: number;
  there: number;
}

/** Below this a total counts as the same. */
const sameWithin = 0.05;
/** A part is worth naming from this share of the larger total on. */
const worthNaming = 0.02;
/** So many standard errors apart are no accident of sampling. */
const sureErrors = 2;

/** What a recording has more of than the one that it is compared with, or less, and whose that is. */
export function changeSentence(here: ChangeSide, there: ChangeSide, facts: ChangeFacts): FlameSentence {
  const [total, before] = [here.causes.total * here.scale, there.causes.total * there.scale];
  const measure = measureOf(facts.event);
  if (!(total > 0) && !(before > 0))
    return { verdict: 'empty', headline: [plain(`Neither recording has anything of ${measure}`)], more: [], counts: '' };
  const changes = changesOf(here, there, facts.event).filter(
    (change) => Math.abs(change.here - change.there) >= worthNaming * Math.max(total, before) && isSure(change, here, there),
  );
  const counts = countsText(facts, total, before);
  if (facts.by === 'share') return shareSentence(changes, measure, counts, facts);
  const amount = (value: number): string => weightPhrase(value, facts.unit);
  const span = `(${amount(before)} → ${amount(total)})`;
  const head = facts.by === 'request' ? `Per request, ${measure}` : `${measure.charAt(0).toUpperCase()}${measure.slice(1)}`;
  const same = Math.abs(total - before) <= sameWithin * Math.max(total, before);
  const grew = total > before;
  // What follows explains what precedes: of a growth, what has grown.
  const fitting = changes.filter((change) => same || change.here > change.there === grew);
  const [first, ...others] = fitting;
  const change: SentencePart = { text: amount(Math.abs(total - before)), link: { kind: 'share' } };
  const headline = same
    ? [plain(`${head} is `), { text: 'about the same', link: { kind: 'share' } } satisfies SentencePart, plain(` ${span}`)]
    : [plain(`${head} ${grew ? 'grew' : 'fell'} by `), change, plain(` ${span}`)];
  if (first === undefined) {
    return { verdict: 'nothing', headline: [...headline, plain(', and no part of it stands out')], more: [], counts };
  }
  const more = others[0] === undefined ? [] : [plain('Then '), ...changeParts(others[0], facts, amount), plain('.')];
  return { verdict: 'dominant', headline: [...headline, plain(': '), ...changeParts(first, facts, amount)], more, counts };
}

function changeParts({ group, side, here, there }: Change, facts: ChangeFacts, amount: (value: number) => string): SentencePart[] {
  return [plain(`${amount(Math.abs(here - there))} ${here > there ? 'more' : 'less'} of it `), ...groupParts(group, side.causes, facts)];
}

function shareSentence(changes: readonly Change[], measure: string, counts: string, facts: ChangeFacts): FlameSentence {
  // Shares that are larger here make others smaller: what is larger comes first.
  const [first, second] = [...changes.filter(({ here, there }) => here > there), ...changes.filter(({ here, there }) => here <= there)];
  if (first === undefined)
    return {
      verdict: 'nothing',
      headline: [
        plain(`${measure.charAt(0).toUpperCase()}${measure.slice(1)} is shared out `),
        { text: 'about the same', link: { kind: 'share' } },
      ],
      more: [],
      counts,
    };
  const said = ({ group, side, here, there }: Change, start: string): SentencePart[] => [
    plain(`${start} ${here > there ? 'larger' : 'smaller'} share of ${measure} `),
    ...groupParts(group, side.causes, facts),
    plain(': '),
    { text: shareText(here), link: { kind: 'share' } },
    plain(`, in the other recording ${shareText(there)}`),
  ];
  const more = second === undefined ? [] : [...said(second, 'A'), plain('.')];
  return { verdict: 'dominant', headline: said(first, 'A'), more, counts };
}

/** The groups of both sides, the largest change first. */
function changesOf(here: ChangeSide, there: ChangeSide, event: string): Change[] {
  const changes = new Map<string, Change>();
  const take = (side: ChangeSide, which: 'here' | 'there'): void => {
    for (const group of groupsOf(side.causes, event)) {
      const key = keyOf(group, event);
      const known = changes.get(key);
      const weight = group.weight * side.scale;
      if (known === undefined) changes.set(key, { group, side, here: 0, there: 0, [which]: weight });
      else {
        known[which] = weight;
        if (weight > known.here) Object.assign(known, { group, side });
      }
    }
  };
  take(here, 'here');
  take(there, 'there');
  return [...changes.values()].sort((a, b) => Math.abs(b.here - b.there) - Math.abs(a.here - a.there));
}

function keyOf({ kind, causes }: CauseGroup, event: string): string {
  const [{ func, library }] = causes as [Cause];
  const alone = measuredWaits.has(event) || kind === 'code' || kind === 'otherWait';
  return alone ? `${kind} ${func} ${library}` : kind;
}

/** Whether a part differs by more than two samplings of the same would. */
function isSure({ here: ofHere, there: ofThere }: Change, here: ChangeSide, there: ChangeSide): boolean {
  const [one, other] = [errorOf(here, ofHere), errorOf(there, ofThere)];
  if (one === null || other === null) return true;
  return Math.abs(ofHere - ofThere) > sureErrors * Math.hypot(one, other);
}

/** The standard error of a part of a side, as its samples were drawn; null where their number is not known. */
function errorOf({ causes, scale, samples }: ChangeSide, weight: number): number | null {
  if (samples === null) return null;
  const total = causes.total * scale;
  if (samples === 0 || !(total > 0)) return 0;
  const share = Math.min(1, weight / total);
  // Of what was not seen at all, one sample may have been missed.
  return total * Math.sqrt(Math.max(share * (1 - share), 1 / samples) / samples);
}

function countsText({ event, unit, by }: ChangeFacts, total: number, before: number): string {
  if (by === 'share') return `Shares of ${measureOf(event)} in each recording by itself: how many requests each served is not known.`;
  const per = by === 'request' ? ' per request' : '';
  return `${weightPhrase(total, unit)}${per} in this recording, ${weightPhrase(before, unit)}${per} in the other. Threads without work are not counted.`;
}
