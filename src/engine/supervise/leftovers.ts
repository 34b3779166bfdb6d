import type { MadeElsewhere } from './journal.ts';
import { endAbandonedEngines, reapElsewhere, reapLeftovers } from './reap.ts';

/** What earlier engines have left, from the start of this one on: ended, and counted until it is reported. */
export class Leftovers {
  /** Engines without a client have some seconds for their end, for which nobody waits. */
  #ending: Promise<number> = Promise.resolve(0);
  #untold = 0;

  /** @param removeElsewhere removes what was made in a cluster; false where it could not */
  constructor(
    private readonly journalDir: string,
    private readonly removeElsewhere: (made: MadeElsewhere) => Promise<boolean>,
  ) {}

  /** Returns how many processes of engines that are gone were ended. A cluster may be far away, or gone: nobody waits for it. */
  async atStart(): Promise<number> {
    const { processes } = await reapLeftovers(this.journalDir);
    this.#untold = processes;
    return processes;
  }

  /** Ends the rest of it in the background. */
  goOn(): void {
    void this.#clearClusters();
    this.#ending = endAbandonedEngines(this.journalDir).catch(() => 0);
  }

  /** Ends everything that is left, and returns how much of it since the start is not reported yet. */
  async endAll(): Promise<number> {
    const abandoned = (await this.#ending) + (await endAbandonedEngines(this.journalDir));
    const { processes } = await reapLeftovers(this.journalDir);
    const ended = this.#untold + abandoned + processes + (await this.#clearClusters());
    this.#untold = 0;
    this.#ending = Promise.resolve(0);
    return ended;
  }

  #clearClusters(): Promise<number> {
    return reapElsewhere(this.journalDir, this.removeElsewhere);
  }
}
