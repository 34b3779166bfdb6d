import { frameKinds } from '../model/domain/callTree.ts';
import { listPhrase } from '../model/domain/format.ts';
import { numberIn } from '../model/domain/remembered.ts';
import { longer } from './growingColumn.ts';
import { type NamedFunctions, libraryName } from './sentence/libraryName.ts';
import { mergeNodes } from './viewNodes.ts';
import { type Folds, type Reshaped, type ViewTree, reshapedView } from './viewTree.ts';

const libraryKinds: readonly number[] = (['dependency', 'runtime', 'native', 'kernel', 'waiting'] as const).map((kind) =>
  frameKinds.indexOf(kind),
);
/** A library with this share of what was folded is the one that is named. */
const namedAlone = 0.7;
/** How deep a fold is counts as far as this share of it goes. */
const deepEnough = 0.1;

/**
 * A view in which runs of frames that are nobody's here (dependencies, the runtime, native code) are one frame each, the first of the run. Where a
 * stack begins to wait a run of its own begins, so that a wait is one frame, with what it weighs, whatever it waits by.
 * @param open Nodes of the view whose frame stays unfolded, with all that would meet in it; -1 is none.
 */
export function foldedView(view: ViewTree, functions: NamedFunctions, open: readonly number[] = []): ViewTree {
  const { isLibrary, dissolved } = foldedNodes(view, functions.kind);
  if (open.some((node) => node > 0)) unfold(view, dissolved, open);
  const to = mergeNodes(view, dissolved);
  return { ...reshapedView(view, to), folds: foldsOf(view, to, dissolved, isLibrary, functions) };
}

function foldedNodes({ count, func, parent, role }: ViewTree, kind: Uint8Array): { isLibrary: Uint8Array; dissolved: Uint8Array } {
  const isLibrary = Uint8Array.from(kind, (one) => (libraryKinds.includes(one) ? 1 : 0));
  const dissolved = new Uint8Array(count);
  for (let node = 1; node < count; node += 1) {
    const caller = parent[node] as number;
    const own = role?.[node] ?? 0;
    if (caller === 0 || own !== (role?.[caller] ?? 0)) continue;
    if (own !== 0 || (isLibrary[func[node] as number] === 1 && isLibrary[func[caller] as number] === 1)) dissolved[node] = 1;
  }
  return { isLibrary, dissolved };
}

/** Removes from `dissolved` the nodes that would be merged into the frames of the open nodes. */
function unfold(view: ViewTree, dissolved: Uint8Array, open: readonly number[]): void {
  const { place } = mergeNodes(view, dissolved);
  const opened = new Set(open.flatMap((node) => (node > 0 ? [place[node] as number] : [])));
  // A dissolved node has the place of its run.
  for (let node = 1; node < view.count; node += 1) if (opened.has(place[node] as number)) dissolved[node] = 0;
}

/** For each folded frame, the number of frames in it and their libraries. */
function foldsOf(
  view: ViewTree,
  { shape, place }: Reshaped,
  dissolved: Uint8Array,
  isLibrary: Uint8Array,
  functions: NamedFunctions,
): Folds {
  const [weights] = view.weights;
  const total = weights?.total ?? new Float64Array(view.count);
  const frames = new Int32Array(shape.count).fill(1);
  /** By node of what was folded: where its run begins. */
  const first = new Int32Array(view.count);
  for (let node = 1; node < view.count; node += 1) {
    if (dissolved[node] === 0) {
      first[node] = node;
      continue;
    }
    const start = first[view.parent[node] as number] as number;
    first[node] = start;
    const at = place[node] as number;
    if (at <= 0 || (total[node] as number) < deepEnough * (total[start] as number)) continue;
    const depth = (view.depth[node] as number) - (view.depth[start] as number) + 1;
    if (depth > (frames[at] as number)) frames[at] = depth;
  }
  const sums = new LibrarySums(shape.count);
  const known = new Int32Array(functions.name.length).fill(-1);
  for (let node = 1; node < view.count; node += 1) {
    const at = place[node] as number;
    const func = view.func[node] as number;
    if (at <= 0 || (frames[at] as number) < 2 || (dissolved[node] === 0 && isLibrary[func] === 0)) continue;
    let library = known[func] as number;
    if (library < 0) known[func] = library = sums.numberOf(libraryName(functions, func));
    sums.add(at, library, total[node] as number);
  }
  return { frames, ...sums.phrases() };
}

/** What of each library went into each place: a list for each place, side by side in columns, since most have one library or two. */
class LibrarySums {
  readonly #head: Int32Array;
  readonly #numbers = new Map<string, number>();
  #library = new Int32Array(1024);
  #weight = new Float64Array(1024);
  #next = new Int32Array(1024);
  #count = 0;

  constructor(places: number) {
    this.#head = new Int32Array(places).fill(-1);
  }

  numberOf(name: string): number {
    return numberIn(this.#numbers, name);
  }

  add(place: number, library: number, weight: number): void {
    const head = this.#head[place] as number;
    for (let at = head; at >= 0; at = this.#next[at] as number)
      if (this.#library[at] === library) {
        this.#weight[at] = (this.#weight[at] as number) + weight;
        return;
      }
    if (this.#count === this.#library.length) this.#grow();
    const at = this.#count;
    this.#count += 1;
    this.#library[at] = library;
    this.#weight[at] = weight;
    this.#next[at] = head;
    this.#head[place] = at;
  }

  /** What each place is called, as a number of a phrase; the same lists have the same phrase. */
  phrases(): Pick<Folds, 'library' | 'libraries'> {
    const names = [...this.#numbers.keys()];
    const phrases = new Map([['', 0]]);
    const library = new Int32Array(this.#head.length);
    /** By library, of places that are called by it alone: most of them. */
    const alone = new Int32Array(names.length);
    for (let place = 0; place < library.length; place += 1) {
      const head = this.#head[place] as number;
      if (head < 0) continue;
      const most = this.#dominant(head);
      library[place] =
        most < 0 ? numberIn(phrases, libraryPhrase(this.#listOf(head, names))) : (alone[most] ||= numberIn(phrases, names[most] ?? ''));
    }
    return { library, libraries: [...phrases.keys()] };
  }

  /** The library that is named alone; -1: none is. */
  #dominant(head: number): number {
    let heaviest = head;
    let all = 0;
    for (let at = head; at >= 0; at = this.#next[at] as number) {
      all += this.#weight[at] as number;
      if ((this.#weight[at] as number) > (this.#weight[heaviest] as number)) heaviest = at;
    }
    const isAlone = (this.#next[head] as number) < 0 || (this.#weight[heaviest] as number) >= namedAlone * all;
    return isAlone ? (this.#library[heaviest] as number) : -1;
  }

  #listOf(head: number, names: readonly string[]): [string, number][] {
    const list: [string, number][] = [];
    for (let at = head; at >= 0; at = this.#next[at] as number)
      list.push([names[this.#library[at] as number] ?? '', this.#weight[at] as number]);
    // As they came, so that of two that weigh the same the first one is named first.
    return list.reverse();
  }

  #grow(): void {
    const size = 2 * this.#library.length;
    this.#library = longer(this.#library, size);
    this.#weight = longer(this.#weight, size);
    this.#next = longer(this.#next, size);
  }
}

/** "the JDK and libc": of several of which none is named alone. */
function libraryPhrase(sums: readonly [string, number][]): string {
  const sorted = [...sums].sort((a, b) => b[1] - a[1]);
  const [one, other] = sorted.map(([each]) => each);
  return sorted.length === 2 ? listPhrase([one ?? '', other ?? '']) : `${one}, ${other} and others`;
}
