import { totalsOf } from './totals.ts';

/** Callers and callees, without weights: nodes in depth-first order, node 0 is the root (see `CallTree`). */
export interface TreeShape {
  count: number;
  parent: Int32Array;
  subtreeEnd: Int32Array;
  depth: Int32Array;
  func: Int32Array;
}

/** The shape of a recording, without its lines. */
export function shapeOf({ nodeCount, parent, subtreeEnd, depth, func }: Omit<TreeShape, 'count'> & { nodeCount: number }): TreeShape {
  return { count: nodeCount, parent, subtreeEnd, depth, func };
}

/** Weights of each node of a tree, in the event's unit. */
export interface Weights {
  self: Float64Array;
  /** `self` and what was left out below the node; the same array as `self` where nothing was. */
  own: Float64Array;
  /** `own` of the node and of all below it. */
  total: Float64Array;
}

/** The folded frames that the nodes of a view represent. */
export interface Folds {
  /** The number of consecutive frames that a node represents; 1: itself alone. */
  frames: Int32Array;
  /** Index into `libraries`: of which libraries those are; 0 where nothing is folded. */
  library: Int32Array;
  libraries: readonly string[];
}

/** A tree as it is drawn: the recording's after filters and transforms. */
export interface ViewTree extends TreeShape {
  /** Line that was executing, 0 where several are merged; null where none is known. */
  line: Int32Array | null;
  role: Uint8Array | null;
  tier: Uint8Array | null;
  /** First node of the shown recording that each node represents, -1 where there is none; null: the node of the same number. */
  first: Int32Array | null;
  /** For each node of the recording on show its node here, -1 where it is left out; null: the node of the same number. */
  place: Int32Array | null;
  /** Of the recording on show, and, in a comparison, of the other one. */
  weights: readonly Weights[];
  /** Left out where nothing is folded. */
  folds?: Folds;
}

/** Where the nodes of one tree went in another: several may meet in one, -1 is left out. */
export interface Reshaped {
  shape: TreeShape;
  place: Int32Array;
}

export function weightsOf(self: Float64Array, own: Float64Array, parent: Int32Array): Weights {
  return { self, own, total: totalsOf(own, parent) };
}

/** Weights moved to where their nodes went. */
export function movedWeights({ self, own }: Weights, { shape, place }: Reshaped): Weights {
  const movedSelf = moved(self, place, shape.count);
  return weightsOf(movedSelf, own === self ? movedSelf : moved(own, place, shape.count), shape.parent);
}

/** What each node weighs of what went there. */
export function moved(values: Float64Array, place: Int32Array, count: number): Float64Array {
  const sum = new Float64Array(count);
  for (let node = 0; node < place.length; node += 1) {
    const at = place[node] as number;
    if (at >= 0) sum[at] = (sum[at] as number) + (values[node] as number);
  }
  return sum;
}

/** A view with its nodes moved. Of nodes that meet, the heaviest determines role and tier, and the line is kept where it is the same in all. */
export function reshapedView(view: ViewTree, to: Reshaped): ViewTree {
  const { shape, place } = to;
  return {
    ...shape,
    ...mergedMarks(view, to),
    place: view.place === null ? place : view.place.map((node) => (node < 0 ? -1 : (place[node] as number))),
    weights: view.weights.map((weights) => movedWeights(weights, to)),
  };
}

type Marks = Pick<ViewTree, 'line' | 'role' | 'tier'> & { first: Int32Array };

/** Marks of each node other than its weight. Nodes that were merged into one of another function contribute none. */
function mergedMarks(view: ViewTree, { shape, place }: Reshaped): Marks {
  const first = new Int32Array(shape.count).fill(-1);
  const line = view.line === null ? null : new Int32Array(shape.count);
  const role = view.role === null ? null : new Uint8Array(shape.count);
  const tier = view.tier === null ? null : new Uint8Array(shape.count);
  const heaviest = role === null && tier === null ? null : new Float64Array(shape.count).fill(-1);
  const seen = line === null ? null : new Uint8Array(shape.count);
  first[0] = 0;
  for (let node = 1; node < view.count; node += 1) {
    const at = place[node] as number;
    if (at <= 0 || shape.func[at] !== view.func[node]) continue;
    if (first[at] === -1) first[at] = view.first === null ? node : (view.first[node] as number);
    if (line !== null && seen !== null) {
      const own = view.line?.[node] as number;
      if (seen[at] === 0) {
        seen[at] = 1;
        line[at] = own;
      } else if (line[at] !== own) line[at] = 0;
    }
    if (heaviest === null) continue;
    const weight = heaviestOf(view.weights, node);
    if (weight <= (heaviest[at] as number)) continue;
    heaviest[at] = weight;
    if (role !== null) role[at] = view.role?.[node] as number;
    if (tier !== null) tier[at] = view.tier?.[node] as number;
  }
  return { first, line, role, tier };
}

function heaviestOf(weights: readonly Weights[], node: number): number {
  let heaviest = 0;
  for (const { total } of weights) heaviest = Math.max(heaviest, total[node] as number);
  return heaviest;
}
