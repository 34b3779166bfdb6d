import type { Histogram } from 'hdr-histogram-js';
import { addLatency, createLatencyHistogram, encodeLatencyHistogram, noLatencySums, recordLatency } from '../latencyHistogram.ts';
import type { LatencySums, StepSamples } from '../loadProtocol.ts';

/** Different things that may go wrong with one step before the rest is counted together. */
const mostProblems = 20;
const otherProblems = 'Other things went wrong.';
const mostFirstErrors = 10;

interface Meter {
  requests: number;
  errors: number;
  sums: LatencySums;
  /** Made when it is first needed. */
  histogram: Histogram | null;
  problems: Map<string, number>;
}

/** Counts by steps what happens in a window. Its memory does not grow with time: histograms and counters, no samples. */
export class StepMeters {
  readonly firstErrors = new Set<string>();
  readonly #meters: Meter[];
  #open = false;

  constructor(private readonly steps: readonly { role: string; step: string }[]) {
    this.#meters = steps.map(() => ({ requests: 0, errors: 0, sums: { ...noLatencySums }, histogram: null, problems: new Map() }));
  }

  beginWindow(): void {
    this.#open = true;
    for (const meter of this.#meters) {
      meter.requests = 0;
      meter.errors = 0;
      meter.sums = { ...noLatencySums };
      meter.histogram?.reset();
      meter.problems.clear();
    }
  }

  endWindow(): void {
    this.#open = false;
  }

  answered(index: number, latencyMs: number): void {
    const meter = this.#meters[index];
    if (meter === undefined || !this.#open) return;
    meter.requests += 1;
    addLatency(meter.sums, latencyMs * 1000);
    meter.histogram ??= createLatencyHistogram();
    recordLatency(meter.histogram, latencyMs * 1000);
  }

  /** It went wrong; `problem` is a sentence. */
  failed(index: number, problem: string): void {
    if (this.firstErrors.size < mostFirstErrors) this.firstErrors.add(problem);
    const meter = this.#meters[index];
    if (meter === undefined || !this.#open) return;
    meter.errors += 1;
    const key = meter.problems.has(problem) || meter.problems.size < mostProblems ? problem : otherProblems;
    meter.problems.set(key, (meter.problems.get(key) ?? 0) + 1);
  }

  samples(): StepSamples[] {
    return this.#meters.map(({ requests, errors, sums, histogram, problems }, index) => ({
      role: this.steps[index]?.role ?? '',
      step: this.steps[index]?.step ?? '',
      requests,
      errors,
      latencySums: { ...sums },
      histogram: histogram === null ? '' : encodeLatencyHistogram(histogram),
      problems: Object.fromEntries(problems),
    }));
  }
}
