import { frameKinds } from '../../model/callTree.ts';
import type { CallTree, EventColumn, FrameKind } from '../../model/callTree.ts';
import { failure } from '../../model/failure.ts';

/** What each node and its callees weigh together, in the event's unit, those left out of the tree too: one pass from the last node to the first. */
export function nodeTotals(tree: CallTree, event: EventColumn): Float64Array {
  const total = event.self.slice(0, tree.nodeCount);
  if (event.rest !== undefined)
    for (let node = 0; node < tree.nodeCount; node += 1) total[node] = (total[node] as number) + (event.rest[node] as number);
  for (let node = tree.nodeCount - 1; node > 0; node -= 1) {
    const parent = tree.parent[node] as number;
    total[parent] = (total[parent] as number) + (total[node] as number);
  }
  return total;
}

/** What each function weighs itself and with its callees, by its number. A function that calls itself is counted once per stack. */
export interface FunctionTotals {
  self: Float64Array;
  total: Float64Array;
}

/** Sums by function. As nodes are in depth-first order, a node inside the range of the outermost node of its function is a recursion. */
export function functionTotals(tree: CallTree, event: EventColumn, totals: Float64Array = nodeTotals(tree, event)): FunctionTotals {
  const count = tree.functions.name.length;
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const outermostEnd = new Int32Array(count);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    self[func] = (self[func] as number) + (event.self[node] as number);
    if (node < (outermostEnd[func] as number)) continue;
    total[func] = (total[func] as number) + (totals[node] as number);
    outermostEnd[func] = tree.subtreeEnd[node] as number;
  }
  return { self, total };
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
  const { name, file, line, kind } = tree.functions;
  const rows: FunctionRow[] = [];
  for (let func = 0; func < name.length; func += 1) {
    if (total[func] === 0) continue;
    rows.push({
      func,
      name: name[func] ?? '',
      file: file[func] ?? '',
      line: line[func] ?? 0,
      kind: frameKinds[kind[func] ?? 0] ?? 'other',
      self: self[func] ?? 0,
      total: total[func] ?? 0,
    });
  }
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
