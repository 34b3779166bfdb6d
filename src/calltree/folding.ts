import { frameKinds } from '../model/callTree.ts';
import { listPhrase } from '../model/format.ts';
import { mergeTrees } from './mergeTrees.ts';
import type { NamedFunctions } from './sentence/libraryName.ts';
import { libraryName } from './sentence/libraryName.ts';
import type { Folds, Reshaped, ViewTree } from './viewTree.ts';
import { reshapedView } from './viewTree.ts';

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
  const { shape, places } = mergeTrees([{ shape: view, number: null, dissolved }], null);
  const to: Reshaped = { shape, place: places[0] as Int32Array };
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

/** Takes back what of `dissolved` would go into the frames in which the open nodes stand. */
function unfold(view: ViewTree, dissolved: Uint8Array, open: readonly number[]): void {
  const { places } = mergeTrees([{ shape: view, number: null, dissolved }], null);
  const place = places[0] as Int32Array;
  const opened = new Set(open.flatMap((node) => (node > 0 ? [place[node] as number] : [])));
  // What is dissolved stands where its run does.
  for (let node = 1; node < view.count; node += 1) if (opened.has(place[node] as number)) dissolved[node] = 0;
}

/** How many frames each folded one stands for, and of which libraries they are. */
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
  const weighed = new Map<number, Map<string, number>>();
  const names: (string | undefined)[] = [];
  for (let node = 1; node < view.count; node += 1) {
    first[node] = dissolved[node] === 1 ? (first[view.parent[node] as number] as number) : node;
    const at = place[node] as number;
    const one = view.func[node] as number;
    if (at <= 0 || (dissolved[node] === 0 && isLibrary[one] === 0)) continue;
    const weight = total[node] as number;
    if (dissolved[node] === 1 && weight >= deepEnough * (total[first[node] as number] as number)) {
      const depth = (view.depth[node] as number) - (view.depth[first[node] as number] as number) + 1;
      if (depth > (frames[at] as number)) frames[at] = depth;
    }
    let sums = weighed.get(at);
    if (sums === undefined) weighed.set(at, (sums = new Map<string, number>()));
    const name = (names[one] ??= libraryName(functions, one));
    sums.set(name, (sums.get(name) ?? 0) + weight);
  }
  const libraries: string[] = [''];
  const numbers = new Map<string, number>();
  const library = new Int32Array(shape.count);
  for (const [at, sums] of weighed) {
    if ((frames[at] as number) < 2) continue;
    const phrase = libraryPhrase(sums);
    let number = numbers.get(phrase);
    if (number === undefined) numbers.set(phrase, (number = libraries.push(phrase) - 1));
    library[at] = number;
  }
  return { frames, library, libraries };
}

/** "Jetty", "the JDK and libc" */
function libraryPhrase(sums: ReadonlyMap<string, number>): string {
  const sorted = [...sums].sort((a, b) => b[1] - a[1]);
  const all = sorted.reduce((sum, [, weight]) => sum + weight, 0);
  const [[name = '', weight = 0] = []] = sorted;
  if (weight >= namedAlone * all || sorted.length === 1) return name;
  const [one, other] = sorted.map(([each]) => each);
  return sorted.length === 2 ? listPhrase([one ?? '', other ?? '']) : `${one}, ${other} and others`;
}
