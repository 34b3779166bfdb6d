import type { FollowedRoute } from './followedRoutes.ts';

/** A handler below the cursor comes after all that begin above it. */
const below = 1_000_000;

/** The handler that contains a line comes first: it begins above the line, nearest to it. */
export function nearestFirst<T extends Pick<FollowedRoute, 'line'>>(routes: readonly T[], cursor: number): T[] {
  const distance = ({ line }: T): number =>
    line === null ? Number.POSITIVE_INFINITY : line <= cursor ? cursor - line : below + line - cursor;
  return [...routes].sort((a, b) => distance(a) - distance(b));
}
