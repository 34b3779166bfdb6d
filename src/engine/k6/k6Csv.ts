import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { failure } from '../../model/domain/failure.ts';
import { systemCode } from '../files/safeFiles.ts';

/** No row of k6 is nearly as long; what is, is another kind of file. */
const longestRowBytes = 64 * 1024;
/** A time in ms since 1970, for some hundreds of years. */
const largestValue = 1e13;
const mostRemembered = 4 * 1024 * 1024;
/** Flags absent on Windows count as 0 there. A pipe under a file's name would be waited for without end. */
const nonBlocking = constants.O_NONBLOCK ?? 0;
const [lineFeed, carriageReturn, comma, dot, minus, zero, nine] = [10, 13, 44, 46, 45, 48, 57];

/** What all rows with the same tags have in common. */
export interface RowTags {
  name: string;
  status: string;
  errorCode: string;
  expected: boolean;
  /** The tags that are no columns. */
  extra: ReadonlyMap<string, string>;
}

/**
 * Called with each row of a metric that is wanted: its time in µs since 1970, its value, and its tags (the same object for the same tags). False: no more rows.
 */
export type RowListener<T> = (metric: T, timeUs: number, value: number, tags: RowTags) => boolean | void;

/**
 * Reads the rows of a CSV file of k6, packed or not, piece by piece and never as a whole. `wanted` names the metrics whose rows are reported; the others are
 * skipped. Returns how many rows there were.
 * Fails with `k6-csv`, which names the file, for a file that is not k6’s, is cut off, or has other times than `K6_CSV_TIME_FORMAT=unix_micro` gives.
 */
export async function readK6Csv<T>(
  file: string,
  shownName: string,
  wanted: ReadonlyMap<string, T>,
  listener: RowListener<T>,
  onPiece: (bytes: number) => void = () => undefined,
): Promise<number> {
  const reader = new RowReader(shownName, wanted, listener);
  const handle = await open(file, constants.O_RDONLY | nonBlocking).catch((error: unknown) => {
    throw unreadable(shownName, systemCode(error) ?? String(error));
  });
  try {
    if (!(await handle.stat()).isFile()) throw unreadable(shownName, 'it is no file');
    const raw = handle.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 });
    const { buffer: head } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    const unpacked = isPacked ? createGunzip({ chunkSize: 256 * 1024 }) : null;
    let packedBytes = 0;
    raw.on('data', (piece) => onPiece((packedBytes += piece.length)));
    if (unpacked !== null) {
      raw.on('error', (error) => unpacked.destroy(error));
      raw.pipe(unpacked);
    }
    try {
      for await (const piece of unpacked ?? raw) if (!reader.take(piece as Buffer)) break;
    } catch (error) {
      const code = systemCode(error) ?? '';
      if (!code.startsWith('Z_')) throw error;
      throw notK6(
        shownName,
        code === 'Z_BUF_ERROR' ? 'it is cut off in the middle' : 'it is packed, and damaged',
        'Copy it again when k6 has ended; a runner that was killed leaves none that can be used.',
      );
    } finally {
      raw.destroy();
      unpacked?.destroy();
    }
    return reader.end();
  } finally {
    await handle.close();
  }
}

/** Finds rows in pieces of bytes. A row is recognised by its first bytes, and read only where its metric is wanted. */
class RowReader<T> {
  #left: Buffer = Buffer.alloc(0);
  #columns: ReadonlyMap<string, number> | null = null;
  #rows = 0;
  #over = false;
  readonly #tags = new Map<string, RowTags>();
  #remembered = 0;
  readonly #byStart: readonly { name: Buffer; metric: T }[];

  constructor(
    private readonly file: string,
    wanted: ReadonlyMap<string, T>,
    private readonly listener: RowListener<T>,
  ) {
    this.#byStart = [...wanted].map(([name, metric]) => ({ name: Buffer.from(`${name},`), metric }));
  }

  /** Whether more is wanted. */
  take(piece: Buffer): boolean {
    let from = 0;
    if (this.#left.length > 0) {
      const end = piece.indexOf(lineFeed);
      if (end === -1) {
        this.#keep(Buffer.concat([this.#left, piece]));
        return true;
      }
      const row = Buffer.concat([this.#left, piece.subarray(0, end)]);
      this.#left = Buffer.alloc(0);
      this.#row(row, 0, row.length);
      from = end + 1;
    }
    for (let end = piece.indexOf(lineFeed, from); end !== -1 && !this.#over; end = piece.indexOf(lineFeed, from)) {
      this.#row(piece, from, end);
      from = end + 1;
    }
    if (from < piece.length && !this.#over) this.#keep(Buffer.from(piece.subarray(from)));
    return !this.#over;
  }

  /** Returns the number of rows. */
  end(): number {
    if (this.#columns === null) throw notK6(this.file, 'it is empty');
    if (this.#left.length > 0 && !this.#over) throw notK6(this.file, 'its last row is cut off', 'Copy it again when k6 has ended.');
    return this.#rows;
  }

  #keep(left: Buffer): void {
    if (left.length > longestRowBytes) throw tooLongRow(this.file);
    this.#left = left;
  }

  #row(buffer: Buffer, from: number, end: number): void {
    if (end - from > longestRowBytes) throw tooLongRow(this.file);
    const to = end > from && buffer[end - 1] === carriageReturn ? end - 1 : end;
    if (this.#columns === null) {
      this.#columns = this.#header(buffer.toString('utf8', from, Math.min(to, from + longestRowBytes)));
      return;
    }
    this.#rows += 1;
    for (const { name, metric } of this.#byStart) {
      if (!startsWith(buffer, from, to, name)) continue;
      this.#wanted(metric, buffer, from + name.length, to);
      return;
    }
  }

  #wanted(metric: T, buffer: Buffer, from: number, to: number): void {
    const timeEnd = buffer.indexOf(comma, from);
    const valueEnd = timeEnd === -1 ? -1 : buffer.indexOf(comma, timeEnd + 1);
    if (valueEnd === -1 || valueEnd >= to) throw this.#badRow('has too few fields');
    const timeUs = number(buffer, from, timeEnd);
    const value = number(buffer, timeEnd + 1, valueEnd);
    if (timeUs === null || value === null) throw this.#badRow('has a time or a value that is no number');
    // Durations and times in ms, and counts: the largest that k6 can mean is a time in ms since 1970.
    if (value < 0 || value > largestValue) throw this.#badRow('has a value that nothing takes');
    // Seconds, ms and ns since 1970 are of other lengths, for some thousands of years.
    if (timeUs < 1e15 || timeUs >= 1e16)
      throw notK6(this.file, 'its times are not in microseconds', 'Run k6 with K6_CSV_TIME_FORMAT=unix_micro, as the exported files do.');
    if (this.listener(metric, timeUs, value, this.#tagsOf(buffer.toString('latin1', valueEnd + 1, to))) === false) this.#over = true;
  }

  #tagsOf(rest: string): RowTags {
    const known = this.#tags.get(rest);
    if (known !== undefined) return known;
    const fields = csvFields(Buffer.from(rest, 'latin1').toString('utf8'));
    const field = (name: string): string => {
      const column = this.#columns?.get(name);
      return column === undefined ? '' : (fields[column - 3] ?? '');
    };
    if (fields.length + 3 !== this.#columns?.size) throw this.#badRow('has another number of fields than the head of the file');
    const tags: RowTags = {
      name: field('name'),
      status: field('status'),
      errorCode: field('error_code'),
      expected: field('expected_response') === 'true',
      extra: extraTags(field('extra_tags')),
    };
    // Tags that differ in each request (an address as a name) are not Benchside's; they are read, and only a limited number is remembered.
    if (this.#remembered + rest.length < mostRemembered) {
      this.#remembered += rest.length;
      this.#tags.set(rest, tags);
    }
    return tags;
  }

  #header(line: string): ReadonlyMap<string, number> {
    const names = csvFields(line.replace(/^\ufeff/, ''));
    if (names[0] !== 'metric_name' || names[1] !== 'timestamp' || names[2] !== 'metric_value')
      throw notK6(this.file, 'it does not begin with metric_name,timestamp,metric_value');
    const missing = ['name', 'status', 'expected_response', 'error_code', 'extra_tags'].filter((name) => !names.includes(name));
    if (missing.length > 0) throw notK6(this.file, `it has no column ${missing.join(', ')}`);
    return new Map(names.map((name, index) => [name, index]));
  }

  #badRow(what: string): Error {
    return notK6(this.file, `row ${this.#rows + 1} ${what}`);
  }
}

function startsWith(buffer: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from < name.length) return false;
  // From the end: most metrics begin alike.
  for (let i = name.length - 1; i >= 0; i--) if (buffer[from + i] !== name[i]) return false;
  return true;
}

/** A decimal number without an exponent, as k6 writes all; null for anything else. */
function number(buffer: Buffer, from: number, to: number): number | null {
  let digits = 0;
  let scale = 1;
  let afterDot = false;
  const negative = buffer[from] === minus;
  let at = negative ? from + 1 : from;
  if (at >= to) return null;
  for (; at < to; at++) {
    const byte = buffer[at] ?? 0;
    if (byte === dot && !afterDot) {
      afterDot = true;
    } else if (byte >= zero && byte <= nine) {
      digits = digits * 10 + (byte - zero);
      if (afterDot) scale *= 10;
    } else {
      return null;
    }
  }
  return (negative ? -digits : digits) / scale;
}

/** The fields of one line; a quoted one may have commas, and two quotes for one. */
export function csvFields(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"(,|$)/.exec(rest);
    const [whole = '', text = '', end = ''] = quoted ?? /^([^,]*)(,|$)/.exec(rest) ?? [];
    fields.push(quoted === null ? text : text.replaceAll('""', '"'));
    if (end === '') return fields;
    rest = rest.slice(whole.length);
  }
}

function extraTags(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .split('&')
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

function notK6(file: string, why: string, cure = 'Name CSV files that k6 wrote for the exported script (--out csv=FILE.csv.gz).'): Error {
  return failure('k6-csv', `${file} cannot be imported: ${why}.`, cure);
}

function tooLongRow(file: string): Error {
  return notK6(file, `it has a row of more than ${longestRowBytes} bytes`);
}

function unreadable(file: string, why: string): Error {
  return failure('k6-csv', `${file} cannot be read (${why}).`, 'Name files that exist and that you may read.');
}
