/** A small writer of Flight Recorder files, so that a test can say what is in one, byte by byte. */
export type Bytes = readonly number[];

/** A compressed number, as the format has it: seven bits a byte, the ninth byte whole. */
export function compressed(value: number | bigint): Bytes {
  let left = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (bytes.length < 8 && left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  bytes.push(Number(left));
  return bytes;
}

/** A text in UTF-8. */
export function text(value: string): Bytes {
  const bytes = [...new TextEncoder().encode(value)];
  return [3, ...compressed(bytes.length), ...bytes];
}

export interface TypeSpec {
  id: number;
  name: string;
  /** name, type, pooled, array */
  fields?: readonly (readonly [string, number, ('pooled' | 'array')?])[];
}

export interface ChunkSpec {
  types: readonly TypeSpec[];
  /** What says the types, where it was made before. */
  metadata?: Bytes;
  pools: readonly { type: number; constants: readonly (readonly [number | bigint, Bytes])[] }[];
  events: readonly { type: number; body: Bytes }[];
  ticksPerSecond?: number;
  /** Replaces the distance to the checkpoint before. */
  delta?: number;
}

/** The bytes of a chunk. */
export function chunk(spec: ChunkSpec): Uint8Array<ArrayBuffer> {
  const events = spec.events.flatMap((event) => framed([...compressed(event.type), ...event.body]));
  const pools = spec.pools.flatMap((pool) => [
    ...compressed(pool.type),
    ...compressed(pool.constants.length),
    ...pool.constants.flatMap(([key, body]) => [...compressed(key), ...body]),
  ]);
  const checkpoint = framed([1, 0, 0, ...compressed(spec.delta ?? 0), 1, ...compressed(spec.pools.length), ...pools]);
  const declared = spec.metadata ?? metadata(spec.types);
  const size = 68 + events.length + checkpoint.length + declared.length;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x464c5200);
  view.setUint32(4, 0x20001);
  view.setBigInt64(8, BigInt(size));
  view.setBigInt64(16, BigInt(68 + events.length));
  view.setBigInt64(24, BigInt(68 + events.length + checkpoint.length));
  view.setBigInt64(32, 1_800_000_000_000_000_000n);
  view.setBigInt64(56, BigInt(spec.ticksPerSecond ?? 1_000_000_000));
  view.setUint32(64, 1);
  bytes.set([...events, ...checkpoint, ...declared], 68);
  return bytes;
}

/** The part of a chunk that says its types. */
export function metadata(types: readonly TypeSpec[]): Bytes {
  return framed([0, 0, 0, 0, ...metadataBody(types)]);
}

/** The body with its size before it; the size counts itself. */
function framed(body: Bytes): Bytes {
  const size = body.length + 4;
  return [(size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, ((size >> 14) & 0x7f) | 0x80, size >> 21, ...body];
}

function metadataBody(types: readonly TypeSpec[]): Bytes {
  const strings: string[] = [];
  const index = (value: string): Bytes => {
    if (!strings.includes(value)) strings.push(value);
    return compressed(strings.indexOf(value));
  };
  const element = (name: string, attributes: Readonly<Record<string, string>>, children: readonly Bytes[]): Bytes => {
    const entries = Object.entries(attributes);
    const head = [...index(name), ...compressed(entries.length), ...entries.flatMap(([key, value]) => [...index(key), ...index(value)])];
    return [...head, ...compressed(children.length), ...children.flat()];
  };
  const classes = types.map((type) =>
    element(
      'class',
      { id: String(type.id), name: type.name },
      (type.fields ?? []).map(([name, typeId, how]) =>
        element(
          'field',
          {
            name,
            class: String(typeId),
            ...(how === 'pooled' ? { constantPool: 'true' } : how === 'array' ? { dimension: '1' } : {}),
          },
          [],
        ),
      ),
    ),
  );
  const tree = element('root', {}, [element('metadata', {}, classes)]);
  return [...compressed(strings.length), ...strings.flatMap(text), ...tree];
}
