import type { Round, Strategy } from '../strategies/strategy.ts';
import type { RunProgress } from './runProgress.ts';
import type { RunUnderWay } from './runLife.ts';

/** Stopping what was started, and writing the run. */
const endMs = 1500;

export interface Blocks<Trial, Seen> {
  measure: (trial: Trial, round: Round<Trial>) => Promise<Seen | null>;
  /** All trials of a round at once, in slices; returns null where that is not possible, and each is measured alone. */
  together?: (round: Round<Trial>) => Promise<ReadonlyMap<Trial, Seen | null> | null>;
  /** For a round that asks for it: every process is restarted. */
  startAnew?: () => Promise<void>;
  /** What was seen of a block has been noted. */
  observed?: (round: Round<Trial>) => void;
  done?: (round: Round<Trial>) => void;
  /** Rounds of this kind are too short for the data to be brought back to its first state before each. */
  keepsData?: boolean;
}

/** Measures what a strategy asks for, round by round, until it is enough. */
export async function executeStrategy<Trial, Seen>(
  strategy: Strategy<Trial, Seen>,
  run: Pick<RunUnderWay, 'beforeRound' | 'assertWorthwhile'> & { progress: Pick<RunProgress, 'elapsedMs' | 'setRemaining' | 'setOpen'> },
  { measure, together, startAnew, observed, done, keepsData }: Blocks<Trial, Seen>,
): Promise<void> {
  const { progress } = run;
  const startedMs = progress.elapsedMs;
  const spentMs = (): number => progress.elapsedMs - startedMs;
  const tellRemaining = (): void => {
    const mostMs = strategy.remainingMs(spentMs());
    progress.setRemaining(mostMs + endMs, (strategy.surelyMs?.(spentMs()) ?? mostMs) + endMs);
  };
  for (let round = strategy.next(0); round !== null; round = strategy.next(spentMs())) {
    if (keepsData !== true) await run.beforeRound();
    if (round.anew === true) await startAnew?.();
    tellRemaining();
    progress.setOpen(round.open ?? []);
    const all = (await together?.(round)) ?? null;
    for (const [index, trial] of round.trials.entries()) {
      if (all === null) {
        run.assertWorthwhile();
        tellRemaining();
      }
      strategy.observe(trial, round.round, all === null ? await measure(trial, round) : (all.get(trial) ?? null));
      if (all === null || index === round.trials.length - 1) observed?.(round);
    }
    done?.(round);
  }
  progress.setOpen([]);
}
