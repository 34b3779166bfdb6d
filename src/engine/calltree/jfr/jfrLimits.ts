import { type TreeLimits, damaged, maxProfileBytes, treeLimits } from '../../../calltree/treeLimits.ts';

/** What a recording may ask of this process at most; beyond it the reader stops with one sentence. */
export interface JfrLimits extends TreeLimits {
  /** Size of the whole file. */
  bytes: number;
  /** Constants of the pools of one chunk that are looked up (stacks, methods, symbols …). */
  constants: number;
  /** Characters of all function names together. */
  nameCharacters: number;
}

export const jfrLimits: Readonly<JfrLimits> = {
  ...treeLimits,
  bytes: maxProfileBytes,
  constants: 5_000_000,
  nameCharacters: 64 * 1024 * 1024,
};

/** The file is not what its own structure says: cut off, overwritten or made by hand. */
export function damagedJfr(what: string): Error {
  return damaged('Flight Recorder', what);
}
