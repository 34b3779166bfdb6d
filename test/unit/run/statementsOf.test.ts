import { describe, expect, it } from 'vitest';
import { statementsOf } from '../../../src/engine/run/statementsOf.ts';
import type { StatementsWindow } from '../../../src/engine/observe/statementMeter.ts';
import type { StatementUse } from '../../../src/model/domain/statement.ts';

const counted = (calls: number): StatementsWindow => {
  const use: StatementUse = {
    sql: 'select 1',
    database: 'shop',
    calls,
    totalMs: 0.5 * calls,
    meanMs: 0.5,
    share: 1,
    rows: 2 * calls,
    blocksRead: 0,
    walBytes: 0,
    bypassed: null,
    looks: null,
    plan: null,
  };
  return { totalMs: use.totalMs, top: [use] };
};

describe('the statements of a trial', () => {
  it('are those of its requests, whatever else was sent while a block settled', () => {
    const blocks = [
      { statements: counted(3 * 1400), result: { requests: 1000, sentInAll: 1400 } },
      { statements: counted(3 * 1100), result: { requests: 1000, sentInAll: 1100 } },
    ];
    const [use] = statementsOf(blocks, 2000) ?? [];
    expect(use?.calls).toBeCloseTo(6000, 6);
    expect(use).toMatchObject({ rows: expect.closeTo(12_000, 6) as number, totalMs: expect.closeTo(3000, 6) as number, meanMs: 0.5 });
  });

  it('are told by the blocks in which they are known: one whose counters did not come in time takes nothing from them', () => {
    const blocks = [
      { statements: counted(1200), result: { requests: 1000, sentInAll: 1200 } },
      { statements: null, result: { requests: 4000, sentInAll: 4400 } },
    ];
    expect(statementsOf(blocks, 5000)?.[0]?.calls).toBeCloseTo(5000, 6);
  });

  it('are those of the window where no more is known, none where none was sent, and not known where nothing is', () => {
    expect(statementsOf([{ statements: counted(1000), result: { requests: 1000, sentInAll: null } }], 1000)?.[0]?.calls).toBe(1000);
    const nothingSent = { statements: { totalMs: 0, top: [] }, result: { requests: 1000, sentInAll: 1000 } };
    expect(statementsOf([nothingSent], 1000)).toEqual([]);
    expect(statementsOf([{ statements: null, result: { requests: 1000, sentInAll: 1000 } }], 1000)).toBeNull();
    expect(statementsOf([], 0)).toBeNull();
  });
});
