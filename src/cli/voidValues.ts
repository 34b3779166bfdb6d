import type { RunRecord, Throughput, Trial } from '../model/run.ts';
import type { TunedSetting } from '../model/tuning.ts';

type Figure = Pick<Throughput, 'mean' | 'ciLow' | 'ciHigh'>;

/** What was measured of a value. Of a void one what its blocks had, without an interval: something else was measured, and whoever looks wants to see it. */
export function measuredThroughput({ throughput, valid, trialKey }: TunedSetting, { trials }: Pick<RunRecord, 'trials'>): Figure {
  if (valid || throughput.mean > 0) return throughput;
  const blocks = blocksOf(trialKey, trials);
  if (blocks.length === 0) return throughput;
  return { mean: blocks.reduce((sum, block) => sum + block.throughput, 0) / blocks.length, ciLow: null, ciHigh: null };
}

/** Why a value is void, or was not measured; every such value has a reason, and no other has one. */
export function reasonsOf({ reasons, valid, blocks, trialKey }: TunedSetting, { trials }: Pick<RunRecord, 'trials'>): string[] {
  if (reasons.length > 0) return reasons;
  if (valid && blocks > 0) return [];
  const trial = trials.find(({ key }) => key === trialKey);
  if (trial !== undefined && trial.reasons.length > 0) return trial.reasons;
  const ofBlocks = [...new Set(blocksOf(trialKey, trials).flatMap((block) => (block.valid ? [] : block.reasons)))];
  if (ofBlocks.length > 0) return ofBlocks;
  return [
    valid
      ? 'Not one block of it was measured: there was no time left, or smaller values had decided it.'
      : 'It is void, and no reason was recorded.',
  ];
}

function blocksOf(trialKey: string, trials: readonly Trial[]): Trial['blocks'] {
  return trials.find(({ key }) => key === trialKey)?.blocks ?? [];
}

/** What speaks of a table that is elsewhere, or nowhere, in the words of a list of reasons. */
export function withoutTable(sentence: string): string {
  return sentence.replace(/The table below says why(, value by value)?\./, 'The reasons stand with each value.');
}
