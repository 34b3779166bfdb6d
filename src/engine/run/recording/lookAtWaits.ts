import { judgeTogether } from '../../diagnose/siblings.ts';
import { diagnoseWithDumps, wantsThreadDumps } from '../../diagnose/threadDumps.ts';
import { allowedCores } from '../../observe/cpuAllowance.ts';
import { threadDumps } from '../../record/jvm/threadDump.ts';
import { summarizeThreadDump } from '../../record/jvm/threadDumpSummary.ts';
import { loadDuring } from '../../record/underLoad.ts';
import { serverPid } from '../../targets/launchTarget.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunUnderWay } from '../runLife.ts';
import type { WarmTrials } from '../warmTrials.ts';

/**
 * Where a verdict does not know what requests wait for (by the other trials of the run, too) and the app is a JVM, the same load is put on again and three
 * thread dumps are made, after everything was measured. The trial store has the verdict that they lead to; where the dumps show no more, the verdict stays with
 * their files. `trials` are all that were planned; only those of `looked` are examined.
 */
export async function lookAtWaits(
  { harness, trialStore, context, note, writer }: RunUnderWay,
  targets: WarmTrials,
  trials: readonly PlannedTrial[],
  looked: readonly PlannedTrial[] = trials,
): Promise<void> {
  if (targets.startsAnew) return;
  const recorded = trialStore.tried();
  const together = judgeTogether(
    recorded.map(({ trial }) => trial),
    allowedCores(),
  );
  for (const planned of looked) {
    const index = recorded.findIndex(({ trial }) => trial.key === planned.key);
    const [trial, signals] = [together[index], recorded[index]?.signals ?? null];
    if (trial?.runtime !== 'jvm' || signals === null || !wantsThreadDumps(trial.diagnosis, signals)) continue;
    const running = await targets.warm(planned);
    if (running === null) continue;
    const dumps = await loadDuring(
      harness.generator,
      harness.blockPlan(planned, running, 0),
      () => threadDumps(serverPid(running), 3, 300, context.signal),
      context.signal,
    );
    if (dumps.reason !== null) note({ code: 'no-thread-dumps', about: planned.name, message: dumps.reason });
    const number = trials.findIndex(({ key }) => key === planned.key) + 1;
    const names = dumps.texts.map((_text, dump) => `threads-${number}-${dump + 1}.txt`);
    for (const [dump, text] of dumps.texts.entries()) await writer.writeLog(names[dump] ?? '', text);
    if (names.length > 0) trialStore.of(trial.key).verdict = diagnoseWithDumps(signals, dumps.texts.map(summarizeThreadDump), names);
  }
}
