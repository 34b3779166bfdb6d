import { performance } from 'node:perf_hooks';

// Captured when the probe is loaded: an app's tests may replace the global clock and timers later.
const read = performance.now.bind(performance);

/** Monotonic clock of this process in µs. */
export function nowUs(): number {
  return read() * 1000;
}

const [setTimer, setRepeated, clearRepeated] = [setTimeout, setInterval, clearInterval];

/** A timer that does not keep the app alive. */
export function later(work: () => void, ms: number): NodeJS.Timeout {
  return setTimer(work, ms).unref();
}

/** A repeated timer that does not keep the app alive. */
export function every(work: () => void, ms: number): NodeJS.Timeout {
  return setRepeated(work, ms).unref();
}

/** Ends a repeated timer. */
export function cancel(timer: NodeJS.Timeout | null): void {
  if (timer !== null) clearRepeated(timer);
}
