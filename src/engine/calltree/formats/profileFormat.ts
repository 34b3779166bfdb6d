import type { TreeDiff } from '../../../calltree/diffTrees.ts';
import type { CallTree, EventColumn } from '../../../model/domain/callTree.ts';
import type { ProfileHead } from '../../../model/domain/flame.ts';
import type { FileHead } from '../fileHead.ts';
import type { ScriptPlaces } from '../scriptPlaces.ts';
import type { PackedParts } from '../writeHtml.ts';
import type { FileOf } from '../writeFunctionJson.ts';

/**
 * How the editor treats files of an ending: `opens` them with the flame graph; `offers` it next to the editor's own viewer or another extension's; `asked`:
 * only who names the file gets it, as the ending says little of what is inside.
 */
export type EndingUse = 'opens' | 'offers' | 'asked';

/** What is to be written, and what some formats need beyond the tree. */
export interface WriteSource {
  tree: CallTree;
  /** The event that is shown. */
  event: EventColumn;
  /** What a format gets that holds several events. */
  events: readonly EventColumn[];
  title: string;
  /** The one sentence that the recording comes to. */
  sentence: () => string;
  fileOf: FileOf;
  /** For a self-contained page. `assetsDir` is absolute. */
  page: { parts: PackedParts; head: ProfileHead; assetsDir: string };
}

/** A form in which profiles are read, written or both. Its object holds everything that is known of a format; see {@link profileFormats}. */
export interface ProfileFormat {
  /** What it is called on a command line and in messages: lower case letters, digits and dashes. */
  id: string;
  /** What a person calls it. */
  label: string;
  /** Endings of its files, with what comes before them (`.pb.gz`, `-v8.log`). It is written under the first. */
  endings: Readonly<Record<string, EndingUse>>;
  /** Whether a file is of this format, by its content. The first format of the list that says so reads it. */
  sniff?: (head: FileHead) => boolean;
  /** Makes of a file what {@link ProfileFormat.read} reads, where a program is needed for that. Fails with a `FailureError`. */
  prepare?: (bytes: Uint8Array) => Promise<Uint8Array>;
  /**
   * Reads a file, unpacked; `scripts` resolves the places in scripts of V8’s profiles to their sources. Every failure is a `FailureError`: `profile-damaged`,
   * `profile-too-large` or `profile-unknown`.
   */
  read?: (bytes: Uint8Array, scripts: ScriptPlaces | null) => CallTree;
  write?: (source: WriteSource) => string | Uint8Array | Promise<string>;
  /** Writes a comparison of two recordings, with the sentence that it comes to. */
  writeDiff?: (diff: TreeDiff, sentence: string) => string;
}
