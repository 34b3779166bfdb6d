import { focusFunction, outermostNodes } from './transforms.ts';
import { renumbered, viewNodes } from './viewNodes.ts';
import { type ViewTree, reshapedView, weightsOf } from './viewTree.ts';

/** All occurrences of a function with what they call, merged below the root; recursion counts once. */
export function calleesOf(view: ViewTree, func: number): ViewTree {
  return reshapedView(view, focusFunction(view, func));
}

/**
 * A function below the root, below it its callers, below those theirs. A stack counts once, by the function's outermost frame, and what a box
 * has itself are the stacks that begin there.
 */
export function callersOf(view: ViewTree, func: number): ViewTree {
  const outermost = outermostNodes(view, func);
  const table = viewNodes();
  /** For each occurrence the box in which its way to the root ends. */
  const ends = new Int32Array(outermost.length);
  const first: number[] = [0];
  const heaviest: number[] = [0];
  const marks: number[] = [0];
  const lines: number[] = [0];
  for (let index = 0; index < outermost.length; index += 1) {
    const occurrence = outermost[index] as number;
    const weight = view.weights.reduce((most, { total }) => Math.max(most, total[occurrence] as number), 0);
    if (!(weight > 0)) {
      ends[index] = -1;
      continue;
    }
    let place = 0;
    for (let at = occurrence; at > 0; at = view.parent[at] as number) {
      place = table.child(place, view.func[at] as number);
      const line = view.line === null ? 0 : (view.line[at] as number);
      if (first[place] === undefined) {
        first[place] = at;
        heaviest[place] = -1;
        lines[place] = line;
      } else if (lines[place] !== line) lines[place] = 0;
      if (weight <= (heaviest[place] as number)) continue;
      heaviest[place] = weight;
      marks[place] = at;
    }
    ends[index] = place;
  }
  const { shape, newNumber } = table.depthFirst();
  const endOf = renumbered(ends, newNumber);
  const ordered = (values: readonly number[]): Int32Array => {
    const column = new Int32Array(shape.count);
    for (let place = 0; place < shape.count; place += 1) column[newNumber[place] as number] = values[place] as number;
    return column;
  };
  const firstNode = ordered(first);
  const marked = ordered(marks);
  const weights = view.weights.map(({ total }) => {
    const self = new Float64Array(shape.count);
    for (let index = 0; index < outermost.length; index += 1) {
      const end = endOf[index] as number;
      if (end >= 0) self[end] = (self[end] as number) + (total[outermost[index] as number] as number);
    }
    return weightsOf(self, self, shape.parent);
  });
  const { role, tier } = view;
  return {
    ...shape,
    line: view.line === null ? null : ordered(lines),
    role: role === null ? null : Uint8Array.from(marked, (node) => role[node] as number),
    tier: tier === null ? null : Uint8Array.from(marked, (node) => tier[node] as number),
    first: firstNode.map((node) => (view.first === null ? node : (view.first[node] as number))),
    place: null,
    weights,
  };
}
