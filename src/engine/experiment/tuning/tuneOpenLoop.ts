import { decodeLatencyHistogram, latencyFigures } from '../../load/latencyHistogram.ts';
import type { OpenLoopCounts, OpenLoopPlan } from '../../load/loadProtocol.ts';
import type { BlockSighting } from '../trialRecord.ts';
import { compareP99, openRateOf } from './openLoopComparison.ts';
import type { OpenLoopBlock, OpenLoopComparison } from './openLoopComparison.ts';
import type { TuningSearch } from '../../statistics/tuningSearch.ts';

/** A setting must have this share of the best throughput to be measured at that rate at all. */
const leastShare = 0.8;
/** p99 of a block is its own with five requests above it; the spread of such blocks is in the interval. */
const requestsForP99 = 500;
/** All blocks of a setting together must have 20 requests above p99, or it is not told. */
const requestsInAll = 2_000;
/** Above 0.5 % late starts p99 is only roughly known, and the answer says so; above this share a block tells of the generator alone. */
const lateShare = 0.05;
const mostRounds = 5;
const fewestRounds = 2;

/** The comparison of p99 of one target's candidates at a fixed rate: which to measure, and what was seen. */
export class OpenLoopStage {
  readonly #blocks: OpenLoopBlock[] = [];
  readonly #counts: OpenLoopCounts[] = [];
  readonly #requests = new Map<string, number>();
  /** requests/s; 0 while nothing is known of the throughput. */
  readonly ratePerS: number;
  #maxInFlight = 256;

  constructor(private readonly search: TuningSearch) {
    const { knee, intervals } = search.finding();
    const best = knee === null ? 0 : (intervals.get(knee.best.key)?.mean ?? 0);
    this.ratePerS = best > 0 ? openRateOf(best) : 0;
  }

  get open(): OpenLoopPlan {
    return { ratePerS: this.ratePerS, maxInFlight: this.#maxInFlight };
  }

  /** Rounds of keys that fit into so many blocks, alternate ones reversed; the answer and the best first of all. Empty when there is no room. */
  plan(blocks: number, connections: number): string[][] {
    const { knee, ratios } = this.search.finding();
    if (knee === null || this.ratePerS <= 0) return [];
    this.#maxInFlight = Math.max(256, 4 * connections);
    const able = this.search.candidates.filter(({ key }) => (ratios.get(key)?.mean ?? 0) >= leastShare);
    const wanted = [...new Set([knee.confirmed.key, knee.best.key, knee.plausible.key, ...able.map(({ key }) => key)])];
    const most = Math.floor(blocks / fewestRounds);
    if (most < Math.min(2, wanted.length)) return [];
    const keys = wanted.slice(0, Math.max(2, Math.min(wanted.length, Math.floor(blocks / 3))));
    const rounds = Math.min(mostRounds, Math.floor(blocks / keys.length));
    return Array.from({ length: rounds }, (_, index) => (index % 2 === 0 ? keys : [...keys].reverse()));
  }

  /** Notes a block; one of a saturated generator says nothing of the app. */
  record(round: number, key: string, { result, appEnded }: Pick<BlockSighting, 'result' | 'appEnded'>): void {
    if (appEnded !== null || result.open === null) return;
    this.#counts.push(result.open);
    const { late, dropped, intended } = result.open;
    // What is dropped because the app is too slow is the app's; what is late is the generator's.
    if (late > lateShare * intended && dropped === 0) return;
    const figures = latencyFigures(decodeLatencyHistogram(result.histogram), result.latencySums);
    const enough = result.latencySums.count >= requestsForP99;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + result.latencySums.count);
    this.#blocks.push({ round, key, p99Ms: enough ? (figures?.p99 ?? null) : null, carriedShare: result.throughput / this.ratePerS });
  }

  /** `null` before there is anything to compare. */
  comparison(): OpenLoopComparison | null {
    const best = this.search.finding().knee?.best.key;
    const told = this.#blocks.map((block) => ((this.#requests.get(block.key) ?? 0) >= requestsInAll ? block : { ...block, p99Ms: null }));
    return best === undefined || told.length === 0 ? null : compareP99(this.ratePerS, told, best);
  }

  counts(): OpenLoopCounts | null {
    if (this.#counts.length === 0) return null;
    const sum = (of: keyof OpenLoopCounts): number => this.#counts.reduce((total, one) => total + one[of], 0);
    return { intended: sum('intended'), sent: sum('sent'), late: sum('late'), dropped: sum('dropped') };
  }
}
