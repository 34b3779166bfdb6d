import type { SampleTable } from '../../../../src/model/domain/callTree.ts';
import type { ViewSpec } from '../viewSpec.ts';
import { type SourceTree, eventOf, idleRole } from './sourceTree.ts';

/** Which samples of a recording count. Times are µs since its first sample. */
export interface SampleFilter {
  event: number;
  /** By thread number + 1 (0: not known), 1 for those that count; null: all. */
  threads: Uint8Array | null;
  states: Uint8Array | null;
  fromUs: number;
  toUs: number;
}

/** What each node weighs under a view's filters, before any transform. */
export interface Selection {
  self: Float64Array;
  own: Float64Array;
  hiddenIdle: number;
}

/** Whether a view shows a part of the samples only. */
export function isFiltered(spec: Pick<ViewSpec, 'threads' | 'states' | 'timeRange'>): boolean {
  return spec.threads !== null || spec.states !== null || spec.timeRange !== null;
}

/** The filter that a view's specification is. Threads and states are numbers of `shown`; in another recording they are found by name. */
export function sampleFilter(spec: ViewSpec, tree: SourceTree, shown: SourceTree, event: number): SampleFilter {
  return {
    event,
    threads: spec.threads === null ? null : flagged(spec.threads, tree.threads, shown.threads, 1),
    states: spec.states === null ? null : flagged(spec.states, tree.states, shown.states, 0),
    fromUs: spec.timeRange?.[0] ?? -Infinity,
    toUs: spec.timeRange?.[1] ?? Infinity,
  };
}

function flagged(chosen: readonly number[], names: readonly string[], shown: readonly string[], shift: number): Uint8Array {
  const flags = new Uint8Array(Math.max(names.length + shift, 256));
  if (names === shown) {
    for (const number of chosen) flags[number + shift] = 1;
    return flags;
  }
  const wanted = new Set(chosen.map((number) => shown[number]));
  for (const [number, name] of names.entries()) if (wanted.has(name)) flags[number + shift] = 1;
  return flags;
}

/** The samples that count, as indexes. */
export function counted({ event, thread, state, timeUs }: SampleTable, filter: SampleFilter): Int32Array {
  const { threads, states, fromUs, toUs } = filter;
  const startUs = timeUs[0] ?? 0;
  const chosen = new Int32Array(event.length);
  let count = 0;
  for (let index = 0; index < event.length; index += 1) {
    if (event[index] !== filter.event) continue;
    if (threads !== null && threads[(thread[index] as number) + 1] !== 1) continue;
    if (states !== null && states[state?.[index] ?? 0] !== 1) continue;
    const at = (timeUs[index] as number) - startUs;
    if (!(at >= fromUs && at < toUs)) continue;
    chosen[count] = index;
    count += 1;
  }
  return chosen.slice(0, count);
}

/**
 * @param samples Needed when the view is filtered.
 * @param shown The recording whose threads and states the view names.
 */
export function select(spec: ViewSpec, tree: SourceTree, samples: () => SampleTable, shown: SourceTree, whose: string): Selection {
  const { index, event } = eventOf(tree, spec.event, whose);
  if (!isFiltered(spec)) {
    const { self, rest } = event;
    const own = rest === undefined ? self : self.map((weight, node) => weight + (rest[node] as number));
    return withoutIdle(spec, tree, self, own);
  }
  const self = weighSamples(samples(), sampleFilter(spec, tree, shown, index), tree.nodeCount);
  return withoutIdle(spec, tree, self, self);
}

function weighSamples(samples: SampleTable, filter: SampleFilter, nodeCount: number): Float64Array {
  const self = new Float64Array(nodeCount);
  for (const index of counted(samples, filter)) {
    const node = samples.node[index] as number;
    self[node] = (self[node] as number) + (samples.weight[index] as number);
  }
  return self;
}

function withoutIdle(spec: ViewSpec, { role }: SourceTree, self: Float64Array, own: Float64Array): Selection {
  if (spec.showIdle || role === null) return { self, own, hiddenIdle: 0 };
  let hiddenIdle = 0;
  const busySelf = self.slice();
  const busyOwn = own === self ? busySelf : own.slice();
  for (let node = 0; node < role.length; node += 1) {
    if (role[node] !== idleRole) continue;
    hiddenIdle += own[node] as number;
    busySelf[node] = 0;
    busyOwn[node] = 0;
  }
  return { self: busySelf, own: busyOwn, hiddenIdle };
}
