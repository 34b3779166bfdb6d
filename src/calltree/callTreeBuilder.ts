import {
  type CallTree,
  type CodeTier,
  type EventColumn,
  type FrameKind,
  type LineTickTable,
  type SampleTable,
  codeTiers,
  frameKinds,
} from '../model/domain/callTree.ts';
import { defined } from '../model/domain/defined.ts';
import { failure } from '../model/domain/failure.ts';
import { remembered } from '../model/domain/remembered.ts';
import { deeperFrames } from './cutStacks.ts';
import { kindCode } from './frameKind.ts';
import { GrowingFloats, GrowingInts, longer } from './growingColumn.ts';
import { NodeTable } from './nodeTable.ts';
import { type TreeLimits, tooLarge, treeLimits } from './treeLimits.ts';

/** Far above what anything weighs, and far enough below the largest number that sums of all samples stay numbers. */
const maxWeight = 1e30;

/** A state is kept as a byte. */
const maxStates = 256;

/** What is counted: the head of an {@link EventColumn}. */
export type EventHead = Pick<EventColumn, 'name' | 'unit'>;

/** One frame of a stack: a function by its number, and the line that was executing in it (0: not known). */
export interface StackFrame {
  func: number;
  line: number;
}

/**
 * Builds a {@link CallTree} from stacks, from the root to the leaf. Nodes are merged by parent, function and line. Everything is bounded: what
 * is deeper than `limits` is cut, with its weight in a frame `(deeper frames)`; what else exceeds them ends in a `FailureError` with the code
 * `profile-too-large`.
 */
export class CallTreeBuilder {
  readonly #nodes: NodeTable;
  /** By event and node; shorter than the nodes where the last ones weigh nothing. */
  readonly #selfs: Float64Array[];
  /** By node; shorter than the nodes where the last ones have no tier. */
  #tiers = new Uint8Array();

  readonly #strings = new Map<string, number>();
  /** Functions of which no more than the name is known, by their kind. */
  readonly #plainFunctions = frameKinds.map(() => new Map<string, number>());
  readonly #functionIds = new Map<string, number>();
  readonly #names: string[] = [];
  readonly #files: string[] = [];
  readonly #functionLines = new GrowingInts();
  readonly #kinds = new GrowingInts();

  readonly #threadIds = new Map<string, number>();
  readonly #sampleTimes = new GrowingFloats();
  readonly #sampleNodes = new GrowingInts();
  readonly #sampleThreads = new GrowingInts();
  readonly #sampleEvents = new GrowingInts();
  readonly #sampleWeights = new GrowingFloats();
  readonly #stateIds = new Map<string, number>([['', 0]]);
  readonly #sampleStates = new GrowingInts();
  readonly #tickNodes = new GrowingInts();
  readonly #tickLines = new GrowingInts();
  readonly #tickCounts = new GrowingFloats();

  constructor(
    private readonly events: readonly EventHead[],
    private readonly limits: Readonly<TreeLimits> = treeLimits,
  ) {
    if (events.length > limits.events) throw tooLarge(`more than ${limits.events} kinds of events`);
    for (const { name } of events) this.#checkLength(name);
    const tooMany = (): Error => tooLarge(`more than ${limits.nodes.toLocaleString('en')} nodes`);
    this.#nodes = new NodeTable({ nodes: limits.nodes, depth: limits.depth, tooMany }, () => this.func(deeperFrames, '', 0, 'other'));
    this.#selfs = events.map(() => new Float64Array(1024));
  }

  /** The number of a function; the same name, file, line (of the declaration, 0: not known) and kind give the same number. */
  func(name: string, file: string, line: number, kind: FrameKind): number {
    const at = wholeLine(line);
    const code = kindCode(kind);
    const isPlain = file === '' && at === 0;
    const ids = isPlain ? (this.#plainFunctions[code] as Map<string, number>) : this.#functionIds;
    const key = isPlain ? name : `${this.#string(name)}:${this.#string(file)}:${at}:${code}`;
    return remembered(ids, key, () => {
      this.#checkLength(name);
      const id = this.#names.length;
      if (id >= this.limits.functions) throw tooLarge(`more than ${this.limits.functions.toLocaleString('en')} functions`);
      this.#names.push(name);
      this.#files.push(file);
      this.#functionLines.push(at);
      this.#kinds.push(code);
      return id;
    });
  }

  /** The number of a thread by its name. */
  thread(name: string): number {
    return this.#number(this.#threadIds, name, this.limits.threads, 'threads');
  }

  /** The number of a thread's state by its name; that of '' is 0. */
  state(name: string): number {
    return this.#number(this.#stateIds, name, maxStates, 'thread states');
  }

  /** The child of a node (0: the root) for a function and an executing line; it is made where there is none. */
  child(parent: number, func: number, line = 0): number {
    return this.#nodes.child(parent, func, line);
  }

  /** The node of a whole stack below a node (0: the root), from its callee to the leaf. */
  stack(frames: readonly StackFrame[], below = 0): number {
    let node = below;
    for (const frame of frames) node = this.child(node, frame.func, frame.line);
    return node;
  }

  /** Records how a node's code was compiled. The last record counts; `unknown` changes nothing. */
  tier(node: number, tier: CodeTier): void {
    this.tierCode(node, codeTiers.indexOf(tier));
  }

  /** As {@link tier}, by the tier's index in `codeTiers`. */
  tierCode(node: number, code: number): void {
    if (code <= 0 || node <= 0 || this.#nodes.isCut(node)) return;
    if (node >= this.#tiers.length) this.#tiers = longer(this.#tiers, Math.max(64, node * 2));
    this.#tiers[node] = code;
  }

  /** Adds to what a node has itself. The weight is in the event's unit. */
  add(node: number, event: number, weight: number): void {
    if (!(weight >= 0 && weight <= maxWeight)) throw badWeight(weight);
    let self = this.#selfs[event];
    if (self === undefined || !(node >= 0 && node < this.#nodes.count)) return;
    if (node >= self.length) this.#selfs[event] = self = longer(self, Math.max(node + 1, self.length * 2));
    self[node] = (self[node] as number) + weight;
  }

  /**
   * Adds a sample with its time (µs from any start), thread (-1: not known) and state (0: not known); its weight counts for the node as by
   * {@link add}.
   */
  sample(timeUs: number, node: number, thread: number, event: number, weight: number, state = 0): void {
    if (this.#sampleNodes.length >= this.limits.samples) throw tooLarge(`more than ${this.limits.samples.toLocaleString('en')} samples`);
    if (!(Math.abs(timeUs) <= Number.MAX_SAFE_INTEGER)) throw badTime(timeUs);
    this.add(node, event, weight);
    this.#sampleTimes.push(timeUs);
    this.#sampleNodes.push(node);
    this.#sampleThreads.push(thread);
    this.#sampleEvents.push(event);
    this.#sampleWeights.push(weight);
    this.#sampleStates.push(state);
  }

  /** Notes that a line of a node's function was seen executing that many times. */
  lineTicks(node: number, line: number, ticks: number): void {
    if (this.#nodes.isCut(node)) return;
    if (this.#tickNodes.length >= this.limits.samples) throw tooLarge(`more than ${this.limits.samples.toLocaleString('en')} line marks`);
    this.#tickNodes.push(node);
    this.#tickLines.push(wholeLine(line));
    this.#tickCounts.push(ticks);
  }

  /** The tree of everything added so far, its nodes in depth-first order, callees in the order of their first appearance. */
  build(): CallTree {
    const { shape, newNumber, line } = this.#nodes.depthFirst();
    const { count: nodeCount, ...columns } = shape;
    const events = this.events.map((head, index) => {
      const self = new Float64Array(nodeCount);
      const source = this.#selfs[index] as Float64Array;
      const weighed = Math.min(nodeCount, source.length);
      for (let node = 0; node < weighed; node += 1) self[newNumber[node] as number] = source[node] as number;
      return { name: head.name, unit: head.unit, self };
    });
    const functions = {
      name: [...this.#names],
      file: [...this.#files],
      line: this.#functionLines.toArray(),
      kind: Uint8Array.from(this.#kinds.toArray()),
    };
    return {
      nodeCount,
      ...columns,
      line,
      events,
      functions,
      threads: [...this.#threadIds.keys()],
      samples: this.#sampleTable(newNumber),
      ...defined({
        states: this.#stateIds.size === 1 ? undefined : [...this.#stateIds.keys()],
        lineTicks: this.#tickTable(newNumber),
        tier: this.#tierColumn(newNumber),
      }),
    };
  }

  #sampleTable(newNumber: Int32Array): SampleTable | null {
    if (this.#sampleNodes.length === 0) return null;
    return {
      timeUs: this.#sampleTimes.toArray(),
      node: this.#sampleNodes.toArray().map((node) => newNumber[node] ?? 0),
      thread: this.#sampleThreads.toArray(),
      event: Uint8Array.from(this.#sampleEvents.toArray()),
      weight: this.#sampleWeights.toArray(),
      ...(this.#stateIds.size === 1 ? {} : { state: Uint8Array.from(this.#sampleStates.toArray()) }),
    };
  }

  #tierColumn(newNumber: Int32Array): Uint8Array | undefined {
    if (this.#tiers.length === 0) return undefined;
    const tier = new Uint8Array(newNumber.length);
    const noted = Math.min(newNumber.length, this.#tiers.length);
    for (let node = 0; node < noted; node += 1) tier[newNumber[node] as number] = this.#tiers[node] as number;
    return tier;
  }

  #tickTable(newNumber: Int32Array): LineTickTable | undefined {
    if (this.#tickNodes.length === 0) return undefined;
    return {
      node: this.#tickNodes.toArray().map((node) => newNumber[node] ?? 0),
      line: this.#tickLines.toArray(),
      ticks: this.#tickCounts.toArray(),
    };
  }

  #string(text: string): number {
    return this.#number(this.#strings, text, Infinity, 'texts');
  }

  #number(numbers: Map<string, number>, text: string, most: number, what: string): number {
    return remembered(numbers, text, () => {
      if (numbers.size >= most) throw tooLarge(`more than ${most.toLocaleString('en')} ${what}`);
      this.#checkLength(text);
      return numbers.size;
    });
  }

  #checkLength(text: string): void {
    if (text.length > this.limits.nameLength)
      throw tooLarge(`a name of more than ${this.limits.nameLength.toLocaleString('en')} characters`);
  }
}

/** A line as the columns keep it: from 1; 0 for everything that is none. */
function wholeLine(line: number): number {
  return Number.isInteger(line) && line > 0 && line <= 0x7fffffff ? line : 0;
}

function badTime(timeUs: number): Error {
  return failure(
    'profile-damaged',
    `This recording has a sample at ${timeUs} µs, which is no time that a clock can tell.`,
    'Record it again; it may be damaged.',
  );
}

function badWeight(weight: number): Error {
  return failure(
    'profile-damaged',
    `This recording has a sample that weighs ${weight}, where a number from 0 to 10³⁰ is needed.`,
    'Open the recording itself, not a difference of two, and record again if it is damaged.',
  );
}
