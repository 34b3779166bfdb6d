import { failure } from '../../../model/domain/failure.ts';
import type { JfrCursor } from './jfrCursor.ts';
import { damagedJfr } from './jfrLimits.ts';
import { type JfrTypes, readJfrTypes } from './jfrTypes.ts';

const headerBytes = 68;
const magic = 0x464c5200;
const compressedIntegers = 1;

/** One chunk: a recording of its own, with its clock, types and constants. All positions count from the start of the file. */
export interface JfrChunk {
  start: number;
  end: number;
  constantsAt: number;
  startNs: bigint;
  startTicks: number;
  ticksPerSecond: number;
  types: JfrTypes;
}

/** An event as it lies in the file: its fields are [position, end). */
export interface JfrEventRange {
  typeId: number;
  position: number;
  end: number;
}

/** Reads the headers and the types of all chunks of a file. */
export function readJfrChunks(cursor: JfrCursor): JfrChunk[] {
  const chunks: JfrChunk[] = [];
  for (let start = 0; start < cursor.bytes.length;) {
    const chunk = readChunk(cursor, start, cursor.bytes.length);
    chunks.push(chunk);
    start = chunk.end;
  }
  return chunks;
}

function readChunk(cursor: JfrCursor, start: number, fileEnd: number): JfrChunk {
  if (fileEnd - start < headerBytes) throw start === 0 ? notJfr() : damagedJfr('it ends in the middle of a chunk');
  cursor.seek(start, fileEnd);
  if (cursor.fixedInt() !== magic) throw start === 0 ? notJfr() : damagedJfr('a chunk does not begin where it should');
  const version = cursor.fixedInt();
  if (version >>> 16 !== 2) {
    throw failure(
      'jfr-version',
      `The Flight Recorder file has the format version ${version >>> 16}.${version & 0xffff}; only version 2 can be read.`,
      'Record with Java 11 or later.',
    );
  }
  const size = Number(cursor.fixedLong());
  const constantsOffset = Number(cursor.fixedLong());
  const typesOffset = Number(cursor.fixedLong());
  const startNs = cursor.fixedLong();
  cursor.fixedLong();
  const startTicks = Number(cursor.fixedLong());
  const ticksPerSecond = Number(cursor.fixedLong());
  const features = cursor.fixedInt();
  if (size === 0) {
    throw failure(
      'jfr-unfinished',
      'The Flight Recorder file is still being written, or its program was killed.',
      'Let the recording end and open the file again.',
    );
  }
  if (size < headerBytes || size > fileEnd - start) throw damagedJfr('it ends in the middle of a chunk');
  if (!inside(constantsOffset, size) || !inside(typesOffset, size)) throw damagedJfr('it points outside itself');
  if (ticksPerSecond <= 0) throw damagedJfr('its clock stands still');
  if ((features & compressedIntegers) === 0) {
    throw failure(
      'jfr-uncompressed',
      'The Flight Recorder file has uncompressed numbers, which cannot be read.',
      'Record without “compressedintegers=false”.',
    );
  }
  const end = start + size;
  cursor.seek(start + typesOffset, end);
  return { start, end, constantsAt: start + constantsOffset, startNs, startTicks, ticksPerSecond, types: readJfrTypes(cursor) };
}

/**
 * The events of a chunk in the order of the file, without those of metadata (type 0) and, unless asked for, constants (type 1). The range is the
 * same object each time.
 */
export function* eventsOf(cursor: JfrCursor, chunk: JfrChunk, { constants = false } = {}): Generator<JfrEventRange> {
  const firstType = constants ? 1 : 2;
  const range = { typeId: 0, position: 0, end: 0 };
  for (let position = chunk.start + headerBytes; position < chunk.end; position = range.end) {
    cursor.seek(position, chunk.end);
    const size = cursor.long();
    range.typeId = cursor.long();
    range.position = cursor.position;
    range.end = position + size;
    if (!(range.end >= range.position && range.end <= chunk.end)) throw damagedJfr('an event does not end where it says');
    if (range.typeId >= firstType) yield range;
  }
}

function inside(offset: number, size: number): boolean {
  return offset >= headerBytes && offset < size;
}

function notJfr(): Error {
  return failure('jfr-not-a-recording', 'This is not a Flight Recorder file.', 'Open a .jfr file that Java or async-profiler wrote.');
}
