import { type CallTree, type EventColumn, type FrameKind, type FunctionTable, frameKinds } from '../model/domain/callTree.ts';
import { failure } from '../model/domain/failure.ts';

/** What each node weighs with all below it, of what it has itself: one pass from the last node to the first. */
export function totalsOf(own: Float64Array, parent: Int32Array): Float64Array {
  const total = own.slice();
  for (let node = total.length - 1; node > 0; node -= 1) {
    const above = parent[node] as number;
    total[above] = (total[above] as number) + (total[node] as number);
  }
  return total;
}

/** What each node and its callees weigh together, in the event's unit, those left out of the tree too. */
export function nodeTotals(tree: CallTree, { self, rest }: EventColumn): Float64Array {
  return totalsOf(rest === undefined ? self : self.map((weight, node) => weight + (rest[node] as number)), tree.parent);
}

/** What each function weighs itself and with its callees, by its number. A function that calls itself is counted once per stack. */
export interface FunctionTotals {
  self: Float64Array;
  total: Float64Array;
}

/** Sums by function; a node of none (-1) is left out. As nodes are in depth-first order, a node inside the range of the outermost node of its function is a recursion. */
export function sumsByFunction(
  { func, subtreeEnd }: { func: Int32Array; subtreeEnd: Int32Array },
  weights: { self: Float64Array; total: Float64Array },
  functionCount: number,
): FunctionTotals {
  const self = new Float64Array(functionCount);
  const total = new Float64Array(functionCount);
  const outermostEnd = new Int32Array(functionCount);
  for (let node = 1; node < func.length; node += 1) {
    const own = func[node] as number;
    if (own < 0) continue;
    self[own] = (self[own] as number) + (weights.self[node] as number);
    if (node < (outermostEnd[own] as number)) continue;
    outermostEnd[own] = subtreeEnd[node] as number;
    total[own] = (total[own] as number) + (weights.total[node] as number);
  }
  return { self, total };
}

/** As {@link sumsByFunction}, for an event of a recording. */
export function functionTotals(tree: CallTree, event: EventColumn): FunctionTotals {
  return sumsByFunction(tree, { self: event.self, total: nodeTotals(tree, event) }, tree.functions.name.length);
}

/** What a recording says of a function. */
export function functionAt({ name, file, line, kind }: FunctionTable, func: number): Omit<FunctionRow, 'func' | 'self' | 'total'> {
  return { name: name[func] ?? '', file: file[func] ?? '', line: line[func] ?? 0, kind: frameKinds[kind[func] ?? 0] ?? 'other' };
}

/** One row of the function table. */
export interface FunctionRow {
  /** Its number in the tree. */
  func: number;
  name: string;
  file: string;
  line: number;
  kind: FrameKind;
  self: number;
  total: number;
}

/** All functions that weigh anything in an event, the heaviest by self weight first, then by total, then by name. */
export function functionTable(tree: CallTree, event: EventColumn): FunctionRow[] {
  const { self, total } = functionTotals(tree, event);
  const rows: FunctionRow[] = [];
  for (const [func, weight] of total.entries())
    if (weight !== 0) rows.push({ func, ...functionAt(tree.functions, func), self: self[func] ?? 0, total: weight });
  return rows.sort((a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The weight of the whole recording in an event. */
export function eventTotal(event: EventColumn): number {
  return sumOf(event.self) + (event.rest === undefined ? 0 : sumOf(event.rest));
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (let node = 0; node < weights.length; node += 1) sum += weights[node] as number;
  return sum;
}

/** The event of that name; without a name the first that weighs anything. Fails with `no-such-event`. */
export function chooseEvent(tree: CallTree, name: string | null): EventColumn {
  const chosen =
    name === null
      ? (tree.events.find((event) => eventTotal(event) > 0) ?? tree.events[0])
      : tree.events.find((event) => event.name === name);
  if (chosen !== undefined) return chosen;
  const names = tree.events.map((event) => event.name.slice(0, 80)).join(', ');
  throw failure(
    'no-such-event',
    `The recording has no event ${name === null ? 'at all' : `“${name}”`}.`,
    names === '' ? 'Record again.' : `Choose one of: ${names}.`,
  );
}
