import { createLatencyHistogram } from './latencyHistogram.ts';
import type { LoadTick } from './loadProtocol.ts';

/** What is counted from one tick to the next. */
export class TickCounts {
  requests = 0;
  errors = 0;
  readonly histogram = createLatencyHistogram();

  /** The figures of a tick of this length; the next one begins. */
  take(windowMs: number): Omit<LoadTick, 'stage' | 'elapsedMs'> {
    const answered = this.histogram.totalCount > 0;
    const percentileMs = (percentile: number): number | null => (answered ? this.histogram.getValueAtPercentile(percentile) / 1000 : null);
    const tick = {
      windowMs,
      throughput: windowMs > 0 ? (this.requests * 1000) / windowMs : 0,
      p50Ms: percentileMs(50),
      p99Ms: percentileMs(99),
      errors: this.errors,
    };
    if (answered) this.histogram.reset();
    this.requests = 0;
    this.errors = 0;
    return tick;
  }
}
