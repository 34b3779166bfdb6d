import type { FlameSide } from '../../../src/model/domain/flame.ts';
import { failure } from '../../../src/model/domain/failure.ts';
import { unpackSamples, unpackTree } from '../../../src/model/domain/packedTree.ts';
import type { SampleTable } from '../../../src/model/domain/callTree.ts';
import type { FlameNames, FunctionTableColumns, Layout, SearchResult, ThreadStrip } from '../core/layout.ts';
import { OpenRecording } from './openRecording.ts';
import {
  type SharedFunctions,
  type UnionTree,
  shareFunctions,
  sideInUnion,
  unitedView,
  uniteTrees,
} from '../../../src/calltree/comparison.ts';
import type { FlameSentence } from '../../../src/calltree/sentence/sentenceParts.ts';
import { type PreparedView, type SampleCounts, changedSentence, viewSentence } from './viewSentence.ts';
import { Naming } from '../core/tree/naming.ts';
import { sampleFilter, select } from '../core/tree/selection.ts';
import { eventOf, idleRole } from '../core/tree/sourceTree.ts';
import { transformed } from '../../../src/calltree/transforms.ts';
import type { ViewTree } from '../../../src/calltree/viewTree.ts';
import type { LaidOut, SearchIndex } from '../core/views/boxColumns.ts';
import { type Scale, diffColumns, diffWidths, scaleOf } from '../core/views/difference.ts';
import { functionTable } from '../core/views/functionTable.ts';
import { layoutTime } from '../core/views/layoutTime.ts';
import { layoutTree } from '../core/views/layoutTree.ts';
import { calleesOf, callersOf } from '../../../src/calltree/sandwich.ts';
import { searchLayout } from '../core/views/searchLayout.ts';
import { threadStrip } from '../core/views/threadStrip.ts';
import type { SandwichSpec, ViewSpec } from '../core/viewSpec.ts';

const maxBuckets = 4096;

interface Comparison {
  functions: SharedFunctions;
  naming: Naming;
  union: UnionTree | null;
}

/**
 * The recordings on show and every view of them: what the worker does, each request at once. What is asked with a wrong event, or without the
 * samples that it needs, fails with a `FailureError`.
 */
export class FlameEngine {
  readonly #open: Record<FlameSide, OpenRecording | null> = { a: null, b: null };
  readonly #samples: Record<FlameSide, SampleTable | null> = { a: null, b: null };
  readonly #requests: Record<FlameSide, number | null> = { a: null, b: null };
  #comparison: Comparison | null = null;
  #prepared: { key: string; view: PreparedView } | null = null;
  /** The layout that was given last, as it is searched. */
  #shown: { index: SearchIndex; naming: Naming } | null = null;

  openSkeleton(side: FlameSide, packed: Uint8Array): FlameNames {
    return this.#replace(side, new OpenRecording(unpackTree(packed), false));
  }

  openTree(side: FlameSide, packed: Uint8Array): FlameNames {
    const names = this.#replace(side, new OpenRecording(unpackTree(packed), true));
    const samples = this.#samples[side];
    if (samples !== null) this.#openSamplesOf(side, samples);
    return names;
  }

  openSamples(side: FlameSide, packed: Uint8Array): void {
    this.#openSamplesOf(side, unpackSamples(packed));
  }

  setRequests(side: FlameSide, requests: number | null): void {
    this.#requests[side] = requests;
    this.#prepared = null;
  }

  close(side: FlameSide): void {
    this.#open[side] = null;
    this.#samples[side] = null;
    this.#requests[side] = null;
    this.#comparison = null;
    this.#prepared = null;
    if (side === 'a') this.#shown = null;
  }

  layout(spec: ViewSpec): Layout {
    const prepared = this.#prepare(spec.order === 'time' ? { ...spec, diff: null } : spec);
    const { layout, index } = spec.order === 'time' ? this.#inTime(spec, prepared) : this.#layOut(spec, prepared, prepared.view);
    this.#shown = { index, naming: prepared.naming };
    return layout;
  }

  sandwich(spec: ViewSpec, { func, direction }: SandwichSpec): Layout {
    const prepared = this.#prepare(spec);
    const number = this.#numberIn(spec, func);
    const view = direction === 'callers' ? callersOf(prepared.view, number) : calleesOf(prepared.view, number);
    return this.#layOut(spec, prepared, view).layout;
  }

  search(text: string, regex: boolean): SearchResult {
    if (this.#shown === null) throw failure('no-layout', 'There is nothing to search yet.', 'Wait until the flame graph is drawn.');
    return searchLayout(this.#shown.index, this.#shown.naming.match(text, regex));
  }

  table(spec: ViewSpec): FunctionTableColumns {
    const prepared = this.#prepare(spec);
    return functionTable(prepared.view, prepared.naming.names.kind, this.#scale(spec, prepared));
  }

  sentence(spec: ViewSpec, samples: SampleCounts): FlameSentence {
    const prepared = this.#prepare(spec);
    const { recording: a } = this.#shownRecording();
    const { b } = this.#open;
    const [scale, comparison] = [this.#scale(spec, prepared), this.#compared()];
    if (scale !== null && b !== null && comparison !== null)
      return changedSentence(spec, prepared, { a, b }, comparison.functions, scale, samples);
    return viewSentence(spec, prepared, a, this.#requests.a, samples.a);
  }

  /** @param buckets From 1 to 4,096; a value outside is replaced with the nearest. */
  threadStrip(spec: ViewSpec, buckets: number): ThreadStrip {
    const { tree, samples } = this.#shownRecording();
    const { place } = spec.transforms.length === 0 ? { place: null } : this.#prepare({ ...spec, diff: null }).view;
    const filter = sampleFilter(spec, tree, tree, eventOf(tree, spec.event, 'The recording').index);
    const shows = (node: number): boolean => !this.#isHidden(spec, node) && (place === null || (place[node] as number) >= 0);
    return threadStrip(tree, samples(), filter, Math.max(1, Math.min(maxBuckets, Math.floor(buckets) || 1)), shows);
  }

  #replace(side: FlameSide, recording: OpenRecording): FlameNames {
    this.#open[side] = recording;
    this.#comparison = null;
    this.#prepared = null;
    return (this.#compared()?.naming ?? recording.naming).names;
  }

  #openSamplesOf(side: FlameSide, samples: SampleTable): void {
    this.#samples[side] = samples;
    const recording = this.#open[side];
    if (recording === null || !recording.isWhole) return;
    recording.takeSamples(samples);
    // The recording holds them from here on.
    this.#samples[side] = null;
    this.#prepared = null;
  }

  #shownRecording(): { tree: OpenRecording['tree']; samples: () => SampleTable; recording: OpenRecording } {
    const recording = this.#open.a;
    if (recording === null) throw failure('no-recording', 'No recording is open.', 'Open one.');
    return { recording, tree: recording.tree, samples: () => recording.samplesOrFail() };
  }

  /** The functions of both recordings; null where only one is open. */
  #compared(): Comparison | null {
    const { a, b } = this.#open;
    if (a === null || b === null) return null;
    if (this.#comparison === null) {
      const functions = shareFunctions(a.tree.functions, b.tree.functions);
      this.#comparison = { functions, naming: new Naming(functions.names), union: null };
    }
    return this.#comparison;
  }

  /** The function of that number in the view of a specification. */
  #numberIn(spec: ViewSpec, func: number): number {
    return spec.diff === null ? func : (this.#compared()?.functions.ofShared[func] ?? func);
  }

  /** The last view is kept: order, normalisation and width do not change it. */
  #prepare(spec: ViewSpec): PreparedView {
    const { event, threads, states, showIdle, timeRange, transforms } = spec;
    const key = JSON.stringify([event, threads, states, showIdle, timeRange, transforms, spec.diff !== null]);
    if (this.#prepared?.key === key) return this.#prepared.view;
    this.#prepared = null;
    const base = spec.diff === null ? this.#single(spec) : this.#both(spec);
    const { names } = base.naming;
    let { view } = base;
    // Folding is the last step, on the view as it is drawn.
    const steps = [
      ...transforms.filter(({ kind }) => kind !== 'foldLibraries'),
      ...transforms.filter(({ kind }) => kind === 'foldLibraries'),
    ];
    for (const step of steps) view = transformed(view, step, names, (func) => this.#numberIn(spec, func));
    this.#prepared = { key, view: { ...base, view } };
    return this.#prepared.view;
  }

  #single(spec: ViewSpec): PreparedView {
    const { recording, tree, samples } = this.#shownRecording();
    const selection = select(spec, tree, samples, tree, 'The recording');
    const { unit } = eventOf(tree, spec.event, 'The recording').event;
    const { own, hiddenIdle } = selection;
    return { view: recording.view(selection), naming: recording.naming, unit, hiddenIdle, sides: null, own: [own] };
  }

  #both(spec: ViewSpec): PreparedView {
    const { recording: a, tree, samples } = this.#shownRecording();
    const { b } = this.#open;
    const comparison = this.#compared();
    if (b === null || comparison === null)
      throw failure('no-comparison', 'There is no recording to compare with.', 'Choose one to compare with.');
    const whoseB = 'The recording that is compared with';
    const selectionA = select(spec, tree, samples, tree, 'The recording');
    const selectionB = select(spec, b.tree, () => b.samplesOrFail(), tree, whoseB);
    const viewA = a.unmergedView(selectionA);
    const viewB = b.unmergedView(selectionB);
    const { functions, naming } = comparison;
    comparison.union ??= uniteTrees(a.shape, b.shape, functions);
    const { shape, placeA, placeB } = comparison.union;
    const { unit } = eventOf(tree, spec.event, 'The recording').event;
    return {
      view: unitedView(sideInUnion(viewA, functions.ofA, shape, placeA), sideInUnion(viewB, functions.ofB, shape, placeB)),
      naming,
      unit,
      hiddenIdle: selectionA.hiddenIdle,
      own: [selectionA.own, selectionB.own],
      sides: [
        { unit, requests: this.#requests.a, total: rootTotal(viewA) },
        { unit: eventOf(b.tree, spec.event, whoseB).event.unit, requests: this.#requests.b, total: rootTotal(viewB) },
      ],
    };
  }

  #scale(spec: ViewSpec, { sides }: PreparedView): Scale | null {
    return spec.diff === null || sides === null ? null : scaleOf(spec.diff.normalise, sides[0], sides[1], spec.timeRange === null);
  }

  #layOut(spec: ViewSpec, prepared: PreparedView, view: ViewTree): LaidOut {
    const scale = this.#scale(spec, prepared);
    const [weights] = view.weights as [ViewTree['weights'][number]];
    const widths =
      scale === null || spec.diff === null ? { width: weights.total, self: weights.self } : diffWidths(view, scale, spec.diff.width);
    const { columns, finish } = layoutTree(view, widths, prepared.naming.names.kind, prepared);
    return finish(scale === null ? null : diffColumns(view, scale, columns.viewNode));
  }

  #inTime(spec: ViewSpec, { view, naming, unit, hiddenIdle }: PreparedView): LaidOut {
    const { tree, samples } = this.#shownRecording();
    const filter = sampleFilter(spec, tree, tree, eventOf(tree, spec.event, 'The recording').index);
    const hidden = (node: number): boolean => this.#isHidden(spec, node);
    return layoutTime({ view, samples: samples(), filter, hidden, kind: naming.names.kind, head: { unit, hiddenIdle } });
  }

  #isHidden(spec: ViewSpec, node: number): boolean {
    return !spec.showIdle && this.#open.a?.tree.role?.[node] === idleRole;
  }
}

function rootTotal({ weights }: ViewTree): number {
  return weights[0]?.total[0] ?? 0;
}
