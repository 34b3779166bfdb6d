import { parquetMetadata, parquetReadObjects } from 'hyparquet';

/** Rows, words about the file and number of row groups; whole numbers as numbers, times as µs since 1970. */
export async function readParquet(
  file: Buffer,
): Promise<{ rows: Record<string, unknown>[]; metadata: Record<string, string>; groups: number }> {
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  const { key_value_metadata: words = [], row_groups: groups } = parquetMetadata(bytes);
  const rows = await parquetReadObjects({
    file: bytes,
    // A Date has no microseconds.
    parsers: { timestampFromMicroseconds: (us: bigint) => us },
  });
  return {
    rows: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))),
    metadata: Object.fromEntries(words.map(({ key, value }) => [key, value ?? ''])),
    groups: groups.length,
  };
}

function plain(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'bigint' ? Number(value) : value;
}
