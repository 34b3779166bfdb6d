import { frameKinds } from '../../../../src/model/domain/callTree.ts';
import { remembered } from '../../../../src/model/domain/remembered.ts';
import type { FunctionTableColumns } from '../layout.ts';
import { type FunctionTotals, sumsByFunction } from '../../../../src/calltree/totals.ts';
import type { ViewTree } from '../../../../src/calltree/viewTree.ts';
import type { Scale } from './difference.ts';

const appKind = frameKinds.indexOf('app');

/** Sums by function, of those that weigh anything; one that calls itself counts once per stack. */
export function functionTable(view: ViewTree, kind: Uint8Array, scale: Scale | null): FunctionTableColumns {
  const functionCount = kind.length;
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
    ...waitsOf(view, kind, rows),
    ...foldsOf(view, functionCount, rows),
  };
}

/** What is folded into the heaviest frame of each function. */
function foldsOf(
  { count, func, weights, folds }: ViewTree,
  functionCount: number,
  rows: readonly number[],
): Pick<FunctionTableColumns, 'folded'> {
  if (folds === undefined) return {};
  const heaviest = new Float64Array(functionCount);
  const library = new Int32Array(functionCount);
  for (let node = 1; node < count; node += 1) {
    const own = func[node] as number;
    const self = weights[0]?.self[node] ?? 0;
    if (!(self > (heaviest[own] as number))) continue;
    heaviest[own] = self;
    library[own] = (folds.frames[node] as number) > 1 ? (folds.library[node] as number) : 0;
  }
  return { folded: rows.map((one) => folds.libraries[library[one] as number] ?? '') };
}

/** For functions that wait themselves: for what, and the user's function that asks for most of it. */
function waitsOf(
  { count, func, parent, role, weights }: ViewTree,
  kind: Uint8Array,
  rows: readonly number[],
): Partial<FunctionTableColumns> {
  if (role === null) return {};
  const owner = new Int32Array(count).fill(-1);
  /** By function and caller, how much of it is asked for there. */
  const asked = new Map<number, Map<number, number>>();
  const roleOf = new Uint8Array(kind.length);
  const heaviest = new Float64Array(kind.length);
  for (let node = 1; node < count; node += 1) {
    const own = func[node] as number;
    owner[node] = kind[own] === appKind ? own : (owner[parent[node] as number] as number);
    const self = weights.reduce((most, { self: each }) => Math.max(most, each[node] as number), 0);
    if (role[node] === 0 || !(self > 0)) continue;
    if (self > (heaviest[own] as number)) {
      heaviest[own] = self;
      roleOf[own] = role[node] as number;
    }
    const callers = remembered(asked, own, () => new Map<number, number>());
    callers.set(owner[node] as number, (callers.get(owner[node] as number) ?? 0) + self);
  }
  const callerOf = (one: number): number => [...(asked.get(one) ?? [])].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1;
  return { role: Uint8Array.from(rows, (one) => roleOf[one] as number), caller: Int32Array.from(rows, callerOf) };
}
