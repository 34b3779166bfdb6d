import { readFileSync } from 'node:fs';
import { damaged } from '../../calltree/treeLimits.ts';
import type { GrowingClass, LeakHolder } from '../../model/domain/leak.ts';
import { type JsonObject, listOf, numberOr, objectOf, parseJsonDocument, placesIn, textOr } from './jsonDocument.ts';

/** What is new in the last of some snapshots, and on what it hangs. */
export interface HeapCensus {
  classes: GrowingClass[];
  holders: LeakHolder[];
}

const format = 'heap snapshot';
const mostClasses = 10;
const mostHolders = 3;
/** Of all new bytes, a holder with less is not worth a line. */
const leastShare = 0.05;
/** Survivors of the poorest cycle over those of the richest: what requests leave behind is left in every cycle. */
const evenShare = 0.25;
/** From the part of an object that holds its elements to the object. */
const mostSteps = 6;
/** Code and what describes objects grows as a program runs warm, and is nobody’s data. */
const inner: ReadonlySet<string> = new Set(['hidden', 'code', 'synthetic', 'object shape']);
const strings: ReadonlySet<string> = new Set(['string', 'concatenated string', 'sliced string']);
const named: ReadonlySet<string> = new Set(['context', 'property', 'shortcut']);

/** Reads snapshots of one process, in their order, and compares them by {@link heapCensus}. V8 gives an object the same number in all of them. */
export function readHeapCensus(files: readonly string[], least: number): HeapCensus {
  const [last, ...before] = [...files].reverse();
  if (last === undefined) return { classes: [], holders: [] };
  const marks = before.reverse().map((file) => new Snapshot(documentOf(file)).largestId);
  return heapCensus(documentOf(last), marks, least);
}

function documentOf(file: string): JsonObject {
  return parseJsonDocument(readFileSync(file), format);
}

/**
 * Counts the objects of a snapshot by the cycle of their birth. `marks` are the largest numbers of objects in the snapshots before it: an object with a larger
 * one was born later. A class grows if objects of it that were born in every cycle are still there, at least `least` of each.
 */
export function heapCensus(document: JsonObject, marks: readonly number[], least: number): HeapCensus {
  const snapshot = new Snapshot(document);
  const [oldest] = marks;
  if (oldest === undefined) return { classes: [], holders: [] };
  const groups = new Map<string, GrowingClass>();
  for (let node = 0; node < snapshot.count; node += 1) {
    const id = snapshot.id(node);
    const kind = snapshot.kind(node);
    if (id <= oldest || inner.has(kind)) continue;
    const name = snapshot.className(node);
    const group = groups.get(name) ?? { name, perCycle: marks.map(() => 0), bytes: 0 };
    groups.set(name, group);
    const cycle = marks.findLastIndex((mark) => id > mark);
    group.perCycle[cycle] = (group.perCycle[cycle] ?? 0) + 1;
    group.bytes += snapshot.size(node);
  }
  const grows = ({ perCycle }: GrowingClass): boolean => Math.min(...perCycle) >= Math.max(1, least, evenShare * Math.max(...perCycle));
  const classes = [...groups.values()].filter(grows).sort((a, b) => b.bytes - a.bytes);
  return { classes: classes.slice(0, mostClasses), holders: holdersOf(snapshot, oldest, least * marks.length) };
}

/** The older objects through which new ones are reached, each new one counted for the first that is found. */
function holdersOf(snapshot: Snapshot, oldest: number, least: number): LeakHolder[] {
  const owner = new Int32Array(snapshot.count).fill(-1);
  const queue: number[] = [];
  const reach = (from: number, by: number): void => {
    for (const to of snapshot.strongEdges(from)) {
      if (owner[to] !== -1 || snapshot.id(to) <= oldest) continue;
      owner[to] = by;
      queue.push(to);
    }
  };
  const spread = (): void => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) reach(next, owner[next] ?? -1);
  };
  for (const isInner of [false, true]) {
    for (let node = 0; node < snapshot.count; node += 1)
      if (snapshot.id(node) <= oldest && inner.has(snapshot.kind(node)) === isInner) reach(node, node);
    spread();
  }
  const sums = new Map<number, { objects: number; bytes: number }>();
  let total = 0;
  for (let node = 0; node < snapshot.count; node += 1) {
    const by = owner[node] ?? -1;
    if (by === -1 || inner.has(snapshot.kind(node))) continue;
    const sum = sums.get(by) ?? { objects: 0, bytes: 0 };
    sums.set(by, { objects: sum.objects + 1, bytes: sum.bytes + snapshot.size(node) });
    total += snapshot.size(node);
  }
  const largest = [...sums].filter(([, { objects, bytes }]) => objects >= least && bytes >= leastShare * total);
  return largest
    .sort(([, a], [, b]) => b.bytes - a.bytes)
    .slice(0, mostHolders)
    .map(([node, sum]) => ({ ...snapshot.described(node), ...sum }));
}

/** The tables of one snapshot. Fails with `profile-damaged` where they are none. */
class Snapshot {
  readonly count: number;
  readonly #nodes: readonly unknown[];
  readonly #edges: readonly unknown[];
  readonly #strings: readonly unknown[];
  readonly #nodeKinds: readonly unknown[];
  readonly #edgeKinds: readonly unknown[];
  readonly #width: number;
  readonly #edgeWidth: number;
  readonly #at: Readonly<Record<'type' | 'name' | 'id' | 'self_size' | 'edge_count', number>>;
  readonly #edgeAt: Readonly<Record<'type' | 'name_or_index' | 'to_node', number>>;
  /** Where the edges of each node begin, in edges. */
  readonly #firstEdge: Uint32Array;

  constructor(document: JsonObject) {
    const meta = objectOf(objectOf(document['snapshot'], format, '“snapshot”')['meta'], format, '“meta”');
    const nodeFields = listOf(meta['node_fields'], format, '“node_fields”');
    const edgeFields = listOf(meta['edge_fields'], format, '“edge_fields”');
    this.#nodes = listOf(document['nodes'], format, '“nodes”');
    this.#edges = listOf(document['edges'], format, '“edges”');
    this.#strings = listOf(document['strings'], format, '“strings”');
    this.#nodeKinds = listOf(listOf(meta['node_types'], format, '“node_types”')[0], format, 'the types of its nodes');
    this.#edgeKinds = listOf(listOf(meta['edge_types'], format, '“edge_types”')[0], format, 'the types of its edges');
    this.#at = places(nodeFields, ['type', 'name', 'id', 'self_size', 'edge_count']);
    this.#edgeAt = places(edgeFields, ['type', 'name_or_index', 'to_node']);
    [this.#width, this.#edgeWidth] = [nodeFields.length, edgeFields.length];
    this.count = Math.floor(this.#nodes.length / this.#width);
    this.#firstEdge = new Uint32Array(this.count + 1);
    for (let node = 0; node < this.count; node += 1)
      this.#firstEdge[node + 1] = (this.#firstEdge[node] ?? 0) + Math.max(0, this.#field(node, 'edge_count'));
    if ((this.#firstEdge[this.count] ?? 0) * this.#edgeWidth > this.#edges.length)
      throw damaged(format, 'it has fewer edges than it names');
  }

  get largestId(): number {
    let largest = 0;
    for (let node = 0; node < this.count; node += 1) largest = Math.max(largest, this.id(node));
    return largest;
  }

  /**
   * The number of an object, which rises with its birth. V8 numbers objects of its heap by odd numbers; what a program in C++ reports has an even one that says
   * nothing of its age, and counts as old: 0.
   */
  id(node: number): number {
    const id = this.#field(node, 'id');
    return id % 2 === 1 ? id : 0;
  }

  size(node: number): number {
    return Math.max(0, this.#field(node, 'self_size'));
  }

  kind(node: number): string {
    return textOr(this.#nodeKinds[this.#field(node, 'type')], 'other');
  }

  /** What a node is counted under: its constructor, or what V8 itself makes. */
  className(node: number): string {
    const kind = this.kind(node);
    if (strings.has(kind)) return '(string)';
    const name = this.#text(this.#field(node, 'name'));
    if (kind === 'closure') return `function ${name === '' ? '(anonymous)' : name}`;
    return kind === 'object' || kind === 'native' ? name || '(unnamed)' : `(${kind})`;
  }

  /** Where the edges of a node lead that keep their ends alive. */
  *strongEdges(node: number): Generator<number> {
    for (let edge = this.#firstEdge[node] ?? 0; edge < (this.#firstEdge[node + 1] ?? 0); edge += 1)
      if (this.#edgeKind(edge) !== 'weak') yield this.#end(edge);
  }

  /** What a node is and what it is called by what holds it; of the elements of an object, the object. */
  described(node: number): Pick<LeakHolder, 'kind' | 'name'> {
    let shown = node;
    for (let steps = 0; steps < mostSteps; steps += 1) {
      const isPart = inner.has(this.kind(shown)) || this.kind(shown) === 'array';
      const { name, holder } = this.#holderOf(shown);
      if (name !== null || !isPart || holder === null) return { kind: this.className(shown), name };
      shown = holder;
    }
    return { kind: this.className(shown), name: null };
  }

  /** The name by which a node is held, a variable before a property; and one that holds it. */
  #holderOf(node: number): { name: string | null; holder: number | null } {
    let found: { kind: string; name: string } | null = null;
    let holder: number | null = null;
    for (let from = 0; from < this.count; from += 1) {
      for (let edge = this.#firstEdge[from] ?? 0; edge < (this.#firstEdge[from + 1] ?? 0); edge += 1) {
        const kind = this.#edgeKind(edge);
        if (this.#end(edge) !== node || from === node || kind === 'weak') continue;
        if (holder === null || inner.has(this.kind(holder))) holder = from;
        if (!named.has(kind) || found?.kind === 'context') continue;
        const name = this.#text(numberOr(this.#edges[edge * this.#edgeWidth + this.#edgeAt.name_or_index], -1));
        if (name !== '' && (found === null || kind === 'context')) found = { kind, name };
      }
    }
    return { name: found?.name ?? null, holder };
  }

  #edgeKind(edge: number): string {
    return textOr(this.#edgeKinds[numberOr(this.#edges[edge * this.#edgeWidth + this.#edgeAt.type], -1)], '');
  }

  #end(edge: number): number {
    const at = numberOr(this.#edges[edge * this.#edgeWidth + this.#edgeAt.to_node], 0) / this.#width;
    return Number.isInteger(at) && at >= 0 && at < this.count ? at : 0;
  }

  #field(node: number, field: 'type' | 'name' | 'id' | 'self_size' | 'edge_count'): number {
    return numberOr(this.#nodes[node * this.#width + this.#at[field]], 0);
  }

  #text(index: number): string {
    return textOr(this.#strings[index], '');
  }
}

function places<F extends string>(fields: readonly unknown[], wanted: readonly F[]): Record<F, number> {
  const found = placesIn(fields, wanted);
  const missing = wanted.find((field) => found[field] === -1);
  if (missing !== undefined) throw damaged(format, `it has no field ${missing}`);
  return found;
}
