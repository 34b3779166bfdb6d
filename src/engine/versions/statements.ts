import type { Trial } from '../../model/domain/run.ts';
import { answeredRequests, isOncePerRow } from '../../model/domain/statement.ts';
import type { ChangedStatement } from '../../model/domain/versionDiff.ts';
import { leastCallsMore, leastCallsRatio } from './metrics.ts';

const mostStatements = 10;

/** Statements that one of two trials sends more often, the largest change first. */
export function changedStatements(a: Trial, b: Trial): ChangedStatement[] {
  const [before, after] = [callsBySql(a), callsBySql(b)];
  if (before === null || after === null) return [];
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((sql): ChangedStatement[] => {
      const [base, head] = [before.get(sql) ?? 0, after.get(sql) ?? 0];
      if (Math.abs(head - base) < leastCallsMore || Math.max(base, head) < leastCallsRatio * Math.min(base, head)) return [];
      const kind = base === 0 ? 'new' : head === 0 ? 'gone' : head > base ? 'more often' : 'less often';
      return [{ sql, kind, base, head, nPlusOne: head > base && isOncePerRow(sql, head) }];
    })
    .sort((one, other) => Math.abs(other.head - other.base) - Math.abs(one.head - one.base))
    .slice(0, mostStatements);
}

/** Calls per request by text; null where PostgreSQL did not count. */
function callsBySql(trial: Trial): Map<string, number> | null {
  const requests = answeredRequests(trial);
  if (trial.statements === undefined || requests === 0) return null;
  const calls = new Map<string, number>();
  for (const use of trial.statements) calls.set(use.sql, (calls.get(use.sql) ?? 0) + use.calls / requests);
  return calls;
}
