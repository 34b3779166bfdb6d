import { hasSettled } from '../../strategies/experiment/growth.ts';
import { median } from '../../statistics/moments.ts';
import { type MeasureTools, addBlock, memoryReadings, seriesOf } from './experimentMeasures.ts';
import { instancesOf } from '../runningTargets.ts';
import type { RunningVariant } from './runningVariant.ts';

/** Memory has settled when it stays within this for so long. */
const settledS = 8;

/** Load until the first full collection or until memory stays level; the plateau is the median of the last seconds. */
export async function measureMemory(tools: MeasureTools<'memory'>, variants: readonly RunningVariant[]): Promise<void> {
  for (const variant of variants) await measureVariant(tools, variant);
}

async function measureVariant(tools: MeasureTools<'memory'>, variant: RunningVariant): Promise<void> {
  const { harness, progress, plan, context } = tools;
  const [planned] = variant.planned.trials;
  if (planned === undefined) return;
  progress.begin('measure', { code: 'levelling-memory', name: planned.name }, plan.maxS * 1000);
  const before = harness.observations.length;
  const startedMs = progress.elapsedMs;
  const collections = fullCollections(variant);
  let fullAtS: number | null = null;
  const readings = (): [number, number][] => memoryReadings(harness.observations.slice(before), startedMs);
  harness.attribute(planned.key, variant.running);
  await harness.generator.warmUp(harness.blockPlan(planned, variant.running, 0), {
    minMs: Math.min(10, plan.maxS) * 1000,
    maxMs: plan.maxS * 1000,
    isSteady: () => {
      if (fullAtS === null && fullCollections(variant) > collections) fullAtS = (progress.elapsedMs - startedMs) / 1000;
      return fullAtS !== null || hasSettled(readings(), settledS);
    },
    signal: context.signal,
  });
  harness.attribute(null, null);
  const seen = readings();
  const last = seen.at(-1)?.[0] ?? 0;
  const settled = seen.filter(([at]) => at >= last - settledS).map(([, value]) => value);
  const plateau = settled.length === 0 ? null : median(settled);
  if (plateau !== null)
    tools.extra.set(planned.key, { figures: { rssMb: plateau }, ranges: { rssMb: [Math.min(...settled), Math.max(...settled)] } });
  const marks = fullAtS === null ? [] : [{ atS: fullAtS, label: 'first full collection' }];
  tools.series.push(seriesOf(variant, 'Memory', 'MB', seen, marks));
  const end = fullAtS !== null ? 'full-collection' : hasSettled(seen, settledS) ? 'level' : 'growing';
  tools.note({ code: 'memory', about: planned.name, mebibytes: plateau, end, seconds: fullAtS ?? last });
  addBlock(tools, planned, await harness.measure(planned, variant.running, 1));
}

/** Full collections so far, of all instances; 0 where the probe does not report them. */
function fullCollections(variant: RunningVariant): number {
  const sessions = instancesOf(variant.running).flatMap(({ probe }) => probe?.sessions ?? []);
  return sessions.reduce((sum, { latest }) => sum + (latest?.gc?.full ?? 0), 0);
}
