import { listPhrase, wholeNumber } from '../domain/format.ts';
import type { Trial } from '../domain/run.ts';
import { capital } from '../domain/sentence.ts';
import { shownSettings, variedPhrase } from './settingWords.ts';

/** What is known of a target while its settings take turns. */
export interface SoFar {
  target: string;
  targetLabel: string;
  /** "So far pool 16 has the most"; what is waited for while nothing was measured. */
  sentence: string;
  /** Its figures, and how much of the plan they rest on; empty at first. */
  figures: string;
  /** False: nothing was measured yet, so that nothing was seen. */
  seen: boolean;
}

/**
 * What a run knows so far of each target, in the order of its trials. It names what has the most, and recommends nothing: rounds are open. Once rounds are
 * added because an answer is open between some (`open`, by their keys), it is those that it names.
 */
export function soFarOf(trials: readonly Trial[], open: readonly string[] = []): SoFar[] {
  return [...new Set(trials.map(({ target }) => target))].map((target) => {
    const own = trials.filter((trial) => trial.target === target);
    const targetLabel = own[0]?.targetLabel ?? target;
    const measured = own.filter((trial) => trial.throughput.mean > 0);
    const best = [...measured].sort((a, b) => b.throughput.mean - a.throughput.mean)[0];
    if (best === undefined)
      return {
        target,
        targetLabel,
        sentence: 'Nothing measured yet',
        figures: 'The app is started and warmed up, then its first round is measured.',
        seen: false,
      };
    const nameOf = (trial: Trial): string => variedPhrase({ ...trial, targetLabel: '' }, shownSettings(own)).replace(/^ · /, '');
    const name = own.length === 1 ? '' : nameOf(best);
    const between = own.filter(({ key }) => open.includes(key)).map(nameOf);
    // Rounds that are added are of those alone that are open.
    const turning = own.filter(({ key }) => between.length === 0 || open.includes(key));
    const rounds = Math.min(...turning.map((trial) => trial.blocks.length));
    return {
      target,
      targetLabel,
      sentence:
        name === ''
          ? `So far ${wholeNumber(best.throughput.mean)} requests/s`
          : between.length === 0
            ? `So far ${name} has the most`
            : `${capital(listPhrase(between))} ${between.length === 1 ? 'is to be confirmed' : 'are still open'}`,
      figures: `${between.length === 0 ? '' : `${capital(name)} has the most so far, `}${wholeNumber(best.throughput.mean)} req/s; ${measured.length} of ${own.length} settings measured${rounds === 0 ? '' : `, ${rounds} ${rounds === 1 ? 'round' : 'rounds'} complete`}.`,
      seen: true,
    };
  });
}
