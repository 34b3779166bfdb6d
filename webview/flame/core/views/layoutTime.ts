import { type SampleTable, frameKinds } from '../../../../src/model/domain/callTree.ts';
import { failure } from '../../../../src/model/domain/failure.ts';
import { type SampleFilter, counted } from '../tree/selection.ts';
import type { ViewTree } from '../../../../src/calltree/viewTree.ts';
import { type LaidOut, BoxColumns } from './boxColumns.ts';
import type { LayoutHead } from './layoutTree.ts';
import { type SampleSpans, sampleSpans } from './sampleTimes.ts';

const appKind = frameKinds.indexOf('app');
/** Above this a page could not hold them. */
const maxBoxes = 3_000_000;

export interface TimeRequest {
  view: ViewTree;
  samples: SampleTable;
  filter: SampleFilter;
  /** Whether a node of the recording is left out because it is idle. */
  hidden: (node: number) => boolean;
  kind: Uint8Array;
  head: LayoutHead;
}

/**
 * Lays out one thread as it ran: a box for each stay in a frame that nothing interrupts, in µs since the first sample of the recording or since the beginning
 * of the chosen span. Of several threads the one that is busiest in the user's code is shown. Time without a sample, or with one that is left out, is a gap.
 */
export function layoutTime({ view, samples, filter, hidden, kind, head }: TimeRequest): LaidOut {
  const startUs = samples.timeUs[0] ?? 0;
  const own = ownNodes(view, kind);
  const isOwn = (node: number): boolean => !hidden(node) && own[view.place === null ? node : (view.place[node] as number)] === 1;
  const thread = heaviestThread(samples, filter, isOwn) ?? heaviestThread(samples, filter, () => true) ?? -1;
  // A sample whose time is outside the span of time may reach into it.
  const chosen = counted(samples, { ...filter, fromUs: -Infinity, toUs: Infinity }).filter((index) => samples.thread[index] === thread);
  const spans = sampleSpans(samples, chosen, head.unit);
  const fromUs = filter.fromUs === -Infinity ? Math.min(startUs, spans.startUs[0] ?? startUs) : startUs + filter.fromUs;
  const endUs =
    filter.toUs === Infinity ? Math.max(samples.timeUs.at(-1) ?? startUs, spans.endUs.at(-1) ?? startUs) : startUs + filter.toUs;
  const toUs = Math.max(fromUs, endUs);
  const place = (index: number): number => {
    const node = samples.node[chosen[index] as number] as number;
    return hidden(node) ? -1 : view.place === null ? node : (view.place[node] as number);
  };

  const sizes = new Int32Array(maxDepth(view) + 1);
  sizes[0] = 1;
  let boxes = 1;
  walk(view, spans, chosen.length, place, fromUs, toUs, {
    open: (level) => {
      sizes[level] = (sizes[level] as number) + 1;
      boxes += 1;
      if (boxes > maxBoxes) throw tooManyBoxes();
    },
    close: () => undefined,
    stay: () => undefined,
  });

  const columns = new BoxColumns(view, kind, withoutEmptyEnd(sizes));
  const { x, w, self } = columns.boxes;
  const open = new Int32Array(sizes.length);
  open[0] = columns.add(0, -1, 0, 0, toUs - fromUs);
  walk(view, spans, chosen.length, place, fromUs, toUs, {
    open: (level, node, at) => (open[level] = columns.add(level, open[level - 1] as number, node, at - fromUs, 0)),
    close: (level, at) => {
      const box = open[level] as number;
      w[box] = at - fromUs - (x[box] as number);
    },
    stay: (level, duration) => {
      const box = open[level] as number;
      self[box] = (self[box] as number) + duration;
    },
  });
  const laidOut = columns.finished({ ...head, timeOrdered: true, diff: null, timeThread: thread, timeFromUs: fromUs - startUs });
  const { index } = laidOut;
  for (let visit = 0; visit < index.box.length; visit += 1) index.w[visit] = w[index.box[visit] as number] as number;
  return laidOut;
}

interface Steps {
  open(level: number, node: number, atUs: number): void;
  close(level: number, atUs: number): void;
  /** The time for which a stack was seen, for its leaf. */
  stay(level: number, durationUs: number): void;
}

/** Goes through the samples and reports which frames begin and end: those below the deepest one that two neighbouring stacks share. */
function walk(
  view: ViewTree,
  { startUs, endUs }: SampleSpans,
  count: number,
  place: (index: number) => number,
  fromUs: number,
  toUs: number,
  steps: Steps,
): void {
  const { parent, depth } = view;
  /** By level, the node whose box is open. */
  const open = new Int32Array(maxDepth(view) + 1);
  const entering: number[] = [];
  let level = 0;
  let last = fromUs;
  const closeTo = (to: number): void => {
    for (; level > to; level -= 1) steps.close(level, last);
  };
  for (let index = 0; index < count; index += 1) {
    const start = Math.max(fromUs, startUs[index] as number);
    const end = Math.min(toUs, endUs[index] as number);
    const node = place(index);
    if (!(end > start)) continue;
    if (start > last || node < 0) closeTo(0);
    if (node < 0) continue;
    entering.length = 0;
    let shared = node;
    while ((depth[shared] as number) > level || open[depth[shared] as number] !== shared) {
      entering.push(shared);
      shared = parent[shared] as number;
    }
    closeTo(depth[shared] as number);
    for (let step = entering.length - 1; step >= 0; step -= 1) {
      level += 1;
      open[level] = entering[step] as number;
      steps.open(level, open[level] as number, start);
    }
    steps.stay(level, end - start);
    last = end;
  }
  closeTo(0);
}

/** By node: 1 where the user's code is on its stack. */
function ownNodes({ count, func, parent }: ViewTree, kind: Uint8Array): Uint8Array {
  const own = new Uint8Array(count);
  for (let node = 1; node < count; node += 1)
    own[node] = kind[func[node] as number] === appKind || own[parent[node] as number] === 1 ? 1 : 0;
  return own;
}

/** The thread that is busiest under a filter in the nodes that `takes` names. */
function heaviestThread(samples: SampleTable, filter: SampleFilter, takes: (node: number) => boolean): number | null {
  const weights = new Map<number, number>();
  for (const index of counted(samples, filter)) {
    if (!takes(samples.node[index] as number)) continue;
    const thread = samples.thread[index] as number;
    weights.set(thread, (weights.get(thread) ?? 0) + (samples.weight[index] as number));
  }
  let busiest: number | null = null;
  let most = -1;
  for (const [thread, weight] of weights) {
    if (weight < most || (weight === most && busiest !== null && thread > busiest)) continue;
    busiest = thread;
    most = weight;
  }
  return busiest;
}

function maxDepth({ count, depth }: ViewTree): number {
  let deepest = 0;
  for (let node = 0; node < count; node += 1) if ((depth[node] as number) > deepest) deepest = depth[node] as number;
  return deepest;
}

function withoutEmptyEnd(sizes: Int32Array): Int32Array {
  let length = sizes.length;
  while (length > 1 && sizes[length - 1] === 0) length -= 1;
  return sizes.subarray(0, length);
}

function tooManyBoxes(): Error {
  return failure(
    'view-too-large',
    `In the order of time this recording has more than ${maxBoxes.toLocaleString('en')} boxes.`,
    'Choose a span of time, or another thread.',
  );
}
