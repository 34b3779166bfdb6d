import { describe, expect, it } from 'vitest';
import { type FunctionUse, functionsBetween, mergeFunctions } from '../../../src/engine/observe/functionTimes.ts';

const use = (name: string, calls: number, selfMs: number): FunctionUse => ({ database: 'shop', name, trigger: null, calls, selfMs });

describe('the functions of a database', () => {
  it('are what was called between two readings, the longest first', () => {
    const before = new Map([
      ['shop/1', use('idle', 5, 50)],
      ['shop/2', use('short', 5, 50)],
      ['shop/3', use('reset', 500, 900)],
    ]);
    const after = new Map([
      ['shop/1', use('idle', 5, 50)],
      ['shop/2', use('short', 15, 52)],
      ['shop/3', use('reset', 3, 6)],
      ['shop/4', use('fresh', 2, 40)],
    ]);
    expect(functionsBetween(before, after)).toEqual([use('fresh', 2, 40), use('reset', 3, 6), use('short', 10, 2)]);
  });

  it('are added up over windows, those of one name in two databases apart', () => {
    const elsewhere = { ...use('count_orders', 1, 100), database: 'other' };
    expect(mergeFunctions([use('count_orders', 2, 20), use('count_orders', 3, 30), elsewhere])).toEqual([
      elsewhere,
      use('count_orders', 5, 50),
    ]);
  });
});
