import { figure } from './format.ts';
import type { Route } from './target.ts';

/** A count for each request within this distance of a whole number is shown as whole: the first requests of a connection send some more. */
export const countTolerance = 0.05;

/** What one request of a route takes; null where it is not known. */
export interface RouteCosts {
  statements: number | null;
  rows: number | null;
  p99Ms?: number | null;
}

/** What of a route's budget its requests take more of, such as "11 statements, budget 3" and "p99 12.0 ms, budget 10 ms". */
export function aboveBudget({ statements, rows, p99Ms = null }: RouteCosts, budget: NonNullable<Route['budget']>): string[] {
  const above = (
    value: number | null,
    most: number | undefined,
    words: (value: number) => string,
    tolerance: number,
    unit = '',
  ): string[] => (value === null || most === undefined || value <= most + tolerance ? [] : [`${words(value)}, budget ${most}${unit}`]);
  return [
    ...above(statements, budget.statements, (value) => counted(value, 'statement'), countTolerance),
    ...above(rows, budget.rows, (value) => counted(value, 'row'), countTolerance),
    ...above(p99Ms, budget.p99Ms, (value) => `p99 ${figure(value)} ms`, 0, ' ms'),
  ];
}

/** "3 statements"; a count for each request that is not whole is of some requests only. */
export function counted(value: number, what: string): string {
  const text = countText(value);
  return `${text} ${what}${text === '1' ? '' : 's'}`;
}

export function countText(value: number): string {
  const near = Math.round(value);
  return Math.abs(value - near) < countTolerance ? String(near) : figure(value);
}
