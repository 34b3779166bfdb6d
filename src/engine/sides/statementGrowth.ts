import type { Trial } from '../../model/domain/run.ts';
import type { GrowthKind, StatementUse } from '../../model/domain/statement.ts';
import type { StatementGrowth } from '../../model/domain/variantNoteKinds.ts';
import { scansOf, usesIndex } from '../versions/planChanges.ts';

const mostStatements = 5;
/** What is called less often may have been measured by chance. */
const leastCalls = 5;

/**
 * How the statements grow from one side to another that has `factor` times the rows, by their share of that side's time. Statements whose tables grow and that
 * the load sends to both.
 */
export function statementGrowth(base: Trial, other: Trial, factor: number): StatementGrowth[] {
  const before = new Map((base.statements ?? []).map((use) => [use.sql, use]));
  return [...(other.statements ?? [])]
    .filter(({ calls, blocksUsed }) => calls >= leastCalls && (blocksUsed ?? 0) > 0)
    .sort((a, b) => b.totalMs - a.totalMs)
    .flatMap((use): StatementGrowth[] => {
      const earlier = before.get(use.sql);
      if (earlier === undefined || earlier.calls < leastCalls || earlier.meanMs <= 0) return [];
      const scans = use.plan === null ? [] : scansOf(use.plan);
      return [{ sql: use.sql, baseMs: earlier.meanMs, otherMs: use.meanMs, kind: growthKind(earlier, use, factor), scans }];
    })
    .slice(0, mostStatements);
}

/**
 * From these powers of the number of rows on, work counts as growing, as in proportion, and as more than that: between a search and a scan, and between a sort
 * (n·log n, 1.1) and each row with √n others (1.5).
 */
const [grows, inProportion, more] = [0.3, 0.7, 1.3];

/**
 * The work of a call as a power of the number of rows: log(ratio) / log(factor), of the blocks that it uses, which are exact, or of its time where that grows
 * faster, as it does where work is no reading. The time of a short call is mostly the same for any data, so that blocks come first. A search in an index grows
 * with the depth of its tree, which few blocks show: what does not grow otherwise and uses an index counts as logarithmic.
 */
export function growthKind(base: StatementUse, other: StatementUse, factor: number): GrowthKind {
  const power = (one: number, many: number): number => (one > 0 && many > 0 ? Math.log(many / one) / Math.log(factor) : 0);
  const blocks = power((base.blocksUsed ?? 0) / base.calls, (other.blocksUsed ?? 0) / other.calls);
  const work = Math.max(blocks, power(base.meanMs, other.meanMs));
  if (work >= more) return 'worse than linear';
  if (work >= inProportion) return 'linear';
  if (work >= grows) return 'less than linear';
  return other.plan !== null && usesIndex(other.plan) ? 'logarithmic' : 'constant';
}
