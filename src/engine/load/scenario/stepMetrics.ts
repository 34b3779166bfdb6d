import type { StepMetrics } from '../../../model/domain/scenario.ts';
import { grouped } from '../../../model/domain/grouped.ts';
import {
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyMetrics,
  mergeLatencyHistograms,
  mergeLatencySums,
} from '../latencyHistogram.ts';
import type { StepSamples } from '../loadProtocol.ts';

/**
 * The figures of each step over all `blocks`, in the order of the first: counts added up, latency from the merged histograms and exact sums.
 * Fails with `histogram-damaged`.
 */
export function stepMetrics(...blocks: (readonly StepSamples[])[]): StepMetrics[] {
  const byStep = grouped(blocks.flat(), ({ role, step }) => JSON.stringify([role, step]));
  return [...byStep.values()].flatMap((all) => (all[0] === undefined ? [] : [figuresOf(all[0], all)]));
}

function figuresOf({ role, step }: StepSamples, all: readonly StepSamples[]): StepMetrics {
  const histogram = mergeLatencyHistograms(
    all.map((samples) => (samples.histogram === '' ? createLatencyHistogram() : decodeLatencyHistogram(samples.histogram))),
  );
  const latency = latencyMetrics(histogram, mergeLatencySums(all.map(({ latencySums }) => latencySums)));
  return {
    role,
    step,
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    meanMs: latency?.mean ?? null,
    p50Ms: latency?.p50 ?? null,
    p95Ms: latency?.p95 ?? null,
    p99Ms: latency?.p99 ?? null,
    maxMs: latency?.max ?? null,
    problem: commonestProblem(all),
  };
}

function commonestProblem(all: readonly StepSamples[]): string | null {
  const counts = new Map<string, number>();
  for (const { problems } of all)
    for (const [problem, count] of Object.entries(problems)) counts.set(problem, (counts.get(problem) ?? 0) + count);
  return (
    [...counts].reduce<[string, number] | null>((most, entry) => (most === null || entry[1] > most[1] ? entry : most), null)?.[0] ?? null
  );
}
