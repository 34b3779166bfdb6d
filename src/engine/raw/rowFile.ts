import type { RawRow } from './rawFile.ts';

/** A file format that is written piece by piece: what comes before the rows, the rows, what comes after. */
export interface RowFile {
  begin(): Buffer;
  /** Bytes of these rows; none while they are kept for a larger piece. */
  rows(rows: readonly RawRow[]): Buffer;
  end(): Buffer;
}
