import { failure } from '../../model/domain/failure.ts';
import { openRegular } from '../files/boundedFile.ts';
import { parsedJson } from '../files/parsedJson.ts';
import {
  type RawHeader,
  errorKinds,
  frameHeadBytes,
  frameKinds,
  longestFrameBytes,
  noTime,
  rawHeaderSchema,
  requestId,
  rowBytes,
  rowFlags,
  rowLayout,
} from '../load/raw/rawFormat.ts';
import type { ProxyTimes } from './proxyTimes.ts';

/** The file of raw samples in a run's folder. */
export const rawFileName = 'raw-samples.bin';

/** One request, as it is loaded and exported. Times in µs; null where nobody reported them. */
export interface RawRow {
  trialKey: string;
  block: number;
  id: string;
  /** Since 1970. In the open loop the time at which it was to be sent. */
  startedUs: number;
  route: string;
  /** Null without an answer. */
  status: number | null;
  bytes: number;
  latencyUs: number;
  /** The kind of error; null for 2xx and 3xx. */
  error: string | null;
  counted: boolean;
  timed: boolean;
  /** As the proxy's log has it: the whole request, and the part that it waited for the app. */
  proxyUs: number | null;
  upstreamUs: number | null;
  appUs: number | null;
  poolUs: number | null;
  dbUs: number | null;
}

/** The size of one read: two reads for each frame took longer than processing them. */
const pieceBytes = 256 * 1024;

/** Reads the rows of a file piece by piece, in the order in which they ended. Fails with `raw-damaged`; a frame that is cut short ends the file. */
export async function* rawRows(file: string, proxy: ProxyTimes | null = null): AsyncGenerator<RawRow[]> {
  const { handle, bytes } = await openRegular(file).catch(() => {
    throw damaged(file, 0);
  });
  try {
    const frames = new RawFrames(file, proxy);
    let position = 0;
    for (;;) {
      // No larger than the file, which may have grown since.
      const piece = Buffer.allocUnsafe(Math.max(frameHeadBytes, Math.min(pieceBytes, bytes - position)));
      const { bytesRead } = await handle.read(piece, 0, piece.length, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield* frames.rowsOf(piece.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

/** Makes rows of a file's bytes, which are given to it piece by piece. */
export class RawFrames {
  #header: RawHeader | null = null;
  #position = 0;
  /** What was not a whole frame yet. */
  #rest = Buffer.alloc(0);

  /** `file`: its name, for the message that it is damaged. */
  constructor(
    private readonly file: string,
    private readonly proxy: ProxyTimes | null = null,
  ) {}

  /** The rows of all frames that are whole with this piece. */
  *rowsOf(piece: Buffer): Generator<RawRow[]> {
    this.#rest = Buffer.concat([this.#rest, piece]);
    while (this.#rest.length >= frameHeadBytes) {
      const [kind, bytes] = [this.#rest.readUInt8(0), this.#rest.readUInt32LE(1)];
      if (bytes > longestFrameBytes) throw this.#damaged();
      if (this.#rest.length < frameHeadBytes + bytes) return;
      const body = this.#rest.subarray(frameHeadBytes, frameHeadBytes + bytes);
      this.#rest = this.#rest.subarray(frameHeadBytes + bytes);
      this.#position += frameHeadBytes + bytes;
      if (kind === frameKinds.header) this.#header = this.#headerIn(body);
      else if (kind === frameKinds.rows) yield this.#rows(body);
      else if (kind !== frameKinds.end) throw this.#damaged();
    }
  }

  #headerIn(body: Buffer): RawHeader {
    const header = rawHeaderSchema.safeParse(parsedJson(body.toString()));
    if (header.success) return header.data;
    throw this.#damaged();
  }

  #rows(body: Buffer): RawRow[] {
    const header = this.#header;
    if (header === null || body.length % rowBytes !== 0) throw this.#damaged();
    const rows = Array.from({ length: body.length / rowBytes }, (_, index) => readRow(body, index * rowBytes, header, this.proxy));
    // What is no time could not be written as one.
    if (!rows.every(({ startedUs }) => Number.isSafeInteger(startedUs))) throw this.#damaged();
    return rows;
  }

  #damaged(): Error {
    return damaged(this.file, this.#position);
  }
}

function readRow(body: Buffer, at: number, header: RawHeader, proxy: ProxyTimes | null): RawRow {
  const sequence = body.readUInt32LE(at + rowLayout.sequence);
  const status = body.readUInt16LE(at + rowLayout.status);
  const error = errorKinds[body.readUInt8(at + rowLayout.error)] ?? 'other';
  const flags = body.readUInt8(at + rowLayout.flags);
  const startUs = body.readDoubleLE(at + rowLayout.startUs);
  const found = proxy?.find(header.idPrefix, sequence) ?? null;
  return {
    trialKey: header.trialKey,
    block: header.block,
    id: requestId(header.idPrefix, sequence),
    startedUs: Math.round(header.wallMs * 1000 + startUs - header.clockUs),
    route: header.routes[body.readUInt16LE(at + rowLayout.route)] ?? '?',
    status: status === 0 ? null : status,
    bytes: body.readUInt32LE(at + rowLayout.bytes),
    latencyUs: body.readUInt32LE(at + rowLayout.latencyUs),
    error: error === '' ? null : error,
    counted: (flags & rowFlags.counted) !== 0,
    timed: (flags & rowFlags.timed) !== 0,
    proxyUs: found?.requestUs ?? null,
    upstreamUs: found?.upstreamUs ?? null,
    appUs: time(body, at + rowLayout.appUs),
    poolUs: time(body, at + rowLayout.poolUs),
    dbUs: time(body, at + rowLayout.dbUs),
  };
}

function time(body: Buffer, at: number): number | null {
  const us = body.readUInt32LE(at);
  return us === noTime ? null : us;
}

function damaged(file: string, position: number): Error {
  return failure(
    'raw-damaged',
    'The raw samples of this run cannot be read.',
    'Run the benchmark again with raw samples; the run’s other figures are intact.',
    `${file}, byte ${position}`,
  );
}
