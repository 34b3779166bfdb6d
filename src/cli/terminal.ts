import { lstatSync } from 'node:fs';
import { failure } from '../model/domain/failure.ts';
import type { Output } from './output.ts';

/** Where a command's words go, and what ends it. `write` makes a file. */
export interface Terminal extends Pick<Output, 'print' | 'json' | 'tell' | 'line' | 'document'> {
  signal: AbortSignal;
  write: (file: string, text: string) => void;
}

/** Writes a file. Fails with this code, and with a sentence that begins so. */
export function writing(code: 'output-not-written' | 'report-not-written', sentence: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw failure(code, `${sentence}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** A dangling link exists, too: writing through it would write elsewhere. */
export function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
