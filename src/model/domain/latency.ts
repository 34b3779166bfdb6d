import * as z from 'zod';

/** The quantiles of latency that are kept: the field of each, what people call it, and the share of requests that it is of. All who read latencies follow this. */
export const latencyQuantiles = [
  { key: 'p50', name: 'p50', share: 0.5 },
  { key: 'p75', name: 'p75', share: 0.75 },
  { key: 'p90', name: 'p90', share: 0.9 },
  { key: 'p95', name: 'p95', share: 0.95 },
  { key: 'p99', name: 'p99', share: 0.99 },
  { key: 'p999', name: 'p99.9', share: 0.999 },
] as const;
type Quantile = (typeof latencyQuantiles)[number];

export function byQuantile<T>(of: (quantile: Quantile) => T): Record<Quantile['key'], T> {
  return Object.fromEntries(latencyQuantiles.map((quantile) => [quantile.key, of(quantile)])) as Record<Quantile['key'], T>;
}

/** Latency figures in ms, from a µs histogram; percentiles of merged histograms, never averages of percentiles. */
export const latencySchema = z.object({
  mean: z.number(),
  stddev: z.number(),
  min: z.number(),
  ...byQuantile(() => z.number()),
  max: z.number(),
});
export type Latency = z.infer<typeof latencySchema>;

/** What is known of a load while it goes on. */
export const loadFigures = {
  throughput: z.number().describe('requests/s'),
  p50Ms: z.number().nullable().describe('null where nothing was answered'),
  p99Ms: z.number().nullable(),
  errors: z.number(),
};
