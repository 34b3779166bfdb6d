import { describe, expect, it } from 'vitest';
import { LoadBench } from '../support/loadBench.ts';
import { wellBehavedServer } from '../support/misbehavingServers.ts';
import { mirrored, sliceConnections, slicePlan } from '../support/slicePlan.ts';

const bench = LoadBench.forThisFile();

async function portOf(delayMs: number): Promise<number> {
  return (await bench.open(wellBehavedServer({ delayMs }))).port;
}

// A generator that waits for a core itself sends later than it could: with other files running, that is what would be seen here.
describe('the figures of slices', () => {
  it('agree on each side by Little’s law', async () => {
    const { sides } = await bench.generator.runSlices(slicePlan([await portOf(5), await portOf(5)], { order: mirrored }));
    expect(sides).toHaveLength(2);
    for (const { generator: health } of sides) {
      expect(health.littleRatio).toBeGreaterThan(0.8);
      expect(health.littleRatio).toBeLessThan(1.1);
    }
  });

  it('counts what lies within the windows: by Little’s law as many requests as connections over latency', async () => {
    const { sides, slices: all } = await bench.generator.runSlices(
      slicePlan([await portOf(10)], { order: Array.from({ length: 6 }, () => 0) }),
    );
    const [side] = sides;
    const meanMs = (side?.latencySums.sumUs ?? 0) / (side?.latencySums.count ?? 1) / 1000;
    expect(side?.throughput).toBeGreaterThan((0.85 * 1000 * sliceConnections) / meanMs);
    expect(side?.throughput).toBeLessThan((1.1 * 1000 * sliceConnections) / meanMs);
    for (const { windowMs, wholeMs, requests, answered } of all) {
      expect(windowMs).toBeGreaterThan(80);
      expect(wholeMs).toBeGreaterThanOrEqual(windowMs);
      expect(requests).toBeLessThanOrEqual(answered);
    }
  });
});
