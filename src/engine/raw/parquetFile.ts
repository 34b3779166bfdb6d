import { gzipSync } from 'node:zlib';
import { rawColumns } from './rawColumns.ts';
import type { ColumnKind, RawColumn } from './rawColumns.ts';
import type { RawRow } from './rawFile.ts';
import type { RowFile } from './rowFile.ts';
import { ThriftWriter } from './thriftCompact.ts';

/*
 * Parquet as github.com/apache/parquet-format describes it: one page per column and row group, plain encoding, gzip, which every reader
 * understands. A row group is held in memory, nothing else is.
 */
const rowsPerGroup = 100_000;
const magic = Buffer.from('PAR1');

/** Numbers of the format's enumerations. */
const physicalType: Readonly<Record<ColumnKind, number>> = { boolean: 0, int32: 1, int64: 2, time: 2, text: 6 };
const repetition = { required: 0, optional: 1 } as const;
const encodings = { plain: 0, rle: 3 } as const;
const gzip = 2;
const utf8 = 0;
const timestampMicros = 10;

interface ColumnChunk {
  column: RawColumn;
  offset: number;
  bytes: number;
  plainBytes: number;
  rows: number;
}

interface RowGroup {
  chunks: ColumnChunk[];
  rows: number;
}

/** A Parquet file of raw samples. `metadata` are words about it, by name. */
export function parquetFile(metadata: Readonly<Record<string, string>>, groupRows = rowsPerGroup): RowFile {
  const groups: RowGroup[] = [];
  let waiting: RawRow[] = [];
  let offset = magic.byteLength;
  const takeGroup = (): Buffer => {
    const rows = waiting;
    waiting = [];
    const parts: Buffer[] = [];
    const chunks = rawColumns.map((column): ColumnChunk => {
      const { bytes, plainBytes } = columnPage(column, rows);
      const chunk = { column, offset, bytes: bytes.byteLength, plainBytes, rows: rows.length };
      offset += bytes.byteLength;
      parts.push(bytes);
      return chunk;
    });
    groups.push({ chunks, rows: rows.length });
    return Buffer.concat(parts);
  };
  return {
    begin: () => magic,
    rows: (rows) => {
      for (const row of rows) waiting.push(row);
      return waiting.length >= groupRows ? takeGroup() : Buffer.alloc(0);
    },
    end: () => {
      const last = waiting.length > 0 ? takeGroup() : Buffer.alloc(0);
      const footer = fileMetadata(groups, metadata);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(footer.byteLength);
      return Buffer.concat([last, footer, length, magic]);
    },
  };
}

/** A data page with its header. `plainBytes` is its size before compression, header included. */
function columnPage(column: RawColumn, rows: readonly RawRow[]): { bytes: Buffer; plainBytes: number } {
  const cells = rows.map(column.value);
  const present = cells.filter((cell) => cell !== null);
  const values = plainValues(column.kind, present);
  const content = column.nullable ? Buffer.concat([definitionLevels(cells), values]) : values;
  const packed = gzipSync(content, { level: 1 });
  const header = new ThriftWriter()
    .i32(1, 0)
    .i32(2, content.byteLength)
    .i32(3, packed.byteLength)
    .struct(5, (page) => page.i32(1, rows.length).i32(2, encodings.plain).i32(3, encodings.rle).i32(4, encodings.rle))
    .stop()
    .bytes();
  return { bytes: Buffer.concat([header, packed]), plainBytes: header.byteLength + content.byteLength };
}

/** Which cells have a value, as one bit-packed run of the hybrid encoding, with its length before it. */
function definitionLevels(cells: readonly unknown[]): Buffer {
  const groups = Math.ceil(cells.length / 8);
  const head: number[] = [];
  for (let rest = groups * 2 + 1; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      head.push(rest);
      break;
    }
    head.push((rest % 128) | 128);
  }
  const bits = bitmap(cells.map((cell) => cell !== null));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length + bits.byteLength);
  return Buffer.concat([length, Buffer.from(head), bits]);
}

function plainValues(kind: ColumnKind, values: readonly (string | number | boolean)[]): Buffer {
  if (kind === 'boolean') return bitmap(values.map((value) => value === true));
  if (kind === 'text') return plainTexts(values.map(String));
  const width = kind === 'int32' ? 4 : 8;
  const bytes = Buffer.allocUnsafe(values.length * width);
  for (let index = 0; index < values.length; index++) {
    const value = Number(values[index]);
    if (kind === 'int32') bytes.writeInt32LE(value, index * width);
    else {
      // In two halves: a bigint for each would take ten times as long.
      bytes.writeUInt32LE(value % 2 ** 32, index * width);
      bytes.writeUInt32LE(Math.floor(value / 2 ** 32), index * width + 4);
    }
  }
  return bytes;
}

/** Each with its length before it. */
function plainTexts(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + 4 + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) {
    const length = bytes.write(text, at + 4);
    bytes.writeUInt32LE(length, at);
    at += 4 + length;
  }
  return bytes;
}

/** The first is the lowest bit of the first byte. */
function bitmap(bits: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) if (bit) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  return bytes;
}

function fileMetadata(groups: readonly RowGroup[], metadata: Readonly<Record<string, string>>): Buffer {
  const writer = new ThriftWriter();
  writer.i32(1, 1);
  // The root of the schema first, then its columns.
  writer.structs(2, [null, ...rawColumns], (element, column) => {
    if (column === null) {
      element.text(4, 'requests').i32(5, rawColumns.length);
      return;
    }
    element
      .i32(1, physicalType[column.kind])
      .i32(3, column.nullable ? repetition.optional : repetition.required)
      .text(4, column.name);
    if (column.kind === 'text') element.i32(6, utf8);
    if (column.kind === 'time') element.i32(6, timestampMicros);
  });
  writer.i64(
    3,
    groups.reduce((sum, { rows }) => sum + rows, 0),
  );
  writer.structs(4, groups, (group, { chunks, rows }) => {
    group.structs(1, chunks, (chunk, { column, offset, bytes, plainBytes }) => {
      chunk.i64(2, offset).struct(3, (of) => {
        of.i32(1, physicalType[column.kind]).i32s(2, [encodings.plain, encodings.rle]).texts(3, [column.name]);
        of.i32(4, gzip).i64(5, rows).i64(6, plainBytes).i64(7, bytes).i64(9, offset);
      });
    });
    group.i64(
      2,
      chunks.reduce((sum, { plainBytes }) => sum + plainBytes, 0),
    );
    group.i64(3, rows);
  });
  writer.structs(5, Object.entries(metadata), (pair, [key, value]) => pair.text(1, key).text(2, value));
  return writer.text(6, 'benchside').stop().bytes();
}
