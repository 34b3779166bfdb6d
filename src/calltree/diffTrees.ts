import type { CallTree, EventColumn } from '../model/domain/callTree.ts';
import { failure } from '../model/domain/failure.ts';
import { shareFunctions, uniteTrees } from './comparison.ts';
import { type FunctionRow, chooseEvent, eventTotal, functionAt, functionTotals } from './totals.ts';
import { moved, shapeOf } from './viewTree.ts';

/** How weights of two recordings are made comparable: by the requests served, by their total, or not at all. */
export const diffNormalisers = ['request', 'share', 'raw'] as const;
export type DiffNormaliser = (typeof diffNormalisers)[number];

/** One side of a comparison. `requests`: served while it was recorded, null where not known. */
export interface DiffSide {
  tree: CallTree;
  requests: number | null;
  title: string;
}

/** Two recordings in one tree. `a` is the shown recording, `b` the one it is compared with. */
export interface TreeDiff {
  /** The stacks of both, by name and file of their functions; lines are left out, as they differ between versions. Its events are `a` and `b`. */
  tree: CallTree;
  a: EventColumn;
  b: EventColumn;
  event: string;
  /** What `a` and `b` are in; shares are of 1. */
  unit: EventColumn['unit'];
  normalise: DiffNormaliser;
  titleA: string;
  titleB: string;
}

/**
 * Compares one event of two recordings. Without a normaliser: per request when both sides know their requests, else by share. Fails with
 * `no-such-event`, `diff-units` where an event is in different units, and `diff-requests` where requests are asked for and not known.
 */
export function diffTrees(a: DiffSide, b: DiffSide, eventName: string | null, asked: DiffNormaliser | null = null): TreeDiff {
  const eventA = eventName === null ? sharedEvent(a.tree, b.tree) : chooseEvent(a.tree, eventName);
  const eventB = chooseEvent(b.tree, eventA.name);
  const known = (a.requests ?? 0) > 0 && (b.requests ?? 0) > 0;
  const normalise = asked ?? (known ? 'request' : 'share');
  if (normalise === 'request' && !known) {
    throw failure(
      'diff-requests',
      'It is not known how many requests were served while these were recorded.',
      'Choose --normalise share or --normalise raw, or compare recordings made by Benchside under load.',
    );
  }
  if (normalise !== 'share' && eventA.unit !== eventB.unit) {
    throw failure(
      'diff-units',
      `“${eventA.name}” is in ${eventA.unit} in one recording and in ${eventB.unit} in the other.`,
      'Choose --normalise share.',
    );
  }
  const divisor = (side: DiffSide, event: EventColumn): number =>
    normalise === 'raw' ? 1 : Math.max(normalise === 'request' ? (side.requests ?? 1) : eventTotal(event), Number.MIN_VALUE);
  const unit = eventA.unit;
  const functions = shareFunctions(a.tree.functions, b.tree.functions);
  const { shape, placeA, placeB } = uniteTrees(shapeOf(a.tree), shapeOf(b.tree), functions);
  const columnOf = (name: string, side: DiffSide, event: EventColumn, place: Int32Array): EventColumn => {
    const by = divisor(side, event);
    const weights = event.self.map((weight) => weight / by);
    return { name, unit, self: moved(weights, place, shape.count) };
  };
  const [columnA, columnB] = [columnOf('a', a, eventA, placeA), columnOf('b', b, eventB, placeB)];
  const { count: nodeCount, ...columns } = shape;
  const tree: CallTree = {
    ...columns,
    nodeCount,
    line: new Int32Array(nodeCount),
    events: [columnA, columnB],
    functions: functions.names,
    threads: [],
    samples: null,
  };
  return { tree, a: columnA, b: columnB, event: eventA.name, unit, normalise, titleA: a.title, titleB: b.title };
}

/** The first event that weighs anything in both; else the first of `a` that does. */
function sharedEvent(a: CallTree, b: CallTree): EventColumn {
  const weighing = (tree: CallTree): EventColumn[] => tree.events.filter((event) => eventTotal(event) > 0);
  const names = new Set(weighing(b).map((event) => event.name));
  return weighing(a).find((event) => names.has(event.name)) ?? chooseEvent(a, null);
}

/** One function of both recordings. `change` is selfA − selfB: above zero, the shown recording takes more. */
export interface FunctionChange extends Pick<FunctionRow, 'name' | 'file' | 'line'> {
  selfA: number;
  selfB: number;
  totalA: number;
  totalB: number;
  change: number;
}

/** All functions that weigh anything on either side, the largest change first. */
export function functionChanges({ tree, a, b }: TreeDiff): FunctionChange[] {
  const [ofA, ofB] = [functionTotals(tree, a), functionTotals(tree, b)];
  const rows: FunctionChange[] = [];
  for (const func of tree.functions.name.keys()) {
    const [totalA, totalB] = [ofA.total[func] as number, ofB.total[func] as number];
    if (totalA === 0 && totalB === 0) continue;
    const [selfA, selfB] = [ofA.self[func] as number, ofB.self[func] as number];
    const { name, file, line } = functionAt(tree.functions, func);
    rows.push({ name, file, line, selfA, selfB, totalA, totalB, change: selfA - selfB });
  }
  return rows.sort(
    (x, y) => Math.abs(y.change) - Math.abs(x.change) || y.totalA + y.totalB - x.totalA - x.totalB || (x.name < y.name ? -1 : 1),
  );
}

/** What the weights of a comparison are in, as in “ns/request” or “share”. */
export function diffUnit({ unit, normalise }: TreeDiff): string {
  return normalise === 'share' ? 'share' : normalise === 'request' ? `${unit}/request` : unit;
}
