import type { CallTree } from '../../model/domain/callTree.ts';
import { placePhrase } from '../shownNames.ts';
import { sourceFileOf } from '../sourceFile.ts';
import { functionLines } from '../functionLines.ts';
import { type CauseGroup, groupsOf } from './causeGroups.ts';
import { type Causes, causesOf } from './causes.ts';
import { calleeText, functionText } from './sentenceParts.ts';
import { busySource } from './treeSentence.ts';

/** A part of an event's weight that a person would name. */
export interface HeavyPart {
  /** `code`: of a function of the app; `library`: below none of them; `wait`: what waiting itself costs. */
  kind: 'code' | 'library' | 'gc' | 'jit' | 'wait';
  /** Of the event's weight without idle threads, 0 … 1. */
  share: number;
  /** The function or the library; '' where the part has none. */
  name: string;
  /** The function's heaviest line, `Main.java:57`, or its declaration; '' where not known. */
  place: string;
  /** What the function calls, where most of its weight is there; '' elsewhere. */
  callee: string;
}

/** Where most of an event's weight is, the heaviest part first: at most `most` parts that weigh `least` of it each. Empty where the recording has no such event. */
export function heaviestParts(tree: CallTree, event: string, { most, least }: { most: number; least: number }): HeavyPart[] {
  const column = tree.events.find(({ name }) => name === event);
  if (column === undefined) return [];
  const causes = causesOf(busySource(tree, column).source);
  const ticked = functionLines(tree, column).hottest;
  return groupsOf(causes, event)
    .map((group) => partOf(tree, causes, group, ticked))
    .filter(({ share, kind, name }) => share >= least && (name !== '' || kind !== 'library'))
    .slice(0, most);
}

function partOf({ functions }: CallTree, causes: Causes, { kind, weight, causes: members }: CauseGroup, ticked: Int32Array): HeavyPart {
  const [top] = members;
  const share = causes.total > 0 ? weight / causes.total : 0;
  const none = { share, name: '', place: '', callee: '' };
  if (kind === 'gc' || kind === 'jit') return { ...none, kind };
  if (top === undefined || top.func < 0) return { ...none, kind: kind === 'code' ? 'library' : 'wait', name: top?.library ?? '' };
  const details = causes.detailsOf(top);
  const isOwn = details.own >= top.weight / 2;
  const line = details.line || (isOwn ? (ticked[top.func] ?? 0) : 0) || (functions.line[top.func] ?? 0);
  return {
    share,
    kind: kind === 'code' ? 'code' : 'wait',
    name: functionText(functions, top.func),
    place: placePhrase(sourceFileOf(functions, top.func)?.file ?? functions.file[top.func] ?? '', line),
    callee: !isOwn && (details.callee?.weight ?? 0) >= top.weight / 2 ? calleeText(functions, details) : '',
  };
}
