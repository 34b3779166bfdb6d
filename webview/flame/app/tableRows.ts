import { type NodeRole, nodeRoles } from '../../../src/model/domain/callTree.ts';
import { categoryLabels } from '../core/colours.ts';
import type { FlameNames, FunctionTableColumns } from '../core/layout.ts';
import { functionName } from './flameWords.ts';
import type { FlameOptions, SortColumn } from './savedFlame.ts';

export interface TableOrder {
  column: SortColumn;
  descending: boolean;
}

/** The order that fits what is on show: by change in a comparison, else by self weight. */
export function orderOf(sort: FlameOptions['sort'], comparing: boolean): TableOrder {
  const fits = sort !== null && (comparing || (sort.column !== 'change' && sort.column !== 'changeTotal'));
  return fits ? sort : { column: comparing ? 'change' : 'self', descending: true };
}

/** What takes a name that is searched for: text anywhere in it whatever its case, or a regular expression; null where that is wrong. */
export function nameTest(text: string, regex: boolean): ((name: string) => boolean) | null {
  if (!regex) {
    const wanted = text.toLowerCase();
    return (name) => name.toLowerCase().includes(wanted);
  }
  try {
    const expression = new RegExp(text, 'iu');
    return (name) => expression.test(name);
  } catch {
    return null;
  }
}

/** The rows of a table whose function passes `test`, in order, as indexes into its columns. A change is sorted by its size. */
export function orderedRows(
  table: FunctionTableColumns,
  names: FlameNames,
  order: TableOrder,
  test: ((name: string) => boolean) | null,
): Uint32Array {
  const rows: number[] = [];
  for (let row = 0; row < table.func.length; row += 1) {
    if (test === null || test(functionName(names, table.func[row] ?? -1))) rows.push(row);
  }
  const sorted = Uint32Array.from(rows);
  const sign = order.descending ? -1 : 1;
  if (order.column === 'name') {
    const collator = new Intl.Collator('en', { numeric: true });
    const nameAt = (row: number): string => functionName(names, table.func[row] ?? -1);
    return sorted.sort((a, b) => sign * collator.compare(nameAt(a), nameAt(b)) || a - b);
  }
  const keys = sortKeys(table, order.column);
  const ties = table.total;
  return sorted.sort((a, b) => sign * ((keys[a] ?? 0) - (keys[b] ?? 0)) || (ties[b] ?? 0) - (ties[a] ?? 0) || a - b);
}

function sortKeys(table: FunctionTableColumns, column: SortColumn): Float64Array {
  const { self, total, selfB, totalB } = table;
  if (column === 'change' && selfB !== null) return self.map((value, row) => Math.abs(value - (selfB[row] ?? 0)));
  if (column === 'changeTotal' && totalB !== null) return total.map((value, row) => Math.abs(value - (totalB[row] ?? 0)));
  return column === 'total' || column === 'totalEach' ? total : self;
}

/** Functions that only one of two recordings has, the heaviest first, as rows of the table. */
export interface Changes {
  appeared: number[];
  vanished: number[];
}

export function changesOf(table: FunctionTableColumns): Changes {
  const known = knownChanges.get(table);
  if (known !== undefined) return known;
  const changes = findChanges(table);
  knownChanges.set(table, changes);
  return changes;
}

const knownChanges = new WeakMap<FunctionTableColumns, Changes>();

function findChanges({ func, total, totalB }: FunctionTableColumns): Changes {
  if (totalB === null) return { appeared: [], vanished: [] };
  const changes: Changes = { appeared: [], vanished: [] };
  for (let row = 0; row < func.length; row += 1) {
    const [a, b] = [total[row] ?? 0, totalB[row] ?? 0];
    if (a > 0 && b === 0) changes.appeared.push(row);
    else if (a === 0 && b > 0) changes.vanished.push(row);
  }
  changes.appeared.sort((one, other) => (total[other] ?? 0) - (total[one] ?? 0));
  changes.vanished.sort((one, other) => (totalB[other] ?? 0) - (totalB[one] ?? 0));
  return changes;
}

/** A table of only those rows, the same object for the same ones. */
export function rowsOnly(table: FunctionTableColumns, rows: readonly number[]): FunctionTableColumns {
  const known = knownParts.get(rows);
  if (known !== undefined) return known;
  const pick = (values: Float64Array): Float64Array => Float64Array.from(rows, (row) => values[row] ?? 0);
  const { selfB, totalB } = table;
  const part: FunctionTableColumns = {
    func: Int32Array.from(rows, (row) => table.func[row] ?? -1),
    self: pick(table.self),
    total: pick(table.total),
    selfB: selfB === null ? null : pick(selfB),
    totalB: totalB === null ? null : pick(totalB),
    ...(table.role === undefined ? {} : { role: Uint8Array.from(rows, (row) => table.role?.[row] ?? 0) }),
    ...(table.folded === undefined ? {} : { folded: rows.map((row) => table.folded?.[row] ?? '') }),
    ...(table.caller === undefined ? {} : { caller: Int32Array.from(rows, (row) => table.caller?.[row] ?? -1) }),
  };
  knownParts.set(rows, part);
  return part;
}

const knownParts = new WeakMap<readonly number[], FunctionTableColumns>();

/** What a function itself waits for, on either side of a comparison; null where it does not. */
export function waitOf({ role, self, selfB }: FunctionTableColumns, row: number): { category: NodeRole; label: string } | null {
  const category = nodeRoles[role?.[row] ?? 0] ?? 'none';
  if (category === 'none' || category === 'idle' || !((self[row] ?? 0) > 0 || (selfB?.[row] ?? 0) > 0)) return null;
  return { category, label: categoryLabels[category] };
}
