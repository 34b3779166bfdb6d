import type { Diagnosis } from '../../../model/diagnosis.ts';
import { judgeTogether } from '../../diagnose/siblings.ts';
import { diagnoseWithDumps, wantsThreadDumps } from '../../diagnose/threadDumps.ts';
import { threadDumps } from '../../record/jvm/threadDump.ts';
import { summarizeThreadDump } from '../../record/jvm/threadDumpSummary.ts';
import { loadDuring } from '../../record/underLoad.ts';
import { serverPid } from '../../targets/launchTarget.ts';
import type { PlannedTrial } from '../plan.ts';
import type { RunUnderWay } from '../runLife.ts';
import type { RunTargets } from '../runTargets.ts';

/**
 * Where a verdict does not know what requests wait for (by the other trials of the run, too) and the app is a JVM, the same load is put on again and three thread
 * dumps are taken, after everything was measured. Gives the verdict that they lead to, by trial; of dumps that show no more, the verdict stays with their files.
 */
export async function lookAtWaits(
  { bench, book, context, note, writer }: RunUnderWay,
  targets: RunTargets,
  trials: readonly PlannedTrial[],
): Promise<Map<string, Diagnosis>> {
  const found = new Map<string, Diagnosis>();
  if (targets.mode().mode === 'restart-per-block') return found;
  const recorded = trials.map(({ key }) => book.recorded(key));
  const together = judgeTogether(recorded.map(({ trial }) => trial));
  for (const [index, planned] of trials.entries()) {
    const [trial, signals] = [together[index], recorded[index]?.signals ?? null];
    if (trial?.runtime !== 'jvm' || signals === null || !wantsThreadDumps(trial.diagnosis, signals)) continue;
    const running = await targets.warm(planned);
    if (running === null) continue;
    const dumps = await loadDuring(
      bench.generator,
      bench.blockPlan(planned, running, 0),
      () => threadDumps(serverPid(running), 'jvm', 3, 300, { signal: context.signal }),
      context.signal,
    );
    if (dumps.reason !== null) note(`${planned.name}: ${dumps.reason}`);
    const names = dumps.texts.map((_text, dump) => `threads-${index + 1}-${dump + 1}.txt`);
    for (const [dump, text] of dumps.texts.entries()) await writer.writeLog(names[dump] ?? '', text);
    if (names.length > 0) found.set(trial.key, diagnoseWithDumps(signals, dumps.texts.map(summarizeThreadDump), names));
  }
  return found;
}
