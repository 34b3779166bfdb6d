import { machineMs } from '../../load/machineClock.ts';
import { Sleeper } from './sleeper.ts';

/** What is due this soon is done at once. */
const soonMs = 0.005;
/** For what is due this soon this thread spins: to sleep and wake once more takes as much. */
const spinMs = 0.03;
/** The most by which a wake is asked for early, since it comes late. On a slow virtual machine half of all wakes come 0.2 ms late. */
const mostLeadMs = 0.4;
/** By so much each wake moves what is expected of the next one, towards the median: the first by the first figure, each later one by less, none by less than the second. */
const firstLearnedMs = 0.1;
const learnedMs = 0.002;
const lateBucketUs = 5;
const lateBuckets = 4_000;
/** What was done is cut off the queue when it is so much. */
const mostDone = 1_000;

/** Does things after a delay of any length, in the order of the times at which they are due. No thread of it runs while nothing is due. */
export class DelayLine {
  /** From `#head` on, in the order of their times by `machineMs`. */
  #queue: { dueMs: number; act: () => void }[] = [];
  #head = 0;
  /** When the next one is due that a wake was asked for, and for when that was. */
  #armed: { dueMs: number; wakeMs: number } | null = null;
  #expectedMs = 0;
  #wakes = 0;
  #lateUs = 0;
  readonly #late = new Uint32Array(lateBuckets);
  readonly #sleeper: Sleeper;

  /** @param program see {@link Sleeper} */
  constructor(program: string) {
    this.#sleeper = new Sleeper(program, () => this.#wake());
  }

  after(delayMs: number, act: () => void): void {
    const dueMs = machineMs() + delayMs;
    let place = this.#queue.length;
    while (place > this.#head && (this.#queue[place - 1]?.dueMs ?? 0) > dueMs) place -= 1;
    if (place === this.#queue.length) this.#queue.push({ dueMs, act });
    else this.#queue.splice(place, 0, { dueMs, act });
    this.#arm();
  }

  /** By how much things were done after they were due, in µs: one of them, and all of them together; null where none was. */
  late(): { p50: number; p99: number; sum: number } | null {
    const all = this.#late.reduce((sum, count) => sum + count, 0);
    const quantile = (share: number): number => {
      let seen = 0;
      return lateBucketUs * this.#late.findIndex((count) => (seen += count) >= share * all);
    };
    return all === 0 ? null : { p50: quantile(0.5), p99: quantile(0.99), sum: this.#lateUs };
  }

  #arm(): void {
    const next = this.#queue[this.#head];
    if (next === undefined || (this.#armed !== null && this.#armed.dueMs <= next.dueMs)) return;
    this.#armed = { dueMs: next.dueMs, wakeMs: next.dueMs - this.#expectedMs };
    this.#sleeper.until(this.#armed.wakeMs);
  }

  #wake(): void {
    let now = machineMs();
    // A wake that was asked for before an earlier time came up may come first.
    if (this.#armed !== null && now >= this.#armed.wakeMs) {
      this.#wakes += 1;
      const step = Math.max(learnedMs, firstLearnedMs / this.#wakes);
      const isLater = now - this.#armed.wakeMs > this.#expectedMs;
      this.#expectedMs = Math.min(mostLeadMs, Math.max(0, this.#expectedMs + (isLater ? step : -step)));
    }
    const soonest = this.#armed === null ? spinMs : Math.max(spinMs, this.#armed.dueMs - this.#armed.wakeMs);
    this.#armed = null;
    for (let next = this.#queue[this.#head]; next !== undefined && next.dueMs - now <= soonest; next = this.#queue[this.#head]) {
      while (next.dueMs - now > soonMs) now = machineMs();
      this.#count(now - next.dueMs);
      this.#head += 1;
      next.act();
      now = machineMs();
    }
    if (this.#head > mostDone || this.#head === this.#queue.length) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    this.#arm();
  }

  #count(lateMs: number): void {
    this.#lateUs += 1000 * Math.max(0, lateMs);
    const bucket = Math.min(lateBuckets - 1, Math.max(0, Math.floor((1000 * lateMs) / lateBucketUs)));
    this.#late[bucket] = (this.#late[bucket] ?? 0) + 1;
  }
}
