import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { failure } from '../../model/domain/failure.ts';
import { readBoundedText, UnreadFile } from '../files/boundedFile.ts';
import type { TrafficInput } from './trafficSource.ts';

/** A document that is read as a whole. */
const largestDocumentBytes = 96 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
const longestLine = 64 * 1024;
const nonBlocking = constants.O_NONBLOCK ?? 0;

export function trafficInput(file: string): TrafficInput {
  return {
    lines: () => linesOf(file),
    text: () => {
      try {
        return readBoundedText(file, { largestBytes: largestDocumentBytes });
      } catch (error) {
        if (!(error instanceof UnreadFile)) throw error;
        throw failure('traffic-unreadable', `${file} ${error.message}.`, 'Name a file, or record a shorter time.');
      }
    },
  };
}

function* linesOf(file: string): Generator<string> {
  const descriptor = openSync(file, constants.O_RDONLY | nonBlocking);
  try {
    if (!fstatSync(descriptor).isFile())
      throw failure('traffic-unreadable', `${file} is not a file.`, 'Name the file that holds the traffic.');
    const piece = Buffer.allocUnsafe(pieceBytes);
    let rest = Buffer.alloc(0);
    let isFirst = true;
    for (let count = readSync(descriptor, piece); count > 0; count = readSync(descriptor, piece)) {
      const bytes = rest.length === 0 ? piece.subarray(0, count) : Buffer.concat([rest, piece.subarray(0, count)]);
      const last = bytes.lastIndexOf(10);
      // Whole lines become text at once: a decoder of streams makes text of two bytes for each character, which takes half of all the time.
      const text = last === -1 ? '' : bytes.toString('utf8', isFirst && hasMark(bytes) ? 3 : 0, last + 1);
      if (text !== '') isFirst = false;
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        yield text.slice(from, Math.min(text.charCodeAt(end - 1) === 13 ? end - 1 : end, from + longestLine));
        from = end + 1;
      }
      // What has no end of a line is no line.
      const kept = bytes.length - last - 1 > 2 * longestLine ? longestLine : bytes.length - last - 1;
      rest = Buffer.from(bytes.subarray(last + 1, last + 1 + kept));
    }
    if (rest.length > 0) yield rest.toString('utf8', isFirst && hasMark(rest) ? 3 : 0);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a byte order mark is at the beginning. */
function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}
