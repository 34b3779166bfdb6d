/** The number of connections that are opened at once; Node's own queue of connections that wait to be accepted has 511 places, and others have fewer. */
const atOnce = 256;
const pauseMs = 50;

/**
 * Lets the first connections of a load open a few hundred at a time. Thousands at once overflow the server's queue, and the system asks again for those that
 * found no place after 1 s, 3 s, 7 s: then most of the load would come from a part of its connections.
 */
export class ConnectQueue {
  #free = atOnce;
  #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Calls `connect` now, or in its turn. */
  enter(connect: () => void): void {
    if (this.#free > 0) {
      this.#free -= 1;
      connect();
      return;
    }
    this.#waiting.push(connect);
    this.#timer ??= setInterval(() => this.#letIn(), pauseMs);
  }

  /** Calls that still wait are never made. */
  close(): void {
    clearInterval(this.#timer);
    this.#waiting = [];
  }

  #letIn(): void {
    for (const connect of this.#waiting.splice(0, atOnce)) connect();
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
