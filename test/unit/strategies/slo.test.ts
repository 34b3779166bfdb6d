import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeSlo, missedPhrase } from '../../../src/model/domain/judgeSlo.ts';
import { type Trial, noErrors } from '../../../src/model/domain/run.ts';
import { type Slo, sloSchema } from '../../../src/model/domain/slo.ts';
import { parseSlo, sloPhrase } from '../../../src/model/domain/sloText.ts';
import { exampleTrial } from '../../support/runRecords.ts';

function read(text: string): Slo | string {
  const parsed = parseSlo(text);
  return parsed.ok ? parsed.value : parsed.problem;
}

describe('an objective as a person types it', () => {
  it.each<[string, Slo]>([
    ['p99 <= 50 ms, errors < 0.1 %', { p99Ms: 50, errorShare: 0.001 }],
    ['p99≤50ms and errors<0.1%', { p99Ms: 50, errorShare: 0.001 }],
    ['P99 < 0.05 s; throughput >= 2,000 req/s', { p99Ms: 50, throughput: 2000 }],
    ['p99.9 <= 120', { p999Ms: 120 }],
    ['p999 <= 120 ms', { p999Ms: 120 }],
    ['median < 900 µs, p95 <= 4 ms', { p50Ms: 0.9, p95Ms: 4 }],
    ['error rate <= 1 %', { errorShare: 0.01 }],
    ['errors <= 0', { errorShare: 0 }],
    ['throughput > 1500,p99<=20', { throughput: 1500, p99Ms: 20 }],
  ])('%s', (text, slo) => {
    expect(read(text)).toEqual(slo);
  });

  it.each([
    ['', /is empty/],
    [' , ', /is empty/],
    ['fast', /“fast” is not a limit.*p99 <= 50 ms/],
    ['p99', /“p99” is not a limit/],
    ['p99 50 ms', /neither at most nor at least/],
    ['p99 = 50 ms', /neither at most nor at least/],
    ['p99 >= 50 ms', /wrong way: p99 is limited from above, with <=/],
    ['throughput <= 100', /wrong way: throughput is limited from below, with >=/],
    ['errors < 0.1', /unit that does not fit: errors are a percentage/],
    ['p99 <= 50 %', /unit that does not fit: a latency is in ms/],
    ['p98 <= 50 ms', /“p98” cannot be limited/],
    ['p99 <= 0 ms', /cannot be used/],
    ['errors <= 200 %', /cannot be used/],
    ['p99 <= 50 ms, p99 <= 60 ms', /names p99 twice/],
    ['p99 <= 1e9 ms', /is not a limit/],
    [`${'p'.repeat(250)} <= 1`, /cannot be limited/],
    [`p99 ${' '.repeat(100_000)}`, /too long/],
  ])('%s is refused with a sentence that helps', (text, message) => {
    const problem = read(text);
    expect(problem).toMatch(message);
    expect(String(problem).length).toBeLessThan(300);
  });

  it('reads back what it writes, whatever the limits are', () => {
    const limit = fc.double({ min: 0.001, max: 100_000, noNaN: true }).map((value) => Number(value.toPrecision(6)));
    const share = fc.integer({ min: 0, max: 1000 }).map((permille) => permille / 1000);
    const slo = fc
      .record({ p50Ms: limit, p95Ms: limit, p99Ms: limit, p999Ms: limit, errorShare: share, throughput: limit }, { requiredKeys: [] })
      .filter((candidate) => sloSchema.safeParse(candidate).success);
    fc.assert(
      fc.property(slo, (wanted) => {
        const again = read(sloPhrase(wanted));
        for (const [key, value] of Object.entries(wanted)) expect((again as Record<string, number>)[key]).toBeCloseTo(value ?? 0, 9);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a trial against an objective', () => {
  const slo: Slo = { p99Ms: 50, errorShare: 0.001, throughput: 5000 };
  const judged = (more: Partial<Trial>, limits: Slo = slo): ReturnType<typeof judgeSlo> => judgeSlo(limits, { ...exampleTrial(), ...more });

  it('passes when every limit holds, and shows limit and value of each', () => {
    expect(judged({})).toEqual({
      passed: true,
      rows: [
        { what: 'p99', limit: '≤ 50 ms', value: '9.81 ms', passed: true },
        { what: 'errors', limit: '≤ 0.1 %', value: '0 %', passed: true },
        { what: 'throughput', limit: '≥ 5000 req/s', value: '7,940 req/s', passed: true },
      ],
    });
  });

  it('misses when one limit does not hold, and says which', () => {
    const result = judged({}, { p99Ms: 5, throughput: 5000 });
    expect(result.passed).toBe(false);
    expect(missedPhrase(result)).toBe('p99 9.81 ms (limit ≤ 5 ms)');
  });

  it('holds at the limit itself', () => {
    expect(judged({}, { p99Ms: 9.81, throughput: 7940 }).passed).toBe(true);
  });

  it('is undecided where the trial is not valid or a figure is missing', () => {
    expect(judged({ valid: false })).toMatchObject({ passed: null, rows: [{ passed: null }, { passed: null }, { passed: null }] });
    expect(judged({ latencyMs: null })).toMatchObject({
      passed: null,
      rows: [{ value: 'not measured', passed: null }, { passed: true }, { passed: true }],
    });
    expect(judged({ blocks: [], requests: 0, latencyMs: null }).passed).toBeNull();
  });

  it('misses by its errors even when they are what makes it invalid', () => {
    const result = judged({ valid: false, errors: { ...noErrors, total: 5000, status5xx: 5000 } });
    expect(result.passed).toBe(false);
    expect(missedPhrase(result)).toMatch(/^errors 4\.99 % \(limit ≤ 0\.1 %\)$/);
  });

  it('counts the errors of blocks that were left out', () => {
    const trial = exampleTrial();
    const blocks = trial.blocks.map((block, index) => (index === 0 ? { ...block, valid: false, requests: 0 } : block));
    expect(judged({ blocks, errors: { ...noErrors, total: 1000, refused: 1000 } }).passed).toBe(false);
  });
});
