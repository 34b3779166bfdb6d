import type { MadeElsewhere } from './journal.ts';
import { endAbandonedEngines, reapElsewhere, reapLeftovers } from './reap.ts';

/** What earlier engines have left, from the start of this one on: ended, and counted until somebody is told. */
export class Leftovers {
  /** Engines without a client have some seconds for their end, for which nobody waits. */
  #ending: Promise<number> = Promise.resolve(0);
  #untold = 0;

  /** @param removeElsewhere removes what was made in a cluster; false where it could not */
  constructor(
    private readonly journalDir: string,
    private readonly removeElsewhere: (made: MadeElsewhere) => Promise<boolean>,
  ) {}

  /** Gives how many processes of engines that are gone were ended. A cluster may be far away, or gone: nobody waits for it. */
  async atStart(): Promise<number> {
    const { processes } = await reapLeftovers(this.journalDir);
    this.#untold = processes;
    return processes;
  }

  /** The rest of it, beside whatever is done meanwhile. */
  goOn(): void {
    void this.#clearClusters();
    this.#ending = endAbandonedEngines(this.journalDir).catch(() => 0);
  }

  /** Ends everything that is left, and gives how much it was since the start that nobody was told of. */
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
