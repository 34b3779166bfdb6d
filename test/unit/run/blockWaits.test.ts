import { describe, expect, it } from 'vitest';
import { blockWaits } from '../../../src/engine/run/blockWaits.ts';
import type { PlannedTrial } from '../../../src/engine/run/plan.ts';
import { type BlockMeasurement, recordTrial } from '../../../src/engine/run/trialRecord.ts';
import type { ProbeWindow } from '../../../src/engine/probe/probeWindow.ts';
import { emptyDurations } from '../../../src/model/domain/probe.ts';
import { noErrors } from '../../../src/model/domain/run.ts';
import { declared } from '../../support/declaredTarget.ts';
import { exampleBlock } from './exampleBlock.ts';

/** So many in a second, 10 ms each. */
const requests = 1000;
const pooled = (acquireUs: number, perRequest = 1): NonNullable<ProbeWindow['pool']> => ({
  kind: 'hikari',
  name: 'main',
  max: 8,
  total: 8,
  timeouts: 0,
  busySampled: 8,
  pendingSampled: 4,
  acquire: { ...emptyDurations, count: requests * perRequest, sumUs: requests * perRequest * acquireUs },
  hold: { ...emptyDurations, count: requests * perRequest, sumUs: requests * perRequest * 4000 },
});

const probe = (more: Partial<ProbeWindow>): ProbeWindow => ({
  windowMs: 1000,
  pool: null,
  threads: null,
  eventLoopUtilisation: null,
  gcPauseMs: null,
  outbound: null,
  gc: null,
  eventLoopDelayMs: null,
  heap: null,
  http: null,
  ...more,
});

function seen(window: ProbeWindow | null, more: Partial<BlockMeasurement> = {}): BlockMeasurement {
  return {
    round: 1,
    startMs: 0,
    endMs: 1000,
    result: exampleBlock(requests, 10_000),
    probe: window,
    ended: null,
    postgresRestarted: false,
    cpuUs: { appCpuUs: null, postgresCpuUs: null, generatorCpuUs: null },
    ...more,
  };
}

function planned(pool: number | null, connections: number, instances = 1): PlannedTrial {
  const settings = pool === null ? {} : { pool };
  const own = declared('go');
  return { key: 'go', name: 'go', connections, process: { key: 'go', name: 'go', declared: own, settings, asked: settings, instances } };
}

describe('what share of a request’s time was spent waiting', () => {
  it('is told by the probe: wait for the pool over latency', () => {
    expect(blockWaits(seen(probe({ pool: pooled(2500) })), planned(8, 16))).toEqual({ pool: expect.closeTo(0.25, 9), threads: null });
    expect(blockWaits(seen(probe({ pool: pooled(2500, 2) })), planned(8, 16))?.pool).toBeCloseTo(0.5, 9);
    expect(blockWaits(seen(probe({ pool: pooled(0) })), planned(8, 16))?.pool).toBe(0);
  });

  it('is the queue over the requests that are under way where connections think', () => {
    const threads = { kind: 'jetty', name: 'main', max: 2, busy: 2, queue: 3 };
    const waiting = seen(probe({ threads }));
    expect(blockWaits(waiting, planned(8, 40))?.threads).toBeCloseTo(3 / 40, 9);
    // 1000 requests in a second of 10 ms each are 10 under way, however many connections think meanwhile.
    const thinking = { ...waiting, result: { ...waiting.result, thoughtMs: 30_000 } };
    expect(blockWaits(thinking, planned(8, 40))?.threads).toBeCloseTo(3 / 10, 9);
  });

  it('is told of an HTTP client’s connections: by their waits where they are timed, else by the queue', () => {
    const client = {
      kind: 'http-client',
      name: 'documents',
      max: 2,
      busy: 2,
      pending: 4,
      waitMs: 2,
      holdMs: 1,
      taken: 2 * requests,
      timeouts: 0,
    };
    expect(blockWaits(seen(probe({ outbound: client })), planned(null, 16))?.client).toBeCloseTo(0.4, 9);
    expect(blockWaits(seen(probe({ outbound: { ...client, waitMs: null } })), planned(null, 16))?.client).toBeCloseTo(0.25, 9);
    expect(blockWaits(seen(probe({ pool: pooled(0) })), planned(8, 16))).not.toHaveProperty('client');
  });

  it('is told of request threads by their queue', () => {
    const threads = { kind: 'tomcat', name: 'http', max: 8, busy: 8, queue: 4 };
    expect(blockWaits(seen(probe({ threads })), planned(8, 16))).toEqual({ pool: null, threads: 0.25 });
    expect(blockWaits(seen(probe({ threads, pool: pooled(1000) })), planned(8, 16))).toEqual({
      pool: expect.closeTo(0.1, 9),
      threads: 0.25,
    });
  });

  it('is none without a probe where every connection of the load finds one in the pool', () => {
    expect(blockWaits(seen(null), planned(16, 16))).toEqual({ pool: 0, threads: null });
    expect(blockWaits(seen(null), planned(8, 16, 2))).toEqual({ pool: 0, threads: null });
  });

  it('is not known without a probe of a smaller pool, or of none', () => {
    expect(blockWaits(seen(null), planned(15, 16))).toBeNull();
    expect(blockWaits(seen(null), planned(null, 16))).toBeNull();
  });

  it('is not known where the probe sees no pool and no threads, however large the pool was asked to be', () => {
    expect(blockWaits(seen(probe({})), planned(64, 16))).toBeNull();
  });

  it('stands in the block of a trial, with what was taken of the CPU, which discards nothing', () => {
    const interference = { takenPercent: 45, stealPercent: 40, otherPercent: 5 };
    const one = planned(8, 16);
    const { trial } = recordTrial(
      {
        planned: one,
        warmUp: { durationMs: 8000, steady: false, throughput: [], tickMs: 500 },
        unsteady: { why: { code: 'late-cut', series: 'throughput' }, cpuPart: null },
        blocks: [seen(probe({ pool: pooled(2500) }), { interference }), seen(probe({ pool: pooled(2500) }), { round: 2, interference })],
        problems: [],
      },
      [],
    );
    expect(trial).toMatchObject({ valid: true, reasons: [], interference });
    expect(trial.blocks.map(({ valid, waits }) => [valid, waits?.pool])).toEqual([
      [true, expect.closeTo(0.25, 9)],
      [true, expect.closeTo(0.25, 9)],
    ]);
    expect(trial.throughput.mean).toBeCloseTo(requests, 6);
    expect(trial.notes).toContainEqual({ code: 'unsteady', durationMs: 8000, why: { code: 'late-cut', series: 'throughput' } });
  });

  it('keeps the figures of blocks that are all void, and says why they are', () => {
    const spoilt = { ...seen(null).result, errors: { ...noErrors, total: 900, status5xx: 900 } };
    const { trial } = recordTrial(
      { planned: planned(8, 16), warmUp: null, unsteady: null, blocks: [seen(null, { result: spoilt })], problems: [] },
      [],
    );
    expect(trial.valid).toBe(false);
    expect(trial.reasons).toMatchObject([{ code: 'requests-failed', kind: 'status5xx', count: 900 }]);
    expect(trial.throughput.mean).toBeCloseTo(requests, 6);
  });
});
