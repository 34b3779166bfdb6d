import type { RawRow } from './rawFile.ts';

/** What a column holds: in a Parquet file, and when it is written as text. `time` is µs since 1970. */
export type ColumnKind = 'text' | 'int16' | 'int32' | 'int64' | 'boolean' | 'time';

export interface RawColumn {
  name: string;
  kind: ColumnKind;
  nullable: boolean;
  value: (row: RawRow) => string | number | boolean | null;
}

/** The columns of an export, in order. The table `raw.requests` has the same, with the run and the trial as numbers. */
export const rawColumns: readonly RawColumn[] = [
  { name: 'trial', kind: 'text', nullable: false, value: (row) => row.trialKey },
  { name: 'block', kind: 'int32', nullable: false, value: (row) => row.block },
  { name: 'id', kind: 'text', nullable: false, value: (row) => row.id },
  { name: 'started_at', kind: 'time', nullable: false, value: (row) => row.startedUs },
  { name: 'route', kind: 'text', nullable: false, value: (row) => row.route },
  { name: 'status', kind: 'int16', nullable: true, value: (row) => row.status },
  { name: 'bytes', kind: 'int64', nullable: false, value: (row) => row.bytes },
  { name: 'latency_us', kind: 'int64', nullable: false, value: (row) => row.latencyUs },
  { name: 'error', kind: 'text', nullable: true, value: (row) => row.error },
  { name: 'counted', kind: 'boolean', nullable: false, value: (row) => row.counted },
  { name: 'timed', kind: 'boolean', nullable: false, value: (row) => row.timed },
  { name: 'proxy_us', kind: 'int64', nullable: true, value: (row) => row.proxyUs },
  { name: 'upstream_us', kind: 'int64', nullable: true, value: (row) => row.upstreamUs },
  { name: 'app_us', kind: 'int64', nullable: true, value: (row) => row.appUs },
  { name: 'pool_us', kind: 'int64', nullable: true, value: (row) => row.poolUs },
  { name: 'db_us', kind: 'int64', nullable: true, value: (row) => row.dbUs },
];

/** A file format that is written piece by piece: what comes before the rows, the rows, what comes after. */
export interface RowFile {
  begin(): Buffer;
  /** Bytes of these rows; none while they are kept for a larger piece. */
  rows(rows: readonly RawRow[]): Buffer;
  end(): Buffer;
}

/** A time in UTC to the microsecond, as PostgreSQL and spreadsheets read it. */
export function timeText(us: number): string {
  const wholeMs = Math.floor(us / 1000);
  return `${new Date(wholeMs).toISOString().slice(0, 23)}${String(us - wholeMs * 1000).padStart(3, '0')}Z`;
}
