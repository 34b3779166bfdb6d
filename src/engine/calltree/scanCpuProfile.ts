import { GrowingFloats, GrowingInts } from '../../calltree/growingColumn.ts';
import { damaged, tooLarge, treeLimits } from '../../calltree/treeLimits.ts';
import { ByteNames } from './byteNames.ts';
import { objectOf } from './jsonDocument.ts';
import { JsonWalk, closeObject, fieldNames, openObject, valueEnd } from './jsonWalk.ts';
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
}

const nodeFields = fieldNames('id', 'callFrame', 'hitCount', 'children', 'positionTicks', 'parent');
const tickFields = fieldNames('line', 'ticks');

const largestId = 0x7fffffff;

/**
 * Reads a `.cpuprofile` from its bytes into columns, without the objects and strings that `JSON.parse` would make: call frames are compared as bytes, and
 * numbers are read at once. It knows what V8 writes, in any order and with any blanks and additional fields.
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
      return valueEnd(bytes, start) === end + 1 ? this.#add(walk.parsed(start, end + 1)) : -1;
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
    let id = -1;
    let frame = -1;
    let hitCount = 0;
    let parentId = -1;
    let [seen, field] = [0, -1];
    for (let more = walk.enterObject(); more; more = walk.hasMore()) {
      field = walk.fieldIn(nodeFields, field + 1);
      if (field === -1) continue;
      if ((seen & (1 << field)) !== 0) throw damaged(format, 'a node has a field twice');
      seen |= 1 << field;
      if (field === 0) id = wholeId(walk.number());
      else if (field === 1) frame = this.#frame();
      else if (field === 2) hitCount = walk.number();
      else if (field === 3) walk.numbers(this.#child);
      else if (field === 4) walk.list(this.#tick);
      else parentId = wholeId(walk.number());
    }
    if (id === -1 || frame === -1) throw damaged(format, 'a node has no id, or no callFrame');
    this.#found.addNode(id, frame, hitCount, parentId);
  }

  /** Of the node at hand, which is added after its ticks. */
  readonly #tick = (): void => {
    const walk = this.#walk;
    let [line, ticks, field] = [NaN, NaN, -1];
    for (let more = walk.enterObject(); more; more = walk.hasMore()) {
      field = walk.fieldIn(tickFields, field + 1);
      if (field === 0) line = walk.number();
      else if (field === 1) ticks = walk.number();
    }
    if (Number.isNaN(line + ticks)) throw damaged(format, 'a position tick lacks a number');
    this.#found.addTick(this.#found.ids.length, line, ticks);
  };

  /** The number of the call frame at hand, which is skipped. Its bytes are read once, however often they occur. */
  #frame(): number {
    const walk = this.#walk;
    const known = walk.peek() === openObject ? this.#frames.get(walk.at, walk.bytes.length) : -1;
    if (known === -1) return this.#add(walk.parse());
    walk.at = this.#frames.stop + 1;
    return known;
  }

  #add(callFrame: unknown): number {
    return this.#found.frames.push(scriptPlace(objectOf(callFrame, format, 'a callFrame'))) - 1;
  }
}

function wholeId(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= largestId) return value;
  throw damaged(format, 'an id is no whole number');
}
