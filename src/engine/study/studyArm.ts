import path from 'node:path';
import type { Outage } from '../../model/topology.ts';
import { instancesOf } from '../experiment/measuringBench.ts';
import type { ProcessPool } from '../experiment/processPool.ts';
import type { RunContext } from '../experiment/runContext.ts';
import { limitCpu } from '../services/cpuShare.ts';
import type { CpuLimit } from '../services/cpuShare.ts';
import { NginxProxy } from '../services/nginx/nginxProxy.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import type { PlannedArm } from './studyPlan.ts';

export interface ArmTools {
  context: RunContext;
  pool: ProcessPool;
  /** Ours, and removed after the run. */
  folder: string;
  note: (message: string) => void;
}

/** An arm that runs: its instances, the proxy before them, and what each may use of the CPU. */
export class StudyArm {
  #proxy: NginxProxy | null = null;
  #limits: CpuLimit[] = [];
  #proxyLimit: CpuLimit | null = null;
  #running: RunningTarget;

  private constructor(
    readonly planned: PlannedArm,
    private readonly tools: ArmTools,
    first: RunningTarget,
  ) {
    this.#running = first;
  }

  /** Starts it and waits until it answers. What fails leaves nothing running that the pool does not know of. */
  static async start(planned: PlannedArm, tools: ArmTools): Promise<StudyArm> {
    const arm = new StudyArm(planned, tools, await tools.pool.launch(planned.process));
    try {
      await arm.#limit(arm.instances);
      await arm.#standBefore();
      return arm;
    } catch (error) {
      await arm.stop();
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

  /** Cores that all instances together may use; null without a limit that is in force. */
  get coresAvailable(): number | null {
    const share = this.planned.arm.topology.cpuShare;
    return share === null || this.#limits.length === 0 ? null : share * this.planned.arm.topology.instances;
  }

  /** Ends an instance as a crash would, or adds one; gives what was done, as a phrase. */
  async happen({ action }: Outage): Promise<string> {
    if (action === 'kill') {
      const victim = this.instances.filter(({ child }) => child.running).at(-1);
      await victim?.child.kill();
      return 'an instance was killed';
    }
    const one = await this.tools.pool.grow(this.planned.process);
    await this.#limit([one]);
    this.#running = { ...this.#running, siblings: [...this.#running.siblings, one] };
    await this.#proxy?.setUpstreams(this.#ports());
    return 'an instance was added';
  }

  async stop(): Promise<void> {
    await this.#proxy?.stop();
    this.#proxy = null;
    await this.tools.pool.stop(this.planned.process.key);
    for (const limit of [...this.#limits.splice(0), ...(this.#proxyLimit === null ? [] : [this.#proxyLimit])]) await limit.undo();
    this.#proxyLimit = null;
  }

  #ports(): number[] {
    return this.instances.filter(({ child }) => child.running).map(({ port }) => port);
  }

  async #limit(instances: readonly RunningTarget[]): Promise<void> {
    const share = this.planned.arm.topology.cpuShare;
    if (share === null) return;
    for (const { child } of instances) {
      const limited = await this.#share(child.pid, share);
      if (limited !== null) this.#limits.push(limited);
    }
  }

  /** Lets a process use so many cores and no more; where that cannot be, it is said. */
  async #share(pid: number, cores: number): Promise<CpuLimit | null> {
    const limited = await limitCpu([pid], cores, this.tools.context.supervisor);
    if ('undo' in limited) return limited;
    this.tools.note(`${this.planned.arm.label}: ${limited.message} ${limited.cure}`);
    return null;
  }

  async #standBefore(): Promise<void> {
    const { proxy } = this.planned.arm.topology;
    if (proxy === null) return;
    const { context, folder } = this.tools;
    this.#proxy = await NginxProxy.start(context.supervisor, {
      proxy,
      upstreamPorts: this.#ports(),
      staticDir: proxy.staticFiles ? path.resolve(this.planned.process.declared.baseDir, 'static') : null,
      folder: path.join(folder, `proxy-${this.planned.arm.name}`),
      signal: context.signal,
    });
    const { port, pid } = this.#proxy;
    if (proxy.cpuShare !== null) this.#proxyLimit = await this.#share(pid, proxy.cpuShare);
    this.#running = {
      ...this.#running,
      front: { port, pid, workers: proxy.workers, tls: proxy.tls, clientKeepAlive: proxy.clientKeepAlive },
    };
  }
}
