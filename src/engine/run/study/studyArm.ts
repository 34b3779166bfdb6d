import path from 'node:path';
import type { Outage } from '../../../model/topology.ts';
import { InstanceGroup } from '../instanceGroup.ts';
import type { ProcessPool } from '../processPool.ts';
import type { RunContext } from '../runContext.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { PlannedArm } from './studyPlan.ts';

export interface ArmTools {
  context: RunContext;
  pool: ProcessPool;
  /** Ours, and removed after the run. */
  folder: string;
  note: (message: string) => void;
}

/** An arm that runs: its group of instances, and what is done to it while it is measured. */
export class StudyArm {
  private constructor(
    readonly planned: PlannedArm,
    private readonly group: InstanceGroup,
  ) {}

  /** Starts it and waits until it answers. What fails leaves nothing running that the pool does not know of. */
  static async start(planned: PlannedArm, { context, pool, folder, note }: ArmTools): Promise<StudyArm> {
    const { arm, process } = planned;
    const tools = { context, pool, folder: path.join(folder, `proxy-${arm.name}`), label: arm.label, note };
    return new StudyArm(planned, await InstanceGroup.start(process, arm.topology, tools));
  }

  /** As the load generator and the meters see it. */
  get running(): RunningTarget {
    return this.group.running;
  }

  get instances(): readonly RunningTarget[] {
    return this.group.instances;
  }

  /** Cores that all instances together may use; null without a limit that is in force. */
  get coresAvailable(): number | null {
    return this.group.coresAvailable;
  }

  /** Ends an instance as a crash would, or adds one; gives what was done, as a phrase. */
  async happen({ action }: Outage): Promise<string> {
    if (action === 'kill') {
      await this.group.killOne();
      return 'an instance was killed';
    }
    await this.group.addOne();
    return 'an instance was added';
  }

  stop(): Promise<void> {
    return this.group.stop();
  }
}
