import type { CallTree } from '../model/domain/callTree.ts';
import type { LineTable } from '../model/domain/flame.ts';
import { shortened } from '../model/domain/plainText.ts';
import { remembered } from '../model/domain/remembered.ts';
import { firstLines } from './functionLines.ts';
import { type SourceFile, sourceFileOf } from './sourceFile.ts';
import { withoutIdle } from './stackRoles.ts';
import { type FunctionTotals, nodeTotals, sumsByFunction } from './totals.ts';

const maxLines = 20_000;
const maxFunctions = 20_000;
const maxCallers = 5;
const maxNameLength = 300;
/** Columns of what V8's position ticks were counted for: ticks say nothing of where memory was allocated or waited. */
const tickedEvents = new Set(['cpu', 'samples']);

type TableFile = LineTable['files'][number];

/**
 * What each source line and function weighs, in all events. A line counts once per stack, however often the stack goes through it; inlined
 * functions are frames of their own and count for their own lines. Where the recording contains only which lines were executing (V8's position
 * ticks), a line's total is its self weight. Threads that wait for work are left out, of the events' totals too. At most 20,000 lines and as
 * many functions, the heaviest by their share in any event. A function whose declaration is not known has the first line that was seen.
 *
 * @param requests served while it was recorded, null where not known.
 */
export function lineTable(tree: CallTree, requests: number | null): LineTable {
  const events = tree.events.map(({ name, unit, self }) => ({ name, unit, self: withoutIdle(tree, self) }));
  const active: CallTree = { ...tree, events };
  const totals = events.map((event) => nodeTotals(active, event));
  const files = tree.functions.name.map((_name, func) => sourceFileOf(tree.functions, func));
  const lines = new Lines(files);
  const ofNode = new Int32Array(tree.nodeCount).fill(-1);
  const firstLine = firstLines(tree);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    const line = tree.line[node] as number;
    if (line !== 0) ofNode[node] = lines.number(func, line);
  }
  const ticks = tickShares(active, lines);
  /** By event, sums by a number that nodes have (of a line or of a function), -1 for none. */
  const weigh = (numberOf: Int32Array, count: number): FunctionTotals[] =>
    events.map(({ self }, index) =>
      sumsByFunction({ func: numberOf, subtreeEnd: tree.subtreeEnd }, { self, total: totals[index] as Float64Array }, count),
    );
  const lineWeights = weigh(ofNode, lines.all.length);
  for (const { node, line, share } of ticks) {
    for (const [index, { self, total }] of lineWeights.entries()) {
      const event = events[index];
      if (event === undefined || !tickedEvents.has(event.name)) continue;
      const weight = (event.self[node] as number) * share;
      for (const column of [self, total]) column[line] = (column[line] as number) + weight;
    }
  }
  const functionWeights = weigh(tree.func, tree.functions.name.length);
  const all = totals.map((column) => column[0] as number);
  const keptLines = heaviest(lineWeights, all, lines.all.length, maxLines, () => true);
  const usable = (func: number): boolean => files[func]?.kind === 'path' || (files[func]?.kind === 'javaClass' && firstLine[func] !== 0);
  const keptFunctions = heaviest(functionWeights, all, tree.functions.name.length, maxFunctions, usable);
  const kept = keptLines.map((number) => ({ number, ...(lines.all[number] as { func: number; line: number }) }));
  const callers = callersOf(active, totals, new Set(kept.map(({ func }) => func)));
  const tables = new Map<string, TableFile>();
  const tableOf = (func: number): TableFile => {
    const { file, kind } = files[func] as SourceFile;
    return remembered(tables, `${kind}:${file}`, () => ({ file, kind, lines: [], functions: [] }));
  };
  for (const { number, func, line } of kept.sort((a, b) => a.line - b.line))
    tableOf(func).lines.push({ line, ...weightsAt(lineWeights, number), callers: callers.get(func) ?? [] });
  for (const func of keptFunctions) {
    const declared = tree.functions.line[func] as number;
    const line = declared === 0 ? (firstLine[func] as number) : declared;
    tableOf(func).functions.push({ name: nameOf(tree, func), line, ...weightsAt(functionWeights, func) });
  }
  return { events: events.map(({ name, unit }, index) => ({ name, unit, total: all[index] ?? 0 })), requests, files: [...tables.values()] };
}

/** Lines by number: each line of a source file once, whichever functions are on it, with the function that was first seen there. */
class Lines {
  readonly #numbers = new Map<string, Map<number, number>>();
  readonly all: { func: number; line: number }[] = [];

  constructor(private readonly files: readonly (SourceFile | null)[]) {}

  /** -1 where the function's source is not known. */
  number(func: number, line: number): number {
    const source = this.files[func] ?? null;
    if (source === null) return -1;
    const ofFile = remembered(this.#numbers, source.file, () => new Map<number, number>());
    return remembered(ofFile, line, () => this.all.push({ func, line }) - 1);
  }
}

/** The share of its node's self weight that each tick represents. Ticks above the function's declaration are of code inlined from elsewhere. */
function tickShares(tree: CallTree, lines: Lines): { node: number; line: number; share: number }[] {
  const { lineTicks } = tree;
  if (lineTicks === undefined) return [];
  const sums = new Float64Array(tree.nodeCount);
  for (let row = 0; row < lineTicks.node.length; row += 1) {
    const node = lineTicks.node[row] as number;
    sums[node] = (sums[node] as number) + (lineTicks.ticks[row] as number);
  }
  const shares: { node: number; line: number; share: number }[] = [];
  for (let row = 0; row < lineTicks.node.length; row += 1) {
    const node = lineTicks.node[row] as number;
    const line = lineTicks.line[row] as number;
    const func = tree.func[node] as number;
    const ticks = lineTicks.ticks[row] as number;
    if (node === 0 || tree.line[node] !== 0 || line < Math.max(1, tree.functions.line[func] as number) || !(ticks > 0)) continue;
    const number = lines.number(func, line);
    if (number !== -1) shares.push({ node, line: number, share: ticks / (sums[node] as number) });
  }
  return shares;
}

/** The numbers that weigh anything, at most so many: the heaviest by their largest share in any event. */
function heaviest(
  weights: readonly FunctionTotals[],
  all: readonly number[],
  count: number,
  most: number,
  usable: (number: number) => boolean,
): number[] {
  const shares = new Float64Array(count);
  const found: number[] = [];
  for (let number = 0; number < count; number += 1) {
    for (const [event, { total }] of weights.entries()) {
      const share = (total[number] as number) / (all[event] as number);
      if (share > (shares[number] as number)) shares[number] = share;
    }
    if ((shares[number] as number) > 0 && usable(number)) found.push(number);
  }
  return found.sort((a, b) => (shares[b] as number) - (shares[a] as number) || a - b).slice(0, most);
}

/** The heaviest callers of some functions, by the caller of the outermost frame of each. */
function callersOf(
  tree: CallTree,
  totals: readonly Float64Array[],
  wanted: ReadonlySet<number>,
): Map<number, { name: string; weights: number[] }[]> {
  const sums = new Map<number, Map<number, number[]>>();
  const outermostEnd = new Int32Array(tree.functions.name.length);
  for (let node = 1; node < tree.nodeCount; node += 1) {
    const func = tree.func[node] as number;
    if (!wanted.has(func) || node < (outermostEnd[func] as number)) continue;
    outermostEnd[func] = tree.subtreeEnd[node] as number;
    const caller = tree.func[tree.parent[node] as number] as number;
    if (caller < 0) continue;
    const ofFunc = remembered(sums, func, () => new Map<number, number[]>());
    const weights = remembered(ofFunc, caller, () => totals.map(() => 0));
    for (let event = 0; event < totals.length; event += 1)
      weights[event] = (weights[event] as number) + ((totals[event] as Float64Array)[node] as number);
  }
  const shareOf = (weights: readonly number[]): number =>
    Math.max(...weights.map((weight, event) => weight / Math.max(totals[event]?.[0] ?? 0, Number.MIN_VALUE)), 0);
  const heaviestOf = (callers: ReadonlyMap<number, number[]>): { name: string; weights: number[] }[] => {
    const sorted = [...callers].sort((a, b) => shareOf(b[1]) - shareOf(a[1]));
    return sorted.slice(0, maxCallers).map(([caller, weights]) => ({ name: nameOf(tree, caller), weights }));
  };
  return new Map(Array.from(sums, ([func, callers]) => [func, heaviestOf(callers)]));
}

function weightsAt(weights: readonly FunctionTotals[], number: number): { self: number[]; total: number[] } {
  return { self: weights.map(({ self }) => self[number] as number), total: weights.map(({ total }) => total[number] as number) };
}

function nameOf({ functions }: CallTree, func: number): string {
  return shortened(functions.name[func] ?? '', maxNameLength);
}
