import { GrowingFloats, GrowingInts, longer } from '../../calltree/growingColumn.ts';
import { FieldNames, JsonScanner, ScanStop } from './jsonScanner.ts';
import type { ScriptPlace } from './scriptPlaces.ts';
import { tooLarge, treeLimits } from '../../calltree/treeLimits.ts';

/** A CPU profile of V8 as columns. A column that the profile does not have is empty. */
export class ScannedProfile {
  /** Call frames, each with its bytes once. */
  readonly frames: ScriptPlace[] = [];
  /** By node, in the order of the file. */
  readonly ids = new GrowingInts();
  readonly frameOf = new GrowingInts();
  readonly hitCounts = new GrowingFloats();
  /** -1: not said. */
  readonly parentIds = new GrowingInts();
  /** The ids of all children, node after node; those of node n end at `childEnds[n]`. */
  readonly childIds = new GrowingInts();
  readonly childEnds = new GrowingInts();
  readonly tickNodes = new GrowingInts();
  readonly tickLines = new GrowingFloats();
  readonly tickCounts = new GrowingFloats();
  readonly samples = new GrowingInts();
  readonly timeDeltas = new GrowingFloats();
  hasTimeDeltas = false;

  /** Adds a node whose children were added to {@link childIds} last. */
  addNode(id: number, frame: number, hitCount: number, parentId: number): void {
    this.ids.push(id);
    this.frameOf.push(frame);
    this.hitCounts.push(hitCount);
    this.parentIds.push(parentId);
    this.childEnds.push(this.childIds.length);
  }

  addTick(node: number, line: number, ticks: number): void {
    this.tickNodes.push(node);
    this.tickLines.push(line);
    this.tickCounts.push(ticks);
  }
}

const profileFields = ['nodes', 'samples', 'timeDeltas', 'head', 'shared', 'profiles'] as const;
const nodeFields = ['id', 'callFrame', 'hitCount', 'children', 'positionTicks', 'parent'] as const;
const tickFields = ['line', 'ticks'] as const;
const frameFields = ['functionName', 'url', 'lineNumber', 'columnNumber'] as const;

/** The separators between the values of a node that V8 writes. */
const usual = {
  id: bytesOf('{"id":'),
  callFrame: bytesOf(',"callFrame":'),
  hitCount: bytesOf(',"hitCount":'),
  children: bytesOf(',"children":'),
  positionTicks: bytesOf(',"positionTicks":['),
  line: bytesOf('{"line":'),
  ticks: bytesOf(',"ticks":'),
  comma: bytesOf(','),
  endOfList: bytesOf(']'),
  end: bytesOf('}'),
};

/** After so many nodes of another form the usual one is no longer looked for. */
const maxUnusualNodes = 64;

const largestId = 0x7fffffff;

/**
 * Reads a `.cpuprofile` from its bytes into columns, without the objects and strings that `JSON.parse` would make: call frames are compared as bytes, and lists
 * of numbers become numbers at once. It knows what V8 writes, in any order and with any blanks and additional fields.
 *
 * @throws ScanStop where the bytes are no JSON, or are valid in a way that is not known here: another reader has to say what they are.
 */
export function scanCpuProfile(bytes: Uint8Array): ScannedProfile {
  return new CpuProfileScan(bytes).read();
}

class CpuProfileScan {
  readonly #nodeNames = new FieldNames(nodeFields);
  readonly #tickNames = new FieldNames(tickFields);
  readonly #frameNames = new FieldNames(frameFields);
  readonly #scanner: JsonScanner;
  readonly #frames: FrameBytes;
  readonly #found = new ScannedProfile();
  #unusualNodes = 0;

  constructor(bytes: Uint8Array) {
    this.#scanner = new JsonScanner(bytes);
    this.#frames = new FrameBytes(this.#scanner, () => this.#found.frames.push(this.#callFrame()) - 1);
  }

  read(): ScannedProfile {
    const scanner = this.#scanner;
    const found = this.#found;
    const seen = new Set<string>();
    scanner.object(new FieldNames(profileFields), (key) => {
      // Not a CPU profile, or also something else: no need to read all of it.
      if (key === 'head' || key === 'shared' || key === 'profiles') throw new ScanStop('unusual');
      if (seen.has(key)) throw new ScanStop('unusual');
      seen.add(key);
      if (key === 'nodes') scanner.list(() => this.#node());
      else if (key === 'samples') scanner.numbers((id) => this.#sample(id));
      else scanner.numbers((delta) => found.timeDeltas.push(delta));
    });
    scanner.end();
    if (!seen.has('nodes')) throw new ScanStop('unusual');
    found.hasTimeDeltas = seen.has('timeDeltas');
    return found;
  }

  #sample(id: number): void {
    if (this.#found.samples.length >= treeLimits.samples) throw tooLarge(`more than ${treeLimits.samples.toLocaleString('en')} samples`);
    this.#found.samples.push(wholeId(id));
  }

  readonly #child = (id: number): void => {
    const { childIds } = this.#found;
    childIds.push(wholeId(id));
    // Every node has one caller, so that there are at most as many callees as nodes.
    if (childIds.length > 2 * treeLimits.samples) throw new ScanStop('unusual');
  };

  #node(): void {
    const scanner = this.#scanner;
    const found = this.#found;
    const { at } = scanner;
    const children = found.childIds.length;
    const ticks = found.tickNodes.length;
    if (this.#unusualNodes < maxUnusualNodes) {
      if (this.#usualNode(found.ids.length)) return;
      this.#unusualNodes += 1;
      scanner.at = at;
      found.childIds.length = children;
      for (const column of [found.tickNodes, found.tickLines, found.tickCounts]) column.length = ticks;
    }
    this.#anyNode(found.ids.length);
  }

  /** Reads a node whose fields are in V8's order, without blanks; false, half-way, where it is another. */
  #usualNode(index: number): boolean {
    const scanner = this.#scanner;
    if (!scanner.literal(usual.id)) return false;
    const id = scanner.digits();
    if (id === -1 || !scanner.literal(usual.callFrame)) return false;
    const frame = this.#frames.get();
    if (!scanner.literal(usual.hitCount)) return false;
    const hitCount = scanner.digits();
    if (hitCount === -1) return false;
    if (scanner.literal(usual.children)) scanner.numbers(this.#child);
    if (scanner.literal(usual.positionTicks)) {
      do {
        if (!scanner.literal(usual.line)) return false;
        const line = scanner.digits();
        if (line === -1 || !scanner.literal(usual.ticks)) return false;
        const count = scanner.digits();
        if (count === -1 || !scanner.literal(usual.end)) return false;
        this.#found.addTick(index, line, count);
      } while (scanner.literal(usual.comma));
      if (!scanner.literal(usual.endOfList)) return false;
    }
    if (!scanner.literal(usual.end)) return false;
    this.#found.addNode(id, frame, hitCount, -1);
    return true;
  }

  #anyNode(index: number): void {
    const scanner = this.#scanner;
    let [id, frame, hitCount, parentId] = [-1, -1, 0, -1];
    let seen = 0;
    const once = (bit: number): void => {
      if ((seen & bit) !== 0) throw new ScanStop('unusual');
      seen |= bit;
    };
    scanner.object(this.#nodeNames, (key) => {
      switch (key) {
        case 'id':
          once(1);
          id = wholeId(scanner.number());
          break;
        case 'callFrame':
          once(2);
          frame = this.#frames.get();
          break;
        case 'hitCount':
          once(4);
          hitCount = scanner.number();
          break;
        case 'parent':
          once(8);
          parentId = wholeId(scanner.number());
          break;
        case 'children':
          once(16);
          scanner.numbers(this.#child);
          break;
        case 'positionTicks':
          once(32);
          scanner.list(() => this.#tick(index));
      }
    });
    if (id < 0 || frame < 0) throw new ScanStop('unusual');
    this.#found.addNode(id, frame, hitCount, parentId);
  }

  #tick(node: number): void {
    const scanner = this.#scanner;
    let [line, ticks] = [NaN, NaN];
    scanner.object(this.#tickNames, (key) => {
      if (key === 'line' && Number.isNaN(line)) line = scanner.number();
      else if (key === 'ticks' && Number.isNaN(ticks)) ticks = scanner.number();
      else throw new ScanStop('unusual');
    });
    if (Number.isNaN(line) || Number.isNaN(ticks)) throw new ScanStop('unusual');
    this.#found.addTick(node, line, ticks);
  }

  #callFrame(): ScriptPlace {
    const scanner = this.#scanner;
    const seen = new Set<string>();
    const frame: ScriptPlace = { functionName: '', url: '', line: -1, column: -1 };
    scanner.object(this.#frameNames, (key) => {
      if (seen.has(key)) throw new ScanStop('unusual');
      seen.add(key);
      if (key === 'functionName') frame.functionName = scanner.string();
      else if (key === 'url') frame.url = scanner.string();
      else if (key === 'lineNumber') frame.line = scanner.number();
      else frame.column = scanner.number();
    });
    return frame;
  }
}

/** Interns call frames by their bytes: what has been read once is known again without being read. */
class FrameBytes {
  #slots = new Int32Array(4096).fill(-1);
  /** The frames one after the other, each once: never more than the file has. */
  #arena: Uint8Array<ArrayBuffer>;
  #kept: DataView;
  readonly #text: Buffer;
  readonly #view: DataView;
  readonly #ends = new GrowingInts();
  readonly #hashes = new GrowingInts();
  readonly #values = new GrowingInts();
  readonly #seed = Math.floor(Math.random() * 0x7fffffff);

  constructor(
    private readonly scanner: JsonScanner,
    private readonly read: () => number,
  ) {
    const { buffer, byteOffset, byteLength } = scanner.bytes;
    this.#text = Buffer.from(buffer, byteOffset, byteLength);
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#arena = new Uint8Array(Math.min(1 << 20, byteLength));
    this.#kept = new DataView(this.#arena.buffer);
  }

  /** The number of the object at hand, which is skipped. */
  get(): number {
    const { scanner } = this;
    if (scanner.peek() !== 0x7b) throw scanner.other();
    const start = scanner.at;
    // A brace inside a name ends it too early, and then it is read each time; what was kept did end there, so that the same bytes do too.
    const end = this.#text.indexOf(0x7d, start) + 1;
    if (end === 0) throw new ScanStop('invalid');
    const hash = this.#hash(start, end);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let entry = this.#slots[slot] as number; entry !== -1; entry = this.#slots[slot] as number) {
      if (this.#hashes.at(entry) === hash && this.#same(entry, start, end)) {
        scanner.at = end;
        return this.#values.at(entry);
      }
      slot = (slot + 1) & mask;
    }
    const value = this.read();
    if (scanner.at === end) this.#keep(slot, hash, start, end, value);
    return value;
  }

  #hash(start: number, end: number): number {
    const view = this.#view;
    let hash = 0x811c9dc5 ^ this.#seed;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (; at < end; at += 1) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  #same(entry: number, start: number, end: number): boolean {
    const view = this.#view;
    const kept = this.#kept;
    let other = entry === 0 ? 0 : this.#ends.at(entry - 1);
    if (this.#ends.at(entry) - other !== end - start) return false;
    let at = start;
    for (; at + 4 <= end; at += 4, other += 4) if (kept.getInt32(other, true) !== view.getInt32(at, true)) return false;
    for (; at < end; at += 1, other += 1) if (kept.getUint8(other) !== view.getUint8(at)) return false;
    return true;
  }

  #keep(slot: number, hash: number, start: number, end: number, value: number): void {
    const entry = this.#ends.length;
    const used = entry === 0 ? 0 : this.#ends.at(entry - 1);
    const needed = used + end - start;
    if (needed > this.#arena.length) {
      this.#arena = longer(this.#arena, Math.max(needed, this.#arena.length * 2));
      this.#kept = new DataView(this.#arena.buffer);
    }
    this.#arena.set(this.scanner.bytes.subarray(start, end), used);
    this.#slots[slot] = entry;
    this.#ends.push(needed);
    this.#hashes.push(hash);
    this.#values.push(value);
    if (entry * 2 > this.#slots.length) this.#rehash();
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = this.#slots.length - 1;
    for (let entry = 0; entry < this.#ends.length; entry += 1) {
      let slot = this.#hashes.at(entry) & mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
      this.#slots[slot] = entry;
    }
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function wholeId(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= largestId) return value;
  throw new ScanStop('unusual');
}
