import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeBudgetOf } from '../../../src/engine/probe/timeBudget.ts';

const known = { meanLatencyMs: 15.9, appCpuMsPerRequest: 0.6, poolWaitMs: 13, holdMs: 1, connectionsPerRequest: 1 };
const time = fc.option(fc.double({ min: 0, max: 1_000, noNaN: true }), { nil: null });

describe('timeBudgetOf', () => {
  it('splits the mean latency', () => {
    const budget = timeBudgetOf(known);
    expect(budget).toMatchObject({ totalMs: 15.9, cpuMs: 0.6, poolWaitMs: 13, databaseMs: 1 });
    expect(budget?.otherMs).toBeCloseTo(1.3, 9);
  });

  it('counts each connection that a request takes', () => {
    expect(timeBudgetOf({ ...known, poolWaitMs: 2, connectionsPerRequest: 2 })).toMatchObject({ poolWaitMs: 4, databaseMs: 2 });
    expect(timeBudgetOf({ ...known, poolWaitMs: null, holdMs: null, connectionsPerRequest: 0 })).toMatchObject({
      poolWaitMs: 0,
      databaseMs: 0,
      cpuMs: 0.6,
    });
  });

  it('cuts what does not fit, CPU first and waiting last', () => {
    expect(timeBudgetOf({ ...known, poolWaitMs: 15.5, holdMs: 1 })).toMatchObject({ poolWaitMs: 15.5, cpuMs: 0, otherMs: 0 });
    expect(timeBudgetOf({ ...known, poolWaitMs: 40 })).toMatchObject({ poolWaitMs: 15.9, databaseMs: 0, cpuMs: 0, otherMs: 0 });
  });

  it('says nothing without a latency, or where the pool was not watched', () => {
    expect(timeBudgetOf({ ...known, meanLatencyMs: null })).toBeNull();
    expect(timeBudgetOf({ ...known, poolWaitMs: null })).toBeNull();
    expect(timeBudgetOf({ ...known, holdMs: Number.NaN })).toBeNull();
  });

  it('has parts that are never negative and always add up to the total', () => {
    fc.assert(
      fc.property(
        time,
        time,
        time,
        time,
        fc.option(fc.double({ min: 0, max: 20, noNaN: true }), { nil: null }),
        (meanLatencyMs, appCpuMsPerRequest, poolWaitMs, holdMs, connectionsPerRequest) => {
          const budget = timeBudgetOf({ meanLatencyMs, appCpuMsPerRequest, poolWaitMs, holdMs, connectionsPerRequest });
          if (budget === null) return;
          const parts = [budget.cpuMs, budget.poolWaitMs, budget.databaseMs, budget.otherMs];
          expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(budget.totalMs, 6);
        },
      ),
    );
  });
});
