import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { RunNote } from '../../model/domain/runNoteKinds.ts';
import type { Topology } from '../../model/domain/topology.ts';
import { type CpuLimit, limitCpu } from '../services/cpuShare.ts';
import { NginxProxy } from '../services/nginx/nginxProxy.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import { instancesOf } from './runningTargets.ts';
import { type PlannedProcess, smallerShare } from './plan.ts';
import type { RunContext } from './runContext.ts';

/** What is around the instances of a process. */
export type GroupTopology = Pick<Topology, 'proxy' | 'cpuShare'>;

/** Nothing is around it. */
export const bare: GroupTopology = { proxy: null, cpuShare: null };

interface AroundTools {
  context: Pick<RunContext, 'supervisor' | 'signal'>;
  note: (note: RunNote) => void;
  /** Takes the proxy's access log when it has ended; absent: it writes none. */
  keepLog?: ((file: string) => Promise<void>) | undefined;
}

/** The proxy before the instances of a planned process, and what each may use of the CPU. */
export class AroundProcess {
  #proxy: NginxProxy | null = null;
  /** That of the proxy: ours. */
  #folder: string | null = null;
  #limits: CpuLimit[] = [];
  #proxyLimit: CpuLimit | null = null;

  constructor(
    private readonly process: PlannedProcess,
    private readonly topology: GroupTopology,
    private readonly tools: AroundTools,
  ) {}

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

  async limit(instances: readonly RunningTarget[]): Promise<void> {
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

  /** Starts the proxy, where there is one, and waits until it answers; returns the processes with it before them. */
  async standBefore(running: RunningTarget): Promise<RunningTarget> {
    const { proxy } = this.topology;
    if (proxy === null) return running;
    const { context, keepLog } = this.tools;
    this.#folder = makeTemporaryFolder('run');
    this.#proxy = await NginxProxy.start(context.supervisor, {
      proxy,
      upstreamPorts: portsThatRun(running),
      upstreamReach: running.reach,
      staticDir: proxy.staticFiles ? path.resolve(this.process.declared.baseDir, 'static') : null,
      folder: this.#folder,
      log: keepLog !== undefined,
      signal: context.signal,
    });
    const { port, pid } = this.#proxy;
    if (proxy.cpuShare !== null) this.#proxyLimit = await this.#share(pid, proxy.cpuShare);
    const { workers, tls, clientKeepAlive } = proxy;
    const cores = Math.min(workers, this.#proxyLimit?.cores ?? Infinity);
    return { ...running, front: { port, pid, workers, cores, tls, clientKeepAlive } };
  }

  /** Lets the proxy know which instances there are now. */
  async tell(running: RunningTarget): Promise<void> {
    await this.#proxy?.setUpstreams(portsThatRun(running));
  }

  /** Ends the proxy, before its instances. */
  async endProxy(): Promise<void> {
    const proxy = this.#proxy;
    this.#proxy = null;
    await proxy?.stop();
    if (proxy !== null) await this.tools.keepLog?.(proxy.accessLog);
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }

  /** Lifts the limits, after the instances have ended. */
  async lift(): Promise<void> {
    for (const limit of [...this.#limits.splice(0), ...(this.#proxyLimit === null ? [] : [this.#proxyLimit])]) await limit.undo();
    this.#proxyLimit = null;
  }

  /** Lets a process use at most so many cores; where that is not possible, a note reports it. */
  async #share(pid: number, cores: number): Promise<CpuLimit | null> {
    const limited = await limitCpu([pid], cores, this.tools.context.supervisor);
    if (typeof limited === 'object') return limited;
    this.tools.note({ code: 'cpu-unlimited', about: this.process.name, why: limited });
    return null;
  }
}

function portsThatRun(running: RunningTarget): number[] {
  return instancesOf(running)
    .filter(({ child }) => child.running)
    .map(({ port }) => port);
}
