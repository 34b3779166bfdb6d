import type { FunctionTableColumns } from '../layout.ts';
import { sumsByFunction } from '../../../../src/calltree/totals.ts';
import type { FunctionTotals } from '../../../../src/calltree/totals.ts';
import type { ViewTree } from '../../../../src/calltree/viewTree.ts';
import type { Scale } from './difference.ts';

/** Sums by function, of those that weigh anything; one that calls itself counts once per stack. */
export function functionTable(view: ViewTree, functionCount: number, scale: Scale | null): FunctionTableColumns {
  const sums = view.weights.map((weights) => sumsByFunction(view, weights, functionCount));
  const [a, b] = sums as [FunctionTotals, FunctionTotals?];
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
