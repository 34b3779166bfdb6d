import path from 'node:path';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { Topology } from '../../model/domain/topology.ts';
import { type CpuLimit, limitCpu } from '../services/cpuShare.ts';
import { NginxProxy } from '../services/nginx/nginxProxy.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { instancesOf } from './runningTargets.ts';
import { type PlannedProcess, smallerShare } from './plan.ts';
import type { ProcessPool } from './processPool.ts';
import type { RunContext } from './runContext.ts';

export interface GroupTools {
  context: Pick<RunContext, 'supervisor' | 'signal'>;
  /** Owns the instances: what fails here leaves none running that it does not know of. */
  pool: ProcessPool;
  /** The folder of the proxy: ours, and removed after the run. */
  folder: string;
  note: (note: RunNote) => void;
  /** Takes the proxy's access log when it has ended; absent: it writes none. */
  keepLog?: ((file: string) => Promise<void>) | undefined;
}

/** The instances of a planned process as they run, the proxy before them, and what each may use of the CPU. */
export class InstanceGroup {
  #proxy: NginxProxy | null = null;
  #limits: CpuLimit[] = [];
  #proxyLimit: CpuLimit | null = null;
  #running: RunningTarget;

  private constructor(
    private readonly process: PlannedProcess,
    private readonly topology: Pick<Topology, 'proxy' | 'cpuShare'>,
    private readonly tools: GroupTools,
    first: RunningTarget,
  ) {
    this.#running = first;
  }

  /** Starts as many instances as the process has and waits until they, and the proxy, answer. `stop` ends the start of an instance early. */
  static async start(
    process: PlannedProcess,
    topology: Pick<Topology, 'proxy' | 'cpuShare'>,
    tools: GroupTools,
    stop?: AbortSignal,
  ): Promise<InstanceGroup> {
    const group = new InstanceGroup(process, topology, tools, await tools.pool.launch(process, stop));
    try {
      await group.#limit(group.instances);
      await group.#standBefore();
      return group;
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  /** As the load generator and the meters see it. */
  get running(): RunningTarget {
    return this.#running;
  }

  get instances(): readonly RunningTarget[] {
    return instancesOf(this.#running);
  }

  /** Cores that all planned instances together may use; null without a limit that is in force. */
  get coresAvailable(): number | null {
    const { cpuShare } = this.topology;
    return cpuShare === null || this.#limits.length === 0 ? null : cpuShare * this.process.instances;
  }

  /**
   * Lifts what each instance may use of the CPU while `work` lasts: for warming up. With a part of a core a JVM compiles for minutes, and what is measured
   * meanwhile is its compiler. The limit is in force again when this resolves; it rejects with `cpu-share-unavailable` where that cannot be.
   */
  async unlimited<T>(work: () => Promise<T>): Promise<T> {
    const limits = [...this.#limits];
    for (const limit of limits) await limit.suspend();
    const result = await work().catch(async (error: unknown) => {
      // The original failure is reported, whatever happens to the limits.
      await Promise.allSettled(limits.map((limit) => limit.resume()));
      throw error;
    });
    for (const limit of limits) await limit.resume();
    return result;
  }

  /** Ends the last instance that runs, as a crash would. */
  async killOne(): Promise<void> {
    const victim = this.instances.filter(({ child }) => child.running).at(-1);
    await victim?.child.kill();
  }

  /** Starts one more instance and lets the proxy know of it. */
  async addOne(): Promise<void> {
    const one = await this.tools.pool.grow(this.process);
    await this.#limit([one]);
    this.#running = { ...this.#running, siblings: [...this.#running.siblings, one] };
    await this.#proxy?.setUpstreams(this.#ports());
  }

  /** Ends the proxy and the instances, with `hurryMs` no rung of a stop ladder waiting longer than that, and lifts the limits. */
  async stop(hurryMs?: number): Promise<void> {
    const proxy = this.#proxy;
    this.#proxy = null;
    await proxy?.stop();
    await this.tools.pool.stop(this.process.key, hurryMs);
    if (proxy !== null) await this.tools.keepLog?.(proxy.accessLog);
    for (const limit of [...this.#limits.splice(0), ...(this.#proxyLimit === null ? [] : [this.#proxyLimit])]) await limit.undo();
    this.#proxyLimit = null;
  }

  #ports(): number[] {
    return this.instances.filter(({ child }) => child.running).map(({ port }) => port);
  }

  async #limit(instances: readonly RunningTarget[]): Promise<void> {
    if (this.topology.cpuShare === null) return;
    // A limit of the target’s own is in force already; this one takes its place, and must not be wider.
    const cpuShare = smallerShare(this.topology.cpuShare, this.process.cpuShare ?? null) ?? this.topology.cpuShare;
    for (const { child } of instances) {
      const limited = await this.#share(child.pid, cpuShare);
      if (limited !== null) this.#limits.push(limited);
      // What judges the figures must not take a limit for granted that is not there.
      else this.process.cpuShare = null;
    }
  }

  /** Lets a process use at most so many cores; where that is not possible, a note reports it. */
  async #share(pid: number, cores: number): Promise<CpuLimit | null> {
    const limited = await limitCpu([pid], cores, this.tools.context.supervisor);
    if ('undo' in limited) return limited;
    this.tools.note({ code: 'cpu-not-limited', about: this.process.name, message: limited.message, remedy: limited.cure });
    return null;
  }

  async #standBefore(): Promise<void> {
    const { proxy } = this.topology;
    if (proxy === null) return;
    const { context, folder, keepLog } = this.tools;
    this.#proxy = await NginxProxy.start(context.supervisor, {
      proxy,
      upstreamPorts: this.#ports(),
      upstreamReach: this.#running.reach,
      staticDir: proxy.staticFiles ? path.resolve(this.process.declared.baseDir, 'static') : null,
      folder,
      log: keepLog !== undefined,
      signal: context.signal,
    });
    const { port, pid } = this.#proxy;
    if (proxy.cpuShare !== null) this.#proxyLimit = await this.#share(pid, proxy.cpuShare);
    this.#running = {
      ...this.#running,
      front: {
        port,
        pid,
        workers: proxy.workers,
        cores: Math.min(proxy.workers, this.#proxyLimit?.cores ?? Infinity),
        tls: proxy.tls,
        clientKeepAlive: proxy.clientKeepAlive,
      },
    };
  }
}
