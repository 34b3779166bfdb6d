import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenLoopStage } from '../../src/engine/strategies/search/tuneOpenLoop.ts';
import type { LoadGenerator } from '../../src/engine/load/loadGenerator.ts';
import { type HostEdge, interferenceBetween } from '../../src/engine/observe/hostEdge.ts';
import { Sampler } from '../../src/engine/observe/sampler.ts';
import { TuningSearch } from '../../src/engine/statistics/tuningSearch.ts';
import { blockPlan, startLoadBench } from '../support/loadBench.ts';
import * as servers from '../support/misbehavingServers.ts';

let generator: LoadGenerator;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ generator, end } = await startLoadBench());
});
afterAll(() => end());

/** A search in which 8 is enough and 16 the best, at 1,000 requests a second. */
function searched(): TuningSearch {
  const search = new TuningSearch(
    [8, 16].map((pool) => ({ key: `pool=${pool}`, values: { pool }, cost: pool })),
    { delta: 0.05, seed: 1 },
  );
  for (let round = 1; round <= 6; round += 1) {
    search.record(round, 'pool=8', 990 + round);
    search.record(round, 'pool=16', 1_000 + round);
  }
  return search;
}

describe('p99 at a fixed rate, measured on servers of which one is slower', () => {
  it('is that of the windows that count, and the slower one is found to be worse', { timeout: 90_000 }, async () => {
    const [slow, quick] = await Promise.all([servers.wellBehavedServer({ delayMs: 200 }), servers.wellBehavedServer({ delayMs: 2 })]);
    const sampler = new Sampler({
      roots: () => ({ app: null, postgres: [], generator: [] }),
      trialKey: () => null,
      now: () => performance.now(),
    });
    const stage = new OpenLoopStage(searched(), 8);
    // Room for windows that a busy machine spoils.
    const budget = 40;
    const shown: string[] = [];
    try {
      for (let window = stage.next(budget); window !== null; window = stage.next(budget - shown.length)) {
        const { key, round } = window;
        const edges: Promise<HostEdge | null>[] = [];
        const result = await generator.runBlock(
          blockPlan(key === 'pool=8' ? slow.port : quick.port, { open: stage.open, windowMs: 500 * stage.windowS }),
          { onWindow: () => void edges.push(sampler.hostCounters()) },
        );
        const [before, after] = await Promise.all(edges);
        const interference = before && after ? interferenceBetween(before, after) : null;
        stage.record(round, key, { result, ended: null, interference });
        shown.push(key);
      }
    } finally {
      await Promise.all([slow.close(), quick.close()]);
    }
    expect([...new Set(shown)].sort()).toEqual(['pool=16', 'pool=8']);
    const comparison = stage.comparison();
    const [own, best] = [comparison?.figures.get('pool=8'), comparison?.figures.get('pool=16')];
    expect(comparison?.rate).toBeGreaterThan(740);
    expect(own?.p99Ms).toBeGreaterThanOrEqual(200);
    expect(own?.p99Ms).toBeGreaterThan(best?.p99Ms ?? Infinity);
    expect(own?.windows).toBeGreaterThanOrEqual(3);
    expect(own?.windows).toBeLessThanOrEqual(own?.windowsMeasured ?? 0);
    expect((own?.windowsMeasured ?? 0) + (best?.windowsMeasured ?? 0)).toBeLessThanOrEqual(shown.length);
    expect(comparison?.verdicts.get('pool=8')).toBe('worse');
  });
});
