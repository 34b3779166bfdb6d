import type { FileHandle } from 'node:fs/promises';
import { failure } from '../../model/failure.ts';
import { openRegular } from '../files/boundedFile.ts';
import {
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
import type { RawHeader } from '../load/raw/rawFormat.ts';
import type { ProxyTimes } from './proxyTimes.ts';

/** The file of raw samples in a run's folder. */
export const rawFileName = 'raw-samples.bin';

/** One request, as it is loaded and exported. Times in µs; null where nobody told them. */
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

/** Reads the rows of a file piece by piece, in the order in which they ended. Fails with `raw-damaged`; a frame that is cut short ends the file. */
export async function* rawRows(file: string, proxy: ProxyTimes | null = null): AsyncGenerator<RawRow[]> {
  const { handle } = await openRegular(file).catch(() => {
    throw damaged(file, 0);
  });
  try {
    let header: RawHeader | null = null;
    let position = 0;
    for (;;) {
      const head = await readExactly(handle, position, frameHeadBytes);
      if (head === null) return;
      const kind = head.readUInt8(0);
      const bytes = head.readUInt32LE(1);
      if (bytes > longestFrameBytes) throw damaged(file, position);
      const body = await readExactly(handle, position + frameHeadBytes, bytes);
      if (body === null) return;
      position += frameHeadBytes + bytes;
      if (kind === frameKinds.header) header = readHeader(body, file, position);
      else if (kind === frameKinds.rows) {
        if (header === null || bytes % rowBytes !== 0) throw damaged(file, position);
        const of = header;
        yield Array.from({ length: bytes / rowBytes }, (_, index) => readRow(body, index * rowBytes, of, proxy));
      } else if (kind !== frameKinds.end) throw damaged(file, position);
    }
  } finally {
    await handle.close();
  }
}

function readHeader(body: Buffer, file: string, position: number): RawHeader {
  try {
    return rawHeaderSchema.parse(JSON.parse(body.toString()));
  } catch {
    throw damaged(file, position);
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

/** So many bytes from a position on; null when the file has fewer. */
async function readExactly(handle: FileHandle, position: number, bytes: number): Promise<Buffer | null> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await handle.read(buffer, filled, bytes - filled, position + filled);
    if (bytesRead === 0) return null;
    filled += bytesRead;
  }
  return buffer;
}

function damaged(file: string, position: number): Error {
  return failure(
    'raw-damaged',
    'The raw samples of this run cannot be read.',
    'Run the benchmark again with raw samples; the run’s other figures are intact.',
    `${file}, byte ${position}`,
  );
}
