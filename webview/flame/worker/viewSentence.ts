import { type Causes, causesOf } from '../../../src/calltree/sentence/causes.ts';
import { changeSentence } from '../../../src/calltree/sentence/changeSentence.ts';
import { flameSentence } from '../../../src/calltree/sentence/flameSentence.ts';
import type { FlameSentence } from '../../../src/calltree/sentence/sentenceParts.ts';
import type { SharedFunctions } from '../../../src/calltree/comparison.ts';
import type { Transform } from '../../../src/calltree/transforms.ts';
import type { ViewTree } from '../../../src/calltree/viewTree.ts';
import type { FlameSide } from '../../../src/model/domain/flame.ts';
import type { Layout } from '../core/layout.ts';
import { counted, isFiltered, sampleFilter } from '../core/tree/selection.ts';
import { eventOf } from '../core/tree/sourceTree.ts';
import type { ViewSpec } from '../core/viewSpec.ts';
import type { Naming } from '../core/tree/naming.ts';
import type { Scale, SideFacts } from '../core/views/difference.ts';
import type { OpenRecording } from './openRecording.ts';

/** How many samples make up the event that is on show, on each side; null where that is not known. */
export type SampleCounts = Record<FlameSide, number | null>;

/** A view under its filters and transforms, and what a layout of it needs. */
export interface PreparedView {
  view: ViewTree;
  naming: Naming;
  unit: Layout['unit'];
  hiddenIdle: number;
  /** In a comparison, both sides. */
  sides: readonly [a: SideFacts, b: SideFacts] | null;
  /** What each node of the recording, and in a comparison of the other, has itself under the filters, before any transform. */
  own: readonly Float64Array[];
}

export function viewSentence(
  spec: ViewSpec,
  { view, unit, hiddenIdle, own }: PreparedView,
  recording: OpenRecording,
  requests: number | null,
  samples: number | null,
): FlameSentence {
  const { event, timeRange, transforms } = spec;
  const filtered = isFiltered(spec);
  return flameSentence(causesOfRecording(recording, own[0] as Float64Array, view.place, null, event), {
    event,
    unit,
    functions: recording.tree.functions,
    hiddenIdle,
    // When each request was served is not known.
    requests: timeRange === null ? requests : null,
    samples: filtered ? countSamples(spec, recording) : samples,
    partial: filtered || transforms.some(leavesOut),
  });
}

export function changedSentence(
  spec: ViewSpec,
  { view, own }: PreparedView,
  { a, b }: Record<FlameSide, OpenRecording>,
  functions: SharedFunctions,
  scale: Scale,
  samples: SampleCounts,
): FlameSentence {
  const { event } = spec;
  const { unit } = eventOf(a.tree, event, 'The recording').event;
  const by = scale.unit === 'share' ? 'share' : scale.unit.endsWith('/request') ? 'request' : 'raw';
  // Which nodes of the other recording a transform has left out is not known; the tree of both has them no more, but not every line either.
  const transformed = spec.transforms.some((transform) => transform.kind !== 'foldLibraries');
  const sideOf = (side: 0 | 1, recording: OpenRecording, number: Int32Array): Causes =>
    transformed
      ? causesInView(view, side, functions, event)
      : causesOfRecording(recording, own[side] as Float64Array, null, { number, functions }, event);
  return changeSentence(
    { causes: sideOf(0, a, functions.ofA), scale: scale.a, samples: isFiltered(spec) ? null : samples.a },
    { causes: sideOf(1, b, functions.ofB), scale: scale.b, samples: isFiltered(spec) ? null : samples.b },
    { event, unit, by, functions: functions.names },
  );
}

/**
 * The causes of what a recording has under a view's filters, node by node, so that lines remain separate that the view merges.
 * @param place Of each node in the view; below zero what transforms have left out.
 * @param shared Numbers for its functions in a comparison.
 */
function causesOfRecording(
  { tree }: OpenRecording,
  own: Float64Array,
  place: Int32Array | null,
  shared: { number: Int32Array; functions: SharedFunctions } | null,
  event: string,
): Causes {
  const { parent, func, line, role } = tree;
  return causesOf({
    parent,
    line,
    role,
    event,
    func: shared === null ? func : func.map((one) => (one < 0 ? -1 : (shared.number[one] as number))),
    functions: shared === null ? tree.functions : shared.functions.names,
    weight: place === null ? own : own.map((weight, node) => ((place[node] as number) < 0 ? 0 : weight)),
  });
}

function causesInView({ parent, func, line, role, weights }: ViewTree, side: 0 | 1, { names }: SharedFunctions, event: string): Causes {
  return causesOf({ parent, func, line, role, event, functions: names, weight: weights[side]?.own ?? new Float64Array() });
}

function leavesOut({ kind }: Transform): boolean {
  return kind === 'focusNode' || kind === 'focusFunction' || kind === 'dropFunction' || kind === 'dropNode';
}

function countSamples(spec: ViewSpec, recording: OpenRecording): number {
  const { tree } = recording;
  const filter = sampleFilter(spec, tree, tree, eventOf(tree, spec.event, 'The recording').index);
  return counted(recording.samplesOrFail(), filter).length;
}
