import { GrowingFloats, GrowingInts } from '../../calltree/growingColumn.ts';
import { ByteNames } from './byteNames.ts';
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
const [openObject, closeObject] = [0x7b, 0x7d];

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
  readonly #frames: ByteNames;
  readonly #found = new ScannedProfile();
  #unusualNodes = 0;

  constructor(bytes: Uint8Array) {
    this.#scanner = new JsonScanner(bytes);
    this.#frames = new ByteNames(bytes, closeObject, (_start, end) => {
      if (end === bytes.length) throw new ScanStop('invalid');
      const frame = this.#found.frames.push(this.#callFrame()) - 1;
      // A brace inside a name ends it too early, and then it is read each time; what was kept did end there, so that the same bytes do too.
      return this.#scanner.at === end + 1 ? frame : -1;
    });
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
    const frame = this.#frame();
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
          frame = this.#frame();
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

  /** The number of the call frame at hand, which is skipped. Its bytes are read once, however often they occur. */
  #frame(): number {
    const scanner = this.#scanner;
    if (scanner.peek() !== openObject) throw scanner.other();
    const known = this.#frames.get(scanner.at, scanner.bytes.length);
    if (known < 0) return this.#found.frames.length - 1;
    scanner.at = this.#frames.stop + 1;
    return known;
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

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function wholeId(value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= largestId) return value;
  throw new ScanStop('unusual');
}
