import { isProbed } from '../../../model/domain/runtimes.ts';
import type { Trial } from '../../../model/domain/run.ts';

/**
 * What PostgreSQL shows of the pool of an app that nothing looks into: the mean share of its connections that were at work or in a transaction, 0 … 1, by
 * trial. It replaces the wait, and says less: what a request does apart from the database while it holds a connection is not seen, so that the pool may be
 * fuller than this. Trials with a probe, without the size of a pool, or without a look at PostgreSQL are left out.
 */
export function busySessions(trials: readonly Trial[], setting: string | undefined): Map<string, number> {
  return new Map(
    trials.flatMap((trial): [string, number][] => {
      const size = setting === undefined ? undefined : trial.settings[setting];
      const { sessions } = trial.resources;
      if (isProbed(trial.runtime) || typeof size !== 'number' || Object.keys(sessions).length === 0) return [];
      const busy = ['active', 'idle in transaction', 'idle in transaction (aborted)'].reduce(
        (sum, state) => sum + (sessions[state] ?? 0),
        0,
      );
      return [[trial.key, Math.min(1, busy / (size * Math.max(1, trial.instances?.length ?? 1)))]];
    }),
  );
}
