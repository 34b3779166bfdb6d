import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gateCode, junitXml, worstVerdict } from '../../../src/cli/gate.ts';

const gate = { failOn: 'worse', undecided: 'fail', junit: null } as const;

describe('a gate', () => {
  it('ends with 3 when it is worse, with 4 when it cannot be told, and with 0 otherwise', () => {
    expect((['worse', 'unknown', 'same', 'better'] as const).map((verdict) => gateCode(verdict, gate))).toEqual([3, 4, 0, 0]);
  });

  it('lets pass what cannot be told when that is asked for, and everything when nothing is', () => {
    expect(gateCode('unknown', { ...gate, undecided: 'pass' })).toBe(0);
    expect(gateCode('worse', { ...gate, undecided: 'pass' })).toBe(3);
    expect(gateCode('worse', { ...gate, failOn: null })).toBe(0);
  });

  it('goes by the worst of several, and takes nothing compared for nothing told', () => {
    expect(worstVerdict(['same', 'worse', 'unknown'])).toBe('worse');
    expect(worstVerdict(['better', 'unknown', 'same'])).toBe('unknown');
    expect(worstVerdict([])).toBe('unknown');
  });
});

describe('the XML for CI', () => {
  const cases = [
    { of: 'GET /orders/:id', name: 'throughput', verdict: 'worse', sentence: '7 → 8 ms' },
    { of: 'GET /orders/:id', name: 'p99', verdict: 'unknown', sentence: 'can’t tell' },
    { of: 'GET /orders/:id', name: 'rows', verdict: 'same', sentence: '' },
  ] as const;

  it('counts what is worse as failed, and what cannot be told as skipped unless it is to fail', () => {
    const passing = junitXml({ name: 'main → HEAD', cases, failUndecided: false });
    expect(passing).toContain('<testsuites tests="3" failures="1" errors="0" skipped="1">');
    expect(passing).toContain('<failure message="7 → 8 ms" type="worse"/>');
    const failing = junitXml({ name: 'main → HEAD', cases, failUndecided: true });
    expect(failing).toContain('<testsuites tests="3" failures="2" errors="0" skipped="0">');
  });

  it('holds names of anybody as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const xml = junitXml({ name: text, cases: [{ of: text, name: text, verdict: 'worse', sentence: text }], failUndecided: true });
        expect(xml.match(/<[a-z]/g)).toHaveLength(4);
        expect(xml).toMatch(/^[\u0009\u000a\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        expect(xml.replace(/&(amp|lt|gt|quot|apos);/g, '')).not.toContain('&');
      }),
      { numRuns: 30 },
    );
  });
});
