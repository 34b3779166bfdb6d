import type { SeededRandom } from '../statistics/seededRandom.ts';

/** How long the slices of a side are. Times in ms. */
export interface SliceLength {
  sliceMs: number;
  /** Left out at the beginning; null: the whole slice counts, from its first request to its last answer. */
  edgeMs: number | null;
}

/** What is known of a side; null where nothing is yet. */
export interface SideSpeed {
  latencyMs: number | null;
  /** requests/s */
  throughput: number | null;
}

/** Shorter ones measure the switch more than the side; longer ones are hit by a burst that the next one is not hit by. */
const [shortestMs, longestMs] = [50, 1000];
/**
 * A slice holds so many latencies. Where as many requests run side by side on all sides its edges cancel. Where they do not they are left out, and eight say the
 * same as twenty (Fastify and Java services, pools of 2 to 32: within 2 ± 3 %) and know it better: the speed of a shared machine varies most within 0.3 to 2 s.
 */
const [latenciesAlike, latenciesUnlike] = [10, 8];
const fewestRequests = 30;
/** At its beginning all requests come at once: after two latencies they are spread. */
const edgeLatencies = 2;
/** A slice of fewer latencies has no middle to count: what its edges hold is counted, too. */
const latenciesWithEdges = 6;
/** The length for a side of which nothing is known. */
const unknownMs = 200;

/** `alike`: all sides have the same concurrency. */
export function sliceLength({ latencyMs, throughput }: SideSpeed, alike: boolean): SliceLength {
  if (latencyMs === null || throughput === null || throughput <= 0) return { sliceMs: unknownMs, edgeMs: null };
  const wantedMs = Math.max((alike ? latenciesAlike : latenciesUnlike) * latencyMs, (1000 * fewestRequests) / throughput);
  const sliceMs = Math.round(Math.min(longestMs, Math.max(shortestMs, wantedMs)));
  return { sliceMs, edgeMs: sliceMs < latenciesWithEdges * latencyMs ? null : edgeLatencies * latencyMs };
}

/**
 * How often the load switches to each side in a round in which the shortest slices are measured for so long; an even number, so that each order has its mirror.
 */
export function passesOf(sliceMs: readonly number[], eachMs: number): number {
  const passes = Math.round(eachMs / Math.max(...sliceMs));
  return passes <= 1 ? 1 : 2 * Math.max(1, Math.round(passes / 2));
}

/** The sides of a round in order: every second pass is the mirror of the one before, and which begins is drawn. */
export function mirroredOrder(sides: number, passes: number, random: SeededRandom): number[] {
  const order: number[] = [];
  let last = Array.from({ length: sides }, (_, side) => side);
  for (let pass = 0; pass < passes; pass += 1) {
    // Which comes first, and after which, is nobody’s property.
    if (pass > 0) last = pass % 2 === 0 ? random.shuffled(last) : [...last].reverse();
    order.push(...last);
  }
  return order;
}

/** What one round of sides measured together looks like. */
export interface PlannedSlices<Side> {
  sides: (Side & SliceLength)[];
  order: number[];
  expectedMs: number;
}

/** The slices of a round in which each side is measured for `eachMs`, by how fast each is. */
export function planSlices<Side extends { speed: SideSpeed }>(
  sides: readonly Side[],
  { alike, eachMs, random }: { alike: boolean; eachMs: number; random: SeededRandom },
): PlannedSlices<Side> {
  const own = sides.map((side) => ({ ...side, ...sliceLength(side.speed, alike) }));
  // If the edges of some counted and those of others did not, the difference would contain the edges.
  const planned = own.some(({ edgeMs }) => edgeMs === null) ? own.map((side) => ({ ...side, edgeMs: null })) : own;
  const lengths = planned.map(({ sliceMs }) => sliceMs);
  const passes = passesOf(lengths, eachMs);
  return {
    sides: planned,
    order: mirroredOrder(sides.length, passes, random),
    expectedMs: passes * lengths.reduce((sum, ms) => sum + ms, 0),
  };
}

/** How fast a side is by what was measured last: in a closed loop every connection has one request in progress (Little’s law). */
export function speedOf(throughput: number | undefined, connections: number): SideSpeed {
  if (throughput === undefined) return { throughput: null, latencyMs: null };
  return { throughput, latencyMs: throughput > 0 ? (1000 * connections) / throughput : null };
}
