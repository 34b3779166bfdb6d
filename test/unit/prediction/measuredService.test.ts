import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../src/model/domain/failure.ts';
import { measuredService } from '../../../src/model/domain/prediction/measuredService.ts';
import type { Trial } from '../../../src/model/domain/run.ts';
import { answeredRequests } from '../../../src/model/domain/statement.ts';
import { exampleStatement } from '../../support/exampleStatement.ts';
import { exampleRun, exampleTrial } from '../../support/runRecords.ts';

const of = (pool: number, connections: number, throughput: number): Trial => {
  const trial = exampleTrial({ settings: { pool, rtt: '0.5ms', instances: 2 }, connections, throughput });
  const requests = answeredRequests(trial);
  return {
    ...trial,
    key: `java|pool=${pool}|rtt=0.5ms|instances=2|c=${connections}`,
    statements: [exampleStatement({ sql: 'BEGIN', calls: requests }), exampleStatement({ calls: 3 * requests })],
  };
};
const run = exampleRun({ trials: [of(4, 16, 4_000), of(4, 1, 900), of(8, 16, 5_000)] });

describe('what a run says of a service', () => {
  it('is of one set of settings, by its loads, with what statements may have gone together', () => {
    const service = measuredService(run, 'pool=4');
    expect(service).toMatchObject({ pool: 4, instances: 2, rttMs: 0.5, roundTrips: { low: 3, high: 4 } });
    expect(service.loads.map(({ clients, throughput }) => [clients, Math.round(throughput.mean)])).toEqual([
      [1, 900],
      [16, 4_000],
    ]);
  });

  it('is asked for by name where there are several, each of which is named once', () => {
    const refused = (reference: string | null): unknown => {
      try {
        return measuredService(run, reference);
      } catch (error) {
        return error instanceof FailureError ? error.failure : error;
      }
    };
    expect(refused(null)).toMatchObject({
      code: 'trial-unknown',
      cure: expect.stringMatching(/^[^;]*pool=4[^;]*; [^;]*pool=8[^;]*$/) as string,
    });
    expect(refused('pool=9')).toMatchObject({ code: 'trial-unknown' });
  });
});
