import type { FunctionTable } from '../model/domain/callTree.ts';
import { remembered } from '../model/domain/remembered.ts';
import { addStacks, renumbered, viewNodes } from './viewNodes.ts';
import { type TreeShape, type ViewTree, reshapedView } from './viewTree.ts';

/**
 * The functions of two recordings in one table: first all of a with their own numbers, then those that only b has. A function is the same in
 * both when its name and file are, as lines move between versions; functions of one recording that agree in both count as one in a comparison.
 */
export interface SharedFunctions {
  /** `inA`, `inB`: the function's number in each recording, -1 where it is not there. */
  names: FunctionTable & { inA: Int32Array; inB: Int32Array };
  /** Number in a comparison for each function of a, of b, and of the shared table. */
  ofA: Int32Array;
  ofB: Int32Array;
  ofShared: Int32Array;
}

export function shareFunctions(a: FunctionTable, b: FunctionTable): SharedFunctions {
  const known = new Map<string, number>();
  const name = [...a.name];
  const file = [...a.file];
  const line = [...a.line];
  const kind = [...a.kind];
  const key = (table: FunctionTable, func: number): string => `${table.name[func]}\u0000${table.file[func]}`;
  const ofA = Int32Array.from(a.name, (_, func) => remembered(known, key(a, func), () => func));
  const ofB = Int32Array.from(b.name, (text, func) => {
    return remembered(known, key(b, func), () => {
      file.push(b.file[func] ?? '');
      line.push(b.line[func] ?? 0);
      kind.push(b.kind[func] ?? 0);
      return name.push(text) - 1;
    });
  });
  const ofShared = Int32Array.from(name, (_, func) => ofA[func] ?? func);
  const inA = Int32Array.from(name, (_, func) => (func < a.name.length ? func : -1));
  const firstInB = new Int32Array(name.length).fill(-1);
  for (let func = ofB.length - 1; func >= 0; func -= 1) firstInB[ofB[func] as number] = func;
  const inB = ofShared.map((func) => firstInB[func] as number);
  return { names: { name, file, line: Int32Array.from(line), kind: Uint8Array.from(kind), inA, inB }, ofA, ofB, ofShared };
}

/** The stacks of two recordings in one tree, and where the nodes of each went. */
export interface UnionTree {
  shape: TreeShape;
  placeA: Int32Array;
  placeB: Int32Array;
}

export function uniteTrees(a: TreeShape, b: TreeShape, { ofA, ofB }: SharedFunctions): UnionTree {
  const table = viewNodes(Infinity);
  const [inA, inB] = [addStacks(table, a, ofA, null), addStacks(table, b, ofB, null)];
  const { shape, newNumber } = table.depthFirst();
  return { shape, placeA: renumbered(inA, newNumber), placeB: renumbered(inB, newNumber) };
}

/** The stacks of one side as a view of the union. */
export function sideInUnion(side: ViewTree, number: Int32Array, shape: TreeShape, place: Int32Array): ViewTree {
  const func = side.func.map((own) => (own < 0 ? -1 : (number[own] as number)));
  return reshapedView({ ...side, func }, { shape, place });
}

/** Both sides in one view. Marks of a node other than its weight are those of a, or of b where a does not have the node. */
export function unitedView(a: ViewTree, b: ViewTree): ViewTree {
  const first = a.first as Int32Array;
  return {
    ...a,
    line: eitherColumn(first, a.line, b.line, Int32Array),
    role: eitherColumn(first, a.role, b.role, Uint8Array),
    tier: eitherColumn(first, a.tier, b.tier, Uint8Array),
    weights: [...a.weights, ...b.weights],
  };
}

function eitherColumn<T extends Int32Array | Uint8Array>(
  first: Int32Array,
  a: T | null,
  b: T | null,
  make: new (length: number) => T,
): T | null {
  if (a === null && b === null) return null;
  const column = new make(first.length);
  for (let node = 0; node < first.length; node += 1) column[node] = ((first[node] as number) >= 0 ? a?.[node] : b?.[node]) ?? 0;
  return column;
}
