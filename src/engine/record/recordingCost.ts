import { rm } from 'node:fs/promises';
import type { RecordingCost } from '../../model/domain/recording.ts';
import { makeTemporaryFolder } from '../supervise/temporaryFolder.ts';
import { studentTQuantile } from '../statistics/studentT.ts';
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
  const mean = meanOf(logs);
  const variance = pairs < 2 ? null : logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (pairs - 1);
  const half = variance === null ? null : studentTQuantile(0.975, pairs - 1) * Math.sqrt(variance / pairs);
  return {
    withUs: meanOf(withIt),
    withoutUs: meanOf(without),
    ratio: Math.exp(mean),
    low: half === null ? null : Math.exp(mean - half),
    high: half === null ? null : Math.exp(mean + half),
    pairs,
  };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
