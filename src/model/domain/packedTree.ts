import type { CallTree, EventColumn, SampleTable } from './callTree.ts';
import { defined } from './defined.ts';
import { isObject } from './isObject.ts';
import { numberIn } from './remembered.ts';

/*
 * How a call tree crosses from the engine to a page: a header in JSON, then columns, each at a multiple of 8 bytes, little-endian. Nodes are in
 * depth-first order, so that their depths alone determine the callers. Columns that hold nothing are left out, and weights of which most are zero
 * are written as pairs of node and weight.
 *
 *   u32 length of the header in bytes · header (UTF-8) · padding · columns
 */

/** The place of a column in the body. `sparse`: all nodes with a weight, then their weights. */
interface Column {
  type: 'u8' | 'u16' | 'i32' | 'f64' | 'sparse';
  offset: number;
  length: number;
}

interface Header {
  version: 1;
  nodeCount: number;
  names: string[];
  /** Each file once. */
  files: string[];
  /** Each library once; absent where no function has a library. */
  libraries?: string[];
  threads: string[];
  states: string[];
  events: Pick<EventColumn, 'name' | 'unit'>[];
  columns: Record<string, Column>;
}

const columnTypes: readonly unknown[] = ['u8', 'u16', 'i32', 'f64', 'sparse'];
const units: readonly unknown[] = ['ns', 'bytes', 'count'];

// Checked by hand: a page's worker, which reads this and no other message, would carry all of zod for it.
function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function columnsOf(value: unknown): Record<string, Column> {
  if (!isObject(value)) throw new Error('The packed tree has no columns.');
  for (const column of Object.values(value)) {
    if (!isObject(column) || !columnTypes.includes(column['type']) || !isWhole(column['offset']) || !isWhole(column['length'])) {
      throw new Error('A column of the packed tree is described wrongly.');
    }
  }
  return value as Record<string, Column>;
}

function headerOf(value: unknown): Header {
  const events: unknown = isObject(value) ? value['events'] : undefined;
  const wholeEvents =
    Array.isArray(events) && events.every((event) => isObject(event) && typeof event['name'] === 'string' && units.includes(event['unit']));
  if (!isObject(value) || value['version'] !== 1 || !isWhole(value['nodeCount']) || value['nodeCount'] < 1 || !wholeEvents) {
    throw new Error('The packed tree has no header that is understood.');
  }
  if (!['names', 'files', 'threads', 'states'].every((name) => isTexts(value[name]))) throw new Error('The packed tree lacks its names.');
  if (value['libraries'] !== undefined && !isTexts(value['libraries']))
    throw new Error('The packed tree lacks the names of its libraries.');
  columnsOf(value['columns']);
  return value as unknown as Header;
}

type Values = Uint8Array | Uint16Array | Int32Array | Float64Array;

const types = { u8: Uint8Array, u16: Uint16Array, i32: Int32Array, f64: Float64Array } as const;

/** The bytes of a tree without its samples and line ticks. */
export function packTree(tree: CallTree): Uint8Array {
  const { names: files, of: fileOf } = eachOnce(tree.functions.file);
  const libraries = tree.functions.library === undefined ? null : eachOnce(tree.functions.library);
  const columns: Packed[] = [
    ['depth', new Uint16Array(tree.depth)],
    ['func', tree.func],
    ['functionFile', fileOf],
    ['functionLine', tree.functions.line],
    ['functionKind', tree.functions.kind],
    ['functionLibrary', libraries?.of],
    ['line', tree.line.some((line) => line !== 0) ? tree.line : undefined],
    ['role', tree.role],
    ['tier', tree.tier],
  ];
  for (const [index, { self, rest }] of tree.events.entries()) columns.push([`self.${index}`, self, true], [`rest.${index}`, rest, true]);
  const head = {
    version: 1,
    nodeCount: tree.nodeCount,
    names: tree.functions.name,
    files,
    ...(libraries === null ? {} : { libraries: libraries.names }),
    threads: tree.threads,
    states: tree.states ?? [],
    events: tree.events.map(({ name, unit }) => ({ name, unit })),
  };
  return pack(head, columns);
}

/** Texts, each once, and for each place the index of its text. */
function eachOnce(texts: readonly string[]): { names: string[]; of: Int32Array } {
  const numbers = new Map<string, number>();
  const of = Int32Array.from(texts, (text) => numberIn(numbers, text));
  return { names: [...numbers.keys()], of };
}

/** The bytes of a tree's samples; null where it has none. */
export function packSamples(samples: SampleTable | null): Uint8Array | null {
  if (samples === null) return null;
  const names = ['timeUs', 'node', 'thread', 'event', 'weight', 'state'] as const;
  return pack(
    { version: 1 },
    names.map((name) => [name, samples[name]]),
  );
}

/** The tree in bytes made by {@link packTree}; throws where they are not. Columns are views of `bytes` where they can be. */
export function unpackTree(bytes: Uint8Array): CallTree {
  const { json, body } = unpack(bytes);
  const header = headerOf(json);
  const { nodeCount } = header;
  const at = (name: string): Column | undefined => header.columns[name];
  const ints = (name: string, length: number): Int32Array => {
    const column = at(name);
    if (column === undefined) return new Int32Array(length);
    const values = read(body, column);
    return checked(values instanceof Int32Array ? values : new Int32Array(values), length);
  };
  const bytesOf = (name: string, length: number): Uint8Array | undefined => {
    const column = at(name);
    return column === undefined ? undefined : checked(read(body, column) as Uint8Array, length);
  };
  const weights = (name: string): Float64Array | undefined => {
    const column = at(name);
    return column === undefined
      ? undefined
      : column.type === 'sparse'
        ? readSparse(body, column, nodeCount)
        : checked(read(body, column) as Float64Array, nodeCount);
  };
  const depth = ints('depth', nodeCount);
  const { parent, subtreeEnd } = familyOf(depth);
  const functionCount = header.names.length;
  const func = ints('func', nodeCount);
  if (func[0] !== -1 || func.subarray(1).some((one) => one < 0 || one >= functionCount))
    throw new Error('A node names a function that is not there.');
  const fileOf = ints('functionFile', functionCount);
  const { libraries } = header;
  const libraryOf = libraries === undefined ? null : ints('functionLibrary', functionCount);
  return {
    nodeCount,
    parent,
    subtreeEnd,
    depth,
    func,
    line: ints('line', nodeCount),
    events: header.events.map((head, index): EventColumn => {
      const rest = weights(`rest.${index}`);
      return { ...head, self: weights(`self.${index}`) ?? new Float64Array(nodeCount), ...(rest === undefined ? {} : { rest }) };
    }),
    functions: {
      name: header.names,
      file: Array.from(fileOf, (file) => header.files[file] ?? ''),
      line: ints('functionLine', functionCount),
      kind: bytesOf('functionKind', functionCount) ?? new Uint8Array(functionCount),
      ...(libraryOf === null ? {} : { library: Array.from(libraryOf, (library) => libraries?.[library] ?? '') }),
    },
    threads: header.threads,
    states: header.states,
    samples: null,
    ...defined({ role: bytesOf('role', nodeCount), tier: bytesOf('tier', nodeCount) }),
  };
}

/** The samples in bytes made by {@link packSamples}. */
export function unpackSamples(bytes: Uint8Array): SampleTable {
  const { json, body } = unpack(bytes);
  const columns = columnsOf(isObject(json) && json['version'] === 1 ? json['columns'] : undefined);
  const column = <T extends Values>(name: string, empty: T): T => (columns[name] === undefined ? empty : (read(body, columns[name]) as T));
  const timeUs = column('timeUs', new Float64Array());
  const count = timeUs.length;
  const state = columns['state'] === undefined ? undefined : checked(column('state', new Uint8Array()), count);
  return {
    timeUs,
    node: checked(column('node', new Int32Array()), count),
    thread: checked(column('thread', new Int32Array()), count),
    event: checked(column('event', new Uint8Array()), count),
    weight: checked(column('weight', new Float64Array()), count),
    ...(state === undefined ? {} : { state }),
  };
}

/** For nodes in depth-first order: the caller of each (-1 for the root) and where its subtree ends. */
function familyOf(depth: Int32Array): { parent: Int32Array; subtreeEnd: Int32Array } {
  const parent = new Int32Array(depth.length);
  const subtreeEnd = new Int32Array(depth.length);
  /** The node of each depth on the way from the root to the node at hand. */
  const path: number[] = [];
  for (let node = 0; node < depth.length; node += 1) {
    const at = depth[node] as number;
    if (at > path.length || (at === 0) !== (node === 0)) throw new Error('The depths of the nodes do not make a tree.');
    for (let above = path.length - 1; above >= at; above -= 1) subtreeEnd[path[above] as number] = node;
    path.length = at;
    parent[node] = at === 0 ? -1 : (path[at - 1] as number);
    path.push(node);
  }
  for (const node of path) subtreeEnd[node] = depth.length;
  return { parent, subtreeEnd };
}

function checked<T extends Values>(values: T, length: number): T {
  if (values.length !== length) throw new Error('A column has another length than the tree.');
  return values;
}

function read(body: Uint8Array, { type, offset, length }: Column): Values {
  if (type === 'sparse') throw new Error('A column is packed in another way than it is read.');
  const size = types[type].BYTES_PER_ELEMENT;
  if (offset + length * size > body.length) throw new Error('A column lies beyond the end.');
  const start = body.byteOffset + offset;
  return start % size === 0
    ? new types[type](body.buffer as ArrayBuffer, start, length)
    : new types[type](body.slice(offset, offset + length * size).buffer as ArrayBuffer);
}

/** Pairs of node and weight: all nodes, then all weights. */
function readSparse(body: Uint8Array, { offset, length }: Column, nodeCount: number): Float64Array {
  const nodes = read(body, { type: 'i32', offset, length });
  const weights = read(body, { type: 'f64', offset: aligned(offset + 4 * length), length });
  const dense = new Float64Array(nodeCount);
  for (let index = 0; index < length; index += 1) {
    const node = nodes[index] as number;
    if (node < 0 || node >= nodeCount) throw new Error('A weight belongs to no node.');
    dense[node] = weights[index] as number;
  }
  return dense;
}

function unpack(bytes: Uint8Array): { json: unknown; body: Uint8Array } {
  if (bytes.length < 8) throw new Error('The packed tree is cut short.');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (length > bytes.length - 4) throw new Error('The packed tree is cut short.');
  const json: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { json, body: bytes.subarray(aligned(4 + length)) };
}

function aligned(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

/** What is not there is left out. */
type Packed = [name: string, values: Values | undefined, weights?: boolean];

function pack(head: object, values: readonly Packed[]): Uint8Array {
  const columns: Record<string, Column> = {};
  const parts: { offset: number; bytes: Uint8Array }[] = [];
  let offset = 0;
  const place = (part: Values): number => {
    const at = offset;
    parts.push({ offset: at, bytes: new Uint8Array(part.buffer, part.byteOffset, part.byteLength) });
    offset = aligned(at + part.byteLength);
    return at;
  };
  for (const [name, column, weights] of values) {
    if (column === undefined) continue;
    const sparse = weights === true ? sparseOf(column as Float64Array) : null;
    if (sparse !== null) {
      const at = place(sparse.nodes);
      place(sparse.weights);
      columns[name] = { type: 'sparse', offset: at, length: sparse.nodes.length };
    } else {
      const type =
        column instanceof Float64Array ? 'f64' : column instanceof Int32Array ? 'i32' : column instanceof Uint16Array ? 'u16' : 'u8';
      columns[name] = { type, offset: place(column), length: column.length };
    }
  }
  const header = new TextEncoder().encode(JSON.stringify({ ...head, columns }));
  const start = aligned(4 + header.length);
  const bytes = new Uint8Array(start + offset);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  for (const part of parts) bytes.set(part.bytes, start + part.offset);
  return bytes;
}

/** The weights that are not zero, when they are less than half. */
function sparseOf(weights: Float64Array): { nodes: Int32Array; weights: Float64Array } | null {
  let count = 0;
  for (const weight of weights) if (weight !== 0) count += 1;
  if (count * 2 > weights.length) return null;
  const nodes = new Int32Array(count);
  const kept = new Float64Array(count);
  let next = 0;
  for (let node = 0; node < weights.length; node += 1) {
    const weight = weights[node] as number;
    if (weight === 0) continue;
    nodes[next] = node;
    kept[next] = weight;
    next += 1;
  }
  return { nodes, weights: kept };
}
