import { describe, expect, it } from 'vitest';
import { decodeLatencyHistogram } from '../../src/engine/load/latencyHistogram.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import type { BlockResult } from '../../src/engine/load/loadPlans.ts';
import type { LoadTick } from '../../src/engine/load/loadProtocol.ts';
import { FailureError } from '../../src/model/domain/failure.ts';
import { blockPlan, latencyOf, LoadBench } from '../support/loadBench.ts';
import { hangingServer, wellBehavedServer } from '../support/misbehavingServers.ts';
import { waitFor } from '../support/waitFor.ts';
import { longTest } from '../support/testTags.ts';

const bench = LoadBench.forThisFile();

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof FailureError ? thrown.failure.code : String(thrown);
}

/** Runs a block with so many laps, each after two ticks, and gives them and what the block itself measured after the last. */
async function withLaps(
  plan: Parameters<LoadGenerator['runBlock']>[0],
  laps: number,
): Promise<{ laps: BlockResult[]; last: BlockResult; ticks: LoadTick[] }> {
  const ticks: LoadTick[] = [];
  const block = bench.generator.runBlock(plan, { onTick: (tick) => void ticks.push(tick) });
  const taken: BlockResult[] = [];
  for (let lap = 0; lap < laps; lap++) {
    const seen = ticks.length;
    await waitFor(() => ticks.length >= seen + 2, { everyMs: 5, what: 'two more ticks' });
    taken.push(await bench.generator.lap());
  }
  return { laps: taken, last: await block, ticks };
}

describe('laps of a closed loop', () => {
  it('follow each other without a gap, lose and repeat no request, and leave the connections alone', async () => {
    const server = await bench.open(wellBehavedServer({ delayMs: 2 }));
    const plan = blockPlan(server.port, { settleMs: 0, windowMs: 1200, tickMs: 100 });
    const { laps, last } = await withLaps(plan, 3);
    const windows = [...laps, last];
    for (const [i, window] of windows.entries()) {
      expect(window.requests).toBeGreaterThan(20);
      expect(window.latencySums.count).toBe(window.requests);
      expect(decodeLatencyHistogram(window.histogram).totalCount).toBe(window.requests);
      expect(Math.abs(window.windowEnd - window.windowStart - window.windowMs)).toBeLessThan(100);
      expect(window.throughput).toBeCloseTo((window.requests * 1000) / window.windowMs, 6);
      expect(window.errors.total).toBe(0);
      expect(window.latencyReasons).toEqual([]);
      expect(latencyOf(window).p50).toBeGreaterThan(1.5);
      if (i > 0) expect(window.windowStart).toBe(windows[i - 1]?.windowEnd);
    }
    expect(windows.reduce((sum, window) => sum + window.windowMs, 0)).toBeGreaterThan(1199);
    // Every request that the server read was answered in one of the windows, but for those under way at the end.
    const counted = windows.reduce((sum, window) => sum + window.requests, 0);
    expect(server.requests - counted).toBeGreaterThanOrEqual(0);
    expect(server.requests - counted).toBeLessThanOrEqual(4);
    expect(server.connections).toBe(4);
  });

  it('do not disturb the ticks: each is of full length and has all of its requests', longTest, async () => {
    const server = await bench.open(wellBehavedServer({ delayMs: 2 }));
    const { laps, last, ticks } = await withLaps(blockPlan(server.port, { settleMs: 0, windowMs: 2500, tickMs: 250 }), 3);
    const whole = ticks.slice(0, -1);
    for (const tick of whole) expect(tick.windowMs).toBeGreaterThan(150);
    const inTicks = ticks.reduce((sum, tick) => sum + (tick.throughput * tick.windowMs) / 1000, 0);
    const inWindows = [...laps, last].reduce((sum, window) => sum + window.requests, 0);
    // What is left of a tick at the end of the block is left out when it is short.
    expect(inWindows - Math.round(inTicks)).toBeGreaterThanOrEqual(0);
    expect(inWindows - Math.round(inTicks)).toBeLessThan(inWindows * 0.15);
    // A machine that paused for a whole tick has answered nothing in it.
    for (const { p50Ms } of ticks) if (p50Ms !== null) expect(p50Ms).toBeGreaterThan(1.5);
  });

  it('asked for while settling are taken when something was measured', async () => {
    const server = await bench.open(wellBehavedServer({ delayMs: 2 }));
    const block = bench.generator.runBlock(blockPlan(server.port, { settleMs: 250, windowMs: 800, tickMs: 300 }));
    const [lap, last] = await Promise.all([bench.generator.lap(), block]);
    expect(lap.windowMs).toBeGreaterThan(50);
    expect(lap.requests).toBeGreaterThan(10);
    expect(last.windowMs).toBeLessThan(600);
  });

  it('are refused when no block runs, beside another lap, and when the block ends or is aborted first', async () => {
    expect(await codeOf(bench.generator.lap())).toBe('load-no-block');
    const server = await bench.open(wellBehavedServer({ delayMs: 2 }));
    const warmUp = bench.generator.warmUp(blockPlan(server.port), { minMs: 0, maxMs: 150, isSteady: () => false });
    expect(await codeOf(bench.generator.lap())).toBe('load-no-block');
    await warmUp;
    const controller = new AbortController();
    const block = bench.generator.runBlock(blockPlan(server.port, { settleMs: 5000 }), { signal: controller.signal });
    const lap = bench.generator.lap();
    expect(await codeOf(bench.generator.lap())).toBe('load-busy');
    controller.abort();
    await Promise.all([block, lap].map((promise) => expect(promise).rejects.toMatchObject({ name: 'AbortError' })));
    const brief = bench.generator.runBlock(blockPlan(server.port, { windowMs: 100, tickMs: 5000 }));
    expect(await codeOf(bench.generator.lap())).toBe('load-lap-too-late');
    expect((await brief).cancelled).toBe(false);
    // And the generator is none the worse for it.
    expect((await bench.generator.runBlock(blockPlan(server.port, { windowMs: 200 }))).requests).toBeGreaterThan(0);
  });
});

describe('laps of an open loop', () => {
  it('share out the intended requests, each to one lap', async () => {
    const server = await bench.open(wellBehavedServer({ delayMs: 20 }));
    const { laps, last } = await withLaps(
      blockPlan(server.port, { windowMs: 1000, tickMs: 100, open: { ratePerS: 200, maxInFlight: 500 } }),
      2,
    );
    for (const window of [...laps, last]) {
      const intended = window.open?.intended ?? NaN;
      expect(Math.abs(intended - window.windowMs / 5)).toBeLessThanOrEqual(1);
      expect(window.latencySums.count).toBe(intended);
      expect(decodeLatencyHistogram(window.histogram).totalCount).toBe(intended);
      expect(window.latencyReasons).toEqual([]);
    }
  });
});

describe('load on several ports', () => {
  it('shares its connections evenly and adds up what they measured', async () => {
    const [one, two] = [await bench.open(wellBehavedServer({ delayMs: 10 })), await bench.open(wellBehavedServer({ delayMs: 10 }))];
    const result = await bench.generator.runBlock(
      blockPlan(one.port, { morePorts: [two.port], connections: 33, settleMs: 0, windowMs: 600 }),
    );
    expect([one.connections, two.connections]).toEqual([17, 16]);
    const read = one.requests + two.requests;
    expect(read - result.requests).toBeGreaterThanOrEqual(0);
    expect(read - result.requests).toBeLessThanOrEqual(33);
    expect(decodeLatencyHistogram(result.histogram).totalCount).toBe(result.requests);
    // Of one port alone, or by the connections of one port, it would be a half or two.
    expect(result.generator.littleRatio).toBeGreaterThan(0.6);
    expect(result.generator.littleRatio).toBeLessThan(1.6);
    expect(result.latencyReasons).toEqual([]);
    await waitFor(() => one.openConnections + two.openConnections === 0, { what: 'the end of all connections' });
  });

  it('sends nothing to a port for which no connection is left', async () => {
    const [one, two] = [await bench.open(wellBehavedServer()), await bench.open(wellBehavedServer())];
    await bench.generator.runBlock(blockPlan(one.port, { morePorts: [two.port], connections: 1, windowMs: 200 }));
    expect([one.connections, two.connections]).toEqual([1, 0]);
  });

  it('shares an open rate in turn', async () => {
    const [one, two] = [await bench.open(wellBehavedServer({ delayMs: 2 })), await bench.open(wellBehavedServer({ delayMs: 2 }))];
    const plan = blockPlan(one.port, { morePorts: [two.port], windowMs: 500, open: { ratePerS: 200, maxInFlight: 100 } });
    const result = await bench.generator.runBlock(plan);
    expect(Math.abs(one.requests - two.requests)).toBeLessThanOrEqual(1);
    expect(result.open?.sent).toBe(result.open?.intended);
    expect(result.errors.total).toBe(0);
  });

  it('counts the connections of the one that stops answering among those that wait', longTest, async () => {
    const [one, two] = [await bench.open(wellBehavedServer({ delayMs: 5 })), await bench.open(hangingServer())];
    two.hang();
    // Long enough that a machine standing still for moments does not lift a tenth of it to the p99 of the one that answers.
    const result = await bench.generator.runBlock(blockPlan(one.port, { morePorts: [two.port], connections: 5, windowMs: 4000 }));
    expect(result.requests).toBeGreaterThan(50);
    expect(result.errors).toMatchObject({ total: 2, unanswered: 2 });
  });
});
