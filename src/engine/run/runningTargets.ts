import type { PlainFinding } from '../../model/domain/findingKinds.ts';
import type { ProbeReport } from '../../model/domain/probe.ts';
import { plainReach } from '../load/connection.ts';
import { type BlockPlan, reachPlan } from '../load/loadPlans.ts';
import { type GroupReport, readGroup } from '../probe/groupReport.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import type { PlannedTrial } from './plan.ts';

/** How long a probe is waited for at a window's edge. The app answers within a few milliseconds unless its event loop is full. */
const probeReadMs = 1_500;

/** Where requests go: of each, to the proxy before its instances, else to every one of them. All have the same around them, and are spoken to in the same way. */
export function entrance(
  running: readonly RunningTarget[],
): Pick<BlockPlan, 'host' | 'port' | 'morePorts' | 'socketPath' | 'tls' | 'keepAlive'> {
  const [port = 0, ...morePorts] = running.flatMap(portsOf);
  const ports = { port, ...(morePorts.length === 0 ? {} : { morePorts }) };
  const [first] = running;
  const front = first?.front;
  if (front !== undefined) return { ...ports, host: plainReach.host, tls: front.tls, keepAlive: front.clientKeepAlive };
  return { ...ports, ...reachPlan(first?.reach ?? plainReach) };
}

/** The ports that the load of a target is shared among. */
export function portsOf({ front, port, siblings }: RunningTarget): number[] {
  return front === undefined ? [port, ...siblings.map((one) => one.port)] : [front.port];
}

/** A target's processes: the first, and those that share its load. */
export function instancesOf(running: RunningTarget): readonly RunningTarget[] {
  return [running, ...running.siblings];
}

export function allRunning(running: RunningTarget): boolean {
  return instancesOf(running).every(({ child }) => child.running);
}

/** What the probes of all its processes say now; null without any. */
export async function readProbes(running: RunningTarget): Promise<GroupReport | null> {
  const groups = instancesOf(running).flatMap(({ probe }) => (probe === null ? [] : [probe]));
  const reports = await Promise.all(groups.map((group) => readGroup(group, probeReadMs)));
  const known = reports.filter((report) => report !== null);
  const [first] = known;
  return first === undefined ? null : { atMs: first.atMs, byProcess: new Map(known.flatMap(({ byProcess }) => [...byProcess])) };
}

/** What the probes say of themselves, once a second, while a window is open. */
export class ReportsDuring {
  readonly reports: GroupReport[] = [];
  readonly #latest = new Map<number, ProbeReport>();
  readonly #unsubscribe: (() => void)[] = [];

  constructor(private readonly running: RunningTarget) {}

  start(): void {
    const sessions = instancesOf(this.running).flatMap(({ probe }) => probe?.sessions ?? []);
    for (const session of sessions) {
      const take = (report: ProbeReport): void => {
        this.#latest.set(session.hello.pid, report);
        // Figures of all processes are added up: one that has not spoken yet would be missing in the sum.
        if (this.#latest.size === sessions.length) this.reports.push({ atMs: performance.now(), byProcess: new Map(this.#latest) });
      };
      this.#unsubscribe.push(session.onReport(take));
    }
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }
}

/** How a process ended on its own while it was measured; null when none did. */
export async function howEnded(planned: PlannedTrial, running: RunningTarget, round: number): Promise<PlainFinding | null> {
  const ended = instancesOf(running).find(({ child }) => !child.running);
  if (ended === undefined) return null;
  const exit = await ended.child.exited;
  return { code: 'ended-in-round', name: planned.name, exit, round, lastLine: ended.child.log.tail(1) };
}
