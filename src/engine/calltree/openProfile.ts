import { maxProfileBytes, tooLarge } from '../../calltree/treeLimits.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { failure } from '../../model/domain/failure.ts';
import { readBounded, UnreadFile } from '../files/boundedFile.ts';
import { fileHead } from './fileHead.ts';
import { type ProfileFormat, formatOf, profileFormats } from './formats/profileFormats.ts';
import { refusedAs } from './formats/refusedFormats.ts';
import { maxJsonBytes, parseJsonDocument } from './jsonDocument.ts';
import type { ScriptPlaces } from './scriptPlaces.ts';
import { unpackProfile } from './unpackProfile.ts';

const knownFormats = `Open one of: ${profileFormats
  .filter(({ read }) => read !== undefined)
  .map(({ label }) => label)
  .join(', ')}.`;

/** A recording that was read, and the format that it had. */
interface ReadFile {
  tree: CallTree;
  format: ProfileFormat;
}

/**
 * Reads a recording of any known format, which is recognised by its content, packed or not. Every failure is a `FailureError`: `profile-unknown`,
 * `profile-damaged` or `profile-too-large`. `scripts` resolves the places in scripts of V8’s profiles to their sources.
 */
export function readProfile(bytes: Uint8Array, scripts: ScriptPlaces | null = null): CallTree {
  return withinMemory(() => {
    const unpacked = unpackProfile(bytes);
    return recognised(unpacked).read(unpacked, scripts);
  });
}

/** As {@link readProfile}, with the format, and with the help of a program where one is needed. */
export async function readAnyProfile(
  bytes: Uint8Array,
  scriptsOf: (unpacked: Uint8Array) => Promise<ScriptPlaces | null>,
): Promise<ReadFile> {
  const { unpacked, format } = withinMemory(() => {
    const whole = unpackProfile(bytes);
    return { unpacked: whole, format: recognised(whole) };
  });
  const prepared = format.prepare === undefined ? unpacked : await format.prepare(unpacked);
  const scripts = await scriptsOf(prepared);
  return { tree: withinMemory(() => format.read(prepared, scripts)), format };
}

function withinMemory<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // A count that no string, list or buffer can have is the engine's way of saying that there is too much.
    if (error instanceof RangeError) throw tooLarge('more than fits into memory');
    throw error;
  }
}

function recognised(bytes: Uint8Array): NonNullable<ReturnType<typeof formatOf>> {
  const head = fileHead(bytes);
  if (head.text.trim() === '') throw failure('profile-unknown', 'The file is empty.', knownFormats);
  // Where the beginning is not enough, all fields are searched.
  const format = formatOf(head) ?? (head.json === 'object' ? formatOf(fileHead(bytes, bytes.byteLength)) : null);
  if (format !== null) return format;
  // Needed to report a document that is cut short.
  if (head.json === 'object' && bytes.byteLength <= maxJsonBytes) parseJsonDocument(bytes, 'profile');
  const { label, cure } = refusedAs(head);
  throw failure('profile-unknown', `This is ${label}, and no recording of a format that is read here.`, cure ?? knownFormats);
}

/**
 * Reads the recording in a file of one of our recorders. That needs no external program; also fails with `profile-unreadable` where there is none or it may not
 * be read.
 */
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
