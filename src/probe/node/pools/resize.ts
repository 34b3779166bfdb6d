import type { FromProbe } from '../../../model/domain/probe.ts';
import { later, nowUs } from '../clock.ts';

/** A pool whose size can be changed. */
export interface Resizable {
  /** The size that is set; null when it is gone. */
  max(): number | null;
  /** Connections that are open or being opened. */
  total(): number;
  /** Sets the size, and from then on retires surplus connections as they are given back. */
  setMax(max: number): void;
  /** Brings the pool nearer to its size: retires surplus that is idle, opens connections for callers that wait. */
  step(): void;
}

/** What became of it; `max` and `effective` are what the pool says of itself. */
export type Outcome = Omit<Extract<FromProbe, { type: 'applied' }>, 'type' | 'answer'>;

const stepMs = 5;
const running = new WeakMap<Resizable, () => void>();

/** Changes a size and calls back once: when the pool has reached it, or when it has not within `timeoutMs`, or another change came. */
export function resize(pool: Resizable, max: number, timeoutMs: number, done: (outcome: Outcome) => void): void {
  const startUs = nowUs();
  let finished = false;
  const finish = (message: string | null): void => {
    if (finished) return;
    finished = true;
    running.delete(pool);
    done(outcomeOf(pool, startUs, message));
  };
  running.get(pool)?.();
  running.set(pool, () => finish('Another size was asked for before this one was reached.'));

  const turn = (): void => {
    if (finished) return;
    try {
      pool.step();
    } catch (error) {
      finish(`The pool failed while it was changed: ${reason(error)}`);
      return;
    }
    const { max: said, effective } = read(pool);
    if (said === max && effective !== null && effective <= max) finish(null);
    else if (said === null) finish('The pool is gone.');
    else if ((nowUs() - startUs) / 1000 < timeoutMs) later(turn, stepMs);
    else if (said !== max) finish(`The pool says that its size is ${said}.`);
    else finish(`${effective} connections are still open: they were not given back in time.`);
  };
  try {
    pool.setMax(max);
  } catch (error) {
    finish(`The size could not be set: ${reason(error)}`);
    return;
  }
  turn();
}

/** What the pool says of itself now; `message`: why it is not as it was asked for, or null. */
export function outcomeOf(pool: Resizable, startUs: number, message: string | null): Outcome {
  return { ok: message === null, ...read(pool), tookMs: Math.max(0, (nowUs() - startUs) / 1000), message };
}

export function refused(message: string): Outcome {
  return { ok: false, max: null, effective: null, tookMs: 0, message };
}

function read(pool: Resizable): { max: number | null; effective: number | null } {
  try {
    const max = pool.max();
    return { max, effective: max === null ? null : pool.total() };
  } catch {
    return { max: null, effective: null };
  }
}

export function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}
