import type { Diagnosis } from '../../../model/diagnosis.ts';
import { judgeTogether } from '../../diagnose/siblings.ts';
import { diagnoseWithDumps, wantsThreadDumps } from '../../diagnose/threadDumps.ts';
import { threadDumps } from '../../record/jvm/threadDump.ts';
import { summarizeThreadDump } from '../../record/jvm/threadDumpSummary.ts';
import { loadDuring } from '../../record/underLoad.ts';
import { serverPid } from '../../targets/launchTarget.ts';
import type { RunningTarget } from '../../targets/launchTarget.ts';
import type { MeasuringBench } from '../measuringBench.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RecordedTrial } from '../trialRecord.ts';

export interface WaitTools {
  bench: MeasuringBench;
  /** The warm process of a trial with its settings in force; null when it does not run. */
  running: (planned: PlannedTrial) => Promise<RunningTarget | null>;
  writeFile: (name: string, text: string) => Promise<void>;
  note: (message: string) => void;
  signal: AbortSignal;
}

/**
 * Where a verdict does not know what requests wait for (by the other trials of the run, too) and the app is a JVM, the same load is put on again and three thread
 * dumps are taken, after everything was measured. Gives the verdict that they lead to, by trial; of dumps that show no more, the verdict stays with their files.
 */
export async function lookAtWaits(
  trials: readonly { planned: PlannedTrial; recorded: RecordedTrial }[],
  tools: WaitTools,
): Promise<Map<string, Diagnosis>> {
  const found = new Map<string, Diagnosis>();
  const together = judgeTogether(trials.map(({ recorded }) => recorded.trial));
  for (const [index, { planned, recorded }] of trials.entries()) {
    const { signals } = recorded;
    const trial = together[index] ?? recorded.trial;
    if (trial.runtime !== 'jvm' || signals === null || !wantsThreadDumps(trial.diagnosis, signals)) continue;
    const running = await tools.running(planned);
    if (running === null) continue;
    const dumps = await loadDuring(
      tools.bench.generator,
      tools.bench.blockPlan(planned, running, 0),
      () => threadDumps(serverPid(running), 'jvm', 3, 300, { signal: tools.signal }),
      tools.signal,
    );
    if (dumps.reason !== null) tools.note(`${planned.name}: ${dumps.reason}`);
    const names = dumps.texts.map((_text, dump) => `threads-${index + 1}-${dump + 1}.txt`);
    for (const [dump, text] of dumps.texts.entries()) await tools.writeFile(names[dump] ?? '', text);
    if (names.length > 0) found.set(trial.key, diagnoseWithDumps(signals, dumps.texts.map(summarizeThreadDump), names));
  }
  return found;
}
