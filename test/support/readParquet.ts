import { gunzipSync } from 'node:zlib';

/** A structure of Thrift's compact protocol by the numbers of its fields. */
type Struct = Map<number, unknown>;

/** Reads the compact protocol without knowing what it describes, so that a reader of it knows nothing of our writer. */
class ThriftReader {
  constructor(
    private readonly bytes: Buffer,
    public at = 0,
  ) {}

  struct(): Struct {
    const fields: Struct = new Map();
    let field = 0;
    for (;;) {
      const head = this.bytes.readUInt8(this.at++);
      if (head === 0) return fields;
      const delta = head >> 4;
      field = delta === 0 ? this.zigzag() : field + delta;
      fields.set(field, this.value(head & 15));
    }
  }

  private value(type: number): unknown {
    switch (type) {
      case 1:
      case 2:
        return type === 1;
      case 3:
      case 4:
      case 5:
      case 6:
        return this.zigzag();
      case 8: {
        const length = this.varint();
        this.at += length;
        return this.bytes.subarray(this.at - length, this.at).toString();
      }
      case 9: {
        const head = this.bytes.readUInt8(this.at++);
        const count = head >> 4 === 15 ? this.varint() : head >> 4;
        return Array.from({ length: count }, () => this.value(head & 15));
      }
      case 12:
        return this.struct();
      default:
        throw new Error(`type ${type} at ${this.at}`);
    }
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.bytes.readUInt8(this.at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  private zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

function list(of: Struct, field: number): Struct[] {
  return of.get(field) as Struct[];
}

/** The rows of a Parquet file of flat columns (plain encoding, gzip, one page a chunk) as objects, with its words about itself. */
export function readParquet(file: Buffer): { rows: Record<string, unknown>[]; metadata: Record<string, string>; groups: number } {
  if (file.subarray(0, 4).toString() !== 'PAR1' || file.subarray(-4).toString() !== 'PAR1') throw new Error('not a Parquet file');
  const footer = file.readUInt32LE(file.length - 8);
  const metadata = new ThriftReader(file, file.length - 8 - footer).struct();
  const columns = list(metadata, 2).slice(1);
  const rows: Record<string, unknown>[] = [];
  for (const group of list(metadata, 4)) {
    const base = rows.length;
    for (let i = 0; i < (group.get(3) as number); i++) rows.push({});
    for (const [index, chunk] of list(group, 1).entries()) {
      const column = columns[index];
      if (column === undefined) throw new Error('more chunks than columns');
      const values = chunkValues(file, (chunk.get(3) as Struct).get(9) as number, column);
      for (const [row, value] of values.entries()) (rows[base + row] as Record<string, unknown>)[column.get(4) as string] = value;
    }
  }
  if (rows.length !== metadata.get(3)) throw new Error(`the file says ${String(metadata.get(3))} rows and has ${rows.length}`);
  const pairs = list(metadata, 5).map((pair) => [pair.get(1) as string, pair.get(2) as string] as const);
  return { rows, metadata: Object.fromEntries(pairs), groups: list(metadata, 4).length };
}

function chunkValues(file: Buffer, offset: number, column: Struct): unknown[] {
  const reader = new ThriftReader(file, offset);
  const header = reader.struct();
  const content = gunzipSync(file.subarray(reader.at, reader.at + (header.get(3) as number)));
  if (content.length !== header.get(2)) throw new Error('a page of another size than its header says');
  const count = (header.get(5) as Struct).get(1) as number;
  const optional = column.get(3) === 1;
  const levels = optional ? content.readUInt32LE(0) : 0;
  const present = optional ? bitPacked(content.subarray(4, 4 + levels), count) : Array.from({ length: count }, () => true);
  let at = optional ? 4 + levels : 0;
  const first = at;
  let taken = 0;
  return present.map((has) => {
    if (!has) return null;
    const index = taken++;
    switch (column.get(1)) {
      case 0:
        return ((content.readUInt8(first + (index >> 3)) >> (index & 7)) & 1) === 1;
      case 1:
        return content.readInt32LE((at += 4) - 4);
      case 2:
        return Number(content.readBigInt64LE((at += 8) - 8));
      default: {
        const length = content.readUInt32LE(at);
        at += 4 + length;
        return content.subarray(at - length, at).toString();
      }
    }
  });
}

/** One bit-packed run of width 1. */
function bitPacked(bytes: Buffer, count: number): boolean[] {
  let at = 0;
  let head = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes.readUInt8(at++);
    head += (byte & 127) * factor;
    if (byte < 128) break;
  }
  if (head % 2 !== 1 || (head - 1) * 4 < count) throw new Error('not one bit-packed run');
  return Array.from({ length: count }, (_, index) => ((bytes.readUInt8(at + (index >> 3)) >> (index & 7)) & 1) === 1);
}
