import { GrowingFloats, GrowingInts } from '../../calltree/growingColumn.ts';
import { damaged, tooLarge, treeLimits } from '../../calltree/treeLimits.ts';
import { ByteNames } from './byteNames.ts';
import { type JsonObject, listIn, numberOf, objectOf } from './jsonDocument.ts';
import { JsonWalk, closeObject, openObject, valueEnd } from './jsonWalk.ts';
import type { ScriptPlace } from './scriptPlaces.ts';
import { scriptPlace } from './v8Frame.ts';

const format = '.cpuprofile';

/** A CPU profile of V8 as columns. A column that the profile does not have is empty. */
export class ScannedProfile {
  /** Call frames; of those that the bytes say in the same way, one. */
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

  /** Adds a node as its JSON says it. */
  addParsed(value: unknown, idOf: (id: unknown) => number): void {
    const node = objectOf(value, format, 'a node');
    const index = this.ids.length;
    const frame = this.frames.push(scriptPlace(objectOf(node['callFrame'], format, 'a callFrame'))) - 1;
    const hitCount = node['hitCount'] === undefined ? 0 : numberOf(node['hitCount'], format, 'a “hitCount”');
    for (const id of listIn(node, 'children', format)) this.childIds.push(idOf(id));
    this.addNode(idOf(node['id']), frame, hitCount, node['parent'] === undefined ? -1 : idOf(node['parent']));
    for (const one of listIn(node, 'positionTicks', format)) {
      const tick = objectOf(one, format, 'a position tick');
      this.addTick(index, numberOf(tick['line'], format, 'a line'), numberOf(tick['ticks'], format, 'a count of ticks'));
    }
  }
}

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

const largestId = 0x7fffffff;

/**
 * Reads a `.cpuprofile` from its bytes into columns. Of nodes in V8's form, which is most of a file, no objects and strings are made: call frames are compared
 * as bytes, and numbers are read at once. Others are parsed one by one.
 *
 * @throws SyntaxError where the bytes are no JSON, FailureError `profile-damaged` where they are valid in a way that is not known here: another reader has to
 * say what they are.
 */
export function scanCpuProfile(bytes: Uint8Array): ScannedProfile {
  return new CpuProfileScan(bytes).read();
}

class CpuProfileScan {
  readonly #walk: JsonWalk;
  readonly #frames: ByteNames;
  readonly #found = new ScannedProfile();

  constructor(bytes: Uint8Array) {
    const walk = new JsonWalk(bytes);
    this.#walk = walk;
    this.#frames = new ByteNames(bytes, closeObject, (start, end) => {
      // A brace inside a name ends it too early.
      if (valueEnd(bytes, start) !== end + 1) return -1;
      return this.#found.frames.push(scriptPlace(walk.parsed(start, end + 1) as JsonObject)) - 1;
    });
  }

  read(): ScannedProfile {
    const walk = this.#walk;
    const found = this.#found;
    const seen = new Set<string>();
    for (const name of walk.fields()) {
      if (seen.has(name)) throw damaged(format, `it has “${name}” twice`);
      seen.add(name);
      if (name === 'nodes') walk.list(() => this.#node());
      else if (name === 'samples') walk.numbers((id) => this.#sample(id));
      else if (name === 'timeDeltas') walk.numbers((delta) => found.timeDeltas.push(delta));
      else walk.parse();
    }
    if (walk.peek() !== -1) throw new SyntaxError('something follows its end');
    if (!seen.has('nodes') || (found.samples.length > 0 && !seen.has('timeDeltas'))) throw damaged(format, 'it lacks a list');
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
    if (childIds.length > 2 * treeLimits.samples) throw damaged(format, 'it has too many children');
  };

  #node(): void {
    const walk = this.#walk;
    const found = this.#found;
    const { at } = walk;
    const children = found.childIds.length;
    const ticks = found.tickNodes.length;
    if (this.#usualNode(found.ids.length)) return;
    walk.at = at;
    found.childIds.length = children;
    for (const column of [found.tickNodes, found.tickLines, found.tickCounts]) column.length = ticks;
    found.addParsed(walk.parse(), wholeId);
  }

  /** Reads a node whose fields are in V8's order, without blanks; false, half-way, where it is another. */
  #usualNode(index: number): boolean {
    const walk = this.#walk;
    if (!walk.literal(usual.id)) return false;
    const id = walk.digits();
    if (id === -1 || !walk.literal(usual.callFrame) || walk.peek() !== openObject) return false;
    const frame = this.#frames.get(walk.at, walk.bytes.length);
    if (frame < 0) return false;
    walk.at = this.#frames.stop + 1;
    if (!walk.literal(usual.hitCount)) return false;
    const hitCount = walk.digits();
    if (hitCount === -1) return false;
    if (walk.literal(usual.children)) walk.numbers(this.#child);
    if (walk.literal(usual.positionTicks)) {
      do {
        if (!walk.literal(usual.line)) return false;
        const line = walk.digits();
        if (line === -1 || !walk.literal(usual.ticks)) return false;
        const count = walk.digits();
        if (count === -1 || !walk.literal(usual.end)) return false;
        this.#found.addTick(index, line, count);
      } while (walk.literal(usual.comma));
      if (!walk.literal(usual.endOfList)) return false;
    }
    if (!walk.literal(usual.end)) return false;
    this.#found.addNode(id, frame, hitCount, -1);
    return true;
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function wholeId(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestId) return value;
  throw damaged(format, 'an id is no whole number');
}
