import { isCancellation, toFailure } from '../../../model/domain/failure.ts';
import type { RecordingCost, RecordingRecord } from '../../../model/domain/recording.ts';
import type { RunRequest } from '../../../model/domain/run.ts';
import { recordAttached } from '../../record/attachedRecording.ts';
import { costPairs, costWindowMs, measureRecordingCost } from '../../record/recordingCost.ts';
import { recordingRecord, targetSubject } from '../../record/recordingRecord.ts';
import { type UnderLoad, loadDuring } from '../../record/underLoad.ts';
import { serverPid } from '../../targets/launchTarget.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunUnderWay } from '../runLife.ts';
import type { WarmTrials } from '../warmTrials.ts';

const startMs = 1_500;
/** The processes are warm: the load needs no longer than its connections. */
const settleMs = 300;

function recordingMs(trials: readonly PlannedTrial[], request: NonNullable<RunRequest['record']>, priced: boolean): number {
  const runtimes = priced ? new Set(trials.map((trial) => trial.process.declared.target.runtime)).size : 0;
  return trials.length * (request.seconds * 1000 + startMs) + runtimes * costPairs * 2 * (costWindowMs + startMs);
}

/**
 * Records each trial in a window of its own, after everything was measured, under the same load. What the recorder costs is measured once for each runtime. A
 * trial that cannot be recorded becomes a note of the run: its figures stay valid. `before` are recordings that the run has already; not `priced`: what
 * recording costs is not measured.
 */
export async function recordTrials(
  { harness, context, note, progress, writer }: RunUnderWay,
  targets: WarmTrials,
  trials: readonly PlannedTrial[],
  request: RunRequest['record'],
  { before = [], priced = true }: { before?: readonly RecordingRecord[]; priced?: boolean } = {},
): Promise<RecordingRecord[]> {
  if (request === undefined) return [];
  if (trials.some(({ process }) => process.instances > 1)) note({ code: 'first-recorded' });
  progress.setRemaining(recordingMs(trials, request, priced) + 1500);
  const { recorders, signal } = context;
  const costs = new Map<string, RecordingCost | null>(before.map(({ runtime, cost }) => [runtime, cost]));
  const records: RecordingRecord[] = [];
  for (const [index, planned] of trials.entries()) {
    const { runtime } = planned.process.declared.target;
    try {
      progress.begin('record', { code: 'recording', name: planned.name, seconds: null }, request.seconds * 1000 + startMs);
      const assertServed = context.postgres.sinceNow();
      const running = await targets.warm(planned);
      if (running === null) {
        note({ code: 'ended-unrecorded', name: planned.name });
        continue;
      }
      const { pid } = running.child;
      const load: UnderLoad = {
        pid,
        connections: planned.connections,
        cpuTimeUs: () => harness.cpuTimeUs(pid),
        during: (work) => loadDuring(harness.generator, harness.blockPlan(planned, running, 0), work, signal),
        block: (windowMs, onWindow) => harness.block(planned, running, 1, { settleMs, windowMs }, onWindow),
      };
      const process = { pid: serverPid(running), root: pid, runtime, probes: running.probe };
      const { window, recorder, notes } = await recordAttached(recorders, request, { process, load, signal });
      assertServed();
      if (priced && !costs.has(runtime)) {
        progress.begin('record', { code: 'pricing-recording', name: planned.name }, costPairs * 2 * (costWindowMs + startMs));
        costs.set(runtime, await measureRecordingCost({ recorder, process, load, signal, events: window.events }));
      }
      const named = { title: planned.name, pid: process.pid, trialKey: planned.key, argv: running.command.argv };
      const { record, files } = recordingRecord(window, targetSubject(planned.process, named), recorder, {
        prefix: `recording-${before.length + index + 1}-`,
        cost: costs.get(runtime) ?? null,
        notes,
      });
      for (const { name, bytes } of files) await writer.writeRecording(name, bytes);
      records.push(record);
    } catch (error) {
      if (isCancellation(error)) throw error;
      const { code, message, cure } = toFailure(error);
      note({ code: 'not-recorded', name: planned.name, failure: code, message, remedy: cure });
    } finally {
      await targets.release(planned);
    }
  }
  return records;
}
