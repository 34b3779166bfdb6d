import type { RoundKind } from '../../model/domain/progress/roundKinds.ts';

/** Blocks that are measured one after the other. */
export interface Round<Trial> {
  /** From 1. */
  round: number;
  what: RoundKind;
  trials: readonly Trial[];
  /** Keys of the trials between which an answer is still open, where the round is measured for that. */
  open?: readonly string[];
  /** All processes are restarted before it. */
  anew?: boolean;
}

/**
 * What decides which blocks are measured next and when it is enough. It knows what was seen of the blocks, and nothing of processes: `src/engine/run` carries
 * it out. `spentMs` counts from the first round.
 */
export interface Strategy<Trial, Seen> {
  /** Null when the result is decided, or when nothing more can be decided in the remaining time. */
  next(spentMs: number): Round<Trial> | null;
  /** Notes a block of the round; null when it could not be measured. */
  observe(trial: Trial, round: number, seen: Seen | null): void;
  /** Milliseconds that the rounds may still take at the most. */
  remainingMs(spentMs: number): number;
  /** Milliseconds that the rounds take in any case; left out: as many. What is between comes only while something stays undecided. */
  surelyMs?(spentMs: number): number;
}
