import { isCancellation, toFailure } from '../../../model/failure.ts';
import type { RecordingCost, RecordingRecord } from '../../../model/recording.ts';
import type { RunRequest } from '../../../model/run.ts';
import { recordAttached } from '../../record/attachedRecording.ts';
import { costPairs, costWindowMs, measureRecordingCost } from '../../record/recordingCost.ts';
import type { Recorders } from '../../record/recorders.ts';
import { recordingRecord, sourceRootsOf } from '../../record/recordingRecord.ts';
import type { UnderLoad } from '../../record/underLoad.ts';
import { serverPid } from '../../targets/launchTarget.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { PlannedTrial } from '../plan.ts';

/** What recording the trials of a run needs of the run. */
export interface TrialRecordingSteps {
  recorders: Recorders;
  request: NonNullable<RunRequest['record']>;
  trials: readonly PlannedTrial[];
  /** The warm process of a trial; null when it does not run any more. */
  process: (planned: PlannedTrial) => Promise<RunningTarget | null>;
  underLoad: (planned: PlannedTrial, running: RunningTarget) => UnderLoad;
  begin: (message: string, expectedMs: number) => void;
  note: (message: string) => void;
  writeFile: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Called when a trial is done with. */
  done: (planned: PlannedTrial) => Promise<void>;
  signal: AbortSignal;
}

const startMs = 1_500;

/** How long recording takes, about. */
export function recordingMs(trials: readonly PlannedTrial[], request: NonNullable<RunRequest['record']>): number {
  const runtimes = new Set(trials.map((trial) => trial.process.declared.target.runtime)).size;
  return trials.length * (request.seconds * 1000 + startMs) + runtimes * costPairs * 2 * (costWindowMs + startMs);
}

/**
 * Records each trial in a window of its own, after everything was measured, under the same load. What the recorder costs is measured once for
 * each runtime. A trial that cannot be recorded becomes a note of the run: its figures stand.
 */
export async function recordTrials(steps: TrialRecordingSteps): Promise<RecordingRecord[]> {
  const { request, signal } = steps;
  const costs = new Map<string, RecordingCost | null>();
  const records: RecordingRecord[] = [];
  for (const [index, planned] of steps.trials.entries()) {
    const { declared, settings } = planned.process;
    const { runtime } = declared.target;
    try {
      steps.begin(`Recording ${planned.name}`, request.seconds * 1000 + startMs);
      const running = await steps.process(planned);
      if (running === null) {
        steps.note(`${planned.name} was not recorded: it does not run any more.`);
        continue;
      }
      const load = steps.underLoad(planned, running);
      const process = { pid: serverPid(running), runtime };
      const { window, recorder, notes } = await recordAttached(steps.recorders, {
        ...{ process, load, signal, events: request.events, recorderId: undefined },
        windowMs: request.seconds * 1000,
      });
      if (!costs.has(runtime)) {
        steps.begin(`Measuring what the recording of ${planned.name} costs`, costPairs * 2 * (costWindowMs + startMs));
        costs.set(runtime, await measureRecordingCost({ recorder, process, load, signal, events: window.events }));
      }
      const { record, files } = recordingRecord(
        window,
        {
          title: planned.name,
          ...{ runtime, settings, pid: process.pid, target: declared.target.id, trialKey: planned.key },
          command: running.command.argv.join(' '),
          sourceRoots: sourceRootsOf(declared),
        },
        recorder,
        { prefix: `recording-${index + 1}-`, cost: costs.get(runtime) ?? null, notes },
      );
      for (const { name, bytes } of files) await steps.writeFile(name, bytes);
      records.push(record);
    } catch (error) {
      if (isCancellation(error)) throw error;
      const { message, cure } = toFailure(error);
      steps.note(`${planned.name} was not recorded: ${message} ${cure}`);
    } finally {
      await steps.done(planned);
    }
  }
  return records;
}
