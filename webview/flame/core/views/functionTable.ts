import type { FunctionTableColumns } from '../layout.ts';
import type { ViewTree, Weights } from '../tree/viewTree.ts';
import type { Scale } from './difference.ts';

/** Sums by function, of those that weigh anything; one that calls itself counts once per stack. */
export function functionTable(view: ViewTree, functionCount: number, scale: Scale | null): FunctionTableColumns {
  const sums = view.weights.map((weights) => sumByFunction(view, weights, functionCount));
  const [a, b] = sums as [Sums, Sums?];
  const rows: number[] = [];
  for (let func = 0; func < functionCount; func += 1) {
    if ((a.total[func] as number) > 0 || (b !== undefined && (b.total[func] as number) > 0)) rows.push(func);
  }
  const pick = (values: Float64Array, factor: number): Float64Array => Float64Array.from(rows, (func) => (values[func] as number) * factor);
  return {
    func: Int32Array.from(rows),
    self: pick(a.self, scale?.a ?? 1),
    total: pick(a.total, scale?.a ?? 1),
    selfB: b === undefined ? null : pick(b.self, scale?.b ?? 1),
    totalB: b === undefined ? null : pick(b.total, scale?.b ?? 1),
  };
}

interface Sums {
  self: Float64Array;
  total: Float64Array;
}

/** As nodes are in depth-first order, a node inside the range of the outermost node of its function is a recursion. */
function sumByFunction({ count, func, subtreeEnd }: ViewTree, { self, total }: Weights, functionCount: number): Sums {
  const sums = { self: new Float64Array(functionCount), total: new Float64Array(functionCount) };
  const outermostEnd = new Int32Array(functionCount);
  for (let node = 1; node < count; node += 1) {
    const own = func[node] as number;
    sums.self[own] = (sums.self[own] as number) + (self[node] as number);
    if (node < (outermostEnd[own] as number)) continue;
    outermostEnd[own] = subtreeEnd[node] as number;
    sums.total[own] = (sums.total[own] as number) + (total[node] as number);
  }
  return sums;
}
