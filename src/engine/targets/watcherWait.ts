import type { OwnTime } from '../observe/ownTime.ts';
import type { Child } from '../supervise/supervisor.ts';

/** What programs say that start an app again after a change of a file, when it has ended: nodemon, `node --watch`, tsx and others. */
const saysIt = /\bwaiting for (?:file )?changes?\b|^Failed running ['"]/i;
/** What they say when it is started again. */
const startsAgain = /\[nodemon\] (?:re)?starting\b|^Restarting ['"]/;
const lastLines = 10;
/** A compiler that works at the same time changes a file soon, and the app is started again. */
const quietMs = 3_000;

/** Whether the app has ended, and what started it waits for a change: nobody makes one, so that nothing else comes. */
export class WatcherWait {
  #length = -1;
  #says = false;
  #sinceMs = 0;

  constructor(
    private readonly log: Pick<Child['log'], 'totalLength' | 'tail'>,
    private readonly own: Pick<OwnTime, 'isComputing' | 'spentMs'>,
  ) {}

  /** To be asked again and again. */
  isOver(): boolean {
    const spentMs = this.own.spentMs();
    if (this.log.totalLength !== this.#length) {
      this.#length = this.log.totalLength;
      const said = this.log.tail(lastLines).split('\n').reverse();
      this.#says = saysIt.test(said.find((line) => saysIt.test(line) || startsAgain.test(line)) ?? '');
      this.#sinceMs = spentMs;
    } else if (this.own.isComputing) this.#sinceMs = spentMs;
    return this.#says && spentMs - this.#sinceMs > quietMs;
  }
}

/** How a process is said to have ended whose watcher still runs. */
export const watcherWords = 'ended, and what started it waits for a change of its files,';
