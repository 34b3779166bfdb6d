/** What a comparison of two versions consists of besides its rounds; where the time is short, the first of them is left out first. */
export const besidesRounds = ['p99', 'routes', 'recording'] as const;
export type BesidesRounds = (typeof besidesRounds)[number];

/** How the time that is left after starting and warming up is shared out, in ms; 0 for what is left out or not asked for. */
export interface BudgetShares {
  roundsMs: number;
  parts: Readonly<Record<BesidesRounds, number>>;
  /** Asked for, and the time is too short for it. */
  leftOut: BesidesRounds[];
}

/** Shares of the time that is left: p99 at a fixed rate needs some thousand requests, and each route of a mix some rounds of its own. */
export const [p99Share, routesShare] = [1 / 6, 1 / 3];
const share = { p99: p99Share, routes: routesShare } as const;

/** `leastMs` is what the fewest rounds for a claim take, `recordingMs` what both recordings do. Rounds come first, then what says why. */
export function shareOut(
  leftMs: number,
  { wanted, recordingMs, leastMs }: { wanted: readonly BesidesRounds[]; recordingMs: number; leastMs: number },
): BudgetShares {
  const cost = (part: BesidesRounds): number => (part === 'recording' ? recordingMs : Math.max(0, share[part] * leftMs));
  const kept = besidesRounds.filter((part) => wanted.includes(part));
  const leftOut: BesidesRounds[] = [];
  const roundsMs = (): number => leftMs - kept.reduce((sum, part) => sum + cost(part), 0);
  while (kept.length > 0 && roundsMs() < leastMs) leftOut.push(...kept.splice(0, 1));
  const of = (part: BesidesRounds): number => (kept.includes(part) ? cost(part) : 0);
  return { roundsMs: Math.max(0, roundsMs()), parts: { p99: of('p99'), routes: of('routes'), recording: of('recording') }, leftOut };
}
