import { describe, expect, it } from 'vitest';
import { isAlwaysAsking } from '../../src/engine/load/profileBlock.ts';
import { blockPlan, latencyOf, LoadBench } from '../support/loadBench.ts';
import * as servers from '../support/misbehavingServers.ts';

const bench = LoadBench.forThisFile();

describe('a closed loop with a think time', () => {
  it('obeys the interactive response-time law, and its latency is the server’s alone', async () => {
    const server = await bench.open(servers.wellBehavedServer({ delayMs: 5 }));
    const result = await bench.generator.runBlock(blockPlan(server.port, { connections: 8, windowMs: 1500, thinkTimeMs: 40 }));
    expect(result.errors.total).toBe(0);
    const thoughtMs = result.thoughtMs ?? Number.NaN;
    const meanMs = latencyOf(result).mean;
    // Each pause is from half to one and a half of the think time; two of each connection cross the edges of the window.
    expect(thoughtMs).toBeGreaterThan(20 * (result.requests - 16));
    expect(thoughtMs).toBeLessThan(61 * (result.requests + 16));
    // X·(R + Z) = C, where Z is what was really thought; as many requests as connections cross the edges of the window.
    const edge = 8 / result.requests;
    const ratio = (result.requests * meanMs + thoughtMs) / (8 * result.windowMs);
    expect(result.generator.littleRatio).toBeCloseTo(ratio, 1);
    expect(ratio).toBeLessThan(1 + edge);
    expect(isAlwaysAsking(result)).toBe(false);
  });

  it('opens a new connection where the server closed the idle one, and counts no error', async () => {
    const server = await bench.open(servers.closingServer(2));
    const result = await bench.generator.runBlock(blockPlan(server.port, { windowMs: 800, thinkTimeMs: 30 }));
    expect(result.requests).toBeGreaterThan(0);
    expect(result.errors.total).toBe(0);
    expect(result.latencyReasons).toEqual([]);
  });

  it('may think for longer than its requests may take', async () => {
    const server = await bench.open(servers.wellBehavedServer());
    const result = await bench.generator.runBlock(blockPlan(server.port, { windowMs: 2500, timeoutMs: 400, thinkTimeMs: 900 }));
    expect(result.requests).toBeGreaterThan(0);
    expect(result.errors.total).toBe(0);
    expect(result.closedByServer).toBe(0);
  });

  it('thinks about nothing where no think time was asked for', async () => {
    const server = await bench.open(servers.wellBehavedServer());
    const result = await bench.generator.runBlock(blockPlan(server.port));
    expect(result.thoughtMs).toBeUndefined();
    expect(isAlwaysAsking(result)).toBe(true);
  });
});
