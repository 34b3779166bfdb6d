import { describe, expect, it } from 'vitest';
import type { BlockOptions, BlockPlan, BlockResult } from '../../src/engine/load/loadPlans.ts';
import type { ErrorCounts } from '../../src/model/domain/run.ts';
import { blockPlan, latencyOf, LoadBench } from '../support/loadBench.ts';
import * as servers from '../support/misbehavingServers.ts';
import { longTest } from '../support/testTags.ts';

/** Unless a test wants another number. */
const connections = 8;

const bench = LoadBench.forThisFile();

function load(port: number, plan: Partial<BlockPlan> = {}, options: BlockOptions = {}): Promise<BlockResult> {
  return bench.generator.runBlock(blockPlan(port, { connections, windowMs: 400, ...plan }), options);
}

/** Only these kinds of errors, and as many in total as there are of them. */
function expectOnly(errors: ErrorCounts, kinds: readonly (keyof ErrorCounts)[]): void {
  const { total, ...byKind } = errors;
  const counted = Object.entries(byKind).filter(([, count]) => count > 0);
  expect(counted.map(([kind]) => kind).sort()).toEqual([...kinds].sort());
  expect(total).toBe(counted.reduce((sum, [, count]) => sum + count, 0));
}

/**
 * The latency of a server with 10 ms delay, however busy the machine is: a connection has one request under way, so that the mean is no longer than its share of
 * the time for each answer, but for those that began before the window. autocannon's own figures here are nine and fifty times as long.
 */
function expectTrueLatency(result: BlockResult): void {
  const { min, mean } = latencyOf(result);
  expect(min).toBeGreaterThan(9);
  expect(mean).toBeLessThan((1.5 * connections * 1000) / result.throughput);
}

describe('connections that end', () => {
  it('a close (FIN) instead of an answer is counted as a reset, and the latency of the others stays right', async () => {
    const server = await bench.open(servers.droppingServer({ oneIn: 20, delayMs: 10 }));
    const result = await load(server.port, { windowMs: 1200 });
    expectOnly(result.errors, ['reset']);
    const dropped = result.errors.reset / (result.requests + result.errors.reset);
    expect(dropped).toBeGreaterThan(0.03);
    expect(dropped).toBeLessThan(0.07);
    expectTrueLatency(result);
    expect(result.latencyReasons).toEqual([]);
  });

  it('a reset connection is counted as a reset', async () => {
    const result = await load((await bench.open(servers.droppingServer({ oneIn: 20, delayMs: 5, how: 'reset' }))).port);
    expectOnly(result.errors, ['reset']);
    expect(result.requests).toBeGreaterThan(10 * result.errors.reset);
  });

  it.each(['extension', 'trailer'] as const)('a %s without end is broken off, and not kept', async (where) => {
    const server = await bench.open(servers.endlessLineServer(where));
    const result = await load(server.port, { connections: 2, windowMs: 1000, timeoutMs: 5000 });
    // Each is given up and asked for again, before its time is over.
    expectOnly(result.errors, ['other']);
    expect(server.requests).toBeGreaterThan(4);
    expect(result.requests).toBe(0);
  });

  it('“Connection: close” on every answer is no error and does not spoil latency', async () => {
    const result = await load((await bench.open(servers.closingServer(10))).port);
    expectOnly(result.errors, []);
    expectTrueLatency(result);
    expect(result.closedByServer).toBe(result.requests);
    expect(result.latencyReasons).toEqual([]);
  });

  it('an answer without a length ends with its connection', async () => {
    const result = await load((await bench.open(servers.lengthlessServer(10))).port);
    expectOnly(result.errors, []);
    expect(result.requests).toBeGreaterThan(20);
    expectTrueLatency(result);
  });

  it('half an answer is counted as a reset', async () => {
    const result = await load((await bench.open(servers.halfAnswerServer())).port);
    expectOnly(result.errors, ['reset']);
    expect(result.requests).toBe(0);
  });

  it('a connection that is reset as soon as it opens is tried again with a pause', async () => {
    const server = await bench.open(servers.slammingServer());
    const result = await load(server.port, { connections: 4, windowMs: 700 });
    expectOnly(result.errors, ['reset']);
    // 800 ms of load, a pause of 50 ms: at most 17 attempts a connection.
    expect(server.connections).toBeLessThanOrEqual(4 * 18);
  });

  it('a time-out that is shorter than the pause does not cut it short', async () => {
    const server = await bench.open(servers.slammingServer());
    const result = await load(server.port, { connections: 4, timeoutMs: 40, windowMs: 700 });
    expect(result.errors.reset).toBeGreaterThan(0);
    expect(server.connections).toBeLessThanOrEqual(4 * 18);
  });

  it('a refused connection is counted as refused and tried again with a pause', async () => {
    const result = await load(await servers.closedPort(), { connections: 4, windowMs: 600 });
    expectOnly(result.errors, ['refused']);
    expect(result.errors.refused).toBeGreaterThanOrEqual(4 * 2);
    expect(result.errors.refused).toBeLessThanOrEqual(4 * 13);
    expect(result.requests).toBe(0);
    // One attempt of each connection may be under way just then.
    expect(result.inFlightAtEnd).toBeLessThanOrEqual(4);
  });

  it('a server that goes away in mid-block is refused from then on', async () => {
    const server = await servers.wellBehavedServer();
    const result = await load(
      server.port,
      { windowMs: 1500 },
      { onTick: (tick) => void (tick.stage === 'measure' && server.close()), onWindow: () => undefined },
    );
    await server.close().catch(() => undefined);
    expect(result.errors.refused).toBeGreaterThan(8);
    expect(result.errors.reset).toBeGreaterThanOrEqual(1);
    expect(result.errors.reset).toBeLessThanOrEqual(8);
    expect(result.requests).toBeGreaterThan(0);
  });
});

describe('requests without an answer', () => {
  it('those that wait longer than the time-out are timed out, and the latency says what it misses', async () => {
    const server = await bench.open(servers.hangingServer());
    server.hang();
    const result = await load(server.port, { connections: 4, timeoutMs: 200, windowMs: 900 });
    expectOnly(result.errors, ['timeout']);
    expect(result.errors.timeout).toBeGreaterThanOrEqual(4 * 3);
    expect(result.errors.timeout).toBeLessThanOrEqual(4 * 5);
    expect(result.latencyReasons).not.toEqual([]);
    expect(result.latencyReasons).toContainEqual(expect.objectContaining({ code: 'answers-missing' }));
  });

  it('those still waiting at the end of a hang are counted as unanswered', longTest, async () => {
    const server = await bench.open(servers.hangingServer());
    const result = await load(server.port, { windowMs: 2600 }, { onWindow: (edge) => void (edge === 'open' && server.hang()) });
    expectOnly(result.errors, ['unanswered']);
    expect(result.errors.unanswered).toBe(8);
    expect(result.inFlightAtEnd).toBe(8);
    expect(result.latencyReasons).not.toEqual([]);
  });

  it('those that wait no longer than a slow server takes are no errors', longTest, async () => {
    const server = await bench.open(servers.wellBehavedServer({ delayMs: 1300 }));
    // Sent for the second time after 1.3 s, they have waited for 1.1 s when the window closes.
    const result = await load(server.port, { windowMs: 2300 });
    expectOnly(result.errors, []);
    expect(result.inFlightAtEnd).toBe(8);
    expect(result.latencyReasons).toEqual([]);
  });

  it('those that have only just been sent when the window closes are no errors', async () => {
    const result = await load((await bench.open(servers.wellBehavedServer({ delayMs: 300 }))).port);
    expectOnly(result.errors, []);
    expect(result.inFlightAtEnd).toBe(8);
  });
});

describe('the end of a block', () => {
  it.each([
    ['a closed loop', {}],
    ['a closed loop with think time', { thinkTimeMs: 50 }],
    ['users', { scenario: { roles: [], stages: [{ users: 30, seconds: 2 }] } }],
    ['a fixed rate', { open: { ratePerS: 60, maxInFlight: 1000 } }],
  ])('of %s leaves no request to the server that would be served within the next block', async (_, plan) => {
    const server = await bench.open(servers.queueingServer(20));
    const result = await load(server.port, { connections: 30, windowMs: 1500, ...plan });
    expect(result.inFlightAtEnd).toBeGreaterThan(0);
    expect(server.inside).toBe(0);
    // What was answered later is not in the window: one after the other, 20 ms each.
    expect(result.requests).toBeLessThanOrEqual(75);
    expectOnly(result.errors, []);
  });

  it('does not wait for a load that is cancelled meanwhile: the next block runs at once', longTest, async () => {
    const slow = await bench.open(servers.wellBehavedServer({ delayMs: 1500 }));
    const cancelled = new AbortController();
    const ended = load(
      slow.port,
      { windowMs: 1800 },
      { signal: cancelled.signal, onWindow: (edge) => void (edge === 'close' && cancelled.abort()) },
    );
    await expect(ended).rejects.toThrow(/abort/);
    const next = await load((await bench.open(servers.wellBehavedServer())).port);
    expect(next.requests).toBeGreaterThan(0);
  });

  it('waits no longer for a server that hangs than its requests took before', async () => {
    const server = await bench.open(servers.hangingServer());
    const windowMs = 400;
    const began = performance.now();
    await load(server.port, { windowMs, timeoutMs: 60_000 }, { onWindow: (edge) => void (edge === 'open' && server.hang()) });
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('answers that are not what they should be', () => {
  it.each([
    [500, 'status5xx'],
    [503, 'status5xx'],
    [404, 'status4xx'],
  ] as const)('status %i is counted as %s and is in neither throughput nor latency', async (status, kind) => {
    const server = await bench.open(servers.statusServer(status));
    const result = await load(server.port, { windowMs: 300 });
    expectOnly(result.errors, [kind]);
    expect(result.errors[kind]).toBeGreaterThan(50);
    expect([result.requests, result.throughput, result.bytes, result.latencySums.count]).toEqual([0, 0, 0, 0]);
  });

  it('a redirect is an answer', async () => {
    const result = await load((await bench.open(servers.statusServer(302))).port, { windowMs: 300 });
    expectOnly(result.errors, []);
    expect(result.requests).toBeGreaterThan(50);
  });

  it('what is not HTTP is counted as other, without a storm of connections', async () => {
    const server = await bench.open(servers.garbageServer());
    const result = await load(server.port, { connections: 4, windowMs: 700 });
    expectOnly(result.errors, ['other']);
    expect(server.connections).toBeLessThanOrEqual(4 * 18);
  });

  it('a second answer to the same request is not taken for the answer to the next one', async () => {
    const result = await load((await bench.open(servers.doubleAnswerServer())).port);
    expectOnly(result.errors, ['other']);
    expect(result.requests).toBe(0);
  });

  it('early hints are not taken for the answer', async () => {
    const result = await load((await bench.open(servers.earlyHintsServer(10))).port);
    expectOnly(result.errors, []);
    expectTrueLatency(result);
  });
});
