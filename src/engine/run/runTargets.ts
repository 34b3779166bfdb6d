import { freemem } from 'node:os';
import type { LoadProfile } from '../../model/loadProfile.ts';
import type { RunTopology } from '../../model/topology.ts';
import type { TuningMode } from '../../model/tuning.ts';
import { warmUpTime } from '../../model/warmUpTime.ts';
import type { RunningTarget } from '../targets/launchTarget.ts';
import type { MeasuringBench } from './measuringBench.ts';
import { choosePlanMode } from './plan.ts';
import type { PlannedProcess, PlannedTrial } from './plan.ts';
import type { RunContext } from './runContext.ts';
import { TrialProcesses } from './trialProcesses.ts';
import type { ProcessKeeper, TrialProcessTools } from './trialProcesses.ts';
import type { TrialSighting } from './trialRecord.ts';

export interface RunTargetsOptions extends Pick<TrialProcessTools, 'mode' | 'begin' | 'note'> {
  context: Pick<RunContext, 'probes' | 'signal'>;
  bench: MeasuringBench;
  pool: ProcessKeeper;
  topology: RunTopology;
  load: LoadProfile;
  /** Of PostgreSQL; null without one. */
  maxConnections: number | null;
}

/** The targets of a run, each with the processes behind its trials. */
export class RunTargets {
  readonly #processes = new Map<string, TrialProcesses>();

  constructor(
    private readonly sightings: readonly TrialSighting[],
    private readonly options: RunTargetsOptions,
  ) {}

  get count(): number {
    return this.#processes.size;
  }

  /** Starts and warms the processes of each target, in the best way there is. */
  async prepare(): Promise<void> {
    const { context, bench, pool, load, begin, note, maxConnections } = this.options;
    const all = [...new Map(this.sightings.map(({ planned: { process } }) => [process.key, process])).values()];
    const targets = [...new Set(all.map(({ declared }) => declared))];
    // Two targets with the same fixed port cannot run side by side, whatever else is possible.
    const ports = choosePlanMode(all, { maxConnections: null, freeMemoryBytes: Number.POSITIVE_INFINITY });
    const apart = targets.length > 1 && ports.mode === 'restart-per-block';
    let connections = 0;
    for (const declared of targets) {
      const own = this.sightings.filter(({ planned }) => planned.process.declared === declared);
      const { expectedS } = warmUpTime(load, declared.target.runtime);
      const processes = new TrialProcesses(declared, () => own, {
        ...{ context, pool, note },
        mode: apart ? 'restart-per-block' : this.options.mode,
        limits: { maxConnections: maxConnections === null ? null : maxConnections - connections, freeMemoryBytes: freemem() },
        notLive: this.#notLive(own),
        warmUp: (planned, running) => bench.warmUp(planned, running),
        begin: (phase, message, expectedMs) => begin(phase, message, phase === 'warmUp' ? expectedS * 1000 : expectedMs),
      });
      this.#processes.set(declared.target.id, processes);
      await processes.prepare();
      if (processes.mode === 'restart-per-block') note(processes.modeReason);
      const started = all.filter((process) => process.declared === declared);
      connections += connectionsOf(started, processes.mode);
    }
  }

  of({ process }: PlannedTrial): TrialProcesses {
    const processes = this.#processes.get(process.declared.target.id);
    if (processes === undefined) throw new Error(`no processes of ${process.declared.target.id}`);
    return processes;
  }

  /** The warm process of a trial with its settings in force; null when that cannot be brought about any more. */
  async warm(planned: PlannedTrial): Promise<RunningTarget | null> {
    const running = await this.of(planned).bring(planned);
    return 'problem' in running ? null : running;
  }

  /** How it was done, for the record: one mode where all targets had the same. */
  mode(): { mode: TuningMode; reason: string } {
    const all = [...this.#processes.values()];
    const modes = new Set(all.map(({ mode }) => mode));
    const reasons = new Set(all.map(({ modeReason, label }) => (modes.size > 1 ? `${label}: ${modeReason}` : modeReason)));
    return { mode: modes.size === 1 ? (all[0]?.mode ?? 'process-per-setting') : 'process-per-setting', reason: [...reasons].join(' ') };
  }

  /** How the process that measured the trials of a key was started; live, that is one process for all. */
  command(key: string): RunningTarget['command'] | undefined {
    const sighting = this.sightings.find(({ planned }) => planned.process.key === key);
    return sighting === undefined ? undefined : this.#processes.get(sighting.planned.process.declared.target.id)?.command(sighting.planned);
  }

  /** Why settings cannot be changed live in this run whatever the app is; null when nothing speaks against it. */
  #notLive(sightings: readonly TrialSighting[]): string | null {
    const { proxy, cpuShare } = this.options.topology;
    if (proxy !== null || cpuShare !== null) return 'A proxy or a share of the CPU belongs to the process.';
    return sightings.some(({ planned }) => planned.process.instances > 1) ? 'Several instances share the load.' : null;
  }
}

/** Database connections that the processes of a target may hold at once. */
function connectionsOf(processes: readonly PlannedProcess[], mode: TuningMode): number {
  const each = processes.map(({ declared, settings, instances }) =>
    declared.target.postgres === undefined ? 0 : Number(settings['pool'] ?? 0) * instances,
  );
  return mode === 'process-per-setting' ? each.reduce((sum, one) => sum + one, 0) : Math.max(0, ...each);
}
