import { stat } from 'node:fs/promises';
import type { ProfileNote } from '../../model/domain/profileNoteKinds.ts';
import type { CallTree } from '../../model/domain/callTree.ts';
import { cutNotes } from '../../calltree/cutStacks.ts';
import { remarkNotes, tooMuchCpuNotes } from '../../calltree/treeRemarks.ts';
import { leftOutNotes } from '../../calltree/recorderFrames.ts';
import type { DiskScripts } from './diskScripts.ts';
import { recordingInFolder } from './profileFolder.ts';
import { readAnyProfile, readProfileFile } from '../calltree/openProfile.ts';

/** A file that was read, the name of its format for people, and what must be known of it beyond its tree. */
export interface OpenedFile {
  tree: CallTree;
  format: string;
  notes: ProfileNote[];
}

/**
 * Reads the recording in a file, or the one in a folder that 0x or Clinic made. Of V8’s profiles, places in scripts that are on this disk with a source map are
 * those of the sources. Fails as `openProfile` does.
 */
export async function openFile(named: string): Promise<OpenedFile> {
  const { file, note } = (await recordingInFolder(named)) ?? { file: named, note: null };
  let scripts: DiskScripts | null = null;
  const { tree, format } = await readAnyProfile(await readProfileFile(file), async (unpacked) => {
    if (!mayNameScripts(unpacked)) return null;
    // Who opens another file does not wait for what reads source maps to be loaded.
    const { DiskScripts: Scripts } = await import('./diskScripts.ts');
    return (scripts = new Scripts((await stat(file)).mtimeMs));
  });
  const ofScripts = (scripts as DiskScripts | null)?.notes ?? [];
  return { tree, format: format.label, notes: [...(note === null ? [] : [note]), ...ofScripts] };
}

/** Notes on a tree: how it was read, what was paused, whose samples were left out, and what was cut. */
export function treeNotes(tree: CallTree): ProfileNote[] {
  return [...remarkNotes(tree), ...tooMuchCpuNotes(tree), ...leftOutNotes(tree.leftOut), ...cutNotes(tree)];
}

function mayNameScripts(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('"file:///');
}
