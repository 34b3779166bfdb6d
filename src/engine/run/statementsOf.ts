import type { StatementUse } from '../../model/domain/statement.ts';
import type { LoadMeasurement } from '../load/loadProtocol.ts';
import { type StatementsWindow, countersOf, mergeStatements } from '../observe/statementMeter.ts';

/** Two versions are compared by what all of them are called, so that none that matters may be missing of one side. */
const mostStatements = 25;

interface CountedBlock {
  /** Null or absent where they are not known. */
  statements?: StatementsWindow | null;
  result: Pick<LoadMeasurement, 'requests' | 'sentInAll'>;
}

/**
 * What so many requests send of each statement, by those blocks whose statements are known: as PostgreSQL counted them while nothing was in progress, before
 * the first request and after the last, so that a late reading of the counters on a busy machine changes nothing. The longest first, none where none was sent;
 * null where nothing is known.
 */
export function statementsOf(blocks: readonly CountedBlock[], requests: number): StatementUse[] | null {
  const known = blocks.flatMap(({ statements, result }) => (statements == null ? [] : [{ statements, result }]));
  const sent = known.reduce((sum, { result }) => sum + (result.sentInAll ?? result.requests), 0);
  if (sent === 0) return null;
  const times = requests / sent;
  return mergeStatements(
    known.map(({ statements }) => statements),
    mostStatements,
  ).map((use) => ({ ...use, ...countersOf((name) => times * (use[name] ?? 0)) }));
}
