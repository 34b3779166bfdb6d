import type { PlainFinding } from '../../../src/model/domain/findingKinds.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noErrors } from '../../../src/model/domain/run.ts';
import { type BlockEvidence, judgeBlock, judgeTrial } from '../../../src/engine/statistics/judgement.ts';

function evidence(changes: Partial<BlockEvidence> = {}): BlockEvidence {
  return {
    requests: 20_000,
    windowMs: 4000,
    errors: noErrors,
    generator: { cpuPercent: 40, eventLoopUtilisation: 0.4, littleRatio: 0.98 },
    meanLatencyMs: 2,
    latencyReasons: [],
    ended: null,
    postgresRestarted: false,
    ...changes,
  };
}

describe('a block', () => {
  it('is valid, without a word, when nothing is wrong', () => {
    expect(judgeBlock(evidence())).toEqual({ valid: true, reasons: [], notes: [] });
  });

  it('is not valid when the generator was saturated; with the figure and the limit', () => {
    const { valid, reasons } = judgeBlock(evidence({ generator: { cpuPercent: 97, eventLoopUtilisation: 0.99, littleRatio: 0.5 } }));
    expect(valid).toBe(false);
    expect(reasons).toEqual([{ code: 'generator-cpu', value: 97, limit: 90 }]);
    expect(judgeBlock(evidence({ generator: { cpuPercent: 50, eventLoopUtilisation: 0.95, littleRatio: 0.98 } })).reasons).toEqual([
      { code: 'generator-loop', value: 0.95, limit: 0.9 },
    ]);
    expect(judgeBlock(evidence({ generator: { cpuPercent: 50, eventLoopUtilisation: 0.5, littleRatio: 0.7 } })).reasons).toEqual([
      { code: 'generator-idle', value: 0.7, limit: 0.9 },
    ]);
  });

  it('is not valid from more than one error in a thousand; count and class are told', () => {
    const { valid, reasons } = judgeBlock(evidence({ requests: 19_588, errors: { ...noErrors, total: 412, status5xx: 400, timeout: 12 } }));
    expect(valid).toBe(false);
    expect(reasons).toEqual([
      { code: 'requests-failed', kind: 'status5xx', count: 400, attempts: 20_000, limit: 0.001 },
      { code: 'requests-failed', kind: 'timeout', count: 12, attempts: 20_000, limit: 0.001 },
    ]);
  });

  it('counts the share of errors among all requests, not among the good ones', () => {
    const half = judgeBlock(evidence({ requests: 500, errors: { ...noErrors, total: 500, status5xx: 500 } }));
    expect(half.reasons).toMatchObject([{ count: 500, attempts: 1000 }]);
    const limit = (errors: number) =>
      judgeBlock(evidence({ requests: 9990, errors: { ...noErrors, total: errors, status4xx: errors } })).valid;
    expect([limit(10), limit(11)]).toEqual([true, false]);
  });

  it('does not take slow answers or errors for a generator that is late', () => {
    const generator = { cpuPercent: 3, eventLoopUtilisation: 0.02, littleRatio: 0.75 };
    expect(judgeBlock(evidence({ generator, windowMs: 2000, meanLatencyMs: 900 })).reasons).toEqual([]);
    expect(judgeBlock(evidence({ generator, windowMs: 2000, meanLatencyMs: 9 })).reasons).toHaveLength(1);
    const failing = judgeBlock(evidence({ generator, errors: { ...noErrors, total: 9000, status5xx: 9000 } }));
    expect(failing.reasons).toMatchObject([{ code: 'requests-failed', kind: 'status5xx' }]);
  });

  it('has a note of rarer errors', () => {
    const { valid, notes } = judgeBlock(evidence({ errors: { ...noErrors, total: 1, refused: 1 } }));
    expect(valid).toBe(true);
    expect(notes).toMatchObject([{ code: 'few-requests-failed', kind: 'refused', count: 1 }]);
  });

  it('is not valid when nothing at all was answered', () => {
    expect(judgeBlock(evidence({ requests: 0 })).reasons).toEqual([{ code: 'nothing-answered' }]);
    const refused = judgeBlock(evidence({ requests: 0, errors: { ...noErrors, total: 50, refused: 50 } }));
    expect(refused.reasons).toMatchObject([{ code: 'requests-failed', kind: 'refused', count: 50, attempts: 50 }]);
  });

  it('is not valid when the app or PostgreSQL was restarted in it, or latency was not known', () => {
    expect(judgeBlock(evidence({ ended: { code: 'app-restarted' } })).valid).toBe(false);
    expect(judgeBlock(evidence({ postgresRestarted: true })).valid).toBe(false);
    expect(judgeBlock(evidence({ latencyReasons: [{ code: 'answers-missing', count: 7 }] }))).toMatchObject({
      valid: false,
      reasons: [{ code: 'answers-missing', count: 7 }],
    });
  });

  it('is as good as any other when it is short: a run makes up for it with their number', () => {
    expect(judgeBlock(evidence({ windowMs: 500, requests: 200 }))).toEqual({ valid: true, reasons: [], notes: [] });
  });
});

describe('a trial', () => {
  const good = { valid: true, reasons: [], requests: 5000 };
  const failed = (count: number): PlainFinding => ({ code: 'requests-failed', kind: 'status5xx', count, attempts: 1000, limit: 0.001 });
  const bad = { valid: false, reasons: [failed(3)], requests: 5000 };
  const base = { blockNotes: [], warmUp: { durationMs: 8000, steady: true }, unsteady: null };

  it('is valid with two valid blocks, and tells of the one left out', () => {
    const verdict = judgeTrial({ ...base, blocks: [good, bad, good], roundsAsked: 3 });
    expect(verdict.valid).toBe(true);
    expect(verdict.notes).toEqual([{ code: 'blocks-left-out', count: 1, of: 3, why: [failed(3)] }]);
  });

  it('is not valid with one valid block of three; a reason that recurs is told once', () => {
    const worse = { ...bad, reasons: [failed(71)] };
    expect(judgeTrial({ ...base, blocks: [good, bad, worse], roundsAsked: 3 })).toEqual({ valid: false, reasons: bad.reasons, notes: [] });
  });

  it('needs only one block when one round was asked for', () => {
    expect(judgeTrial({ ...base, blocks: [good], roundsAsked: 1 }).valid).toBe(true);
    expect(judgeTrial({ ...base, blocks: [bad], roundsAsked: 1 }).valid).toBe(false);
  });

  it('is discarded when most of its blocks are, and only then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), (sound, spoilt) => {
        fc.pre(sound + spoilt > 0);
        const blocks = [...Array.from({ length: sound }, () => good), ...Array.from({ length: spoilt }, () => bad)];
        const verdict = judgeTrial({ ...base, blocks, roundsAsked: sound + spoilt });
        expect(verdict.valid).toBe(spoilt <= sound);
        expect(verdict.reasons).toEqual(spoilt <= sound ? [] : bad.reasons);
        expect(verdict.notes.some(({ code }) => code === 'blocks-left-out')).toBe(spoilt > 0 && spoilt <= sound);
      }),
    );
  });

  it('counts when it was cut off after a block, and is discarded without any', () => {
    expect(judgeTrial({ ...base, blocks: [good], roundsAsked: 3 })).toMatchObject({ valid: true, reasons: [] });
    expect(judgeTrial({ ...base, blocks: [], roundsAsked: 1 })).toMatchObject({
      valid: false,
      reasons: [{ code: 'nothing-measured' }],
    });
  });

  it('counts when throughput was not steady at the end of the warm-up, and says so', () => {
    const rising = { code: 'trend', series: 'throughput', change: 0.09, overS: 10 } as const;
    const verdict = judgeTrial({
      ...base,
      blocks: [good, good],
      roundsAsked: 2,
      warmUp: { durationMs: 20_000, steady: false },
      unsteady: { why: rising, cpuPart: null },
    });
    expect(verdict).toMatchObject({ valid: true, reasons: [] });
    expect(verdict.notes).toEqual([{ code: 'unsteady', durationMs: 20_000, why: rising }]);
    expect(judgeTrial({ ...base, blocks: [good], roundsAsked: 1, warmUp: { durationMs: 20_000, steady: true } }).notes).toEqual([]);
  });

  it('says of CPU time that still fell how little of a request it is', () => {
    const why = { code: 'compiling', share: 0.6 } as const;
    const { notes, valid } = judgeTrial({ ...base, blocks: [good], roundsAsked: 1, unsteady: { why, cpuPart: 0.03 } });
    expect(valid).toBe(true);
    expect(notes).toEqual([{ code: 'cpu-unsteady', durationMs: 8000, why, share: 0.03 }]);
  });

  it('has a note when p99 rests on too few requests', () => {
    expect(
      judgeTrial({
        ...base,
        blocks: [
          { ...good, requests: 900 },
          { ...good, requests: 800 },
        ],
        roundsAsked: 2,
      }).notes,
    ).toEqual([{ code: 'few-for-p99', count: 1700, limit: 2000 }]);
  });
});
