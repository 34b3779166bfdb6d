import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { failure } from '../../model/domain/failure.ts';

/** Makes a folder of the storage, for its user alone. Fails with `storage-not-usable`. */
export function makeStorage(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failure(
      'storage-not-usable',
      `Benchside cannot keep its files in ${path.dirname(folder)}.`,
      'Make that folder, or what stands in its place, writable for your user; in a terminal BENCHSIDE_STORAGE names another one.',
      String(error),
    );
  }
}
