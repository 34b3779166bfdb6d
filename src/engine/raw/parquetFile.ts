import { type SchemaElement, ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { type ColumnKind, type RawColumn, type RowFile, rawColumns } from './rawColumns.ts';
import type { RawRow } from './rawFile.ts';

/** A row group is held in memory, nothing else is. */
const rowsPerGroup = 100_000;

const elementOf: Readonly<Record<ColumnKind, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  boolean: { type: 'BOOLEAN' },
  int16: { type: 'INT32' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

const schema: SchemaElement[] = [
  { name: 'requests', num_children: rawColumns.length },
  ...rawColumns.map(({ name, kind, nullable }): SchemaElement => ({
    name,
    repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
    ...elementOf[kind],
  })),
];

/** A Parquet file of raw samples. `metadata` are words about it, by name. */
export function parquetFile(metadata: Readonly<Record<string, string>>, groupRows = rowsPerGroup): RowFile {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    createdBy: 'benchside',
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  let waiting: RawRow[] = [];
  /** What was written since the last time; offsets in the file count on. */
  const take = (): Buffer => {
    const taken = Buffer.from(bytes.getBytes());
    bytes.index = 0;
    return taken;
  };
  const writeGroup = (): void => {
    const rows = waiting;
    waiting = [];
    const columnData = rawColumns.map((column) => ({ name: column.name, data: rows.map((row) => cell(column, row)) }));
    // It only gives a promise where the writer has to be waited for; this one is memory.
    void writer.write({ columnData, rowGroupSize: rows.length });
  };
  return {
    begin: take,
    rows: (rows) => {
      for (const row of rows) waiting.push(row);
      if (waiting.length >= groupRows) writeGroup();
      return take();
    },
    end: () => {
      if (waiting.length > 0) writeGroup();
      void writer.finish();
      return take();
    },
  };
}

function cell({ kind, value }: RawColumn, row: RawRow): string | number | bigint | boolean | null {
  const found = value(row);
  return (kind === 'int64' || kind === 'time') && typeof found === 'number' ? BigInt(Math.round(found)) : found;
}
