import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/engine/diagnose/diagnose.ts';
import type { Signals } from '../../../src/engine/diagnose/signals.ts';
import { explanationOf } from '../../../src/model/domain/diagnosis.ts';
import { signals } from './exampleSignals.ts';

const counting = { name: 'count_orders', trigger: { name: 'orders_counted', table: 'orders' }, meanMs: 4, share: 0.93 };
const judged = (more: Partial<Signals>) => diagnose(signals({ pgCpuPercent: 185, appCpuPercent: 10, ...more }));

describe('a function of the database', () => {
  it('is named with its trigger where statements spend their time in it', () => {
    const diagnosis = judged({ functions: [counting] });
    expect(diagnosis.kind).toBe('database-cpu');
    expect(explanationOf(diagnosis)).toContain('the trigger orders_counted calls it for changes of orders');
    expect(diagnosis.actions.map(({ label }) => label)).toContainEqual({ code: 'change-function', name: 'count_orders', isTrigger: true });
  });

  it('is not worth a word where it takes little, or where the app is what limits', () => {
    expect(explanationOf(judged({ functions: [{ ...counting, share: 0.2 }] }))).not.toContain('count_orders');
    const computing = diagnose(signals({ runtime: 'node', eventLoop: 0.99, appCpuPercent: 100, pgCpuPercent: 5, functions: [counting] }));
    expect(computing.kind).toBe('event-loop');
    expect(explanationOf(computing)).not.toContain('count_orders');
  });
});
