import type { RunRecord, Trial } from '../../model/domain/run.ts';

export type ComparisonStage = 'screen' | 'sure' | 'together';

/** What a run took, in seconds. */
export interface SeenPace {
  /** Processes side by side, of what is among them. */
  sides: number;
  /** Until its first round: data, starts and warm-ups. */
  beginS: number;
  /** Of a round, for each side, beyond the time of the load itself. */
  overheadS: number;
  /** The longest further start of all its processes, with the warm-up; null where they were started once. */
  againS: number | null;
  /** After its last round: what is looked at then, stopping, writing. */
  endS: number;
}

/** The least that a claim needs; a screening claims nothing, and starts its processes once. `once`: for a difference that is far beyond what processes differ in. */
const least = {
  screen: { rounds: 3, again: 0 },
  sure: { rounds: 5, again: 1 },
  together: { rounds: 5, again: 1 },
  once: { rounds: 5, again: 0 },
} as const;
type Planned = keyof typeof least;
/** Another process next to the first costs so much of the time of one: they start side by side, and are warmed at once. */
const ofFurtherSide = 0.15;
/** Processes that are started again are warm sooner than at first: another start takes so much of the first where none was seen. */
const ofFirstStart = 0.5;
/** Of load for each side in a round. */
const loadS = 1;
/** Where nothing was seen: as on a quiet machine. */
const usual: SeenPace = { sides: 1, beginS: 12, overheadS: 0.3, againS: null, endS: 2 };

/** What a run took by where its rounds lie on its time axis; null of one without a round. `wholeS`: from when it was asked for until it was there. */
export function paceSeen(
  { trials, plan }: { trials: readonly Pick<Trial, 'blocks'>[]; plan: Pick<RunRecord['plan'], 'mode'> },
  wholeS: number,
): SeenPace | null {
  const blocks = trials.flatMap((trial) => trial.blocks);
  const rounds = [...new Set(blocks.map(({ round }) => round))]
    .map((round) => {
      const own = blocks.filter((block) => block.round === round);
      const loadMs = own.reduce((sum, { windowMs }) => sum + windowMs, 0);
      return { startMs: Math.min(...own.map(({ startMs }) => startMs)), loadMs, sides: own.length, start: own[0]?.start ?? 1 };
    })
    .sort((a, b) => a.startMs - b.startMs);
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gaps = rounds.slice(1).map((round, index) => {
    const before = rounds[index] ?? round;
    return { anew: round.start !== before.start, restMs: round.startMs - before.startMs - before.loadMs, sides: before.sides };
  });
  const overheadMs = Math.max(0, ...gaps.flatMap(({ anew, restMs, sides }) => (anew ? [] : [restMs / sides])));
  const againMs = gaps.flatMap(({ anew, restMs }) => (anew ? [restMs] : []));
  return {
    sides: plan.mode === 'live' ? 1 : trials.length,
    beginS: first.startMs / 1000,
    overheadS: overheadMs / 1000,
    againS: againMs.length === 0 ? null : Math.max(...againMs) / 1000,
    endS: Math.max(0, wholeS - (last.startMs + last.loadMs) / 1000),
  };
}

/** What a comparison will take at the pace of those that were seen: of each part the slowest, since a budget bounds them all. */
export class Pace {
  readonly #seen: SeenPace[] = [];

  saw(seen: SeenPace | null): void {
    if (seen !== null) this.#seen.push(seen);
  }

  /** Seconds of the shortest comparison of so many changes with what is from which something follows. */
  leastS(stage: Planned, changes: number): number {
    const sides = changes + 1;
    const { rounds, again } = least[stage];
    const beginS = this.#of(sides, ({ beginS: seen }) => seen);
    const overheadS = Math.max(...this.#known.map((seen) => seen.overheadS));
    const againS = this.#of(sides, (seen) => seen.againS ?? ofFirstStart * seen.beginS);
    return beginS + again * againS + rounds * sides * (loadS + overheadS) + this.endS(changes);
  }

  /** Seconds from the last round of such a comparison to its record; of fewer processes no less than was seen. */
  endS(changes: number): number {
    return Math.max(
      ...this.#known.map(({ endS }) => endS),
      this.#of(changes + 1, ({ endS }) => endS),
    );
  }

  /** How many changes can be compared within so many seconds, of no more than `most`; 0 where there is no time for one. */
  changesIn(stage: Planned, withinS: number, most: number): number {
    let fitting = 0;
    while (fitting < most && this.leastS(stage, fitting + 1) <= withinS) fitting += 1;
    return fitting;
  }

  get #known(): readonly SeenPace[] {
    return this.#seen.length === 0 ? [usual] : this.#seen;
  }

  #of(sides: number, part: (seen: SeenPace) => number): number {
    const asOne = (count: number): number => 1 + ofFurtherSide * (count - 1);
    return Math.max(...this.#known.map((seen) => (part(seen) * asOne(sides)) / asOne(seen.sides)));
  }
}
