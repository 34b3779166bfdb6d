import { FailureError, isCancellation } from '../../model/failure.ts';
import type { Diagnosis } from '../../model/diagnosis.ts';
import type { LoadProfile } from '../../model/loadProfile.ts';
import type { RawRequest } from '../../model/rawSample.ts';
import type { RecordingRecord } from '../../model/recording.ts';
import type { RunRequest } from '../../model/run.ts';
import { measureRawCost, rawCostFileName, rawCostPairs, rawCostWindowMs } from '../raw/rawCost.ts';
import { loadDuring } from '../record/underLoad.ts';
import type { PlannedTrial } from './plan.ts';
import { lookAtWaits } from './recording/lookAtWaits.ts';
import { recordingMs, recordTrials } from './recording/recordTrials.ts';
import type { RunUnderWay } from './runLife.ts';
import type { RunTargets } from './runTargets.ts';

/** The processes are warm: the load needs no longer than its connections. */
const recordingSettleMs = 300;

/** Thread dumps, where only they can tell what is waited for; after everything was measured. Gives the verdicts that they lead to, by trial. */
export async function dumpsOf(run: RunUnderWay, targets: RunTargets, trials: readonly PlannedTrial[]): Promise<Map<string, Diagnosis>> {
  if (targets.mode().mode === 'restart-per-block') return new Map();
  const { bench, book, context, note, writer } = run;
  const recorded = trials.map((planned) => ({ planned, recorded: book.recorded(planned.key) }));
  return lookAtWaits(recorded, {
    ...{ bench, note, signal: context.signal },
    running: (planned) => targets.warm(planned),
    writeFile: (name, text) => writer.writeFile(name, text),
  });
}

/** What raw samples cost, by windows of their own after everything was measured. */
export async function priceRaw(
  run: RunUnderWay,
  targets: RunTargets,
  planned: PlannedTrial | undefined,
  request: RawRequest | undefined,
  { durationS }: LoadProfile,
): Promise<void> {
  if (run.raw === null || request === undefined || planned === undefined) return;
  const running = await targets.warm(planned);
  if (running === null) return;
  const windowMs = Math.min(rawCostWindowMs, durationS * 1000);
  run.progress.begin('record', 'Measuring what raw samples cost', 2 * rawCostPairs * (windowMs + 500));
  try {
    run.raw.cost(
      await measureRawCost(request, run.writer.scratch(rawCostFileName), (command) =>
        run.bench.costWindow(planned, running, windowMs, command),
      ),
    );
  } catch (error) {
    if (isCancellation(error) || !(error instanceof FailureError)) throw error;
    run.note(`What raw samples cost could not be measured: ${error.message}`);
  }
}

/** Records these trials: a profiler never runs in a measured window, so that it comes after all of them. */
export async function recordingsOf(
  { bench, context, note, progress, writer }: RunUnderWay,
  targets: RunTargets,
  trials: readonly PlannedTrial[],
  request: RunRequest['record'],
): Promise<RecordingRecord[]> {
  if (request === undefined) return [];
  if (trials.some(({ process }) => process.instances > 1))
    note('Of several instances the first was recorded, under its share of the load.');
  progress.setRemaining(recordingMs(trials, request) + 1500);
  return recordTrials({
    ...{ recorders: context.recorders, request, trials, note, signal: context.signal },
    process: (planned) => targets.warm(planned),
    underLoad: (planned, running) => ({
      pid: running.child.pid,
      connections: planned.connections,
      cpuTimeUs: () => bench.cpuTimeUs(running.child.pid),
      during: (work) => loadDuring(bench.generator, bench.blockPlan(planned, running, 0), work, context.signal),
      block: (windowMs, onWindow) => bench.block(planned, running, 1, { settleMs: recordingSettleMs, windowMs }, onWindow),
    }),
    begin: (message, expectedMs) => progress.begin('record', message, expectedMs),
    writeFile: (name, bytes) => writer.writeFile(name, bytes),
    done: (planned) => targets.of(planned).release(planned),
  });
}
