import { parentPort, Worker } from 'node:worker_threads';
import { machineMs } from '../../load/machineClock.ts';

/** What both threads share: a number that changes with each time that is asked for, and that time. */
interface Shared {
  asks: Int32Array;
  atMs: Float64Array;
}

/** Wakes this thread at a time of {@link machineMs}, from a thread that sleeps meanwhile. A new time takes the place of the one before it. */
export class Sleeper {
  readonly #shared: Shared = {
    asks: new Int32Array(new SharedArrayBuffer(4)),
    atMs: new Float64Array(new SharedArrayBuffer(8)),
  };

  /** @param program calls {@link sleepForever} in a thread */
  constructor(program: string, onWake: () => void) {
    new Worker(program, { workerData: this.#shared }).on('message', onWake);
  }

  until(atMs: number): void {
    this.#shared.atMs[0] = atMs;
    Atomics.add(this.#shared.asks, 0, 1);
    Atomics.notify(this.#shared.asks, 0);
  }
}

/** The thread that sleeps. `Atomics.wait` takes parts of a millisecond, which no timer of Node does. */
export function sleepForever({ asks, atMs }: Shared): never {
  for (let heard = 0; ;) {
    Atomics.wait(asks, 0, heard);
    for (let left = 1; left > 0;) {
      heard = Atomics.load(asks, 0);
      left = (atMs[0] ?? 0) - machineMs();
      if (left > 0 && Atomics.wait(asks, 0, heard, left) === 'timed-out') break;
    }
    parentPort?.postMessage(null);
  }
}
