import { createLatencyHistogram, encodeLatencyHistogram, recordLatency } from '../../../src/engine/load/latencyHistogram.ts';
import type { LoadMeasurement } from '../../../src/engine/load/loadProtocol.ts';
import { noErrors } from '../../../src/model/domain/run.ts';

/** A window of a second in which so many requests took so long each; `failed` of them in vain. */
export function exampleBlock(requests: number, latencyUs: number, failed = 0): LoadMeasurement {
  const histogram = createLatencyHistogram();
  for (let one = 0; one < requests; one += 1) recordLatency(histogram, latencyUs);
  return {
    windowMs: 1000,
    requests,
    throughput: requests,
    bytesPerSecond: 0,
    errors: { ...noErrors, total: failed, status5xx: failed },
    latencySums: {
      count: requests,
      sumUs: requests * latencyUs,
      sumSquaresUs: requests * latencyUs ** 2,
      minUs: latencyUs,
      maxUs: latencyUs,
    },
    histogram: encodeLatencyHistogram(histogram),
    generator: { cpuPercent: 10, eventLoopUtilisation: 0.1, littleRatio: 0.99 },
    cancelled: false,
    bytes: 0,
    latencyReasons: [],
    inFlightAtEnd: 0,
    sentInAll: null,
    closedByServer: 0,
    open: null,
  };
}
