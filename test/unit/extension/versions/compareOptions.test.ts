import { describe, expect, it } from 'vitest';
import { compareMemorySchema, compareOptionsSchema } from '../../../../src/extension/services/lastAnswers.ts';
import {
  fittingOptions,
  optionsPhrase,
  parseConnections,
  parseDelta,
  parseObjective,
  withOption,
} from '../../../../src/extension/versions/compareOptions.ts';
import type { TargetState } from '../../../../src/model/protocol/protocol.ts';
import { sloPhrase } from '../../../../src/model/domain/sloText.ts';

const routes = [
  { method: 'GET', path: '/orders/:id' },
  { method: 'POST', path: '/orders' },
] as unknown as TargetState['routes'];

describe('how two versions are compared', () => {
  it('is said in a line, with what nobody has chosen as it is', () => {
    expect(optionsPhrase({}, { routes })).toBe(
      'the mix of 2 routes · steady · 2 min at the most · within ±5 % · by throughput, CPU per request, statements per request',
    );
    const chosen = { route: 'POST /orders', connections: 8, budgetS: 90, delta: 0.02, judgeBy: ['p99' as const], slo: { p99Ms: 50 } };
    expect(optionsPhrase(chosen, { routes })).toBe(
      'POST /orders · steady · 8 connections · 1 min 30 s at the most · within ±2 % · by p99 · p99 ≤ 50 ms',
    );
    expect(optionsPhrase({}, { routes: routes.slice(0, 1) })).toMatch(/^steady/);
  });

  it('is read as typed, and again as it is shown; nothing is no choice', () => {
    expect(parseDelta('±2.5 %')).toEqual({ ok: true, value: 0.025 });
    expect(parseDelta('70').ok).toBe(false);
    expect(parseConnections('0').ok).toBe(false);
    expect(parseConnections('32')).toEqual({ ok: true, value: 32 });
    const objective = parseObjective('p99 <= 50 ms');
    expect(objective).toEqual({ ok: true, value: { p99Ms: 50 } });
    expect(parseObjective(sloPhrase({ p99Ms: 50 }))).toEqual(objective);
    for (const parse of [parseDelta, parseConnections, parseObjective]) expect(parse(' ')).toEqual({ ok: true, value: undefined });
    expect(withOption({ delta: 0.02, connections: 8 }, 'delta', undefined)).toEqual({ connections: 8 });
  });

  it('is remembered, but for a route that is not declared any more, and whatever else is kept is no memory', () => {
    expect(fittingOptions({ route: 'GET /gone', connections: 8 }, { routes })).toEqual({ connections: 8 });
    expect(fittingOptions({ route: 'POST /orders' }, { routes })).toEqual({ route: 'POST /orders' });
    expect(compareOptionsSchema.safeParse({ delta: 7 }).success).toBe(false);
    expect(compareMemorySchema.parse({})).toEqual({ sides: 'working', names: {}, targetId: null, options: {} });
  });
});
