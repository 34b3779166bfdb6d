import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { predictionHeadline } from '../../../src/model/presentation/documents/predictionDocument.ts';
import { type Network, mostThroughput, scatteredThroughput, timesAt } from '../../../src/model/domain/prediction/closedNetwork.ts';
import type { MeasuredService } from '../../../src/model/domain/prediction/measuredService.ts';
import { type Surroundings, measuredSurroundings, poolDelta, predict } from '../../../src/model/domain/prediction/predict.ts';
import { simulatedThroughput } from '../../support/closedLoopSimulation.ts';

const ms = fc.double({ min: 0.01, max: 10, noNaN: true });
const cpu = fc.record({ app: ms, database: ms, client: ms });
const network: fc.Arbitrary<Network> = fc
  .record({
    clients: fc.integer({ min: 1, max: 300 }),
    cores: fc.double({ min: 0.5, max: 16, noNaN: true }),
    threads: fc.integer({ min: 1, max: 64 }),
    cpu,
    pool: fc.option(fc.integer({ min: 1, max: 100 })),
    heldShare: fc.double({ min: 0, max: 1, noNaN: true }),
    heldMs: fc.double({ min: 0, max: 20, noNaN: true }),
    outsideMs: fc.double({ min: 0, max: 5, noNaN: true }),
  })
  .map(({ cores, ...rest }) => ({ ...rest, processors: [{ name: 'machine', cores, needs: rest.cpu }] }));

const slightly = 1 + 1e-6;
/** A prediction solves a network some hundred times. */
const fewer = { numRuns: 30 };

describe('a closed network', () => {
  it('solves clients = throughput × time, below every bound', () => {
    fc.assert(
      fc.property(network, (one) => {
        const perMs = scatteredThroughput(one);
        expect(perMs).toBeGreaterThan(0);
        expect(perMs).toBeLessThanOrEqual(mostThroughput(one) * slightly);
        expect(perMs * timesAt(one, perMs).all).toBeLessThanOrEqual(one.clients * slightly);
      }),
    );
  });

  it('gives no more where anything takes longer, and no less where there is more of anything', () => {
    const more: Record<string, (one: Network) => Network> = {
      threads: (one) => ({ ...one, threads: one.threads + 1 }),
      pool: (one) => ({ ...one, pool: one.pool === null ? null : one.pool + 1 }),
      cores: (one) => ({ ...one, processors: one.processors.map((own) => ({ ...own, cores: own.cores * 1.5 })) }),
      nearer: (one) => ({ ...one, heldMs: one.heldMs / 2 }),
      outside: (one) => ({ ...one, outsideMs: one.outsideMs / 2 }),
    };
    fc.assert(
      fc.property(network, fc.constantFrom(...Object.keys(more)), (one, what) => {
        const better = more[what]?.(one) ?? one;
        expect(scatteredThroughput(better) * slightly, what).toBeGreaterThanOrEqual(scatteredThroughput(one));
        expect(mostThroughput(better) * slightly, what).toBeGreaterThanOrEqual(mostThroughput(one));
        expect(mostThroughput({ ...one, clients: one.clients + 3 }) * slightly).toBeGreaterThanOrEqual(mostThroughput(one));
      }),
    );
  });

  it('is exact for one client, and for two places that take the same time (mean value analysis)', () => {
    const plain: Network = {
      clients: 1,
      processors: [],
      threads: 1,
      cpu: { app: 2, database: 0, client: 0 },
      pool: 1,
      heldShare: 0,
      heldMs: 2,
      outsideMs: 0,
    };
    expect(scatteredThroughput(plain)).toBeCloseTo(1 / 4, 6);
    // n clients over k places of the same demand D: n / (D · (n + k − 1)).
    for (const clients of [2, 5, 40]) expect(scatteredThroughput({ ...plain, clients })).toBeCloseTo(clients / (2 * (clients + 1)), 6);
  });
});

const service: fc.Arbitrary<MeasuredService> = fc
  .record({
    cores: fc.constantFrom(2, 4, 8),
    instances: fc.integer({ min: 1, max: 4 }),
    pool: fc.integer({ min: 1, max: 40 }),
    rttMs: fc.constantFrom(0, 0.5),
    trips: fc.integer({ min: 0, max: 8 }),
    cpu,
    slow: fc.double({ min: 1.02, max: 3, noNaN: true }),
    clients: fc.integer({ min: 2, max: 100 }),
    gain: fc.double({ min: 1, max: 1.9, noNaN: true }),
  })
  .map(({ cpu: own, slow, clients, gain, trips, ...rest }) => {
    const held = own.database * slow + trips * rest.rttMs;
    const alone = 1000 / (held + own.app + own.client);
    const load = (many: number, mean: number): MeasuredService['loads'][number] => ({
      clients: many,
      throughput: { mean, low: 0.99 * mean, high: 1.01 * mean },
      cpu: own,
      busiestThread: own.app,
      held,
    });
    return {
      ...rest,
      takenShare: 0,
      appCores: null,
      roundTrips: { low: trips, high: trips },
      loads: [load(1, alone), load(clients, gain * alone)],
    };
  });

describe('a prediction', () => {
  it('for what was measured is what was measured', () => {
    fc.assert(
      fc.property(service, (one) => {
        const measured = one.loads.at(-1)?.throughput.mean ?? 0;
        const { throughput } = predict(one, measuredSurroundings(one));
        expect(throughput.low).toBeLessThanOrEqual(measured);
        expect(throughput.high).toBeGreaterThanOrEqual(measured);
        expect(throughput.mean / measured).toBeGreaterThan(0.99);
        expect(throughput.mean / measured).toBeLessThan(1.01);
      }),
      fewer,
    );
  });

  it('has its mean in its interval, and gives no more further away', () => {
    fc.assert(
      fc.property(
        service,
        fc.double({ min: 0, max: 5, noNaN: true }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        (one, near, further) => {
          const at = (rttMs: number): Surroundings => ({ ...measuredSurroundings(one), rttMs });
          const [here, there] = [predict(one, at(near)), predict(one, at(near + further))];
          for (const { throughput } of [here, there]) {
            expect(throughput.low).toBeLessThanOrEqual(throughput.mean);
            expect(throughput.mean).toBeLessThanOrEqual(throughput.high);
          }
          expect(there.throughput.mean).toBeLessThanOrEqual(here.throughput.mean * 1.001);
        },
      ),
    );
  });

  it('names a pool that is enough: with more of it no more than a twentieth is gained', () => {
    fc.assert(
      fc.property(service, (one) => {
        const surroundings = { ...measuredSurroundings(one), rttMs: 1 };
        const { poolEnough } = predict(one, surroundings);
        const most = Math.max(1, Math.ceil(surroundings.clients / surroundings.instances));
        expect(poolEnough?.high).toBeLessThanOrEqual(most);
        const at = (pool: number): number => predict(one, { ...surroundings, pool }).throughput.low;
        expect(at(poolEnough?.high ?? 0)).toBeGreaterThanOrEqual((1 - poolDelta) * at(most) * 0.999);
      }),
      fewer,
    );
  });

  it('says which tier is full, and what this machine cannot show', () => {
    const one: MeasuredService = {
      cores: 2,
      takenShare: 0,
      appCores: null,
      instances: 1,
      pool: 4,
      rttMs: 0,
      roundTrips: { low: 2, high: 2 },
      loads: [
        {
          clients: 1,
          throughput: { mean: 1000, low: 990, high: 1010 },
          cpu: { app: 0.2, database: 0.2, client: 0.05 },
          busiestThread: 0.2,
          held: 0.5,
        },
        {
          clients: 32,
          throughput: { mean: 4000, low: 3900, high: 4100 },
          cpu: { app: 0.2, database: 0.2, client: 0.05 },
          busiestThread: 0.02,
          held: 0.9,
        },
      ],
    };
    const far = predict(one, { ...measuredSurroundings(one), rttMs: 2 });
    expect(far).toMatchObject({ full: 'pool', checkable: true });
    // Four connections, each held for at least 4.5 ms.
    expect(far.throughput.high).toBeLessThan(1000 * (4 / 4.5) * 1.1);
    const large = predict(one, { ...measuredSurroundings(one), pool: 64, machineCores: null, appCores: 1, databaseCores: 8 });
    expect(large).toMatchObject({ full: 'app', checkable: false });
    expect(predictionHeadline(large)).toMatch(/requests\/s \(.+ to .+\) with 32 clients, .+: the cores of the app are full\.$/);
    expect(predict(one, { ...measuredSurroundings(one), clients: 2, pool: 4, rttMs: 2 }).full).toBeNull();
  });

  it('holds what a simulation gives elsewhere, whether its times scatter or not', () => {
    const drawn = {
      constant: (mean: number) => mean,
      exponential: (mean: number, random: { nextFraction(): number }) => -mean * Math.log(1 - random.nextFraction()),
    };
    let [held, all] = [0, 0];
    for (const draw of Object.values(drawn))
      for (const [index, { appMs, heldMs, pool, clients }] of [
        { appMs: 0.2, heldMs: 0.4, pool: 2, clients: 16 },
        { appMs: 0.2, heldMs: 0.4, pool: 8, clients: 16 },
        { appMs: 0.6, heldMs: 0.3, pool: 4, clients: 8 },
        { appMs: 0.1, heldMs: 5, pool: 16, clients: 32 },
      ].entries()) {
        const at = (many: number, rttMs: number): number =>
          1000 *
          simulatedThroughput({ clients: many, threads: 1, appMs, pool, heldMs: heldMs + rttMs, outsideMs: 0.05, draw }, 6_000, 7 + index);
        const one: MeasuredService = {
          cores: 64,
          takenShare: 0,
          appCores: null,
          instances: 1,
          pool,
          rttMs: 0,
          roundTrips: { low: 1, high: 1 },
          loads: [1, clients].map((many) => {
            const mean = at(many, 0);
            return {
              clients: many,
              throughput: { mean, low: mean, high: mean },
              cpu: { app: appMs, database: 0, client: 0 },
              busiestThread: appMs,
              held: heldMs,
            };
          }),
        };
        for (const rttMs of [0.5, 2]) {
          const { throughput } = predict(one, { ...measuredSurroundings(one), rttMs });
          const truth = at(clients, rttMs);
          all += 1;
          if (truth >= throughput.low && truth <= throughput.high) held += 1;
        }
      }
    expect(held / all).toBeGreaterThanOrEqual(0.9);
  });
});
