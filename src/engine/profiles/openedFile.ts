import { stat } from 'node:fs/promises';
import type { CallTree } from '../../model/callTree.ts';
import { cutNotes } from '../../calltree/cutStacks.ts';
import { leftOutNotes } from '../../calltree/recorderFrames.ts';
import { readProfile, readProfileFile } from '../calltree/openProfile.ts';

/** A file that was read, with what must be known of it, as sentences. */
export interface OpenedFile {
  tree: CallTree;
  notes: string[];
}

/**
 * Reads the recording in a file. Of V8’s profiles, places in scripts that stand on this disk with a source map are those of the sources. Fails as
 * `openProfile` does.
 */
export async function openFile(file: string): Promise<OpenedFile> {
  const bytes = await readProfileFile(file);
  // Who opens another file does not wait for what reads source maps to be loaded.
  const scripts = mayNameScripts(bytes) ? new (await import('./diskScripts.ts')).DiskScripts((await stat(file)).mtimeMs) : null;
  const tree = readProfile(bytes, scripts);
  return { tree, notes: [...(scripts?.notes ?? []), ...treeNotes(tree)] };
}

/** What a tree says of itself: whose samples were left out, and what was cut. */
export function treeNotes(tree: CallTree): string[] {
  return [...leftOutNotes(tree.leftOut), ...cutNotes(tree)];
}

function mayNameScripts(bytes: Uint8Array): boolean {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isPacked || Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"file:///');
}
