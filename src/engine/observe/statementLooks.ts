import type { Observation } from '../../model/domain/observation.ts';
import type { StatementLooks } from '../../model/domain/statement.ts';

/** How looks found the sessions that ran each statement, by the statement’s number in `pg_stat_statements`. */
export type LooksByStatement = ReadonlyMap<string, StatementLooks>;

/** What a session that is at work waits for, as an observation names it; `IPC`: for its own parallel workers, which compute. */
export function workOrWait(wait: string): keyof StatementLooks {
  const [type] = wait.split(':');
  if (type === 'CPU' || type === 'IPC') return 'cpu';
  if (type === 'Lock') return 'lock';
  return type === 'IO' || type === 'LWLock' || type === 'BufferPin' ? 'io' : 'other';
}

export function looksIn(observations: readonly Pick<Observation, 'sessions'>[]): LooksByStatement {
  const looks = new Map<string, StatementLooks>();
  for (const { sessions } of observations)
    for (const [statement, waits] of Object.entries(sessions?.byStatement ?? {}))
      for (const [wait, count] of Object.entries(waits)) {
        const of = looks.get(statement) ?? { cpu: 0, lock: 0, io: 0, other: 0 };
        looks.set(statement, { ...of, [workOrWait(wait)]: of[workOrWait(wait)] + count });
      }
  return looks;
}

/** Null of none. */
export function addedLooks(...all: readonly (StatementLooks | null)[]): StatementLooks | null {
  return all.reduce<StatementLooks | null>((sum, one) => {
    if (sum === null || one === null) return sum ?? one;
    return { cpu: sum.cpu + one.cpu, lock: sum.lock + one.lock, io: sum.io + one.io, other: sum.other + one.other };
  }, null);
}
