import { describe, expect, it } from 'vitest';
import { type LadderPoint, kneeOf, logSlope, readLadder } from '../../../src/engine/diagnose/ladder.ts';
import { verdictText } from '../../../src/model/domain/verdict/verdictKinds.ts';

function ladder(...rows: [connections: number, throughput: number, meanMs: number, cpuPercentOfCores: number | null][]): LadderPoint[] {
  return rows.map(([connections, throughput, meanMs, cpuPercentOfCores]) => ({ connections, throughput, meanMs, cpuPercentOfCores }));
}

describe('readLadder', () => {
  it('sees the queue in the figures of the published experiment', () => {
    const published = ladder([10, 43, 233, 25], [50, 42, 1237, 25], [100, 42, 2347, 25], [150, 42, 3506, 25]);
    const { sign, said, knee } = readLadder(published.map((rung) => ({ ...rung, limit: 'outbound-pool' as const })));
    expect(sign).toBe('queue-before-fixed-resource');
    expect(verdictText(said)).toContain('There is a queue in front of a fixed-size resource');
    expect(verdictText(said)).toContain('By the verdict it is the HTTP client’s connection pool.');
    expect(knee).toBe(10);
  });

  it('sees it after a rise as well, from the knee on', () => {
    expect(readLadder(ladder([2, 95, 21, 10], [8, 380, 21, 20], [16, 390, 41, 20], [32, 392, 82, 20], [64, 389, 164, 20]))).toMatchObject({
      sign: 'queue-before-fixed-resource',
      knee: 8,
    });
  });

  it('does not see it when the CPU is busy, or unknown', () => {
    expect(readLadder(ladder([10, 4000, 2.5, 97], [50, 4100, 12, 99], [100, 4050, 25, 99]))).toMatchObject({
      sign: 'saturates-cpu',
      knee: 10,
    });
    expect(readLadder(ladder([10, 43, 233, null], [50, 42, 1237, null], [100, 42, 2347, null])).sign).toBe('none');
  });

  it('sees a ladder that scales, and one that collapses', () => {
    expect(readLadder(ladder([2, 100, 20, 5], [4, 199, 20, 9], [8, 398, 20, 18]))).toMatchObject({ sign: 'scales', knee: null });
    expect(readLadder(ladder([10, 177, 54, 60], [50, 357, 135, 80], [100, 348, 278, 85], [150, 73, 1988, 99])).sign).toBe('collapses');
  });

  it('says so when there are too few points, and leaves out those without throughput', () => {
    expect(readLadder(ladder([2, 100, 20, 5], [4, 199, 20, 9], [8, 0, 20, 18])).sign).toBe('not-enough-points');
  });

  it('does not depend on the order of the points', () => {
    const points = ladder([10, 43, 233, 25], [50, 42, 1237, 25], [100, 42, 2347, 25], [150, 42, 3506, 25]);
    expect(readLadder([...points].reverse())).toEqual(readLadder(points));
  });
});

describe('figures of a ladder', () => {
  it('gives the slope of a power law', () => {
    expect(
      logSlope([
        [1, 3],
        [2, 6],
        [8, 24],
      ]),
    ).toBeCloseTo(1, 10);
    expect(
      logSlope([
        [1, 5],
        [4, 10],
      ]),
    ).toBeCloseTo(0.5, 10);
    expect(
      logSlope([
        [4, 5],
        [4, 10],
      ]),
    ).toBeNull();
  });

  it('gives the first rung within 10 % of the best as the knee, and none while it still rises', () => {
    expect(kneeOf(ladder([1, 50, 1, 1], [2, 91, 1, 1], [4, 100, 1, 1], [8, 99, 1, 1]))).toBe(2);
    expect(kneeOf(ladder([1, 50, 1, 1], [2, 80, 1, 1], [4, 100, 1, 1]))).toBeNull();
  });
});
