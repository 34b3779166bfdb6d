import { shortened } from '../../../src/model/domain/plainText.ts';
import { frameKinds } from '../../../src/model/domain/callTree.ts';
import type { ProfileHead } from '../../../src/model/domain/flame.ts';
import { durationPhrase, wholeNumber } from '../../../src/model/domain/format.ts';
import type { RecordingCost } from '../../../src/model/domain/recording.ts';
import { categoryLabels } from '../core/colours.ts';
import type { FlameNames, SearchResult } from '../core/layout.ts';
import type { Transform } from '../../../src/calltree/transforms.ts';
import { shortName } from '../../../src/calltree/shownNames.ts';
import { sharePhrase } from '../graph/weightFormat.ts';
import type { FlameView } from './look.ts';

const events = new Map(
  Object.entries({
    cpu: { label: 'CPU', title: 'Time on a processor' },
    wall: { label: 'Wall', title: 'Elapsed time, on a processor or waiting' },
    poolWait: { label: 'Pool wait', title: 'Time spent waiting for a pooled connection' },
    database: { label: 'Database', title: 'Time spent waiting for the database' },
    alloc: { label: 'Alloc', title: 'Memory allocated' },
    lock: { label: 'Lock', title: 'Time spent waiting for locks' },
    heap: { label: 'Heap', title: 'Memory in use' },
    samples: { label: 'Samples', title: 'Samples counted' },
    native: { label: 'Native', title: 'Time in native code, on a processor or not' },
  }),
);

/** The name of an event for the switch; one that is not known is called as it was recorded. */
export function eventLabel(name: string): string {
  return events.get(name)?.label ?? shortened(name, 24);
}

/** What an event counts, in a sentence. */
export function eventTitle(name: string): string {
  return events.get(name)?.title ?? `Recorded as “${shortened(name, 80)}”`;
}

export const viewLabels: Record<FlameView, string> = { flame: 'Flame', time: 'Time', callers: 'Callers', table: 'Table' };
export const viewTitles: Record<FlameView, string> = {
  flame: 'Where it goes: the heaviest callee first',
  time: 'As it happened, in the order of time',
  callers: 'Callers and callees of one function',
  table: 'All functions as a table',
};

/** The name of a function; the root's where the number is below zero. */
export function functionName(names: FlameNames, func: number): string {
  return func < 0 ? 'everything' : (names.name[func] ?? '') || '(anonymous)';
}

/** The name of a function for people: without its package, bounded, without characters that cannot be seen. */
export function shownName(names: FlameNames, func: number): string {
  return shortName(functionName(names, func));
}

export function kindLabel(kind: number): string {
  return categoryLabels[frameKinds[kind] ?? 'other'];
}

/** What a transform does; of most, before the name of what it does that to. */
const transformWords: Readonly<Record<Transform['kind'], string>> = {
  focusNode: 'only this stack: ',
  focusFunction: 'only ',
  hideFunction: 'hidden: ',
  dropFunction: 'without stacks of ',
  dropNode: 'without this stack: ',
  foldRecursion: 'recursion collapsed',
  foldLibraries: 'libraries collapsed',
};

/** What a transform does, as the text of its chip. */
export function transformPhrase(one: Transform, nameOf: (func: number) => string, nameOfNode: (node: number) => string): string {
  const name = 'node' in one ? nameOfNode(one.node) : 'func' in one ? nameOf(one.func) : '';
  return `${transformWords[one.kind]}${shortened(name, 40)}`;
}

/** "52.1 % matched · 3 of 17", or what else there is to say of a search. `at` counts from 0; -1: no match is selected yet. */
export function matchPhrase(result: SearchResult | null, at: number): string {
  if (result === null) return '';
  if (result.order.length === 0) return 'no match';
  const share = `${sharePhrase(result.matchedShare)} matched`;
  const count = wholeNumber(result.order.length);
  return at < 0 ? `${share} · ${count} ${result.order.length === 1 ? 'box' : 'boxes'}` : `${share} · ${wholeNumber(at + 1)} of ${count}`;
}

/** "recording cost 4 % CPU per request (0–9 %)"; from one pair there is no interval. */
export function costPhrase({ ratio, low, high }: RecordingCost): string {
  const percent = (value: number): string => `${value < 1 ? '−' : ''}${Math.abs((value - 1) * 100).toFixed(0)}`.replace('−0', '0');
  const interval = low === null || high === null ? ', one pair of windows only' : ` (${percent(low)}–${percent(high)} %)`;
  return `recording cost ${percent(ratio)} % CPU per request${interval}`;
}

/** The text next to the title: format, duration, samples, requests, and what recording cost. */
export function headFacts(head: ProfileHead): string[] {
  const cost = head.recording?.cost ?? null;
  return [
    shortened(head.format, 60),
    ...(head.durationMs === null ? [] : [durationPhrase(head.durationMs)]),
    ...(head.sampleCount > 0 ? [`${wholeNumber(head.sampleCount)} samples`] : []),
    ...(head.requests === null ? [] : [`${wholeNumber(head.requests)} requests`]),
    ...(cost === null ? [] : [costPhrase(cost)]),
  ];
}

/** A thread's state as a person says it: "STATE_RUNNABLE" → "runnable"; the one without a name is "not known". */
export function stateLabel(state: string): string {
  return state === ''
    ? 'not known'
    : shortened(
        state
          .replace(/^STATE_/, '')
          .replaceAll('_', ' ')
          .toLowerCase(),
        40,
      );
}
