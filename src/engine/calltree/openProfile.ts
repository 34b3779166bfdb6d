import { gunzipSync } from 'node:zlib';
import type { CallTree } from '../../model/callTree.ts';
import { failure } from '../../model/failure.ts';
import { readBounded, UnreadFile } from '../files/boundedFile.ts';
import { maxJsonBytes, parseJsonDocument } from './jsonDocument.ts';
import { readJfr } from './jfr/readJfr.ts';
import { looksCollapsed, readCollapsed } from './readCollapsed.ts';
import { readCpuProfile, readCpuProfileDocument } from './readCpuProfile.ts';
import { readHeapProfile } from './readHeapProfile.ts';
import { readPprof } from './readPprof.ts';
import { readSpeedscope } from './readSpeedscope.ts';
import { damaged, maxProfileBytes, tooLarge } from '../../calltree/treeLimits.ts';

const knownFormats = 'Open a .cpuprofile, .heapprofile, .jfr, pprof, speedscope or collapsed-stack file.';

/**
 * Reads a recording of any known format, which is recognised by its content, packed with gzip or not. Every failure is a `FailureError`:
 * `profile-unknown`, `profile-damaged` or `profile-too-large`.
 */
export function readProfile(bytes: Uint8Array): CallTree {
  try {
    return readUnpacked(unpack(bytes));
  } catch (error) {
    // A count that no string, list or buffer can have is the engine's way of saying that there is too much.
    if (error instanceof RangeError) throw tooLarge('more than fits into memory');
    throw error;
  }
}

function readUnpacked(bytes: Uint8Array): CallTree {
  if (bytes[0] === 0x46 && bytes[1] === 0x4c && bytes[2] === 0x52 && bytes[3] === 0) return readJfr(bytes);
  const start = bytes.findIndex(
    (byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0xef && byte !== 0xbb && byte !== 0xbf,
  );
  if (start === -1) throw failure('profile-unknown', 'The file is empty.', knownFormats);
  if (bytes[start] === 0x7b) return readJson(bytes);
  if (looksCollapsed(bytes)) return readCollapsed(bytes);
  // A pprof message begins with one of its fields, of a length or a number.
  const [field, wireType] = [(bytes[0] ?? 0) >> 3, (bytes[0] ?? 0) & 7];
  if (field >= 1 && field <= 15 && (wireType === 0 || wireType === 2)) return readPprof(bytes);
  throw failure('profile-unknown', 'This is no recording of a format that is known here.', knownFormats);
}

function readJson(bytes: Uint8Array): CallTree {
  const scanned = readCpuProfile(bytes);
  if (typeof scanned === 'object') return scanned;
  // What is too long for `JSON.parse` can only be told what is wrong with it as JSON.
  if (scanned === 'invalid' && bytes.byteLength > maxJsonBytes) throw damaged('profile', 'its JSON is cut short or not valid');
  const document = parseJsonDocument(bytes, 'profile');
  if ('nodes' in document) return readCpuProfileDocument(document);
  if ('head' in document) return readHeapProfile(document);
  if ('shared' in document || 'profiles' in document) return readSpeedscope(document);
  throw failure('profile-unknown', 'This JSON is neither a CPU or heap profile of V8 nor a speedscope file.', knownFormats);
}

function unpack(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength > maxProfileBytes) throw tooLarge(`more than ${maxProfileBytes / 1024 / 1024} MB`);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxProfileBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`more than ${maxProfileBytes / 1024 / 1024} MB once it is unpacked`);
    throw damaged('gzip', 'it is cut short or changed');
  }
}

/** Reads the recording in a file; also fails with `profile-unreadable` where there is none or it may not be read. */
export async function openProfile(file: string): Promise<CallTree> {
  return readProfile(await readProfileFile(file));
}

/** The bytes of a recording's file; fails as {@link openProfile} does where it cannot be read. */
export async function readProfileFile(file: string): Promise<Uint8Array> {
  try {
    return await readBounded(file, { largestBytes: maxProfileBytes });
  } catch (error) {
    const reason = error instanceof UnreadFile ? error.reason : null;
    if (reason === 'too-large') throw tooLarge(`more than ${maxProfileBytes / 1024 / 1024} MB`);
    if (reason !== null) throw failure('profile-unreadable', `${file} ${(error as UnreadFile).message}.`, knownFormats);
    throw failure(
      'profile-unreadable',
      `The file ${file} could not be read: ${error instanceof Error ? error.message : String(error)}.`,
      'Name a file that exists and that you may read.',
    );
  }
}
