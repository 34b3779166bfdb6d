import { describe, expect, it } from 'vitest';
import { type TuningEvidence, judgeTuning } from '../../../src/engine/strategies/search/tuningGates.ts';
import { gateText } from '../../../src/model/domain/gate.ts';
import { gatedPool, soundTuning } from './tuningEvidence.ts';

const withPools = (...settings: TuningEvidence['settings']): Partial<TuningEvidence> => ({ settings });

describe('the rules of validity for a tuning', () => {
  it('object to nothing in a sound one', () => {
    expect(judgeTuning(soundTuning())).toEqual([]);
  });

  it.each<{ code: string; severity: 'refuse' | 'flag'; more: Partial<TuningEvidence>; cure: RegExp }>([
    {
      code: 'generator',
      severity: 'refuse',
      more: { generator: { cpuPercent: 95, eventLoopUtilisation: 0.5 } },
      cure: /its CPU 95\.0 % of a core.* Use fewer connections/,
    },
    {
      code: 'generator',
      severity: 'refuse',
      more: { generator: { cpuPercent: 60, eventLoopUtilisation: 0.93 } },
      cure: /event loop busy 93\.0 %/,
    },
    {
      code: 'acquire-timeouts',
      severity: 'flag',
      more: withPools(gatedPool(2, { acquireTimeouts: 7 }), gatedPool(16)),
      cure: /Use a larger pool/,
    },
    { code: 'not-steady', severity: 'flag', more: { steady: false }, cure: /longer warm-up/ },
    {
      code: 'ignored',
      severity: 'flag',
      more: withPools(
        gatedPool(2),
        gatedPool(4, {
          ignored: { code: 'setting-not-in-force', message: { code: 'recorded', sentence: 'The app kept 10 connections.' } },
        }),
        gatedPool(16),
      ),
      cure: /^The app kept 10 connections\. 4 is left out\. Let the setting/,
    },
    {
      code: 'ignored',
      severity: 'refuse',
      more: withPools(
        gatedPool(4, {
          ignored: { code: 'setting-not-in-force', message: { code: 'recorded', sentence: 'The app kept 10 connections.' } },
        }),
        gatedPool(16),
      ),
      cure: /left out/,
    },
    {
      code: 'open-loop',
      severity: 'flag',
      more: { openLoop: { intended: 10_000, sent: 9_900, late: 0, dropped: 100 } },
      cure: /1\.00 % of the requests/,
    },
    {
      code: 'not-measured',
      severity: 'flag',
      more: withPools(gatedPool(2, { blocks: { valid: 1, all: 3 } }), gatedPool(4), gatedPool(16)),
      cure: /^2 could not be measured twice/,
    },
    { code: 'rounds', severity: 'refuse', more: { rounds: 2 }, cure: /there are 2\. Allow more time/ },
  ])('speak up: $code, $severity', ({ code, severity, more, cure }) => {
    const gates = judgeTuning(soundTuning(more));
    expect(gates.map((gate) => [gate.code, gate.severity])).toEqual([[code, severity]]);
    expect(gates.map(gateText).join(' ')).toMatch(cure);
  });

  it('say which sizes a load cannot tell apart: those that it can never use, and what would use them', () => {
    const few = (max: number): TuningEvidence['settings'][number] => {
      const own = gatedPool(max);
      return { ...own, trial: { ...own.trial, connections: 16 } };
    };
    const gates = judgeTuning(soundTuning(withPools(few(2), few(8), few(32))));
    expect(judgeTuning(soundTuning(withPools(few(2), few(8), few(16)))).map(({ code }) => code)).not.toContain('concurrency');
    expect(gates).toEqual([{ code: 'concurrency', severity: 'flag', connections: 16, used: 16, largest: 32, needed: 64 }]);
  });

  it('leave an answer that rests on three rounds to the knee rule, and refuse one of two', () => {
    expect(judgeTuning(soundTuning({ rounds: 3 }))).toEqual([]);
    expect(judgeTuning(soundTuning({ rounds: 2 })).map(({ code, severity }) => [code, severity])).toEqual([['rounds', 'refuse']]);
  });
});
