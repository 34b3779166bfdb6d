import { rm } from 'node:fs/promises';
import type { RawCost } from '../../model/domain/rawSample.ts';
import type { RawCommand } from '../load/raw/rawCommand.ts';
import { costOf } from '../record/recordingCost.ts';

export const rawCostWindowMs = 2_000;
export const rawCostPairs = 3;
/** What the windows kept, until it is removed. */
export const rawCostFileName = 'raw-cost.bin';

/** CPU time that the processes took in a window, in µs; null where it is not known. */
export interface CostWindow {
  requests: number;
  appCpuUs: number | null;
  generatorCpuUs: number | null;
}

/**
 * What keeping every request costs in CPU time per request, in interleaved windows (without, with, with, without …), so that drift falls on both
 * alike; the method is that of `measureRecordingCost`. `window` puts load on the app for {@link rawCostWindowMs}, keeping what `raw` says. What the
 * windows kept goes to `file`, which is removed again. A process whose CPU time is not known is left out.
 */
export async function measureRawCost(
  request: Pick<RawCommand, 'share' | 'timing'>,
  file: string,
  window: (raw: RawCommand | undefined) => Promise<CostWindow>,
): Promise<RawCost[]> {
  const without: CostWindow[] = [];
  const withIt: CostWindow[] = [];
  try {
    for (let pair = 0; pair < rawCostPairs; pair += 1) {
      const raw: RawCommand = { ...request, file, idPrefix: `cost-${pair + 1}`, maxRows: 1_000_000, trialKey: '', block: 0 };
      for (const kept of pair % 2 === 0 ? [false, true] : [true, false]) {
        const measured = await window(kept ? raw : undefined);
        (kept ? withIt : without).push(measured);
      }
    }
  } finally {
    await rm(file, { force: true });
  }
  return (['app', 'generator'] as const).flatMap((process) => {
    const perRequest = (windows: readonly CostWindow[]): number[] =>
      windows.flatMap(({ requests, ...cpu }) => {
        const us = process === 'app' ? cpu.appCpuUs : cpu.generatorCpuUs;
        return us === null || requests === 0 ? [] : [us / requests];
      });
    const cost = costOf(perRequest(without), perRequest(withIt));
    return cost === null ? [] : [{ process, ...cost }];
  });
}
