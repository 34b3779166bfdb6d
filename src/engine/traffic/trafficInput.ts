import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { failure } from '../../model/failure.ts';
import { readBoundedText, UnreadFile } from '../files/boundedFile.ts';
import type { TrafficInput } from './trafficSource.ts';

/** A document that is read as a whole. */
const largestDocumentBytes = 96 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
const longestLine = 64 * 1024;
const nonBlocking = constants.O_NONBLOCK ?? 0;

/** A file of traffic for its reader. */
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
    const decoder = new TextDecoder();
    let rest = '';
    for (let count = readSync(descriptor, piece); count > 0; count = readSync(descriptor, piece)) {
      const text = rest + decoder.decode(piece.subarray(0, count), { stream: true });
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        yield text.slice(from, Math.min(text.charCodeAt(end - 1) === 13 ? end - 1 : end, from + longestLine));
        from = end + 1;
      }
      rest = text.slice(from);
      // What has no end of a line is no line.
      if (rest.length > 2 * longestLine) rest = rest.slice(0, longestLine);
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(descriptor);
  }
}
