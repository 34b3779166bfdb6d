import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noiseAdjustedThroughput } from '../../../src/engine/run/noiseAdjusted.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { exampleTrial } from '../../support/runRecords.ts';

/** `usPerRequest` of CPU time in the app, nothing elsewhere. */
function trial(throughput: number, usPerRequest: number | null, takenPercent: number | null, more: Partial<Trial> = {}): Trial {
  const { resources, ...rest } = exampleTrial({ throughput });
  return {
    ...rest,
    resources: {
      ...resources,
      app: { ...resources.app, cpuUsPerRequest: usPerRequest },
      postgres: { ...resources.postgres, cpuUsPerRequest: null },
      generator: { ...resources.generator, cpuUsPerRequest: null },
    },
    interference: takenPercent === null ? null : { takenPercent, stealPercent: takenPercent, otherPercent: 0 },
    ...more,
  };
}

describe('throughput on the machine left alone', () => {
  it('is estimated where the CPU limits and so much of it was taken that it should be said', () => {
    // 1,600 requests of 1 ms fill 1.6 cores: all that is left of two when a fifth is taken.
    expect(noiseAdjustedThroughput(trial(1600, 1000, 20), 2)?.throughput).toBeCloseTo(2000, 6);
  });

  it('counts the CPU of the app, of PostgreSQL and of the load generator', () => {
    const spread = trial(1600, 400, 20);
    spread.resources.postgres.cpuUsPerRequest = 350;
    spread.resources.generator.cpuUsPerRequest = 250;
    expect(noiseAdjustedThroughput(spread, 2)?.throughput).toBeCloseTo(2000, 6);
    spread.resources.generator.cpuUsPerRequest = 0;
    expect(noiseAdjustedThroughput(spread, 2)).toBeNull();
  });

  it('is not estimated where the CPU does not limit: 90 % of what was left must be in use', () => {
    expect(noiseAdjustedThroughput(trial(1430, 1000, 20), 2)).toBeNull();
    expect(noiseAdjustedThroughput(trial(1450, 1000, 20), 2)).not.toBeNull();
  });

  it('is not estimated where hardly anything was taken, or it is not known', () => {
    expect(noiseAdjustedThroughput(trial(1990, 1000, 0.4), 2)).toBeNull();
    expect(noiseAdjustedThroughput(trial(1910, 1000, 4.9), 2)).toBeNull();
    expect(noiseAdjustedThroughput(trial(1900, 1000, 5), 2)).not.toBeNull();
    expect(noiseAdjustedThroughput(trial(1600, 1000, null), 2)).toBeNull();
  });

  it('is not estimated without a throughput, without CPU figures, or where nothing of the CPU was left', () => {
    expect(noiseAdjustedThroughput(trial(0, 1000, 20), 2)).toBeNull();
    expect(noiseAdjustedThroughput(trial(1600, null, 20), 2)).toBeNull();
    expect(noiseAdjustedThroughput(trial(1600, 1000, 100), 2)).toBeNull();
  });

  it('is what was measured over the share of the CPU that was left, and at most a tenth above cores ÷ CPU per request', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 64 }),
        fc.double({ min: 5, max: 95, noNaN: true }),
        fc.double({ min: 10, max: 50_000, noNaN: true }),
        fc.double({ min: 0.9, max: 1, noNaN: true }),
        (cores, takenPercent, usPerRequest, busy) => {
          const left = 1 - takenPercent / 100;
          const throughput = (busy * 1.000001 * cores * left * 1e6) / usPerRequest;
          const found = noiseAdjustedThroughput(trial(throughput, usPerRequest, takenPercent), cores);
          expect(found?.throughput ?? Number.NaN).toBeCloseTo(throughput / left, 3);
          expect(found?.throughput).toBeGreaterThanOrEqual(0.9 * ((cores * 1e6) / usPerRequest));
          expect(found?.throughput).toBeLessThanOrEqual(1.01 * ((cores * 1e6) / usPerRequest));
        },
      ),
    );
  });
});
