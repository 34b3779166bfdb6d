import type { DiffSpec } from '../viewSpec.ts';
import type { LayoutDiff } from '../layout.ts';
import type { ViewTree, Weights } from '../../../../src/calltree/viewTree.ts';
import type { Widths } from './layoutTree.ts';

/** By what the weights of each side are multiplied to be comparable. */
export interface Scale {
  a: number;
  b: number;
  unit: LayoutDiff['unit'];
}

export interface SideFacts {
  unit: 'ns' | 'bytes' | 'count';
  requests: number | null;
  /** Weight under the view's filters, before any transform. */
  total: number;
}

/**
 * Per request where the requests of both sides are known and all of the time is on show (it is not known when each request was served), shares
 * where not, or where the units differ.
 */
export function scaleOf(normalise: DiffSpec['normalise'], a: SideFacts, b: SideFacts, wholeTime: boolean): Scale {
  if (a.unit === b.unit) {
    if (normalise === 'raw') return { a: 1, b: 1, unit: a.unit };
    const [requestsA, requestsB] = [a.requests ?? 0, b.requests ?? 0];
    if (normalise === 'perRequest' && wholeTime && requestsA > 0 && requestsB > 0)
      return { a: 1 / requestsA, b: 1 / requestsB, unit: `${a.unit}/request` };
  }
  return { a: a.total > 0 ? 1 / a.total : 0, b: b.total > 0 ? 1 / b.total : 0, unit: 'share' };
}

/** In `union` a node is as wide as it is on the side where it weighs more, and never narrower than its callees together. */
export function diffWidths(view: ViewTree, { a, b }: Scale, width: DiffSpec['width']): Widths {
  const [ofA, ofB] = view.weights as [Weights, Weights];
  if (width === 'a') return { width: scaled(ofA.total, a), self: scaled(ofA.self, a) };
  if (width === 'b') return { width: scaled(ofB.total, b), self: scaled(ofB.self, b) };
  const union = new Float64Array(view.count);
  const self = new Float64Array(view.count);
  for (let node = view.count - 1; node >= 0; node -= 1) {
    self[node] = Math.max((ofA.self[node] as number) * a, (ofB.self[node] as number) * b);
    // What was added so far are its callees.
    const wide = Math.max(union[node] as number, (ofA.total[node] as number) * a, (ofB.total[node] as number) * b);
    union[node] = wide;
    if (node === 0) continue;
    const above = view.parent[node] as number;
    union[above] = (union[above] as number) + wide;
  }
  return { width: union, self };
}

function scaled(values: Float64Array, factor: number): Float64Array {
  return values.map((value) => value * factor);
}

export function diffColumns(view: ViewTree, { a, b, unit }: Scale, viewNode: Int32Array): LayoutDiff {
  const [ofA, ofB] = view.weights as [Weights, Weights];
  const pick = (values: Float64Array, factor: number): Float64Array => {
    const column = new Float64Array(viewNode.length);
    for (let box = 0; box < viewNode.length; box += 1) column[box] = (values[viewNode[box] as number] as number) * factor;
    return column;
  };
  const selfA = pick(ofA.self, a);
  const selfB = pick(ofB.self, b);
  let maxChange = 0;
  for (let box = 0; box < viewNode.length; box += 1)
    maxChange = Math.max(maxChange, Math.abs((selfA[box] as number) - (selfB[box] as number)));
  return { totalA: pick(ofA.total, a), totalB: pick(ofB.total, b), selfA, selfB, maxChange, unit };
}
