import { chmodSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Topology } from '../../model/domain/topology.ts';
import { allowedCores } from '../observe/cpuAllowance.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { type GroupTools, InstanceGroup } from './instanceGroup.ts';
import type { PlannedProcess } from './plan.ts';
import type { ProcessPool } from './processPool.ts';

/** What is around the instances of a process. */
export type GroupTopology = Pick<Topology, 'proxy' | 'cpuShare'>;

/** Nothing is around it. */
export const bare: GroupTopology = { proxy: null, cpuShare: null };

interface GroupPoolOptions extends Pick<GroupTools, 'context' | 'note' | 'keepLog'> {
  topologyOf: (process: PlannedProcess) => GroupTopology;
}

/** Launches all of them, as many at a time as there are cores; the first failure stops the rest. `launch` is what launches one. */
export async function launchAll(
  processes: readonly PlannedProcess[],
  launch: (process: PlannedProcess, stop: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const waiting = [...processes];
  const failed = new AbortController();
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !failed.signal.aborted; next = waiting.shift())
      await launch(next, failed.signal);
  };
  const results = await Promise.allSettled(
    Array.from({ length: Math.max(1, Math.min(Math.floor(allowedCores()), processes.length)) }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  const first = results.find((result) => result.status === 'rejected');
  if (first !== undefined) throw failed.signal.reason ?? first.reason;
}

/** The processes of a run with what is around them: each group is launched once and found by its key, until it is stopped. */
export class GroupPool {
  readonly #groups = new Map<string, InstanceGroup>();
  #folder: string | null = null;
  #launched = 0;

  /** @param processes those within the groups, and what is known of each */
  constructor(
    readonly processes: ProcessPool,
    private readonly options: GroupPoolOptions,
  ) {}

  /** See {@link launchAll}. */
  launchAll(processes: readonly PlannedProcess[]): Promise<void> {
    return launchAll(processes, (process, stop) => this.launch(process, stop));
  }

  async launch(process: PlannedProcess, stop?: AbortSignal): Promise<RunningTarget> {
    return (await this.launchGroup(process, stop)).running;
  }

  /** The same for a caller that acts on the group while it runs; it stays the pool’s. */
  async launchGroup(process: PlannedProcess, stop?: AbortSignal): Promise<InstanceGroup> {
    const { topologyOf, context, note, keepLog } = this.options;
    const topology = topologyOf(process);
    this.#launched += 1;
    const name = `proxy-${this.#launched}`;
    const folder = topology.proxy === null ? name : path.join(this.#ownFolder(), name);
    const group = await InstanceGroup.start(process, topology, { pool: this.processes, context, note, keepLog, folder }, stop);
    this.#groups.set(process.key, group);
    return group;
  }

  /** As the load generator and the meters see it. */
  get(key: string): RunningTarget | undefined {
    return this.#groups.get(key)?.running;
  }

  /** Lifts what the groups of these keys may use of the CPU while `work` lasts. See `InstanceGroup.unlimited`. */
  unlimited<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [key, ...others] = keys;
    if (key === undefined) return work();
    const inner = (): Promise<T> => this.unlimited(others, work);
    return this.#groups.get(key)?.unlimited(inner) ?? inner();
  }

  async stop(key: string): Promise<void> {
    const group = this.#groups.get(key);
    this.#groups.delete(key);
    await group?.stop();
  }

  /** Stops all, those too that failed while they were launched; with `hurryMs` no rung of a stop ladder waits longer than that. */
  async stopAll(hurryMs?: number): Promise<void> {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    await Promise.all(groups.map((group) => group.stop(hurryMs)));
    await this.processes.stopAll(hurryMs);
    const folder = this.#folder;
    this.#folder = null;
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }

  #ownFolder(): string {
    if (this.#folder === null) {
      this.#folder = makeTemporaryFolder('run');
      // A proxy's workers run as another user than root, and pass through.
      if (process.getuid?.() === 0) chmodSync(this.#folder, 0o711);
    }
    return this.#folder;
  }
}
