import { rm } from 'node:fs/promises';
import type { RecordingCost } from '../../model/domain/recording.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { mean, meanOf, reachOf } from '../statistics/moments.ts';
import type { WindowPlan } from './recordWindow.ts';
import { measureWindow } from './underLoad.ts';

export const costWindowMs = 2_000;
export const costPairs = 3;

/**
 * What recording costs: CPU time per request with the recorder and without it, in interleaved windows of 2 s (without, with, with,
 * without …), so that drift of the machine falls on both alike. The ratio is the geometric mean over the pairs; its 95 % interval is
 * Student's t on the logarithms. Null where CPU time is not known or nothing was served.
 */
export async function measureRecordingCost(plan: Omit<WindowPlan, 'windowMs'>): Promise<RecordingCost | null> {
  const { load, recorder, process, signal } = plan;
  if (load === null) return null;
  const events = plan.events.length === 0 ? recorder.defaultEvents : plan.events;
  const without: number[] = [];
  const withIt: number[] = [];
  const plain = async (): Promise<void> => {
    const { cpuUsPerRequest } = await measureWindow(load, costWindowMs);
    if (cpuUsPerRequest !== null) without.push(cpuUsPerRequest);
  };
  const recorded = async (): Promise<void> => {
    const outputDir = makeTemporaryFolder('recording');
    try {
      const active = await load.during(() => recorder.start(process, { events, maxMs: costWindowMs * 5, outputDir, signal }));
      try {
        const { cpuUsPerRequest } = await measureWindow(load, costWindowMs);
        if (cpuUsPerRequest !== null) withIt.push(cpuUsPerRequest);
      } finally {
        await active.abandon();
      }
    } finally {
      await rm(outputDir, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  for (let pair = 0; pair < costPairs; pair += 1) {
    for (const step of pair % 2 === 0 ? [plain, recorded] : [recorded, plain]) await step();
  }
  return costOf(without, withIt);
}

/** The cost from CPU times per request in µs, pair by pair; null when a pair is missing. */
export function costOf(without: readonly number[], withIt: readonly number[]): RecordingCost | null {
  const pairs = without.length;
  if (pairs === 0 || withIt.length !== pairs || [...without, ...withIt].some((value) => !(value > 0))) return null;
  const logs = without.map((value, pair) => Math.log((withIt[pair] as number) / value));
  const estimate = meanOf(logs);
  const half = estimate === null ? null : reachOf(estimate);
  const middle = mean(logs);
  return {
    withUs: mean(withIt),
    withoutUs: mean(without),
    ratio: Math.exp(middle),
    low: half === null ? null : Math.exp(middle - half),
    high: half === null ? null : Math.exp(middle + half),
    pairs,
  };
}
