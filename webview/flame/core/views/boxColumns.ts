import { categories, categoryOf } from '../colours.ts';
import type { ViewTree } from '../../../../src/calltree/viewTree.ts';
import type { Layout } from '../layout.ts';

const libraryKind = categories.indexOf('dependency');

export interface LaidOut {
  layout: Layout;
  index: SearchIndex;
}

/** The boxes of a layout from left to right, then down: each before the ones below it, those before its right neighbours. */
export interface SearchIndex {
  box: Int32Array;
  func: Int32Array;
  level: Uint16Array;
  w: Float64Array;
  total: number;
}

/** Fills a layout box by box, in the order of {@link SearchIndex}; how many boxes each level has is known before. */
export class BoxColumns {
  readonly boxes: ReturnType<typeof boxesOf>;
  /** Node of the view by box. */
  readonly viewNode: Int32Array;
  readonly #index: SearchIndex;
  readonly #next: Int32Array;
  #visited = 0;

  /** @param levelSizes Boxes of each level, that of the root (1) first. */
  constructor(
    private readonly view: ViewTree,
    private readonly kind: Uint8Array,
    levelSizes: Int32Array,
  ) {
    const levelStart = new Uint32Array(levelSizes.length + 1);
    for (let level = 0; level < levelSizes.length; level += 1) {
      levelStart[level + 1] = (levelStart[level] as number) + (levelSizes[level] as number);
    }
    const count = levelStart[levelSizes.length] as number;
    this.#next = Int32Array.from(levelStart);
    this.boxes = boxesOf(levelStart, count, view.tier !== null);
    this.viewNode = new Int32Array(count);
    this.#index = {
      box: new Int32Array(count),
      func: new Int32Array(count),
      level: new Uint16Array(count),
      w: new Float64Array(count),
      total: 0,
    };
  }

  /** The next box of a level, below `parent`, for a node of the view; gives its number. */
  add(level: number, parent: number, node: number, x: number, w: number): number {
    const { view, boxes } = this;
    const box = this.#next[level] as number;
    this.#next[level] = box + 1;
    const func = view.func[node] as number;
    boxes.x[box] = x;
    boxes.w[box] = w;
    boxes.func[box] = func;
    if (view.line !== null) boxes.line[box] = view.line[node] as number;
    boxes.node[box] = view.first === null ? node : (view.first[node] as number);
    boxes.parent[box] = parent;
    // The library of several folded frames determines their kind, not the first frame.
    const kind = func < 0 ? 0 : (view.folds?.frames[node] ?? 1) > 1 ? libraryKind : (this.kind[func] as number);
    boxes.category[box] = view.role === null ? kind : categoryOf(kind, view.role[node] as number);
    if (boxes.tier !== null) boxes.tier[box] = view.tier?.[node] as number;
    this.viewNode[box] = node;
    const at = this.#visited;
    this.#visited = at + 1;
    this.#index.box[at] = box;
    this.#index.func[at] = func;
    this.#index.level[at] = level;
    this.#index.w[at] = w;
    return box;
  }

  finished(head: Pick<Layout, 'unit' | 'timeOrdered' | 'hiddenIdle' | 'diff'> & Partial<Layout>): LaidOut {
    const total = this.boxes.w[0] as number;
    this.#index.total = total;
    return { layout: { ...this.boxes, total, ...this.#folds(), ...head }, index: this.#index };
  }

  #folds(): Pick<Layout, 'folds'> {
    const { folds } = this.view;
    if (folds === undefined) return {};
    const pick = (values: Int32Array): Int32Array => this.viewNode.map((node) => values[node] as number);
    return { folds: { frames: pick(folds.frames), library: pick(folds.library), libraries: folds.libraries } };
  }
}

function boxesOf(levelStart: Uint32Array, boxCount: number, hasTiers: boolean) {
  return {
    boxCount,
    levelStart,
    x: new Float64Array(boxCount),
    w: new Float64Array(boxCount),
    func: new Int32Array(boxCount),
    line: new Int32Array(boxCount),
    node: new Int32Array(boxCount),
    parent: new Int32Array(boxCount),
    self: new Float64Array(boxCount),
    category: new Uint8Array(boxCount),
    tier: hasTiers ? new Uint8Array(boxCount) : null,
  };
}
