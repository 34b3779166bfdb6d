import { SeededRandom } from '../../statistics/seededRandom.ts';
import type { Round, Strategy } from '../strategy.ts';
import type { JudgedRule } from './shape.ts';

/**
 * Past the time, an answer that is predicted for so soon is still awaited: asking for it again would take longer, with all that is started and warmed up
 * before.
 */
const graceMs = 30_000;
/**
 * A rule that would take longer than there is time, even with some luck, is not waited for; but not before so many times the planned rounds were measured in
 * addition: the prediction of a few rounds is a guess.
 */
const blindTimes = 2;

/** The facts by which the rules are judged during the rounds. */
export interface RuleFacts<Trial> {
  /** Seeds the request mix and the shuffling. */
  seed: number;
  /** What one measurement of one trial takes. */
  blockMs: number;
  /** For all rounds together, those of the plan included, by what is known so far. */
  budgetMs: () => number;
  /** What has become of the rules so far. */
  rules: () => readonly JudgedRule[];
  /** What a rule is about, as a phrase. */
  about: (rule: JudgedRule) => string;
  /** Whether nothing is gained by measuring a trial again: its process has ended, or its blocks are discarded again and again. */
  isLost: (trial: Trial) => boolean;
}

/**
 * The rounds of an experiment's plan, shuffled, every second one the mirror of the one before; then additional rounds of those trials that a rule still needs, until
 * all rules are decided, the time is spent (and a little more where that would decide), or nothing more would decide.
 */
export class UntilDecided<Trial extends { key: string }> implements Strategy<Trial, true> {
  readonly #further: MirroredOrder<Trial>;
  readonly #planned: ReadonlyMap<string, Trial>;
  #round = 0;
  #leftMs: number;

  constructor(
    private readonly order: readonly (readonly Trial[])[],
    private readonly facts: RuleFacts<Trial>,
  ) {
    this.#further = new MirroredOrder<Trial>(facts.seed);
    this.#planned = new Map((order[0] ?? []).map((one) => [one.key, one]));
    this.#leftMs = order.flat().length * facts.blockMs;
  }

  next(spentMs: number): Round<Trial> | null {
    const { order, facts } = this;
    const round = this.#round + 1;
    const fixed = order[this.#round];
    if (fixed !== undefined) {
      this.#round = round;
      return { round, what: { code: 'planned', round, of: order.length, more: true }, trials: fixed };
    }
    const inTimeMs = facts.budgetMs() - spentMs;
    const inTime = this.#openRules(round, inTimeMs);
    const isOver = this.#blocksMs(inTime) > inTimeMs;
    const timeMs = isOver ? inTimeMs + graceMs : inTimeMs;
    const open = isOver
      ? this.#openRules(round, timeMs).filter(({ moreSeconds }) => moreSeconds !== null && 1000 * moreSeconds <= timeMs)
      : inTime;
    const trials = this.#trialsOf(open);
    const blocksMs = this.#blocksMs(open);
    if (trials.length === 0 || blocksMs > timeMs) return null;
    this.#round = round;
    this.#leftMs = Math.min(timeMs, Math.max(blocksMs, 1000 * Math.max(0, ...open.map(({ moreSeconds }) => moreSeconds ?? 0))));
    const [only, ...others] = open;
    const about = only === undefined || others.length > 0 ? null : facts.about(only);
    const mostS = Math.max(1, Math.round(timeMs / 1000));
    return { round, what: { code: 'rules', round, rules: open.length, about, mostS }, trials: this.#further.next(trials) };
  }

  #trialsOf(rules: readonly JudgedRule[]): Trial[] {
    const keys = new Set(rules.flatMap(({ openKeys }) => openKeys));
    return [...this.#planned.values()].filter(({ key }) => keys.has(key));
  }

  #blocksMs(rules: readonly JudgedRule[]): number {
    return this.#trialsOf(rules).length * this.facts.blockMs;
  }

  observe(): void {
    this.#leftMs -= this.facts.blockMs;
  }

  remainingMs(): number {
    return this.#leftMs;
  }

  /** Rules that additional blocks of these trials may decide. Those that need other variants as well, which do not run now, cannot be. */
  #openRules(round: number, timeMs: number): JudgedRule[] {
    const { rules, isLost } = this.facts;
    return rules().filter((rule) => {
      const trials = rule.openKeys.flatMap((key) => this.#planned.get(key) ?? []);
      if (rule.agrees !== null || trials.length === 0 || trials.length < rule.openKeys.length) return false;
      const possible = rule.soonestSeconds !== null && 1000 * rule.soonestSeconds <= timeMs;
      const worthIt = possible || round <= (1 + blindTimes) * this.order.length;
      // Where one side of a comparison is discarded again and again, the other alone decides nothing.
      return worthIt && !trials.some(isLost);
    });
  }
}

/** Orders of additional rounds: shuffled, then the mirror of that, as far as the same are asked for again. */
export class MirroredOrder<T> {
  readonly #random: SeededRandom;
  #toMirror: readonly T[] | null = null;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed + 1);
  }

  next(items: readonly T[]): T[] {
    if (this.#toMirror !== null) {
      const mirrored = [...this.#toMirror].reverse().filter((one) => items.includes(one));
      this.#toMirror = null;
      return [...mirrored, ...items.filter((one) => !mirrored.includes(one))];
    }
    const order = this.#random.shuffled(items);
    this.#toMirror = order;
    return order;
  }
}
