import { heaviestParts } from '../../../calltree/sentence/heaviestParts.ts';
import { withRoles } from '../../../calltree/stackRoles.ts';
import type { RecordingRecord } from '../../../model/domain/recording.ts';
import { recordedEventOf, withHottest } from '../../diagnose/hottest.ts';
import { readStored } from '../../profiles/storedProfile.ts';
import type { RunUnderWay } from '../runLife.ts';

/** Smaller parts, and more of them, do not answer where the time goes. */
const named = { most: 3, least: 0.1 } as const;

/**
 * Names in the verdict of each recorded trial the functions that take most of what limits it: the CPU, or the memory that is allocated. Verdicts on anything else
 * stay. So does one whose recording cannot be read: opening it says why.
 */
export async function nameHottest({ trialStore, writer }: RunUnderWay, recordings: readonly RecordingRecord[]): Promise<void> {
  for (const record of recordings) {
    if (record.trialKey === null || !trialStore.has(record.trialKey)) continue;
    const measurement = trialStore.of(record.trialKey);
    const verdict = measurement.verdict ?? trialStore.recorded(record.trialKey).trial.diagnosis;
    const event = verdict === null ? null : recordedEventOf(verdict.kind);
    if (verdict === null || event === null) continue;
    const stored = await readStored(writer.folder, record).catch(() => null);
    if (stored !== null) measurement.verdict = withHottest(verdict, event, heaviestParts(withRoles(stored.tree), event, named));
  }
}
