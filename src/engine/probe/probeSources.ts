import { ProbeServer } from './probeServer.ts';
import type { ProbeSource } from './probeLaunch.ts';

/** The probes that an engine gives to the apps it starts; where they connect to is opened when the first app needs it. */
export class ProbeSources {
  #server: ProbeServer | null = null;

  constructor(
    private readonly assetsDir: string,
    private readonly areWanted: () => boolean,
  ) {}

  /** For what is measured; null where the user wants none. */
  async forMeasuring(): Promise<ProbeSource | null> {
    if (!this.areWanted()) return null;
    this.#server ??= await ProbeServer.start();
    return { server: this.#server, assetsDir: this.assetsDir };
  }

  /** What is recorded, or started by hand, is the app as it is, without a probe in its stacks: only a way in for a recorder. */
  async forRecording(): Promise<ProbeSource | null> {
    const probes = await this.forMeasuring();
    return probes === null ? null : { ...probes, inspectorOnly: true };
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
