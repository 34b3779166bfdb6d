import type { OpenLoopCounts, OpenLoopPlan } from '../../load/loadProtocol.ts';
import type { Strategy } from '../strategy.ts';
import {
  type OpenLoopComparison,
  type OpenLoopWindow,
  type SeenWindow,
  compareP99,
  floorOf,
  isSpoiled,
  openRateOf,
  requestsInAll,
  windowOf,
  windowSecondsAt,
} from './openLoopComparison.ts';
import type { Knee } from '../../statistics/kneeRule.ts';
import type { MeasuredCandidate, TuningSearch } from '../../statistics/tuningSearch.ts';

/** A setting must have this share of the best throughput to be measured at that rate at all. */
const leastShare = 0.8;
const mostRounds = 24;
const fewestRounds = 2;
/** Before that a verdict may still turn: each look is a chance to be wrong. Two looks in a row must agree, too. */
const roundsBeforeDeciding = 6;
/** How often a window is repeated at once; whatever spoils it may last, and the other settings of its round must not wait for long. */
const mostRetakes = 2;
/** At most this share of a request’s time may be waiting for the pool at full load for its p99 to be likely bounded by what it waits. */
const hardlyWaits = 0.01;
/** Windows of the answer alone, so that its p99 has an interval. */
const fewestAlone = 4;

/** The next window to be measured. */
export interface PlannedWindow {
  key: string;
  /** From 1. */
  round: number;
  /** Whether it was spoiled before. */
  again: boolean;
}

export interface OpenLoopOptions {
  /** Where each window starts a process of its own, short ones do not pay. */
  leastWindowS?: number | undefined;
  /** Whether windows show how long requests waited for what is tuned. */
  seesWaits?: boolean;
}

/** Nothing smaller may be enough, so that no p99 could rule the answer out or another one in. */
function isBestOfAll({ confirmed, best, plausible }: Knee<MeasuredCandidate>): boolean {
  return confirmed.key === best.key && plausible.key === confirmed.key;
}

function hardlyEverWaits({ confirmed, best }: Knee<MeasuredCandidate>): boolean {
  const shares = confirmed.blocks.flatMap(({ waitShare }) => waitShare ?? []);
  return confirmed.cost < best.cost && shares.length > 0 && Math.max(...shares) <= hardlyWaits;
}

/** The comparison of p99 of one target's candidates at a fixed rate: what to measure next, and what was seen. */
export class OpenLoopStage {
  readonly #windows: OpenLoopWindow[] = [];
  readonly #counts: { counts: OpenLoopCounts; spoiled: boolean }[] = [];
  /** requests/s; 0 while nothing is known of the throughput. */
  readonly ratePerS: number;
  readonly windowS: number;
  readonly open: OpenLoopPlan;
  #keys: readonly string[] | null = null;
  #round = 0;
  /** The rest of the round. */
  #queue: PlannedWindow[] = [];
  #last: PlannedWindow | null = null;
  #retakes = 0;
  #decidedBefore = false;
  #compared: { best: string; comparison: OpenLoopComparison } | null = null;
  /**
   * The answer, while only that is measured: it is the best itself, or its waits may show that nothing larger has a lower p99. Null: the best is measured with it.
   */
  #alone: string | null;
  #roundsAlone = 0;
  #windowsLeft = 0;

  constructor(
    private readonly search: TuningSearch,
    connections: number,
    { leastWindowS, seesWaits = false }: OpenLoopOptions = {},
  ) {
    const { knee, statistics } = search.finding();
    const best = knee === null ? 0 : statistics.meanOf(knee.best.key);
    this.ratePerS = best > 0 ? openRateOf(best) : 0;
    this.windowS = windowSecondsAt(this.ratePerS, leastWindowS);
    this.open = { ratePerS: this.ratePerS, maxInFlight: Math.max(256, 4 * connections) };
    this.#alone = knee !== null && (isBestOfAll(knee) || (seesWaits && hardlyEverWaits(knee))) ? knee.confirmed.key : null;
  }

  /**
   * The window to measure next, when so many still fit into the budget. Of an answer that is the best, windows of it alone are all: none is to be ruled out. Where
   * it hardly waits for what is tuned, they come first, and are all when they show that nothing larger can have a lower p99. Else: rounds over the settings that matter, the answer and the best first, alternate
   * rounds reversed; one that the generator spoiled is repeated at once. Null when there is no room for another round, when every setting was decided at two
   * looks in a row, and when there is nothing to compare.
   */
  next(windowsLeft: number): PlannedWindow | null {
    this.#windowsLeft = windowsLeft;
    this.#last = this.#queue.shift() ?? this.#beginRound(windowsLeft);
    if (windowsLeft < 1 && this.#round > fewestRounds) this.#last = null;
    return this.#last;
  }

  #beginRound(windowsLeft: number): PlannedWindow | null {
    const alone = this.#beginAlone(windowsLeft);
    if (alone !== undefined) return alone;
    this.#keys ??= this.#choose(windowsLeft);
    const keys = this.#keys;
    if (keys.length === 0 || windowsLeft < keys.length || this.#rounds >= Math.max(mostRounds, this.#roundsNeeded) || this.#decided())
      return null;
    this.#round += 1;
    this.#retakes = 0;
    const order = this.#rounds % 2 === 1 ? keys : [...keys].reverse();
    this.#queue = order.map((key) => ({ key, round: this.#round, again: false }));
    return this.#queue.shift() ?? null;
  }

  /** Rounds in which several settings were measured. */
  get #rounds(): number {
    return this.#round - this.#roundsAlone;
  }

  /** The next window of the answer alone; null when these have shown enough; undefined where settings are to be measured together. */
  #beginAlone(windowsLeft: number): PlannedWindow | null | undefined {
    const key = this.#alone;
    if (key === null) return undefined;
    const needed = Math.max(fewestAlone, this.#roundsNeeded);
    const comparison = this.#roundsAlone < needed ? null : this.comparison();
    const isDone = key === this.#bestKey ? comparison?.figures.has(key) : comparison?.floors.has(key);
    if (isDone === true) return null;
    if (comparison?.figures.has(key) === true || this.#roundsAlone >= 2 * needed || windowsLeft < 1) {
      this.#alone = null;
      return undefined;
    }
    this.#round += 1;
    this.#roundsAlone += 1;
    this.#retakes = 0;
    return { key, round: this.#round, again: false };
  }

  /** What was measured alone says nothing by its waits: the others are measured in the same round, so that it is not lost. */
  #bringOthers(): void {
    this.#alone = null;
    this.#roundsAlone -= 1;
    this.#keys = this.#choose(this.#windowsLeft);
    this.#queue = this.#keys.slice(1).map((key) => ({ key, round: this.#round, again: false }));
  }

  get #bestKey(): string | undefined {
    return this.search.finding().knee?.best.key;
  }

  /** How many windows the two settings that matter most need before their p99 can be reported; 0 where there is nothing to compare. */
  get windowsNeeded(): number {
    const compared = Math.min(2, this.#wanted().length);
    return compared < 2 ? 0 : compared * Math.max(fewestRounds, this.#roundsNeeded);
  }

  get #roundsNeeded(): number {
    return Math.ceil(requestsInAll / (this.windowS * Math.max(1, this.ratePerS)));
  }

  /** The answer and the best first. */
  #wanted(): string[] {
    const { knee, statistics } = this.search.finding();
    if (knee === null || this.ratePerS <= 0) return [];
    const { confirmed, best, plausible } = knee;
    const able = this.search.measured.filter(({ key }) => (statistics.difference(key, best.key)?.ratio ?? 0) >= leastShare);
    return [...new Set([confirmed, best, plausible, ...able].map(({ key }) => key))];
  }

  #choose(windows: number): string[] {
    const wanted = this.#wanted();
    // Fewer requests than a report needs would be a waste of the time.
    const most = Math.min(windows / fewestRounds, (windows * this.windowS * this.ratePerS) / requestsInAll);
    if (most < Math.min(2, wanted.length)) return [];
    return wanted.slice(0, Math.max(2, Math.min(Math.floor(most), Math.floor(windows / roundsBeforeDeciding))));
  }

  /** Whether nothing is open, seen at the end of this round and of the one before. */
  #decided(): boolean {
    if (this.#rounds < roundsBeforeDeciding - 1) return false;
    const verdicts = [...(this.comparison()?.verdicts.values() ?? [])];
    const now = verdicts.length > 1 && !verdicts.includes('unknown');
    const decided = now && this.#decidedBefore;
    this.#decidedBefore = now;
    return decided;
  }

  /** Notes what was seen in the window that {@link next} gave. One of a saturated generator says nothing of the app, and is repeated. */
  record(round: number, key: string, seen: SeenWindow): void {
    const { open } = seen.result;
    if (seen.ended !== null || open === null) return;
    const spoiled = isSpoiled(open);
    this.#counts.push({ counts: open, spoiled });
    if (spoiled) {
      if (this.#last?.key !== key || this.#last.round !== round || this.#retakes >= mostRetakes) return;
      this.#retakes += 1;
      this.#queue.unshift({ key, round, again: true });
      return;
    }
    this.#compared = null;
    const acquisitions = this.#isSmaller(key) ? (seen.acquisitions ?? null) : null;
    const window = windowOf(seen, { key, round, acquisitions }, this.ratePerS);
    this.#windows.push(window);
    if (key === this.#alone && key !== this.#bestKey && floorOf(this.#windows.filter((one) => one.key === key)) === null)
      this.#bringOthers();
  }

  /** Whether the best has more of what is tuned: only then waits bound what that can bring. */
  #isSmaller(key: string): boolean {
    const best = this.search.finding().knee?.best;
    const own = this.search.measured.find((candidate) => candidate.key === key);
    return best !== undefined && own !== undefined && own.cost < best.cost;
  }

  /** `null` before there is anything to compare. Asked for more often than something new was seen. */
  comparison(): OpenLoopComparison | null {
    const best = this.#bestKey;
    if (best === undefined || this.#windows.length === 0) return null;
    if (this.#compared?.best !== best) this.#compared = { best, comparison: compareP99(this.ratePerS, this.#windows, best) };
    return this.#compared.comparison;
  }

  /** The counts of the windows that count; of all windows, where the generator spoiled every one. */
  counts(): OpenLoopCounts | null {
    const good = this.#counts.filter(({ spoiled }) => !spoiled);
    const told = good.length > 0 ? good : this.#counts;
    if (told.length === 0) return null;
    const sum = (of: keyof OpenLoopCounts): number => told.reduce((total, { counts }) => total + counts[of], 0);
    return { intended: sum('intended'), sent: sum('sent'), late: sum('late'), dropped: sum('dropped') };
  }
}

/** The windows of a comparison in its share of the time: the strategy of a tuning’s second part. */
export function rateWindows<Trial extends { key: string }>(
  of: OpenLoopStage,
  { shareMs, windowMs, trial }: { shareMs: number; windowMs: number; trial: (key: string) => Trial },
): Strategy<Trial, SeenWindow> {
  const left = (spentMs: number): number => Math.floor((shareMs - spentMs) / windowMs);
  return {
    next(spentMs) {
      const window = of.next(left(spentMs));
      if (window === null) return null;
      const { key, round, again } = window;
      const ratePerS = Math.round(of.ratePerS);
      return { round, what: { code: 'rate', ratePerS, round, of: null, again }, trials: [trial(key)] };
    },
    observe({ key }, round, seen) {
      if (seen !== null) of.record(round, key, seen);
    },
    remainingMs: (spentMs) => left(spentMs) * windowMs,
  };
}
