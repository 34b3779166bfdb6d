import { type FunctionTable, frameKinds, measuredWaits, nodeRoles } from '../../model/domain/callTree.ts';
import { remembered } from '../../model/domain/remembered.ts';
import { isRootFrame } from '../rootFrameName.ts';
import { libraryName } from './libraryName.ts';

/** What a part of the weight is: a wait for something, work of the runtime, a thread without work, or code that runs. */
export const causeKinds = ['code', 'idle', 'poolWait', 'databaseWait', 'lockWait', 'otherWait', 'gc', 'jit'] as const;
export type CauseKind = (typeof causeKinds)[number];

/** A tree of which is asked where its weight comes from: nodes in depth-first order, node 0 is the root. */
export interface CauseSource {
  parent: Int32Array;
  func: Int32Array;
  line: Int32Array | null;
  role: Uint8Array | null;
  /** What each node has itself; 0 for what is not to count. */
  weight: Float64Array;
  functions: FunctionTable;
  /** The event's name: what was recorded as waiting waits, whatever its frames are, and memory is never waited for. */
  event: string;
}

/** A frame with the line that was executing there for most of a weight, 0 where not known. */
export interface CausePlace {
  func: number;
  line: number;
  weight: number;
}

/** One part of the weight. Parts do not overlap, and together they are all of it. */
export interface Cause {
  kind: CauseKind;
  /** The innermost function of the user's code on its stacks; -1 where there is none. */
  func: number;
  /** Where there is none of the user's code: the library that it is in, else ''. */
  library: string;
  weight: number;
}

/** What is shown of a cause in addition to its weight. */
export interface CauseDetails {
  /** The line in its function, 0 where not known. */
  line: number;
  /** What the function has itself. */
  own: number;
  /** The heaviest of those that the function calls. */
  callee: CausePlace | null;
  /** Where several functions of the user's code come to it by the same way: the one from which most of it comes. */
  caller: CausePlace | null;
}

/** Where the weight of a tree comes from, the heaviest part first. */
export interface Causes {
  total: number;
  causes: readonly Cause[];
  detailsOf(cause: Cause): CauseDetails;
}

const codeOf = (kind: CauseKind): number => causeKinds.indexOf(kind);
const codeOfRole = nodeRoles.map((role) => (role === 'none' ? 0 : codeOf(role)));
const memory = new Set(['alloc', 'heap']);
const kindNumber = (kind: (typeof frameKinds)[number]): number => frameKinds.indexOf(kind);
const [gcFrame, jitFrame, dependencyFrame] = [kindNumber('gc'), kindNumber('jit'), kindNumber('dependency')];
/** From this share on, stacks count as all going through the same caller. */
const nearlyAll = 0.95;
const mostCallers = 24;

/** Splits a weight by its kind and by the function that asked for it: one pass over the nodes. */
export function causesOf(source: CauseSource): Causes {
  const walk = new CauseWalk(source);
  const causes = walk.causes();
  return { total: walk.total, causes, detailsOf: (cause) => walk.details(cause) };
}

class CauseWalk {
  total = 0;
  /** By node: the nearest node of the user's code at or above it, 0 where there is none. */
  readonly #owner: Int32Array;
  readonly #kind: Uint8Array;
  /** By node without an owner: the nearest node of a dependency at or above it, 0 where there is none. */
  readonly #library: Int32Array;
  readonly #libraries: (string | undefined)[] = [];

  constructor(private readonly source: CauseSource) {
    const count = source.func.length;
    this.#owner = new Int32Array(count);
    this.#library = new Int32Array(count);
    this.#kind = new Uint8Array(count);
    this.#walk();
  }

  causes(): Cause[] {
    const { weight, func, functions } = this.source;
    const owned = new Map<number, Float64Array>();
    const others = new Map<string, Cause>();
    for (let node = 0; node < weight.length; node += 1) {
      const own = weight[node] as number;
      if (!(own > 0)) continue;
      this.total += own;
      const kind = this.#kind[node] as number;
      const by = this.#owner[node] as number;
      if (by > 0) {
        const sums = remembered(owned, kind, () => new Float64Array(functions.name.length));
        const one = func[by] as number;
        sums[one] = (sums[one] as number) + own;
        continue;
      }
      const library = this.#libraryOf(node);
      const cause = remembered(others, `${kind} ${library}`, () => ({ kind: causeKinds[kind] as CauseKind, func: -1, library, weight: 0 }));
      cause.weight += own;
    }
    const causes = [...others.values()];
    for (const [kind, sums] of owned) {
      for (let one = 0; one < sums.length; one += 1)
        if ((sums[one] as number) > 0)
          causes.push({ kind: causeKinds[kind] as CauseKind, func: one, library: '', weight: sums[one] as number });
    }
    return causes.sort((a, b) => b.weight - a.weight || a.func - b.func);
  }

  details(cause: Cause): CauseDetails {
    const { weight, func, parent } = this.source;
    if (cause.func < 0) return { line: 0, own: 0, callee: null, caller: null };
    const kind = codeOf(cause.kind);
    const owners = new Map<number, number>();
    const callees = new Map<number, number>();
    let own = 0;
    for (let node = 1; node < weight.length; node += 1) {
      const by = this.#owner[node] as number;
      if (by === 0 || func[by] !== cause.func || this.#kind[node] !== kind || !((weight[node] as number) > 0)) continue;
      owners.set(by, (owners.get(by) ?? 0) + (weight[node] as number));
      if (by === node) {
        own += weight[node] as number;
        continue;
      }
      let callee = node;
      while (parent[callee] !== by) callee = parent[callee] as number;
      callees.set(callee, (callees.get(callee) ?? 0) + (weight[node] as number));
    }
    const line = this.#placeOf(owners)?.line ?? 0;
    return { line, own, callee: this.#heaviestFunction(callees), caller: this.#callerOf(owners) };
  }

  /** Marks each node with what it is and whose it is. */
  #walk(): void {
    const { parent, func, role, functions, event } = this.source;
    const frame = functions.kind;
    const ownKind = this.#ownKind();
    const fixed = measuredWaits.get(event);
    const isMemory = memory.has(event);
    for (let node = 1; node < func.length; node += 1) {
      const above = parent[node] as number;
      const kindOfFrame = frame[func[node] as number] as number;
      const isOwn = ownKind === null || kindOfFrame === ownKind;
      this.#owner[node] = isOwn ? node : (this.#owner[above] as number);
      this.#library[node] = kindOfFrame === dependencyFrame ? node : (this.#library[above] as number);
      if (fixed !== undefined) {
        this.#kind[node] = codeOf(fixed);
        continue;
      }
      const byRole = isMemory || role === null ? 0 : (codeOfRole[role[node] as number] as number);
      const byFrame = kindOfFrame === gcFrame ? codeOf('gc') : kindOfFrame === jitFrame ? codeOf('jit') : 0;
      const kind = byRole || byFrame || (isOwn || isMemory ? 0 : (this.#kind[above] as number));
      this.#kind[node] = kind;
      // Idle threads and the work of the runtime itself have no caller, whatever they interrupted.
      if (kind === codeOf('gc') || kind === codeOf('jit') || kind === codeOf('idle')) this.#owner[node] = 0;
    }
  }

  /** The kind of frame that is the user's own: the app's; where nothing is, what nothing is known of; null: every frame is its own. */
  #ownKind(): number | null {
    const { func, functions } = this.source;
    const seen = new Uint8Array(frameKinds.length);
    for (let node = 1; node < func.length; node += 1) {
      const one = func[node] as number;
      if (!isRootFrame(functions.name[one] ?? '')) seen[functions.kind[one] as number] = 1;
    }
    for (const kind of ['app', 'other'] as const) if (seen[kindNumber(kind)] === 1) return kindNumber(kind);
    return null;
  }

  #libraryOf(node: number): string {
    const kind = this.#kind[node] as number;
    if (node === 0 || kind === codeOf('gc') || kind === codeOf('jit') || kind === codeOf('idle')) return '';
    const { func, functions } = this.source;
    const one = func[(this.#library[node] as number) || node] as number;
    return (this.#libraries[one] ??= libraryName(functions, one));
  }

  /** Of some nodes the function that weighs most. */
  #heaviestFunction(nodes: ReadonlyMap<number, number>): CausePlace | null {
    const sums = new Map<number, Map<number, number>>();
    for (const [node, weight] of nodes) {
      const one = this.source.func[node] as number;
      remembered(sums, one, () => new Map<number, number>()).set(node, weight);
    }
    let best: CausePlace | null = null;
    for (const ofFunction of sums.values()) {
      const place = this.#placeOf(ofFunction);
      if (place !== null && (best === null || place.weight > best.weight)) best = place;
    }
    return best;
  }

  /** Of nodes of one function, the line that weighs most, and what they weigh together. */
  #placeOf(nodes: ReadonlyMap<number, number>): CausePlace | null {
    const { func, line } = this.source;
    const lines = new Map<number, number>();
    let [weight, one] = [0, -1];
    for (const [node, own] of nodes) {
      const at = line?.[node] ?? 0;
      lines.set(at, (lines.get(at) ?? 0) + own);
      weight += own;
      one = func[node] as number;
    }
    const [heaviest] = [...lines].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return heaviest === undefined ? null : { func: one, line: heaviest[0], weight };
  }

  /**
   * Goes up from the nodes of a function to where the stacks of the user's code first part, and on along the heaviest branch as long as it is
   * alone on its way: to the function that asks, past what all who ask go through.
   */
  #callerOf(owners: ReadonlyMap<number, number>): CausePlace | null {
    let whole = 0;
    for (const weight of owners.values()) whole += weight;
    let nodes = owners;
    for (let level = 0; level < mostCallers; level += 1) {
      nodes = this.#callersOf(nodes);
      const heaviest = this.#heaviestFunction(nodes);
      if (heaviest === null) return null;
      if (heaviest.weight < nearlyAll * whole) return this.#alongBranch(heaviest, nodes, this.#sumsAbove(owners));
    }
    return null;
  }

  #alongBranch(first: CausePlace, at: ReadonlyMap<number, number>, all: ReadonlyMap<number, number>): CausePlace {
    const { func } = this.source;
    let best = first;
    let nodes = new Map([...at].filter(([node]) => func[node] === first.func));
    for (let level = 0; level < mostCallers; level += 1) {
      const callers = this.#callersOf(nodes);
      const next = this.#heaviestFunction(callers);
      if (next === null || next.weight < nearlyAll * first.weight || (all.get(next.func) ?? 0) * nearlyAll > first.weight) break;
      best = next;
      nodes = new Map([...callers].filter(([node]) => func[node] === next.func));
    }
    return best;
  }

  /** By function of the user's code, what of some nodes goes through it. */
  #sumsAbove(nodes: ReadonlyMap<number, number>): Map<number, number> {
    const { func, parent } = this.source;
    const sums = new Map<number, number>();
    for (const [node, weight] of nodes) {
      const seen = new Set<number>();
      for (let at = node; at > 0; at = this.#owner[parent[at] as number] as number) seen.add(func[at] as number);
      for (const one of seen) sums.set(one, (sums.get(one) ?? 0) + weight);
    }
    return sums;
  }

  /** The nearest node of the user's code that called each; a function that calls itself is one step. */
  #callersOf(nodes: ReadonlyMap<number, number>): Map<number, number> {
    const { func, parent } = this.source;
    const callers = new Map<number, number>();
    for (const [node, weight] of nodes) {
      let caller = this.#owner[parent[node] as number] as number;
      while (caller > 0 && func[caller] === func[node]) caller = this.#owner[parent[caller] as number] as number;
      if (caller > 0) callers.set(caller, (callers.get(caller) ?? 0) + weight);
    }
    return callers;
  }
}
