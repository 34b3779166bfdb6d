import { failure } from '../model/domain/failure.ts';

/** What a recording may hold at most. Beyond it, reading ends with a sentence instead of with the memory. */
export interface TreeLimits {
  nodes: number;
  /** Frames of one stack; deeper ones are cut there. */
  depth: number;
  functions: number;
  /** Characters of one name or file. */
  nameLength: number;
  samples: number;
  threads: number;
  events: number;
}

/** About 200 MB for the columns of a tree that reaches all of the limits but for the samples; V8 allows stacks of some 11,000 frames by default. */
export const treeLimits: Readonly<TreeLimits> = {
  nodes: 4_000_000,
  depth: 16_384,
  functions: 1_000_000,
  nameLength: 65_536,
  samples: 16_000_000,
  threads: 65_536,
  events: 64,
};

/** Most bytes of a file, packed or unpacked. */
export const maxProfileBytes = 512 * 1024 * 1024;

/** The recording is larger than what is read. `what` names the part, as in “more than 4,000,000 nodes”. */
export function tooLarge(what: string): Error {
  return failure('profile-too-large', `This recording is too large: it has ${what}.`);
}

/** The content does not follow its format. `what` is the rest of the sentence, as in “its first line has no count”. */
export function damaged(format: string, what: string): Error {
  return failure(
    'profile-damaged',
    `This is not a readable ${format} file: ${what}.`,
    'Save or record it again; it may be cut short or changed.',
  );
}
