import { describe, expect, it } from 'vitest';
import type { HostUse, Observation } from '../../../src/model/observation.ts';
import { noErrors } from '../../../src/model/run.ts';
import type { BlockEvidence } from '../../../src/engine/statistics/judgement.ts';
import { judgeBlock, judgeTrial } from '../../../src/engine/statistics/judgement.ts';

function observed(host: Partial<HostUse>): Observation {
  return {
    timeMs: 1000,
    windowMs: 1000,
    trialKey: 'a',
    app: null,
    postgres: null,
    generator: null,
    sessions: null,
    instances: [],
    host: {
      userPercent: null,
      systemPercent: null,
      idlePercent: null,
      contextSwitchesPerS: null,
      cpuPercent: 60,
      stealPercent: 0,
      otherPercent: 3,
      pressureSomePercent: 10,
      throttledPeriods: 0,
      freeMemoryBytes: 1e9,
      ...host,
    },
  };
}

function evidence(changes: Partial<BlockEvidence> = {}): BlockEvidence {
  return {
    requests: 20_000,
    windowMs: 4000,
    errors: noErrors,
    generator: { cpuPercent: 40, eventLoopUtilisation: 0.4, littleRatio: 0.98 },
    meanLatencyMs: 2,
    latencyReasons: [],
    observations: [observed({}), observed({})],
    appRestarted: false,
    postgresRestarted: false,
    ...changes,
  };
}

describe('a block', () => {
  it('is valid, without a word, when nothing is wrong', () => {
    expect(judgeBlock(evidence())).toEqual({ valid: true, reasons: [], notes: [] });
  });

  it('is valid where the platform tells nothing of the host', () => {
    expect(judgeBlock(evidence({ observations: [{ ...observed({}), host: null }] })).valid).toBe(true);
    expect(judgeBlock(evidence({ observations: [] })).valid).toBe(true);
  });

  it('is not valid when the generator was saturated; the figure, the limit and the cure are told', () => {
    const { valid, reasons } = judgeBlock(evidence({ generator: { cpuPercent: 97, eventLoopUtilisation: 0.99, littleRatio: 0.5 } }));
    expect(valid).toBe(false);
    expect(reasons).toEqual([
      'The load generator was saturated (its CPU 97.0 % of a core, limit 90 %): what was measured is the generator. Use fewer connections or a heavier route.',
    ]);
    expect(judgeBlock(evidence({ generator: { cpuPercent: 50, eventLoopUtilisation: 0.95, littleRatio: 0.98 } })).reasons[0]).toContain(
      'event loop busy 95.0 %',
    );
    expect(judgeBlock(evidence({ generator: { cpuPercent: 50, eventLoopUtilisation: 0.5, littleRatio: 0.7 } })).reasons[0]).toContain(
      '0.700, limit 0.9',
    );
  });

  it('is not valid from more than one error in a thousand; count and class are told', () => {
    const { valid, reasons } = judgeBlock(evidence({ requests: 19_588, errors: { ...noErrors, total: 412, status5xx: 400, timeout: 12 } }));
    expect(valid).toBe(false);
    expect(reasons[0]).toMatch(/^400 requests were answered with a server error \(5xx\): 2\.00 % of all/);
    expect(reasons[1]).toMatch(/^12 requests were not answered within the time-out: 0\.060 %/);
  });

  it('counts the share of errors among all requests, not among the good ones', () => {
    const half = judgeBlock(evidence({ requests: 500, errors: { ...noErrors, total: 500, status5xx: 500 } }));
    expect(half.reasons).toHaveLength(1);
    expect(half.reasons[0]).toContain('50.0 % of all');
    const limit = (errors: number) =>
      judgeBlock(evidence({ requests: 9990, errors: { ...noErrors, total: errors, status4xx: errors } })).valid;
    expect([limit(10), limit(11)]).toEqual([true, false]);
  });

  it('does not take slow answers or errors for a generator that is late', () => {
    const generator = { cpuPercent: 3, eventLoopUtilisation: 0.02, littleRatio: 0.75 };
    expect(judgeBlock(evidence({ generator, windowMs: 2000, meanLatencyMs: 900 })).reasons).toEqual([]);
    expect(judgeBlock(evidence({ generator, windowMs: 2000, meanLatencyMs: 9 })).reasons).toHaveLength(1);
    const failing = judgeBlock(evidence({ generator, errors: { ...noErrors, total: 9000, status5xx: 9000 } }));
    expect(failing.reasons).toHaveLength(1);
    expect(failing.reasons[0]).toContain('server error');
  });

  it('has a note of rarer errors', () => {
    const { valid, notes } = judgeBlock(evidence({ errors: { ...noErrors, total: 1, refused: 1 } }));
    expect(valid).toBe(true);
    expect(notes[0]).toMatch(/^The app refused a connection 1 time: 0\.005 % of all/);
  });

  it('is not valid when nothing at all was answered', () => {
    expect(judgeBlock(evidence({ requests: 0 })).reasons[0]).toContain('Not one request');
    const refused = judgeBlock(evidence({ requests: 0, errors: { ...noErrors, total: 50, refused: 50 } }));
    expect(refused.reasons).toHaveLength(1);
    expect(refused.reasons[0]).toContain('refused a connection 50 times: 100 % of all');
  });

  it('is not valid when the hypervisor took CPU, or the container was throttled', () => {
    expect(judgeBlock(evidence({ observations: [observed({ stealPercent: 5 }), observed({ stealPercent: 1 })] })).reasons).toEqual([
      'The hypervisor took 3.00 % of the CPU for other machines, limit 2 %. Run again when the host is quieter.',
    ]);
    expect(
      judgeBlock(evidence({ observations: [observed({ throttledPeriods: 2 }), observed({ throttledPeriods: 1 })] })).reasons[0],
    ).toContain('in 3 periods, limit 0');
    expect(judgeBlock(evidence({ observations: [observed({ stealPercent: 1.5 })] })).valid).toBe(true);
  });

  it('has notes of other programs and of CPU pressure that is not the app’s', () => {
    const { valid, notes } = judgeBlock(evidence({ observations: [observed({ otherPercent: 55, pressureSomePercent: 60 })] }));
    expect(valid).toBe(true);
    expect(notes[0]).toContain('Other programs used 55.0 % of the machine’s CPU, limit 40 %');
    expect(notes[1]).toContain('waited for a CPU 60.0 %');
    expect(judgeBlock(evidence({ observations: [observed({ pressureSomePercent: 90 })] })).notes).toEqual([]);
  });

  it('is not valid when the app or PostgreSQL was restarted in it, or latency was not known', () => {
    expect(judgeBlock(evidence({ appRestarted: true })).valid).toBe(false);
    expect(judgeBlock(evidence({ postgresRestarted: true })).valid).toBe(false);
    expect(judgeBlock(evidence({ latencyReasons: ['7 requests got no answer in time.'] }))).toMatchObject({
      valid: false,
      reasons: ['7 requests got no answer in time.'],
    });
  });

  it('has a note when it is short', () => {
    expect(judgeBlock(evidence({ windowMs: 2000 })).notes[0]).toContain('2.00 s are short');
  });
});

describe('a trial', () => {
  const good = { valid: true, reasons: [], requests: 5000 };
  const bad = { valid: false, reasons: ['The hypervisor took 3.00 % of the CPU. Wait.'], requests: 5000 };
  const base = { blockNotes: [], warmUp: { durationMs: 8000, steady: true }, unsteadyReason: null, disturbed: false };

  it('is valid with two valid blocks, and tells of the one left out', () => {
    const verdict = judgeTrial({ ...base, blocks: [good, bad, good], roundsAsked: 3 });
    expect(verdict.valid).toBe(true);
    expect(verdict.notes).toEqual(['1 of 3 blocks is left out. The hypervisor took 3.00 % of the CPU. Wait.']);
  });

  it('is not valid with one valid block of three; a reason that recurs is told once', () => {
    const worse = { ...bad, reasons: ['The hypervisor took 9.10 % of the CPU. Wait.'] };
    expect(judgeTrial({ ...base, blocks: [good, bad, worse], roundsAsked: 3 })).toEqual({ valid: false, reasons: bad.reasons, notes: [] });
  });

  it('needs only one block when one round was asked for', () => {
    expect(judgeTrial({ ...base, blocks: [good], roundsAsked: 1 }).valid).toBe(true);
    expect(judgeTrial({ ...base, blocks: [bad], roundsAsked: 1 }).valid).toBe(false);
  });

  it('is not valid when it was cut off before the second block', () => {
    expect(judgeTrial({ ...base, blocks: [good], roundsAsked: 3 }).reasons[0]).toContain('Only 1 of 3 blocks was measured; 2 are needed');
    expect(judgeTrial({ ...base, blocks: [], roundsAsked: 1 }).valid).toBe(false);
  });

  it('is not valid when throughput was not steady at the end of the warm-up', () => {
    const verdict = judgeTrial({
      ...base,
      blocks: [good, good],
      roundsAsked: 2,
      warmUp: { durationMs: 20_000, steady: false },
      unsteadyReason: 'throughput was still rising: by 9.0 % over the last 10 s',
    });
    expect(verdict.reasons).toEqual([
      'Not steady after 20.0 s of warm-up: throughput was still rising: by 9.0 % over the last 10 s. Allow a longer warm-up.',
    ]);
  });

  it('asks for a quieter machine, and no longer warm-up, when others took the CPU meanwhile', () => {
    const verdict = judgeTrial({
      ...base,
      blocks: [good, good],
      roundsAsked: 2,
      warmUp: { durationMs: 20_000, steady: false },
      unsteadyReason: 'throughput jumps',
      disturbed: true,
    });
    expect(verdict.reasons[0]).toContain('run again when the machine is quieter');
    expect(verdict.reasons[0]).not.toContain('longer');
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
      }).notes[0],
    ).toContain('1,700 in all');
  });
});
